//! What can be wrong with a file of bodies.

use super::MAX_LINE_BYTES;
use super::columns::Column;
use core::fmt;
use std::io::ErrorKind;

/// A file of bodies that cannot be read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BodiesFileError {
    /// The operating system could not read on.
    Unreadable {
        /// The file.
        source: String,
        /// The line that was to be read, counted from 1.
        line: usize,
        /// What it said.
        kind: ErrorKind,
    },
    /// There is no header.
    Empty {
        /// The file.
        source: String,
    },
    /// Somebody did not want to [wait](crate::placement::interruptible).
    Interrupted {
        /// The file.
        source: String,
        /// The line that was read last, counted from 1.
        line: usize,
    },
    /// A line does not describe a body, or the header no columns.
    Line {
        /// The file.
        source: String,
        /// The line, counted from 1.
        line: usize,
        /// The character in that line, counted from 1.
        column: usize,
        /// What is wrong there.
        problem: RowProblem,
    },
}

/// What is wrong with a line of a file of bodies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowProblem {
    /// It is longer than [`MAX_LINE_BYTES`].
    TooLong,
    /// It is not text.
    NotUtf8,
    /// The header names a column that there is not.
    UnknownColumn {
        /// What it says.
        name: String,
        /// What it may have meant.
        suggestion: Option<&'static str>,
    },
    /// The header names a column twice.
    RepeatedColumn(Column),
    /// The header does not name this column.
    MissingColumn(Column),
    /// There are fewer values than columns; this is the first without one.
    MissingValue(Column),
    /// There are more values than this many columns.
    TooManyValues(usize),
    /// This is not a number.
    NotANumber(Column, String),
    /// This is infinite, undefined or too large for a number.
    NotFinite(Column, String),
    /// The scale or the temperature is zero or negative.
    NotPositive(Column, f64),
    /// The film is negative.
    Negative(Column, f64),
    /// The orientation is not of this length, one.
    NotUnit(f64),
    /// There is no template or material of this name.
    UnknownName {
        /// Template or material.
        column: Column,
        /// What it says.
        name: String,
        /// What it may have meant.
        suggestion: Option<String>,
        /// How many there are.
        count: usize,
    },
    /// This is neither yes nor no.
    NotYesOrNo(Column, String),
}

/// The longest piece of a file that a message repeats, in characters.
const EXCERPT: usize = 40;

/// The text as a message may repeat it.
pub(super) fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

impl fmt::Display for BodiesFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { source, line, kind } => {
                write!(f, "{source}, line {line}, column 1: cannot be read ({kind})")
            }
            Self::Empty { source } => {
                write!(f, "{source}, line 1, column 1: the file is empty; expected the header ")?;
                header(f)
            }
            Self::Interrupted { source, line } => {
                write!(f, "{source}, line {line}, column 1: reading the bodies was interrupted")
            }
            Self::Line { source, line, column, problem } => {
                write!(f, "{source}, line {line}, column {column}: {problem}")
            }
        }
    }
}

/// The shortest list of columns that is complete.
fn header(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let names: Vec<&str> = Column::all().filter(|column| *column < Column::Scale).map(Column::name).collect();
    write!(f, "{}", names.join(","))
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "longer than {MAX_LINE_BYTES} bytes; expected one body a line"),
            Self::NotUtf8 => write!(f, "not UTF-8; expected plain text, values separated by commas"),
            Self::UnknownColumn { name, suggestion } => {
                write!(f, "there is no column {name:?}")?;
                if let Some(suggestion) = suggestion {
                    return write!(f, "; did you mean {suggestion}?");
                }
                write!(f, "; columns are separated by commas, and expected are ")?;
                header(f)?;
                write!(f, ", and if needed scale, material, held")
            }
            Self::RepeatedColumn(column) => {
                write!(f, "the header names the column {} twice; expected each once", column.name())
            }
            Self::MissingColumn(column) => {
                write!(f, "the header lacks the column {} ({})", column.name(), column.meaning())?;
                if !column.is_required() {
                    write!(f, ", but has others that make no sense without it")?;
                }
                Ok(())
            }
            Self::MissingValue(column) => {
                write!(f, "the value of {} is missing; expected {}", column.name(), column.meaning())
            }
            Self::TooManyValues(columns) => {
                write!(f, "more values than columns; expected the {columns} that the header names")
            }
            Self::NotANumber(column, text) => {
                let (name, meaning) = (column.name(), column.meaning());
                write!(f, "{text:?} is not a number; expected {name}: {meaning}")
            }
            Self::NotFinite(column, text) => {
                let (name, meaning) = (column.name(), column.meaning());
                write!(f, "{text:?} is not a finite number; expected {name}: {meaning}")
            }
            Self::NotPositive(column, number) => {
                write!(f, "the {} is {number}; expected a positive number", column.name())
            }
            Self::Negative(column, number) => {
                write!(f, "the {} is {number}; expected a number that is not negative", column.name())
            }
            Self::NotUnit(norm) => write!(
                f,
                "the orientation (qw, qx, qy, qz) has the length {norm}; expected a unit quaternion"
            ),
            Self::UnknownName { column, name, suggestion, count } => {
                let what = column.name();
                write!(f, "there is no {what} {name:?}; ")?;
                match suggestion {
                    Some(suggestion) => write!(f, "did you mean {suggestion:?}?"),
                    None => write!(f, "expected the name of one of the {count}, or its number from 0"),
                }
            }
            Self::NotYesOrNo(column, text) => {
                write!(f, "{text:?} is no value of {}; expected 0 or 1, false or true", column.name())
            }
        }
    }
}

// `source` is the name of a file here, not a cause.
impl std::error::Error for BodiesFileError {}
impl std::error::Error for RowProblem {}
