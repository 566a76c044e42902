//! Quaternions: a unit quaternion takes body vectors to the lab, `v_lab = q v_body q*`.
//!
//! With this convention `q̇ = ½ q ω_body = ½ ω_lab q`. A rotation given in the body frame multiplies on the
//! right, one given in the lab frame on the left; [`Quat::turn_body`] and [`Quat::turn_lab`] take the vector
//! type that fits, so the two cannot be mixed up.

use crate::elementary::cos_and_sinc;
use crate::exp_map;
use crate::{BodyVec, LabVec, Real, Vec3};
use core::ops::{Add, Mul, Neg, Sub};

/// A quaternion w + x i + y j + z k. Of unit length, it is the orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat<R> {
    /// Real part.
    pub w: R,
    /// Coefficient of i.
    pub x: R,
    /// Coefficient of j.
    pub y: R,
    /// Coefficient of k.
    pub z: R,
}

impl<R> Quat<R> {
    /// The quaternion w + x i + y j + z k.
    #[inline(always)]
    pub const fn new(w: R, x: R, y: R, z: R) -> Self {
        Self { w, x, y, z }
    }
}

impl<R: Copy> Quat<R> {
    /// The components (w, x, y, z).
    #[inline(always)]
    pub const fn to_array(self) -> [R; 4] {
        [self.w, self.x, self.y, self.z]
    }

    /// The quaternion with components (w, x, y, z).
    #[inline(always)]
    pub const fn from_array(a: [R; 4]) -> Self {
        Self::new(a[0], a[1], a[2], a[3])
    }

    /// The vector part, in whatever frame the caller means.
    #[inline(always)]
    pub const fn vector<F>(self) -> Vec3<R, F> {
        Vec3::new(self.x, self.y, self.z)
    }
}

