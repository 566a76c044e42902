//! Ellipsoids beside spheres and capsules: their geometry, their mass, engines that have them, one on a plane, and what is refused.

mod geometry;
mod in_engines;
mod mass;
mod on_a_plane;
mod refused;
mod rounds;

use tumble_dem::physics::solid::Solid;
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec, Quat};

/// Semi-axes up to this ratio: flat ones, long ones and others.
pub(crate) fn any_semi_axes(random: &mut Random, most: f64) -> [f64; 3] {
    let (size, ratio) = (random.between(0.3, 1.3), random.between(1.0, most));
    let middle = match random.uniform() {
        x if x < 0.3 => 1.0,
        x if x < 0.6 => ratio,
        _ => random.between(1.0, ratio),
    };
    [size * ratio, size * middle, size]
}

/// An ellipsoid with these semi-axes somewhere.
pub(crate) fn ellipsoid(semi_axes: [f64; 3], centre: LabVec<f64>, q: Quat<f64>) -> Solid<f64> {
    let [a, b, c] = semi_axes;
    let tips = [BodyVec::new(a, 0.0, 0.0), BodyVec::new(0.0, b, 0.0), BodyVec::new(0.0, 0.0, c)];
    let [u, v, w] = tips.map(|tip| centre + q.to_lab(tip));
    Solid::of_points([centre, u, v, w], (a * b * c).cbrt())
}

/// A sphere, or a capsule.
pub(crate) fn round(ends: [LabVec<f64>; 2], radius: f64) -> Solid<f64> {
    Solid::of_points([ends[0], ends[1], ends[0], ends[0]], radius)
}
