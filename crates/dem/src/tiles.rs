//! A step on one thread, tile by tile: some rows move, then the contacts of a segment are found, evaluated and
//! added to their bodies, which are still in the cache.
//!
//! The pairs are in the order of their later row, so that a segment needs no rows beyond those that have moved by
//! then. Every contact sees what it would see if all bodies had moved first, and sums are in the same order:
//! the results are those of several threads, which move all bodies before they look at any contact.

use crate::ahead::fetch;
use crate::columns::ROWS;
use crate::contact::{Segment, Share};
use crate::engine::Engine;
use crate::error::Stop;
use crate::integrate;
use std::time::Instant;

impl Engine {
    /// Moves all bodies to tₙ₊₁ and evaluates their contacts there.
    pub(crate) fn move_and_touch(&mut self) -> Result<(), Stop> {
        // Taken out, so that the rest of the engine can be looked at while they change.
        let mut contacts = core::mem::take(&mut self.contacts);
        let mut books = core::mem::take(&mut self.bodies.books);
        let mut moved = 0;
        self.longest = 0.0;
        let mut done = 0;
        while let Some((segment, later)) = contacts.between[done..].split_first_mut() {
            Segment::fetch_first(later);
            self.move_up_to(segment.rows, &mut moved);
            if !self.neighbours.last(self.longest) {
                break;
            }
            let mut acting = core::mem::take(&mut self.bodies.acting);
            // The longest way so far will do: neither body of a pair is among those that have yet to move.
            let (scene, physics) = (self.scene(), self.physics());
            segment.find_between(scene, physics);
            let mut share = Share::all(&mut acting, &mut books);
            segment.react(scene, physics, false, Some(&mut share));
            self.bodies.acting = acting;
            done += 1;
        }
        self.move_up_to(self.bodies.len(), &mut moved);
        if !self.neighbours.last(self.longest) {
            // Somebody moved much farther than in the step before.
            self.bodies.books = books;
            self.contacts = contacts;
            self.note_way(self.longest)?;
            return self.catch_up(done);
        }
        let mut acting = core::mem::take(&mut self.bodies.acting);
        let mut share = Share::all(&mut acting, &mut books);
        contacts.evaluate_walls(self.scene(), self.physics(), &mut share);
        self.bodies.acting = acting;
        self.bodies.books = books;
        self.contacts = contacts;
        self.note_way(self.longest)?;
        self.check_overlaps()
    }

    /// Moves whole tiles, up to this row or a little farther.
    fn move_up_to(&mut self, row: usize, moved: &mut usize) {
        if row <= *moved {
            return;
        }
        let begin = Instant::now();
        let end = row.next_multiple_of(ROWS).min(self.bodies.len());
        let motion = self.motion();
        let rows = *moved..end;
        let way = integrate::advance_rows(&mut self.bodies, rows.clone(), &self.neighbours.needed, &motion);
        // What contacts ask of these bodies beyond what was just moved.
        let bodies = &self.bodies;
        let [from, to] = [rows.start, rows.end].map(|row| bodies.first_sphere[row] as usize);
        fetch(&bodies.owner[from..to]);
        fetch(&bodies.material[rows]);
        self.longest = integrate::longer(self.longest, way);
        *moved = end;
        self.times.move_bodies += begin.elapsed();
    }
}
