//! A step on one thread, tile by tile: some rows move, then the contacts of a segment are found, evaluated and
//! added to their bodies, which are still in the cache.
//!
//! The pairs are in the order of their later row, so that a segment needs no rows beyond those that have moved by
//! then. Every contact sees what it would see if all bodies had moved first, and sums are in the same order:
//! the results are those of several threads, which move all bodies before they look at any contact.

use crate::columns::ROWS;
use crate::contact::{Segment, SumRows};
use crate::engine::Engine;
use crate::error::Stop;
use crate::integrate;
use crate::prefetch::prefetch;
use std::time::Instant;

impl Engine {
    /// Moves all bodies to tₙ₊₁ and evaluates their contacts there, which are all of one group.
    pub(crate) fn move_and_touch(&mut self, group: usize) -> Result<(), Stop> {
        let mut moved = 0;
        self.progress.longest = 0.0;
        let mut done = 0;
        while let Some(segment) = self.contacts[group].between.get(done) {
            let rows = segment.rows;
            Segment::prefetch_first(&self.contacts[group].between[done + 1..]);
            self.move_up_to(rows, &mut moved);
            if !self.space.neighbours.stay_valid_after(self.progress.longest) {
                break;
            }
            // The longest displacement so far will do: neither body of a pair is among those that have yet to move.
            let (space, physics) = (&self.space, self.rules.physics(group, &self.progress));
            let segment = &mut self.contacts[group].between[done];
            segment.find(space, physics);
            segment.react(space, physics, Some(&mut SumRows::all(&mut self.sums)));
            done += 1;
        }
        self.move_up_to(self.space.bodies.len(), &mut moved);
        self.note_displacement(self.progress.longest)?;
        if !self.space.neighbours.stay_valid_after(0.0) {
            // Somebody moved much farther than in the step before.
            return self.catch_up(group, done);
        }
        let physics = self.rules.physics(group, &self.progress);
        self.contacts[group].evaluate_walls(&self.space, physics, &mut SumRows::all(&mut self.sums));
        self.check_overlaps()
    }

    /// Moves whole tiles, up to this row or a little farther.
    fn move_up_to(&mut self, row: usize, moved: &mut usize) {
        if row <= *moved {
            return;
        }
        let begin = Instant::now();
        let end = row.next_multiple_of(ROWS).min(self.space.bodies.len());
        let mover = self.mover();
        let rows = *moved..end;
        let displacement = integrate::advance_rows(
            &mut self.space.bodies,
            &mut self.sums,
            rows.clone(),
            &self.space.neighbours.needed,
            &mover,
        );
        // What contacts ask of these bodies beyond what was just moved.
        let bodies = &self.space.bodies;
        let [from, to] = [rows.start, rows.end].map(|row| bodies.first_sphere[row] as usize);
        prefetch(&bodies.owner[from..to]);
        prefetch(&bodies.material[rows]);
        self.progress.longest = integrate::longer(self.progress.longest, displacement);
        *moved = end;
        self.times.move_bodies += begin.elapsed();
    }
}
