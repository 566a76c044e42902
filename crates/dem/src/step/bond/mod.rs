//! Bonds between bodies: who is bonded to whom, what the bonds do, and when they break.
//!
//! ```text
//! drop_broken     what was loaded beyond its limits at tₙ is gone; its bodies may touch from now on     breaking.rs
//! bond_touching   bodies that touched at tₙ are bonded, where a rule says so                            touch.rs
//! …               bodies move, contacts are evaluated
//! add_bonds       each bond once, then each body adds what its bonds do                                 this file
//! ```
//! A body adds what its bonds do after all contacts, in the order of the bodies at their other ends, and several bonds with the same
//! body in the order in which they were given. So sums depend neither on rows nor on threads.
//!
//! All is computed in double precision, whatever contacts are: strains of stiff bonds are small differences of orientations.

mod breaking;
mod build;
mod spread;
mod touch;

pub use breaking::Breakage;
pub(crate) use build::check_numbers;

use crate::bodies::{Bodies, Wrench};
use crate::bond::{self, BreakMode};
use crate::contact::SumRows;
use crate::engine::{Engine, Space};
use crate::law::{Entry, EntryKind};
use crate::physics::bond::{BondAction, BondConstants, BondEnd, BondedBody};
use crate::physics::parallel_bond::{BondMemory, follow, parallel_bond};
use crate::rows_by_id::index32;
use std::time::Instant;
use tumble_math::{ExactSum, LabVec, Quat};

/// Elastic energy of bonds.
pub(crate) const BONDS: Entry = Entry::new("bonds", "elastic energy of bonds", EntryKind::Stored);
/// Lost by the dashpots of bonds.
pub(crate) const BOND_DAMPING: Entry =
    Entry::new("bond_damping", "lost to damping in bonds", EntryKind::Damped);
/// Lost where bonds broke.
pub(crate) const BOND_BREAKAGE: Entry =
    Entry::new("bond_breakage", "lost where bonds broke", EntryKind::Slipped);

/// A bond of a running simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tie {
    /// The lower id first.
    pub(crate) bodies: [u32; 2],
    pub(crate) constants: BondConstants<f64>,
    pub(crate) ends: [BondEnd<f64>; 2],
    /// Of a parallel bond; none of one with a potential.
    pub(crate) disc: Option<Disc>,
    /// One over what it bears, by [`BreakMode`]; zero where it never breaks.
    pub(crate) inverse_limits: [f64; 4],
    /// Whether the two bodies feel their contact all the same.
    pub(crate) contact: bool,
    /// What its dashpots have lost, J.
    pub(crate) lost: f64,
    /// In which way it is loaded beyond its limits now: it acts for the last time.
    pub(crate) breaking: Option<BreakMode>,
}

/// What a parallel bond has that one with a potential has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Disc {
    /// Which part of the way from its first end to its second the disc is at.
    pub(crate) at: f64,
    pub(crate) memory: BondMemory<f64>,
}

impl Tie {
    /// What it does to bodies that are so far apart.
    fn action(&self, bodies: &[BondedBody<f64>; 2], apart: LabVec<f64>) -> BondAction<f64> {
        match &self.disc {
            None => crate::physics::bond::bond(&self.constants, &self.ends, bodies, apart),
            Some(Disc { at, memory }) => {
                parallel_bond(&self.constants, memory, *at, &self.ends, bodies, apart)
            }
        }
    }

    /// In which way what it does is too much for it.
    fn overloaded(&self, action: &BondAction<f64>) -> Option<BreakMode> {
        bond::overloaded(action, self.inverse_limits, self.disc.is_some())
    }

    /// How much of what it bears it is loaded with, by the load that comes closest.
    pub(crate) fn used(&self, action: &BondAction<f64>) -> f64 {
        bond::used(action, self.inverse_limits, self.disc.is_some()).into_iter().fold(0.0, f64::max)
    }
}

