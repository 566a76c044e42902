//! Volume, centre of mass and tensor of inertia of a clump, per unit density.
//!
//! The sum over spheres is the multi-sphere slides' eqs. (4.89) and (4.90), generalised from identical
//! spheres on principal axes to any spheres and the full tensor. The union is in `union`.

use super::{ClumpCapsule, ClumpError, ClumpPieces, ClumpSphere, capsule, convex, ellipsoid, hull, union};
use std::f64::consts::PI;
use tumble_math::{Lab, LabVec, SymTensor};

/// How the mass of a clump follows from its spheres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MassModel {
    /// A homogeneous body that fills the union of the spheres: overlaps count once.
    #[default]
    Union,
    /// Every sphere has its own mass: overlaps count as often as spheres cover them.
    SumOfSpheres,
    /// The body that the spheres approximate has these properties, in the frame of the spheres.
    Given {
        /// Volume, m³.
        volume: f64,
        /// Centre of mass, m.
        centre: LabVec<f64>,
        /// Tensor of inertia about the centre of mass, divided by the density, m⁵.
        inertia: SymTensor<f64, Lab>,
    },
}

/// The integrals of a homogeneous body that its motion depends on, divided by its density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Volume, m³.
    pub volume: f64,
    /// Centre of mass, m.
    pub centre: LabVec<f64>,
    /// Tensor of inertia about the centre of mass, divided by the density, m⁵.
    pub inertia: SymTensor<f64, Lab>,
}

/// Lengths whose fifth powers, with room for sums, are normal numbers.
pub(super) const LENGTHS: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// By how much rounding may let one moment exceed the sum of the other two, relative to it.
const TRIANGLE_TOLERANCE: f64 = 1e-9;

impl MassProperties {
    /// The properties of a clump under this model, in the frame of its spheres.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpSphere, MassModel, MassProperties};
    /// // A fibre of length 3 D: five spheres, their centres D/2 apart.
    /// let fibre = [0.0, 0.005, 0.01, 0.015, 0.02].map(|x| ClumpSphere::new([x, 0.0, 0.0], 0.005));
    /// let body = MassProperties::new(&fibre, MassModel::Union)?;
    /// assert!((body.volume / 1.963_495e-6 - 1.0).abs() < 1e-6);
    /// let sum = MassProperties::new(&fibre, MassModel::SumOfSpheres)?;
    /// assert!(sum.volume > 1.3 * body.volume);
    /// # Ok::<(), tumble_dem::clump::ClumpError>(())
    /// ```
    pub fn new(spheres: &[ClumpSphere], model: MassModel) -> Result<Self, ClumpError> {
        check(spheres)?;
        match model {
            MassModel::Union if union::is_integrable(spheres) => Ok(union::properties(spheres)),
            MassModel::Union => Err(ClumpError::TooManyOverlaps { spheres: spheres.len() }),
            MassModel::SumOfSpheres => Ok(sum_of_spheres(spheres)),
            MassModel::Given { volume, centre, inertia } => {
                let given = Self { volume, centre, inertia };
                given.check_possible()?;
                Ok(given)
            }
        }
    }

    /// The properties of spheres and capsules under this model, in their frame. Of the union of a capsule and a piece that it
    /// overlaps there is no closed form, and the properties of such a body have to be given; pieces that are within others
    /// do not count.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpCapsule, MassModel, MassProperties};
    /// let fibre = ClumpCapsule::new([0.0, 0.0, 0.0], [0.02, 0.0, 0.0], 0.005);
    /// let body = MassProperties::with_capsules(&[], &[fibre], MassModel::Union)?;
    /// // A cylinder and a sphere.
    /// let volume = std::f64::consts::PI * 0.005 * 0.005 * (0.02 + 4.0 / 3.0 * 0.005);
    /// assert!((body.volume / volume - 1.0).abs() < 1e-15);
    /// # Ok::<(), tumble_dem::clump::ClumpError>(())
    /// ```
    pub fn with_capsules(
        spheres: &[ClumpSphere],
        capsules: &[ClumpCapsule],
        model: MassModel,
    ) -> Result<Self, ClumpError> {
        if capsules.is_empty() {
            Self::new(spheres, model)
        } else {
            capsule::properties(spheres, capsules, model)
        }
    }

