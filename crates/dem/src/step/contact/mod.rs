//! Contacts: found among the pairs of the neighbour lists, given to the contact law, summed on the bodies.
//!
//! Only contacts that exist are stored, in the order of the lists. What a contact remembers is carried from
//! one step to the next by merging the old contacts with the new ones, both in that order.

mod accounts;
mod block;
mod carry;
mod detached;
mod find;
mod group;
mod impact;
mod kept;
mod lanes;
mod liquid;
mod narrow;
mod notes;
mod react;
mod segment;
mod single;
mod sum;
mod table;

use crate::physics::kicks::Kicks;
pub(crate) use accounts::{Accounts, Postings};
pub(crate) use detached::{Detached, Name, Widths};
pub(crate) use group::{Group, Groups};
pub(crate) use impact::{OneByOne, SideBySide};
pub(crate) use kept::Kept;
pub(crate) use lanes::Lane;
pub(crate) use liquid::{BridgePlace, PENDING};
use narrow::{NarrowPhase, OnWalls, Spheres, piece_shift};
pub(crate) use narrow::{features, overlap, radius_and_overlap, smaller_radius, touching_spheres};
use notes::{Notes, part_ends, parts, rows_of};
pub(crate) use react::EvaluateLaw;
pub(crate) use segment::{Segment, Times};
use sum::LateList;
pub(crate) use sum::{Ended, SumRows, WallLoad, couple, load_walls, sum_on_walls, wall_power};
use table::Table;

use crate::calibration::Thresholds;
use crate::engine::Space;
use crate::law::{ContactModel, EnergyPower, ErasedModel, Layout};
use crate::material::{MaterialError, MaterialId, Materials};
use crate::parallel::Threads;
use crate::precision::Precision;
use crate::report::Stopwatch;
use std::borrow::Cow;
use tumble_rotation::batch::InstructionSet;

/// Which two things touch, and where in the lists they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Key {
    /// Index in `Neighbours::pairs` or `Neighbours::wall_pairs`.
    pub(crate) place: u32,
    /// Which of several contacts of the same two pieces: see [`NarrowPhase::place`].
    pub(crate) feature: u32,
    /// The row of the body with the lower id, or of the only one.
    pub(crate) a: u32,
    /// The row of the other body, or the wall.
    pub(crate) b: u32,
}

impl ContactModel {
    /// Whether contacts carry anything from step to step, which takes velocities of the instant of the force.
    pub(crate) fn remembers(self) -> bool {
        self.uses_velocity() || self.has_history() || self.law.range().is_beyond_touch()
    }

    /// Whether there is rolling or twisting resistance.
    pub(crate) fn resists_turning(self) -> bool {
        let [rolling, twisting] = [self.rolling.has_history(), self.twisting.has_history()];
        rolling || twisting || self.rolling.info().uses_velocity || self.twisting.info().uses_velocity
    }
}

/// How the forces of several contacts between the same two bodies make up one force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sharing {
    /// They add up.
    #[default]
    Sum,
    /// Their mean acts: each is divided by the number of contacts between the two bodies (multi-sphere slides,
    /// f = Σf/NCP). The force jumps when that number changes, so energy is not conserved.
    Average,
}

/// What is needed to evaluate contacts.
#[derive(Clone, Copy)]
pub(crate) struct Physics<'a> {
    pub(crate) model: &'static dyn ErasedModel,
    /// How the energy of its normal springs grows with the overlap.
    pub(crate) power: EnergyPower,
    /// How many numbers its contacts have.
    pub(crate) layout: Layout,
    pub(crate) sharing: Sharing,
    /// Constants of each pair of materials: row a, column b.
    pub(crate) pairs: &'a PairTable,
    pub(crate) dt: f64,
    /// How much time has gone by since the last evaluation, and how long a contact that has just been found can have
    /// lasted: the step, but nothing at the start and after a change by hand.
    pub(crate) elapsed: f64,
    pub(crate) kicks: Kicks,
    pub(crate) set: InstructionSet,
    pub(crate) precision: Precision,
    pub(crate) thresholds: Thresholds,
    /// Whether anybody may ask, after this step, what its contacts did.
    pub(crate) observed: bool,
    /// Whether the step itself asks for that, when all of them are known.
    pub(crate) asked: bool,
    /// The longest displacement of any sphere in the last step, m.
    pub(crate) longest: f64,
    /// Overlap above this fraction of the smaller radius is an error.
    pub(crate) max_overlap: f64,
}

