//! The time step that a target error needs, as in table 2 of the SPIRAL paper.

#![allow(clippy::disallowed_methods, reason = "a search that ends within a tolerance")]

use crate::exact::Exact;
use crate::{Problem, StudyError, measure};
use tumble_rotation::SchemeKind;

/// The largest time step that meets a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NeededStep {
    /// This one, s.
    At(f64),
    /// A smaller one than was tried, s.
    Below(f64),
    /// Every one that was tried, up to this, s.
    Above(f64),
}

impl NeededStep {
    /// The time step, if it was found.
    pub fn found(self) -> Option<f64> {
        match self {
            Self::At(dt) => Some(dt),
            Self::Below(_) | Self::Above(_) => None,
        }
    }
}

/// Ratio of the time steps that are tried to bracket the target.
const STRIDE: f64 = 1.8;
/// Relative accuracy of the time step found.
const TOLERANCE: f64 = 1e-3;

/// The largest time step between `smallest` and `largest` at which the mean error of q and ω is at most `target`.
///
/// From `largest` down, the first step that meets the target together with the next smaller one is taken, so
/// that an error that happens to pass through zero does not count. Between it and the one before, the target is
/// found by false position on logarithms, in which an error that follows a power law is a straight line.
pub fn time_step_for(
    problem: &Problem,
    scheme: SchemeKind,
    target: f64,
    (smallest, largest): (f64, f64),
    exact: &mut Exact,
) -> Result<NeededStep, StudyError> {
    // How far above the target, as a logarithm. A run that blows up, or hits the target exactly, is far off.
    let mut excess = |log_dt: f64| -> Result<f64, StudyError> {
        let error = measure(problem, scheme, log_dt.exp(), exact)?.mean_error();
        let excess = error.map_or(f64::INFINITY, |error| (error / target).ln());
        Ok(if excess.is_nan() { 50.0 } else { excess.clamp(-50.0, 50.0) })
    };

    let (mut log_dt, bottom) = (largest.ln(), smallest.ln());
    let mut above: Option<(f64, f64)> = None;
    let mut met: Option<(f64, f64)> = None;
    let below = loop {
        let now = (log_dt, excess(log_dt)?);
        match met {
            Some(first) if now.1 <= 0.0 => break first,
            _ if now.1 <= 0.0 => met = Some(now),
            _ => {
                above = Some(now);
                met = None;
            }
        }
        if log_dt <= bottom {
            match met {
                Some(first) => break first,
                None => return Ok(NeededStep::Below(smallest)),
            }
        }
        log_dt = (log_dt - STRIDE.ln()).max(bottom);
    };
    let Some(above) = above else { return Ok(NeededStep::Above(largest)) };
    Ok(NeededStep::At(false_position(below, above, excess)?.exp()))
}

/// The zero between two points (x, y) with y ≤ 0 and y > 0, by the Illinois variant of false position.
fn false_position(
    (mut low, mut y_low): (f64, f64),
    (mut high, mut y_high): (f64, f64),
    mut y: impl FnMut(f64) -> Result<f64, StudyError>,
) -> Result<f64, StudyError> {
    let mut last_side = 0;
    for _ in 0..60 {
        let weight = (y_low / (y_low - y_high)).clamp(0.02, 0.98);
        let x = low + weight * (high - low);
        let value = y(x)?;
        if value.abs() < TOLERANCE {
            return Ok(x);
        }
        let side = if value > 0.0 { 1 } else { -1 };
        if side > 0 {
            (high, y_high) = (x, value);
            y_low *= if last_side == side { 0.5 } else { 1.0 };
        } else {
            (low, y_low) = (x, value);
            y_high *= if last_side == side { 0.5 } else { 1.0 };
        }
        last_side = side;
        // The error jumps where the number of steps does; then the side that meets the target counts.
        if high - low < TOLERANCE {
            break;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn false_position_finds_a_zero_of_a_bent_curve() {
        let curve = |x: f64| Ok(x.exp() - 3.0);
        let zero = false_position((0.0, -2.0), (5.0, 145.0), curve).unwrap();
        assert!((zero - 3_f64.ln()).abs() < 1e-3, "{zero}");
    }
}
