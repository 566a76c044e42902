//! Which time steps a study tries.

use crate::exact::Exact;
use crate::{Problem, StudyError};
use core::f64::consts::LN_10;
use tumble_rotation::math::elementary::{exp, ln, power};

/// Time steps from `smallest` to `largest`, `per_decade` of them to each factor of ten, in ascending order; none
/// unless both ends are positive.
///
/// ```
/// let steps = tumble_study::time_step_range(1e-3, 1e-2, 2);
/// assert_eq!(steps.len(), 3);
/// assert!((steps[1] / 10_f64.powf(-2.5) - 1.0).abs() < 1e-13);
/// ```
pub fn time_step_range(smallest: f64, largest: f64, per_decade: u32) -> Vec<f64> {
    let per_decade = f64::from(per_decade.max(1));
    let intervals = (decades(largest / smallest) * per_decade + 1e-9).floor();
    if !(intervals >= 0.0 && intervals.is_finite() && smallest > 0.0) {
        return Vec::new();
    }
    let at = |n: u32| {
        let dt = smallest * exp(LN_10 * (f64::from(n) / per_decade));
        // 1e-3 rather than 0.0010000000000000002
        format!("{dt:.13e}").parse().unwrap_or(dt)
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    (0..=intervals as u32).map(at).collect()
}

/// How often a number can be divided by ten until one is left.
fn decades(number: f64) -> f64 {
    ln(number) / LN_10
}

/// The most steps of a run that is not asked for, so that a study of all schemes takes seconds.
const AFFORDABLE_STEPS: f64 = 1e5;
/// The turn in one step, rad, beyond which no scheme is of use.
const USEFUL_TURN: f64 = 3.0;

/// Five time steps per decade, up to where the fastest spin of the exact motion is no longer resolved and down to
/// what is affordable.
pub fn sensible_time_steps(problem: &Problem, exact: &mut Exact) -> Result<Vec<f64>, StudyError> {
    let mut fastest: f64 = 0.0;
    for sample in 0..=200_u32 {
        let t = problem.duration * f64::from(sample) / 200.0;
        fastest = fastest.max(exact.at(t)?.omega.norm());
    }
    // A motion too fast for any affordable step still gets some, at which schemes fail.
    let finest = problem.duration / AFFORDABLE_STEPS;
    let largest = (USEFUL_TURN / fastest).clamp(finest, 0.1 * problem.duration);
    let smallest = (1e-4 * largest).max(finest).min(0.1 * largest);
    // On the grid of round numbers, 1, 1.58, 2.51, 3.98, 6.31, 10.
    #[expect(clippy::cast_possible_truncation, reason = "exponents of numbers are small")]
    let decade = power(10.0, (decades(smallest) + 1e-9).floor() as i32);
    let grid = time_step_range(decade, largest, 5);
    Ok(grid.into_iter().filter(|&dt| dt >= smallest * (1.0 - 1e-9)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_reaches_both_ends() {
        let steps = time_step_range(1e-5, 1e-1, 4);
        assert_eq!(steps.len(), 17);
        assert!((steps[16] - 1e-1).abs() < 1e-16 && (steps[4] - 1e-4).abs() < 1e-19, "{steps:?}");
        assert_eq!(time_step_range(0.5, 0.5, 3), [0.5]);
    }

    #[test]
    fn senseless_ranges_are_empty() {
        for (smallest, largest) in [(0.0, 1.0), (1.0, 0.5), (-1.0, 1.0), (f64::NAN, 1.0), (-2.0, -1.0)] {
            assert!(time_step_range(smallest, largest, 4).is_empty(), "{smallest} {largest}");
        }
    }
}