impl Physics<'_> {
    /// Whether contacts carry anything from step to step.
    pub(crate) fn remembers(&self) -> bool {
        self.layout.memory > 0
    }

    pub(crate) fn turns(&self) -> bool {
        self.layout.turns
    }

    /// How many numbers of contacts are kept: what they remember, and perhaps what they do.
    pub(crate) fn widths(&self, deed: bool) -> Widths {
        Widths { memory: self.layout.memory, deed: if deed { self.layout.deed() } else { 0 } }
    }
}

/// What a contact model knows of each pair of materials.
#[derive(Clone, Debug)]
pub(crate) struct PairTable {
    pub(crate) materials: usize,
    /// Numbers of a pair.
    width: usize,
    /// The constants of one pair after the other; NaN where the two cannot meet.
    constants: Vec<f64>,
    model: &'static dyn ErasedModel,
    /// Whether its contacts exist without overlap.
    pub(crate) beyond_touch: bool,
    /// Where the energies of contacts go.
    pub(crate) postings: Postings,
}

impl PairTable {
    /// The constants of the pair with this number: row a, column b.
    #[inline(always)]
    pub(crate) fn row(&self, index: usize) -> &[f64] {
        &self.constants[index * self.width..(index + 1) * self.width]
    }

    /// The constants of two materials.
    pub(crate) fn of(&self, a: u16, b: u16) -> &[f64] {
        self.row(usize::from(a) * self.materials + usize::from(b))
    }

    /// How far beyond touch contacts of two materials and of this effective radius act, m.
    pub(crate) fn range_of(&self, a: u16, b: u16, radius: f64) -> f64 {
        if self.beyond_touch { self.model.range_of(self.of(a, b), radius) } else { 0.0 }
    }

    /// How far a contact of two materials acts that remembers this, m.
    pub(crate) fn range_of_contact(&self, a: u16, b: u16, radius: f64, memory: &[f64]) -> f64 {
        self.model.range_of_contact(self.of(a, b), memory, radius)
    }

    /// The largest volume of a bridge that films of two materials fill, m³.
    pub(crate) fn largest_bridge(&self, a: u16, b: u16) -> f64 {
        self.model.largest_bridge(self.of(a, b))
    }

    /// The ranges of the pairs that can meet, with this effective radius.
    pub(crate) fn ranges(&self, radius: f64) -> impl Iterator<Item = f64> {
        let pairs = if self.beyond_touch { self.materials * self.materials } else { 0 };
        let met = |index: &usize| self.row(*index).iter().all(|constant| !constant.is_nan());
        (0..pairs).filter(met).map(move |index| self.model.range_of(self.row(index), radius))
    }

    /// The constants of the pairs that can meet. All others may have none, and are left NaN.
    pub(crate) fn new(
        materials: &Materials,
        model: ContactModel,
        meet: impl Fn(usize, usize) -> bool,
        accounts: &Accounts,
    ) -> Result<Self, MaterialError> {
        let count = materials.as_slice().len();
        let model = model.erased_or_of_law();
        let layout = model.layout();
        let mut constants = Vec::new();
        for (a, i) in (0..u16::MAX).zip(0..count) {
            for (b, j) in (0..u16::MAX).zip(0..count) {
                let own = if meet(i, j) {
                    model.constants(materials, MaterialId(a), MaterialId(b))?
                } else {
                    vec![f64::NAN; layout.constants]
                };
                constants.extend(own);
            }
        }
        Ok(Self {
            materials: count,
            width: layout.constants,
            constants,
            model,
            beyond_touch: model.range().is_beyond_touch(),
            postings: accounts.postings(&layout),
        })
    }
}

