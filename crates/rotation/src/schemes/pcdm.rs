//! Predictor–corrector direct multiplication (PCDM) — Zhao & van Wachem 2013, eqs. (55)–(63).
//!
//! q is predicted to the half step, where ω and ω̇ are taken for the whole step. The torque, however, is the
//! one of the beginning of the step: second order only while that torque does not change in the lab.
//! A left product with a lab vector is a right product with the same vector seen from the body.

use crate::citations::ZHAO_2013;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Predictor–corrector with exponential maps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pcdm;

impl RotationScheme for Pcdm {
    const INFO: SchemeInfo = SchemeInfo {
        name: "pcdm",
        summary: "midpoint predictor–corrector with exponential maps, torque of the old instant",
        citation: ZHAO_2013,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(2, 2), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let inertia = drive.inertia;
        let dt = drive.dt;
        let omega_dot = inertia.acceleration(spin.omega, spin.q.to_body(drive.torque)); // eqs. (55), (56)
        let quarter = spin.omega + omega_dot * (dt * R::lit(0.25)); // eq. (57)
        let half = spin.omega + omega_dot * (dt * R::lit(0.5));
        let q_half = spin.q.turn_body(quarter, dt * R::lit(0.5)); // eqs. (58), (59)
        let omega_dot = inertia.acceleration(half, q_half.to_body(drive.torque));
        let q = spin.q.turn_lab(q_half.to_lab(half), dt); // eqs. (60), (61)
        (Spin { q, omega: spin.omega + omega_dot * dt }, ()) // eq. (62)
    }
}
