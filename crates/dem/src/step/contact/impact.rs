//! Contacts of the same two bodies, and the masses behind them: see [`together`](crate::physics::together).
//!
//! Most are two or three. Groups of the same number stand side by side, one in each lane, and their masses are computed for
//! all lanes at once. Larger ones follow one after the other.

use super::block::{Block, WORKBENCH};
use super::lanes::{LANES, Lane, Lanes, row, set_row};
use super::narrow::{Found, NarrowPhase, Touches};
use super::segment::Segment;
use super::{Key, Physics};
use crate::engine::Space;
use crate::law::ContactLaw;
use crate::physics::contact::Side;
use crate::physics::together::{PART, Part, masses};
use crate::record::Record;
use crate::rows_by_id::index32;
use core::marker::PhantomData;
use core::ops::Range;
use tumble_rotation::batch::Kernel;

/// Contacts of the largest groups that are computed in lanes: two rods of three spheres that lie side by side have up to five,
/// but seldom more than three.
pub(super) const TOGETHER_IN_LANES: usize = 4;

/// What contacts that are not alone between their two bodies have to know, in blocks of lanes; empty if all are alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Together {
    /// The mass behind each, kg; 0 if it is that of its own point.
    pub(super) masses: Vec<Lanes>,
    /// One over the number of them.
    pub(super) parts: Vec<Lanes>,
}

impl Together {
    fn clear(&mut self) {
        self.masses.clear();
        self.parts.clear();
    }

    /// So many contacts, all of them alone.
    fn all_alone(&mut self, contacts: usize) {
        self.clear();
        self.masses.resize(contacts.div_ceil(LANES), Lanes::all(0.0));
        self.parts.resize(contacts.div_ceil(LANES), Lanes::all(1.0));
    }

    #[inline(always)]
    fn set(&mut self, index: usize, mass: f64, part: f64) {
        self.masses[index / LANES][index % LANES] = mass;
        self.parts[index / LANES][index % LANES] = part;
    }

    /// Keeps what is marked.
    pub(super) fn retain(&mut self, kept: &[bool]) {
        if self.masses.is_empty() {
            return;
        }
        let before = core::mem::take(self);
        let kept: Vec<usize> = (0..kept.len()).filter(|&index| kept[index]).collect();
        self.all_alone(kept.len());
        for (to, from) in kept.into_iter().enumerate() {
            let (block, lane) = (from / LANES, from % LANES);
            self.set(to, before.masses[block][lane], before.parts[block][lane]);
        }
    }
}

/// The contacts of a segment that are not alone between their two bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Whether they are those of the contacts found last.
    known: bool,
    /// Where groups of two contacts begin, of three, and so on.
    in_lanes: [Vec<u32>; TOGETHER_IN_LANES - 1],
    /// Larger ones.
    others: Vec<Range<u32>>,
}

impl Groups {
    fn find(&mut self, contacts: usize, who: impl Fn(usize) -> [u32; 2]) {
        self.known = true;
        self.in_lanes.iter_mut().for_each(Vec::clear);
        self.others.clear();
        let mut start = 0;
        while start < contacts {
            let bodies = who(start);
            let end = (start + 1..contacts).find(|&index| who(index) != bodies).unwrap_or(contacts);
            // A segment is a short piece of the lists.
            let range = index32(start)..index32(end);
            match end - start {
                1 => {}
                number @ 2..=TOGETHER_IN_LANES => self.in_lanes[number - 2].push(range.start),
                _ => self.others.push(range),
            }
            start = end;
        }
    }

    fn is_empty(&self) -> bool {
        self.others.is_empty() && self.in_lanes.iter().all(Vec::is_empty)
    }

    /// Has them looked for anew when contacts are found next.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }
}

impl<N: NarrowPhase> Segment<N> {
    /// Finds the contacts that are not alone between their two bodies, and what those have to know.
    pub(super) fn find_together(&mut self, space: &Space, physics: Physics<'_>) {
        if !physics.remembers() {
            self.groups = Groups::default();
            self.together.clear();
            return;
        }
        if !self.groups.known || !self.same {
            let found = &self.found;
            self.groups.find(found.len(), |index| N::rows(&found[index], space));
            if self.groups.is_empty() {
                self.together.clear();
            } else {
                self.together.all_alone(self.found.len());
            }
        }
        if self.groups.is_empty() {
            return;
        }
        let Self { found, same, groups, weights, together, kept, .. } = self;
        let contacts = Contacts::<'_, N> { found, keys: same.then(|| kept.keys()), weights };
        WORKBENCH.with_borrow_mut(|bench| {
            let in_lanes = groups.in_lanes.iter().zip(2..).filter(|(starts, _)| !starts.is_empty());
            for (starts, number) in in_lanes {
                let lanes = &mut bench.side_by_side[..number];
                lanes[0].clear(space, physics);
                for starts in starts.chunks(LANES) {
                    contacts.gather(lanes, starts, space, physics);
                    let (mut masses, mut parts) = ([Lanes::all(0.0); TOGETHER_IN_LANES], Lanes::all(1.0));
                    let work = SideBySide { lanes, masses: &mut masses, parts: &mut parts, physics };
                    physics.model.masses_in_lanes(work);
                    for (lane, start) in starts.iter().enumerate() {
                        for (masses, index) in masses[..number].iter().zip(*start as usize..) {
                            together.set(index, masses[lane], parts[lane]);
                        }
                    }
                }
            }
            if !groups.others.is_empty() {
                let found: &dyn Touches = &Found::<'_, N> { touches: found, space };
                let (groups, parts) = (&groups.others, &mut bench.parts);
                physics.model.masses(OneByOne { found, groups, weights, together, parts, physics });
            }
        });
    }
}

