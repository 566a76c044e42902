//! Files for ParaView: numbered `.vtp` files (`.vti` of fields on grids), and a `.pvd` file for each kind that tells their times.
//!
//! Open `spheres.pvd` with representation *Point Gaussian*, or with a glyph of spheres scaled by `radius`; `capsules.pvd`, which shows
//! what is between the ends, with the filter *Tube*, its radius by the absolute scalar `radius`; `ellipsoids.pvd` with the filter *Tensor Glyph*,
//! spheres of radius one by the tensor `shape`; `polyhedra.pvd` and `walls.pvd` as surfaces. See [`Piece`] for what the files hold.

mod image;
mod pieces;
mod polydata;
mod read;
mod series;

pub use image::{Image, ImageArray, ImageWriter};
pub use pieces::Piece;
pub use read::{ImageArrayHead, ImageEntry, ImageHead, image_names, images};
pub(crate) use series::{is_image_file, is_vtk_file};

use crate::mark::Content;
use crate::{Error, Frame, FrameSink, Mark, Model, atomic};
use series::{POLYDATA, Series};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes frames for ParaView into a folder.
#[derive(Debug)]
pub struct VtkWriter {
    folder: PathBuf,
    model: Arc<Model>,
    series: Vec<(Piece, Series)>,
    /// Files that a power cut might still take.
    unsafe_files: Vec<PathBuf>,
    /// Whether no file of walls shows them away from where they were drawn.
    still: bool,
    /// What is in the files.
    marks: Vec<Mark>,
}

impl VtkWriter {
    /// A writer of these kinds of files, beginning with number 0. The folder is made if it does not exist.
    pub fn create(folder: impl Into<PathBuf>, model: Arc<Model>, pieces: &[Piece]) -> Result<Self, Error> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(Error::file("make", &folder))?;
        let series = pieces.iter().map(|&piece| (piece, Series::new(piece.name(), POLYDATA))).collect();
        Ok(Self { folder, model, series, still: true, unsafe_files: Vec::new(), marks: Vec::new() })
    }

    /// A writer that goes on with what another one wrote into the folder. Files later than `step` are
    /// removed.
    pub fn resume(
        folder: impl Into<PathBuf>,
        model: Arc<Model>,
        pieces: &[Piece],
        step: u64,
    ) -> Result<Self, Error> {
        let mut writer = Self::create(folder, model, pieces)?;
        for (_, series) in &mut writer.series {
            series.read(&writer.folder)?;
            series.truncate_after(step, &writer.folder)?;
            for file in series.files() {
                writer.marks.push(Content::of_file(&writer.folder.join(&file), u64::MAX)?.mark(file));
            }
        }
        Ok(writer)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl FrameSink for VtkWriter {
    fn write(&mut self, frame: &Frame) -> Result<(), Error> {
        for (piece, series) in &mut self.series {
            // Walls that never move, and of which nobody asks what bears on them, are written once, and shown at all times. Of those that a program has driven for a
            // while, the last file may be of another place.
            let is_still = *piece == Piece::Walls && self.model.is_still(frame) && frame.surfaces.is_empty();
            if is_still && self.still && series.next_number() == 1 {
                series.add_last_again(frame.time, frame.step);
            } else {
                self.still &= is_still || *piece != Piece::Walls;
                let path = self.folder.join(series.next_name());
                self.marks.push(piece.of(frame, &self.model).write(&path, frame.time, frame.step)?);
                self.unsafe_files.push(path);
                series.add_next(frame.time, frame.step);
            }
            series.write_if_due(&self.folder)?;
        }
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Error> {
        for (_, series) in &mut self.series {
            series.write_if_behind(&self.folder)?;
        }
        let tables =
            self.series.iter().map(|(_, series)| series.path(&self.folder)).filter(|path| path.exists());
        for path in self.unsafe_files.drain(..).chain(tables) {
            image::sync_file(&path)?;
        }
        atomic::sync_folder(&self.folder)
    }

    fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = self.marks.clone();
        // A run that was resumed has them in another order.
        marks.sort_unstable_by(|a, b| a.file.cmp(&b.file));
        let tables = self
            .series
            .iter()
            .filter(|(_, series)| series.next_number() > 0)
            .map(|(_, series)| series.mark());
        marks.extend(tables);
        marks
    }
}
