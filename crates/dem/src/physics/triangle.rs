//! The distance from a point to a triangle: C. Ericson, *Real-Time Collision Detection* (2005), 5.1.5.
//!
//! Only for finding candidates, and for which of several triangles a touch counts. Contacts are decided in `wall/mesh/contact.rs`,
//! with a margin that this does not need.

use tumble_math::{LabVec, Real};

/// The squared distance from a point to a triangle, also one without area.
#[inline(always)]
pub fn distance_squared<R: Real>([a, b, c]: [LabVec<R>; 3], point: LabVec<R>) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    // Barycentric coordinates of the foot, scaled by the same positive number.
    let (at_c, at_b, at_a) = (d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4);
    let normal = ab.cross(ac);
    let size = normal.norm_squared();
    let height = ap.dot(normal);
    let above = height * height / R::select(zero.lt(size), size, one);
    // Where the foot is outside, the nearest edge is as near as the triangle.
    let outside = smaller(smaller(to_segment(ab, ap), to_segment(c - b, bp)), to_segment(a - c, cp));
    let within = |inside: R, otherwise: R| R::select(zero.lt(inside), otherwise, outside);
    within(at_a, within(at_b, within(at_c, within(size, above))))
}

#[inline(always)]
fn smaller<R: Real>(a: R, b: R) -> R {
    R::select(b.lt(a), b, a)
}

/// The squared distance from a point, relative to a segment's start, to that segment.
#[inline(always)]
fn to_segment<R: Real>(along: LabVec<R>, point: LabVec<R>) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let size = along.norm_squared();
    let long = zero.lt(size);
    let at = point.dot(along) / R::select(long, size, one);
    let at = R::select(long, R::select(at.lt(zero), zero, R::select(one.lt(at), one, at)), zero);
    (point - along * at).norm_squared()
}
