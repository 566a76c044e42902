//! A pressure on a surface of triangles.
//!
//! A triangle with the corners a, b and c, counter-clockwise as seen from outside, has the area vector A = ½ (b − a) × (c − a), which points outwards. A pressure p from
//! outside pushes it with −p A, and each corner with a third of that. The triangle and the origin make a wedge of the volume a · (b × c)/6, and those of a closed surface
//! add up to what is inside; its derivative by the place of a corner is the sum of a third of the area vectors around it. So the forces on a closed surface have the potential
//! p V: no resultant, no torque in all, and the work −p ΔV, however it deforms.

use tumble_math::{LabVec, Real};

/// The force on each corner of a triangle that a pressure pushes from outside: −p/6 (b − a) × (c − a).
#[inline(always)]
pub fn pressed<R: Real>([a, b, c]: [LabVec<R>; 3], pressure: R) -> LabVec<R> {
    (b - a).cross(c - a) * (R::lit(-1.0 / 6.0) * pressure)
}

/// The volume between a triangle and the origin, a · (b × c)/6: positive where the origin is inside.
#[inline(always)]
pub fn wedge<R: Real>([a, b, c]: [LabVec<R>; 3]) -> R {
    a.dot(b.cross(c)) * R::lit(1.0 / 6.0)
}

/// The area of a triangle.
#[inline(always)]
pub fn area<R: Real>([a, b, c]: [LabVec<R>; 3]) -> R {
    (b - a).cross(c - a).norm() * R::lit(0.5)
}
