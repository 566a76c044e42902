//! The normal distribution: its cumulative distribution and the inverse of it, with the functions of this crate alone.

use super::{exp, ln};
use crate::Real;

/// 1/√(2π).
const DENSITY_AT_ZERO: f64 = 0.398_942_280_401_432_7;

/// Below this the series is used, beyond it the continued fraction.
const TAIL: f64 = 2.0;

/// The part of a normal distribution of mean 0 and standard deviation 1 that is below x: to 10⁻¹⁴ of itself for |x| up to 10, also in its
/// lower tail.
///
/// ```
/// use tumble_math::elementary::normal_below;
/// assert_eq!(normal_below(0.0), 0.5);
/// assert!((normal_below(-1.959_963_984_540_054) - 0.025).abs() < 1e-15);
/// ```
pub fn normal_below(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x < -TAIL {
        tail(-x)
    } else if x > TAIL {
        1.0 - tail(x)
    } else {
        0.5 + series(x)
    }
}

/// Below which number this part of a normal distribution of mean 0 and standard deviation 1 is; −∞ for 0, ∞ for 1, NaN
/// beyond. To 10⁻¹⁴ of itself or of one, whichever is the larger.
///
/// ```
/// use tumble_math::elementary::normal_quantile;
/// assert_eq!(normal_quantile(0.5), 0.0);
/// assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
/// ```
pub fn normal_quantile(part: f64) -> f64 {
    if !(0.0..=1.0).contains(&part) {
        return f64::NAN;
    }
    if part > 0.5 {
        return -lower_quantile(1.0 - part);
    }
    lower_quantile(part)
}

/// The same for parts up to a half.
fn lower_quantile(part: f64) -> f64 {
    if part == 0.0 {
        return f64::NEG_INFINITY;
    }
    if part >= 0.5 {
        return 0.0;
    }
    // Abramowitz & Stegun 26.2.23, to 4.5·10⁻⁴; each step of Halley's rule cubes the error.
    let t = Real::sqrt(-2.0 * ln(part));
    let up = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let down = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = up / down - t;
    for _ in 0..3 {
        let density = DENSITY_AT_ZERO * exp(-0.5 * x * x);
        if density == 0.0 {
            break;
        }
        let newton = (normal_below(x) - part) / density;
        x -= newton / (1.0 + 0.5 * x * newton);
    }
    x
}

/// The part between 0 and x: φ(x) (x + x³/3 + x⁵/15 + …), all of whose terms have one sign.
fn series(x: f64) -> f64 {
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-18 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    sum * (DENSITY_AT_ZERO * exp(-0.5 * x * x))
}

/// The part beyond x ≥ 2: φ(x)/(x + 1/(x + 2/(x + 3/(x + …)))), from the end.
fn tail(x: f64) -> f64 {
    const TERMS: u32 = 150;
    let mut below = x;
    for k in (1..=TERMS).rev() {
        below = x + f64::from(k) / below;
    }
    DENSITY_AT_ZERO * exp(-0.5 * x * x) / below
}
