//! Where values lie along an axis, and which of them are labelled.

use super::Axis;

/// The values shown by an axis, and its ticks.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    kind: Kind,
    /// Ends of the axis, as logarithms on a logarithmic one.
    low: f64,
    high: f64,
    /// Labelled ticks, which also carry the grid.
    pub(super) major: Vec<Tick>,
    /// Ticks without a label.
    pub(super) minor: Vec<f64>,
    /// All labels are to be multiplied by this power of ten, which is written once; 0 for none.
    pub(super) common_exponent: i32,
}

/// What an axis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Linear,
    Log,
    Names,
}

/// What must be seen beside the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Nothing.
    Free,
    /// Zero, on a linear axis: bars begin there.
    Zero,
    /// The same, and room beyond the longest bar for its value.
    ZeroWithRoom,
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: Label,
}

/// How a value is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// As digits.
    Plain(String),
    /// As a power of ten, with a factor in front unless that is one.
    Power { factor: Option<String>, exponent: i32 },
}

/// Room between the outermost data and the frame, as a part of the axis.
const MARGIN: f64 = 0.04;
/// The same where the value is written.
const VALUE: f64 = 0.25;
/// More labels than this would touch each other.
const MOST_LABELS: i32 = 8;

impl Scale {
    /// The scale that shows all drawable `values`, or all categories.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, base: Base) -> Self {
        if !axis.categories.is_empty() {
            return Self::of_names(&axis.categories);
        }
        let kind = if axis.log { Kind::Log } else { Kind::Linear };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter_map(|value| position(kind, value)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let from_zero = base != Base::Free && kind == Kind::Linear;
        if from_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        // A single value still needs an axis to lie on.
        let least = if axis.log { 1.0 } else { 1e-9 * low.abs().max(high.abs()).max(1e-300) };
        if high - low < least {
            let room = if axis.log { 0.5 } else { (0.1 * low.abs()).max(least) };
            (low, high) = (low - room, high + room);
        }
        let margin = if base == Base::ZeroWithRoom { VALUE } else { MARGIN } * (high - low);
        // Bars stand on the frame.
        let free_end = |end: f64| if from_zero && end == 0.0 { 0.0 } else { margin };
        let mut scale = Self {
            kind,
            low: low - free_end(low),
            high: high + free_end(high),
            major: Vec::new(),
            minor: Vec::new(),
            common_exponent: 0,
        };
        if axis.log {
            scale.place_decades();
        } else {
            scale.place_round_numbers();
        }
        scale
    }

    fn of_names(names: &[String]) -> Self {
        let tick =
            |(place, name): (usize, &String)| Tick { value: place as f64, label: Label::Plain(name.clone()) };
        Self {
            kind: Kind::Names,
            low: -0.5,
            high: names.len() as f64 - 0.5,
            major: names.iter().enumerate().map(tick).collect(),
            minor: Vec::new(),
            common_exponent: 0,
        }
    }

    /// Turned round: names on a vertical axis are read from the top.
    pub(super) fn reversed_if_names(mut self) -> Self {
        if self.kind == Kind::Names {
            (self.low, self.high) = (self.high, self.low);
        }
        self
    }

    pub(super) fn is_of_names(&self) -> bool {
        self.kind == Kind::Names
    }

    /// For scripts that go from pixels back to values: the kind, and the ends (logarithms on a logarithmic axis).
    pub(super) fn data(&self) -> String {
        let kind = match self.kind {
            Kind::Linear => "linear",
            Kind::Log => "log",
            Kind::Names => "names",
        };
        format!("{kind} {} {}", self.low, self.high)
    }

    /// The length of a category, as a part of the axis.
    pub(super) fn category(&self) -> f64 {
        1.0 / self.major.len().max(1) as f64
    }

    /// Where `value` lies between the ends (0 to 1, beyond them outside); nothing if it cannot be drawn.
    pub(super) fn fraction(&self, value: f64) -> Option<f64> {
        position(self.kind, value).map(|position| (position - self.low) / (self.high - self.low))
    }

    fn shows(&self, value: f64) -> bool {
        self.fraction(value).is_some_and(|fraction| (0.0..=1.0).contains(&fraction))
    }

