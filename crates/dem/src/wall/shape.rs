//! The shapes of walls, and the questions an engine asks them.

use super::frustum::Axis;
use super::{Cone, Cylinder, Enclosure, Plane, Pose, Region, Touch, TriangleMesh};
use crate::law::EnergyPower;
use std::sync::Arc;
use tumble_math::LabVec;

/// The shape of a wall, in its reference frame.
///
/// Planes, boxes, infinite cylinders and solid cylinders and cones have a wrong side: a centre in the solid
/// is pushed out, with an overlap of more than the radius for the engine's overlap guard to see, and
/// [`escaped`](Self::escaped) tells. Tubes and hoppers of finite length and meshes are thin sheets, touched
/// from both sides: a centre that went through is pushed on, away from the sheet on its new side. What tells is
/// its overlap of nearly the radius on the way, or, if it was too fast for that, the way itself:
/// [`is_crossed`](Self::is_crossed).
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A half space.
    Plane(Plane),
    /// A closed box around the spheres.
    Box(Enclosure),
    /// A tube or a rod.
    Cylinder(Cylinder),
    /// A hopper or a solid cone.
    Cone(Cone),
    /// A surface of triangles, which walls may share.
    Mesh(Arc<TriangleMesh>),
}

impl Shape {
    /// Appends the touches of a sphere to `found`, in an order that depends only on the shape. Parts of a mesh that
    /// make up one touch are put together for a law whose energy goes with this power of the overlap.
    ///
    /// A mesh looks at the triangles `candidates` alone, which must be in ascending order and hold all within
    /// `radius` of the centre: those that [`candidates`](Self::candidates) found for any reach that covers
    /// the radius and what the sphere and wall have moved since. Other shapes ignore them. Nothing is allocated
    /// once `found` has room. A centre that is NaN touches nothing.
    ///
    /// # Panics
    /// If a candidate is not a triangle of the mesh.
    #[inline]
    pub fn touches(
        &self,
        centre: LabVec<f64>,
        radius: f64,
        power: EnergyPower,
        candidates: &[u32],
        found: &mut Vec<Touch>,
    ) {
        match self {
            Self::Plane(plane) => plane.touches(centre, radius, found),
            Self::Box(enclosure) => enclosure.touches(centre, radius, found),
            Self::Cylinder(cylinder) => cylinder.touches(centre, radius, found),
            Self::Cone(cone) => cone.touches(centre, radius, found),
            Self::Mesh(mesh) => mesh.touches(centre, radius, power, candidates, found),
        }
    }

    /// The distance from a point to the surface, m; negative in a solid. For planes, boxes and all else
    /// that is solid it never exceeds the distance that [`touches`](Self::touches) compares with the radius.
    ///
    /// Exact; that of a mesh costs a search, which [`near`](Self::near) cuts short.
    pub fn distance(&self, point: LabVec<f64>) -> f64 {
        match self {
            Self::Plane(plane) => plane.signed_distance(point),
            Self::Box(enclosure) => enclosure.signed_distance(point),
            Self::Cylinder(cylinder) => cylinder.signed_distance(point),
            Self::Cone(cone) => cone.signed_distance(point),
            Self::Mesh(mesh) => mesh.distance(point),
        }
    }

    /// Whether the surface is within `reach` of a point, m, or the point in a solid.
    pub fn near(&self, point: LabVec<f64>, reach: f64) -> bool {
        match self {
            Self::Mesh(mesh) => mesh.near(point, reach),
            _ => self.distance(point) <= reach,
        }
    }

    /// Puts the triangles of a mesh within `reach` of a point into `triangles`, ascending; leaves it empty
    /// for other shapes. What was in it is lost, its room is used.
    pub fn candidates(&self, point: LabVec<f64>, reach: f64, triangles: &mut Vec<u32>) {
        triangles.clear();
        if let Self::Mesh(mesh) = self {
            mesh.candidates(point, reach, triangles);
        }
    }

    /// Whether a centre is in the solid of a shape that has one: outside the box, behind the plane. Always
    /// false for the thin sheets, which have no wrong side.
    pub fn escaped(&self, centre: LabVec<f64>) -> bool {
        match self {
            Self::Plane(_) | Self::Box(_) => self.distance(centre) < 0.0,
            Self::Cylinder(cylinder) => cylinder.is_solid() && cylinder.signed_distance(centre) < 0.0,
            Self::Cone(cone) => cone.is_solid() && cone.signed_distance(centre) < 0.0,
            Self::Mesh(_) => false,
        }
    }

    /// One more than the largest number of a feature.
    pub fn features(&self) -> u32 {
        match self {
            Self::Plane(_) => 1,
            Self::Box(_) => 6,
            Self::Cylinder(_) | Self::Cone(_) => 5,
            Self::Mesh(mesh) => mesh.features(),
        }
    }

    /// By how much the distance from any fixed point of the region to the surface can differ between two
    /// poses of the wall, at most, m.
    ///
    /// This is what a neighbour search has to allow for. It is zero, up to rounding, for motions that map
    /// the surface onto itself: a plane that slides along itself, a drum that spins about its own axis.
    pub fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        let of_material = from.displacement_bound(to, region);
        let of_surface = match self {
            Self::Plane(plane) => plane_bound(plane, from, to, region),
            Self::Cylinder(cylinder) => {
                let axis = Axis { point: cylinder.point(), along: cylinder.axis() };
                axis_bound(axis, cylinder.length().is_none(), from, to, region)
            }
            Self::Cone(cone) => {
                let axis = Axis { point: cone.ends()[0], along: cone.axis() };
                axis_bound(axis, false, from, to, region)
            }
            Self::Box(_) | Self::Mesh(_) => of_material,
        };
        of_material.min(of_surface)
    }
}

/// The distance to a plane is an affine function; so is the difference of two, whose slope is n − n'.
fn plane_bound(plane: &Plane, from: &Pose, to: &Pose, region: Region) -> f64 {
    let height = |pose: &Pose| plane.signed_distance(pose.to_reference(region.centre));
    let normal = |pose: &Pose| pose.direction_to_lab(plane.normal());
    (height(from) - height(to)).abs() + (normal(from) - normal(to)).norm() * region.radius
}

/// Instead of the wall's rotation, the smallest one that takes one axis u to the other u' will do; its matrix
/// differs from the identity by |u − u'|. On an axis without ends any two points p, p' may correspond.
fn axis_bound(axis: Axis, endless: bool, from: &Pose, to: &Pose, region: Region) -> f64 {
    let place = |pose: &Pose| {
        let (point, along) = (pose.to_lab(axis.point), pose.direction_to_lab(axis.along));
        let foot = if endless { point + along * (region.centre - point).dot(along) } else { point };
        (foot, along)
    };
    let (p, u) = place(from);
    let (p_other, u_other) = place(to);
    (p - p_other).norm() + (u - u_other).norm() * ((region.centre - p).norm() + region.radius)
}

impl From<Plane> for Shape {
    fn from(plane: Plane) -> Self {
        Self::Plane(plane)
    }
}

impl From<Enclosure> for Shape {
    fn from(enclosure: Enclosure) -> Self {
        Self::Box(enclosure)
    }
}

impl From<Cylinder> for Shape {
    fn from(cylinder: Cylinder) -> Self {
        Self::Cylinder(cylinder)
    }
}

impl From<Cone> for Shape {
    fn from(cone: Cone) -> Self {
        Self::Cone(cone)
    }
}

impl From<TriangleMesh> for Shape {
    fn from(mesh: TriangleMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}
