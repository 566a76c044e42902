//! Spheres moved so that the largest distance of the surface from them becomes as small as it can.
//!
//! A point x of the surface is f = min_i |x − c_i| − r_i away from the union, negative inside; what lies deeper than the error e counts as f = max(0, f + e), so that it
//! is covered. Σ w |f|^p is minimised for growing p, which makes the largest
//! |f| count more and more. Each point belongs to its nearest sphere alone, with the derivatives −u of the centre and −1 of the radius, u pointing from the
//! centre to the point. So the matrix of Newton's method has blocks of 4 × 4, one for each sphere. Steps are damped after Levenberg and Marquardt.

use super::linear::solve;
use crate::sample::Sample;
use tumble_dem::clump::ClumpSphere;
use tumble_math::elementary::power;

/// Which sphere each point belongs to, and how large the error there is.
#[derive(Clone)]
pub(super) struct Distances {
    /// The nearest sphere, and the next.
    owners: Vec<[u32; 2]>,
    /// How far a point of the surface is from the union, negative inside; for one of the core, how far the error allowed there is passed.
    pub(super) errors: Vec<f64>,
    /// The same if the owner were not there.
    next: Vec<f64>,
}

/// Spheres that may be the nearest to a point while none moves far.
type Near = Vec<[u32; NEAR]>;
const NEAR: usize = 12;
/// Steps after which they are found again.
const STEPS_NEAR: usize = 6;

impl Distances {
    pub(super) fn new(spheres: &[ClumpSphere], samples: &[Sample]) -> Self {
        let mut distances = Self::room(samples.len());
        for sample in samples {
            distances.push(sample, nearest_two(spheres, sample, 0..spheres.len()));
        }
        distances
    }

    /// The same where the nearest spheres are known to be among some.
    fn among(spheres: &[ClumpSphere], samples: &[Sample], near: &Near) -> Self {
        let mut distances = Self::room(samples.len());
        for (sample, near) in samples.iter().zip(near) {
            let there = near.iter().take_while(|&&i| i != u32::MAX).map(|&i| i as usize);
            distances.push(sample, nearest_two(spheres, sample, there));
        }
        distances
    }

    fn room(count: usize) -> Self {
        Self {
            owners: Vec::with_capacity(count),
            errors: Vec::with_capacity(count),
            next: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, sample: &Sample, (owners, [best, next]): ([u32; 2], [f64; 2])) {
        self.owners.push(owners);
        self.errors.push(error(sample, best).0);
        self.next.push(error(sample, next).0);
    }

    /// What it is when a sphere has been taken away; those after it have one number less.
    pub(super) fn without(&mut self, removed: u32, spheres: &[ClumpSphere], samples: &[Sample]) {
        for (k, sample) in samples.iter().enumerate() {
            if self.owners[k].contains(&removed) {
                let (owners, [best, next]) = nearest_two(spheres, sample, 0..spheres.len());
                (self.owners[k], self.errors[k], self.next[k]) =
                    (owners, error(sample, best).0, error(sample, next).0);
            } else {
                self.owners[k] = self.owners[k].map(|i| if i > removed && i != u32::MAX { i - 1 } else { i });
            }
        }
    }

    /// The sphere that is worth least, and how large the error of its points would be without it.
    pub(super) fn least(&self, count: usize) -> (usize, f64) {
        // A sphere that no point belongs to is worth nothing.
        let mut cost = vec![f64::NEG_INFINITY; count];
        for (owners, &next) in self.owners.iter().zip(&self.next) {
            let cost = &mut cost[owners[0] as usize];
            *cost = cost.max(next);
        }
        let fewer = |best: (usize, f64), next: (usize, f64)| if next.1 < best.1 { next } else { best };
        cost.into_iter().enumerate().fold((0, f64::INFINITY), fewer)
    }

    /// The largest error.
    pub(super) fn largest(&self) -> f64 {
        self.errors.iter().fold(0.0, |largest, f| f64::max(largest, f.abs()))
    }
}

/// The error at a point that is so far away from the union, and how fast it grows with that. Points of the core that are not covered count more: there
/// the surface of the spheres is as far from the mesh as they are deep.
pub(super) fn error(sample: &Sample, away: f64) -> (f64, f64) {
    const UNCOVERED: f64 = 6.0;
    match sample.core {
        0.0 => (away, 1.0),
        core if away > 0.0 => (core + UNCOVERED * away, UNCOVERED),
        core => (f64::max(0.0, away + core), 1.0),
    }
}

/// The two spheres, of some, that are nearest to a point or that it is deepest in, and how far it is from them.
#[allow(clippy::cast_possible_truncation, reason = "clumps have at most a few thousand spheres")]
fn nearest_two(
    spheres: &[ClumpSphere],
    sample: &Sample,
    some: impl Iterator<Item = usize>,
) -> ([u32; 2], [f64; 2]) {
    let (mut owners, mut aways) = ([0, u32::MAX], [f64::INFINITY; 2]);
    for i in some {
        let away = (sample.at - spheres[i].centre).norm() - spheres[i].radius;
        if away < aways[1] {
            if away < aways[0] {
                (owners, aways) = ([i as u32, owners[0]], [away, aways[0]]);
            } else {
                (owners[1], aways[1]) = (i as u32, away);
            }
        }
    }
    (owners, aways)
}

/// The spheres nearest to each point.
#[allow(clippy::cast_possible_truncation, reason = "clumps have at most a few thousand spheres")]
fn near(spheres: &[ClumpSphere], samples: &[Sample]) -> Near {
    let mut order: Vec<(f64, u32)> = Vec::with_capacity(spheres.len());
    samples
        .iter()
        .map(|sample| {
            order.clear();
            let away = |s: &ClumpSphere| (sample.at - s.centre).norm() - s.radius;
            order.extend(spheres.iter().enumerate().map(|(i, s)| (away(s), i as u32)));
            if order.len() > NEAR {
                order.select_nth_unstable_by(NEAR, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                order.truncate(NEAR);
            }
            // In one order, so that ties are broken as they are among all.
            order.sort_unstable_by_key(|(_, i)| *i);
            std::array::from_fn(|place| order.get(place).map_or(u32::MAX, |(_, i)| *i))
        })
        .collect()
}

/// What bounds the spheres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) smallest_radius: f64,
    pub(super) largest_radius: f64,
}

/// Normal matrix and gradient of one sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) matrix: [[f64; 4]; 4],
    pub(super) gradient: [f64; 4],
}

