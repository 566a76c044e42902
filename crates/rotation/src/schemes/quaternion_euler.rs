//! Euler method for quaternions — Zhao & van Wachem 2013, eqs. (31)–(32).
//!
//! As Direct Euler, but q moves with the ω of the *beginning* of the step; normalised. First order.
//! The paper gives no update of ω for it; explicit Euler is what reproduces its results.

use crate::citations::ZHAO_2013;
use crate::kicks::euler_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Euler steps for q and ω.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuaternionEuler;

impl RotationScheme for QuaternionEuler {
    const INFO: SchemeInfo = SchemeInfo {
        name: "quaternion-euler",
        summary: "Euler steps for q and ω from the same instant",
        citation: ZHAO_2013,
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
        let q = spin.q + spin.q.derivative(spin.omega) * drive.dt; // eq. (31)
        let omega = euler_kick(spin.omega, torque, drive.inertia, drive.dt);
        (Spin { q: q.normalised(), omega }, ()) // eq. (32)
    }
}
