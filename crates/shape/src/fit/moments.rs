//! The volume, centre and inertia of the union made those of the mesh.
//!
//! Ten moments of the union, ∫1, ∫x and ∫x xᵀ, are to be those of the mesh, and the surface as near to it as before: Newton's method for the
//! minimum of a sum with ten equalities. With the matrix H of the sum, of 4 × 4 blocks, its gradient g, the differences c of the moments and their derivatives C, a step δ has
//!   H δ + Cᵀ μ = −g,  C δ = −c,  so that  (C H⁻¹ Cᵀ) μ = c − C H⁻¹ g,
//! ten equations whatever the number of spheres. The last steps leave g away: they only go to the moments, by the way that costs the surface least.

use super::linear::solve;
use super::optimise::{Block, Distances, Limits, blocks, moved};
use crate::sample::Sample;
use crate::{Point, Solid};
use tumble_dem::clump::{ClumpSphere, UnionMoments};

/// The derivatives of the ten moments with respect to one sphere.
type Rows = [[f64; 4]; 10];

/// What the moments shall be.
pub(super) struct Target {
    /// The centre of mass of the mesh, about which they are.
    origin: Point,
    values: [f64; 10],
    /// What differences are relative to.
    scales: [f64; 10],
}

/// Differences of moments that are no more than rounding.
const CLOSE: f64 = 1e-12;
/// What is asked of a result.
const CLOSE_ENOUGH: f64 = 1e-10;
/// Steps that look at the surface too, and those that only go to the moments.
const STEPS: [usize; 2] = [14, 20];
/// How much the largest error counts above the others.
const POWER: i32 = 12;

impl Target {
    pub(super) fn of(solid: &Solid) -> Self {
        let mass = solid.mass();
        let ([a, b, c], [d, e, f]) = (mass.inertia.diagonal.to_array(), mass.inertia.off_diagonal.to_array());
        // ∫x xᵀ is half the trace of the inertia less the inertia.
        let half = 0.5 * (a + b + c);
        let (first, second) = (mass.volume * solid.size(), mass.volume * solid.size() * solid.size());
        Self {
            origin: mass.centre,
            values: [mass.volume, 0.0, 0.0, 0.0, half - a, half - b, half - c, -d, -e, -f],
            scales: [mass.volume, first, first, first, second, second, second, second, second, second],
        }
    }

    /// Differences and derivatives, relative to the scales.
    fn compare(&self, spheres: &[ClumpSphere]) -> ([f64; 10], Vec<Rows>) {
        let UnionMoments { values, mut derivatives } = UnionMoments::about(self.origin, spheres);
        for rows in &mut derivatives {
            for (row, scale) in rows.iter_mut().zip(self.scales) {
                *row = row.map(|x| x / scale);
            }
        }
        (core::array::from_fn(|m| (values[m] - self.values[m]) / self.scales[m]), derivatives)
    }
}

/// The spheres moved so that the moments of their union are the wanted ones; none if that does not come about.
pub(super) fn with_moments(
    spheres: &[ClumpSphere],
    samples: &[Sample],
    target: &Target,
    limits: Limits,
) -> Option<Vec<ClumpSphere>> {
    // Ten equalities need more than ten unknowns: with three spheres there are twelve.
    if spheres.len() < 3 {
        return None;
    }
    let mut spheres = spheres.to_vec();
    let mut last = f64::INFINITY;
    for round in 0..STEPS[0] + STEPS[1] {
        let (differences, derivatives) = target.compare(&spheres);
        let off = differences.iter().fold(0.0, |most, c| f64::max(most, c.abs()));
        let surface_too = round < STEPS[0];
        if !off.is_finite() {
            return None;
        }
        if !surface_too && (off <= CLOSE || (off <= CLOSE_ENOUGH && off >= last)) {
            return Some(spheres);
        }
        last = off;
        let distances = Distances::new(&spheres, samples);
        let scale = distances.largest();
        let all =
            blocks(&spheres, samples, &distances, |s| if s.area > 0.0 { 1.0 } else { 0.5 }, scale, POWER);
        let inverses = inverses(&spheres, &all, limits);
        let pull = if surface_too { 1.0 / f64::from(POWER - 1) } else { 0.0 };
        let steps = newton(&differences, &derivatives, &all, &inverses, pull)?;
        let longest = steps.iter().flatten().fold(0.0, |most, x| f64::max(most, x.abs()));
        let factor = f64::min(1.0, 0.5 * scale / longest.max(f64::MIN_POSITIVE));
        for (sphere, step) in spheres.iter_mut().zip(steps) {
            *sphere = moved(sphere, step.map(|x| x * factor), limits);
        }
    }
    let (differences, _) = target.compare(&spheres);
    differences.iter().all(|c| c.abs() <= CLOSE_ENOUGH).then_some(spheres)
}

