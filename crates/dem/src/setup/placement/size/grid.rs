//! Densities that have no integral in closed form: by Gauss–Legendre quadrature in cells that are equal in the logarithm
//! of the size, and inverted by Newton's rule within a cell.

use super::{Power, SizeLaw};
use tumble_math::elementary::{exp, ln};

/// Cells between the ends: fine enough for eight points in each to leave nothing but rounding.
const CELLS: usize = 256;

/// Points on one side of the middle of a cell of half-width 1, and their weights.
const POINTS: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_5],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_3],
];

/// Steps of Newton's rule, each of which stays between known ends.
const STEPS: u32 = 60;

/// The integral of a density times (d/unit)ᵖ between two sizes.
pub(super) fn integral(law: &SizeLaw, power: Power, ends: [f64; 2], unit: f64) -> f64 {
    let [low, high] = law.support(ends);
    if low >= high {
        return 0.0;
    }
    let edges = edges([low, high]);
    edges.windows(2).map(|cell| over_cell(law, power, [cell[0], cell[1]], unit)).sum()
}

fn over_cell(law: &SizeLaw, power: Power, [low, high]: [f64; 2], unit: f64) -> f64 {
    let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
    let at = |size: f64| law.density(size) * power.of(size / unit);
    let sum: f64 =
        POINTS.iter().map(|&[x, weight]| weight * (at(middle - half * x) + at(middle + half * x))).sum();
    sum * half
}

/// The edges of cells between two ends.
fn edges([low, high]: [f64; 2]) -> Vec<f64> {
    let step = ln(high / low) / CELLS as f64;
    let mut edges: Vec<f64> = (0..CELLS).map(|cell| low * exp(step * cell as f64)).collect();
    edges.push(high);
    edges
}

/// The integral of a density from the smallest size on, known at the edges of cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    power: Power,
    unit: f64,
    edges: Vec<f64>,
    /// Up to each edge.
    sums: Vec<f64>,
}

impl Grid {
    pub(super) fn new(law: &SizeLaw, power: Power, ends: [f64; 2]) -> Self {
        let (edges, unit) = (edges(law.support(ends)), ends[1]);
        let mut sums = vec![0.0];
        let mut sum = 0.0;
        for cell in edges.windows(2) {
            sum += over_cell(law, power, [cell[0], cell[1]], unit);
            sums.push(sum);
        }
        Self { power, unit, edges, sums }
    }

    /// The size up to which the integral is this part of the whole.
    pub(super) fn quantile(&self, law: &SizeLaw, part: f64) -> f64 {
        let wanted = part * self.sums.last().copied().unwrap_or_default();
        let cell = self.sums.partition_point(|&sum| sum <= wanted).clamp(1, self.edges.len() - 1) - 1;
        let (from, wanted) = (self.edges[cell], wanted - self.sums[cell]);
        let (mut low, mut high) = (from, self.edges[cell + 1]);
        let all = self.sums[cell + 1] - self.sums[cell];
        let mut size = if all > 0.0 { from + (high - from) * (wanted / all) } else { from };
        for _ in 0..STEPS {
            let over = over_cell(law, self.power, [from, size], self.unit) - wanted;
            if over > 0.0 {
                high = size;
            } else {
                low = size;
            }
            let slope = law.density(size) * self.power.of(size / self.unit);
            let next = size - over / slope;
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            if (next - size).abs() <= 4.0 * f64::EPSILON * size {
                return next;
            }
            size = next;
        }
        size
    }
}
