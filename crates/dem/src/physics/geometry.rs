//! Where and how deeply two pieces touch.

use crate::record;
use tumble_math::{LabVec, Real};

record! {
    /// The geometry of a contact: of two pieces, or of a piece and a wall.
    Geometry, GEOMETRY {
        /// How far the surfaces overlap, m.
        overlap: R,
        /// See [`Contact::slope`](crate::law::Contact::slope).
        slope: R,
        /// Unit vector from b to a.
        normal: LabVec<R>,
        /// Where the force acts, on both.
        point: LabVec<R>,
        /// Effective radius, m.
        radius: R,
    }
}

record! {
    /// A sphere in the lab.
    Sphere, SPHERE {
        /// m.
        centre: LabVec<R>,
        /// m.
        radius: R,
    }
}

/// The contact of two spheres.
///
/// The point divides the line of centres in the ratio of the radii. It is the same for both bodies, so that angular momentum
/// is kept; on a wall, where one radius is infinite, the lever is the radius.
#[inline(always)]
pub fn spheres<R: Real>(a: Sphere<R>, b: Sphere<R>) -> Geometry<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let between = a.centre - b.centre;
    let distance = between.norm();
    // Concentric spheres push each other apart in some direction; the guard stops the run.
    let apart = zero.lt(distance);
    // One division for both quotients.
    let (divisor, sum) = (R::select(apart, distance, one), a.radius + b.radius);
    let inverse_of_both = one / (divisor * sum);
    let inverse = sum * inverse_of_both;
    let normal =
        LabVec::new(R::select(apart, between.x * inverse, one), between.y * inverse, between.z * inverse);
    let part = a.radius * (divisor * inverse_of_both);
    Geometry {
        overlap: sum - distance,
        slope: one,
        normal,
        point: a.centre - normal * (distance * part),
        radius: part * b.radius,
    }
}

/// The contact of a sphere with a wall, from what the wall says of the touch: the limit of an infinite radius on the other
/// side.
#[inline(always)]
pub fn sphere_on_wall<R: Real>(sphere: Sphere<R>, normal: LabVec<R>, overlap: R, slope: R) -> Geometry<R> {
    Geometry { overlap, slope, normal, point: sphere.centre - normal * sphere.radius, radius: sphere.radius }
}
