//! Omelyan's advanced leapfrog — del Valle et al. 2024, eqs. (B.10)–(B.12).
//!
//! ω leaps with the products ω_αω_β at t replaced by the mean of their values at t ∓ ½Δt, found by three
//! fixed-point iterations; q turns by the Cayley map, which keeps its length.

use crate::citations::OMELYAN_1998;
use crate::kicks::{Euler, kicked};
use crate::maps::cayley;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{BodyVec, Real};

/// Leapfrog with averaged products, Cayley map.
#[derive(Clone, Copy, Debug, Default)]
pub struct Omelyan;

impl RotationScheme for Omelyan {
    const INFO: SchemeInfo = SchemeInfo {
        name: "omelyan",
        summary: "leapfrog with averaged products of ω (three iterations), Cayley map for q",
        citation: OMELYAN_1998,
        time_level: TimeLevel::Leapfrog,
        torque_times: &[0.0],
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves::NOTHING,
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        (kicked(spin, drive, -0.5, advance), ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = advance(spin.omega, torque, drive.inertia, drive.dt);
        (Spin { q: spin.q.then(cayley(omega * drive.dt)), omega }, ())
    }

    #[inline(always)]
    fn synchronise<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> Spin<R> {
        kicked(spin, drive, 0.5, advance)
    }
}

/// ω(t − ½Δt) → ω(t + ½Δt), eqs. (B.10)–(B.12): three iterations, as the paper does.
#[inline(always)]
fn advance<R: Real, I: Inertia<R>>(omega: BodyVec<R>, torque: BodyVec<R>, inertia: I, dt: R) -> BodyVec<R> {
    let euler = Euler::new(torque, inertia, dt);
    let start = euler.increment(omega);
    let mut next = omega;
    for _ in 0..3 {
        next = omega + (start + euler.increment(next)) * R::lit(0.5); // eq. (B.11)
    }
    next
}
