//! Where a surface is nearest to the centre of a sphere: planes, boxes, and what is round about an axis. Those of triangles are
//! in [`patch`](super::patch).
//!
//! In the half plane (ρ, z) through an axis and the centre, a surface about that axis is a line segment, or, for
//! a solid, the rectangle or trapezium below it. The distance grows with the angle away from that half
//! plane, so the local minima in space are those in the half plane: for a segment and for a convex solid
//! there is exactly one.

use super::choose;
use crate::record;
use crate::wall::Side;
use tumble_math::{LabVec, Quat, Real};

/// The curved surface of what is round.
const CURVED: f64 = 0.0;
/// The circles at its two ends.
const RIMS: [f64; 2] = [1.0, 2.0];
/// The flat ends of a solid.
const CAPS: [f64; 2] = [3.0, 4.0];

record! {
    /// The point of a surface, or of one of its faces, that is nearest to a centre.
    Nearest, NEAREST {
        /// Which part of the surface it is on: a whole number, from the documentation of the wall shape.
        feature: R,
        /// From there to the centre, m; negative in a solid.
        distance: R,
        /// The unit vector that way; out of a solid.
        normal: LabVec<R>,
    }
}

record! {
    /// A directed line.
    Axis, AXIS {
        /// m.
        point: LabVec<R>,
        /// Unit vector.
        along: LabVec<R>,
        /// Some unit vector across it.
        across: LabVec<R>,
    }
}

record! {
    /// A cone cut at two ends, or a cylinder.
    Frustum, FRUSTUM {
        /// From its first end.
        axis: Axis<R>,
        /// m.
        length: R,
        /// The radius at the first end, m.
        first: R,
        /// The radius at the last one, m.
        last: R,
        /// Length of the generating segment, m.
        slant: R,
        /// The unit vector (ρ, z) of the generating segment: across the axis.
        tangent_rho: R,
        /// And along it.
        tangent_z: R,
    }
}

/// The plane through a point, with its unit normal into the free space.
#[inline(always)]
pub fn plane<R: Real>(centre: LabVec<R>, point: LabVec<R>, normal: LabVec<R>) -> Nearest<R> {
    Nearest { feature: R::lit(0.0), distance: (centre - point).dot(normal), normal }
}

/// The six faces of a box around the centre, from its lowest and its highest corner: at low and high x, then y, then z.
#[inline(always)]
pub fn faces<R: Real>(centre: LabVec<R>, low: LabVec<R>, high: LabVec<R>) -> [Nearest<R>; 6] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (x, y, z) =
        (LabVec::new(one, zero, zero), LabVec::new(zero, one, zero), LabVec::new(zero, zero, one));
    let (from_low, from_high) = (centre - low, high - centre);
    [
        Nearest { feature: R::lit(0.0), distance: from_low.x, normal: x },
        Nearest { feature: R::lit(1.0), distance: from_high.x, normal: -x },
        Nearest { feature: R::lit(2.0), distance: from_low.y, normal: y },
        Nearest { feature: R::lit(3.0), distance: from_high.y, normal: -y },
        Nearest { feature: R::lit(4.0), distance: from_low.z, normal: z },
        Nearest { feature: R::lit(5.0), distance: from_high.z, normal: -z },
    ]
}

/// The surface of a cylinder without ends.
#[inline(always)]
pub fn cylinder<R: Real>(centre: LabVec<R>, axis: &Axis<R>, radius: R, side: Side) -> Nearest<R> {
    let at = axis.meridian(centre);
    let (distance, outwards) = match side {
        Side::Inside => (radius - at.rho, R::lit(-1.0)),
        Side::Outside => (at.rho - radius, R::lit(1.0)),
    };
    Nearest { feature: R::lit(CURVED), distance, normal: at.direction(outwards, R::lit(0.0)) }
}

/// A sheet around the centre, or a solid beside it, with two ends.
#[inline(always)]
pub fn frustum<R: Real>(centre: LabVec<R>, frustum: &Frustum<R>, side: Side) -> Nearest<R> {
    let at = frustum.axis.meridian(centre);
    let (along, off) = frustum.along_and_off(&at);
    let InPlane { feature, distance, rho, z } = match side {
        Side::Inside => frustum.nearest_of_sheet(&at, along, off),
        Side::Outside => frustum.nearest_of_solid(&at, along, off),
    };
    Nearest { feature, distance, normal: at.direction(rho, z) }
}

/// A point of the lab seen from the frame of a wall, whose point `pivot` is at `origin` and that is turned by `q`.
#[inline(always)]
pub fn to_reference<R: Real>(point: LabVec<R>, pivot: LabVec<R>, origin: LabVec<R>, q: Quat<R>) -> LabVec<R> {
    pivot + q.counter_rotate(point - origin)
}

/// A direction of the frame of a wall seen from the lab.
#[inline(always)]
pub fn direction_to_lab<R: Real>(direction: LabVec<R>, q: Quat<R>) -> LabVec<R> {
    q.conjugate().counter_rotate(direction)
}

/// The velocity of a wall at a point of the lab, from that at its origin and its angular velocity.
#[inline(always)]
pub fn velocity_at<R: Real>(
    point: LabVec<R>,
    origin: LabVec<R>,
    velocity: LabVec<R>,
    omega: LabVec<R>,
) -> LabVec<R> {
    velocity + omega.cross(point - origin)
}

