//! STL files, the triangle lists of CAD programs: 3D Systems, *StereoLithography Interface Specification*
//! (1989), both the ASCII and the binary form.
//!
//! The form is told by the length: a file of 84 + 50 n bytes, n being the number stored at byte 80, is
//! binary, even if it begins with the word `solid` as many do. Normals and attributes are read past: the
//! normals follow from the corners, and walls are two-sided. STL has no units; give the metres per unit to
//! [`Stl::scaled`]. Whatever the bytes, reading ends with triangles or an error, in memory proportional to
//! the file.

mod ascii;
mod binary;
mod error;

pub use error::{StlError, StlFault};

use super::{Error, MeshOptions, TriangleMesh, checks};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use tumble_math::LabVec;

/// The largest file that is read, in bytes: ten million triangles in the binary form.
pub const MAX_FILE_BYTES: u64 = 1 << 29;

/// The two forms of an STL file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StlForm {
    /// Text.
    Ascii,
    /// Single-precision numbers.
    Binary,
}

/// The triangles of an STL file.
#[derive(Clone, Debug, PartialEq)]
pub struct Stl {
    /// The name of the (first) solid, or the header of a binary file, without blanks around it.
    pub name: String,
    /// The form it was read in.
    pub form: StlForm,
    /// The corners, in the order of the file.
    pub triangles: Vec<[LabVec<f64>; 3]>,
}

impl Stl {
    /// Reads a file of at most [`MAX_FILE_BYTES`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, StlError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        let fault = match read_bytes(path) {
            Ok(Some(bytes)) => return Self::parse(&bytes, &file),
            Ok(None) => StlFault::TooLarge,
            Err(error) => StlFault::Unreadable { reason: error.to_string() },
        };
        Err(StlError { file, fault })
    }

    /// Reads the bytes of a file; `file` is its name in errors.
    ///
    /// ```
    /// use tumble_dem::wall::Stl;
    /// let text = b"solid tile\nfacet normal 0 0 1\nouter loop\n\
    ///     vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid tile\n";
    /// assert_eq!(Stl::parse(text, "tile.stl")?.triangles.len(), 1);
    /// let error = Stl::parse(&text[..70], "tile.stl").unwrap_err();
    /// assert!(error.to_string().starts_with("tile.stl, line 6: "));
    /// # Ok::<(), tumble_dem::wall::StlError>(())
    /// ```
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, StlError> {
        let parsed = if binary::has_its_length(bytes) {
            binary::parse(bytes)
        } else if ascii::begins(bytes) {
            ascii::parse(bytes)
        } else {
            Err(binary::wrong_length(bytes))
        };
        parsed.map_err(|fault| StlError { file: file.to_owned(), fault })
    }

    /// All coordinates multiplied by `factor`: 1e-3 for a drawing in millimetres.
    pub fn scaled(mut self, factor: f64) -> Result<Self, Error> {
        checks::positive("scale factor of the STL file", factor)?;
        for corner in self.triangles.iter_mut().flatten() {
            *corner = *corner * factor;
        }
        Ok(self)
    }

    /// The surface of these triangles. Corners are taken to be good to single precision at best, which is
    /// what nearly all programs write, so that slanted faces are recognised as flat.
    pub fn mesh(&self, options: MeshOptions) -> Result<TriangleMesh, Error> {
        let coordinates = self.triangles.iter().flatten().flat_map(|corner| corner.to_array());
        let largest = coordinates.fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let rounding = 0.5 * f64::from(f32::EPSILON) * largest;
        let coordinate_error =
            if rounding.is_finite() { options.coordinate_error.max(rounding) } else { 0.0 };
        TriangleMesh::new(&self.triangles, MeshOptions { coordinate_error, ..options })
    }
}

/// The bytes of a file, or none if it is too large.
fn read_bytes(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > MAX_FILE_BYTES {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    // Devices and pipes report no length.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= MAX_FILE_BYTES).then_some(bytes))
}

/// Writes triangles as text, with as many digits as it takes to read the same numbers again.
pub fn write_ascii(
    out: impl io::Write,
    name: &str,
    triangles: impl IntoIterator<Item = [LabVec<f64>; 3]>,
) -> io::Result<()> {
    ascii::write(out, name, triangles)
}

/// Writes triangles in the binary form, rounded to single precision. Fails on numbers beyond its range.
pub fn write_binary(out: impl io::Write, name: &str, triangles: &[[LabVec<f64>; 3]]) -> io::Result<()> {
    binary::write(out, name, triangles)
}

/// The unit normal by the winding, zero for a triangle without area.
fn normal([a, b, c]: [LabVec<f64>; 3]) -> LabVec<f64> {
    let area = (b - a).cross(c - a);
    let size = area.norm();
    if size > 0.0 && size.is_finite() { area * (1.0 / size) } else { LabVec::zero() }
}
