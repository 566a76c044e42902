//! Values of options: numbers, vectors, names. Every error says what was expected.

use clap::builder::{PossibleValue, TypedValueParser};
use std::ffi::OsStr;
use std::time::Duration;
use tumble::gpu::{Choice as Device, UnknownDevice};
use tumble::scene::quantity_in;
use tumble_dem::Precision;
use tumble_rotation::math::{BodyVec, Quat};
use tumble_rotation::{Error, PrincipalInertia, SchemeKind, Spin};
use tumble_study::papers::SPIRAL_SCHEMES;
use tumble_study::{PRESETS, Preset, TORQUES, Torque, TorqueKind, time_step_range};

/// Schemes in the order in which they were named.
#[derive(Clone, Debug)]
pub(crate) struct Schemes(pub(crate) Vec<SchemeKind>);

/// Time steps as they were given.
#[derive(Clone, Debug)]
pub(crate) struct TimeSteps(pub(crate) Vec<f64>);

/// A named set of schemes.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) schemes: &'static [SchemeKind],
}

/// Every group.
pub(crate) const GROUPS: &[Group] = &[
    Group { name: "all", description: "every scheme", schemes: SchemeKind::ALL },
    Group {
        name: "spiral-paper",
        description: "those compared by del Valle et al. 2024",
        schemes: &SPIRAL_SCHEMES,
    },
    Group {
        name: "pcdm-papers",
        description: "those compared by Zhao & van Wachem 2013 and Seelen et al. 2016",
        schemes: &[
            SchemeKind::QuaternionEuler,
            SchemeKind::WaltonBraun,
            SchemeKind::ScalarFactor,
            SchemeKind::DirectMultiplication,
            SchemeKind::Pcdm,
            SchemeKind::ImprovedPcdm,
        ],
    },
    Group {
        name: "geometric",
        description: "exact rotations and splittings from molecular and celestial mechanics",
        schemes: &[
            SchemeKind::MagnusLeapfrog,
            SchemeKind::KickRotateKick,
            SchemeKind::Dullweber,
            SchemeKind::NoSquish,
            SchemeKind::LieMidpoint,
        ],
    },
];

/// A parser that also tells completions which names there are.
pub(crate) fn named<T: Clone + Send + Sync + 'static>(
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<&'static str>,
) -> impl TypedValueParser<Value = T> {
    Named { parse, names }
}

#[derive(Clone)]
struct Named<T> {
    parse: fn(&str) -> Result<T, String>,
    names: fn() -> Vec<&'static str>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// What does the steps of a run.
pub(crate) fn device(text: &str) -> Result<Device, String> {
    text.trim().parse().map_err(|unknown: UnknownDevice| unknown.to_string())
}

/// Words for devices; of those with a number, the first.
pub(crate) fn device_names() -> Vec<&'static str> {
    Device::WORDS.map(|(word, _)| if word.ends_with('N') { "cuda:0" } else { word }).to_vec()
}

/// A time of the clock on the wall, such as 23h50m.
pub(crate) fn wall_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is no time such as 23h50m, 90m, 1d12h or 30s");
    let (mut rest, mut seconds, mut longest) = (text.trim(), 0.0, f64::INFINITY);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
        let letters = rest[digits..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len() - digits);
        let unit = match &rest[digits..digits + letters] {
            "d" => 86_400.0,
            "h" => 3600.0,
            "m" | "min" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            _ => return Err(wrong()),
        };
        // From long to short, so that 50m23h is the slip that it looks like.
        if unit >= longest {
            return Err(wrong());
        }
        longest = unit;
        seconds += unit * rest[..digits].parse::<f64>().map_err(|_| wrong())?;
        rest = &rest[digits + letters..];
    }
    Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| format!("{text:?} is not a number"))
}

/// Exactly `N` numbers separated by commas.
fn numbers<const N: usize>(text: &str, example: &str) -> Result<[f64; N], String> {
    let all: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    let count = all.len();
    all.try_into().map_err(|_| format!("expected {N} numbers such as {example}, found {count}"))
}

