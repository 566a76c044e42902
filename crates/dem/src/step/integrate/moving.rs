//! The loops that move and show bodies, compiled for every instruction set.

use super::rows::Rows;
use super::scratch::{BlockColumns, LoadBlock};
use crate::columns::{Chunk, ROWS, set_row};
use crate::domain::{Axis, Domain};
use crate::physics::body::{drift, kick, longest_displacement, omega_at_force, velocity_at_force};
use crate::physics::cell::{AxisStep, drift_with_cell, slide_with_cell};
use crate::precision::{Float, narrow, narrow_q, narrow3, wide};
use crate::step::Deformation;
use core::marker::PhantomData;
use core::ops::Range;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::batch::Kernel;

/// The leapfrog: a kick by the force, then a drift.
pub(super) struct Translate<'a, R> {
    pub(super) position: [&'a mut [f64]; 3],
    pub(super) velocity: [&'a mut [f64]; 3],
    pub(super) force: &'a BlockColumns<3>,
    pub(super) inverse_mass: &'a [f64],
    pub(super) dt: R,
    pub(super) deformation: Option<&'a Deformation>,
}

impl<R: Float> Kernel for Translate<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        if let Some(deformation) = self.deformation {
            return self.with_cell(deformation);
        }
        for ((position, velocity), force) in self.position.into_iter().zip(self.velocity).zip(self.force) {
            let rows = position.iter_mut().zip(velocity.iter_mut()).zip(force.iter().zip(self.inverse_mass));
            for ((position, velocity), (force, inverse_mass)) in rows {
                *velocity += kick(R::narrow(*force), R::narrow(*inverse_mass), self.dt).wide();
                *position += drift(R::narrow(*velocity), self.dt).wide();
            }
        }
    }
}

impl<R: Float> Translate<'_, R> {
    /// The same where the space deforms.
    #[inline(always)]
    fn with_cell(mut self, deformation: &Deformation) {
        let Some((flow, gradient, slide)) = &deformation.slide else {
            return (0..3).for_each(|axis| self.along(axis, &deformation.axes[axis]));
        };
        self.along(*flow, &deformation.axes[*flow]);
        // Before bodies move along the gradient.
        let dt = self.dt.wide();
        if let (Ok([position, across]), Ok([velocity, kicked])) = (
            self.position.get_disjoint_mut([*flow, *gradient]),
            self.velocity.get_disjoint_mut([*flow, *gradient]),
        ) {
            let along = position.iter_mut().zip(velocity.iter_mut());
            let forces = self.force[*gradient].iter().zip(self.inverse_mass);
            let rows = along.zip(across.iter().zip(kicked.iter())).zip(forces);
            for (((position, velocity), (across, kicked)), (force, inverse_mass)) in rows {
                let kicked = *kicked + kick(*force, *inverse_mass, dt);
                (*position, *velocity) = slide_with_cell(*position, *velocity, *across, kicked, slide);
            }
        }
        for axis in (0..3).filter(|axis| axis != flow) {
            self.along(axis, &deformation.axes[axis]);
        }
    }

    /// A step along one axis whose length changes.
    #[inline(always)]
    fn along(&mut self, axis: usize, step: &AxisStep<f64>) {
        let rows = self.position[axis].iter_mut().zip(self.velocity[axis].iter_mut());
        let dt = self.dt.wide();
        for ((position, velocity), (force, inverse_mass)) in
            rows.zip(self.force[axis].iter().zip(self.inverse_mass))
        {
            let kicked = *velocity + kick(*force, *inverse_mass, dt);
            (*position, *velocity) = drift_with_cell(*position, kicked, dt, step);
        }
    }
}

/// Puts whoever left a periodic domain, of the first rows of a chunk, where it comes in again: by its own position and nothing else, so
/// that neither lists nor rows have a part in it.
pub(super) fn go_round(columns: &mut Chunk<3>, count: usize, domain: &Domain) {
    if domain.tilt().is_some() {
        for row in 0..count {
            let place = domain.wrap(LabVec::from_array(columns.each_ref().map(|column| column[row])));
            set_row(columns, row, place.to_array());
        }
        return;
    }
    for (column, axis) in columns.iter_mut().zip(domain.axes) {
        if let Axis::Periodic { low, high } = axis {
            let rows = &mut column[..count];
            let outside = rows.iter().fold(false, |any, x| any | !(low..high).contains(x));
            if outside {
                for x in rows {
                    *x = axis.wrap(*x);
                }
            }
        }
    }
}

/// Shows rows to whoever asks for velocities: everything at the instant of the force.
pub(super) struct Show<'a, 'b, R> {
    pub(super) rows: &'a mut Rows<'b>,
    pub(super) range: Range<usize>,
    pub(super) seen: &'a BlockColumns<7>,
    pub(super) load: &'a LoadBlock,
    pub(super) inverse_mass: &'a [f64; ROWS],
    pub(super) dt: R,
}

impl<R: Float> Kernel for Show<'_, '_, R> {
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
            let body = &mut rows.at_force[row];
            for axis in 0..3 {
                body.position[axis] = position[axis][k];
                let [velocity, force, inverse_mass] =
                    narrow3([velocity[axis][k], load.force[axis][k], inverse_mass[k]]);
                body.velocity[axis] = velocity_at_force::<R>(velocity, force, inverse_mass, dt).wide();
            }
            let lab = omega_at_force::<R>(narrow_q(q), narrow(omega));
            body.omega = wide(lab).to_array();
            body.q = q.to_array();
        }
    }
}

/// How far the farthest sphere centre of each body moves, and the longest of these displacements.
pub(super) struct Displacement<'a, R> {
    pub(super) before: &'a BlockColumns<4>,
    pub(super) after: &'a BlockColumns<4>,
    pub(super) velocity: [&'a [f64]; 3],
    pub(super) arm: &'a [f64],
    pub(super) dt: f64,
    /// Rows that count; those after them fill up vectors.
    pub(super) count: usize,
    /// Room for the displacement of each row.
    pub(super) displacements: &'a mut [f64; ROWS],
    pub(super) float: PhantomData<R>,
}

impl<R: Float> Kernel for Displacement<'_, R> {
    type Output = u64;
    #[inline(always)]
    fn run(self) -> u64 {
        let Self {
            before: [w, x, y, z],
            after: [w2, x2, y2, z2],
            velocity: [vx, vy, vz],
            arm,
            dt,
            count,
            displacements,
            ..
        } = self;
        let n = arm.len();
        let (vx, vy, vz) = (&vx[..n], &vy[..n], &vz[..n]);
        assert!(n <= ROWS);
        for i in 0..n {
            let before = Quat::new(w[i], x[i], y[i], z[i]);
            let after = Quat::new(w2[i], x2[i], y2[i], z2[i]);
            displacements[i] =
                longest_displacement(before, after, LabVec::new(vx[i], vy[i], vz[i]), arm[i], dt);
            if R::SLACK > 0.0 {
                displacements[i] = displacements[i] * (1.0 + R::SLACK) + arm[i] * R::SLACK;
            }
        }
        // As integers, since a maximum of floating-point numbers is not vectorised; without the sign, which NaN
        // may have.
        let mut longest = 0;
        for displacement in &displacements[..count] {
            longest = longest.max(displacement.abs().to_bits().cast_signed());
        }
        longest.cast_unsigned()
    }
}
