//! What to do when a body moved farther in a step than the neighbour lists allow for.
//!
//! Lists are built again for a step that they may not last, as far as one can tell from the step before. A body
//! that is hit so hard that it moves more than twice as far can still leave them behind. Its contacts that the
//! lists do not know are then evaluated after all others; those others have been evaluated already.

use crate::contact::{Loose, Share};
use crate::engine::Engine;
use crate::error::Stop;

impl Engine {
    /// Builds the lists for the present positions, and evaluates the contacts that the old ones missed.
    pub(crate) fn catch_up(&mut self) -> Result<(), Stop> {
        self.update_neighbours(true)?;
        let known = core::mem::take(&mut self.contacts);
        let (mut missed, _) = self.settle(&Loose::default());
        let mut acting = core::mem::take(&mut self.bodies.acting);
        let mut books = core::mem::take(&mut self.bodies.books);
        let mut share = Share::all(&mut acting, &mut books);
        missed.evaluate_all_but(&known, self.scene(), self.physics(), &mut share);
        self.bodies.acting = acting;
        self.bodies.books = books;
        let mut all = known.loosened(self.scene(), self.physics(), true);
        all.append(missed.loosened(self.scene(), self.physics(), true));
        self.contacts = missed;
        self.check_overlaps()?;
        (self.contacts, _) = self.settle(&all);
        Ok(())
    }
}