fn finite<const N: usize>(what: &'static str, values: [f64; N]) -> Result<[f64; N], String> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(Error::NotFinite { what, value }.to_string()),
        None => Ok(values),
    }
}

pub(crate) fn inertia(text: &str) -> Result<PrincipalInertia<f64>, String> {
    PrincipalInertia::new(numbers(text, "1,2,3")?).map_err(|error| error.to_string())
}

pub(crate) fn omega(text: &str) -> Result<BodyVec<f64>, String> {
    Ok(BodyVec::from_array(finite("angular velocity", numbers(text, "0.3,-0.9,0.6")?)?))
}

/// A quaternion, scaled to unit length.
pub(crate) fn orientation(text: &str) -> Result<Quat<f64>, String> {
    let components: [f64; 4] = finite("orientation", numbers(text, "1,0,0,0")?)?;
    let spin = Spin { q: Quat::from_array(components), omega: BodyVec::zero() };
    spin.checked().map(|spin| spin.q).map_err(|error| error.to_string())
}

/// A positive, finite number.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(format!("expected a positive number, but it is {value}"))
    }
}

/// A positive time: a plain number in s, or with a unit.
pub(crate) fn duration(text: &str) -> Result<f64, String> {
    quantity("s", text)
}

/// A positive length: a plain number in m, or with a unit.
pub(crate) fn length(text: &str) -> Result<f64, String> {
    quantity("m", text)
}

/// A positive density: a plain number in kg/m³, or with a unit.
pub(crate) fn density(text: &str) -> Result<f64, String> {
    quantity("kg/m^3", text)
}

fn quantity(unit: &str, text: &str) -> Result<f64, String> {
    if text.trim().parse::<f64>().is_ok() {
        return positive(text);
    }
    let value = quantity_in(unit, text)?;
    if value > 0.0 { Ok(value) } else { Err(format!("expected a positive number, but it is {text}")) }
}

pub(crate) fn problem(text: &str) -> Result<&'static Preset, String> {
    Preset::find(text).ok_or_else(|| unknown("problem", text, problem_names().into_iter()))
}

pub(crate) fn problem_names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

pub(crate) fn torque(text: &str) -> Result<Torque, String> {
    let (name, parameters) = text.split_once('=').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let kind = TorqueKind::find(name).ok_or_else(|| unknown("torque", name, torque_names().into_iter()))?;
    let values: Vec<f64> = match parameters {
        None => Vec::new(),
        Some(list) => list.split(',').map(number).collect::<Result<_, _>>()?,
    };
    if let Some(&value) = values.iter().find(|value| !value.is_finite()) {
        return Err(Error::NotFinite { what: "torque", value }.to_string());
    }
    kind.with(&values).ok_or_else(|| {
        let most = kind.defaults().len();
        let count = values.len();
        let plural = if most == 1 { "number" } else { "numbers" };
        format!(
            "the torque `{name}` takes at most {most} {plural}, found {count}; the default is {}",
            kind.usage()
        )
    })
}

pub(crate) fn torque_names() -> Vec<&'static str> {
    TORQUES.iter().map(|kind| kind.name).collect()
}

/// Names of schemes or groups; capitals, spaces and underscores as in papers and programs will do.
pub(crate) fn schemes(text: &str) -> Result<Schemes, String> {
    let mut chosen = Vec::new();
    for name in text.split(',') {
        let group = GROUPS.iter().find(|group| group.name == plain(name));
        let found = match group {
            Some(group) => group.schemes.to_vec(),
            None => match SchemeKind::from_name(&plain(name)) {
                Some(scheme) => vec![scheme],
                None => return Err(unknown("scheme", name, scheme_and_group_names().into_iter())),
            },
        };
        for scheme in found {
            if !chosen.contains(&scheme) {
                chosen.push(scheme);
            }
        }
    }
    Ok(Schemes(chosen))
}

