//! Magnus leapfrog — SPIRAL with the terms it leaves out.
//!
//! ωₙ₋½ → ωₙ₊½ by fourth-order Runge–Kutta with the torque held in the body frame. The fourth-order Magnus
//! expansion of q̇ = ½qω about the half step then gives the rotation vector
//! u = Δt ω + Δt³/24 ω̈ + Δt³/12 ω × ω̇ (this order for the right-hand product), all at t + ½Δt.
//! Fourth order for a constant torque, second for a general one, one torque per step, no normalisation.
//!
//! Holding the torque in the body is what makes it fourth order there, and what costs it the exact balance of
//! angular momentum: the body turns under the torque, so the lab sees Δt³/24 (ω × (ω × τ) + ω̇ × τ) more than
//! the impulse Δt τ, and τₙ is held half a step longer for q than for ω, which turns L by Δt³/8 J⁻¹(ω × τ)
//! more (tests/invariants.rs). Two bodies in contact do not get opposite amounts of that.

use crate::citations::ISERLES_1999;
use crate::kicks::{Euler, kicked, rk4_kick};
use crate::maps::magnus_4;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Leapfrog with the fourth-order Magnus expansion.
#[derive(Clone, Copy, Debug, Default)]
pub struct MagnusLeapfrog;

impl RotationScheme for MagnusLeapfrog {
    const INFO: SchemeInfo = SchemeInfo {
        name: "magnus-leapfrog",
        summary: "RK4 for ω, fourth-order Magnus expansion for q",
        citation: ISERLES_1999,
        time_level: TimeLevel::Leapfrog,
        torque_times: &[0.0],
        orders: Orders::new([(4, 4), (4, 4), (2, 2), (2, 2)]),
        conserves: Conserves::NOTHING,
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        (kicked(spin, drive, -0.5, rk4_kick), ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = rk4_kick(spin.omega, torque, drive.inertia, drive.dt);
        let mean = magnus_4(Euler::new(torque, drive.inertia, drive.dt), omega, drive.dt);
        (Spin { q: spin.q.turn_body(mean, drive.dt), omega }, ())
    }

    #[inline(always)]
    fn synchronise<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> Spin<R> {
        kicked(spin, drive, 0.5, rk4_kick)
    }
}
