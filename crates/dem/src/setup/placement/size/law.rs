//! Laws of sizes, without ends: which part is below a size, and which size a part is below.

use super::Power;
use crate::placement::error::{PlacementError, finite_number, positive};
use core::f64::consts::PI;
use tumble_math::elementary::{exp, ln, normal_below, normal_quantile};

/// How sizes are distributed, before any are cut off.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeLaw {
    /// A sieve curve: between two sieves every size is as likely as any other.
    Table {
        /// Ascending, m.
        sizes: Vec<f64>,
        /// The part below each: from 0 to 1, never less than that before it.
        passing: Vec<f64>,
    },
    /// Normal.
    Normal {
        /// m
        mean: f64,
        /// The standard deviation, m.
        deviation: f64,
    },
    /// The logarithm of the size is normal.
    LogNormal {
        /// m
        median: f64,
        /// The standard deviation of the natural logarithm.
        sigma: f64,
    },
    /// The part above a size d is exp(−(d/scale)^shape): by mass, Rosin and Rammler's.
    Weibull {
        /// The size that 1 − 1/e, or 63.2 %, are below, m.
        scale: f64,
        /// How narrow it is.
        shape: f64,
    },
}

impl SizeLaw {
    pub(super) fn check(&self) -> Result<(), PlacementError> {
        match self {
            Self::Table { sizes, passing } => check_table(sizes, passing),
            Self::Normal { mean, deviation } => {
                finite_number("mean of the sizes", *mean)?;
                positive("standard deviation of the sizes", *deviation)
            }
            Self::LogNormal { median, sigma } => {
                positive("median of the sizes", *median)?;
                positive("standard deviation of the logarithm of the sizes", *sigma)
            }
            Self::Weibull { scale, shape } => {
                positive("size that 63.2 % are below", *scale)?;
                positive("exponent of the sizes", *shape)
            }
        }
    }

    /// Which part is below a size.
    pub(super) fn below(&self, size: f64) -> f64 {
        match self {
            Self::Table { sizes, passing } => {
                let after = sizes.partition_point(|&sieve| sieve <= size);
                if after == 0 {
                    return 0.0;
                }
                let (Some(&from), Some(&to)) = (sizes.get(after - 1), sizes.get(after)) else { return 1.0 };
                let [below, above] = [passing[after - 1], passing[after]];
                below + (above - below) * ((size - from) / (to - from))
            }
            Self::Normal { mean, deviation } => normal_below((size - mean) / deviation),
            Self::LogNormal { median, sigma } => normal_below(ln(size / median) / sigma),
            Self::Weibull { scale, shape } => 1.0 - exp(-power(size / scale, *shape)),
        }
    }

    /// Below which size a part is; of a table, [`table_quantile`] says it.
    pub(super) fn quantile(&self, part: f64) -> f64 {
        match self {
            Self::Table { sizes, .. } => sizes.first().copied().unwrap_or_default(),
            Self::Normal { mean, deviation } => mean + deviation * normal_quantile(part),
            Self::LogNormal { median, sigma } => median * exp(sigma * normal_quantile(part)),
            Self::Weibull { scale, shape } => scale * power(-ln(1.0 - part), 1.0 / shape),
        }
    }

    /// The density at a size; a table is integrated without.
    pub(super) fn density(&self, size: f64) -> f64 {
        match self {
            Self::Table { .. } => 0.0,
            Self::Normal { mean, deviation } => {
                let z = (size - mean) / deviation;
                exp(-0.5 * z * z) / (deviation * (2.0 * PI).sqrt())
            }
            Self::LogNormal { median, sigma } => {
                let z = ln(size / median) / sigma;
                exp(-0.5 * z * z) / (sigma * size * (2.0 * PI).sqrt())
            }
            Self::Weibull { scale, shape } => {
                let raised = power(size / scale, *shape);
                shape / size * raised * exp(-raised)
            }
        }
    }

    /// Between these sizes is all that counts, whatever power up to three of the size it is multiplied by.
    pub(super) fn support(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        // What is beyond is less than 10⁻³⁰.
        const SIGMAS: f64 = 12.0;
        const TINY: f64 = 1e-20;
        const EXPONENT: f64 = 80.0;
        let [from, to] = match self {
            Self::Table { .. } => [low, high],
            Self::Normal { mean, deviation } => [mean - SIGMAS * deviation, mean + SIGMAS * deviation],
            Self::LogNormal { median, sigma } => {
                [-SIGMAS, SIGMAS].map(|z| median * exp(sigma * (z + 3.0 * sigma * z.signum())))
            }
            Self::Weibull { scale, shape } => {
                let from = if *shape > 3.0 { scale * power(TINY, 1.0 / (shape - 3.0)) } else { 0.0 };
                [from, scale * power(EXPONENT, 1.0 / shape)]
            }
        };
        // Ends that keep nothing were refused, so these two cross in no case that matters.
        let from = from.max(low).min(high);
        [from, to.min(high).max(from)]
    }
}

