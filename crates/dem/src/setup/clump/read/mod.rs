//! Clumps from text files: one sphere a line, its centre and its radius.
//!
//! | format | who writes it | lines |
//! | --- | --- | --- |
//! | [`ClumpFormat::Table`] | CLUMP, Yade, MATLAB, NumPy | `x,y,z,r`, optionally under a header |
//! | [`ClumpFormat::Liggghts`] | LIGGGHTS multisphere templates | `x y z r`, optionally an atom type |
//! | [`ClumpFormat::DemEngine`] | DEM-Engine, spreadsheets | csv under a header that names its columns |
//!
//! Values are separated by commas, semicolons, tabs or blanks; `#`, `%` and `//` start a comment. A header of
//! column names decides their order. Lengths are taken as they stand; nothing is scaled or merged.

mod error;
mod line;

pub use error::{ClumpFileError, LineProblem};

use super::ClumpSphere;
use line::Columns;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 27;
/// The longest line, without its comment, in bytes.
pub const MAX_LINE_BYTES: usize = 4096;
/// The largest number of spheres in a clump.
pub const MAX_SPHERES: usize = 1_000_000;

/// How a clump file is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClumpFormat {
    /// Four columns x, y, z, r; a header is optional.
    Table,
    /// Columns x, y, z, r and an optional fifth, the atom type, which is ignored.
    Liggghts,
    /// A header names the columns x, y, z and r, in any order and among others.
    DemEngine,
}

impl ClumpFormat {
    /// The format that the first line with anything on it suggests: a header means [`DemEngine`], five blank-
    /// separated values [`Liggghts`], anything else a [`Table`].
    ///
    /// [`DemEngine`]: Self::DemEngine
    /// [`Liggghts`]: Self::Liggghts
    /// [`Table`]: Self::Table
    pub fn detect(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let Some(first) = text.lines().map(line::without_comment).find(|line| !line.trim().is_empty()) else {
            return Self::Table;
        };
        if line::is_header(first) {
            Self::DemEngine
        } else if !first.contains([',', ';']) && line::fields(first).count() == 5 {
            Self::Liggghts
        } else {
            Self::Table
        }
    }
}

/// Reads the spheres of a clump file, whose format it finds out. A file of several clumps, as Yade's
/// `textClumps` writes, cannot be distinguished from one clump.
pub fn read_clump(path: impl AsRef<Path>) -> Result<Vec<ClumpSphere>, ClumpFileError> {
    let (text, source) = read_text(path.as_ref())?;
    parse_clump(&text, &source)
}

/// Reads the spheres of a clump file of this format.
pub fn read_clump_as(
    path: impl AsRef<Path>,
    format: ClumpFormat,
) -> Result<Vec<ClumpSphere>, ClumpFileError> {
    let (text, source) = read_text(path.as_ref())?;
    parse_clump_as(&text, &source, format)
}

/// The spheres that a text describes, in a format that it finds out. Errors name the text by `source`.
///
/// ```
/// use tumble_dem::clump::{ClumpSphere, parse_clump};
/// let spheres = parse_clump("# a pair\n0 0 0 1\n0, 0, 1.5, 0.5\n", "pair.txt")?;
/// assert_eq!(spheres[1], ClumpSphere::new([0.0, 0.0, 1.5], 0.5));
/// let error = parse_clump("0 0 0 1\n0 0 1.5 -0.5\n", "pair.txt").unwrap_err();
/// assert!(error.to_string().starts_with("pair.txt, line 2, column 9: the radius must be positive"));
/// # Ok::<(), tumble_dem::clump::ClumpFileError>(())
/// ```
pub fn parse_clump(text: &str, source: &str) -> Result<Vec<ClumpSphere>, ClumpFileError> {
    parse_clump_as(text, source, ClumpFormat::detect(text))
}

/// The spheres that a text of this format describes. Errors name the text by `source`.
pub fn parse_clump_as(
    text: &str,
    source: &str,
    format: ClumpFormat,
) -> Result<Vec<ClumpSphere>, ClumpFileError> {
    let at = |line: usize| {
        move |(column, problem)| ClumpFileError::Line { source: source.to_owned(), line, column, problem }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = (1..)
        .zip(text.lines().map(line::without_comment))
        .filter(|(_, line)| !line.trim().is_empty())
        .peekable();
    let nothing = || ClumpFileError::NoSpheres { source: source.to_owned() };
    let &(number, first) = lines.peek().ok_or_else(nothing)?;
    let header = line::is_header(first);
    let columns = Columns::new(first, header, format).map_err(at(number))?;
    let mut spheres = Vec::new();
    for (number, line) in lines.skip(usize::from(header)) {
        if spheres.len() == MAX_SPHERES {
            return Err(ClumpFileError::TooManySpheres { source: source.to_owned() });
        }
        spheres.push(columns.sphere(line).map_err(at(number))?);
    }
    if spheres.is_empty() { Err(nothing()) } else { Ok(spheres) }
}

fn read_text(path: &Path) -> Result<(String, String), ClumpFileError> {
    let source = path.display().to_string();
    let unreadable =
        |error: std::io::Error| ClumpFileError::Unreadable { source: source.clone(), kind: error.kind() };
    let mut bytes = Vec::new();
    // Bounded here, not by the size that the file system reports: devices and pipes report none.
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ClumpFileError::TooLarge { source });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, source)),
        Err(error) => Err(ClumpFileError::NotUtf8 { source, byte: error.utf8_error().valid_up_to() }),
    }
}