/// All bonds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bonds {
    /// By the ids of their bodies; those of the same two as they were given.
    pub(crate) ties: Vec<Tie>,
    /// What each of them does now.
    actions: Vec<BondAction<f64>>,
    /// How many there have ever been.
    pub(crate) made: u64,
    /// How many of them where bodies touched during the run.
    pub(crate) by_touch: u64,
    /// How many went with bodies that were taken out.
    pub(crate) taken_out: u64,
    pub(crate) breakages: Vec<Breakage>,
    /// What the dashpots of bonds that are gone have lost.
    pub(crate) lost: ExactSum,
    /// What was lost where bonds broke.
    pub(crate) broken: ExactSum,
    /// What contacts had stored whose place bonds took.
    pub(crate) replaced: ExactSum,
    /// The rows of the bodies of each.
    rows: Vec<[u32; 2]>,
    /// Where the bonds of each row begin in `of_rows`; one more than there are rows.
    first: Vec<u32>,
    /// Bonds of a row in the order of all sums.
    of_rows: Vec<Side>,
}

/// A bond, seen from one of its bodies.
#[derive(Clone, Copy, Debug)]
struct Side {
    tie: u32,
    /// The row at the other end.
    other: u32,
    second: bool,
}

impl Bonds {
    pub(crate) fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// Whether there has ever been one.
    pub(crate) fn any(&self) -> bool {
        self.made > 0
    }

    /// Each bond with what it does now.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Tie, &BondAction<f64>)> {
        self.ties.iter().zip(&self.actions)
    }

    /// The bonds with the rows of their bodies.
    pub(crate) fn with_rows(&self) -> impl Iterator<Item = (&Tie, [usize; 2])> {
        self.ties.iter().zip(self.rows.iter().map(|rows| rows.map(|row| row as usize)))
    }

    /// Finds the rows of all bodies anew, and the order in which they add up.
    pub(crate) fn settle(&mut self, bodies: &Bodies) {
        if self.is_empty() {
            (self.rows, self.first, self.of_rows) = Default::default();
            return;
        }
        let row = |id: u32| bodies.by_id.row(id).map_or(u32::MAX, index32);
        self.rows = self.ties.iter().map(|tie| tie.bodies.map(row)).collect();
        let mut sides: Vec<(u32, Side)> = Vec::with_capacity(2 * self.rows.len());
        for (tie, &[a, b]) in (0..).zip(&self.rows) {
            sides.push((a, Side { tie, other: b, second: false }));
            sides.push((b, Side { tie, other: a, second: true }));
        }
        sides.sort_unstable_by_key(|(row, side)| (*row, bodies.order(side.other as usize), side.tie));
        self.first.clear();
        self.first.extend(
            (0..=index32(bodies.len())).map(|row| index32(sides.partition_point(|(of, _)| *of < row))),
        );
        self.of_rows = sides.into_iter().map(|(_, side)| side).collect();
    }

    fn of_row(&self, row: usize) -> &[Side] {
        &self.of_rows[self.first[row] as usize..self.first[row + 1] as usize]
    }

    /// Whether a bond keeps two rows from feeling their contact.
    #[inline]
    pub(crate) fn part(&self, a: usize, b: usize) -> bool {
        !self.is_empty()
            && self
                .of_row(a)
                .iter()
                .any(|side| side.other as usize == b && !self.ties[side.tie as usize].contact)
    }

    /// Adds what the bonds of a row do to what acts on it.
    fn add_to(&self, row: usize, acting: &mut Wrench) {
        for side in self.of_row(row) {
            let action = &self.actions[side.tie as usize];
            let (force, torque) = if side.second {
                (action.force, action.torque_second)
            } else {
                (-action.force, action.torque_first)
            };
            let (force, torque) = (force.to_array(), torque.to_array());
            for axis in 0..3 {
                acting.force[axis] += force[axis];
                acting.torque[axis] += torque[axis];
            }
        }
    }

    /// Energies at the present instant: stored, lost to damping, lost by breaking.
    pub(crate) fn energies(&self, dt: f64) -> [f64; 3] {
        let (mut stored, mut damped) = (ExactSum::ZERO, self.lost);
        for (tie, action) in self.iter() {
            stored += action.stored;
            damped += tie.lost;
            // By the trapezoid rule, half of what the present rate puts into the books belongs to the step to come.
            damped += -0.5 * dt * action.damped;
        }
        [stored.value(), damped.value(), self.broken.value()]
    }

    /// Half of what the present rates put into the books is that of no step.
    pub(crate) fn count_half_of_the_present(&mut self, dt: f64) {
        for (tie, action) in self.ties.iter_mut().zip(&self.actions) {
            tie.lost = 0.5 * dt * action.damped;
        }
    }
}

