//! The plane: the surface of a half space.

use super::{Drawing, Error, Pose, Region, Seen, Touch, WallShape, checks};
use crate::law::EnergyPower;
use crate::physics::solid::Solid;
use crate::physics::surface::{self, Nearest};
use tumble_math::LabVec;

/// A plane whose normal points into the free space; behind it is solid.
///
/// Feature 0. A centre behind the plane is pushed back to the front, with an overlap of more than the radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    point: LabVec<f64>,
    normal: LabVec<f64>,
}

impl Plane {
    /// The plane through `point`, m, with the free space on the side `normal` points to (of any length).
    pub fn new(point: LabVec<f64>, normal: LabVec<f64>) -> Result<Self, Error> {
        Ok(Self {
            point: checks::vector("point of the plane", point)?,
            normal: checks::direction("normal of the plane", normal)?,
        })
    }

    /// A point of the plane, m.
    pub fn point(&self) -> LabVec<f64> {
        self.point
    }

    /// The unit normal, into the free space.
    pub fn normal(&self) -> LabVec<f64> {
        self.normal
    }

    /// The height of a point above the plane, m; negative in the solid.
    pub fn signed_distance(&self, point: LabVec<f64>) -> f64 {
        self.nearest(point).distance
    }

    #[inline]
    fn nearest(&self, centre: LabVec<f64>) -> Nearest<f64> {
        surface::plane(centre, self.point, self.normal)
    }

    pub(super) fn touches(&self, centre: LabVec<f64>, radius: f64, found: &mut Vec<Touch>) {
        found.extend(Touch::at(self.nearest(centre), radius));
    }
}

impl WallShape for Plane {
    #[inline]
    fn touches(&self, centre: LabVec<f64>, radius: f64, _: EnergyPower, _: &[u32], found: &mut Vec<Touch>) {
        Self::touches(self, centre, radius, found);
    }

    fn distance(&self, point: LabVec<f64>) -> f64 {
        self.signed_distance(point)
    }

    fn features(&self) -> u32 {
        1
    }

    fn is_convex_room(&self) -> bool {
        true
    }

    fn takes_ellipsoids(&self) -> bool {
        true
    }

    fn touches_of_ellipsoid(&self, ellipsoid: &Solid<f64>, range: f64, found: &mut Vec<Touch>) {
        found.extend(Touch::of_ellipsoid(ellipsoid, self.nearest(ellipsoid.centre), range));
    }

    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        Vec::new()
    }

    fn draw(&self, seen: &Seen) -> Drawing {
        Drawing::patch(self.point, self.normal, seen)
    }

    /// The distance to a plane is an affine function; so is the difference of two, whose slope is n − n'.
    fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        let height = |pose: &Pose| self.signed_distance(pose.to_reference(region.centre));
        let normal = |pose: &Pose| pose.direction_to_lab(self.normal);
        (height(from) - height(to)).abs() + (normal(from) - normal(to)).norm() * region.radius
    }
}
