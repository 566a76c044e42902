//! 3×3 matrices that know their frames, among them the rotation matrix of a body.
//!
//! `Mat3<R, To, From>` takes vectors in the frame `From` to vectors in the frame `To`, so a product whose
//! inner frames differ does not compile. A [`RotationMatrix`] goes from body to lab (the *inverse* of the
//! matrix A of the multi-sphere slides, which goes from space to body); its columns are the body's axes seen
//! from the lab. A [`Tensor`] stays in one frame.
//!
//! Quaternion to matrix is Zhao & van Wachem, Acta Mech. 224 (2013) 3091, eq. (20). The way back is Shepperd,
//! J. Guid. Control 1 (1978) 223: divide by the largest of the four components, so nothing cancels.

use crate::{Body, BodyVec, Lab, LabVec, Quat, Real, Vec3};
use core::marker::PhantomData;
use core::ops::{Add, Mul, Sub};

/// A matrix that takes vectors in the frame `From` to vectors in the frame `To`.
#[derive(Debug, PartialEq)]
pub struct Mat3<R, To, From> {
    /// The elements, row by row.
    pub rows: [[R; 3]; 3],
    frames: PhantomData<(To, From)>,
}

/// A matrix that takes body vectors to the lab: orthonormal, or on its way to being so.
///
/// ```
/// use tumble_math::{BodyVec, Quat, RotationMatrix};
/// let q = Quat::from_rotation_vector(BodyVec::new(0.1, -3.0, 0.7_f64));
/// let a = RotationMatrix::from(q);
/// let v = BodyVec::new(1.0, 2.0, 3.0);
/// assert!((a.to_lab(v) - q.to_lab(v)).norm() < 1e-14);
/// assert!((Quat::from(a).dot(q).abs() - 1.0).abs() < 1e-15);
/// ```
pub type RotationMatrix<R> = Mat3<R, Lab, Body>;
/// A second-order tensor in the frame `F`.
pub type Tensor<R, F> = Mat3<R, F, F>;

// Derived, these would ask the frame markers to be Clone and Copy as well.
impl<R: Clone, To, From> Clone for Mat3<R, To, From> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self::new(self.rows.clone())
    }
}
impl<R: Copy, To, From> Copy for Mat3<R, To, From> {}

impl<R, To, From> Mat3<R, To, From> {
    /// The matrix with these rows.
    #[inline(always)]
    pub const fn new(rows: [[R; 3]; 3]) -> Self {
        Self { rows, frames: PhantomData }
    }
}

impl<R: Copy, To, From> Mat3<R, To, From> {
    /// The matrix with these columns: the images of the axes of `From`.
    #[inline(always)]
    pub fn from_columns([a, b, c]: [Vec3<R, To>; 3]) -> Self {
        Self::new([[a.x, b.x, c.x], [a.y, b.y, c.y], [a.z, b.z, c.z]])
    }

    /// The columns: the images of the axes of `From`.
    #[inline(always)]
    pub fn columns(self) -> [Vec3<R, To>; 3] {
        self.transpose().rows.map(Vec3::from_array)
    }

    /// The transpose, which for a rotation is the inverse.
    #[inline(always)]
    pub fn transpose(self) -> Mat3<R, From, To> {
        let [a, b, c] = self.rows;
        Mat3::new([[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]])
    }
}

impl<R: Real, To, From> Mat3<R, To, From> {
    /// The determinant.
    #[inline(always)]
    pub fn determinant(self) -> R {
        let [a, b, c] = self.columns();
        a.dot(b.cross(c))
    }
}

impl<R: Real, F> Tensor<R, F> {
    /// The identity.
    #[inline(always)]
    pub fn identity() -> Self {
        let (one, zero) = (R::lit(1.0), R::lit(0.0));
        Self::new([[one, zero, zero], [zero, one, zero], [zero, zero, one]])
    }

    /// The skew matrix of `v`: times a vector u it gives v × u.
    #[inline(always)]
    pub fn cross_matrix(v: Vec3<R, F>) -> Self {
        let zero = R::lit(0.0);
        Self::new([[zero, -v.z, v.y], [v.z, zero, -v.x], [-v.y, v.x, zero]])
    }
}

impl<R: Real> RotationMatrix<R> {
    /// A body vector seen from the lab.
    #[inline(always)]
    pub fn to_lab(self, v: BodyVec<R>) -> LabVec<R> {
        self * v
    }

    /// A lab vector seen from the body.
    #[inline(always)]
    pub fn to_body(self, v: LabVec<R>) -> BodyVec<R> {
        self.transpose() * v
    }

