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
        columns: Columns<'_, f64>,
        units: &[f64; ROWS],
        room: &mut Narrow,
    ) {
        let (rows, width) = (columns.len(), mover.scheme.memory_width());
        let Columns { q, omega, memory, torque, moments, inverse, seen } = columns;
        let Narrow { state, memory: remembered, given, seen: shown } = room;
        let taken = state.iter_mut().chain(&mut remembered[..width]);
        for (to, from) in taken.zip(q.iter().chain(&omega).chain(&memory[..width])) {
            mover.set.run(Take { from, to: &mut to[..rows] });
        }
        let [in_units @ .., i0, i1, i2] = &mut *given;
        for (to, from) in in_units.iter_mut().zip(torque.into_iter().chain(moments)) {
            mover.set.run(TakeIn { from, units, to: &mut to[..rows] });
        }
        for (to, from) in [i0, i1, i2].into_iter().zip(inverse) {
            mover.set.run(TakePer { from, units, to: &mut to[..rows] });
        }
        let [q0, q1, q2, q3, w0, w1, w2] = state.each_mut().map(|column| &mut column[..rows]);
        let [t0, t1, t2, m0, m1, m2, i0, i1, i2] = given.each_ref().map(|column| &column[..rows]);
        let single = Columns {
            q: [q0, q1, q2, q3],
            omega: [w0, w1, w2],
            memory: remembered.each_mut().map(|column| &mut column[..rows]),
            torque: [t0, t1, t2],
            moments: [m0, m1, m2],
            inverse: [i0, i1, i2],
            seen: shown.each_mut().map(|column| &mut column[..rows]),
        };
        run_hook_with(mover.set, mover.scheme, hook, single, Self::narrow(mover.dt));
        if hook.only_looks() {
            for (from, to) in shown.iter().zip(seen) {
                mover.set.run(Give { from: &from[..rows], to });
            }
        } else {
            let changed = state.iter().chain(&remembered[..width]);
            for (from, to) in changed.zip(q.into_iter().chain(omega).chain(memory)) {
                mover.set.run(Give { from: &from[..rows], to });
            }
        }
    }
}

/// Takes a column as single precision.
struct Take<'a> {
    from: &'a [f64],
    to: &'a mut [f32],
}

impl Kernel for Take<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (to, from) in self.to.iter_mut().zip(self.from) {
            *to = f32::narrow(*from);
        }
    }
}

/// Takes a column as single precision, in units.
struct TakeIn<'a> {
    from: &'a [f64],
    units: &'a [f64],
    to: &'a mut [f32],
}

impl Kernel for TakeIn<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for ((to, from), unit) in self.to.iter_mut().zip(self.from).zip(self.units) {
            *to = f32::narrow(*from * *unit);
        }
    }
}

/// Takes a column as single precision that is one over something in units.
struct TakePer<'a> {
    from: &'a [f64],
    units: &'a [f64],
    to: &'a mut [f32],
}

impl Kernel for TakePer<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for ((to, from), unit) in self.to.iter_mut().zip(self.from).zip(self.units) {
            *to = f32::narrow(*from / *unit);
        }
    }
}

/// Gives a column back.
struct Give<'a> {
    from: &'a [f32],
    to: &'a mut [f64],
}

impl Kernel for Give<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (to, from) in self.to.iter_mut().zip(self.from) {
            *to = from.wide();
        }
    }
}
