//! Volume, centre and inertia of a polyhedron in closed form.
//!
//! A triangle (a, b, c) spans a tetrahedron with the origin, of signed volume v = a·(b × c)/6, first moment v (a + b + c)/4 and
//! second moment v/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ) with s = a + b + c. The tetrahedra of a closed surface add up to the solid.

use super::Point;
use tumble_dem::clump::MassProperties;
use tumble_math::SymTensor;

/// The properties of what these triangles enclose.
pub(super) fn properties(triangles: impl Iterator<Item = [Point; 3]> + Clone) -> MassProperties {
    // About the middle of the corners little cancels.
    let mut middle = Point::zero();
    let mut count = 0.0;
    for corner in triangles.clone().flatten() {
        middle = middle + corner;
        count += 1.0;
    }
    let middle = middle * (1.0 / f64::max(count, 1.0));
    let (mut volume, mut first) = (0.0, Point::zero());
    let mut second = SymTensor::from_diagonal(Point::zero());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corner - middle);
        let (own, sum) = (a.dot(b.cross(c)) / 6.0, a + b + c);
        volume += own;
        first = first + sum * (own / 4.0);
        let spread = SymTensor::dyad(sum) + SymTensor::dyad(a) + SymTensor::dyad(b) + SymTensor::dyad(c);
        second = second + spread * (own / 20.0);
    }
    let offset = first * (1.0 / volume);
    let spread = second - SymTensor::dyad(offset) * volume;
    let trace = spread.trace();
    let inertia = SymTensor::from_diagonal(Point::new(trace, trace, trace)) - spread;
    MassProperties { volume, centre: middle + offset, inertia }
}