    /// The columns scaled to unit length, each by itself.
    #[inline(always)]
    pub fn with_unit_columns(self) -> Self {
        Self::from_columns(self.columns().map(unit))
    }

    /// The rotation that Gram and Schmidt make of a nearly orthonormal matrix: the first column keeps its
    /// direction, the second its plane with the first, and the third completes a right-handed frame.
    #[inline(always)]
    pub fn orthonormalised(self) -> Self {
        let [a, b, _] = self.columns();
        let a = unit(a);
        let b = unit(b - a * a.dot(b));
        Self::from_columns([a, b, a.cross(b)])
    }
}

#[inline(always)]
fn unit<R: Real, F>(v: Vec3<R, F>) -> Vec3<R, F> {
    v * (R::lit(1.0) / v.norm())
}

impl<R: Real> From<Quat<R>> for RotationMatrix<R> {
    /// Zhao & van Wachem eq. (20), for a unit quaternion.
    #[inline(always)]
    fn from(q: Quat<R>) -> Self {
        let (one, two) = (R::lit(1.0), R::lit(2.0));
        let twice = q * two;
        let (wx, wy, wz) = (q.w * twice.x, q.w * twice.y, q.w * twice.z);
        let (xx, xy, xz) = (q.x * twice.x, q.x * twice.y, q.x * twice.z);
        let (yy, yz, zz) = (q.y * twice.y, q.y * twice.z, q.z * twice.z);
        Self::new([
            [one - (yy + zz), xy - wz, xz + wy],
            [xy + wz, one - (xx + zz), yz - wx],
            [xz - wy, yz + wx, one - (xx + yy)],
        ])
    }
}

impl<R: Real> From<RotationMatrix<R>> for Quat<R> {
    /// Of q and −q the one whose largest component is positive. Of unit length even where the matrix is not
    /// quite orthonormal.
    #[inline(always)]
    fn from(a: RotationMatrix<R>) -> Self {
        let one = R::lit(1.0);
        let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = a.rows;
        let trace = xx + (yy + zz);
        let (wx, wy, wz) = (zy - yz, xz - zx, yx - xy);
        let (sx, sy, sz) = (zy + yz, xz + zx, yx + xy);
        // Rows of 4 q qᵀ. Each is a multiple of q; the longest belongs to the largest component.
        let by_w = Quat::new(one + trace, wx, wy, wz);
        let by_x = Quat::new(wx, (one + xx) - (yy + zz), sz, sy);
        let by_y = Quat::new(wy, sz, (one + yy) - (xx + zz), sx);
        let by_z = Quat::new(wz, sy, sx, (one + zz) - (xx + yy));
        // 4w² − 1 is the trace and 4x² − 1 is 2xx − trace, so w² < x² where trace < xx.
        let (x_beats_w, z_beats_y) = (trace.lt(xx), yy.lt(zz));
        let (by_w_or_x, w_or_x) = (Quat::select(x_beats_w, by_x, by_w), R::select(x_beats_w, xx, trace));
        let (by_y_or_z, y_or_z) = (Quat::select(z_beats_y, by_z, by_y), R::select(z_beats_y, zz, yy));
        Quat::select(w_or_x.lt(y_or_z), by_y_or_z, by_w_or_x).normalised()
    }
}

impl<R: Real, To, From> Mul<Vec3<R, From>> for Mat3<R, To, From> {
    type Output = Vec3<R, To>;
    #[inline(always)]
    fn mul(self, v: Vec3<R, From>) -> Vec3<R, To> {
        Vec3::from_array(self.rows.map(|row| Vec3::from_array(row).dot(v)))
    }
}

impl<R: Real, To, Via, From> Mul<Mat3<R, Via, From>> for Mat3<R, To, Via> {
    type Output = Mat3<R, To, From>;
    #[inline(always)]
    fn mul(self, other: Mat3<R, Via, From>) -> Mat3<R, To, From> {
        Mat3::from_columns(other.columns().map(|column| self * column))
    }
}

impl<R: Real, To, From> Mul<R> for Mat3<R, To, From> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.rows.map(|row| row.map(|element| element * s)))
    }
}

impl<R: Real, To, From> Add for Mat3<R, To, From> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns(), other.columns());
        Self::from_columns([a + d, b + e, c + f])
    }
}

impl<R: Real, To, From> Sub for Mat3<R, To, From> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.columns(), other.columns());
        Self::from_columns([a - d, b - e, c - f])
    }
}
