//! What can be wrong with an STL file.

use super::MAX_FILE_BYTES;
use core::fmt;

/// A file that could not be read: which, where and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StlError {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub fault: StlFault,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StlFault {
    /// The operating system could not read it.
    Unreadable {
        /// In its words.
        reason: String,
    },
    /// It has more than [`MAX_FILE_BYTES`].
    TooLarge,
    /// Neither text that begins with `solid` nor long enough for a binary header.
    NotStl {
        /// Length of the file in bytes.
        length: usize,
    },
    /// The length is not what the stored number of triangles asks for.
    WrongLength {
        /// The number of triangles stored at byte 80.
        triangles: u32,
        /// Length of the file in bytes.
        length: usize,
    },
    /// A coordinate of a binary file is NaN or infinite.
    BadNumber {
        /// Position in the file.
        byte: usize,
        /// Index of the triangle, from 0.
        triangle: usize,
    },
    /// A text is not what it should be here.
    Unexpected {
        /// Line, from 1.
        line: usize,
        /// What was expected.
        expected: &'static str,
        /// What was found; shortened.
        found: String,
    },
    /// The text ends within a solid.
    Truncated {
        /// Last line, from 1.
        line: usize,
        /// What was expected.
        expected: &'static str,
    },
}

impl fmt::Display for StlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, fault } = self;
        match fault {
            StlFault::Unreadable { reason } => write!(f, "{file}: cannot be read: {reason}"),
            StlFault::TooLarge => {
                write!(f, "{file}: larger than {} MiB; export it with fewer triangles", MAX_FILE_BYTES >> 20)
            }
            StlFault::NotStl { length } => write!(
                f,
                "{file}: not an STL file: it neither begins with `solid` nor is its length of {length} bytes \
                 enough for a binary header of 84"
            ),
            StlFault::WrongLength { triangles, length } => write!(
                f,
                "{file}, byte 80: the header announces {triangles} triangles, which take {} bytes, but the \
                 file has {length}; was it cut off, or is it not an STL file?",
                84 + 50 * u64::from(*triangles)
            ),
            StlFault::BadNumber { byte, triangle } => write!(
                f,
                "{file}, byte {byte}: triangle {triangle} (counting from 0) has a coordinate that is not a \
                 finite number; export the file again, or repair the drawing"
            ),
            StlFault::Unexpected { line, expected, found } => {
                write!(f, "{file}, line {line}: expected {expected}, found `{found}`")
            }
            StlFault::Truncated { line, expected } => {
                write!(f, "{file}, line {line}: the file ends where {expected} was expected; was it cut off?")
            }
        }
    }
}

impl core::error::Error for StlError {}
