//! From contacts to bodies: forces, torques and books, added in the order of the contacts.
//!
//! The contacts that have a body as their later one come before those that have it as their earlier one, and both
//! follow the order of the bodies. Where rows lie in that order, a thread may add the contacts of its own later rows
//! at once, to its own rows; what they do to rows of others is [`Late`], and is added when all are done. A sum does
//! not depend on the number of threads.

use super::accounts::Posting;
use super::lanes::{LANES, Lane, Lanes};
use super::narrow::NarrowPhase;
use super::notes::Notes;
use super::{Contacts, Key, OnWalls, Physics, Segment};
use crate::bodies::{Book, BookRows, Sums, Wrench};
use crate::engine::Space;
use crate::law::Layout;
use crate::parallel::Threads;
use crate::physics::contact::Action;
use crate::physics::surface;
use crate::prefetch::prefetch_soon;
use crate::record::{Numbers, Record};
use crate::report::Stopwatch;
use crate::rows_by_id::index32;
use tumble_math::{ExactSum, LabVec};
use tumble_rotation::batch::{InstructionSet, Kernel};

/// What the bodies do to a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WallLoad {
    pub(crate) force: LabVec<f64>,
    /// About the origin of the lab.
    pub(crate) torque: LabVec<f64>,
    /// What the wall spends on moving the bodies, W.
    pub(crate) power: f64,
}

impl WallLoad {
    pub(crate) const ZERO: Self =
        Self { force: LabVec::new(0.0, 0.0, 0.0), torque: LabVec::new(0.0, 0.0, 0.0), power: 0.0 };

    /// Rounded once.
    pub(crate) fn of(sums: &WallSums) -> Self {
        let [fx, fy, fz, tx, ty, tz, power] = sums.map(|sum| sum.value());
        Self { force: LabVec::new(fx, fy, fz), torque: LabVec::new(tx, ty, tz), power }
    }
}

/// A contact that ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// Of its first body.
    pub(crate) row: u32,
    /// Of its second body, or the number of the wall.
    pub(crate) other: u32,
    pub(crate) with_wall: bool,
    /// What was left in its springs, J.
    pub(crate) energy: f64,
}

/// What contacts do to bodies whose sums are another thread's.
#[derive(Clone, Debug, Default)]
pub(crate) struct LateList {
    list: Vec<Late>,
    /// Losses of contacts, one contact after the other.
    lost: Vec<f64>,
}

/// What one contact does to such a body.
#[derive(Clone, Copy, Debug)]
struct Late {
    row: u32,
    load: Wrench,
    books: LateBooks,
}

/// What of a contact is in the books of such a body.
#[derive(Clone, Copy, Debug)]
enum LateBooks {
    /// Nothing.
    None,
    /// Losses, from here on in the list of them.
    Lost(usize),
    /// What was left in its springs when it ended, J.
    Ended(f64),
}

impl LateList {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.lost.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// Some of the rows that contacts are added to.
pub(crate) struct SumRows<'a> {
    /// The first of the rows.
    pub(crate) first: u32,
    pub(crate) acting: &'a mut [Wrench],
    pub(crate) books: BookRows<'a>,
    /// Where to note what contacts do to other rows; nowhere if others go through the same contacts.
    pub(crate) late: Option<Notes<'a>>,
}