/// The steps of all spheres.
fn newton(
    differences: &[f64; 10],
    derivatives: &[Rows],
    blocks: &[Block],
    inverses: &[[[f64; 4]; 4]],
    pull: f64,
) -> Option<Vec<[f64; 4]>> {
    let mut matrix = [[0.0; 10]; 10];
    let mut right = *differences;
    for ((rows, block), inverse) in derivatives.iter().zip(blocks).zip(inverses) {
        let down = times(inverse, &block.gradient);
        let columns: [[f64; 4]; 10] = core::array::from_fn(|m| times(inverse, &rows[m]));
        for a in 0..10 {
            right[a] -= pull * dot(&rows[a], &down);
            for b in 0..10 {
                matrix[a][b] += dot(&rows[a], &columns[b]);
            }
        }
    }
    // Equalities that a symmetric set of spheres keeps by itself have no derivatives.
    let trace: f64 = (0..10).map(|a| matrix[a][a]).sum();
    for (a, row) in matrix.iter_mut().enumerate() {
        row[a] += 1e-11 * trace;
    }
    let multipliers = solve(&matrix, &right)?;
    let step = |(rows, block, inverse): (&Rows, &Block, &[[f64; 4]; 4])| {
        let force: [f64; 4] = core::array::from_fn(|k| {
            pull * block.gradient[k] + (0..10).map(|m| rows[m][k] * multipliers[m]).sum::<f64>()
        });
        times(inverse, &force).map(|x| -x)
    };
    let all = derivatives.iter().zip(blocks).zip(inverses);
    Some(all.map(|((rows, block), inverse)| step((rows, block, inverse))).collect())
}

/// The inverses of the damped blocks: spheres at which errors are small are free to move, those at a limit of the radius keep it.
fn inverses(spheres: &[ClumpSphere], blocks: &[Block], limits: Limits) -> Vec<[[f64; 4]; 4]> {
    const DAMPING: f64 = 0.03;
    let trace = |block: &Block| (0..4).map(|a| block.matrix[a][a]).sum::<f64>();
    let mean = blocks.iter().map(trace).sum::<f64>() / blocks.len() as f64;
    let inverse = |(sphere, block): (&ClumpSphere, &Block)| {
        let mut matrix = block.matrix;
        for (a, row) in matrix.iter_mut().enumerate() {
            row[a] += DAMPING * (trace(block) + mean) + f64::MIN_POSITIVE;
        }
        if sphere.radius <= limits.smallest_radius || sphere.radius >= limits.largest_radius {
            for row in &mut matrix {
                row[3] = 0.0;
            }
            matrix[3] = [0.0, 0.0, 0.0, 1e12 * mean];
        }
        let mut inverse = [[0.0; 4]; 4];
        for (a, column) in inverse.iter_mut().enumerate() {
            let mut unit = [0.0; 4];
            unit[a] = 1.0;
            *column = solve(&matrix, &unit).unwrap_or([0.0; 4]);
        }
        inverse
    };
    spheres.iter().zip(blocks).map(inverse).collect()
}

fn times(matrix: &[[f64; 4]; 4], vector: &[f64; 4]) -> [f64; 4] {
    core::array::from_fn(|a| dot(&matrix[a], vector))
}

fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
