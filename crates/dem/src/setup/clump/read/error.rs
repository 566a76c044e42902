//! What can be wrong with a clump file.

use super::{MAX_FILE_BYTES, MAX_LINE_BYTES, MAX_SPHERES};
use std::fmt;
use std::io::ErrorKind;

/// Why a clump file cannot be used. `source` is the file, or the name given for a text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClumpFileError {
    /// The file cannot be opened or read.
    Unreadable {
        /// The file.
        source: String,
        /// What the system said.
        kind: ErrorKind,
    },
    /// The file has more than [`MAX_FILE_BYTES`].
    TooLarge {
        /// The file.
        source: String,
    },
    /// The file is not text.
    NotUtf8 {
        /// The file.
        source: String,
        /// How many bytes are text before the first that is not.
        byte: usize,
    },
    /// There are only comments, blank lines and perhaps a header.
    NoSpheres {
        /// The file.
        source: String,
    },
    /// There are more than [`MAX_SPHERES`] spheres.
    TooManySpheres {
        /// The file.
        source: String,
    },
    /// A line does not describe a sphere.
    Line {
        /// The file.
        source: String,
        /// The line, counted from 1.
        line: usize,
        /// The character in that line, counted from 1.
        column: usize,
        /// What is wrong there.
        problem: LineProblem,
    },
}

/// What is wrong with a line of a clump file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LineProblem {
    /// A value is missing: that of this column.
    Missing(&'static str),
    /// This is not a number.
    NotANumber(String),
    /// A number is infinite, undefined or too large for one.
    NotFinite(String),
    /// The radius is zero or negative.
    NonPositiveRadius(f64),
    /// There are more values than columns; this is the first of them.
    TooManyValues(String),
    /// The line is longer than [`MAX_LINE_BYTES`].
    TooLong,
    /// The format needs a header, and this line is none.
    NoHeader,
    /// The header does not name this column.
    HeaderLacks(&'static str),
    /// The header names this column twice.
    HeaderRepeats(&'static str),
}

/// The longest piece of a file that a message repeats, in characters.
const EXCERPT: usize = 40;

/// The text as a message may repeat it: short, and without control characters.
pub(super) fn excerpt(text: &str) -> String {
    let short: String = text.chars().take(EXCERPT).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

impl fmt::Display for ClumpFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { source, kind: ErrorKind::NotFound } => {
                write!(f, "{source}: no such file; relative paths start at the working directory")
            }
            Self::Unreadable { source, kind } => write!(f, "{source}: cannot be read ({kind})"),
            Self::TooLarge { source } => {
                write!(f, "{source}: larger than {MAX_FILE_BYTES} bytes, which no clump file should be")
            }
            Self::NotUtf8 { source, byte } => {
                write!(f, "{source}: not a text file (byte {byte} is not UTF-8); save it as plain text")
            }
            Self::NoSpheres { source } => {
                write!(f, "{source}: no spheres; each should have a line with x, y, z and radius")
            }
            Self::TooManySpheres { source } => write!(f, "{source}: more than {MAX_SPHERES} spheres"),
            Self::Line { source, line, column, problem } => {
                write!(f, "{source}, line {line}, column {column}: {problem}")
            }
        }
    }
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "the value of {name} is missing; expected x, y, z, radius"),
            Self::NotANumber(text) if text.contains(',') => {
                write!(f, "{text:?} is not a number; decimals need a point")
            }
            Self::NotANumber(text) => write!(f, "{text:?} is not a number"),
            Self::NotFinite(text) => write!(f, "{text:?} is not a finite number"),
            Self::NonPositiveRadius(radius) => write!(f, "the radius must be positive, but is {radius}"),
            Self::TooManyValues(text) => write!(
                f,
                "the value {text:?} has no column; a file with more columns than x, y, z, radius needs a \
                 header that names them"
            ),
            Self::TooLong => write!(f, "longer than {MAX_LINE_BYTES} bytes"),
            Self::NoHeader => write!(f, "this format needs a header line such as x,y,z,r before the values"),
            Self::HeaderLacks(name) => write!(f, "the header does not name the column {name}"),
            Self::HeaderRepeats(name) => write!(f, "the header names the column {name} twice"),
        }
    }
}

// `source` is the name of a file here, not a cause.
impl std::error::Error for ClumpFileError {}
impl std::error::Error for LineProblem {}
