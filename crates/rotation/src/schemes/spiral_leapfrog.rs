//! SPIRAL, leapfrog form — del Valle et al. 2024, eqs. (7), (9), (10).
//!
//! qₙ, ωₙ₋½ and τₙ give ωₙ₊½ by a third-order Runge–Kutta step with the torque held, then qₙ₊₁ by the exponential
//! of ωₙ₊½. Third order in ω for a constant torque; the exponential leaves out the commutator of ω at
//! different times, so q is second order. The first ω comes half a step back by the same kick.

use crate::citations::DEL_VALLE_2024;
use crate::kicks::{kicked, ssp_rk3_kick};
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// SPIRAL: SSP-RK3 for ω, exponential map for q.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpiralLeapfrog;

impl RotationScheme for SpiralLeapfrog {
    const INFO: SchemeInfo = SchemeInfo {
        name: "spiral-leapfrog",
        summary: "SSP-RK3 for ω, exponential of ω at the half step for q",
        citation: DEL_VALLE_2024,
        time_level: TimeLevel::Leapfrog,
        torque_times: &[0.0],
        orders: Orders::new([(2, 3), (2, 3), (2, 2), (2, 2)]),
        conserves: Conserves::NOTHING,
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        (kicked(spin, drive, -0.5, ssp_rk3_kick), ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = ssp_rk3_kick(spin.omega, torque, drive.inertia, drive.dt); // eqs. (9), (10)
        (Spin { q: spin.q.turn_body(omega, drive.dt), omega }, ()) // eq. (7)
    }

    #[inline(always)]
    fn synchronise<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> Spin<R> {
        kicked(spin, drive, 0.5, ssp_rk3_kick)
    }
}
