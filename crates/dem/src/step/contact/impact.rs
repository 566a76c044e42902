//! Contacts of the same two bodies, and the masses behind them: see [`together`](crate::physics::together).
//!
//! Most are two that stand in one block of lanes, one after the other: those masses are computed for a whole block at
//! once. The others, and those of walls, one group after the other.

use super::Physics;
use super::block::{Block, WORKBENCH};
use super::lanes::{LANES, Lane, Lanes, row, set_row};
use super::narrow::{Found, NarrowPhase, Touches};
use super::segment::Segment;
use crate::engine::Space;
use crate::law::ContactLaw;
use crate::physics::contact::Side;
use crate::physics::together::{PART, Part, masses, masses_of_two};
use crate::record::Record;
use crate::rows_by_id::index32;
use core::marker::PhantomData;
use core::ops::Range;
use tumble_rotation::batch::Kernel;

/// What a contact that is not alone between its two bodies has to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Together {
    /// The mass behind it, kg; 0 if it is that of its own point.
    pub(super) mass: f64,
    /// One over the number of them.
    pub(super) part: f64,
}

impl Together {
    const ALONE: Self = Self { mass: 0.0, part: 1.0 };
}

/// The contacts of a segment that are not alone between their two bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Whether they are those of the contacts found last.
    known: bool,
    /// For each block of lanes, a bit for each lane that is the first of two with the next one.
    pub(super) pairs: Vec<u16>,
    /// All others.
    others: Vec<Range<u32>>,
}

impl Groups {
    fn find(&mut self, contacts: usize, in_lanes: bool, who: impl Fn(usize) -> [u32; 2]) {
        self.known = in_lanes;
        self.pairs.clear();
        self.pairs.resize(contacts.div_ceil(LANES), 0);
        self.others.clear();
        let mut start = 0;
        while start < contacts {
            let bodies = who(start);
            let end = (start + 1..contacts).find(|&index| who(index) != bodies).unwrap_or(contacts);
            let lane = start % LANES;
            if end - start == 2 && lane + 1 < LANES && in_lanes {
                self.pairs[start / LANES] |= 1 << lane;
            } else if end - start > 1 {
                // A segment is a short piece of the lists.
                self.others.push(index32(start)..index32(end));
            }
            start = end;
        }
    }
}

impl<N: NarrowPhase> Segment<N> {
    /// Finds the contacts that are not alone between their two bodies, and what those have to know that lanes will not
    /// find. Without `in_lanes` that is all of them.
    pub(super) fn find_together(&mut self, space: &Space, physics: Physics<'_>, in_lanes: bool) {
        self.together.clear();
        if !physics.remembers() {
            self.groups = Groups::default();
            return;
        }
        if !self.groups.known || !in_lanes || !self.unchanged() {
            let found = &self.found;
            self.groups.find(found.len(), in_lanes, |index| N::rows(&found[index], space));
        }
        if self.groups.others.is_empty() {
            return;
        }
        self.together.resize(self.found.len(), Together::ALONE);
        let Self { found, groups, weights, together, .. } = self;
        let found: &dyn Touches = &Found::<'_, N> { touches: found, space };
        WORKBENCH.with_borrow_mut(|bench| {
            let (groups, parts) = (&groups.others, &mut bench.parts);
            physics.model.masses(OneByOne { found, groups, weights, together, parts, physics });
        });
    }
}

/// Groups one after the other.
pub(crate) struct OneByOne<'a> {
    found: &'a dyn Touches,
    groups: &'a [Range<u32>],
    /// As in the segment.
    weights: &'a [f64],
    together: &'a mut [Together],
    parts: &'a mut Vec<Part<f64>>,
    physics: Physics<'a>,
}

impl OneByOne<'_> {
    pub(crate) fn run<L: ContactLaw>(mut self) {
        for Range { start, end } in self.groups {
            self.act_together::<L>(*start as usize..*end as usize);
        }
    }

    fn act_together<L: ContactLaw>(&mut self, range: Range<usize>) {
        let [a, b] = self.found.materials(range.start);
        let constants = L::Constants::read(self.physics.pairs.of(a, b), 0);
        if !masses_matter::<L>(&constants, self.physics) {
            return;
        }
        let [a, b] = self.found.sides(range.start);
        self.parts.clear();
        for index in range.clone() {
            let weight = self.weights.get(index).copied().unwrap_or(1.0);
            let geometry = self.found.geometry(index);
            // The nearest image may be another; a wall is where it is touched.
            let other = Side { position: self.found.position_b(index), ..b };
            self.parts.push(Part::new::<L>(&geometry, [&a, &other], &constants, weight));
        }
        let part = 1.0 / range.len() as f64;
        let mut together = self.together[range].iter_mut();
        masses([&a, &b], self.parts, |mass| {
            if let Some(together) = together.next() {
                *together = Together { mass, part };
            }
        });
    }
}

/// Whether anything asks for the mass behind a contact: a dashpot, or a resistance to turning.
fn masses_matter<L: ContactLaw>(constants: &L::Constants<f64>, physics: Physics<'_>) -> bool {
    L::dissipation(constants).damping > 0.0 || physics.turns()
}

/// Finds the masses behind contacts that are two in a block.
pub(crate) struct TwoByTwo<'a> {
    pub(super) block: &'a mut Block,
    /// As in [`Groups::pairs`].
    pub(super) pairs: u16,
    pub(super) physics: Physics<'a>,
}

impl TwoByTwo<'_> {
    pub(crate) fn run<L: ContactLaw>(self) {
        let Self { block, pairs, physics } = self;
        let mut found = [[0.0; LANES]; 2];
        physics.set.run(MassLoop::<L> { block, found: &mut found, law: PhantomData });
        for lane in (0..LANES - 1).filter(|lane| pairs >> lane & 1 == 1) {
            let constants = L::Constants::read(&Lane { columns: &block.constants, lane }, 0);
            if masses_matter::<L>(&constants, physics) {
                block.shared_mass[lane] = found[0][lane];
                block.shared_mass[lane + 1] = found[1][lane];
                block.part[lane] = 0.5;
                block.part[lane + 1] = 0.5;
            }
        }
    }
}

/// The loop: the masses behind the contact of each lane and that of the next one, as if they were of the same bodies.
struct MassLoop<'a, L> {
    block: &'a Block,
    found: &'a mut [Lanes; 2],
    law: PhantomData<L>,
}

impl<L: ContactLaw> Kernel for MassLoop<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { block, found: [first, second], .. } = self;
        let constants = &block.constants[..<L::Constants<f64> as Record<f64>>::SIZE];
        // One lane more, so that every one has a next.
        let mut parts = [[0.0; LANES + 1]; PART];
        for k in 0..LANES {
            let given = block.given(k);
            let constants = L::Constants::read(&Lane { columns: constants, lane: k }, 0);
            let part = Part::new::<L>(&given.geometry, [&given.a, &given.b], &constants, given.weight);
            set_row(&mut parts, k, part.to_array());
        }
        let part = |k: usize| Part::from_array(row(&parts, k));
        for k in 0..LANES {
            let given = block.given(k);
            [first[k], second[k]] = masses_of_two([&given.a, &given.b], &part(k), &part(k + 1));
        }
    }
}
