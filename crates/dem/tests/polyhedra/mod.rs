//! Rounded polyhedra beside spheres and capsules: the geometry of their features, their mass, engines that have them, how they rest, and what is refused.

mod geometry;
mod in_engines;
mod mass;
mod refused;
mod resting;
mod rounds;
mod surfaces;

use tumble_dem::clump::{ClumpHull, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::random::Random;

pub(crate) fn only(hulls: &[ClumpHull]) -> ClumpPieces<'_> {
    ClumpPieces { hulls, ..ClumpPieces::default() }
}

pub(crate) fn template(name: &str, hulls: &[ClumpHull]) -> ClumpTemplate {
    ClumpTemplate::of(name, only(hulls), MassModel::Union).unwrap()
}

/// A polyhedron with so many corners in any directions, each of which sticks out: about a stretched sphere.
pub(crate) fn irregular(random: &mut Random, corners: usize, rounding: f64) -> ClumpHull {
    let stretch = [0; 3].map(|_| random.between(0.6, 1.4));
    let mut all = Vec::new();
    while all.len() < corners {
        let [x, y, z] = random.direction().to_array();
        let corner = [x * stretch[0], y * stretch[1], z * stretch[2]];
        let near = |other: &[f64; 3]| (0..3).map(|k| (corner[k] - other[k]).powi(2)).sum::<f64>() < 0.04;
        if !all.iter().any(near) {
            all.push(corner);
        }
    }
    ClumpHull::new(&all, rounding)
}
