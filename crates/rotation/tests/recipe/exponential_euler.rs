//! Exponential Euler — where it was published, with equation numbers.
//!
//! What a reader must know: which of several schemes of that name this is, misprints, what it is good for.

use tumble_rotation::citations::ZHAO_2013;
use tumble_rotation::kicks::euler_kick;
use tumble_rotation::math::Real;
use tumble_rotation::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};

/// Euler step for ω, exponential of the new ω for q.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExponentialEuler;

impl RotationScheme for ExponentialEuler {
    const INFO: SchemeInfo = SchemeInfo {
        name: "exponential-euler",
        summary: "Euler step for ω, exponential of the new ω for q",
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
        let omega = euler_kick(spin.omega, torque, drive.inertia, drive.dt);
        (Spin { q: spin.q.turn_body(omega, drive.dt), omega }, ())
    }
}
