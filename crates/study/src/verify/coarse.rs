//! Coarse-grained fields of an instant, for the cases that look at them.

use tumble_dem::Engine;
use tumble_measure::coarse::{CoarseFields, CoarseFrame, CoarseSpec, Grid, Quantity};

/// All fields of the present instant.
pub(super) fn frame(engine: &Engine, grid: Grid) -> Option<CoarseFrame> {
    let spec = CoarseSpec { name: String::new(), grid, every: 1, window: None };
    let mut fields = CoarseFields::new(&[spec]);
    fields.sample(engine);
    fields.latest(0).cloned()
}

/// The components of a field in all cells, one cell after the other.
pub(super) fn values(frame: &CoarseFrame, name: &str) -> Vec<f64> {
    Quantity::from_name(name).map_or(Vec::new(), |quantity| frame.values(quantity))
}

/// One of so many components in all cells.
pub(super) fn part(values: &[f64], number: usize, of: usize) -> impl Iterator<Item = f64> + Clone + '_ {
    values.iter().copied().skip(number).step_by(of)
}

/// The mean of some numbers, and the largest difference from it.
pub(super) fn mean_and_spread(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let mean = values.clone().sum::<f64>() / values.clone().count() as f64;
    (mean, values.fold(0.0, |most, value| most.max((value - mean).abs())))
}
