//! Velocity Verlet — del Valle et al. 2024, eqs. (B.2)–(B.3).
//!
//! q moves with ω(t + ½Δt). Eq. (B.2) prints ω(t + Δt), which is not known yet and does not reproduce the
//! paper's errors; the half-step value does, to all printed digits. First order: the Euler half steps of
//! ω's coupling term, and the straight line of q followed by a normalisation, leave errors that add up.

use crate::citations::VERLET_1967;
use crate::kicks::{euler_kick, kicked};
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Half kicks around a straight-line drift.
#[derive(Clone, Copy, Debug, Default)]
pub struct VelocityVerlet;

impl RotationScheme for VelocityVerlet {
    const INFO: SchemeInfo = SchemeInfo {
        name: "velocity-verlet",
        summary: "half kicks around a straight-line drift of q",
        citation: VERLET_1967,
        time_level: TimeLevel::KickDriftKick,
        torque_times: &[1.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let Spin { q, omega } = kicked(spin, drive, 0.5, euler_kick);
        let q = q + q.derivative(omega) * drive.dt;
        (Spin { q: q.normalised(), omega }, ())
    }

    #[inline(always)]
    fn at_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> Spin<R> {
        kicked(spin, drive, 0.5, euler_kick)
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        (kicked(spin, drive, 0.5, euler_kick), ())
    }
}
