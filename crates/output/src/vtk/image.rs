//! `.vti` files: numbers on a grid, VTK's XML for an image, its arrays appended as raw little-endian bytes.

use super::series::{IMAGE, Series};
use crate::atomic::{self, Survives, replace};
use crate::mark::Content;
use crate::{Error, Mark};
use std::fmt::Write;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

/// Numbers on a grid of cells along the axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Image {
    /// The lower corner, m.
    pub origin: [f64; 3],
    /// The sides of a cell, m.
    pub spacing: [f64; 3],
    /// How many cells there are along x, y and z.
    pub cells: [usize; 3],
    /// What is known of every cell.
    pub arrays: Vec<ImageArray>,
}

/// A number, or some, for each cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageArray {
    /// Its name.
    pub name: String,
    /// The names of its components; one, which is empty, for a number.
    pub components: Vec<String>,
    /// The components of all cells, one cell after the other; x goes fastest.
    pub values: Vec<f64>,
}

impl Image {
    /// The file, which also says of which time (s) and step it is.
    fn to_bytes(&self, time: f64, step: u64) -> Vec<u8> {
        let joined = |numbers: [f64; 3]| numbers.map(|number| format!("{number:?}")).join(" ");
        let extent = self.cells.map(|cells| format!("0 {cells}")).join(" ");
        let mut text = format!(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <ImageData WholeExtent=\"{extent}\" Origin=\"{}\" Spacing=\"{}\">\n<FieldData>\n\
             <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{time:?}</DataArray>\n\
             <DataArray type=\"Int64\" Name=\"step\" NumberOfTuples=\"1\" format=\"ascii\">{step}</DataArray>\n\
             </FieldData>\n<Piece Extent=\"{extent}\">\n<CellData>\n",
            joined(self.origin),
            joined(self.spacing),
        );
        let mut data = Vec::new();
        for ImageArray { name, components, values } in &self.arrays {
            let _ = write!(
                text,
                "<DataArray type=\"Float64\" Name=\"{name}\" NumberOfComponents=\"{}\"",
                components.len()
            );
            for (number, component) in components.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
                let _ = write!(text, " ComponentName{number}=\"{component}\"");
            }
            let _ = writeln!(text, " format=\"appended\" offset=\"{}\"/>", data.len());
            data.extend((values.len() as u64 * 8).to_le_bytes());
            data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        text.push_str("</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_");
        [text.as_bytes(), &data, b"\n</AppendedData>\n</VTKFile>\n"].concat()
    }
}

/// Writes images of one name into a folder, and their times into a `.pvd` file.
#[derive(Debug)]
pub struct ImageWriter {
    folder: PathBuf,
    series: Series,
    /// Files that a power cut might still take.
    unsafe_files: Vec<PathBuf>,
    /// What is in the files.
    marks: Vec<Mark>,
}

impl ImageWriter {
    /// A writer of files with this name, beginning with number 0. The folder is made if it does not exist.
    pub fn create(folder: impl Into<PathBuf>, name: &str) -> Result<Self, Error> {
        let mut writer = Self::new(folder.into(), name)?;
        // Also if no image follows: it tells that there were to be some.
        writer.series.write(&writer.folder)?;
        Ok(writer)
    }

    fn new(folder: PathBuf, name: &str) -> Result<Self, Error> {
        fs::create_dir_all(&folder).map_err(Error::file("make", &folder))?;
        let series = Series::new(name.to_owned(), IMAGE);
        Ok(Self { folder, series, unsafe_files: Vec::new(), marks: Vec::new() })
    }

    /// A writer that goes on with what another one wrote into the folder. Files later than `step` are removed.
    pub fn resume(folder: impl Into<PathBuf>, name: &str, step: u64) -> Result<Self, Error> {
        let mut writer = Self::new(folder.into(), name)?;
        writer.series.read(&writer.folder)?;
        writer.series.truncate_after(step, &writer.folder)?;
        for file in writer.series.files() {
            writer.marks.push(Content::of_file(&writer.folder.join(&file), u64::MAX)?.mark(file));
        }
        Ok(writer)
    }

    /// Writes the image of a time, s.
    pub fn write(&mut self, time: f64, step: u64, image: &Image) -> Result<(), Error> {
        let name = self.series.next_name();
        let (path, bytes) = (self.folder.join(&name), image.to_bytes(time, step));
        replace(&path, Survives::Kill, &bytes)?;
        self.marks.push(Mark::of_bytes(name, &bytes));
        self.unsafe_files.push(path);
        self.series.add_next(time, step);
        self.series.write_if_due(&self.folder)
    }

    /// Makes all files survive a power cut.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.series.write_if_behind(&self.folder)?;
        for path in self.unsafe_files.drain(..).chain([self.series.path(&self.folder)]) {
            sync_file(&path)?;
        }
        atomic::sync_folder(&self.folder)
    }

    /// What is written so far.
    pub fn marks(&self) -> Vec<Mark> {
        self.marks.iter().cloned().chain([self.series.mark()]).collect()
    }
}

pub(super) fn sync_file(path: &Path) -> Result<(), Error> {
    let file = OpenOptions::new().write(true).open(path);
    file.and_then(|file| file.sync_all()).map_err(Error::file("write", path))
}
