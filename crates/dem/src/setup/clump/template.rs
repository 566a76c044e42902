//! A shape that many bodies share, in its principal frame.

use super::ellipsoid::{self, centre_behind, semi_axes};
use super::{ClumpCapsule, ClumpEllipsoid, ClumpError, ClumpHull, ClumpPieces, ClumpSphere};
use super::{MassModel, MassProperties, TemplateHull, hull};
use crate::physics::edge::Edge;
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

/// A rigid shape made of spheres, capsules, ellipsoids and rounded polyhedra; immutable, so that bodies can share it.
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
    /// After those that are pieces come those at the ends of capsules and at the corners of polyhedra, then the points of ellipsoids, then what stands for edges and
    /// cores of polyhedra.
    spheres: Vec<TemplateSphere>,
    round: usize,
    capsules: usize,
    ellipsoids: usize,
    hulls: Vec<TemplateHull>,
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
    /// The end of a semi-axis of an ellipsoid, or of a vector that tells where the core of a polyhedron is.
    Tip,
    /// A corner of a polyhedron.
    Corner,
    /// The middle of an edge between two corners, by which that is known.
    Edge([u32; 2]),
    /// The middle of the core of the polyhedron with this number, by which that is known. Where it is the three that follow tell.
    Core(u32),
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
        Self::of(name, ClumpPieces { spheres, capsules, ..ClumpPieces::default() }, model)
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
        let ClumpPieces { spheres, capsules, ellipsoids, hulls } = pieces;
        let surfaces = hull::surfaces(hulls)?;
        let axes = without_noise(body.inertia).principal_axes().map_err(ClumpError::Inertia)?;
        let round = spheres.len();
        let ends = capsules.iter().flat_map(ClumpCapsule::end_spheres);
        let corners = hulls.iter().flat_map(ClumpHull::corner_spheres);
        let points = ellipsoids.iter().flat_map(ClumpEllipsoid::points);
        let mut spheres: Vec<_> = spheres
            .iter()
            .copied()
            .chain(ends)
            .chain(corners)
            .chain(points)
            .map(|s| TemplateSphere {
                centre: axes.orientation.to_body(s.centre - body.centre),
                radius: s.radius,
            })
            .collect();
        let (touching, oval) = spheres.split_at(spheres.len() - 4 * ellipsoids.len());
        let bounding_radius = touching.iter().map(|s| s.centre.norm() + s.radius).fold(0.0, f64::max);
        let bounding_radius = bounding_radius.max(farthest(oval));
        let mut cover = cover(&spheres, [capsules.len(), ellipsoids.len()], round);
        let mut first_corner = round + 2 * capsules.len();
        let mut of_hulls = Vec::with_capacity(hulls.len());
        for (hull, surface) in hulls.iter().zip(&surfaces) {
            let lengths = [hull.rounding, hull.properties(surface).volume];
            let (hull, points) = TemplateHull::new(&spheres, [first_corner, spheres.len()], surface, lengths);
            spheres.extend(points);
            cover.extend(hull.cover(&spheres));
            first_corner += hull.corners().len();
            of_hulls.push(hull);
        }
        Ok(Self {
            name: name.into(),
            spheres,
            round,
            capsules: capsules.len(),
            ellipsoids: ellipsoids.len(),
            hulls: of_hulls,
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

    /// The spheres in the order they were given, then those at the first and at the second end of each capsule, then those at the corners of each polyhedron. All of these
    /// touch. Then come four for each ellipsoid, at its centre and at the ends of its semi-axes, with the radius of the sphere of its volume; and for each polyhedron one in the
    /// middle of each edge and four that tell where its core is.
    pub fn spheres(&self) -> &[TemplateSphere] {
        &self.spheres
    }

    /// The numbers of the spheres at the ends of each capsule.
    pub fn capsules(&self) -> impl ExactSizeIterator<Item = [usize; 2]> + use<> {
        let first = self.round;
        (0..self.capsules).map(move |capsule| [first + 2 * capsule, first + 2 * capsule + 1])
    }

    /// The numbers of the spheres of each ellipsoid: at its centre, and at the ends of its semi-axes.
    pub fn ellipsoids(&self) -> impl ExactSizeIterator<Item = [usize; 4]> + use<> {
        let first = self.touching_spheres();
        (0..self.ellipsoids).map(move |number| [0, 1, 2, 3].map(|point| first + 4 * number + point))
    }

    /// The rounded polyhedra.
    pub fn hulls(&self) -> &[TemplateHull] {
        &self.hulls
    }

    /// The pieces that are spheres or capsules: the numbers of the spheres at the two ends of each, which of a sphere are the same. Spheres come
    /// first, in the order they were given, then capsules.
    pub fn pieces(&self) -> impl Iterator<Item = [usize; 2]> + use<> {
        (0..self.round).map(|sphere| [sphere; 2]).chain(self.capsules())
    }

    /// How many pieces are spheres.
    pub fn round_pieces(&self) -> usize {
        self.round
    }

    /// How many spheres touch as such: its own, those at the ends of capsules and those at the corners of polyhedra.
    pub fn touching_spheres(&self) -> usize {
        let corners: usize = self.hulls.iter().map(|hull| hull.corners().len()).sum();
        self.round + 2 * self.capsules + corners
    }

    /// Whether all pieces are spheres.
    pub fn is_of_spheres(&self) -> bool {
        self.capsules == 0 && self.ellipsoids == 0 && self.hulls.is_empty()
    }

    /// What one of the spheres is.
    pub(crate) fn role(&self, sphere: usize) -> Role {
        let corners = self.round + 2 * self.capsules;
        let points = self.touching_spheres();
        let others = points + 4 * self.ellipsoids;
        if sphere < self.round {
            Role::Sphere
        } else if sphere < corners {
            if (sphere - self.round).is_multiple_of(2) { Role::FirstEnd } else { Role::SecondEnd }
        } else if sphere < points {
            Role::Corner
        } else if sphere < others {
            if (sphere - points).is_multiple_of(4) { Role::Ellipsoid } else { Role::Tip }
        } else {
            let mut roles = (0..).zip(&self.hulls).map(|(number, hull)| hull.role(index32(sphere), number));
            roles.find_map(|role| role).unwrap_or(Role::Tip)
        }
    }

    /// What each of them is.
    pub(crate) fn roles(&self) -> impl Iterator<Item = Role> {
        (0..self.spheres.len()).map(|sphere| self.role(sphere))
    }

    /// The numbers of the points of the piece that begins with a sphere, as [`Solid::of_points`](crate::physics::solid::Solid::of_points) asks for
    /// them. Only where there are no polyhedra.
    pub(crate) fn points_of(&self, sphere: usize) -> [usize; 4] {
        let (ends, oval) = (self.round, self.touching_spheres());
        if sphere >= oval && (sphere - oval).is_multiple_of(4) {
            [0, 1, 2, 3].map(|point| sphere + point)
        } else if (ends..oval).contains(&sphere) && (sphere - ends).is_multiple_of(2) {
            [sphere, sphere + 1, sphere, sphere]
        } else {
            [sphere; 4]
        }
    }

    /// The semi-axes of each ellipsoid, m.
    pub fn semi_axes(&self) -> impl ExactSizeIterator<Item = [f64; 3]> {
        self.ellipsoids().map(|[first, .., last]| semi_axes(&self.spheres[first..=last]))
    }

    /// Distance of the farthest point from the centre of mass of which the motion counts for the lists, m: centres of spheres, and all of an ellipsoid.
    pub(crate) fn arm(&self) -> f64 {
        let (round, others) = self.spheres.split_at(self.touching_spheres());
        let oval = &others[..4 * self.ellipsoids];
        round.iter().fold(farthest(oval), |arm: f64, sphere| arm.max(sphere.centre.norm()))
    }

    /// The point of the core of a piece that is nearest to another point, both relative to the centre of mass along the principal
    /// axes, m: the centre of a sphere, a point between the ends of a capsule or an edge, a point of the core of a polyhedron, of an ellipsoid the centre of the sphere by which it touches there. A
    /// piece is known by its sphere, a capsule by that at its first end, an ellipsoid by that at its centre. None if there is no such sphere.
    ///
    /// From there to the point of a contact with another body is along the normal. Walls are touched by the spheres themselves.
    pub fn nearest_on_core(&self, sphere: usize, point: BodyVec<f64>) -> Option<BodyVec<f64>> {
        let own = self.spheres.get(sphere)?;
        let vector = |v: BodyVec<f64>| LabVec::from_array(v.to_array());
        let place = |number: usize| self.spheres.get(number).map(|sphere| vector(sphere.centre));
        let on_segment = |ends: [LabVec<f64>; 2]| {
            let [on_core, _] = nearest(&Core::between(ends), &Core::between([vector(point); 2]));
            BodyVec::from_array(on_core.to_array())
        };
        match self.role(sphere) {
            Role::Sphere | Role::SecondEnd | Role::Tip | Role::Corner => Some(own.centre),
            Role::FirstEnd => Some(on_segment([place(sphere)?, place(sphere + 1)?])),
            Role::Ellipsoid => Some(centre_behind(self.spheres.get(sphere..=sphere + 3)?, point)),
            Role::Edge(ends) => {
                let [a, b] = ends.map(|end| place(end as usize));
                let edge = Edge::between([a?, b?], own.radius);
                Some(BodyVec::from_array(edge.facing(vector(point)).to_array()))
            }
            Role::Core(hull) => Some(self.hulls[hull as usize].nearest_on_core(&self.spheres, point)),
        }
    }

    /// Spheres that cover all of it, each with the number of the piece that it covers: those of the template, along capsules a row that
    /// sticks out of them by a few hundredths of their radius, and of ellipsoids a layer.
    pub(crate) fn cover(&self) -> &[Covering] {
        &self.cover
    }

    /// Spheres that reach as far as it does in all directions: those that cover it, but of polyhedra those at their corners.
    pub(crate) fn reaching(&self) -> impl Iterator<Item = TemplateSphere> {
        let of_hulls = self.hulls.iter().map(TemplateHull::core).min().unwrap_or(u32::MAX);
        let corners = self.round + 2 * self.capsules..self.touching_spheres();
        let others = self.cover.iter().filter(move |covering| covering.piece < of_hulls);
        others.map(|covering| covering.sphere).chain(self.spheres[corners].iter().copied())
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
fn cover(spheres: &[TemplateSphere], [capsules, ellipsoids]: [usize; 2], first: usize) -> Vec<Covering> {
    let (spheres, points) = spheres.split_at(spheres.len() - 4 * ellipsoids);
    let mut cover = Vec::with_capacity(spheres.len());
    cover.extend((0..).zip(&spheres[..first]).map(|(piece, sphere)| Covering { sphere: *sphere, piece }));
    for (capsule, ends) in (0..).zip(spheres[first..first + 2 * capsules].chunks_exact(2)) {
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