/// The blocks of all spheres for Σ w |f/scale|^p, up to a factor.
pub(super) fn blocks(
    spheres: &[ClumpSphere],
    samples: &[Sample],
    distances: &Distances,
    weight: impl Fn(&Sample) -> f64,
    scale: f64,
    p: i32,
) -> Vec<Block> {
    let mut blocks = vec![Block { matrix: [[0.0; 4]; 4], gradient: [0.0; 4] }; spheres.len()];
    for (k, sample) in samples.iter().enumerate() {
        let owner = distances.owners[k][0] as usize;
        let f = distances.errors[k];
        let own = weight(sample) * power((f / scale).abs(), p - 2);
        let between = sample.at - spheres[owner].centre;
        let (_, slope) = error(sample, between.norm() - spheres[owner].radius);
        let out = between.unit();
        let j = [-out.x, -out.y, -out.z, -1.0].map(|x| x * slope);
        let block = &mut blocks[owner];
        for a in 0..4 {
            block.gradient[a] += own * f * j[a];
            for b in 0..=a {
                block.matrix[a][b] += own * j[a] * j[b];
            }
        }
    }
    for block in &mut blocks {
        for a in 0..4 {
            for b in 0..a {
                block.matrix[b][a] = block.matrix[a][b];
            }
        }
    }
    blocks
}

/// The sphere after a step, within the limits.
pub(super) fn moved(sphere: &ClumpSphere, step: [f64; 4], limits: Limits) -> ClumpSphere {
    let [x, y, z, r] = step;
    let centre = sphere.centre + tumble_math::LabVec::new(x, y, z);
    ClumpSphere { centre, radius: (sphere.radius + r).clamp(limits.smallest_radius, limits.largest_radius) }
}

/// Moves the spheres, for powers that double from the first to the last; so many steps for each.
pub(super) fn optimise(
    spheres: &mut Vec<ClumpSphere>,
    samples: &[Sample],
    limits: Limits,
    powers: [i32; 2],
    steps: usize,
) -> Distances {
    let mean = samples.iter().map(|s| s.area).sum::<f64>() / samples.len() as f64;
    // Points on edges stand for no area, but for the largest errors.
    let weight = |s: &Sample| (s.area / mean).max(0.5);
    let mut distances = Distances::new(spheres, samples);
    let mut p = powers[0];
    while p <= powers[1] {
        let scale = f64::max(distances.largest(), f64::MIN_POSITIVE);
        let sum = |d: &Distances| -> f64 {
            samples.iter().zip(&d.errors).map(|(s, f)| weight(s) * power((f / scale).abs(), p)).sum()
        };
        let mut value = sum(&distances);
        let mut damping = 1e-2;
        let mut failures = 0;
        let mut near_by = Near::new();
        for step_number in 0..steps {
            if step_number % STEPS_NEAR == 0 {
                near_by = near(spheres, samples);
            }
            let blocks = blocks(spheres, samples, &distances, weight, scale, p);
            let trial: Vec<ClumpSphere> = spheres
                .iter()
                .zip(&blocks)
                .map(|(sphere, block)| moved(sphere, step(block, damping, p, scale), limits))
                .collect();
            let found = Distances::among(&trial, samples, &near_by);
            let after = sum(&found);
            if after < value {
                let gained = 1.0 - after / value;
                (*spheres, distances, value) = (trial, found, after);
                damping *= 0.3;
                failures = 0;
                if gained < 1e-3 * f64::from(p) {
                    break;
                }
            } else {
                damping *= 5.0;
                failures += 1;
                if failures > 5 {
                    break;
                }
            }
        }
        p *= 2;
    }
    Distances::new(spheres, samples)
}

/// A damped step of one sphere, no longer than the errors are large.
fn step(block: &Block, damping: f64, p: i32, scale: f64) -> [f64; 4] {
    let mut matrix = block.matrix;
    let trace: f64 = (0..4).map(|a| matrix[a][a]).sum();
    if trace <= 0.0 {
        return [0.0; 4];
    }
    for (a, row) in matrix.iter_mut().enumerate() {
        row[a] += (damping + 1e-9) * trace;
    }
    let Some(x) = solve(&matrix, &block.gradient) else { return [0.0; 4] };
    let newton = 1.0 / f64::from(p - 1);
    let x = x.map(|x| -x * newton);
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let factor = f64::min(1.0, 2.0 * scale / length.max(f64::MIN_POSITIVE));
    x.map(|x| x * factor)
}
