//! SPIRAL, synchronous form — del Valle et al. 2024, appendix A, eqs. (A.1)–(A.3).
//!
//! q turns by Δtω, then by ½Δt²ω̇, both of the beginning of the step; then ω kicks as in the leapfrog form.
//! Accurate for a torque constant in the body frame. Any other torque is seen only at the beginning of the
//! step, which makes the scheme **first order**: take a leapfrog or kick–drift–kick scheme then.

use crate::citations::DEL_VALLE_2024;
use crate::kicks::ssp_rk3_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{Real, exp_map::exp_step};

/// SPIRAL with q and ω at the same instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpiralSynchronous;

impl RotationScheme for SpiralSynchronous {
    const INFO: SchemeInfo = SchemeInfo {
        name: "spiral-synchronous",
        summary: "SSP-RK3 for ω, exponentials of ω and ω̇ of the old instant for q",
        citation: DEL_VALLE_2024,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(2, 3), (2, 3), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let dt = drive.dt;
        let torque = spin.q.to_body(drive.torque);
        let omega_dot = drive.inertia.acceleration(spin.omega, torque);
        let first = exp_step(spin.omega * dt);
        let second = exp_step(omega_dot * (dt * dt * R::lit(0.5)));
        let q = spin.q.then(first * second); // eqs. (A.2), (A.3)
        (Spin { q, omega: ssp_rk3_kick(spin.omega, torque, drive.inertia, dt) }, ())
    }
}
