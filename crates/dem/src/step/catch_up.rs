//! What to do when a body moves farther in a step than the neighbour lists allow for.
//!
//! Lists are built again for a step that they may not last, as far as one can tell from the step before. A body
//! that is hit so hard that it moves more than twice as far can still leave them behind. One thread notices that when some
//! contacts have been evaluated: those of pairs whose later body comes before all that had yet to move, which the lists
//! did know. The others follow in new lists, and so each sum has the order that it always has.

use crate::contact::{Ended, SumRows};
use crate::engine::Engine;
use crate::error::Stop;
use std::time::Instant;

impl Engine {
    /// Builds the lists for the present positions, and evaluates what comes after the first `done` segments of the old
    /// ones of a group, the only one with contacts.
    pub(crate) fn catch_up(&mut self, group: usize, done: usize) -> Result<(), Stop> {
        self.check_overlaps()?;
        let begin = Instant::now();
        let first_rank = self.contacts[group].first_rank_after(done, &self.space);
        if self.has_heat() {
            let known = self.contacts[group].between[..done].iter().flat_map(|segment| &segment.ended);
            let known: Vec<Ended> = known.copied().collect();
            self.note_parted(known.iter());
        }
        let mut detached = self.detached(false);
        detached[group] = self.contacts[group].detached_amid(done, &self.space, self.physics(group));
        self.build_neighbours(detached.clone())?;
        let cut = self.space.neighbours.parts[group].first_pair[first_rank] as usize;
        (self.contacts, _) = self.attach_apart(detached, cut);
        self.times.update_neighbours += begin.elapsed();
        self.times.builds += 1;
        let physics = self.rules.physics(group, &self.progress);
        self.contacts[group].evaluate_from(cut, &self.space, physics, &mut SumRows::all(&mut self.sums));
        self.check_escaped()?;
        self.check_overlaps()
    }
}
