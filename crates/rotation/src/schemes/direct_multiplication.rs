//! Direct multiplication — Zhao & van Wachem 2013, eqs. (46)–(52).
//!
//! q turns by the exponential of the ω at the beginning of the step (eq. 49; eq. 48 misplaces Δt); ω takes an
//! explicit Euler step. Keeps |q|, but is first order.

use crate::citations::ZHAO_2013;
use crate::kicks::euler_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Exponential of the initial ω.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectMultiplication;

impl RotationScheme for DirectMultiplication {
    const INFO: SchemeInfo = SchemeInfo {
        name: "direct-multiplication",
        summary: "exponential of the initial ω",
        citation: ZHAO_2013,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let q = spin.q.turn_body(spin.omega, drive.dt); // eqs. (49), (50)
        let omega = euler_kick(spin.omega, torque, drive.inertia, drive.dt);
        (Spin { q, omega }, ())
    }
}
