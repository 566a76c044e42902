//! Rotations of one step that several schemes share.

use crate::Inertia;
use crate::kicks::Euler;
use tumble_math::{BodyVec, Quat, Real};

/// The Cayley map of a rotation vector: (1 + β)²/(1 + |β|²) with β = u/4, a unit quaternion without a root.
/// Its angle is 4 atan(|u|/4), which is |u| to third order (Omelyan eq. B.10).
#[inline(always)]
pub fn cayley<R: Real>(u: BodyVec<R>) -> Quat<R> {
    let beta = u * R::lit(0.25);
    let square = beta.norm_squared();
    let scale = R::lit(1.0) / (R::lit(1.0) + square);
    Quat::from_parts((R::lit(1.0) - square) * scale, beta * (R::lit(2.0) * scale))
}

/// The mean angular velocity of a step from ω at its middle: ω + Δt²/24 ω̈ + Δt²/12 ω × ω̇, the Magnus
/// expansion to fourth order for a torque constant in the body frame.
#[inline(always)]
pub fn magnus_4<R: Real, I: Inertia<R>>(euler: Euler<R, I>, omega: BodyVec<R>, dt: R) -> BodyVec<R> {
    let first = euler.increment(omega); // Δt ω̇
    let commutator = omega.cross(first) * (dt * R::lit(1.0 / 12.0));
    if I::SPHERICAL {
        return omega + commutator;
    }
    omega + (commutator + euler.second_increment(omega, first) * R::lit(1.0 / 24.0))
}

/// A vector fixed in the lab, seen from the body at `q`, given as the body saw it at `start`.
///
/// The way through the lab, `q.to_body(start.to_lab(v))`, is the same, but its rounding does not vanish with
/// the turn from `start` to `q`, and would add up over many small steps.
#[inline(always)]
pub fn seen_from<R: Real>(q: Quat<R>, start: Quat<R>, v: BodyVec<R>) -> BodyVec<R> {
    (start.conjugate() * q).counter_rotate(v)
}
