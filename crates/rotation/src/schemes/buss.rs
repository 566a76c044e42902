//! Buss — del Valle et al. 2024, eqs. (B.7)–(B.9), the form PFC 7 documents.
//!
//! q turns about a mean ω̄ with the commutator term; the lab angular momentum takes an Euler step. The paper
//! writes it in the lab frame; since 2q̇ = ω_lab q = q ω_body, the same product is formed here on the right
//! with body vectors.

use crate::citations::BUSS_2000;
use crate::maps::seen_from;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Augmented second-order rotation, Euler for the momentum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Buss;

impl RotationScheme for Buss {
    const INFO: SchemeInfo = SchemeInfo {
        name: "buss",
        summary: "rotation with commutator term, Euler step of the lab angular momentum",
        citation: BUSS_2000,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(2, 2), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves { momentum: true, ..Conserves::NOTHING },
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let inertia = drive.inertia;
        let dt = drive.dt;
        let torque = spin.q.to_body(drive.torque);
        let omega_dot = inertia.acceleration(spin.omega, torque); // eq. (B.7)
        let mean = spin.omega
            + omega_dot * (dt * R::lit(0.5))
            + omega_dot.cross(spin.omega) * (dt * dt * R::lit(1.0 / 12.0)); // eq. (B.8)
        let q = spin.q.turn_body(mean, dt); // eq. (B.9)
        let momentum = inertia.momentum(spin.omega) + torque * dt;
        (Spin { q, omega: inertia.velocity_near(spin.omega, seen_from(q, spin.q, momentum)) }, ())
    }
}
