//! Rotation schemes in the precision of the run, on columns of `f64`.

use super::Mover;
use crate::columns::ROWS;
use crate::precision::Float;
use tumble_rotation::Hook;
use tumble_rotation::batch::{Columns, Kernel, run_hook_with};

/// Numbers that rotation schemes can compute with.
pub(super) trait Hooks: Float {
    /// Calls a hook for all rows of a block. `room` is for columns of other numbers than `f64`.
    ///
    /// Torques and moments may be in other units, powers of two by which the moments of each row come near one, so that
    /// their products have room. What a scheme remembers is in the same units.
    fn run_hook(mover: &Mover, hook: Hook, columns: Columns<'_, f64>, units: &[f64; ROWS], room: &mut Narrow);
}

impl Hooks for f64 {
    fn run_hook(mover: &Mover, hook: Hook, columns: Columns<'_, f64>, _: &[f64; ROWS], _: &mut Narrow) {
        run_hook_with(mover.set, mover.scheme, hook, columns, mover.dt);
    }
}

/// Columns of a block in single precision.
pub(super) struct Narrow {
    /// q, ω.
    state: [[f32; ROWS]; 7],
    memory: [[f32; ROWS]; 14],
    /// Torque, moments, inverses.
    given: [[f32; ROWS]; 9],
    seen: [[f32; ROWS]; 7],
}

impl Narrow {
    pub(super) const ZERO: Self = Self {
        state: [[0.0; ROWS]; 7],
        memory: [[0.0; ROWS]; 14],
        given: [[0.0; ROWS]; 9],
        seen: [[0.0; ROWS]; 7],
    };
}

impl Hooks for f32 {
    fn run_hook(
        mover: &Mover,
        hook: Hook,
        mut columns: Columns<'_, f64>,
        units: &[f64; ROWS],
        room: &mut Narrow,
    ) {
        let (rows, width) = (columns.len(), mover.scheme.memory_width());
        mover.set.run(Take { columns: &columns, width, units, room });
        let [q0, q1, q2, q3, w0, w1, w2] = room.state.each_mut().map(|column| &mut column[..rows]);
        let [t0, t1, t2, m0, m1, m2, i0, i1, i2] = room.given.each_ref().map(|column| &column[..rows]);
        let single = Columns {
            q: [q0, q1, q2, q3],
            omega: [w0, w1, w2],
            memory: room.memory.each_mut().map(|column| &mut column[..rows]),
            torque: [t0, t1, t2],
            moments: [m0, m1, m2],
            inverse: [i0, i1, i2],
            seen: room.seen.each_mut().map(|column| &mut column[..rows]),
        };
        run_hook_with(mover.set, mover.scheme, hook, single, Self::narrow(mover.dt));
        mover.set.run(Give { columns: &mut columns, width, hook, room });
    }
}

/// Takes columns as single precision, torques and moments in units.
struct Take<'a, 'b> {
    columns: &'a Columns<'b, f64>,
    width: usize,
    units: &'a [f64; ROWS],
    room: &'a mut Narrow,
}

impl Kernel for Take<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { columns, width, units, room } = self;
        let taken = columns.q.iter().chain(&columns.omega).chain(&columns.memory[..width]);
        for (to, from) in room.state.iter_mut().chain(&mut room.memory).zip(taken) {
            for (to, from) in to.iter_mut().zip(&**from) {
                *to = f32::narrow(*from);
            }
        }
        let [torques_and_moments @ .., i0, i1, i2] = &mut room.given;
        for (to, from) in torques_and_moments.iter_mut().zip(columns.torque.iter().chain(&columns.moments)) {
            for ((to, from), unit) in to.iter_mut().zip(*from).zip(units) {
                *to = f32::narrow(*from * *unit);
            }
        }
        for (to, from) in [i0, i1, i2].into_iter().zip(columns.inverse) {
            for ((to, from), unit) in to.iter_mut().zip(from).zip(units) {
                *to = f32::narrow(*from / *unit);
            }
        }
    }
}

/// Gives back what a hook changed, or saw.
struct Give<'a, 'b> {
    columns: &'a mut Columns<'b, f64>,
    width: usize,
    hook: Hook,
    room: &'a Narrow,
}

impl Kernel for Give<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { columns, width, hook, room } = self;
        if hook.only_looks() {
            for (to, from) in columns.seen.iter_mut().zip(&room.seen) {
                give(from, to);
            }
        } else {
            let changed = columns.q.iter_mut().chain(&mut columns.omega).chain(&mut columns.memory[..width]);
            for (to, from) in changed.zip(room.state.iter().chain(&room.memory)) {
                give(from, to);
            }
        }
    }
}

#[inline(always)]
fn give(from: &[f32], to: &mut [f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = from.wide();
    }
}