impl<'a> SumRows<'a> {
    /// All rows.
    pub(crate) fn all(sums: &'a mut Sums) -> Self {
        Self { first: 0, acting: &mut sums.acting, books: sums.books.rows_mut(), late: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.acting.len()
    }

    pub(crate) fn split_at(self, row: usize) -> (Self, Self) {
        let (acting, acting2) = self.acting.split_at_mut(row);
        let (books, books2) = self.books.split_at(row);
        let first = self.first + index32(row);
        let left = Self { first: self.first, acting, books, late: None };
        (left, Self { first, acting: acting2, books: books2, late: None })
    }

    /// The place of a row among these, if it is one of them.
    #[inline(always)]
    fn slot(&self, row: u32) -> Option<usize> {
        let slot = row.wrapping_sub(self.first) as usize;
        (slot < self.acting.len()).then_some(slot)
    }

    /// Whether contacts with walls may concern these rows. They are in the order of the rows.
    pub(super) fn may_touch(&self, segment: &Segment<OnWalls>) -> bool {
        let (Some(first), Some(last)) = (segment.keys().first(), segment.keys().last()) else {
            return !segment.ended.is_empty();
        };
        let end = self.first as usize + self.len();
        (self.first <= last.a && (first.a as usize) < end) || !segment.ended.is_empty()
    }

    /// Adds what others noted, as far as it concerns these rows.
    pub(super) fn add_late(&mut self, late: &LateList, physics: Physics<'_>) {
        for Late { row, load, books } in &late.list {
            let Some(slot) = self.slot(*row) else { continue };
            let own = self.books.row_mut(slot);
            match books {
                LateBooks::None => {}
                LateBooks::Lost(at) => {
                    for (posting, lost) in physics.pairs.postings.lost.iter().zip(&late.lost[*at..]) {
                        own[posting.to] += lost;
                    }
                }
                LateBooks::Ended(energy) => {
                    own[physics.pairs.postings.ended] += energy;
                    continue;
                }
            }
            add(&mut self.acting[slot], load);
        }
    }

    /// Adds the contacts of a segment to the bodies of these rows.
    pub(super) fn add_all<N: NarrowPhase>(
        &mut self,
        segment: &Segment<N>,
        space: &Space,
        physics: Physics<'_>,
    ) {
        for (block, keys) in segment.keys().chunks(LANES).enumerate() {
            self.add(keys, segment.outcomes(block), space, physics, N::WITH_WALLS);
        }
        self.add_ended(&segment.ended, physics);
    }

    /// Adds what was left in the springs of contacts to the books.
    pub(super) fn add_ended(&mut self, ended: &[Ended], physics: Physics<'_>) {
        for &Ended { row, energy, .. } in ended {
            if let Some(slot) = self.slot(row) {
                self.books.row_mut(slot)[physics.pairs.postings.ended] += energy;
            } else if let Some(notes) = &mut self.late {
                let (load, books) = (Wrench::default(), LateBooks::Ended(energy));
                notes.list_for(row).list.push(Late { row, load, books });
            }
        }
    }

    /// Has the processor fetch what a contact of two bodies will be added to.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: Key) {
        if let Some(slot) = self.slot(key.a) {
            prefetch_soon(self.acting, index32(slot));
            self.books.prefetch(index32(slot));
        }
        if let Some(slot) = self.slot(key.b) {
            prefetch_soon(self.acting, index32(slot));
        }
    }

    /// Adds the contacts of a block to the bodies of these rows.
    #[inline]
    pub(super) fn add(
        &mut self,
        keys: &[Key],
        outcome: &[Lanes],
        space: &Space,
        physics: Physics<'_>,
        with_walls: bool,
    ) {
        // A force and a torque are no wider.
        let set = physics.set.min(InstructionSet::Avx2);
        set.run(AddBlock { rows: self, keys, outcome, space, physics: &physics, with_walls });
    }
}

/// Adds the contacts of a block to bodies.
struct AddBlock<'a, 'b> {
    rows: &'a mut SumRows<'b>,
    keys: &'a [Key],
    outcome: &'a [Lanes],
    space: &'a Space,
    physics: &'a Physics<'a>,
    with_walls: bool,
}

impl Kernel for AddBlock<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { rows, keys, outcome, space, physics, with_walls } = self;
        let lost = &physics.pairs.postings.lost[..];
        for (lane, key) in keys.iter().enumerate().take(LANES) {
            let a = rows.slot(key.a);
            let b = if with_walls { None } else { rows.slot(key.b) };
            let of_contact = Lane { columns: outcome, lane };
            let Action { force, torque_a, torque_b, .. } = Action::<f64>::read(&of_contact, 0);
            let on_a = Wrench { force: force.to_array(), torque: torque_a.to_array() };
            let on_b = Wrench { force: (-force).to_array(), torque: torque_b.to_array() };
            if let Some(slot) = a {
                add(&mut rows.acting[slot], &on_a);
                let books = rows.books.row_mut(slot);
                post(books, lost, of_contact);
                if with_walls && space.walls[key.b as usize].motion.puts_work_in() {
                    let power = wall_power(space, key.b, of_contact, &physics.layout);
                    books[Book::WallWork as usize] += power * physics.dt;
                }
            } else if let Some(notes) = &mut rows.late {
                let late = notes.list_for(key.a);
                let books = if lost.is_empty() { LateBooks::None } else { LateBooks::Lost(late.lost.len()) };
                late.lost.extend(lost.iter().map(|posting| outcome[posting.from][lane]));
                late.list.push(Late { row: key.a, load: on_a, books });
            }
            if let Some(slot) = b {
                add(&mut rows.acting[slot], &on_b);
            } else if let Some(notes) = rows.late.as_mut().filter(|_| !with_walls) {
                notes.list_for(key.b).list.push(Late { row: key.b, load: on_b, books: LateBooks::None });
            }
        }
    }
}

