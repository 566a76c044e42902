//! Which pairs of a segment touch now, and what follows from who they are.

use super::narrow::{NarrowPhase, has};
use super::segment::Segment;
use super::{Key, Physics};
use super::{Sharing, SumRows};
use crate::engine::Space;
use crate::report::Stopwatch;

impl<N: NarrowPhase> Segment<N> {
    /// Finds the contacts that there are now, and evaluates their law as [`react`](Self::react) does.
    pub(crate) fn find_and_react(
        &mut self,
        space: &Space,
        physics: Physics<'_>,
        sums: Option<&mut SumRows<'_>>,
        watch: &mut Stopwatch,
    ) {
        self.search(space, physics);
        watch.lap(&mut self.times.finding);
        self.react(space, physics, sums);
        watch.lap(&mut self.times.reacting);
    }

    /// Finds the contacts that are not among these.
    pub(crate) fn find_all_but(&mut self, keys: &[Key], space: &Space, physics: Physics<'_>) {
        // Those that are left out still act together with the others.
        self.search(space, physics);
        let kept: Vec<bool> = self.found.iter().map(|touch| !has(keys, N::place(touch))).collect();
        retain(&mut self.found, &kept);
        retain(&mut self.weights, &kept);
        self.together.retain(&kept);
        self.groups.forget();
        self.compare();
    }

    fn search(&mut self, space: &Space, physics: Physics<'_>) {
        let Self { range, kept, room, found, .. } = self;
        N::find(range.clone(), space, physics, kept, room, found);
        self.compare();
        if physics.sharing == Sharing::Average {
            self.weights = equal_weights(&self.found, |touch| N::rows(touch, space));
        }
        self.find_together(space, physics);
    }
}

/// Whether the two pieces of the touch at `index` touch with this feature as well.
pub(super) fn touches_feature<N: NarrowPhase>(found: &[N::Touch], index: usize, feature: u32) -> bool {
    let [place, _] = N::place(&found[index]);
    let here = |other: &&N::Touch| N::place(other)[0] == place;
    let before = found[..index].iter().rev().take_while(here);
    let after = found[index..].iter().take_while(here);
    before.chain(after).any(|other| N::place(other)[1] == feature)
}

/// Keeps what is marked.
fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().copied().unwrap_or(false));
}

/// One over the number of contacts between the same two bodies. Contacts of a body with one wall need not
/// follow each other, but those of one body do.
fn equal_weights<T>(contacts: &[T], who: impl Fn(&T) -> [u32; 2]) -> Vec<f64> {
    let mut weights = vec![1.0; contacts.len()];
    let mut start = 0;
    while start < contacts.len() {
        let first = who(&contacts[start])[0];
        let end =
            contacts[start..].iter().position(|c| who(c)[0] != first).map_or(contacts.len(), |n| start + n);
        for index in start..end {
            let same = contacts[start..end].iter().filter(|c| who(c) == who(&contacts[index])).count();
            weights[index] = 1.0 / same as f64;
        }
        start = end;
    }
    weights
}
