//! How far balls reach.

use super::grid::Ball;

/// What balls extend over.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) low: [f64; 3],
    pub(super) high: [f64; 3],
    /// The largest radius.
    pub(super) largest: f64,
    /// How many there are.
    pub(super) count: usize,
}

impl Extent {
    pub(super) const NONE: Self =
        Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3], largest: 0.0, count: 0 };

    pub(super) fn of(&Ball { centre, radius }: &Ball) -> Self {
        Self { low: centre, high: centre, largest: radius, count: 1 }
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self {
            low: core::array::from_fn(|axis| self.low[axis].min(other.low[axis])),
            high: core::array::from_fn(|axis| self.high[axis].max(other.high[axis])),
            largest: self.largest.max(other.largest),
            count: self.count + other.count,
        }
    }
}

/// The range of a coordinate without the outermost hundredths.
pub(super) fn middle_part(balls: &[Ball], axis: usize) -> (f64, f64) {
    let mut values: Vec<f64> = balls.iter().map(|ball| ball.centre[axis]).collect();
    let cut = values.len() / 100;
    let last = values.len() - 1 - cut;
    let low = *values.select_nth_unstable_by(cut, f64::total_cmp).1;
    let high = *values.select_nth_unstable_by(last, f64::total_cmp).1;
    (low, high)
}
