//! Walton & Braun's leapfrog — Zhao & van Wachem 2013, eqs. (33)–(39).
//!
//! The implicit midpoint rule (33)–(34) for q solves to q̃ = fββ with β = 1 + ¼Δtω. Eq. (38) rounds the factor
//! f off at second order; the normalisation the paper asks for restores it, so the step is exactly the Cayley
//! map. The papers leave open how ω crosses the step: here by the explicit midpoint rule.

use crate::citations::WALTON_1993;
use crate::kicks::{kicked, midpoint_kick};
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{Quat, Real};

/// Leapfrog with the midpoint rule for q.
#[derive(Clone, Copy, Debug, Default)]
pub struct WaltonBraun;

impl RotationScheme for WaltonBraun {
    const INFO: SchemeInfo = SchemeInfo {
        name: "walton-braun",
        summary: "leapfrog, midpoint rule for q",
        citation: WALTON_1993,
        time_level: TimeLevel::Leapfrog,
        torque_times: &[0.0],
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        (kicked(spin, drive, -0.5, midpoint_kick), ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = midpoint_kick(spin.omega, torque, drive.inertia, drive.dt);
        let one = R::lit(1.0);
        let beta = Quat::from_parts(one, omega * (drive.dt * R::lit(0.25))); // eq. (36)
        let square = beta.norm_squared();
        let f = square / (square * R::lit(2.0) - one); // eqs. (37), (38)
        let q = spin.q * ((beta * beta) * f); // eqs. (35), (39), on the right for a body ω
        (Spin { q: q.normalised(), omega }, ())
    }

    #[inline(always)]
    fn synchronise<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> Spin<R> {
        kicked(spin, drive, 0.5, midpoint_kick)
    }
}
