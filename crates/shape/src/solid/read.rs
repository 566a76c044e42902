//! Meshes from files: STL and PLY, text or binary, and OBJ.

use super::{Bodies, MeshError, Point, Solid, obj, ply};
use core::fmt;
use std::path::Path;
use tumble_dem::wall::stl::MAX_FILE_BYTES;
use tumble_dem::wall::{Stl, StlError};

/// A mesh that could not be read, or encloses no solid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system could not read it, or it is too large.
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// An STL file is wrong.
    Stl(StlError),
    /// An OBJ file is wrong.
    Obj {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A PLY file is wrong.
    Ply {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// The unit of length is not a positive number.
    Unit(f64),
    /// What it holds is no solid.
    Mesh {
        /// The file.
        file: String,
        /// Why not.
        error: MeshError,
    },
}

impl Solid {
    /// Reads an STL, OBJ or PLY file, told by what is in it, whose unit of length is `unit` metres.
    pub fn read(path: impl AsRef<Path>, unit: f64, bodies: Bodies) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let unreadable = |reason: String| ReadError::Unreadable { file: file.clone(), reason };
        let metadata = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
        if !metadata.is_file() {
            return Err(unreadable("it is not a file".into()));
        }
        if metadata.len() > MAX_FILE_BYTES {
            return Err(unreadable(format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20)));
        }
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        Self::parse(&bytes, &file, unit, bodies)
    }

    /// The solid of a file's bytes; `file` is its name in errors.
    pub fn parse(bytes: &[u8], file: &str, unit: f64, bodies: Bodies) -> Result<Self, ReadError> {
        if !(unit > 0.0 && unit.is_finite()) {
            return Err(ReadError::Unit(unit));
        }
        let mut triangles = if bytes.starts_with(b"ply") {
            ply::parse(bytes).map_err(|problem| ReadError::Ply { file: file.to_owned(), problem })?
        } else if is_obj(bytes) {
            let text = String::from_utf8_lossy(bytes);
            obj::parse(&text).map_err(|(line, problem)| ReadError::Obj {
                file: file.to_owned(),
                line,
                problem,
            })?
        } else {
            Stl::parse(bytes, file).map_err(ReadError::Stl)?.triangles
        };
        triangles.iter_mut().flatten().for_each(|corner: &mut Point| *corner = *corner * unit);
        Self::new(&triangles, bodies).map_err(|error| ReadError::Mesh { file: file.to_owned(), error })
    }
}

/// Whether these are lines of text, one of which is a corner or a face of OBJ before anything that STL begins with.
fn is_obj(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 16)];
    if head.contains(&0) {
        return false;
    }
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines().map(str::trim_start);
    let telling =
        lines.find(|line| ["v ", "v\t", "f ", "solid", "facet"].iter().any(|word| line.starts_with(word)));
    telling.is_some_and(|line| line.starts_with('v') || line.starts_with("f "))
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { file, reason } => write!(f, "{file}: cannot be read: {reason}"),
            Self::Stl(error) => error.fmt(f),
            Self::Obj { file, line, problem } => write!(f, "{file}, line {line}: {problem}"),
            Self::Ply { file, problem } => write!(f, "{file}: {problem}"),
            Self::Unit(unit) => write!(f, "the unit of length of a mesh must be positive, but is {unit} m"),
            Self::Mesh { file, error } => write!(f, "{file}: {error}"),
        }
    }
}

impl core::error::Error for ReadError {}
