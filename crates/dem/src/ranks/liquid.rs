//! Liquid on ranks: a bridge between two bodies with different owners is filled by both, each of which tells the other what its own body gives.
//!
//! Both see the bridge begin in the same step, and all bridges of a body that begin with it are on its owner's rank; so each knows what its
//! body gives, and both know who has to tell whom, in the order of names.

use super::link::{Halt, of_bytes, to_bytes};
use super::part::Part;
use crate::step::sides;
use std::collections::BTreeMap;

impl Part {
    /// Brings films and bridges to the contacts that there are now.
    pub(super) fn settle_liquid(&mut self) -> Result<(), Halt> {
        if !self.engine.has_liquid() {
            return Ok(());
        }
        // Where one has to look, all look, as one process does: a bridge may end and begin anew within a step.
        let mut changed = [u64::from(!self.engine.bridges_are_the_same())];
        self.link.maxima(&mut changed)?;
        if changed[0] == 0 {
            return Ok(());
        }
        let begun = self.engine.match_bridges();
        let mut gifts = self.engine.gifts(&begun);
        let mut across: BTreeMap<usize, Vec<[usize; 2]>> = BTreeMap::new();
        for (index, contact) in begun.iter().enumerate() {
            for (side, id) in sides(&contact.name).enumerate() {
                let row = self.engine.space.bodies.by_id.row(id).and_then(|row| row.checked_sub(self.own));
                if let Some(home) = row.and_then(|ghost| self.home_of_ghost(ghost)) {
                    across.entry(home).or_default().push([index, side]);
                }
            }
        }
        if across.is_empty() {
            self.engine.fill(&begun, &gifts);
            return Ok(());
        }
        let given = |all: &Vec<[usize; 2]>| to_bytes(all.iter().map(|[index, side]| gifts[*index][1 - side]));
        let messages = across.iter().map(|(rank, all)| (*rank, given(all))).collect();
        let ranks: Vec<usize> = across.keys().copied().collect();
        let received = self.link.exchange(messages, &ranks)?;
        for (all, message) in across.values().zip(&received) {
            for ([index, side], gift) in all.iter().zip(of_bytes(message)) {
                gifts[*index][*side] = gift;
            }
        }
        self.engine.fill(&begun, &gifts);
        Ok(())
    }
}
