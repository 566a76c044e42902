//! Bonds of bodies that are spread over ranks.
//!
//! A rank has the bonds of its own bodies, so both owners of two bonded bodies have their bonds, and find the same forces with the same
//! numbers. What is counted or lost is told by the owner of the body whose id is lower.

use super::{Bonds, Tie};
use crate::bodies::Bodies;

impl Bonds {
    /// What is told of bonds, without the bonds.
    pub(crate) fn books(&self) -> Self {
        Self {
            made: self.made,
            by_touch: self.by_touch,
            taken_out: self.taken_out,
            breakages: self.breakages.clone(),
            lost: self.lost,
            broken: self.broken,
            replaced: self.replaced,
            ..Self::default()
        }
    }

    /// What a rank tells of them whose own rows are the first ones.
    pub(crate) fn share(&self, own: usize) -> Self {
        let first = self.rows.iter().map(|rows| (rows[0] as usize) < own);
        let ties = self.ties.iter().zip(first).filter(|(_, told)| *told).map(|(tie, _)| *tie);
        Self { ties: ties.collect(), ..self.books() }
    }

    /// Takes what a rank told.
    pub(crate) fn merge(&mut self, share: Self) {
        self.made += share.made;
        self.by_touch += share.by_touch;
        self.taken_out += share.taken_out;
        self.lost.merge(&share.lost);
        self.broken.merge(&share.broken);
        self.replaced.merge(&share.replaced);
        self.breakages.extend(share.breakages);
        self.ties.extend(share.ties);
    }

    /// Puts what was merged into the order of one process: bonds of the same two bodies were told by one rank.
    pub(crate) fn sorted(mut self) -> Self {
        self.breakages.sort_by_key(|event| (event.step, event.bodies));
        let mut ties = core::mem::take(&mut self.ties);
        ties.sort_by_key(|tie| tie.bodies);
        self.replace(ties);
        self
    }

    /// Makes these the bonds, in the order of their bodies. What they do is not known yet.
    pub(crate) fn replace(&mut self, ties: Vec<Tie>) {
        let Self { ties, actions, .. } = Self::of(ties);
        (self.ties, self.actions) = (ties, actions);
    }

    /// The same with bonds of which two owners may have told; with each is the number of who did.
    pub(crate) fn replace_told(&mut self, mut told: Vec<(usize, Tie)>) {
        told.sort_by_key(|(from, tie)| (tie.bodies, *from));
        let mut last: Option<(usize, [u32; 2])> = None;
        // Whoever tells of two bodies tells of all their bonds.
        told.retain(|(from, tie)| {
            let teller = match last {
                Some((teller, bodies)) if bodies == tie.bodies => teller,
                _ => *from,
            };
            last = Some((teller, tie.bodies));
            teller == *from
        });
        self.replace(told.into_iter().map(|(_, tie)| tie).collect());
    }

    /// The ids of bodies at the other ends of the bonds of those that are here, and for whom this is not so.
    pub(crate) fn partners(&self, is_own: impl Fn(u32) -> bool) -> Vec<u32> {
        let ids = self.ties.iter().flat_map(|tie| tie.bodies);
        let mut others: Vec<u32> = ids.filter(|id| !is_own(*id)).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// Whether both bodies of each are here.
    pub(crate) fn are_complete(&self, bodies: &Bodies) -> bool {
        self.ties.iter().all(|tie| tie.bodies.into_iter().all(|id| bodies.by_id.row(id).is_some()))
    }
}

/// Whether what a bond loses is in the books of another rank.
pub(super) fn is_told_elsewhere(tie: &Tie, bodies: &Bodies) -> bool {
    bodies.by_id.row(tie.bodies[0]).is_some_and(|row| bodies.ghost[row])
}