/// The bodies of two rows as bonds see them, and how far their centres are apart.
fn seen(space: &Space, rows: [u32; 2]) -> ([BondedBody<f64>; 2], LabVec<f64>) {
    let bodies = rows.map(|row| &space.bodies.at_force[row as usize]);
    let [from, to] = bodies.map(|body| LabVec::from_array(body.position));
    let seen = bodies.map(|body| BondedBody {
        q: Quat::from_array(body.q),
        velocity: LabVec::from_array(body.velocity),
        omega: LabVec::from_array(body.omega),
    });
    (seen, space.domain.nearest(from, to))
}

impl Engine {
    /// Lets all parallel bonds follow their bodies to where they are now. Doing so twice changes nothing but roundings.
    fn follow_bonds(&mut self) {
        let (space, bonds) = (&self.space, &self.bonds);
        if bonds.ties.iter().all(|tie| tie.disc.is_none()) {
            return;
        }
        let followed = self.threads.collect(bonds.ties.len(), |number| {
            let tie = &bonds.ties[number];
            let disc = tie.disc?;
            let (bodies, apart) = seen(space, bonds.rows[number]);
            let memory = follow(&disc.memory, disc.at, &tie.ends, &bodies, apart);
            Some(Disc { memory, ..disc })
        });
        for (tie, disc) in self.bonds.ties.iter_mut().zip(followed) {
            tie.disc = disc;
        }
    }

    /// Finds what all bonds do at the present instant, to which they have followed their bodies, and which of them it is too much for.
    pub(crate) fn evaluate_bonds(&mut self) {
        let (space, bonds) = (&self.space, &mut self.bonds);
        let (ties, rows) = (&bonds.ties, &bonds.rows);
        bonds.actions = self.threads.collect(ties.len(), |number| {
            let (bodies, apart) = seen(space, rows[number]);
            ties[number].action(&bodies, apart)
        });
        for (tie, action) in bonds.ties.iter_mut().zip(&bonds.actions) {
            tie.breaking = tie.overloaded(action);
        }
    }

    /// Adds what bonds do to the forces of the present instant, and to the books.
    pub(crate) fn add_bonds(&mut self) {
        if self.bonds.is_empty() {
            return;
        }
        let begin = Instant::now();
        self.follow_bonds();
        self.evaluate_bonds();
        let dt = self.rules.settings.dt;
        for (tie, action) in self.bonds.ties.iter_mut().zip(&self.bonds.actions) {
            tie.lost += dt * action.damped;
        }
        let (bonds, threads) = (&self.bonds, &self.threads);
        let add = |SumRows { first, acting, .. }: SumRows<'_>| {
            for (row, acting) in (first as usize..).zip(acting) {
                bonds.add_to(row, acting);
            }
        };
        let rows = SumRows::all(&mut self.sums);
        threads.install(|| threads.split_rows(rows, SumRows::len, SumRows::split_at, add));
        self.times.add_fields += begin.elapsed();
    }

    /// The same after a change by hand, for the rows whose forces are summed anew. Rates count half with what they were before it, half
    /// with what they are now.
    pub(crate) fn renew_bonds(&mut self, summed_anew: &[bool], dt_before: f64) {
        if self.bonds.is_empty() {
            return;
        }
        for (tie, action) in self.bonds.ties.iter_mut().zip(&self.bonds.actions) {
            tie.lost -= 0.5 * dt_before * action.damped;
        }
        self.follow_bonds();
        self.evaluate_bonds();
        let dt = self.rules.settings.dt;
        for (tie, action) in self.bonds.ties.iter_mut().zip(&self.bonds.actions) {
            tie.lost += 0.5 * dt * action.damped;
        }
        for row in (0..summed_anew.len()).filter(|&row| summed_anew[row]) {
            self.bonds.add_to(row, &mut self.sums.acting[row]);
        }
    }
}
