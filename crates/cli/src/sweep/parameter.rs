//! What is varied: values of a key, and seeds, as typed on the command line.

use std::fmt;
use std::str::FromStr;
use tumble_rotation::math::elementary::{exp, ln};

/// A key of a scene, and the values it takes.
///
/// ```
/// use tumble_cli::sweep::Parameter;
/// let values = |text: &str| text.parse::<Parameter>().map(|parameter| parameter.values);
/// assert_eq!(values("rotation=omelyan,fincham")?, ["omelyan", "fincham"]);
/// assert_eq!(values("dt=1e-6..3e-6:3")?, ["1e-6", "2e-6", "3e-6"]);
/// assert_eq!(values("dt=log:1 us..100 us:3")?, ["1 us", "10 us", "100 us"]);
/// assert_eq!(values("gravity=[0,0,-9.81],[0,0,0]")?, ["[0,0,-9.81]", "[0,0,0]"]);
/// # Ok::<(), tumble_cli::sweep::ParameterError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The key, such as `rotation` or `run.dt`.
    pub key: String,
    /// Its values as text, in the order given.
    pub values: Vec<String>,
}

/// Seeds of random numbers: `50` for 1 to 50, or a list such as `3,5,9` (a single one: `7,`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds(pub Vec<u64>);

/// What is wrong with a parameter as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
    /// There is no `=`, or nothing before it.
    NoKey(String),
    /// A value of this key is empty.
    NoValue(String),
    /// This value is given twice.
    Repeated(String),
    /// A bracket or quotation mark has no partner.
    Unbalanced(String),
    /// A range is not `LOW..HIGH:COUNT`; why not.
    Range(String),
    /// Seeds are neither a number nor a list.
    Seeds(String),
}

/// More values of one parameter are a typing error.
const MOST_VALUES: usize = 100_000;

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let (key, values) = text.split_once('=').unwrap_or(("", ""));
        let key = key.trim();
        if key.is_empty() || key.contains(|c: char| c.is_whitespace() || c == ',' || c == '"') {
            return Err(ParameterError::NoKey(text.into()));
        }
        let values = match range(values)? {
            Some(values) => values,
            None => list(values)?,
        };
        if values.iter().any(String::is_empty) {
            return Err(ParameterError::NoValue(key.into()));
        }
        if let Some(repeated) = first_repeated(&values) {
            return Err(ParameterError::Repeated(format!("{key}={repeated}")));
        }
        Ok(Self { key: key.into(), values })
    }
}

impl FromStr for Seeds {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let bad = || ParameterError::Seeds(text.into());
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| bad());
        let seeds: Vec<u64> = if text.contains(',') {
            text.trim().trim_end_matches(',').split(',').map(number).collect::<Result<_, _>>()?
        } else {
            let count = number(text)?;
            if !(1..=MOST_VALUES as u64).contains(&count) {
                return Err(bad());
            }
            (1..=count).collect()
        };
        match first_repeated(&seeds) {
            Some(seed) => Err(ParameterError::Repeated(format!("seed {seed}"))),
            None => Ok(Self(seeds)),
        }
    }
}

/// The value that occurs for a second time first.
fn first_repeated<T: Ord>(values: &[T]) -> Option<&T> {
    let mut seen = std::collections::BTreeSet::new();
    values.iter().find(|value| !seen.insert(*value))
}

/// The parts between commas that are in no brackets or quotation marks.
fn list(text: &str) -> Result<Vec<String>, ParameterError> {
    let mut parts = vec![String::new()];
    let mut closing = Vec::new();
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[') => closing.push(']'),
            (None, '{') => closing.push('}'),
            (None, ']' | '}') if closing.pop() != Some(letter) => {
                return Err(ParameterError::Unbalanced(text.into()));
            }
            (None, ',') if closing.is_empty() => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    if quote.is_some() || !closing.is_empty() {
        return Err(ParameterError::Unbalanced(text.into()));
    }
    Ok(parts.iter().map(|part| part.trim().to_owned()).collect())
}

/// The values of `[log:]LOW..HIGH:COUNT`; nothing if the text is something else, such as a path.
fn range(text: &str) -> Result<Option<Vec<String>>, ParameterError> {
    let bad = |why: &str| ParameterError::Range(format!("{}: {why}", text.trim()));
    let (log, rest) = match text.trim().strip_prefix("log:") {
        Some(rest) => (true, rest),
        None => (false, text.trim()),
    };
    let Some((low, rest)) = rest.split_once("..") else {
        return if log {
            Err(bad("after `log:`, a range such as 1e-6..1e-5:5 is expected"))
        } else {
            Ok(None)
        };
    };
    let (Some((low, unit)), false) = (quantity(low), low.contains(',')) else {
        return if log { Err(bad("the range does not begin with a number")) } else { Ok(None) };
    };
    let (high, count) =
        rest.rsplit_once(':').ok_or_else(|| bad("how many values? add a count, such as `:5`"))?;
    let (high, other_unit) = quantity(high).ok_or_else(|| bad("the range does not end with a number"))?;
    if unit != other_unit {
        return Err(bad("both ends of a range need the same unit"));
    }
    let Ok(count @ 2..=MOST_VALUES) = count.trim().parse::<usize>() else {
        return Err(bad("the count of a range is a whole number, at least 2"));
    };
    if log && (low <= 0.0 || high <= 0.0) {
        return Err(bad("both ends of a logarithmic range must be positive"));
    }
    let value = |place: usize| {
        let (left, right) = ((count - 1 - place) as f64, place as f64);
        let last = (count - 1) as f64;
        let value = match place {
            0 => low,
            _ if place == count - 1 => high,
            _ if log => low * exp(ln(high / low) * (right / last)),
            _ => (low * left + high * right) / last,
        };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        short(value) + &unit
    };
    Ok(Some((0..count).map(value).collect()))
}

/// A finite number and the unit behind it, if any.
fn quantity(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    // The longest beginning that is a number: an `e` may be an exponent or begin a unit.
    let ends = text.char_indices().map(|(start, letter)| start + letter.len_utf8()).rev();
    let mut readings =
        ends.filter_map(|end| Some((text[..end].trim_end().parse::<f64>().ok()?, &text[end..])));
    let (number, unit) = readings.next()?;
    number.is_finite().then_some((number, unit.trim()))
}

/// Twelve significant digits: a power is right to a few of its last bits, and 0.3 shall be 0.3.
fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.11e}").parse().unwrap_or(x);
    let size = rounded.abs();
    if size == 0.0 || (1e-4..1e15).contains(&size) { rounded.to_string() } else { format!("{rounded:e}") }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoKey(text) => {
                write!(
                    f,
                    "`{text}`: expected KEY=VALUES, such as rotation=omelyan,fincham or dt=1e-6..1e-5:5"
                )
            }
            Self::NoValue(key) => write!(f, "`{key}`: a value is missing"),
            Self::Repeated(what) => write!(f, "`{what}` is given twice"),
            Self::Unbalanced(text) => write!(f, "`{text}`: a bracket or quotation mark has no partner"),
            Self::Range(problem) => f.write_str(problem),
            Self::Seeds(text) => {
                write!(f, "`{text}`: expected how many seeds, such as 50 (1 to 50), or a list such as 3,5,9")
            }
        }
    }
}

impl std::error::Error for ParameterError {}
