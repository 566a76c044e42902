//! Surfaces of revolution about an axis: what finite cylinders and cones share.
//!
//! In the half plane (ρ, z) through the axis and the sphere's centre the surface is a line segment, or, for
//! a solid, the rectangle or trapezium below it. The distance grows with the angle away from that half
//! plane, so the local minima in space are those in the half plane: for a segment and for a convex solid
//! there is exactly one.

use super::{Error, Pose, Region, Side, Touch, checks};
use tumble_math::LabVec;

/// The curved surface.
pub(super) const SURFACE: u32 = 0;
/// The circles at the two ends.
const RIMS: [u32; 2] = [1, 2];
/// The flat ends of a solid.
const CAPS: [u32; 2] = [3, 4];

/// A directed line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) point: LabVec<f64>,
    /// Unit vector.
    pub(super) along: LabVec<f64>,
}

impl Axis {
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

    /// The coordinates of a point about this axis.
    #[inline]
    pub(super) fn meridian(&self, point: LabVec<f64>) -> Meridian {
        let from_point = point - self.point;
        let z = from_point.dot(self.along);
        let radial = from_point - self.along * z;
        Meridian { radial, rho: radial.norm(), z, along: self.along }
    }
}

/// A point in the half plane through an axis.
#[derive(Clone, Copy)]
pub(super) struct Meridian {
    radial: LabVec<f64>,
    pub(super) rho: f64,
    pub(super) z: f64,
    along: LabVec<f64>,
}

impl Meridian {
    /// The direction (ρ, z) of this half plane in space.
    ///
    /// On the axis every half plane is as near as any other. There the mean of the equal directions is
    /// taken, along the axis; where that vanishes, some direction across.
    #[inline]
    pub(super) fn direction(&self, rho: f64, z: f64) -> LabVec<f64> {
        if self.rho > 0.0 {
            self.radial * (rho / self.rho) + self.along * z
        } else if z == 0.0 {
            across(self.along) * rho
        } else {
            self.along * z.signum()
        }
    }
}

/// A unit vector across the unit vector `along`: that from the coordinate axis farthest from it.
fn across(along: LabVec<f64>) -> LabVec<f64> {
    let farthest = along.farthest_axis();
    let v = farthest - along * along.dot(farthest);
    v * (1.0 / v.norm())
}

/// The nearest point of a surface: where it is and which way the centre lies from it, in the half plane.
struct Nearest {
    feature: u32,
    /// Negative within a solid.
    distance: f64,
    normal: [f64; 2],
}

/// A cone cut at two ends, or a cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frustum {
    pub(super) axis: Axis,
    pub(super) length: f64,
    /// At the point of the axis, and at the other end.
    pub(super) radii: [f64; 2],
    pub(super) side: Side,
    /// Length of the generating segment.
    slant: f64,
    /// Unit vector (ρ, z) of the generating segment.
    tangent: [f64; 2],
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
        Ok(Self { axis, length, radii, side, slant, tangent: [widening / slant, length / slant] })
    }

    pub(super) fn touches(&self, centre: LabVec<f64>, radius: f64, found: &mut Vec<Touch>) {
        let at = self.axis.meridian(centre);
        let Nearest { feature, distance, normal: [rho, z] } = self.nearest(&at);
        if distance < radius {
            found.push(Touch {
                feature,
                normal: at.direction(rho, z),
                overlap: radius - distance,
                slope: 1.0,
            });
        }
    }

    /// The distance to the surface; negative within a solid.
    pub(super) fn signed_distance(&self, point: LabVec<f64>) -> f64 {
        self.nearest(&self.axis.meridian(point)).distance
    }

    fn nearest(&self, at: &Meridian) -> Nearest {
        match self.side {
            Side::Inside => self.nearest_of_sheet(at),
            Side::Outside => self.nearest_of_solid(at),
        }
    }

    /// Along the segment from its first end, and away from it on the outer side.
    #[inline]
    fn along_and_off(&self, at: &Meridian) -> (f64, f64) {
        let [t_rho, t_z] = self.tangent;
        let rho = at.rho - self.radii[0];
        (rho * t_rho + at.z * t_z, rho * t_z - at.z * t_rho)
    }

    fn nearest_of_sheet(&self, at: &Meridian) -> Nearest {
        let (along, off) = self.along_and_off(at);
        if along <= 0.0 {
            self.rim(at, 0)
        } else if along >= self.slant {
            self.rim(at, 1)
        } else {
            self.curved(off.abs(), off > 0.0)
        }
    }

    fn nearest_of_solid(&self, at: &Meridian) -> Nearest {
        let (along, off) = self.along_and_off(at);
        let above = [-at.z, at.z - self.length];
        let highest = usize::from(above[1] > above[0]);
        if off < 0.0 && above[highest] < 0.0 {
            // Within: out through the nearest face.
            if off >= above[highest] { self.curved(off, true) } else { cap(highest, above[highest]) }
        } else if above[highest] >= 0.0 && at.rho <= self.radii[highest] {
            cap(highest, above[highest])
        } else if along <= 0.0 {
            self.rim(at, 0)
        } else if along >= self.slant {
            self.rim(at, 1)
        } else {
            self.curved(off, true)
        }
    }

    #[inline]
    fn curved(&self, distance: f64, outwards: bool) -> Nearest {
        let [t_rho, t_z] = self.tangent;
        let normal = if outwards { [t_z, -t_rho] } else { [-t_z, t_rho] };
        Nearest { feature: SURFACE, distance, normal }
    }

    fn rim(&self, at: &Meridian, end: usize) -> Nearest {
        let rho = at.rho - self.radii[end];
        let z = if end == 0 { at.z } else { at.z - self.length };
        let distance = (rho * rho + z * z).sqrt();
        // A centre on the rim itself is pushed along the surface, out of the open end.
        let outwards = if end == 0 { -1.0 } else { 1.0 };
        let normal = if distance > 0.0 {
            [rho / distance, z / distance]
        } else {
            self.tangent.map(|component| component * outwards)
        };
        Nearest { feature: RIMS[end], distance, normal }
    }
}

fn cap(end: usize, distance: f64) -> Nearest {
    Nearest { feature: CAPS[end], distance, normal: [0.0, if end == 0 { -1.0 } else { 1.0 }] }
}