    /// The properties of pieces of all kinds under this model, in their frame. As of capsules, there is no closed form for the union of an ellipsoid or a
    /// polyhedron and a piece that it overlaps.
    pub fn of(pieces: ClumpPieces<'_>, model: MassModel) -> Result<Self, ClumpError> {
        if !pieces.hulls.is_empty() {
            convex::properties(pieces, &hull::surfaces(pieces.hulls)?, model)
        } else if pieces.ellipsoids.is_empty() {
            Self::with_capsules(pieces.spheres, pieces.capsules, model)
        } else {
            ellipsoid::properties(pieces, model)
        }
    }

    /// From ∫dV, ∫x dV and ∫x xᵀ dV about `origin`.
    pub(super) fn from_moments(
        origin: LabVec<f64>,
        volume: f64,
        first: LabVec<f64>,
        second: SymTensor<f64, Lab>,
    ) -> Self {
        let offset = first * (1.0 / volume);
        let spread = second - dyad(offset, offset) * volume;
        let trace = spread.trace();
        let isotropic = SymTensor::from_diagonal(LabVec::new(trace, trace, trace));
        Self { volume, centre: origin + offset, inertia: isotropic - spread }
    }

    fn check_possible(&self) -> Result<(), ClumpError> {
        if !(self.volume > 0.0 && self.volume.is_finite()) {
            return Err(ClumpError::GivenVolume(self.volume));
        }
        if !self.centre.to_array().into_iter().all(f64::is_finite) {
            return Err(ClumpError::GivenCentre);
        }
        let axes = self.inertia.principal_axes().map_err(ClumpError::Inertia)?;
        let moments @ [a, b, c] = axes.moments.to_array();
        if c > (a + b) * (1.0 + TRIANGLE_TOLERANCE) {
            return Err(ClumpError::TriangleInequality { moments });
        }
        Ok(())
    }
}

/// The symmetric part of a bᵀ.
pub(super) fn dyad(a: LabVec<f64>, b: LabVec<f64>) -> SymTensor<f64, Lab> {
    let product = |p: f64, q: f64, r: f64, s: f64| 0.5 * (p * s + q * r);
    SymTensor::new(
        a.times(b),
        LabVec::new(product(a.y, a.z, b.y, b.z), product(a.x, a.z, b.x, b.z), product(a.x, a.y, b.x, b.y)),
    )
}

/// The middle of the box around the spheres: the origin about which little cancels.
pub(super) fn middle(spheres: &[ClumpSphere]) -> LabVec<f64> {
    LabVec::from_array([0, 1, 2].map(|axis| {
        let ends = spheres.iter().map(|s| (s.centre.to_array()[axis], s.radius));
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (x, radius)| {
            (f64::min(low, x - radius), f64::max(high, x + radius))
        });
        0.5 * low + 0.5 * high
    }))
}

fn check(spheres: &[ClumpSphere]) -> Result<(), ClumpError> {
    if spheres.is_empty() {
        return Err(ClumpError::NoSpheres);
    }
    for (sphere, &ClumpSphere { centre, radius }) in spheres.iter().enumerate() {
        if !(radius.is_finite() && centre.to_array().into_iter().all(f64::is_finite)) {
            return Err(ClumpError::NotFinite { sphere });
        }
        if radius <= 0.0 {
            return Err(ClumpError::NonPositiveRadius { sphere, radius });
        }
        if !LENGTHS.contains(&radius) {
            return Err(ClumpError::OutOfRange { sphere, length: radius });
        }
        if let Some(length) = centre.to_array().into_iter().find(|x| x.abs() > *LENGTHS.end()) {
            return Err(ClumpError::OutOfRange { sphere, length });
        }
    }
    Ok(())
}

fn sum_of_spheres(spheres: &[ClumpSphere]) -> MassProperties {
    let origin = middle(spheres);
    let (mut volume, mut first, mut second) = (0.0, LabVec::zero(), dyad(LabVec::zero(), LabVec::zero()));
    for &ClumpSphere { centre, radius } in spheres {
        let (x, square) = (centre - origin, radius * radius);
        let own = 4.0 / 3.0 * PI * (square * radius);
        // ∫x² dV of a sphere about its own centre is V R²/5 along each axis.
        let spread = SymTensor::from_diagonal(LabVec::new(square, square, square) * 0.2);
        volume += own;
        first = first + x * own;
        second = second + (dyad(x, x) + spread) * own;
    }
    MassProperties::from_moments(origin, volume, first, second)
}
