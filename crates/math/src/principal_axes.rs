//! Principal moments and axes of a tensor of inertia, by Jacobi's rotations.
//!
//! Each rotation turns the frame about one axis so that one product of inertia vanishes; the turns are
//! collected in a quaternion, so the frame is right-handed and orthonormal by construction. A product is
//! negligible when it is small against the *geometric mean* of its two moments, which keeps small moments
//! accurate beside large ones (Demmel & Veselić, SIAM J. Matrix Anal. Appl. 13 (1992) 1204). Set-up code, not
//! a kernel: it branches.

use crate::{BodyVec, Lab, Quat, Real, SymTensor};
use core::fmt;

/// The principal frame of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxes {
    /// The principal moments of inertia in ascending order: an elongated body has its long axis along x.
    pub moments: BodyVec<f64>,
    /// Takes vectors in the principal frame to the frame that the tensor was given in. Of the four
    /// right-handed frames that fit, the one that is turned least.
    pub orientation: Quat<f64>,
}

/// Why a tensor has no principal moments of inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PrincipalAxesError {
    /// An element is infinite or NaN.
    NotFinite,
    /// This moment is zero or negative: the tensor is not that of an extended body.
    NotPositive(f64),
}

impl fmt::Display for PrincipalAxesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => write!(f, "the tensor of inertia has an infinite or undefined element"),
            Self::NotPositive(moment) => {
                write!(f, "the tensor of inertia has the principal moment {moment:e}: not positive")
            }
        }
    }
}

impl core::error::Error for PrincipalAxesError {}

/// Sweeps converge quadratically; the bound only makes the end of the loop evident.
const MAX_SWEEPS: usize = 40;

impl SymTensor<f64, Lab> {
    /// The principal moments and axes of this tensor of inertia.
    ///
    /// Axes of equal moments are as they come; a tensor already diagonal and ascending gives the identity.
    ///
    /// ```
    /// use tumble_math::{BodyVec, LabVec, SymTensor};
    /// let inertia = SymTensor::new(LabVec::new(2.0, 2.0, 7.0), LabVec::new(0.0, 0.0, -1.0));
    /// let axes = inertia.principal_axes()?;
    /// assert!((axes.moments - BodyVec::new(1.0, 3.0, 7.0)).norm() < 1e-14);
    /// # Ok::<(), tumble_math::PrincipalAxesError>(())
    /// ```
    pub fn principal_axes(self) -> Result<PrincipalAxes, PrincipalAxesError> {
        let mut moments = self.diagonal.to_array();
        let mut products = self.off_diagonal.to_array();
        if !moments.iter().chain(&products).all(|x| x.is_finite()) {
            return Err(PrincipalAxesError::NotFinite);
        }
        let mut q = Quat::identity();
        for _ in 0..MAX_SWEEPS {
            let turns = [0, 1, 2].map(|axis| annihilate(&mut moments, &mut products, axis));
            q = turns.into_iter().flatten().fold(q, |q, turn| q * turn);
            if turns == [None; 3] {
                break;
            }
        }
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            if moments[j] < moments[i] {
                moments.swap(i, j);
                q = q * half_angle_turn(3 - i - j, Real::sqrt(0.5), Real::sqrt(0.5));
            }
        }
        if moments[0] <= 0.0 {
            return Err(PrincipalAxesError::NotPositive(moments[0]));
        }
        // A half turn about any axis leaves the tensor as it is, and is exact.
        let frames = [0, 1, 2].map(|axis| q * half_angle_turn(axis, 0.0, 1.0));
        let nearest = frames.into_iter().fold(q, |best, q| if q.w.abs() > best.w.abs() { q } else { best });
        let upright = if nearest.w < 0.0 { -nearest } else { nearest };
        Ok(PrincipalAxes { moments: BodyVec::from_array(moments), orientation: upright.normalised() })
    }
}

/// Turns the frame about `axis` so that the product of inertia of the other two vanishes: |angle| ≤ π/4.
/// Returns the turn, or nothing where that product is negligible.
fn annihilate(moments: &mut [f64; 3], products: &mut [f64; 3], axis: usize) -> Option<Quat<f64>> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let product = products[axis];
    let mean = Real::sqrt(moments[i].abs()) * Real::sqrt(moments[j].abs());
    if product.abs() <= 0.125 * f64::EPSILON * mean {
        return None;
    }
    // tan 2α = 2 product/(Iᵢ − Iⱼ); t = tan α is the smaller root of t² + 2 t cot 2α − 1.
    let cot = 0.5 * (moments[i] - moments[j]) / product;
    let t = f64::copysign(1.0, cot) / (cot.abs() + Real::sqrt(1.0 + cot * cot));
    let cos = 1.0 / Real::sqrt(1.0 + t * t);
    let sin = t * cos;
    moments[i] += t * product;
    moments[j] -= t * product;
    products[axis] = 0.0;
    (products[j], products[i]) =
        (cos * products[j] + sin * products[i], cos * products[i] - sin * products[j]);
    let cos_half = Real::sqrt(0.5 + 0.5 * cos);
    Some(half_angle_turn(axis, cos_half, 0.5 * sin / cos_half))
}

/// The quaternion of a turn about a coordinate axis, from cosine and sine of half its angle.
fn half_angle_turn(axis: usize, cos: f64, sin: f64) -> Quat<f64> {
    let mut vector = [0.0; 3];
    vector[axis] = sin;
    Quat::from_parts(cos, BodyVec::<f64>::from_array(vector))
}
