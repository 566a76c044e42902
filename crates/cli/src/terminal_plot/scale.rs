//! Where values lie along an axis of text, and which of them are labelled.

#![allow(clippy::disallowed_methods, reason = "for drawing alone")]

use tumble_report::Axis;

/// The values that an axis shows, and its ticks.
pub(super) struct Scale {
    log: bool,
    /// Ends of the axis, as logarithms on a logarithmic one.
    low: f64,
    high: f64,
    /// Between ticks; decades on a logarithmic axis.
    step: f64,
    pub(super) ticks: Vec<Tick>,
}

pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

impl Scale {
    /// The scale of these values, with about as many ticks as `most`.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, most: usize) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter_map(|value| position(axis.log, value)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A constant still needs an axis to lie on, and rounding errors are no curve.
        let size = low.abs().max(high.abs());
        if high - low <= 1e-12 * size || high - low < f64::MIN_POSITIVE {
            let room = if axis.log || size < f64::MIN_POSITIVE { 1.0 } else { 0.1 * size };
            (low, high) = (low - room, high + room);
        }
        let rough = (high - low) / most.max(1) as f64;
        let step = if axis.log { (rough - 1e-9).ceil().max(1.0) } else { round_step(rough) };
        let mut scale = Self { log: axis.log, low, high, step, ticks: Vec::new() };
        scale.place_ticks();
        scale
    }

    /// The same, reaching out to the next ticks.
    pub(super) fn rounded_outwards(mut self) -> Self {
        // What is a tick but for rounding is one.
        self.low = (self.low / self.step + 1e-9).floor() * self.step;
        self.high = (self.high / self.step - 1e-9).ceil() * self.step;
        self.place_ticks();
        self
    }

    /// Where a value lies between the ends, 0 to 1; nothing if it cannot be drawn.
    pub(super) fn fraction(&self, value: f64) -> Option<f64> {
        position(self.log, value).map(|position| (position - self.low) / (self.high - self.low))
    }

    #[expect(clippy::cast_possible_truncation, reason = "a few ticks, and exponents of f64")]
    fn place_ticks(&mut self) {
        let first = (self.low / self.step - 1e-9).ceil() as i64;
        let last = (self.high / self.step + 1e-9).floor() as i64;
        let largest = self.low.abs().max(self.high.abs());
        let exponent = |x: f64| if x > 0.0 { x.log10().floor() as i32 } else { 0 };
        let common = if (1e-2..1e5).contains(&largest) { 0 } else { exponent(largest) };
        let decimals = usize::try_from(common - exponent(self.step * (1.0 + 1e-9))).unwrap_or(0);
        self.ticks = (first..=last)
            .map(|n| {
                let position = n as f64 * self.step;
                if self.log {
                    let exponent = position.round() as i32;
                    let label = format!("1e{exponent}");
                    return Tick { value: label.parse().unwrap_or(f64::NAN), label };
                }
                let label = match (n, common) {
                    (0, _) => "0".into(),
                    (_, 0) => format!("{position:.decimals$}"),
                    _ => format!("{:.decimals$}e{common}", position / 10_f64.powi(common)),
                };
                Tick { value: position, label }
            })
            .collect();
    }
}

/// The coordinate of a value along an axis; nothing if it cannot be drawn.
pub(super) fn position(log: bool, value: f64) -> Option<f64> {
    let position = if log { value.log10() } else { value };
    // Ends near the largest number have no distance that is one.
    (position.abs() < 1e300 && (!log || value > 0.0)).then_some(position)
}

/// The next 1, 2 or 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let decade = 10_f64.powf(rough.log10().floor());
    // Rounding must not make 0.2 a 0.5.
    let least = rough * (1.0 - 1e-9);
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * decade)
        .find(|step| *step >= least)
        .unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], most: usize) -> Vec<String> {
        let scale = Scale::new(axis, values.iter().copied(), most).rounded_outwards();
        scale.ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let linear = Axis::linear("");
        assert_eq!(labels(&linear, &[0.0, 1.0], 5), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&linear, &[-0.13, 0.31], 4), ["-0.2", "0", "0.2", "0.4"]);
        assert_eq!(labels(&linear, &[0.0, 3.2e-6], 4), ["0", "1e-6", "2e-6", "3e-6", "4e-6"]);
        assert_eq!(labels(&linear, &[100.0, 1100.0], 2), ["0", "500", "1000", "1500"]);
        assert_eq!(labels(&linear, &[12.0, 12.0], 2), ["10", "12", "14"]);
        assert_eq!(
            labels(&Axis::log(""), &[3e-5, 0.2, f64::NAN, -1.0], 5),
            ["1e-5", "1e-4", "1e-3", "1e-2", "1e-1", "1e0"]
        );
    }

    #[test]
    fn nothing_to_show_is_still_an_axis() {
        for values in [&[][..], &[f64::NAN], &[0.0], &[f64::MAX, f64::MIN], &[1e-308]] {
            for axis in [Axis::linear(""), Axis::log("")] {
                let count = labels(&axis, values, 4).len();
                assert!((2..12).contains(&count), "{values:?}: {count}");
            }
        }
    }
}
