//! Whether something went through a thin sheet.
//!
//! A sheet has no wrong side: a sphere that is on the other side after a step looks like any other. What tells is the
//! way of its centre.

use super::TriangleMesh;
use super::frustum::Axis;
use tumble_math::LabVec;

/// With u the part of a point across the axis and z that along it, the surface is u² = ρ(z)², ρ linear in z; on a
/// straight line that is a quadratic equation.
pub(super) fn of_frustum(
    axis: Axis,
    length: f64,
    [first, last]: [f64; 2],
    from: LabVec<f64>,
    to: LabVec<f64>,
) -> bool {
    let split = |v: LabVec<f64>| {
        let z = v.dot(axis.along);
        (v - axis.along * z, z)
    };
    let ((across, along), (way_across, way_along)) = (split(from - axis.point), split(to - from));
    let slope = (last - first) / length;
    let (radius, growth) = (first + slope * along, slope * way_along);
    let a = way_across.norm_squared() - growth * growth;
    let b = across.dot(way_across) - radius * growth;
    let c = across.norm_squared() - radius * radius;
    let square = b * b - a * c;
    if square < 0.0 {
        return false;
    }
    // Without the difference of two large numbers; if a is zero, the first one is no number.
    let q = -(b + if b < 0.0 { -square.sqrt() } else { square.sqrt() });
    [q / a, c / q].into_iter().any(|part| {
        let z = along + part * way_along;
        (0.0..=1.0).contains(&part) && (0.0..=length).contains(&z)
    })
}

pub(super) fn of_mesh(mesh: &TriangleMesh, from: LabVec<f64>, to: LabVec<f64>) -> bool {
    let displacement = to - from;
    let mut triangles = Vec::new();
    mesh.candidates(from + displacement * 0.5, 0.5 * displacement.norm(), &mut triangles);
    triangles.into_iter().any(|triangle| crosses_triangle(mesh.corners(triangle), from, displacement))
}

/// Möller & Trumbore, J. Graphics Tools 2 (1997) 21.
fn crosses_triangle([a, b, c]: [LabVec<f64>; 3], from: LabVec<f64>, displacement: LabVec<f64>) -> bool {
    let (ab, ac, start) = (b - a, c - a, from - a);
    let across = displacement.cross(ac);
    let inverse = 1.0 / ab.dot(across);
    let (u, turned) = (start.dot(across) * inverse, start.cross(ab));
    let (v, part) = (displacement.dot(turned) * inverse, ac.dot(turned) * inverse);
    // A displacement along the plane gives no numbers, and does not cross.
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&part)
}
