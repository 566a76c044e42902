//! A shape that many bodies share, in its principal frame.

use super::{ClumpError, ClumpSphere, MassModel, MassProperties};
use tumble_math::{BodyVec, LabVec, Quat, SymTensor};

/// One sphere of a template, in the principal frame about the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemplateSphere {
    /// The centre relative to the centre of mass, along the principal axes, m.
    pub centre: BodyVec<f64>,
    /// The radius, m.
    pub radius: f64,
}

/// A rigid shape made of spheres; immutable, so that bodies can share it.
///
/// The principal moments ascend, so an elongated shape lies along its body's x axis; [`orientation`] and
/// [`centre`] say how the shape stood in the frame it was given in. All spheres given are kept, in their
/// order, for contacts; what of them carries mass is the [`MassModel`]'s affair.
///
/// ```
/// use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
/// let spheres = [ClumpSphere::new([0.0, 0.0, 1.0], 0.5), ClumpSphere::new([0.0, 0.0, 1.5], 0.5)];
/// let pair = ClumpTemplate::new("pair", &spheres, MassModel::Union)?;
/// assert!((pair.centre().z - 1.25).abs() < 1e-15);
/// assert!((pair.bounding_radius() - 0.75).abs() < 1e-15);
/// // Twice the size is eight times the mass and 32 times the inertia.
/// assert_eq!(pair.mass(2500.0, 2.0), 8.0 * pair.mass(2500.0, 1.0));
/// assert_eq!(pair.moments(2500.0, 2.0).z, 32.0 * pair.moments(2500.0, 1.0).z);
/// # Ok::<(), tumble_dem::clump::ClumpError>(())
/// ```
///
/// [`orientation`]: Self::orientation
/// [`centre`]: Self::centre
#[derive(Clone, Debug, PartialEq)]
pub struct ClumpTemplate {
    name: String,
    spheres: Vec<TemplateSphere>,
    volume: f64,
    moments: BodyVec<f64>,
    centre: LabVec<f64>,
    orientation: Quat<f64>,
    bounding_radius: f64,
}

/// Products of inertia this small against the trace are rounding errors of the integration.
const NEGLIGIBLE_PRODUCT: f64 = 32.0 * f64::EPSILON;

impl ClumpTemplate {
    /// The template of these spheres, given in any frame.
    pub fn new(
        name: impl Into<String>,
        spheres: &[ClumpSphere],
        model: MassModel,
    ) -> Result<Self, ClumpError> {
        let body = MassProperties::new(spheres, model)?;
        let axes = without_noise(body.inertia).principal_axes().map_err(ClumpError::Inertia)?;
        let spheres: Vec<_> = spheres
            .iter()
            .map(|s| TemplateSphere {
                centre: axes.orientation.to_body(s.centre - body.centre),
                radius: s.radius,
            })
            .collect();
        let bounding_radius = spheres.iter().map(|s| s.centre.norm() + s.radius).fold(0.0, f64::max);
        Ok(Self {
            name: name.into(),
            spheres,
            volume: body.volume,
            moments: axes.moments,
            centre: body.centre,
            orientation: axes.orientation,
            bounding_radius,
        })
    }

    /// A single sphere of this radius (m) about the origin.
    pub fn sphere(name: impl Into<String>, radius: f64) -> Result<Self, ClumpError> {
        Self::new(name, &[ClumpSphere::new([0.0; 3], radius)], MassModel::Union)
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The spheres, in the order they were given.
    pub fn spheres(&self) -> &[TemplateSphere] {
        &self.spheres
    }

    /// The volume that carries mass, m³.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The principal moments of inertia divided by the density, ascending, m⁵.
    pub fn moments_per_density(&self) -> BodyVec<f64> {
        self.moments
    }

    /// The centre of mass in the frame that the spheres were given in, m.
    pub fn centre(&self) -> LabVec<f64> {
        self.centre
    }

    /// Takes vectors in the principal frame to the frame that the spheres were given in.
    pub fn orientation(&self) -> Quat<f64> {
        self.orientation
    }

    /// The radius of the sphere about the centre of mass that encloses all spheres, m.
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// The mass of a body of this `density` (kg/m³), `scale` times as large as the template, kg.
    pub fn mass(&self, density: f64, scale: f64) -> f64 {
        density * (scale * scale * scale * self.volume)
    }

    /// The principal moments of inertia of a body of this `density` (kg/m³), `scale` times as large as the
    /// template, kg m².
    pub fn moments(&self, density: f64, scale: f64) -> BodyVec<f64> {
        let square = scale * scale;
        self.moments * (density * (square * square * scale))
    }
}

/// The tensor without products of inertia that are rounding errors: beside equal moments, as of a rod or a
/// cube, they would turn the principal frame by an arbitrary angle.
fn without_noise<F>(inertia: SymTensor<f64, F>) -> SymTensor<f64, F> {
    let limit = NEGLIGIBLE_PRODUCT * inertia.trace().abs();
    let products = inertia.off_diagonal.to_array().map(|p| if p.abs() <= limit { 0.0 } else { p });
    SymTensor::new(inertia.diagonal, tumble_math::Vec3::from_array(products))
}
