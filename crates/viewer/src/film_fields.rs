//! What of coarse-grained fields goes into a film: the quantities that one mostly looks at, and no more frames than a page opens quickly.

use crate::Source;
use crate::base64::Encoder;
use crate::fields::{self, Field};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The quantities in films, of all that fields have.
const IN_FILMS: [&str; 7] = [
    "density",
    "solid_fraction",
    "velocity",
    "temperature",
    "contact_stress",
    "pressure",
    "granular_temperature",
];

/// All fields together take no more bytes of a film than this.
const MOST: u64 = 20_000_000;

/// The fields of planes and grids in a film.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilmFields {
    /// Frames of fields that are in it.
    pub frames: usize,
    /// Frames that would have made it too large.
    pub left_out: usize,
    /// Why some cannot be read.
    pub problems: Vec<String>,
    /// What is written.
    plan: Vec<Planned>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Planned {
    name: String,
    /// Numbers of frames.
    frames: Vec<usize>,
    quantities: Vec<String>,
}

impl FilmFields {
    /// What of the fields of a run goes into a film. Each grid has the same share of the bytes.
    pub(crate) fn new(source: &Source, warm: bool) -> Self {
        let (all, problems) = fields::all(source);
        let share = MOST / all.len().max(1) as u64;
        let mut made =
            Self { problems: problems.iter().map(ToString::to_string).collect(), ..Self::default() };
        for field in &all {
            let kept = |name: &str| IN_FILMS.contains(&name) && (warm || name != "temperature");
            let quantities = field.quantities.iter().filter(|quantity| kept(&quantity.name));
            let numbers: usize = quantities.clone().map(|quantity| quantity.parts.len()).sum();
            let cells: usize = field.cells.iter().product();
            let frames = spread(field.times.len(), share / base64_length(cells * numbers * 4).max(1));
            made.frames += frames.len();
            made.left_out += field.times.len() - frames.len();
            let quantities = quantities.map(|quantity| quantity.name.clone()).collect();
            made.plan.push(Planned { name: field.name.clone(), frames, quantities });
        }
        made
    }

    /// Writes them as a member of the object: what the page is told of each, with a list of frames, each with the numbers of all
    /// quantities by their names.
    pub(crate) fn write(&self, source: &Source, out: &mut dyn Write) -> io::Result<()> {
        let (all, _) = fields::all(source);
        let told = self.plan.iter().filter_map(|planned| {
            let field = all.iter().find(|field| field.name == planned.name)?;
            (!planned.frames.is_empty()).then_some((planned, field))
        });
        write!(out, ",\"fields\":[")?;
        for (number, (planned, field)) in told.enumerate() {
            let head = json!({ "field": part_of(field, planned), "left_out": field.times.len() - planned.frames.len() });
            // The object is left open for the frames.
            let head = head.to_string().replace('<', "\\u003c");
            let comma = if number == 0 { "" } else { "," };
            write!(out, "{comma}{},\"frames\":[", head.trim_end_matches('}'))?;
            for (number, frame) in planned.frames.iter().enumerate() {
                write!(out, "{}", if number == 0 { "{" } else { ",{" })?;
                for (number, quantity) in planned.quantities.iter().enumerate() {
                    write!(
                        out,
                        "{}{}:\"",
                        if number == 0 { "" } else { "," },
                        Value::from(quantity.as_str())
                    )?;
                    // What has been damaged or has gone since is not there, and the page says so.
                    let wanted = format!("{}/{frame}/{quantity}", planned.name);
                    let values = fields::values(source, &wanted).ok().flatten().unwrap_or_default();
                    let mut encoder = Encoder::new(out);
                    encoder.put(&values)?;
                    encoder.finish()?;
                    write!(out, "\"")?;
                }
                write!(out, "}}")?;
            }
            write!(out, "]}}")?;
        }
        write!(out, "]")
    }
}

/// The field as a film has it.
fn part_of(field: &Field, planned: &Planned) -> Field {
    let mut part = field.clone();
    let kept = |all: &[f64]| planned.frames.iter().filter_map(|frame| all.get(*frame).copied()).collect();
    (part.starts, part.times) = (kept(&field.starts), kept(&field.times));
    part.quantities.retain(|quantity| planned.quantities.contains(&quantity.name));
    part
}

/// So many of all frames, at equal distances, with the last one.
fn spread(all: usize, most: u64) -> Vec<usize> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if most == 0 || all == 0 {
        return Vec::new();
    }
    let step = all.div_ceil(most);
    (0..all).rev().step_by(step).collect::<Vec<_>>().into_iter().rev().collect()
}

fn base64_length(bytes: usize) -> u64 {
    4 * (bytes as u64).div_ceil(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_kept_are_at_equal_distances_and_the_last_is_among_them() {
        assert_eq!(spread(5, 5), [0, 1, 2, 3, 4]);
        assert_eq!(spread(5, 4), [0, 2, 4]);
        assert_eq!(spread(10, 3), [1, 5, 9]);
        assert_eq!(spread(3, 1), [2]);
        assert!(spread(3, 0).is_empty() && spread(0, 3).is_empty());
    }
}
