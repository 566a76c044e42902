//! Bonds from a CSV file, one in a row: `body_a,body_b` and, where they differ from bond to bond, radius and strengths.
//!
//! A header names the columns, in any order. Empty lines and lines that begin with # are skipped.

use crate::build::files::{self, MOST_BAD_ROWS};
use crate::diagnostic::Problem;
use crate::place::Place;
use crate::suggest::nearest;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

/// The columns that a row must have: numbers of bodies, from 0 in the order of the scene.
const BODIES: [&str; 2] = ["body_a", "body_b"];

/// What a bond may have of its own instead of what its entry says, by the names of the keys: in m and Pa.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Own {
    pub(super) radius: Option<f64>,
    pub(super) tension: Option<f64>,
    pub(super) shear: Option<f64>,
    pub(super) bending: Option<f64>,
    pub(super) twist: Option<f64>,
}

impl Own {
    const COLUMNS: [&str; 5] = ["radius", "tension", "shear", "bending", "twist"];

    fn from_values([radius, tension, shear, bending, twist]: [Option<f64>; 5]) -> Self {
        Self { radius, tension, shear, bending, twist }
    }
}

/// A row of the file.
pub(super) struct Row {
    pub(super) pair: [u64; 2],
    pub(super) own: Own,
    /// Where it is, for messages.
    pub(super) line: usize,
}

/// The rows of a file that a key names, or what is wrong with it: several rows at once.
pub(super) fn read(folder: &Path, file: &Path, place: Place) -> Result<Vec<Row>, Box<Problem>> {
    let path = files::find(folder, file, place)?;
    let name = path.display();
    let wrong = |error: String| Problem::error(place, error).label("this file of bonds");
    let open = File::open(&path).map_err(|error| wrong(format!("{name}: cannot be read: {error}")))?;
    let (mut header, mut rows, mut bad) = (None, Vec::new(), Vec::new());
    for (line, text) in (1..).zip(BufReader::new(open).lines()) {
        let text = text.map_err(|error| wrong(format!("{name}, line {line}: cannot be read: {error}")))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let told = |error: String| format!("{name}, line {line}: {error}");
        let Some(header) = &header else {
            header = Some(Header::of(&fields).map_err(|error| wrong(told(error)))?);
            continue;
        };
        match header.row(&fields, line) {
            Ok(row) => rows.push(row),
            Err(error) => bad.push(told(error)),
        }
        if bad.len() > MOST_BAD_ROWS {
            break;
        }
    }
    if header.is_none() {
        return Err(Box::new(wrong(format!("{name}: has no header; expected `{}`", BODIES.join(",")))));
    }
    files::bad_rows(&bad, wrong).map_or(Ok(rows), |problem| Err(Box::new(problem)))
}

/// What each column of a file is.
struct Header {
    bodies: [usize; 2],
    own: [Option<usize>; 5],
    columns: usize,
}

impl Header {
    fn of(fields: &[&str]) -> Result<Self, String> {
        let known = || BODIES.into_iter().chain(Own::COLUMNS);
        for (number, &field) in fields.iter().enumerate() {
            if !known().any(|name| name == field) {
                let meant = nearest(field, known()).map(|name| format!("; did you mean {name}?"));
                let all = || format!("; expected some of {}", known().collect::<Vec<_>>().join(", "));
                return Err(format!("there is no column \"{field}\"{}", meant.unwrap_or_else(all)));
            }
            if fields[..number].contains(&field) {
                return Err(format!("the column {field} is there twice"));
            }
        }
        let find = |name: &str| fields.iter().position(|&field| field == name);
        let needed = |name: &str| find(name).ok_or_else(|| format!("the column {name} is missing"));
        let [a, b] = BODIES;
        let bodies = [needed(a)?, needed(b)?];
        Ok(Self { bodies, own: Own::COLUMNS.map(find), columns: fields.len() })
    }

    fn row(&self, fields: &[&str], line: usize) -> Result<Row, String> {
        if fields.len() != self.columns {
            return Err(format!("{} values for {} columns", fields.len(), self.columns));
        }
        let mut pair = [0; 2];
        for ((body, &column), name) in pair.iter_mut().zip(&self.bodies).zip(BODIES) {
            let text = fields[column];
            let error = |_| format!("{name} must be the number of a body, from 0 on, and not \"{text}\"");
            *body = text.parse().map_err(error)?;
        }
        let mut values = [None; 5];
        for ((value, column), name) in values.iter_mut().zip(self.own).zip(Own::COLUMNS) {
            // What is left empty is that of all the others.
            let Some(text) = column.map(|column| fields[column]).filter(|text| !text.is_empty()) else {
                continue;
            };
            let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
            *value = Some(number.ok_or_else(|| {
                format!("{name} must be a positive number in SI units, and not \"{text}\"")
            })?);
        }
        Ok(Row { pair, own: Own::from_values(values), line })
    }
}
