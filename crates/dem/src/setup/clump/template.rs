//! A shape that many bodies share, in its principal frame.

use super::ellipsoid::{self, centre_behind, semi_axes};
use super::{ClumpCapsule, ClumpEllipsoid, ClumpError, ClumpPieces, ClumpSphere, MassModel, MassProperties};
use crate::physics::piece::{Core, nearest};
use crate::rows_by_id::index32;
use tumble_math::{BodyVec, LabVec, Quat, SymTensor};

/// One sphere of a template, in the principal frame about the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TemplateSphere {
    /// The centre relative to the centre of mass, along the principal axes, m.
    pub centre: BodyVec<f64>,
    /// The radius, m.
    pub radius: f64,
}

/// A rigid shape made of spheres, capsules and ellipsoids; immutable, so that bodies can share it.
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
    /// After those that are pieces come those at the ends of capsules, then the points of ellipsoids.
    spheres: Vec<TemplateSphere>,
    capsules: usize,
    ellipsoids: usize,
    cover: Vec<Covering>,
    volume: f64,
    moments: BodyVec<f64>,
    centre: LabVec<f64>,
    orientation: Quat<f64>,
    bounding_radius: f64,
}

/// A sphere that covers some of a piece.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Covering {
    pub(crate) sphere: TemplateSphere,
    /// The number of the sphere by which the piece is known.
    pub(crate) piece: u32,
}

