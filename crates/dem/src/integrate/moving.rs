//! The loops that move and show bodies, compiled for every instruction set.

use super::rows::Rows;
use super::scratch::{Block, LoadBlock};
use crate::columns::ROWS;
use core::ops::Range;
use tumble_math::{BodyVec, Quat};
use tumble_rotation::batch::Kernel;

/// The leapfrog: a kick by the force, then a drift.
pub(super) struct Translate<'a> {
    pub(super) position: [&'a mut [f64]; 3],
    pub(super) velocity: [&'a mut [f64]; 3],
    pub(super) force: &'a Block<3>,
    pub(super) inverse_mass: &'a [f64],
    pub(super) dt: f64,
}

impl Kernel for Translate<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for ((position, velocity), force) in self.position.into_iter().zip(self.velocity).zip(self.force) {
            let rows = position.iter_mut().zip(velocity.iter_mut()).zip(force.iter().zip(self.inverse_mass));
            for ((position, velocity), (force, inverse_mass)) in rows {
                *velocity += self.dt * (force * inverse_mass);
                *position += self.dt * *velocity;
            }
        }
    }
}

/// Shows rows to whoever asks for velocities: everything at the instant of the force.
pub(super) struct Show<'a, 'b> {
    pub(super) rows: &'a mut Rows<'b>,
    pub(super) range: Range<usize>,
    pub(super) seen: &'a Block<7>,
    pub(super) load: &'a LoadBlock,
    pub(super) inverse_mass: &'a [f64; ROWS],
    pub(super) dt: f64,
}

impl Kernel for Show<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { rows, range, seen: columns, load, inverse_mass, dt } = self;
        let chunk = range.start / ROWS;
        let [position, velocity] = [&rows.position[chunk], &rows.velocity[chunk]];
        for (k, row) in range.enumerate() {
            let mut q = Quat::new(columns[0][k], columns[1][k], columns[2][k], columns[3][k]);
            let mut omega = BodyVec::new(columns[4][k], columns[5][k], columns[6][k]);
            if rows.held[row] {
                q = Quat::from_array(rows.q[chunk].map(|c| c[k]));
                omega = BodyVec::from_array(rows.omega[chunk].map(|c| c[k]));
            }
            let seen = &mut rows.seen[row];
            let kick = 0.5 * dt * inverse_mass[k];
            for axis in 0..3 {
                seen.position[axis] = position[axis][k];
                seen.velocity[axis] = velocity[axis][k] + load.force[axis][k] * kick;
            }
            seen.omega = q.to_lab(omega).to_array();
            seen.q = q.to_array();
        }
    }
}

/// The longest way of any sphere centre: that of the centre of mass, and the chord of the turn. A point at
/// distance L moves by 2 L sin(θ/2) ≤ 2 L |q′ − q|.
pub(super) struct Displacement<'a> {
    pub(super) before: &'a Block<4>,
    pub(super) after: &'a Block<4>,
    pub(super) velocity: [&'a [f64]; 3],
    pub(super) arm: &'a [f64],
    pub(super) dt: f64,
    /// Room for the way of each row.
    pub(super) ways: &'a mut [f64; ROWS],
}

impl Kernel for Displacement<'_> {
    type Output = u64;
    #[inline(always)]
    fn run(self) -> u64 {
        let Self { before: [w, x, y, z], after: [w2, x2, y2, z2], velocity: [vx, vy, vz], arm, dt, ways } =
            self;
        let n = arm.len();
        let (vx, vy, vz) = (&vx[..n], &vy[..n], &vz[..n]);
        assert!(n <= ROWS);
        for i in 0..n {
            let (dw, dx, dy, dz) = (w2[i] - w[i], x2[i] - x[i], y2[i] - y[i], z2[i] - z[i]);
            let turn = (dw * dw + dx * dx + dy * dy + dz * dz).sqrt();
            let speed = (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]).sqrt();
            ways[i] = speed * dt + 2.0 * arm[i] * turn;
        }
        // As integers, since a maximum of floating-point numbers is not vectorised; without the sign, which NaN
        // may have.
        let mut longest = 0;
        for way in &ways[..n] {
            longest = longest.max(way.abs().to_bits().cast_signed());
        }
        longest.cast_unsigned()
    }
}
