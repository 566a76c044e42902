//! How finely a run computes: what is `f32` in a run in single precision, and what stays `f64`.
//!
//! Storage is `f64` either way. In single precision the columns of orientations, spins, memories and forces of contacts
//! hold numbers that `f32` has; a kernel takes them as `f32`, computes a body or a contact with those alone, and gives them
//! back. So the bits are those of an engine that stores `f32`, and nothing but kernels knows of it. What is summed up
//! from step to step is not rounded: positions, of displacements; velocities, of kicks, which would else be lost where
//! steps are short; forces on bodies, energies. What lies between two positions is taken in `f64`: see
//! [`Float::nearby`].

use tumble_math::{LabVec, Quat, Vec3};
use tumble_rotation::batch::Vectorised;

/// How finely a run computes.
///
/// ```
/// use tumble_dem::Precision;
/// assert_eq!(Precision::from_name("single"), Some(Precision::Single));
/// assert_eq!(Precision::default(), Precision::Double);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `f64` everywhere: 16 digits.
    #[default]
    Double,
    /// `f32` for bodies and contacts, 7 digits; `f64` for positions, velocities and sums.
    Single,
}

impl Precision {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Double, Self::Single];

    /// The name in scenes and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Single => "single",
        }
    }

    /// What it is, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Double => "64 bits everywhere",
            Self::Single => "32 bits for bodies and contacts, 64 for positions, velocities and sums",
        }
    }

    /// The precision of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|precision| precision.name() == name)
    }

    /// See [`Float::SLACK`].
    pub(crate) const fn slack(self) -> f64 {
        match self {
            Self::Double => f64::SLACK,
            Self::Single => f32::SLACK,
        }
    }

    /// The number nearest to `x` that a run in this precision has.
    pub(crate) fn round(self, x: f64) -> f64 {
        match self {
            Self::Double => x,
            Self::Single => f64::from(f32::narrow(x)),
        }
    }
}

/// The numbers that kernels compute with. For `f64` everything here is the identity.
pub(crate) trait Float: Vectorised {
    /// How far rounding can put a piece of a body from where it would be, in parts of its distance from the centre of
    /// mass.
    const SLACK: f64;

    /// The nearest one.
    #[inline(always)]
    fn narrow(x: f64) -> Self {
        Self::lit(x)
    }

    /// As `f64`.
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }

    /// A point of the lab as kernels of a contact take it: from `origin`, a point near the contact, so that no digit is
    /// lost far from the origin of the lab. In double precision, the point itself.
    fn nearby(point: LabVec<f64>, origin: LabVec<f64>) -> LabVec<Self>;
}

impl Float for f64 {
    const SLACK: f64 = 0.0;

    #[inline(always)]
    fn nearby(point: LabVec<f64>, _: LabVec<f64>) -> LabVec<f64> {
        point
    }
}

impl Float for f32 {
    // A turn of a template to the lab and the product with a point are some ten roundings.
    const SLACK: f64 = 16.0 * f32::EPSILON as f64;

    #[inline(always)]
    fn nearby(point: LabVec<f64>, origin: LabVec<f64>) -> LabVec<f32> {
        narrow(point - origin)
    }
}

/// The nearest vector.
#[inline(always)]
pub(crate) fn narrow<R: Float, F>(v: Vec3<f64, F>) -> Vec3<R, F> {
    Vec3::new(R::narrow(v.x), R::narrow(v.y), R::narrow(v.z))
}

/// A vector as `f64`.
#[inline(always)]
pub(crate) fn wide<R: Float, F>(v: Vec3<R, F>) -> Vec3<f64, F> {
    Vec3::new(v.x.wide(), v.y.wide(), v.z.wide())
}

/// The nearest numbers. Written out, since a closure for each is not always inlined, and a loop would lose its vectors.
#[inline(always)]
pub(crate) fn narrow3<R: Float>([x, y, z]: [f64; 3]) -> [R; 3] {
    [R::narrow(x), R::narrow(y), R::narrow(z)]
}

/// Numbers as `f64`.
#[inline(always)]
pub(crate) fn wide3<R: Float>([x, y, z]: [R; 3]) -> [f64; 3] {
    [x.wide(), y.wide(), z.wide()]
}

/// The nearest quaternion.
#[inline(always)]
pub(crate) fn narrow_q<R: Float>(q: Quat<f64>) -> Quat<R> {
    let [w, x, y, z] = q.to_array();
    Quat::new(R::narrow(w), R::narrow(x), R::narrow(y), R::narrow(z))
}
