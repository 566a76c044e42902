//! From contacts to bodies: forces, torques and books, added in the order of the contacts.
//!
//! The contacts that have a body as their later one come before those that have it as their earlier one, and both
//! follow the order of the bodies. Where rows lie in that order, a thread may add the contacts of its own later rows
//! at once, to its own rows; what they do to rows of others is [`Late`], and is added when all are done. A sum does
//! not depend on the number of threads.

use super::block::Workbench;
use super::lanes::{LANES, Lanes, row};
use super::{Contacts, Key, OUTCOME, Outcome, Physics, Segment};
use crate::bodies::{BOOKS, Book, Sums, Wrench};
use crate::engine::Space;
use crate::law::LOST;
use crate::parallel::Threads;
use crate::rows_by_id::index32;
use tumble_math::{ExactSum, LabVec};

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
}

/// What the contacts of a block do.
#[derive(Clone, Copy)]
pub(crate) struct Done<'a> {
    pub(crate) outcome: &'a [Lanes; OUTCOME],
    /// On a.
    pub(crate) couple: &'a [Lanes; 3],
}

/// A contact that ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    /// Of its first body.
    pub(crate) row: u32,
    /// What was left in its springs, J.
    pub(crate) energy: f64,
}

/// What a contact does to a body whose sums are another thread's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    row: u32,
    load: Wrench,
    /// Losses of the contact, if they are in the books of this body.
    lost: [f64; LOST],
    /// What was left in its springs, if that is all: the contact has ended.
    ended: Option<f64>,
}

/// Some of the rows that contacts are added to.
pub(crate) struct SumRows<'a> {
    /// The first of the rows.
    pub(crate) first: u32,
    pub(crate) acting: &'a mut [Wrench],
    pub(crate) books: &'a mut [[f64; BOOKS]],
    /// Where to note what contacts do to other rows; nowhere if others go through the same contacts.
    pub(crate) late: Option<Notes<'a>>,
}

/// What is noted for other rows, part by part of all rows, so that nobody has to look for what concerns him.
pub(crate) struct Notes<'a> {
    /// Where the rows of each part end.
    ends: &'a [u32],
    lists: &'a mut [Vec<Late>],
    /// How many there are in all lists.
    pub(super) count: usize,
}

impl<'a> Notes<'a> {
    /// Nothing is noted yet.
    pub(super) fn new(ends: &'a [u32], lists: &'a mut [Vec<Late>]) -> Self {
        Self { ends, lists, count: 0 }
    }

    /// Forgets what is in the lists from the step before.
    pub(super) fn clear(&mut self) {
        self.lists.iter_mut().for_each(Vec::clear);
        self.count = 0;
    }

    fn push(&mut self, late: Late) {
        let part = self.ends.partition_point(|&end| end <= late.row);
        self.lists[part].push(late);
        self.count += 1;
    }
}

impl<'a> SumRows<'a> {
    /// All rows.
    pub(crate) fn all(sums: &'a mut Sums) -> Self {
        Self { first: 0, acting: &mut sums.acting, books: &mut sums.books, late: None }
    }

    pub(crate) fn len(&self) -> usize {
        self.acting.len()
    }

