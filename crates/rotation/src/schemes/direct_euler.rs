//! Direct Euler — del Valle et al. 2024, eq. (B.1).
//!
//! Explicit Euler for ω, then for q with the new ω; normalised. First order.

use crate::citations::DEL_VALLE_2024;
use crate::kicks::euler_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Euler steps for ω, then q.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectEuler;

impl RotationScheme for DirectEuler {
    const INFO: SchemeInfo = SchemeInfo {
        name: "direct-euler",
        summary: "Euler steps for ω, then for q with the new ω",
        citation: DEL_VALLE_2024,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = euler_kick(spin.omega, torque, drive.inertia, drive.dt);
        let q = spin.q + spin.q.derivative(omega) * drive.dt;
        (Spin { q: q.normalised(), omega }, ())
    }
}
