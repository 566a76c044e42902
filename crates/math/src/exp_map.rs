//! The exponential map between rotation vectors u (axis times angle θ) and unit quaternions
//! (cos θ/2, u sin(θ/2)/θ), and its inverse. No function here branches, and none divides zero by zero.
//!
//! | function | valid for | accuracy | cost |
//! | --- | --- | --- | --- |
//! | [`exp_step`] | θ ≤ 2π | 3 ε to half a turn, 10⁻⁷ to a full one | two polynomials in θ²; no root, no division |
//! | [`exp`] | θ ≲ 10⁶ (`f64`), 10³ (`f32`) | 3 ε at any angle | a root, two divisions, 150 operations |
//! | [`log`] | any unit quaternion | 4 ε of the result, down to θ = 0 | two roots, two divisions |
//!
//! Accuracy is that of each component, in units of ε = 2⁻⁵² (`f64`) or 2⁻²³ (`f32`). As θ falls below one,
//! that of the vector part becomes relative to the angle: 2 ε of it, however small, |u|² underflowing or not.
//!
//! Integrators use [`exp_step`]: a body that turns more than half a turn in a time step is not being followed.

use crate::elementary::{cos_and_sinc, two_product, two_sum};
use crate::{Constant, Quat, Real, Vec3};

/// cos θ/2 and sin(θ/2)/θ.
#[derive(Clone, Copy, Debug)]
pub struct HalfTurn<R> {
    /// cos θ/2
    pub cos: R,
    /// sin(θ/2)/θ, which is ½ at θ = 0
    pub sin_over_angle: R,
}

/// [`HalfTurn`] from θ², for θ ≤ 2π.
#[inline(always)]
pub fn half_turn<R: Real>(angle_squared: R) -> HalfTurn<R> {
    let (cos, sinc) = cos_and_sinc(angle_squared * R::lit(0.25));
    HalfTurn { cos, sin_over_angle: sinc * R::lit(0.5) }
}

/// The exponential of a rotation vector with |u| ≤ 2π: all that one time step needs.
#[inline(always)]
pub fn exp_step<R: Real, F>(u: Vec3<R, F>) -> Quat<R> {
    let HalfTurn { cos, sin_over_angle } = half_turn(u.norm_squared());
    Quat::from_parts(cos, u * sin_over_angle)
}

/// The exponential of a rotation vector of any length.
///
/// The length is carried to twice the working precision, then reduced by multiples of π, so that the
/// result is good to a few units in the last place after thousands of turns too.
#[inline(always)]
pub fn exp<R: Real, F>(u: Vec3<R, F>) -> Quat<R> {
    let zero = R::lit(0.0);
    let one = R::lit(1.0);
    // |u|² = square + rest, exactly but for the last place of the rest.
    let (xx, ex) = two_product(u.x, u.x);
    let (yy, ey) = two_product(u.y, u.y);
    let (zz, ez) = two_product(u.z, u.z);
    let (s, es) = two_sum(xx, yy);
    let (square, et) = two_sum(s, zz);
    let rest = (es + et) + ((ex + ey) + ez);
    // |u| = angle + correction, one Newton step beyond the rounded root.
    let angle = square.sqrt();
    let is_zero = angle.lt(R::lit(1e-18));
    let safe_angle = R::select(is_zero, one, angle);
    let (aa, ea) = two_product(angle, angle);
    let correction = (((square - aa) - ea) + rest) / (safe_angle * R::lit(2.0));
    // θ/2 = kπ + r with |r| ≤ π/2.
    let half = angle * R::lit(0.5);
    let k = (half * R::lit(core::f64::consts::FRAC_1_PI)).round();
    let r = (half - k * R::constant(Constant::PiHigh)) - k * R::constant(Constant::PiMiddle);
    let r = (r - k * R::constant(Constant::PiLow)) + correction * R::lit(0.5);
    let odd = k - R::lit(2.0) * (k * R::lit(0.5) - R::lit(0.25)).round();
    let sign = one - R::lit(2.0) * odd;
    let (cos, sinc) = cos_and_sinc(r * r);
    // sin(θ/2)/θ = r·sinc(r)/θ; without reduction r = θ/2 and the quotient is ½, zero angle included.
    let reduced = zero.lt(k.abs());
    let r_over_angle = R::select(reduced, r / safe_angle, R::lit(0.5));
    Quat::from_parts(sign * cos, u * (sign * sinc * r_over_angle))
}

/// The rotation vector of a unit quaternion, of the two with |u| ≤ π the one that q and −q share.
///
/// With c = |w| and s = |(x, y, z)| the angle is θ = 8 atan(t), t = tan(θ/8), found by halving θ/2 twice:
/// tan(θ/4) = s/(1 + c), tan(θ/8) = tan(θ/4)/(1 + √(1 + tan²(θ/4))). Dividing through by s leaves no 0/0.
#[inline(always)]
pub fn log<R: Real, F>(q: Quat<R>) -> Vec3<R, F> {
    let one = R::lit(1.0);
    let v: Vec3<R, F> = q.vector();
    let flip = q.w.lt(R::lit(0.0));
    let c = R::select(flip, -q.w, q.w);
    let per_s = one / (q.norm() + c);
    let quarter_squared = v.norm_squared() * (per_s * per_s);
    let per_quarter = one / (one + (one + quarter_squared).sqrt());
    let t_squared = quarter_squared * (per_quarter * per_quarter);
    let scale = R::lit(8.0) * (crate::elementary::atan_over(t_squared) * (per_s * per_quarter));
    v * R::select(flip, -scale, scale)
}
