//! The motion of the bodies from one force evaluation to the next, in one pass over their rows.
//!
//! Forces and torques are always those of the present instant tₙ; a step finishes what the schemes have to do
//! with them, moves every body to tₙ₊₁, and shows it there to the contact laws:
//!
//! | | translation | rotation |
//! | --- | --- | --- |
//! | with Fₙ, τₙ | vₙ₊½ = vₙ₋½ + Δt Fₙ/m | `after_torque` |
//! | to tₙ₊₁ | xₙ₊₁ = xₙ + Δt vₙ₊½ | `before_torque` |
//! | seen at tₙ₊₁ | vₙ₊½ + ½Δt Fₙ/m | `at_torque` |
//!
//! So translation and rotation are at the same instant whenever a force is evaluated, whatever the scheme.

mod moving;
mod narrow;
mod placing;
mod rows;
mod scratch;

use crate::bodies::{AtInstant, Bodies, Sums, Wrench};
use crate::calibration::Thresholds;
use crate::columns::{Column, ROWS};
use crate::domain::Domain;
use crate::kind::Kind;
use crate::parallel::Threads;
use crate::precision::{Float, Precision, narrow, wide};
use crate::rows_by_id::index32;
use crate::step::Deformation;
use core::ops::Range;
use narrow::Hooks;
use rows::Rows;
use scratch::{Scratch, blocks};
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::batch::InstructionSet;
use tumble_rotation::{AnyScheme, Hook, TimeLevel};

/// How bodies are moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    pub(crate) scheme: AnyScheme,
    pub(crate) precision: Precision,
    pub(crate) dt: f64,
    pub(crate) gravity: LabVec<f64>,
    pub(crate) domain: Domain,
    /// What the space does in this step, where it deforms.
    pub(crate) deformation: Option<Deformation>,
    pub(crate) set: InstructionSet,
    /// Whether anything asks for velocities at the instant of the force.
    pub(crate) needs_velocities: bool,
    pub(crate) thresholds: Thresholds,
}

impl Mover {
    /// Whether the orientation between steps is not the one at which torques are evaluated.
    pub(crate) fn staggered(&self) -> bool {
        self.scheme.info().time_level == TimeLevel::Staggered
    }

    /// Whether bodies are shown at the instant of the force.
    pub(crate) fn shows(&self) -> bool {
        self.needs_velocities || self.staggered()
    }

    /// Whether the scheme's torque is that of the end of its step, so that `after_torque` gives the
    /// synchronised state. The others move in `after_torque` alone.
    pub(crate) fn torque_at_end(&self) -> bool {
        self.scheme.info().torque_times == [1.0]
    }
}

/// Which spheres of each row occur in the neighbour lists: the only ones that are placed. Without rows: all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needed {
    /// Where the list of each row begins; one more than there are rows.
    pub(crate) first: Vec<u32>,
    /// Spheres by their number in the template.
    pub(crate) spheres: Vec<u32>,
}

impl Needed {
    /// No rows.
    pub(crate) fn clear(&mut self) {
        self.first.clear();
        self.first.push(0);
        self.spheres.clear();
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, spheres: impl Iterator<Item = u32>) {
        self.spheres.extend(spheres);
        self.first.push(index32(self.spheres.len()));
    }
}

/// Moves the first `count` bodies by one step, resets their forces to their weight, and returns the farthest that any
/// point of a body's spheres can have moved.
pub(crate) fn advance(
    bodies: &mut Bodies,
    sums: &mut Sums,
    count: usize,
    needed: &Needed,
    mover: &Mover,
    threads: &Threads,
) -> f64 {
    let (rows, shapes) = Rows::of(bodies, sums, needed);
    let longest = threads.split_rows(rows.first(count), Rows::len, Rows::split_at, |mut rows| {
        rows.advance(0..rows.len(), mover, shapes)
    });
    longest.into_iter().fold(0.0, longer)
}