    #[expect(clippy::cast_possible_truncation, reason = "exponents of f64 are small")]
    fn place_decades(&mut self) {
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        let count: i32 = (first..=last).map(|n| i32::from(self.shows(power_of_ten(n)))).sum();
        let stride = (count - 1).div_euclid(MOST_LABELS) + 1;
        // On a short axis powers of ten are too few.
        let factors: &[u8] = if count < 3 { &[1, 2, 5] } else { &[1] };
        for exponent in first..=last {
            for factor in 1..=9_u8 {
                let value = f64::from(factor) * power_of_ten(exponent);
                if !self.shows(value) {
                    continue;
                }
                if factors.contains(&factor) && exponent.rem_euclid(stride) == 0 {
                    let factor = (factor > 1).then(|| factor.to_string());
                    self.major.push(Tick { value, label: Label::Power { factor, exponent } });
                } else if stride == 1 || factor == 1 {
                    self.minor.push(value);
                }
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "exponents of f64 are small")]
    fn place_round_numbers(&mut self) {
        let rough = (self.high - self.low) / 6.0;
        let exponent = rough.log10().floor();
        let decade = 10_f64.powf(exponent);
        let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * decade >= rough).unwrap_or(10.0);
        let step = factor * decade;
        let largest = self.low.abs().max(self.high.abs());
        let scientific = !(1e-2..1e5).contains(&largest);
        let common = if scientific { largest.log10().floor() as i32 } else { 0 };
        self.common_exponent = common;
        // A factor of 10 belongs to the next decade.
        let step_exponent = exponent as i32 + i32::from(factor > 9.0);
        let decimals = usize::try_from(common - step_exponent).unwrap_or(0);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        for n in first..=last {
            let value = n as f64 * step;
            let digits = format!("{:.decimals$}", value / power_of_ten(common)).replace('-', "−");
            let label = Label::Plain(if n == 0 { "0".into() } else { digits });
            self.major.push(Tick { value, label });
        }
        // Halves of steps of two and fifths of the others are round numbers themselves.
        let parts = if (factor - 2.0).abs() < 0.5 { 4 } else { 5 };
        for n in (first - 1) * parts..=(last + 1) * parts {
            let value = n as f64 * step / parts as f64;
            if n % parts != 0 && self.shows(value) {
                self.minor.push(value);
            }
        }
    }
}

/// The coordinate of a value along an axis; nothing if it cannot be drawn.
fn position(kind: Kind, value: f64) -> Option<f64> {
    let log = kind == Kind::Log;
    let position = if log { value.log10() } else { value };
    (position.is_finite() && (!log || value > 0.0)).then_some(position)
}

/// 10ⁿ, rounded correctly as `powi` is not.
fn power_of_ten(n: i32) -> f64 {
    format!("1e{n}").parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(log: bool, values: &[f64]) -> Scale {
        Scale::new(&Axis { log, ..Axis::linear("") }, values.iter().copied(), Base::Free)
    }

    fn labels(scale: &Scale) -> Vec<String> {
        let text = |tick: &Tick| match &tick.label {
            Label::Plain(text) => text.clone(),
            Label::Power { factor: None, exponent } => format!("10^{exponent}"),
            Label::Power { factor: Some(factor), exponent } => format!("{factor}e{exponent}"),
        };
        scale.major.iter().map(text).collect()
    }

    #[test]
    fn a_logarithmic_axis_has_every_decade() {
        let scale = scale(true, &[3e-5, 2e-1, f64::NAN, -1.0, 0.0]);
        assert_eq!(labels(&scale), ["10^-4", "10^-3", "10^-2", "10^-1"]);
        assert!(scale.minor.iter().any(|&x| (x - 5e-3).abs() < 1e-15));
    }

    #[test]
    fn a_long_logarithmic_axis_skips_decades() {
        let scale = scale(true, &[1e-16, 1.0]);
        assert!(scale.major.len() <= 9, "{:?}", labels(&scale));
        assert_eq!(labels(&scale).last().map(String::as_str), Some("10^0"));
    }

    #[test]
    fn a_short_logarithmic_axis_has_factors() {
        assert_eq!(labels(&scale(true, &[0.9, 12.0])), ["10^0", "2e0", "5e0", "10^1"]);
    }

    #[test]
    fn a_linear_axis_has_round_numbers() {
        assert_eq!(labels(&scale(false, &[-1.0, 1.0])), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
        let millions = scale(false, &[0.0, 4e6]);
        assert_eq!(
            (labels(&millions), millions.common_exponent),
            (["0", "1", "2", "3", "4"].map(String::from).into(), 6)
        );
        assert!(millions.minor.iter().any(|&x| (x - 2e5).abs() < 1e-6), "{:?}", millions.minor);
    }

    #[test]
    fn bars_stand_on_zero_and_names_are_read_from_the_top() {
        let scale = Scale::new(&Axis::linear(""), [3.0, 5.0].into_iter(), Base::Zero);
        assert_eq!(scale.fraction(0.0), Some(0.0));
        let names = Scale::new(&Axis::categories("", ["a", "b"]), std::iter::empty(), Base::Free);
        assert_eq!((names.fraction(0.0), names.fraction(1.0)), (Some(0.25), Some(0.75)));
        let names = names.reversed_if_names();
        assert_eq!((names.fraction(0.0), names.fraction(1.0)), (Some(0.75), Some(0.25)));
        assert_eq!(labels(&names), ["a", "b"]);
    }

    #[test]
    fn nothing_to_show_is_still_an_axis() {
        for log in [false, true] {
            let scale = scale(log, &[f64::NAN]);
            assert!(scale.major.len() >= 2);
            let scale = self::scale(log, &[7.0]);
            assert!((scale.fraction(7.0).unwrap() - 0.5).abs() < 1e-12);
            assert!(!scale.major.is_empty() && scale.major.len() < 12, "{:?}", labels(&scale));
        }
        assert_eq!(scale(true, &[1.0, 10.0]).fraction(-1.0), None);
    }
}