    pub(crate) fn split_at(self, row: usize) -> (Self, Self) {
        let (acting, acting2) = self.acting.split_at_mut(row);
        let (books, books2) = self.books.split_at_mut(row);
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
    pub(super) fn may_touch(&self, segment: &Segment) -> bool {
        let (Some(first), Some(last)) = (segment.keys().first(), segment.keys().last()) else {
            return !segment.ended.is_empty();
        };
        let end = self.first as usize + self.len();
        (self.first <= last.a && (first.a as usize) < end) || !segment.ended.is_empty()
    }

    /// Adds what others noted, as far as it concerns these rows.
    pub(super) fn add_late(&mut self, late: &[Late]) {
        for Late { row, load, lost, ended } in late {
            let Some(slot) = self.slot(*row) else { continue };
            if let Some(energy) = ended {
                self.books[slot][Book::Separation as usize] += energy;
                continue;
            }
            let acting = &mut self.acting[slot];
            for axis in 0..3 {
                acting.force[axis] += load.force[axis];
                acting.torque[axis] += load.torque[axis];
            }
            for (sum, lost) in self.books[slot].iter_mut().zip(lost) {
                *sum += lost;
            }
        }
    }

    /// Adds the contacts of a segment to the bodies of these rows.
    pub(super) fn add_all(
        &mut self,
        segment: &Segment,
        space: &Space,
        physics: Physics<'_>,
        with_walls: bool,
    ) {
        for (block, keys) in segment.keys().chunks(LANES).enumerate() {
            self.add(keys, segment.done(block), space, physics, with_walls);
        }
        self.add_ended(&segment.ended);
    }

    /// Adds what was left in the springs of contacts to the books.
    pub(super) fn add_ended(&mut self, ended: &[Ended]) {
        for &Ended { row, energy } in ended {
            if let Some(slot) = self.slot(row) {
                self.books[slot][Book::Separation as usize] += energy;
            } else if let Some(late) = &mut self.late {
                late.push(Late { row, load: Wrench::default(), lost: [0.0; LOST], ended: Some(energy) });
            }
        }
    }

    /// Adds the contacts of a block to the bodies of these rows.
    #[inline]
    pub(super) fn add(
        &mut self,
        keys: &[Key],
        Done { outcome, couple }: Done<'_>,
        space: &Space,
        physics: Physics<'_>,
        with_walls: bool,
    ) {
        let loses = physics.remembers();
        for (lane, key) in keys.iter().enumerate() {
            let a = self.slot(key.a);
            let b = if with_walls { None } else { self.slot(key.b) };
            if let Some(slot) = a {
                add_columns(&mut self.acting[slot].force, outcome, 0, lane);
                add_columns(&mut self.acting[slot].torque, outcome, 6, lane);
                if loses {
                    add_columns(&mut self.books[slot], outcome, 15, lane);
                }
                if with_walls && !space.walls[key.b as usize].motion.is_static() {
                    let power =
                        wall_power(space, key.b, &Outcome::from_array(row(outcome, lane)), row(couple, lane));
                    self.books[slot][Book::WallWork as usize] += power * physics.dt;
                }
            } else if let Some(late) = &mut self.late {
                let Outcome { force, torque_a, lost, .. } = Outcome::from_array(row(outcome, lane));
                let load = Wrench { force: force.to_array(), torque: torque_a.to_array() };
                let lost = if loses { lost.to_array() } else { [0.0; LOST] };
                late.push(Late { row: key.a, load, lost, ended: None });
            }
            if let Some(slot) = b {
                let acting = &mut self.acting[slot];
                for (sum, column) in acting.force.iter_mut().zip(outcome) {
                    *sum -= column[lane];
                }
                add_columns(&mut acting.torque, outcome, 9, lane);
            } else if let Some(late) = self.late.as_mut().filter(|_| !with_walls) {
                let Outcome { force, torque_b, .. } = Outcome::from_array(row(outcome, lane));
                late.push(Late {
                    row: key.b,
                    load: Wrench { force: (-force).to_array(), torque: torque_b.to_array() },
                    lost: [0.0; LOST],
                    ended: None,
                });
            }
        }
    }
}

impl Contacts {
    /// As [`evaluate`](Self::evaluate), on one thread, and of pairs of bodies only those from a place on where a segment
    /// begins.
    pub(crate) fn evaluate_from(
        &mut self,
        place: usize,
        space: &Space,
        physics: Physics<'_>,
        sums: &mut SumRows<'_>,
    ) {
        for segment in self.between.iter_mut().filter(|segment| segment.range.start >= place) {
            segment.find_between(space, physics);
            segment.react(space, physics, false, Some(sums));
        }
        self.evaluate_walls(space, physics, sums);
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
            segment.find_between(space, physics);
            segment.react(space, physics, false, None);
        });
        threads.for_each(&mut self.with_walls, |segment| {
            segment.find_with_walls(space, physics);
            segment.react(space, physics, true, None);
        });
        threads.split_rows(sums, SumRows::len, SumRows::split_at, |mut sums| {
            self.between.iter().for_each(|segment| sums.add_all(segment, space, physics, false));
            self.with_walls.iter().for_each(|segment| sums.add_all(segment, space, physics, true));
        });
    }
}

impl Workbench {
    /// What the contacts on it do.
    pub(super) fn done(&self) -> Done<'_> {
        Done { outcome: &self.outcome, couple: &self.couple }
    }
}

/// Adds a lane of the columns from `first` on, as many as there are sums or columns.
#[inline(always)]
fn add_columns(sums: &mut [f64], columns: &[Lanes; OUTCOME], first: usize, lane: usize) {
    for (sum, column) in sums.iter_mut().zip(&columns[first..]) {
        *sum += column[lane];
    }
}

/// What a wall spends on moving a body that it pushes.
pub(crate) fn wall_power(space: &Space, wall: u32, outcome: &Outcome<f64>, couple: [f64; 3]) -> f64 {
    if space.walls[wall as usize].motion.is_static() {
        return 0.0;
    }
    let pose = &space.poses[wall as usize];
    let couple = LabVec::from_array(couple);
    outcome.force.dot(pose.velocity_at(outcome.point)) + couple.dot(pose.angular_velocity)
}

/// What the bodies do to each wall: exact sums, whatever the order of the contacts.
pub(crate) fn load_walls(contacts: &Contacts, space: &Space, loads: &mut [WallLoad]) {
    let mut sums = vec![[ExactSum::ZERO; 7]; loads.len()];
    for segment in &contacts.with_walls {
        for (index, key) in segment.keys().iter().enumerate() {
            let (outcome, couple) = (segment.outcome(index), segment.couple(index));
            let (force, point) = (outcome.force, outcome.point);
            let torque = point.cross(force) + LabVec::from_array(couple);
            let [fx, fy, fz, tx, ty, tz, power] = &mut sums[key.b as usize];
            for (sum, value) in [(fx, force.x), (fy, force.y), (fz, force.z)] {
                sum.add(-value);
            }
            for (sum, value) in [(tx, torque.x), (ty, torque.y), (tz, torque.z)] {
                sum.add(-value);
            }
            power.add(wall_power(space, key.b, &outcome, couple));
        }
    }
    for (load, sums) in loads.iter_mut().zip(sums) {
        let [fx, fy, fz, tx, ty, tz, power] = sums.map(|sum| sum.value());
        *load = WallLoad { force: LabVec::new(fx, fy, fz), torque: LabVec::new(tx, ty, tz), power };
    }
}