/// A contact whose overlap is too large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Excess {
    pub(crate) key: Key,
    pub(crate) with_wall: bool,
    pub(crate) overlap: f64,
    pub(crate) radius: f64,
    pub(crate) point: [f64; 3],
}

/// All contacts of a group: between bodies, then with walls; each in pieces for the threads. `B` is the kind of pairs of bodies.
#[derive(Debug)]
pub(crate) struct Contacts<B: NarrowPhase = Spheres> {
    pub(crate) between: Vec<Segment<B>>,
    pub(crate) with_walls: Vec<Segment<OnWalls>>,
    /// Room for what threads note for each other: by the part of the rows that notes it, and by the part it is for.
    pub(super) late: Vec<Vec<LateList>>,
    /// How many contacts were added after all others, in the last step.
    pub(crate) added_last: usize,
}

/// A piece of the evaluation of contacts.
enum Work<'a, B: NarrowPhase> {
    /// Pairs of bodies, with their later rows.
    Between(&'a mut [Segment<B>], SumRows<'a>),
    WithWall(&'a mut Segment<OnWalls>),
}

impl<B: NarrowPhase> Contacts<B> {
    /// Finds the contacts, evaluates their law, and adds what they do to their bodies, in the order of the
    /// contacts.
    pub(crate) fn evaluate(
        &mut self,
        space: &Space,
        physics: Physics<'_>,
        threads: &Threads,
        mut sums: SumRows<'_>,
    ) {
        if threads.count() == 1 {
            // One thread adds the contacts of a block while they are in the cache.
            let mut watch = Stopwatch::start();
            for segment in &mut self.between {
                segment.find_and_react(space, physics, Some(&mut sums), &mut watch);
            }
            self.evaluate_walls(space, physics, &mut sums, &mut watch);
            return;
        }
        if !space.neighbours.order.is_that_of_rows() {
            return self.evaluate_scattered(space, physics, threads, sums);
        }
        let Self { between, with_walls, late, .. } = self;
        let each = between.len().div_ceil(threads.pieces()).max(1);
        let ends = part_ends(between, each, sums.len());
        // Every part keeps a list for the rows of several parts.
        let together = physics.thresholds.parts_per_list.max(1);
        let noted_for: Vec<u32> = ends.chunks(together).filter_map(|ends| ends.last().copied()).collect();
        let parts: Vec<Work<'_, B>> = parts(between, each, &ends, (late, &noted_for), &mut sums);
        let mut work = in_turn(parts, with_walls.iter_mut().map(Work::WithWall));
        // All of it at once: to wake the other threads takes as long as a hundred contacts.
        threads.for_each(&mut work, |work| {
            let mut watch = Stopwatch::start();
            match work {
                Work::Between(segments, sums) => {
                    sums.late.iter_mut().for_each(Notes::clear);
                    for segment in segments.iter_mut() {
                        segment.find_and_react(space, physics, Some(sums), &mut watch);
                    }
                }
                Work::WithWall(segment) => segment.find_and_react(space, physics, None, &mut watch),
            }
        });
        let noted = |work: &Work<'_, B>| match work {
            Work::Between(_, SumRows { late: Some(notes), .. }) => notes.len(),
            _ => 0,
        };
        let noted = work.iter().map(noted).sum::<usize>();
        let with_walls = self.with_walls.iter().map(|segment| segment.keys().len());
        self.added_last = noted + with_walls.sum::<usize>();
        let add = |(part, sums): &mut (usize, SumRows<'_>)| {
            // Only later rows note anything for these.
            for late in self.late.iter().skip(*part * together) {
                sums.add_late(&late[*part], physics);
            }
            for segment in &self.with_walls {
                if sums.may_touch(segment) {
                    sums.add_all(segment, space, physics);
                }
            }
        };
        let mut rows: Vec<(usize, SumRows<'_>)> = rows_of(&noted_for, &mut sums).enumerate().collect();
        if self.added_last < physics.thresholds.contacts_to_share {
            rows.iter_mut().for_each(add);
        } else {
            threads.for_each(&mut rows, add);
        }
    }