/// Enters what a contact lost into the books of a body.
#[inline(always)]
fn post(books: &mut [f64], lost: &[Posting], of_contact: Lane<'_>) {
    // As many as laws with friction have. One after the other in a loop, each would wait for the one before: the processor
    // takes the next load for one of what was just stored.
    if let [first, second, third] = lost {
        for posting in [first, second, third] {
            books[posting.to] += of_contact.number(posting.from);
        }
    } else {
        for posting in lost {
            books[posting.to] += of_contact.number(posting.from);
        }
    }
}

/// The same for both bodies of a contact: the next contact of either reads what this one wrote, which is fast where both are
/// read and written in the same pieces.
#[inline(always)]
fn add(acting: &mut Wrench, load: &Wrench) {
    for axis in 0..3 {
        acting.force[axis] += load.force[axis];
        acting.torque[axis] += load.torque[axis];
    }
}

impl<B: NarrowPhase> Contacts<B> {
    /// As [`evaluate`](Self::evaluate), on one thread, and of pairs of bodies only those from a place on where a segment
    /// begins.
    pub(crate) fn evaluate_from(
        &mut self,
        place: usize,
        space: &Space,
        physics: Physics<'_>,
        sums: &mut SumRows<'_>,
    ) {
        let mut watch = Stopwatch::start();
        for segment in self.between.iter_mut().filter(|segment| segment.range.start >= place) {
            segment.find_and_react(space, physics, Some(sums), &mut watch);
        }
        self.evaluate_walls(space, physics, sums, &mut watch);
    }

    /// As [`evaluate`](Self::evaluate), where rows are not in the order of the bodies, so that no range of rows belongs to
    /// a piece of the lists: first all contacts, then all sums, for which each thread goes through all contacts.
    pub(super) fn evaluate_scattered(
        &mut self,
        space: &Space,
        physics: Physics<'_>,
        threads: &Threads,
        sums: SumRows<'_>,
    ) {
        threads.for_each(&mut self.between, |segment| {
            segment.find_and_react(space, physics, None, &mut Stopwatch::start());
        });
        threads.for_each(&mut self.with_walls, |segment| {
            segment.find_and_react(space, physics, None, &mut Stopwatch::start());
        });
        threads.split_rows(sums, SumRows::len, SumRows::split_at, |mut sums| {
            self.between.iter().for_each(|segment| sums.add_all(segment, space, physics));
            self.with_walls.iter().for_each(|segment| sums.add_all(segment, space, physics));
        });
    }
}

/// The couple on a of a contact.
pub(crate) fn couple(outcome: Lane<'_>, layout: &Layout) -> LabVec<f64> {
    if layout.turns { LabVec::read(&outcome, layout.outcome() - 3) } else { LabVec::zero() }
}

/// What a wall spends on moving a body that it pushes.
pub(crate) fn wall_power(space: &Space, wall: u32, outcome: Lane<'_>, layout: &Layout) -> f64 {
    if space.walls[wall as usize].motion.is_static() {
        return 0.0;
    }
    let pose = &space.poses[wall as usize];
    let Action { force, point, .. } = Action::<f64>::read(&outcome, 0);
    let loads = [force, couple(outcome, layout)];
    surface::power(loads, point, pose.origin, pose.velocity, pose.angular_velocity)
}

/// What the bodies do to each wall.
pub(crate) fn load_walls<'a>(
    groups: impl Iterator<Item = (&'a Contacts, Layout)>,
    space: &Space,
    loads: &mut [WallLoad],
) {
    for (load, sums) in loads.iter_mut().zip(sum_on_walls(groups, space)) {
        *load = WallLoad::of(&sums);
    }
}

/// Force, torque and power of a wall: exact sums, whatever the order of the contacts.
pub(crate) type WallSums = [ExactSum; 7];

/// Those of each wall.
pub(crate) fn sum_on_walls<'a>(
    groups: impl Iterator<Item = (&'a Contacts, Layout)>,
    space: &Space,
) -> Vec<WallSums> {
    let mut sums = vec![[ExactSum::ZERO; 7]; space.walls.len()];
    let segments = groups.flat_map(|(contacts, layout)| {
        contacts.with_walls.iter().map(move |segment| (&segment.kept, layout))
    });
    for (kept, layout) in segments {
        for (index, key) in kept.keys().iter().enumerate() {
            let outcome = kept.outcome(index);
            let Action { force, point, .. } = kept.action(index);
            let torque = point.cross(force) + couple(outcome, &layout);
            let [fx, fy, fz, tx, ty, tz, power] = &mut sums[key.b as usize];
            for (sum, value) in [(fx, force.x), (fy, force.y), (fz, force.z)] {
                sum.add(-value);
            }
            for (sum, value) in [(tx, torque.x), (ty, torque.y), (tz, torque.z)] {
                sum.add(-value);
            }
            power.add(wall_power(space, key.b, outcome, &layout));
        }
    }
    sums
}