/// One scheme by its name.
pub(crate) fn scheme(text: &str) -> Result<SchemeKind, String> {
    SchemeKind::from_name(&plain(text)).ok_or_else(|| unknown("scheme", text, scheme_names().into_iter()))
}

pub(crate) fn precision(text: &str) -> Result<Precision, String> {
    let known = Precision::from_name(&plain(text));
    known.ok_or_else(|| unknown("precision", text, precision_names().into_iter()))
}

pub(crate) fn precision_names() -> Vec<&'static str> {
    Precision::ALL.map(Precision::name).to_vec()
}

pub(crate) fn scheme_names() -> Vec<&'static str> {
    SchemeKind::ALL.iter().map(|kind| kind.name()).collect()
}

pub(crate) fn scheme_and_group_names() -> Vec<&'static str> {
    scheme_names().into_iter().chain(GROUPS.iter().map(|group| group.name)).collect()
}

/// A name as the lists spell it.
pub(crate) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '_'], "-")
}

/// A list of time steps, or `smallest:largest:per-decade`.
pub(crate) fn time_steps(text: &str) -> Result<TimeSteps, String> {
    let example =
        "expected a list such as 1e-3,1e-2 or a range such as 1e-5:1e-1:4 (smallest, largest, per decade)";
    let step = |text: &str| {
        let dt = number(text).map_err(|error| format!("{error}; {example}"))?;
        match dt {
            dt if !dt.is_finite() => Err(Error::NotFinite { what: "time step", value: dt }.to_string()),
            dt if dt <= 0.0 => Err(Error::NonPositiveTimeStep { dt }.to_string()),
            dt => Ok(dt),
        }
    };
    let steps = match text.split(':').collect::<Vec<_>>()[..] {
        [list] => list.split(',').map(step).collect::<Result<Vec<f64>, String>>()?,
        [smallest, largest, ref rest @ ..] if rest.len() < 2 => {
            let (smallest, largest) = (step(smallest)?, step(largest)?);
            let per_decade = match rest.first() {
                None => 4,
                Some(text) => match text.trim().parse() {
                    Ok(count @ 1..=100) => count,
                    _ => {
                        return Err(format!(
                            "{text:?} steps per decade: expected a whole number from 1 to 100"
                        ));
                    }
                },
            };
            if largest < smallest {
                return Err(format!("the range ends at {largest}, below its start {smallest}"));
            }
            time_step_range(smallest, largest, per_decade)
        }
        _ => return Err(example.into()),
    };
    Ok(TimeSteps(steps))
}

/// An error for a name that does not exist, with those that may have been meant, or else all of them.
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let name = name.trim();
    let typed = plain(name);
    let contains = |candidate: &&&str| typed.len() >= 3 && candidate.contains(&typed);
    let mut meant: Vec<String> = known.iter().filter(contains).map(|name| format!("`{name}`")).collect();
    if meant.is_empty() {
        let likeness = |candidate: &&str| strsim::jaro_winkler(&typed, candidate);
        let nearest = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        meant.extend(nearest.filter(|name| likeness(name) > 0.8).map(|name| format!("`{name}`")));
    }
    if meant.is_empty() || meant.len() > 4 {
        format!("unknown {what} `{name}`; known: {}", known.join(", "))
    } else {
        format!("unknown {what} `{name}`; did you mean {}?", meant.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::wall_time;
    use std::time::Duration;

    #[test]
    fn times_of_the_clock_go_from_long_to_short() {
        let seconds = |text| wall_time(text).map(|time| time.as_secs_f64());
        let cases =
            [("23h50m", 85_800.0), ("1d12h", 129_600.0), ("90min", 5400.0), ("1.5s", 1.5), ("20ms", 0.02)];
        for (text, expected) in cases {
            assert_eq!(seconds(text), Ok(Duration::from_secs_f64(expected).as_secs_f64()), "{text}");
        }
        for text in ["", "12", "50m23h", "1h1h", "-1h", "0s", "h", "1y", "1e400d", "1..2h"] {
            assert!(wall_time(text).unwrap_err().contains("such as 23h50m"), "{text}");
        }
    }
}
