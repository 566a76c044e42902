//! Bodies from a CSV file, line by line: `template,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`.
//!
//! A header names the columns, in any order; [`Column`] has all of them. Positions are those of the centre of
//! mass, in m; the unit quaternion takes vectors along the template's principal axes to the lab; velocities
//! are in m/s, **angular velocities in the lab frame** in rad/s. Without the columns of orientation, velocity
//! or spin bodies are not turned or at rest; `scale`, `material` and `held` are optional as well.
//!
//! Templates and materials go by name, or by number from 0. Empty lines and lines that begin with # are
//! skipped.

mod columns;
mod error;
mod names;
mod write;

pub use columns::Column;
pub use error::{BodiesFileError, RowProblem};
pub use names::Names;
pub use write::write_bodies;

use super::patience;
use crate::id::{MaterialId, TemplateId};
use crate::world::Body;
use columns::{character_of, fields, of_header};
use error::excerpt;
use names::Numbers;
use std::io::{BufRead, Read};
use tumble_math::{LabVec, Quat};

/// The longest line that is read, in bytes.
pub const MAX_LINE_BYTES: usize = 4096;

/// How far the length of a quaternion may be from one.
const UNIT_TOLERANCE: f64 = 1e-6;
/// So far it is not worth changing: a written file reads back to the same bits.
const UNIT_ROUNDING: f64 = 1e-12;

/// A file of bodies while it is read: an iterator that goes on after a bad row, and ends with the file or where it cannot be
/// read.
///
/// ```
/// use tumble_dem::placement::{BodiesFile, Names};
/// let text = "template,x,y,z,vx,vy,vz\nrod,0,0,0.1,0,0,-1\n1,0.5,0,0.1,0,0,0\n";
/// let names = Names { templates: vec!["rod".into(), "cross".into()], materials: vec!["glass".into()] };
/// let bodies = BodiesFile::new(text.as_bytes(), "bodies.csv", &names)?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!((bodies[0].velocity.z, bodies[1].template.0), (-1.0, 1));
/// let error = BodiesFile::new("template,x,y,zz\n".as_bytes(), "bodies.csv", &names).unwrap_err();
/// let expected = r#"bodies.csv, line 1, column 14: there is no column "zz"; did you mean z?"#;
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), tumble_dem::placement::BodiesFileError>(())
/// ```
#[derive(Debug)]
pub struct BodiesFile<'n, R> {
    reader: R,
    source: String,
    templates: Numbers<'n>,
    materials: Numbers<'n>,
    default: Body,
    columns: Vec<Column>,
    /// The line read last, counted from 1.
    line: usize,
    bytes: Vec<u8>,
    finished: bool,
}

impl<'n, R: BufRead> BodiesFile<'n, R> {
    /// Reads the header. Errors name the file by `source`.
    pub fn new(reader: R, source: impl Into<String>, names: &'n Names) -> Result<Self, BodiesFileError> {
        let mut file = Self {
            reader,
            source: source.into(),
            templates: Numbers::new(&names.templates),
            materials: Numbers::new(&names.materials),
            default: Body::at(TemplateId(0), LabVec::zero()),
            columns: Vec::new(),
            line: 0,
            bytes: Vec::new(),
            finished: false,
        };
        let bytes =
            file.next_line()?.ok_or_else(|| BodiesFileError::Empty { source: file.source.clone() })?;
        let columns = text(&bytes).and_then(of_header);
        file.columns = columns.map_err(|located| file.problem(&bytes, located))?;
        file.bytes = bytes;
        Ok(file)
    }

    /// With this material (by its number) for bodies of a file without that column; else it is the first.
    pub fn made_of(mut self, material: MaterialId) -> Self {
        self.default.material = material;
        self
    }

    /// With bodies held or not in a file without that column; else they are not.
    pub fn held(mut self, held: bool) -> Self {
        self.default.held = held;
        self
    }

    /// At this temperature, K, in a file without that column; else bodies are at 20 °C.
    pub fn at_temperature(mut self, temperature: f64) -> Self {
        self.default.temperature = temperature;
        self
    }

    /// With so much liquid on each, m³, in a file without that column; else they are dry.
    pub fn with_film(mut self, film: f64) -> Self {
        self.default.film = film;
        self
    }

