//! Vectors that know their frame: a [`LabVec`] and a [`BodyVec`] cannot be added.
//!
//! ```compile_fail
//! use tumble_math::{BodyVec, LabVec};
//! let torque = LabVec::new(1.0, 0.0, 0.0) + BodyVec::new(0.0, 1.0, 0.0);   // does not compile
//! ```
//! A [`Quat`](crate::Quat) takes a vector from one frame to the other.

use crate::Real;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};

/// Marks the inertial frame of the laboratory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lab {}

/// Marks the frame of a body's principal axes, which turns with the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {}

/// A vector in the frame `F`.
///
/// ```
/// # use tumble_math::{BodyVec, LabVec};
/// assert_eq!(format!("{:?}", LabVec::new(0.0, 0.0, -9.81)), "Lab(0.0, 0.0, -9.81)");
/// assert_eq!(format!("{:.1?}", BodyVec::new(1.0, 2.0, 3.0)), "Body(1.0, 2.0, 3.0)");
/// ```
#[derive(PartialEq)]
pub struct Vec3<R, F> {
    /// First component.
    pub x: R,
    /// Second component.
    pub y: R,
    /// Third component.
    pub z: R,
    frame: PhantomData<F>,
}

/// A vector in the laboratory frame.
pub type LabVec<R> = Vec3<R, Lab>;
/// A vector in the principal-axis frame of a body.
pub type BodyVec<R> = Vec3<R, Body>;

// Derived, these would ask the frame marker to be Clone and Copy as well.
impl<R: Clone, F> Clone for Vec3<R, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        Self::new(self.x.clone(), self.y.clone(), self.z.clone())
    }
}
impl<R: Copy, F> Copy for Vec3<R, F> {}

/// The name of the frame and the components.
impl<R: fmt::Debug, F> fmt::Debug for Vec3<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = core::any::type_name::<F>().rsplit("::").next().unwrap_or_default();
        f.debug_tuple(frame).field(&self.x).field(&self.y).field(&self.z).finish()
    }
}

impl<R, F> Vec3<R, F> {
    /// The vector (x, y, z).
    #[inline(always)]
    pub const fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z, frame: PhantomData }
    }
}

impl<R: Copy, F> Vec3<R, F> {
    /// The components as an array.
    #[inline(always)]
    pub const fn to_array(self) -> [R; 3] {
        [self.x, self.y, self.z]
    }

    /// The vector with these components.
    #[inline(always)]
    pub const fn from_array(a: [R; 3]) -> Self {
        Self::new(a[0], a[1], a[2])
    }
}

impl<R: Real, F> Default for Vec3<R, F> {
    #[inline(always)]
    fn default() -> Self {
        Self::zero()
    }
}

impl<R: Real, F> Vec3<R, F> {
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::new(R::lit(0.0), R::lit(0.0), R::lit(0.0))
    }

    /// The scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> R {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector product.
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// The product component by component, as with a diagonal tensor.
    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Self::new(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// The squared length.
    #[inline(always)]
    pub fn norm_squared(self) -> R {
        self.dot(self)
    }

    /// The length.
    #[inline(always)]
    pub fn norm(self) -> R {
        self.norm_squared().sqrt()
    }
}

impl<R: Real, F> Add for Vec3<R, F> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl<R: Real, F> Sub for Vec3<R, F> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl<R: Real, F> Neg for Vec3<R, F> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl<R: Real, F> Mul<R> for Vec3<R, F> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }
}
impl<F> Vec3<f64, F> {
    /// The vector of length one in the same direction, or zero where there is no direction.
    ///
    /// ```
    /// use tumble_math::LabVec;
    /// assert_eq!(LabVec::new(0.0, -4.0, 0.0).unit(), LabVec::new(0.0, -1.0, 0.0));
    /// assert_eq!(LabVec::<f64>::zero().unit(), LabVec::zero());
    /// ```
    pub fn unit(self) -> Self {
        let length = self.norm();
        if length > 0.0 { self * (1.0 / length) } else { Self::zero() }
    }

    /// The coordinate axis that is farthest from the direction of the vector: never parallel to it, so a cross product
    /// with it is safe.
    ///
    /// ```
    /// use tumble_math::LabVec;
    /// assert_eq!(LabVec::new(3.0, -0.1, 2.0).farthest_axis(), LabVec::new(0.0, 1.0, 0.0));
    /// ```
    pub fn farthest_axis(self) -> Self {
        let [x, y, z] = self.to_array().map(f64::abs);
        if x <= y && x <= z {
            Self::new(1.0, 0.0, 0.0)
        } else if y <= z {
            Self::new(0.0, 1.0, 0.0)
        } else {
            Self::new(0.0, 0.0, 1.0)
        }
    }
}
