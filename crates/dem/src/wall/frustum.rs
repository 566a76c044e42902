//! What finite cylinders and cones share. Where they are touched is in [`surface`](crate::physics::surface).

use super::{Error, Pose, Region, Side, Touch, checks};
use crate::physics::surface::{self, Nearest};
use crate::plain::SurfaceKind;
use crate::record::to_numbers;
use tumble_math::LabVec;

/// A directed line.
pub(super) type Axis = surface::Axis<f64>;

impl Axis {
    /// Through a point, along a unit vector.
    pub(super) fn new(point: LabVec<f64>, along: LabVec<f64>) -> Self {
        // From the coordinate axis farthest from it.
        let farthest = along.farthest_axis();
        let v = farthest - along * along.dot(farthest);
        Self { point, along, across: v * (1.0 / v.norm()) }
    }

    /// How far what is round about this axis can have moved between two poses, as seen from a region.
    ///
    /// Instead of the wall's rotation, the smallest one that takes one axis u to the other u' will do; its matrix
    /// differs from the identity by |u − u'|. On an axis without ends any two points p, p' may correspond.
    pub(super) fn displacement_bound(self, endless: bool, from: &Pose, to: &Pose, region: Region) -> f64 {
        let place = |pose: &Pose| {
            let (point, along) = (pose.to_lab(self.point), pose.direction_to_lab(self.along));
            let foot = if endless { point + along * (region.centre - point).dot(along) } else { point };
            (foot, along)
        };
        let (p, u) = place(from);
        let (p_other, u_other) = place(to);
        (p - p_other).norm() + (u - u_other).norm() * ((region.centre - p).norm() + region.radius)
    }
}

/// A cone cut at two ends, or a cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frustum {
    pub(super) surface: surface::Frustum<f64>,
    pub(super) side: Side,
}

impl Frustum {
    pub(super) fn new(axis: Axis, length: f64, radii: [f64; 2], side: Side) -> Result<Self, Error> {
        checks::positive("length of the cylinder or cone", length)?;
        for radius in radii {
            checks::not_negative("radius of the cylinder or cone", radius)?;
        }
        if radii == [0.0, 0.0] {
            return Err(Error::ConeWithoutRadius);
        }
        let widening = radii[1] - radii[0];
        let slant = (widening * widening + length * length).sqrt();
        if slant == 0.0 {
            return Err(Error::NotPositive { what: "length of the cylinder or cone", value: length });
        }
        let [first, last] = radii;
        let (tangent_rho, tangent_z) = (widening / slant, length / slant);
        let surface = surface::Frustum { axis, length, first, last, slant, tangent_rho, tangent_z };
        Ok(Self { surface, side })
    }

    pub(super) fn touches(&self, centre: LabVec<f64>, radius: f64, found: &mut Vec<Touch>) {
        found.extend(Touch::at(self.nearest(centre), radius));
    }

    /// As plain data.
    pub(super) fn as_surface(&self) -> (SurfaceKind, Vec<f64>) {
        (SurfaceKind::Frustum(self.side), to_numbers(self.surface))
    }

    /// The distance to the surface; negative within a solid.
    pub(super) fn signed_distance(&self, point: LabVec<f64>) -> f64 {
        self.nearest(point).distance
    }

    #[inline]
    fn nearest(&self, centre: LabVec<f64>) -> Nearest<f64> {
        surface::frustum(centre, &self.surface, self.side)
    }
}