/// What a wall spends on moving a body on which it acts with a force at a point and a couple, W.
#[inline(always)]
pub fn power<R: Real>(
    [force, couple]: [LabVec<R>; 2],
    point: LabVec<R>,
    origin: LabVec<R>,
    velocity: LabVec<R>,
    omega: LabVec<R>,
) -> R {
    force.dot(velocity_at(point, origin, velocity, omega)) + couple.dot(omega)
}

/// A point in the half plane through an axis.
#[derive(Clone, Copy)]
struct Meridian<'a, R> {
    axis: &'a Axis<R>,
    radial: LabVec<R>,
    rho: R,
    z: R,
}

/// The nearest point of a surface in that half plane, and the unit vector (ρ, z) from it to the centre.
#[derive(Clone, Copy)]
struct InPlane<R> {
    feature: R,
    distance: R,
    rho: R,
    z: R,
}

impl<R: Real> InPlane<R> {
    #[inline(always)]
    fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self {
            feature: R::select(mask, yes.feature, no.feature),
            distance: R::select(mask, yes.distance, no.distance),
            rho: R::select(mask, yes.rho, no.rho),
            z: R::select(mask, yes.z, no.z),
        }
    }
}

impl<R: Real> Axis<R> {
    #[inline(always)]
    fn meridian(&self, point: LabVec<R>) -> Meridian<'_, R> {
        let from_point = point - self.point;
        let z = from_point.dot(self.along);
        let radial = from_point - self.along * z;
        Meridian { axis: self, radial, rho: radial.norm(), z }
    }
}

impl<R: Real> Meridian<'_, R> {
    /// The direction (ρ, z) of this half plane in space.
    ///
    /// On the axis every half plane is as near as any other. There the mean of the equal directions is
    /// taken, along the axis; where that vanishes, some direction across.
    #[inline(always)]
    fn direction(&self, rho: R, z: R) -> LabVec<R> {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let Axis { along, across, .. } = *self.axis;
        let beside = zero.lt(self.rho);
        let in_plane = self.radial * (rho / R::select(beside, self.rho, one)) + along * z;
        let back = choose(z.lt(zero), along * -one, across * rho);
        choose(beside, in_plane, choose(zero.lt(z), along, back))
    }
}

impl<R: Real> Frustum<R> {
    /// Along the segment from its first end, and away from it on the outer side.
    #[inline(always)]
    fn along_and_off(&self, at: &Meridian<'_, R>) -> (R, R) {
        let (t_rho, t_z) = (self.tangent_rho, self.tangent_z);
        let rho = at.rho - self.first;
        (rho * t_rho + at.z * t_z, rho * t_z - at.z * t_rho)
    }

    #[inline(always)]
    fn nearest_of_sheet(&self, at: &Meridian<'_, R>, along: R, off: R) -> InPlane<R> {
        let outwards = R::select(R::lit(0.0).lt(off), R::lit(1.0), R::lit(-1.0));
        self.between_rims(at, along, self.curved(off.abs(), outwards))
    }

    #[inline(always)]
    fn nearest_of_solid(&self, at: &Meridian<'_, R>, along: R, off: R) -> InPlane<R> {
        let zero = R::lit(0.0);
        // How far it is above either cap; the nearer one counts.
        let (below, above) = (-at.z, at.z - self.length);
        let is_last = below.lt(above);
        let height = R::select(is_last, above, below);
        let width = R::select(is_last, self.last, self.first);
        let cap = InPlane {
            feature: R::select(is_last, R::lit(CAPS[1]), R::lit(CAPS[0])),
            distance: height,
            rho: zero,
            z: R::select(is_last, R::lit(1.0), R::lit(-1.0)),
        };
        let curved = self.curved(off, R::lit(1.0));
        let beside = self.between_rims(at, along, curved);
        // From within it goes out through the nearest face.
        let within = InPlane::select(off.lt(height), cap, curved);
        let between_caps = InPlane::select(off.lt(zero), within, beside);
        let beyond_caps = InPlane::select(width.lt(at.rho), beside, cap);
        InPlane::select(height.lt(zero), between_caps, beyond_caps)
    }

    /// The curved surface where the foot is on it, else the rim at that end.
    #[inline(always)]
    fn between_rims(&self, at: &Meridian<'_, R>, along: R, curved: InPlane<R>) -> InPlane<R> {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let first = self.rim(at.rho - self.first, at.z, R::lit(RIMS[0]), -one);
        let last = self.rim(at.rho - self.last, at.z - self.length, R::lit(RIMS[1]), one);
        let before_last = InPlane::select(along.lt(self.slant), curved, last);
        InPlane::select(zero.lt(along), before_last, first)
    }

    /// The curved surface, from its outer side or from within.
    #[inline(always)]
    fn curved(&self, distance: R, outwards: R) -> InPlane<R> {
        let (rho, z) = (self.tangent_z * outwards, -self.tangent_rho * outwards);
        InPlane { feature: R::lit(CURVED), distance, rho, z }
    }

    /// The rim, from where it is seen.
    #[inline(always)]
    fn rim(&self, rho: R, z: R, feature: R, outwards: R) -> InPlane<R> {
        let distance = (rho * rho + z * z).sqrt();
        // A centre on the rim itself is pushed along the surface, out of the open end.
        let off = R::lit(0.0).lt(distance);
        let divisor = R::select(off, distance, R::lit(1.0));
        InPlane {
            feature,
            distance,
            rho: R::select(off, rho / divisor, self.tangent_rho * outwards),
            z: R::select(off, z / divisor, self.tangent_z * outwards),
        }
    }
}