fn check_table(sizes: &[f64], passing: &[f64]) -> Result<(), PlacementError> {
    let wrong = |what: &'static str, value: String, expected: &'static str| {
        Err(PlacementError::Invalid { what, value, expected })
    };
    if sizes.len() < 2 || sizes.len() != passing.len() {
        let value = format!("of {} sizes and {} parts", sizes.len(), passing.len());
        return wrong("sieve curve", value, "as many parts as sizes, and two at least");
    }
    for &size in sizes {
        positive("size of a sieve", size)?;
    }
    if let Some((a, b)) = sizes.iter().zip(&sizes[1..]).find(|(a, b)| a >= b) {
        return wrong("sieve after that of", format!("{a} m {b} m"), "a larger one");
    }
    if let Some((a, b)) = passing.iter().zip(&passing[1..]).find(|(a, b)| a > b || a.is_nan() || b.is_nan()) {
        let value = format!("{b} after {a}");
        return wrong("part that passes a sieve", value, "no less than that of the sieve before");
    }
    if passing.first() != Some(&0.0) || passing.last() != Some(&1.0) {
        let value = format!("from {:?} to {:?}", passing[0], passing[passing.len() - 1]);
        return wrong(
            "part that passes the sieves",
            value,
            "from 0 to 1: nothing is below the first, and all below the last",
        );
    }
    Ok(())
}

/// xᵖ for positive x.
fn power(x: f64, p: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { exp(p * ln(x)) }
}

/// The integral of xᵖ over the normal density of ln x between two ends.
pub(super) fn log_normal_moment(median: f64, sigma: f64, power: Power, ends: [f64; 2]) -> f64 {
    let p = match power {
        Power::MinusThree => -3.0,
        Power::Zero => 0.0,
        Power::Three => 3.0,
    };
    let [low, high] = ends.map(|x| normal_below(ln(x / median) / sigma - p * sigma));
    exp(p * ln(median) + 0.5 * p * p * sigma * sigma) * (high - low)
}

/// The part of the density of a sieve curve times (d/unit)ᵖ that is between two sizes within one interval.
fn within(density: f64, power: Power, [low, high]: [f64; 2], unit: f64) -> f64 {
    let [a, b] = [low / unit, high / unit];
    density
        * unit
        * match power {
            Power::Zero => b - a,
            // (b⁴ − a⁴)/4 and (a⁻² − b⁻²)/2, without differences of large numbers.
            Power::Three => 0.25 * (b - a) * (a + b) * (a * a + b * b),
            Power::MinusThree => 0.5 * (b - a) * (a + b) / (a * a * b * b),
        }
}

/// Intervals of a sieve curve between two sizes, each with its density.
fn intervals<'t>(
    sizes: &'t [f64],
    passing: &'t [f64],
    [low, high]: [f64; 2],
) -> impl Iterator<Item = ([f64; 2], f64)> + 't {
    sizes.windows(2).zip(passing.windows(2)).filter_map(move |(sizes, passing)| {
        let ends = [sizes[0].max(low), sizes[1].min(high)];
        let density = (passing[1] - passing[0]) / (sizes[1] - sizes[0]);
        (ends[0] < ends[1] && density > 0.0).then_some((ends, density))
    })
}

/// The integral of the density of a sieve curve times (d/unit)ᵖ.
pub(super) fn table_moment(sizes: &[f64], passing: &[f64], power: Power, ends: [f64; 2], unit: f64) -> f64 {
    intervals(sizes, passing, ends).map(|(ends, density)| within(density, power, ends, unit)).sum()
}

/// The size up to which that integral, from the smallest size on, has this value.
pub(super) fn table_quantile(
    sizes: &[f64],
    passing: &[f64],
    power: Power,
    ends: [f64; 2],
    wanted: f64,
) -> f64 {
    let unit = ends[1];
    let (mut left, mut last) = (wanted, ends[0]);
    for ([low, high], density) in intervals(sizes, passing, ends) {
        let all = within(density, power, [low, high], unit);
        if left <= all {
            let part = if all > 0.0 { left / all } else { 0.0 };
            // Positive fourth and square roots only.
            return match power {
                Power::Zero => low + part * (high - low),
                Power::Three => {
                    let [a, b] = [low, high].map(|d| (d / unit) * (d / unit));
                    (a * a + part * (b * b - a * a)).sqrt().sqrt() * unit
                }
                Power::MinusThree => {
                    let [a, b] = [low, high].map(|d| (unit / d) * (unit / d));
                    unit / (a + part * (b - a)).sqrt()
                }
            };
        }
        left -= all;
        last = high;
    }
    last
}