impl<R: Real> Quat<R> {
    /// The identity: body and lab axes coincide.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::new(R::lit(1.0), R::lit(0.0), R::lit(0.0), R::lit(0.0))
    }

    /// The quaternion with real part `w` and vector part `v`.
    #[inline(always)]
    pub fn from_parts<F>(w: R, v: Vec3<R, F>) -> Self {
        Self::new(w, v.x, v.y, v.z)
    }

    /// `yes` where the mask holds, else `no`.
    #[inline(always)]
    pub fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self::new(
            R::select(mask, yes.w, no.w),
            R::select(mask, yes.x, no.x),
            R::select(mask, yes.y, no.y),
            R::select(mask, yes.z, no.z),
        )
    }

    /// The conjugate, the inverse of a unit quaternion.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self::new(self.w, -self.x, -self.y, -self.z)
    }

    /// The squared length.
    #[inline(always)]
    pub fn norm_squared(self) -> R {
        (self.w * self.w + self.x * self.x) + (self.y * self.y + self.z * self.z)
    }

    /// The length.
    #[inline(always)]
    pub fn norm(self) -> R {
        self.norm_squared().sqrt()
    }

    /// The scalar product of two quaternions.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        (self.w * other.w + self.x * other.x) + (self.y * other.y + self.z * other.z)
    }

    /// This quaternion scaled to unit length.
    #[inline(always)]
    pub fn normalised(self) -> Self {
        self * (R::lit(1.0) / self.norm())
    }

    /// A body vector seen from the lab: q v q*.
    #[inline(always)]
    pub fn to_lab(self, v: BodyVec<R>) -> LabVec<R> {
        let r = rotate(self.w, self.vector(), v);
        LabVec::new(r.x, r.y, r.z)
    }

    /// A lab vector seen from the body: q* v q.
    #[inline(always)]
    pub fn to_body(self, v: LabVec<R>) -> BodyVec<R> {
        let r = rotate(-self.w, self.vector(), v);
        BodyVec::new(r.x, r.y, r.z)
    }

    /// q* v q within one frame: how a vector fixed in space looks from a frame that has turned by q.
    #[inline(always)]
    pub fn counter_rotate<F>(self, v: Vec3<R, F>) -> Vec3<R, F> {
        rotate(-self.w, self.vector(), v)
    }

    /// q̇ = ½ q ω for an angular velocity in the body frame.
    #[inline(always)]
    pub fn derivative(self, omega: BodyVec<R>) -> Self {
        self.times_vector(omega * R::lit(0.5))
    }

    /// The product q v with a vector taken as a pure quaternion.
    #[inline(always)]
    pub fn times_vector<F>(self, v: Vec3<R, F>) -> Self {
        Self::new(
            -(self.x * v.x + self.y * v.y + self.z * v.z),
            self.w * v.x + (self.y * v.z - self.z * v.y),
            self.w * v.y + (self.z * v.x - self.x * v.z),
            self.w * v.z + (self.x * v.y - self.y * v.x),
        )
    }

    /// Turns the body for the time `dt` at the angular velocity `omega` given in its own frame: q exp(ω Δt).
    /// Accurate up to a full turn, |ω| Δt ≤ 2π; see [`exp_map`]. The length of q stays one, as in
    /// [`then`](Self::then).
    #[inline(always)]
    pub fn turn_body(self, omega: BodyVec<R>, dt: R) -> Self {
        self.turn(self.times_vector(omega), omega.norm_squared(), dt)
    }

    /// Turns the body for the time `dt` at the angular velocity `omega` given in the lab frame: exp(ω Δt) q.
    /// Accurate up to a full turn, |ω| Δt ≤ 2π; see [`exp_map`]. The length of q stays one, as in
    /// [`then`](Self::then).
    #[inline(always)]
    pub fn turn_lab(self, omega: LabVec<R>, dt: R) -> Self {
        // ω q = (q* ω*)* = −(q* ω)* for a pure quaternion ω.
        let product = -self.conjugate().times_vector(omega).conjugate();
        self.turn(product, omega.norm_squared(), dt)
    }

    /// q cos θ/2 + (q ω) sin(θ/2)/|ω|: the product with ω does not wait for the angle.
    #[inline(always)]
    fn turn(self, times_omega: Self, omega_squared: R, dt: R) -> Self {
        let half = dt * R::lit(0.5);
        let f = self.norm_correction();
        let (cos, sinc) = cos_and_sinc(omega_squared * (half * half));
        self * (cos * f) + times_omega * (sinc * (half * f))
    }

    /// The product q δ with a unit quaternion δ, its length kept at one.
    ///
    /// A product of two unit quaternions is a unit quaternion only up to rounding, and the error of a
    /// *constant* δ would grow with the number of steps. The factor (3 − |q|²)/2, one Newton step of
    /// 1/|q|, takes out what the last step left behind without a root or a division.
    #[inline(always)]
    pub fn then(self, delta: Self) -> Self {
        self * (delta * self.norm_correction())
    }

    #[inline(always)]
    fn norm_correction(self) -> R {
        R::lit(1.5) - R::lit(0.5) * self.norm_squared()
    }

    /// The quaternion of the rotation vector `u` (axis times angle), accurate at any angle.
    #[inline(always)]
    pub fn from_rotation_vector<F>(u: Vec3<R, F>) -> Self {
        exp_map::exp(u)
    }

    /// The rotation vector of the shorter way to this orientation, 0 ≤ |u| ≤ π.
    #[inline(always)]
    pub fn rotation_vector<F>(self) -> Vec3<R, F> {
        exp_map::log(self)
    }
}

/// q v q* for a unit q = (w, a), as v + 2a×(a×v + w v).
#[inline(always)]
fn rotate<R: Real, F>(w: R, a: Vec3<R, F>, v: Vec3<R, F>) -> Vec3<R, F> {
    let t = a.cross(v);
    let t = t + t;
    v + t * w + a.cross(t)
}

impl<R: Real> Mul for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self::new(
            (self.w * b.w - self.x * b.x) - (self.y * b.y + self.z * b.z),
            (self.w * b.x + self.x * b.w) + (self.y * b.z - self.z * b.y),
            (self.w * b.y + self.y * b.w) + (self.z * b.x - self.x * b.z),
            (self.w * b.z + self.z * b.w) + (self.x * b.y - self.y * b.x),
        )
    }
}

impl<R: Real> Mul<R> for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.w * s, self.x * s, self.y * s, self.z * s)
    }
}

impl<R: Real> Add for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::new(self.w + b.w, self.x + b.x, self.y + b.y, self.z + b.z)
    }
}

impl<R: Real> Sub for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::new(self.w - b.w, self.x - b.x, self.y - b.y, self.z - b.z)
    }
}

impl<R: Real> Neg for Quat<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.w, -self.x, -self.y, -self.z)
    }
}