/// As [`advance`], for some rows, on this thread.
pub(crate) fn advance_rows(
    bodies: &mut Bodies,
    sums: &mut Sums,
    rows: Range<usize>,
    needed: &Needed,
    mover: &Mover,
) -> f64 {
    let (mut all, shapes) = Rows::of(bodies, sums, needed);
    all.advance(rows, mover, shapes)
}

/// The longer of two displacements. NaN stays.
pub(crate) fn longer(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Brings bodies that are at tₙ with Fₙ and τₙ to the instants of the schemes. Only for fresh rows.
pub(crate) fn start(bodies: &mut Bodies, sums: &mut Sums, mover: &Mover) {
    if bodies.fresh.contains(&true) {
        match mover.precision {
            Precision::Double => start_in::<f64>(bodies, sums, mover),
            Precision::Single => start_in::<f32>(bodies, sums, mover),
        }
    }
}

fn start_in<R: Hooks>(bodies: &mut Bodies, sums: &mut Sums, mover: &Mover) {
    let width = mover.scheme.memory_width();
    if width > 0 && bodies.memory.rows() != bodies.len() {
        bodies.memory.resize(bodies.len());
    }
    let (old_q, old_omega, old_memory) = (bodies.q.clone(), bodies.omega.clone(), bodies.memory.clone());
    let (mut rows, _) = Rows::of(bodies, sums, ALL);
    let Scratch { load, kinds, narrow: room, .. } = &mut *Scratch::new();
    for range in blocks(0..rows.len()) {
        rows.load(&range, load);
        kinds.fill(rows.kinds, &rows.kind[range.clone()]);
        rows.hook::<R>(Hook::Start, mover, range, (load, kinds), room);
    }
    for row in 0..bodies.len() {
        let (fresh, held) = (bodies.fresh[row], bodies.held[row]);
        if !fresh || held {
            bodies.q.set_row(row, old_q.row(row));
            bodies.omega.set_row(row, old_omega.row(row));
        }
        if !fresh && width > 0 {
            bodies.memory.set_row(row, old_memory.row(row));
        }
        if fresh && !held {
            let kick = half_kick::<R>(bodies.kind(row), &sums.acting[row], mover);
            let velocity = LabVec::from_array(bodies.velocity.row(row)) - kick;
            bodies.velocity.set_row(row, velocity.to_array());
        }
    }
}

/// What half a step of a force does to the velocity.
fn half_kick<R: Float>(kind: &Kind, acting: &Wrench, mover: &Mover) -> LabVec<f64> {
    let force = narrow(LabVec::from_array(acting.force));
    wide(force * (R::narrow(0.5 * mover.dt) * R::narrow(kind.inverse_mass)))
}

/// Position, velocity, orientation and angular velocity of every row at the present instant.
pub(crate) fn synchronised(bodies: &Bodies, sums: &Sums, mover: &Mover) -> Vec<AtInstant> {
    match mover.precision {
        Precision::Double => synchronised_in::<f64>(bodies, sums, mover),
        Precision::Single => synchronised_in::<f32>(bodies, sums, mover),
    }
}

fn synchronised_in<R: Hooks>(bodies: &Bodies, sums: &Sums, mover: &Mover) -> Vec<AtInstant> {
    let mut now = Vec::with_capacity(bodies.len());
    let mut copy = Bodies { kinds: bodies.kinds.clone(), ..Bodies::default() };
    for first in (0..bodies.len()).step_by(ROWS_AT_ONCE) {
        let rows = first..bodies.len().min(first + ROWS_AT_ONCE);
        synchronise_some::<R>(bodies, sums, rows, mover, &mut copy, &mut now);
    }
    now
}

/// Rows that are copied at a time to be looked at: whole chunks, and little beside what there may be.
const ROWS_AT_ONCE: usize = 64 * ROWS;

fn synchronise_some<R: Hooks>(
    bodies: &Bodies,
    sums: &Sums,
    some: Range<usize>,
    mover: &Mover,
    copy: &mut Bodies,
    now: &mut Vec<AtInstant>,
) {
    // Only what a hook reads and changes.
    copy.q = bodies.q.part(some.clone());
    copy.omega = bodies.omega.part(some.clone());
    copy.memory = bodies.memory.part(some.clone());
    copy.kind = bodies.kind[some.clone()].to_vec();
    copy.held = bodies.held[some.clone()].to_vec();
    let mut copied_sums = Sums { acting: sums.acting[some.clone()].to_vec(), ..Sums::default() };
    let (mut rows, _) = Rows::of(copy, &mut copied_sums, ALL);
    let Scratch { load, seen, kinds, narrow: room, .. } = &mut *Scratch::new();
    for range in blocks(0..rows.len()) {
        rows.load(&range, load);
        kinds.fill(rows.kinds, &rows.kind[range.clone()]);
        if mover.torque_at_end() {
            rows.hook::<R>(Hook::AfterTorque, mover, range, (load, kinds), room);
        } else {
            rows.look::<R>(Hook::Synchronise, mover, range.clone(), (load, kinds), seen, room);
            let chunk = range.start / ROWS;
            for (column, seen) in rows.q[chunk].iter_mut().chain(&mut rows.omega[chunk]).zip(&*seen) {
                column[..range.len()].copy_from_slice(&seen[..range.len()]);
            }
        }
    }
    let state = |row: usize| {
        let unmoved = bodies.held[row] || (bodies.fresh[row] && mover.torque_at_end());
        let (from, at) = if unmoved { (bodies, row) } else { (&*copy, row - some.start) };
        let (q, omega) = (from.q.row(at), BodyVec::from_array(from.omega.row(at)));
        let kick = half_kick::<R>(bodies.kind(row), &sums.acting[row], mover);
        AtInstant {
            position: bodies.position.row(row),
            velocity: (LabVec::from_array(bodies.velocity.row(row)) + kick).to_array(),
            omega: Quat::from_array(q).to_lab(omega).to_array(),
            q,
        }
    };
    now.extend(some.clone().map(state));
}

/// Shows fresh bodies as they are: no force on them is known yet, and none is needed. They come as `f64`, and turn as
/// the run has them.
pub(crate) fn show_fresh(bodies: &mut Bodies, precision: Precision) {
    for row in (0..bodies.len()).filter(|&row| bodies.fresh[row]) {
        bodies.omega.set_row(row, bodies.omega.row(row).map(|x| precision.round(x)));
        bodies.q.set_row(row, bodies.q.row(row).map(|x| precision.round(x)));
        let (position, q) = bodies.pose(row);
        bodies.at_force[row] = AtInstant {
            position: position.to_array(),
            velocity: bodies.velocity.row(row),
            omega: q.to_lab(BodyVec::from_array(bodies.omega.row(row))).to_array(),
            q: q.to_array(),
        };
    }
}

/// Places all spheres.
pub(crate) fn place_all(bodies: &mut Bodies, sums: &mut Sums, mover: &Mover, threads: &Threads) {
    match mover.precision {
        Precision::Double => place_all_in::<f64>(bodies, sums, mover, threads),
        Precision::Single => place_all_in::<f32>(bodies, sums, mover, threads),
    }
}

fn place_all_in<R: Float>(bodies: &mut Bodies, sums: &mut Sums, mover: &Mover, threads: &Threads) {
    let (rows, shapes) = Rows::of(bodies, sums, ALL);
    threads.split_rows(rows, Rows::len, Rows::split_at, |mut rows| {
        rows.place::<R>(0..rows.len(), mover, shapes);
    });
}

/// Places the needed spheres of the rows from the first one on, and of the few before it that are in its chunk.
pub(crate) fn place_from(bodies: &mut Bodies, sums: &mut Sums, first: usize, needed: &Needed, mover: &Mover) {
    let (mut rows, shapes) = Rows::of(bodies, sums, needed);
    let range = first / ROWS * ROWS..rows.len();
    match mover.precision {
        Precision::Double => rows.place::<f64>(range, mover, shapes),
        Precision::Single => rows.place::<f32>(range, mover, shapes),
    }
}

const ALL: &Needed = &Needed { first: Vec::new(), spheres: Vec::new() };
