//! How the moments of a union change with its spheres.
//!
//! Only the exposed surface moves mass: a change δr of a radius and δc of a centre move the point c + r u outwards by
//! δr + u·δc. So, over the exposed part of the sphere,
//!   ∂/∂r ∫f dV = r² ∫f(c + r u) du  and  ∂/∂c ∫f dV = r² ∫f(c + r u) u du,
//! which for f = 1, x and x xᵀ are moments of u up to the third order (`patch`).

use super::super::ClumpSphere;
use super::super::mass::{dyad, middle};
use super::arcs::Surface;
use super::patch::Patch;
use super::{Integrals, outermost_numbers};
use tumble_math::{Lab, LabVec, SymTensor};

/// Volume, first and second moments of a union of spheres about a point, and their derivatives.
///
/// The ten moments are ∫dV, ∫x dV (x, y, z) and ∫x xᵀ dV (xx, yy, zz, yz, xz, xy).
///
/// ```
/// use tumble_dem::clump::{ClumpSphere, UnionMoments};
/// use tumble_math::LabVec;
/// let ball = [ClumpSphere::new([0.0, 0.0, 0.0], 2.0)];
/// let moments = UnionMoments::about(LabVec::zero(), &ball);
/// let area = 16.0 * core::f64::consts::PI;
/// assert!((moments.derivatives[0][0][3] / area - 1.0).abs() < 1e-14, "dV/dr is the area");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct UnionMoments {
    /// The ten moments, m³, m⁴ and m⁵.
    pub values: [f64; 10],
    /// For each sphere the derivatives of the ten with respect to its centre (x, y, z) and its radius; zero for spheres
    /// inside others.
    pub derivatives: Vec<[[f64; 4]; 10]>,
}

impl UnionMoments {
    /// The moments about `origin`, which should be near the spheres: nothing is scaled.
    ///
    /// Where three spheres meet in one circle, which hardly happens to spheres that were fitted, derivatives are those of either side.
    pub fn about(origin: LabVec<f64>, spheres: &[ClumpSphere]) -> Self {
        let all: Vec<ClumpSphere> =
            spheres.iter().map(|s| ClumpSphere { centre: s.centre - origin, radius: s.radius }).collect();
        let numbers = outermost_numbers(&all);
        let outer: Vec<ClumpSphere> = numbers.iter().map(|&number| all[number]).collect();
        // About the middle little cancels; moments about the origin follow.
        let shift = middle(&outer);
        let centred: Vec<ClumpSphere> =
            outer.iter().map(|s| ClumpSphere { centre: s.centre - shift, radius: s.radius }).collect();
        let surface = Surface::new(&centred);
        let mut sum = Integrals::zero();
        let mut derivatives = vec![[[0.0; 4]; 10]; spheres.len()];
        for ((sphere, boundary), &number) in centred.iter().zip(&surface.boundaries).zip(&numbers) {
            let patch = Patch::new(sphere.centre, boundary);
            sum.add(sphere, &patch);
            let third = AXES.map(|axis| Patch::new(axis, boundary).third_along_centre);
            derivatives[number] = derivatives_of(sphere.centre + shift, sphere.radius, &patch, third);
        }
        let first = sum.first + shift * sum.volume;
        let second = sum.second + dyad(shift, sum.first) * 2.0 + dyad(shift, shift) * sum.volume;
        Self { values: ten(sum.volume, first, second), derivatives }
    }
}

const AXES: [LabVec<f64>; 3] =
    [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 1.0, 0.0), LabVec::new(0.0, 0.0, 1.0)];

/// The derivatives of one sphere; `third` has ∫u uᵀ u_k.
fn derivatives_of(c: LabVec<f64>, r: f64, patch: &Patch, third: [SymTensor<f64, Lab>; 3]) -> [[f64; 4]; 10] {
    let square = r * r;
    let (m0, m1, m2) = (patch.solid_angle, patch.normal, patch.normal_normal);
    let by_radius = ten(
        m0 * square,
        (c * m0 + m1 * r) * square,
        (dyad(c, c) * m0 + dyad(c, m1) * (2.0 * r) + m2 * square) * square,
    );
    let by_centre: [[f64; 10]; 3] = std::array::from_fn(|k| {
        let (m1_k, m2_k) = (m1.to_array()[k], m2 * AXES[k]);
        ten(
            m1_k * square,
            (c * m1_k + m2_k * r) * square,
            (dyad(c, c) * m1_k + dyad(c, m2_k) * (2.0 * r) + third[k] * square) * square,
        )
    });
    std::array::from_fn(|moment| {
        [by_centre[0][moment], by_centre[1][moment], by_centre[2][moment], by_radius[moment]]
    })
}

fn ten(volume: f64, first: LabVec<f64>, second: SymTensor<f64, Lab>) -> [f64; 10] {
    let ([x, y, z], [xx, yy, zz], [yz, xz, xy]) =
        (first.to_array(), second.diagonal.to_array(), second.off_diagonal.to_array());
    [volume, x, y, z, xx, yy, zz, yz, xz, xy]
}