/// The contacts of a segment, some of which are put into lanes.
struct Contacts<'a, N: NarrowPhase> {
    found: &'a [N::Touch],
    /// If they are known from the step before.
    keys: Option<&'a [Key]>,
    /// As in the segment.
    weights: &'a [f64],
}

impl<N: NarrowPhase> Contacts<'_, N> {
    /// Puts groups into lanes: the first contact of each into the first block, the second one into the second.
    fn gather(&self, lanes: &mut [Block], starts: &[u32], space: &Space, physics: Physics<'_>) {
        let (mut touches, mut keys) = (Vec::with_capacity(LANES), Vec::with_capacity(LANES));
        for (number, block) in lanes.iter_mut().enumerate() {
            touches.clear();
            keys.clear();
            for (lane, start) in starts.iter().enumerate().take(LANES) {
                let index = *start as usize + number;
                let touch = self.found[index];
                touches.push(touch);
                keys.push(self.keys.map_or_else(|| N::key(&touch, space), |keys| keys[index]));
                block.weight[lane] = self.weights.get(index).copied().unwrap_or(1.0);
            }
            if number == 0 {
                N::gather(block, &touches, &keys, space, physics);
            } else {
                N::gather_places(block, &touches, &keys, space, physics);
            }
            N::compute(block, physics.set);
        }
    }
}

/// Groups one after the other.
pub(crate) struct OneByOne<'a> {
    found: &'a dyn Touches,
    groups: &'a [Range<u32>],
    /// As in the segment.
    weights: &'a [f64],
    together: &'a mut Together,
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
            return range.for_each(|index| self.together.set(index, 0.0, 1.0));
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
        let mut found = vec![0.0; range.len()];
        masses([&a, &b], self.parts, &mut found);
        for (index, mass) in range.zip(found) {
            self.together.set(index, mass, part);
        }
    }
}

/// Whether anything asks for the mass behind a contact: a dashpot, or a resistance to turning.
fn masses_matter<L: ContactLaw>(constants: &L::Constants<f64>, physics: Physics<'_>) -> bool {
    L::dissipation(constants).damping > 0.0 || physics.turns()
}

/// Finds the masses behind groups of contacts in lanes.
pub(crate) struct SideBySide<'a> {
    /// A block for each contact of a group.
    lanes: &'a [Block],
    masses: &'a mut [Lanes; TOGETHER_IN_LANES],
    /// One over the number of contacts, where their masses matter.
    parts: &'a mut Lanes,
    physics: Physics<'a>,
}

impl SideBySide<'_> {
    pub(crate) fn run<L: ContactLaw>(self) {
        let Self { lanes, masses, parts, physics } = self;
        match lanes {
            [a, b] => physics.set.run(MassLoop::<L, 2> { lanes: [a, b], masses, law: PhantomData }),
            [a, b, c] => physics.set.run(MassLoop::<L, 3> { lanes: [a, b, c], masses, law: PhantomData }),
            [a, b, c, d] => {
                physics.set.run(MassLoop::<L, 4> { lanes: [a, b, c, d], masses, law: PhantomData });
            }
            _ => {}
        }
        for lane in 0..LANES {
            let constants = L::Constants::read(&Lane { columns: &lanes[0].constants, lane }, 0);
            if masses_matter::<L>(&constants, physics) {
                parts[lane] = 1.0 / lanes.len() as f64;
            } else {
                for masses in masses.iter_mut() {
                    masses[lane] = 0.0;
                }
            }
        }
    }
}

/// The loop: the masses behind the contacts of the group in each lane.
struct MassLoop<'a, L, const CONTACTS: usize> {
    lanes: [&'a Block; CONTACTS],
    masses: &'a mut [Lanes; TOGETHER_IN_LANES],
    law: PhantomData<L>,
}

impl<L: ContactLaw, const CONTACTS: usize> Kernel for MassLoop<'_, L, CONTACTS> {
    type Output = ();
    #[allow(
        clippy::needless_range_loop,
        reason = "loops over lanes are written with their index, as vectors see them"
    )]
    #[inline(always)]
    fn run(self) {
        let Self { lanes, masses: given_back, .. } = self;
        let constants = &lanes[0].constants[..<L::Constants<f64> as Record<f64>>::SIZE];
        let mut parts = [[Lanes::all(0.0); PART]; CONTACTS];
        for (block, parts) in lanes.into_iter().zip(&mut parts) {
            for k in 0..LANES {
                let given = block.given(k);
                let constants = L::Constants::read(&Lane { columns: constants, lane: k }, 0);
                let part = Part::new::<L>(&given.geometry, [&given.a, &given.b], &constants, given.weight);
                set_row(parts, k, part.to_array());
            }
        }
        // Apart from all that is read, and copied when it is done.
        let mut found = [Lanes::all(0.0); CONTACTS];
        for k in 0..LANES {
            let given = lanes[0].given(k);
            let mut own = [Part::from_array(row(&parts[0], k)); CONTACTS];
            for contact in 1..CONTACTS {
                own[contact] = Part::from_array(row(&parts[contact], k));
            }
            let mut masses_of_lane = [0.0; CONTACTS];
            masses([&given.a, &given.b], &own, &mut masses_of_lane);
            for contact in 0..CONTACTS {
                found[contact][k] = masses_of_lane[contact];
            }
        }
        given_back[..CONTACTS].copy_from_slice(&found);
    }
}
