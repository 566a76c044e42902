//! Where spheres are added.

use super::optimise::{self, Distances, Limits};
use crate::sample::Sample;
use crate::{Point, Solid};
use tumble_dem::clump::ClumpSphere;

/// Adds spheres where the surface is farthest from them, until there are `count`, as large as they can be if they may stick out by `error`.
pub(super) fn add(
    solid: &Solid,
    spheres: &mut Vec<ClumpSphere>,
    samples: &[Sample],
    limits: Limits,
    count: usize,
    error: f64,
) {
    let mut errors: Vec<f64> = if spheres.is_empty() {
        vec![f64::INFINITY; samples.len()]
    } else {
        Distances::new(spheres, samples).errors
    };
    while spheres.len() < count {
        let largest = |best: (usize, f64), (k, &f): (usize, &f64)| if f > best.1 { (k, f) } else { best };
        let (worst, _) = errors.iter().enumerate().fold((0, f64::NEG_INFINITY), largest);
        let sample = &samples[worst];
        let new = if sample.normal == Point::zero() {
            let radius = solid.depth(sample.at).clamp(limits.smallest_radius, limits.largest_radius);
            ClumpSphere { centre: sample.at, radius }
        } else {
            inner_ball(solid, sample, error, limits)
        };
        for (f, sample) in errors.iter_mut().zip(samples) {
            *f = f.min(optimise::error(sample, (sample.at - new.centre).norm() - new.radius).0);
        }
        // Should the ball not reach it, the next one is placed elsewhere all the same.
        errors[worst] = f64::min(errors[worst], 0.0);
        spheres.push(new);
    }
}

/// The largest ball that sticks out by the given error and comes as near to a point of the surface: on the inner normal, at the largest t
/// for which t − φ(x − t n) is at most 1.5 errors; that grows with t, since φ changes no faster than places.
fn inner_ball(solid: &Solid, sample: &Sample, error: f64, limits: Limits) -> ClumpSphere {
    let too_far = |t: f64| t - solid.depth(sample.at - sample.normal * t) > 1.5 * error;
    let [low, high] = solid.bounds();
    let (mut near, mut far) = (0.0, (high - low).norm());
    for _ in 0..24 {
        let middle = 0.5 * (near + far);
        if too_far(middle) {
            far = middle;
        } else {
            near = middle;
        }
    }
    let centre = sample.at - sample.normal * near;
    let radius = (solid.depth(centre) + error).clamp(limits.smallest_radius, limits.largest_radius);
    ClumpSphere { centre, radius }
}
