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
use crate::report::Stopwatch;

impl Engine {
    /// Moves all bodies to tₙ₊₁ and evaluates their contacts there, which are all of one group.
    pub(crate) fn move_and_touch(&mut self, group: usize) -> Result<(), Stop> {
        let mut watch = Stopwatch::start();
        let mut moved = 0;
        self.progress.longest = 0.0;
        let mut done = 0;
        while let Some(segment) = self.contacts[group].between.get(done) {
            let rows = segment.rows;
            Segment::prefetch_first(&self.contacts[group].between[done + 1..]);
            self.move_up_to(rows, &mut moved, &mut watch);
            if !self.space.neighbours.stay_valid_after(self.progress.longest) {
                break;
            }
            // The longest displacement so far will do: neither body of a pair is among those that have yet to move.
            let (space, physics) = (&self.space, self.rules.physics(group, &self.progress));
            let segment = &mut self.contacts[group].between[done];
            segment.find_and_react(space, physics, Some(&mut SumRows::all(&mut self.sums)), &mut watch);
            done += 1;
        }
        self.move_up_to(self.space.bodies.len(), &mut moved, &mut watch);
        self.note_displacement(self.progress.longest)?;
        if !self.space.neighbours.stay_valid_after(0.0) {
            // Somebody moved much farther than in the step before.
            return self.catch_up(group, done);
        }
        let physics = self.rules.physics(group, &self.progress);
        let mut sums = SumRows::all(&mut self.sums);
        self.contacts[group].evaluate_walls(&self.space, physics, &mut sums, &mut watch);
        self.check_overlaps()
    }

    /// Moves whole tiles, up to this row or a little farther.
    fn move_up_to(&mut self, row: usize, moved: &mut usize, watch: &mut Stopwatch) {
        if row <= *moved {
            return;
        }
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
        watch.lap(&mut self.times.move_bodies);
    }
}
