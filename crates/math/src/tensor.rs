//! Second-order tensors, and how a quaternion alone takes them from one frame to the other:
//! Zhao & van Wachem, Acta Mech. 224 (2013) 3091, eq. (29), I′ = (q (q I q⁻¹)ᵀ q⁻¹)ᵀ.
//!
//! There q acts on each column of what it encloses. Each of the two passes changes the frame of one index.

use crate::{Body, Lab, Mat3, Quat, Real, Tensor, Vec3};
use core::ops::{Add, Mul, Sub};

/// A symmetric second-order tensor in the frame `F`, such as a tensor of inertia.
///
/// ```
/// use tumble_math::{BodyVec, Quat, SymTensor};
/// // A rod along the body's x axis, stood upright.
/// let rod = SymTensor::from_diagonal(BodyVec::new(1.0, 5.0, 5.0));
/// let q = Quat::from_rotation_vector(BodyVec::new(0.0, core::f64::consts::FRAC_PI_2, 0.0));
/// let upright = rod.to_lab(q);
/// assert!((upright.diagonal.z - 1.0).abs() < 1e-14 && (upright.diagonal.x - 5.0).abs() < 1e-14);
/// ```
#[derive(Debug, PartialEq)]
pub struct SymTensor<R, F> {
    /// The elements xx, yy and zz.
    pub diagonal: Vec3<R, F>,
    /// The elements yz, xz and xy: the i-th is the one without the i-th axis. Those of a tensor of inertia
    /// are the products of inertia with a minus sign, xy = −∫ x y dm.
    pub off_diagonal: Vec3<R, F>,
}

// Derived, these would ask the frame marker to be Clone and Copy as well.
impl<R: Clone, F> Clone for SymTensor<R, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self::new(self.diagonal.clone(), self.off_diagonal.clone())
    }
}
impl<R: Copy, F> Copy for SymTensor<R, F> {}

impl<R, F> SymTensor<R, F> {
    /// The tensor with the elements (xx, yy, zz) and (yz, xz, xy).
    #[inline(always)]
    pub const fn new(diagonal: Vec3<R, F>, off_diagonal: Vec3<R, F>) -> Self {
        Self { diagonal, off_diagonal }
    }
}

impl<R: Real, F> SymTensor<R, F> {
    /// The tensor whose principal axes are those of its frame.
    #[inline(always)]
    pub fn from_diagonal(diagonal: Vec3<R, F>) -> Self {
        Self::new(diagonal, Vec3::zero())
    }

    /// The dyad v vᵀ.
    #[inline(always)]
    pub fn dyad(v: Vec3<R, F>) -> Self {
        Self::new(v.times(v), Vec3::new(v.y * v.z, v.x * v.z, v.x * v.y))
    }

    /// The sum of the diagonal.
    #[inline(always)]
    pub fn trace(self) -> R {
        self.diagonal.x + self.diagonal.y + self.diagonal.z
    }

    /// The symmetric tensor that shares the upper triangle of `t`.
    #[inline(always)]
    fn from_upper(t: Tensor<R, F>) -> Self {
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = t.rows;
        Self::new(Vec3::new(xx, yy, zz), Vec3::new(yz, xz, xy))
    }
}

impl<R: Real> SymTensor<R, Body> {
    /// This tensor seen from the lab.
    #[inline(always)]
    pub fn to_lab(self, q: Quat<R>) -> SymTensor<R, Lab> {
        SymTensor::from_upper(Tensor::from(self).to_lab(q))
    }
}

impl<R: Real> SymTensor<R, Lab> {
    /// This tensor seen from the body.
    #[inline(always)]
    pub fn to_body(self, q: Quat<R>) -> SymTensor<R, Body> {
        SymTensor::from_upper(Tensor::from(self).to_body(q))
    }
}

impl<R: Real> Tensor<R, Body> {
    /// This tensor seen from the lab.
    #[inline(always)]
    pub fn to_lab(self, q: Quat<R>) -> Tensor<R, Lab> {
        let half_way: Mat3<R, Lab, Body> = Mat3::from_columns(self.columns().map(|v| q.to_lab(v)));
        Tensor::from_columns(half_way.transpose().columns().map(|v| q.to_lab(v))).transpose()
    }
}

impl<R: Real> Tensor<R, Lab> {
    /// This tensor seen from the body.
    #[inline(always)]
    pub fn to_body(self, q: Quat<R>) -> Tensor<R, Body> {
        let half_way: Mat3<R, Body, Lab> = Mat3::from_columns(self.columns().map(|v| q.to_body(v)));
        Tensor::from_columns(half_way.transpose().columns().map(|v| q.to_body(v))).transpose()
    }
}

impl<R: Real, F> From<SymTensor<R, F>> for Tensor<R, F> {
    #[inline(always)]
    fn from(t: SymTensor<R, F>) -> Self {
        let (d, o) = (t.diagonal, t.off_diagonal);
        Self::new([[d.x, o.z, o.y], [o.z, d.y, o.x], [o.y, o.x, d.z]])
    }
}

impl<R: Real, F> Mul<Vec3<R, F>> for SymTensor<R, F> {
    type Output = Vec3<R, F>;
    #[inline(always)]
    fn mul(self, v: Vec3<R, F>) -> Vec3<R, F> {
        Tensor::from(self) * v
    }
}

impl<R: Real, F> Mul<R> for SymTensor<R, F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.diagonal * s, self.off_diagonal * s)
    }
}

impl<R: Real, F> Add for SymTensor<R, F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.diagonal + other.diagonal, self.off_diagonal + other.off_diagonal)
    }
}

impl<R: Real, F> Sub for SymTensor<R, F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.diagonal - other.diagonal, self.off_diagonal - other.off_diagonal)
    }
}