    /// The columns of the file, in its order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn next_body(&mut self) -> Result<Option<Body>, BodiesFileError> {
        if patience::is_over() {
            return Err(BodiesFileError::Interrupted { source: self.source.clone(), line: self.line });
        }
        let Some(bytes) = self.next_line()? else { return Ok(None) };
        let body = text(&bytes).and_then(|line| self.body(line));
        let body = body.map_err(|located| self.problem(&bytes, located))?;
        self.bytes = bytes;
        Ok(Some(body))
    }

    /// The next line that has anything on it, without its end.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, BodiesFileError> {
        let mut bytes = core::mem::take(&mut self.bytes);
        loop {
            bytes.clear();
            self.line += 1;
            let most = MAX_LINE_BYTES as u64 + 2;
            let read = self.reader.by_ref().take(most).read_until(b'\n', &mut bytes);
            let unreadable = |error: std::io::Error| BodiesFileError::Unreadable {
                source: self.source.clone(),
                line: self.line,
                kind: error.kind(),
            };
            if read.map_err(unreadable)? == 0 {
                return Ok(None);
            }
            if self.line == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
                bytes.drain(..3);
            }
            while bytes.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
                bytes.pop();
            }
            if bytes.len() > MAX_LINE_BYTES {
                return Err(self.problem(&bytes, (0, RowProblem::TooLong)));
            }
            let start = bytes.trim_ascii_start();
            if !start.is_empty() && !start.starts_with(b"#") {
                return Ok(Some(bytes));
            }
        }
    }

    fn body(&self, line: &str) -> Result<Body, (usize, RowProblem)> {
        let mut body = self.default;
        let mut q = [1.0, 0.0, 0.0, 0.0];
        let (mut position, mut velocity, mut spin) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let mut values = fields(line);
        for (field, &column) in self.columns.iter().enumerate() {
            let text = values.next().filter(|text| !text.is_empty());
            let text = text.ok_or((field, RowProblem::MissingValue(column)))?;
            let located = |problem| (field, problem);
            let number = || number(column, text).map_err(located);
            match column {
                Column::Template => {
                    let template = self.templates.find(text);
                    body.template = TemplateId(template.ok_or_else(|| (field, self.unknown(column, text)))?);
                }
                Column::Material => {
                    let material = self.materials.find(text);
                    body.material = MaterialId(material.ok_or_else(|| (field, self.unknown(column, text)))?);
                }
                Column::X => position[0] = number()?,
                Column::Y => position[1] = number()?,
                Column::Z => position[2] = number()?,
                Column::Qw => q[0] = number()?,
                Column::Qx => q[1] = number()?,
                Column::Qy => q[2] = number()?,
                Column::Qz => q[3] = number()?,
                Column::Vx => velocity[0] = number()?,
                Column::Vy => velocity[1] = number()?,
                Column::Vz => velocity[2] = number()?,
                Column::Wx => spin[0] = number()?,
                Column::Wy => spin[1] = number()?,
                Column::Wz => spin[2] = number()?,
                Column::Scale => {
                    body.scale = number()?;
                    if body.scale <= 0.0 {
                        return Err(located(RowProblem::NotPositive(column, body.scale)));
                    }
                }
                Column::Temperature => {
                    body.temperature = number()?;
                    if body.temperature <= 0.0 {
                        return Err(located(RowProblem::NotPositive(column, body.temperature)));
                    }
                }
                Column::Film => {
                    body.film = number()?;
                    if body.film < 0.0 {
                        return Err(located(RowProblem::Negative(column, body.film)));
                    }
                }
                Column::Held => {
                    body.held = match text {
                        "0" | "false" | "False" => false,
                        "1" | "true" | "True" => true,
                        _ => return Err(located(RowProblem::NotYesOrNo(column, excerpt(text)))),
                    }
                }
            }
        }
        if values.next().is_some() {
            return Err((self.columns.len(), RowProblem::TooManyValues(self.columns.len())));
        }
        body.orientation = self.unit(Quat::from_array(q))?;
        body.position = LabVec::from_array(position);
        body.velocity = LabVec::from_array(velocity);
        body.angular_velocity = LabVec::from_array(spin);
        Ok(body)
    }

    fn unit(&self, q: Quat<f64>) -> Result<Quat<f64>, (usize, RowProblem)> {
        let norm = q.norm();
        let off = (norm - 1.0).abs();
        if off <= UNIT_ROUNDING {
            Ok(q)
        } else if off <= UNIT_TOLERANCE {
            Ok(q.normalised())
        } else {
            let field = self.columns.iter().position(|&column| column == Column::Qw);
            Err((field.unwrap_or(0), RowProblem::NotUnit(norm)))
        }
    }

    fn unknown(&self, column: Column, text: &str) -> RowProblem {
        let known = if column == Column::Template { &self.templates } else { &self.materials };
        RowProblem::UnknownName {
            column,
            name: excerpt(text),
            suggestion: known.nearest(text).map(str::to_owned),
            count: known.len(),
        }
    }

    /// A problem in a field of the present line.
    fn problem(&self, bytes: &[u8], (field, problem): (usize, RowProblem)) -> BodiesFileError {
        let column = character_of(&String::from_utf8_lossy(bytes), field);
        BodiesFileError::Line { source: self.source.clone(), line: self.line, column, problem }
    }
}

impl<R: BufRead> Iterator for BodiesFile<'_, R> {
    type Item = Result<Body, BodiesFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let next = self.next_body().transpose();
        // A row that is wrong says nothing of those after it, as long as it ends.
        self.finished = match &next {
            Some(Ok(_)) => false,
            Some(Err(BodiesFileError::Line { problem, .. })) => matches!(problem, RowProblem::TooLong),
            Some(Err(_)) | None => true,
        };
        next
    }
}

fn text(bytes: &[u8]) -> Result<&str, (usize, RowProblem)> {
    core::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        (before.matches(',').count(), RowProblem::NotUtf8)
    })
}

fn number(column: Column, text: &str) -> Result<f64, RowProblem> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(RowProblem::NotFinite(column, excerpt(text))),
        Err(_) => Err(RowProblem::NotANumber(column, excerpt(text))),
    }
}