    /// As [`evaluate`](Self::evaluate), on one thread, and only contacts with walls.
    pub(crate) fn evaluate_walls(
        &mut self,
        space: &Space,
        physics: Physics<'_>,
        sums: &mut SumRows<'_>,
        watch: &mut Stopwatch,
    ) {
        for segment in &mut self.with_walls {
            segment.find_and_react(space, physics, Some(sums), watch);
        }
    }

    /// Evaluates, on one thread, the contacts that are not among those of `known`, which are of the same lists.
    pub(crate) fn evaluate_all_but(
        &mut self,
        known: &Self,
        space: &Space,
        physics: Physics<'_>,
        sums: &mut SumRows<'_>,
    ) {
        for (segment, known) in self.between.iter_mut().zip(&known.between) {
            segment.find_all_but(known.keys(), space, physics);
            segment.react(space, physics, Some(sums));
        }
        for (segment, known) in self.with_walls.iter_mut().zip(&known.with_walls) {
            segment.find_all_but(known.keys(), space, physics);
            segment.react(space, physics, Some(sums));
        }
    }

    /// The contacts of all segments with their outcomes: those between bodies, then those with walls.
    pub(crate) fn with_outcomes<'a>(
        &'a self,
        space: &'a Space,
        physics: Physics<'a>,
    ) -> impl Iterator<Item = (Cow<'a, Kept>, bool)> {
        let between = self.between.iter().map(move |segment| (segment.with_outcomes(space, physics), false));
        between.chain(self.with_walls.iter().map(|segment| (Cow::Borrowed(&segment.kept), true)))
    }

    /// The contacts of all segments, and whether they are with walls.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&Kept, bool)> {
        let between = self.between.iter().map(|segment| (&segment.kept, false));
        between.chain(self.with_walls.iter().map(|segment| (&segment.kept, true)))
    }

    /// The first contact, in order, whose overlap is too large.
    pub(crate) fn excess(&self) -> Option<Excess> {
        let between = self.between.iter().find_map(|segment| segment.excess);
        between.or_else(|| self.with_walls.iter().find_map(|segment| segment.excess))
    }

    pub(crate) fn len(&self) -> usize {
        self.kept().map(|(kept, _)| kept.keys().len()).sum()
    }

    /// How long finding and evaluating took.
    pub(crate) fn times(&self) -> Times {
        let mut sum = Times::default();
        self.between.iter().for_each(|segment| sum.add(segment.times));
        self.with_walls.iter().for_each(|segment| sum.add(segment.times));
        sum
    }

    pub(crate) fn reset_times(&mut self) {
        self.between.iter_mut().for_each(|segment| segment.times = Times::default());
        self.with_walls.iter_mut().for_each(|segment| segment.times = Times::default());
    }
}

/// Both lists in turn, each evenly and in its order: who works on some rows gets what those do with walls.
fn in_turn<T>(first: Vec<T>, second: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let (parts, others) = (first.len(), second.len());
    let mut second = second.fuse();
    let mut both = Vec::with_capacity(parts + others);
    for (number, part) in (1..).zip(first) {
        both.push(part);
        let so_far = both.len() - number;
        both.extend(second.by_ref().take(others * number / parts - so_far));
    }
    both.extend(second);
    both
}

/// How far the image of the second sphere of a pair that is near the first lies from the sphere itself.
#[inline(always)]
pub(crate) fn image_shift(space: &Space, place: usize) -> [f64; 3] {
    if !space.periods.any {
        return [0.0; 3];
    }
    let pair = space.neighbours.pairs.spheres[place];
    if space.bodies.has_pieces() {
        return piece_shift(space, pair);
    }
    let [a, b] = pair.map(|sphere| &space.bodies.spheres[sphere as usize]);
    space.periods.shift(a, b)
}