/// What one of the spheres of a template is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A piece.
    Sphere,
    /// The first end of a capsule, by which that is known.
    FirstEnd,
    /// Its second end, which follows.
    SecondEnd,
    /// The centre of an ellipsoid, by which that is known. The ends of its semi-axes are the three that follow.
    Ellipsoid,
    /// The end of a semi-axis.
    Tip,
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
        Self::with_capsules(name, spheres, &[], model)
    }

    /// The template of these spheres and capsules, given in any frame.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpCapsule, ClumpTemplate, MassModel};
    /// let fibre = ClumpCapsule::new([0.0, 0.0, 0.0], [0.0, 0.0, 0.04], 0.001);
    /// let fibre = ClumpTemplate::with_capsules("fibre", &[], &[fibre], MassModel::Union)?;
    /// assert_eq!(fibre.spheres().len(), 2); // its ends
    /// assert!(fibre.pieces().eq([[0, 1]]));
    /// assert!((fibre.bounding_radius() - 0.021).abs() < 1e-15);
    /// # Ok::<(), tumble_dem::clump::ClumpError>(())
    /// ```
    pub fn with_capsules(
        name: impl Into<String>,
        spheres: &[ClumpSphere],
        capsules: &[ClumpCapsule],
        model: MassModel,
    ) -> Result<Self, ClumpError> {
        Self::of(name, ClumpPieces { spheres, capsules, ellipsoids: &[] }, model)
    }

    /// The template of pieces of all kinds, given in any frame.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpEllipsoid, ClumpPieces, ClumpTemplate, MassModel};
    /// let lentil = ClumpEllipsoid::new([0.003, 0.003, 0.001]);
    /// let lentil = ClumpPieces { ellipsoids: &[lentil], ..ClumpPieces::default() };
    /// let lentil = ClumpTemplate::of("lentil", lentil, MassModel::Union)?;
    /// assert_eq!(lentil.ellipsoids().len(), 1);
    /// assert_eq!(lentil.spheres().len(), 4); // its centre, and the ends of the semi-axes
    /// assert!((lentil.bounding_radius() - 0.003).abs() < 1e-15);
    /// # Ok::<(), tumble_dem::clump::ClumpError>(())
    /// ```
    pub fn of(
        name: impl Into<String>,
        pieces: ClumpPieces<'_>,
        model: MassModel,
    ) -> Result<Self, ClumpError> {
        let body = MassProperties::of(pieces, model)?;
        let ClumpPieces { spheres, capsules, ellipsoids } = pieces;
        let axes = without_noise(body.inertia).principal_axes().map_err(ClumpError::Inertia)?;
        let ends = capsules.iter().flat_map(ClumpCapsule::end_spheres);
        let points = ellipsoids.iter().flat_map(ClumpEllipsoid::points);
        let spheres: Vec<_> = spheres
            .iter()
            .copied()
            .chain(ends)
            .chain(points)
            .map(|s| TemplateSphere {
                centre: axes.orientation.to_body(s.centre - body.centre),
                radius: s.radius,
            })
            .collect();
        let (round, oval) = spheres.split_at(spheres.len() - 4 * ellipsoids.len());
        let bounding_radius = round.iter().map(|s| s.centre.norm() + s.radius).fold(0.0, f64::max);
        let bounding_radius = bounding_radius.max(farthest(oval));
        let cover = cover(&spheres, [capsules.len(), ellipsoids.len()]);
        Ok(Self {
            name: name.into(),
            spheres,
            capsules: capsules.len(),
            ellipsoids: ellipsoids.len(),
            cover,
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

    /// The spheres in the order they were given, then those at the first and at the second end of each capsule, then four for each ellipsoid:
    /// at its centre and at the ends of its semi-axes, with the radius of the sphere of its volume.
    pub fn spheres(&self) -> &[TemplateSphere] {
        &self.spheres
    }

    /// The numbers of the spheres at the ends of each capsule.
    pub fn capsules(&self) -> impl ExactSizeIterator<Item = [usize; 2]> + use<> {
        let first = self.round_pieces();
        (0..self.capsules).map(move |capsule| [first + 2 * capsule, first + 2 * capsule + 1])
    }

    /// The numbers of the spheres of each ellipsoid: at its centre, and at the ends of its semi-axes.
    pub fn ellipsoids(&self) -> impl ExactSizeIterator<Item = [usize; 4]> + use<> {
        let first = self.spheres.len() - 4 * self.ellipsoids;
        (0..self.ellipsoids).map(move |number| [0, 1, 2, 3].map(|point| first + 4 * number + point))
    }

    /// The pieces that are no ellipsoids: the numbers of the spheres at the two ends of each, which of a sphere are the same. Spheres come
    /// first, in the order they were given, then capsules.
    pub fn pieces(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        (0..self.round_pieces()).map(|sphere| [sphere; 2]).chain(self.capsules())
    }

    /// How many pieces are spheres.
    pub fn round_pieces(&self) -> usize {
        self.spheres.len() - 2 * self.capsules - 4 * self.ellipsoids
    }

    /// How many spheres touch as such: its own, and those at the ends of capsules.
    pub(crate) fn touching_spheres(&self) -> usize {
        self.spheres.len() - 4 * self.ellipsoids
    }

    /// Whether all pieces are spheres.
    pub fn is_of_spheres(&self) -> bool {
        self.capsules == 0 && self.ellipsoids == 0
    }

    /// What one of the spheres is.
    pub(crate) fn role(&self, sphere: usize) -> Role {
        let (ends, points) = (self.round_pieces(), self.touching_spheres());
        if sphere < ends {
            Role::Sphere
        } else if sphere < points {
            if (sphere - ends).is_multiple_of(2) { Role::FirstEnd } else { Role::SecondEnd }
        } else if (sphere - points).is_multiple_of(4) {
            Role::Ellipsoid
        } else {
            Role::Tip
        }
    }

    /// What each of them is.
    pub(crate) fn roles(&self) -> impl Iterator<Item = Role> {
        (0..self.spheres.len()).map(|sphere| self.role(sphere))
    }

    /// The numbers of the points of the piece that begins with a sphere, as [`Solid::of_points`](crate::physics::solid::Solid::of_points) asks for
    /// them.
    pub(crate) fn points_of(&self, sphere: usize) -> [usize; 4] {
        match self.role(sphere) {
            Role::Sphere | Role::SecondEnd | Role::Tip => [sphere; 4],
            Role::FirstEnd => [sphere, sphere + 1, sphere, sphere],
            Role::Ellipsoid => [0, 1, 2, 3].map(|point| sphere + point),
        }
    }

    /// The semi-axes of each ellipsoid, m.
    pub fn semi_axes(&self) -> impl ExactSizeIterator<Item = [f64; 3]> {
        self.ellipsoids().map(|[first, .., last]| semi_axes(&self.spheres[first..=last]))
    }

    /// Distance of the farthest point from the centre of mass of which the motion counts for the lists, m: centres of spheres, and all of an ellipsoid.
    pub(crate) fn arm(&self) -> f64 {
        let (round, oval) = self.spheres.split_at(self.touching_spheres());
        round.iter().fold(farthest(oval), |arm: f64, sphere| arm.max(sphere.centre.norm()))
    }

    /// The point of the core of a piece that is nearest to another point, both relative to the centre of mass along the principal
    /// axes, m: the centre of a sphere, a point between the ends of a capsule, of an ellipsoid the centre of the sphere by which it touches there. A
    /// piece is known by its sphere, a capsule by that at its first end, an ellipsoid by that at its centre. None if there is no such sphere.
    ///
    /// From there to the point of a contact with another body is along the normal. Walls are touched by the spheres themselves.
    pub fn nearest_on_core(&self, sphere: usize, point: BodyVec<f64>) -> Option<BodyVec<f64>> {
        let [.., last] = self.points_of(sphere);
        if self.role(sphere) == Role::Ellipsoid {
            return Some(centre_behind(self.spheres.get(sphere..=last)?, point));
        }
        let [_, other, ..] = self.points_of(sphere);
        let vector = |v: BodyVec<f64>| LabVec::from_array(v.to_array());
        let ends = [self.spheres.get(sphere)?, self.spheres.get(other)?].map(|end| vector(end.centre));
        let [on_core, _] = nearest(&Core::between(ends), &Core::between([vector(point); 2]));
        Some(BodyVec::from_array(on_core.to_array()))
    }

    /// Spheres that cover all of it, each with the number of the piece that it covers: those of the template, along capsules a row that
    /// sticks out of them by a few hundredths of their radius, and of ellipsoids a layer.
    pub(crate) fn cover(&self) -> &[Covering] {
        &self.cover
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

/// How far ellipsoids reach from the centre of mass at most, from their points, m.
fn farthest(points: &[TemplateSphere]) -> f64 {
    let reach = |points: &[TemplateSphere]| {
        let longest = semi_axes(points).into_iter().fold(0.0, f64::max);
        points[0].centre.norm() + longest
    };
    points.chunks_exact(4).map(reach).fold(0.0, f64::max)
}

/// Spheres that cover a row of a capsule stand so many of its radii apart.
const COVER_SPACING: f64 = 0.7;

/// The spheres, and rows along capsules: each sphere of a row covers its own part of the cylinder. Ellipsoids are covered by balls on a grid.
fn cover(spheres: &[TemplateSphere], [capsules, ellipsoids]: [usize; 2]) -> Vec<Covering> {
    let (spheres, points) = spheres.split_at(spheres.len() - 4 * ellipsoids);
    let first = spheres.len() - 2 * capsules;
    let mut cover = Vec::with_capacity(spheres.len());
    cover.extend((0..).zip(&spheres[..first]).map(|(piece, sphere)| Covering { sphere: *sphere, piece }));
    for (capsule, ends) in (0..).zip(spheres[first..].chunks_exact(2)) {
        let piece = index32(first) + 2 * capsule;
        let (between, radius) = (ends[1].centre - ends[0].centre, ends[0].radius);
        let parts = (between.norm() / (COVER_SPACING * radius)).ceil().clamp(1.0, MOST_COVERING);
        let half = 0.5 * between.norm() / parts;
        let radius = (radius * radius + half * half).sqrt();
        cover.extend(ends.iter().map(|sphere| Covering { sphere: *sphere, piece }));
        let mut part = 0.5;
        while part < parts {
            let centre = ends[0].centre + between * (part / parts);
            cover.push(Covering { sphere: TemplateSphere { centre, radius }, piece });
            part += 1.0;
        }
    }
    for (ellipsoid, points) in (0..).zip(points.chunks_exact(4)) {
        let piece = index32(spheres.len()) + 4 * ellipsoid;
        cover.extend(ellipsoid::cover(points).into_iter().map(|sphere| Covering { sphere, piece }));
    }
    cover
}

/// More would take more memory than it is worth: beyond it, spheres stand farther apart and are larger.
const MOST_COVERING: f64 = 1000.0;

/// The tensor without products of inertia that are rounding errors: beside equal moments, as of a rod or a
/// cube, they would turn the principal frame by an arbitrary angle.
fn without_noise<F>(inertia: SymTensor<f64, F>) -> SymTensor<f64, F> {
    let limit = NEGLIGIBLE_PRODUCT * inertia.trace().abs();
    let products = inertia.off_diagonal.to_array().map(|p| if p.abs() <= limit { 0.0 } else { p });
    SymTensor::new(inertia.diagonal, tumble_math::Vec3::from_array(products))
}
