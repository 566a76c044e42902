//! One line of a clump file: fields, header, columns.

use super::super::ClumpSphere;
use super::error::excerpt;
use super::{ClumpFormat, LineProblem, MAX_LINE_BYTES};

/// A problem and the character, counted from 1, where it is.
type Located = (usize, LineProblem);

const NAMES: [&str; 4] = ["x", "y", "z", "radius"];

/// Which fields hold x, y, z and the radius.
pub(super) struct Columns {
    places: [usize; 4],
    /// How many fields a line may have.
    most: usize,
}

impl Columns {
    /// From the first line with anything on it, a header or not.
    pub(super) fn new(line: &str, header: bool, format: ClumpFormat) -> Result<Self, Located> {
        check_length(line)?;
        match (header, format) {
            (true, _) => Self::from_header(line),
            (false, ClumpFormat::Table) => Ok(Self { places: [0, 1, 2, 3], most: 4 }),
            (false, ClumpFormat::Liggghts) => Ok(Self { places: [0, 1, 2, 3], most: 5 }),
            (false, ClumpFormat::DemEngine) => Err((1, LineProblem::NoHeader)),
        }
    }

    fn from_header(line: &str) -> Result<Self, Located> {
        let mut places = [None; 4];
        for (place, (start, field)) in fields(line).enumerate() {
            if let Some(i) = column_named(field) {
                if places[i].is_some() {
                    return Err((column_at(line, start), LineProblem::HeaderRepeats(NAMES[i])));
                }
                places[i] = Some(place);
            }
        }
        let mut found = [0; 4];
        for i in 0..4 {
            found[i] = places[i].ok_or((1, LineProblem::HeaderLacks(NAMES[i])))?;
        }
        Ok(Self { places: found, most: usize::MAX })
    }

    /// The sphere of a line of values.
    pub(super) fn sphere(&self, line: &str) -> Result<ClumpSphere, Located> {
        check_length(line)?;
        let mut values = [None; 4];
        let mut end = line.trim_end().len();
        for (place, (start, field)) in fields(line).enumerate() {
            if place >= self.most {
                return Err((column_at(line, start), LineProblem::TooManyValues(excerpt(field))));
            }
            let Some(i) = self.places.iter().position(|&p| p == place) else { continue };
            if field.is_empty() {
                end = start;
                break;
            }
            values[i] = Some((start, number(field).map_err(|problem| (column_at(line, start), problem))?));
        }
        let mut sphere = [0.0; 4];
        let mut radius_at = 0;
        for i in 0..4 {
            let (start, value) = values[i].ok_or((column_at(line, end), LineProblem::Missing(NAMES[i])))?;
            (sphere[i], radius_at) = (value, start);
        }
        let [x, y, z, radius] = sphere;
        if radius <= 0.0 {
            return Err((column_at(line, radius_at), LineProblem::NonPositiveRadius(radius)));
        }
        Ok(ClumpSphere::new([x, y, z], radius))
    }
}

/// The line up to its comment.
pub(super) fn without_comment(line: &str) -> &str {
    let ends = [line.find(['#', '%']), line.find("//")];
    &line[..ends.into_iter().flatten().min().unwrap_or(line.len())]
}

/// Whether the line names columns: none of its fields is a number, and one of them is a name.
pub(super) fn is_header(line: &str) -> bool {
    fields(line).any(|(_, field)| column_named(field).is_some())
        && fields(line).all(|(_, field)| field.parse::<f64>().is_err())
}

/// The fields of a line and where they start, in bytes. Semicolons separate, else commas, else blanks; one
/// separator at the end of the line is not followed by a field.
pub(super) fn fields(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let separator = [';', ','].into_iter().find(|&separator| line.contains(separator));
    let line = line.trim_end();
    let line = separator.and_then(|separator| line.strip_suffix(separator)).unwrap_or(line);
    let is_separator = move |c: char| separator.map_or(c.is_whitespace(), |separator| c == separator);
    let mut end = 0;
    line.split_inclusive(is_separator)
        .map(move |piece| {
            let start = end + (piece.len() - piece.trim_start().len());
            end += piece.len();
            (start, piece.strip_suffix(is_separator).unwrap_or(piece).trim())
        })
        // Blanks in a row are one separator, commas in a row are two.
        .filter(move |(_, field)| separator.is_some() || !field.is_empty())
}

fn check_length(line: &str) -> Result<(), Located> {
    if line.len() > MAX_LINE_BYTES { Err((1, LineProblem::TooLong)) } else { Ok(()) }
}

fn column_named(field: &str) -> Option<usize> {
    let name = field.trim_matches(['"', '\'']);
    let matches = |names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n));
    [&["x"][..], &["y"], &["z"], &["r", "radius"]].iter().position(|names| matches(names))
}

fn number(field: &str) -> Result<f64, LineProblem> {
    match field.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(LineProblem::NotFinite(excerpt(field))),
        Err(_) => Err(LineProblem::NotANumber(excerpt(field))),
    }
}

/// The character, counted from 1, at this byte.
fn column_at(line: &str, byte: usize) -> usize {
    1 + line.char_indices().take_while(|&(at, _)| at < byte).count()
}
