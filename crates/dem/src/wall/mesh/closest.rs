//! The distance from a point to a triangle: C. Ericson, *Real-Time Collision Detection* (2005), 5.1.5.
//!
//! Only for finding candidates. Contacts are decided in `contact`, with a margin that this does not need.

use tumble_math::LabVec;

/// The squared distance from a point to a triangle, also one without area.
pub(super) fn distance_squared([a, b, c]: [LabVec<f64>; 3], point: LabVec<f64>) -> f64 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    // Barycentric coordinates of the foot, scaled by the same positive number.
    let (at_c, at_b, at_a) = (d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4);
    if at_a > 0.0 && at_b > 0.0 && at_c > 0.0 {
        let normal = ab.cross(ac);
        let size = normal.norm_squared();
        let height = ap.dot(normal);
        if size > 0.0 {
            return height * height / size;
        }
    }
    // The foot is outside: the nearest edge is as near as the triangle.
    to_segment(ab, ap).min(to_segment(c - b, bp)).min(to_segment(a - c, cp))
}

/// The squared distance from a point, relative to a segment's start, to that segment.
fn to_segment(along: LabVec<f64>, point: LabVec<f64>) -> f64 {
    let size = along.norm_squared();
    let at = if size > 0.0 { (point.dot(along) / size).clamp(0.0, 1.0) } else { 0.0 };
    (point - along * at).norm_squared()
}
