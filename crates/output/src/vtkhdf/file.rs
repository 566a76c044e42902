//! A file of VTK's type PolyData with time steps, VTKHDF 2.0.
//!
//! | in the group `VTKHDF` | what |
//! | --- | --- |
//! | `Points`, `PointData`, `CellData`, `FieldData` | rows of all frames, one after the other |
//! | `NumberOfPoints`, `Vertices`, `Lines`, `Polygons`, `Strips` | parts: numbers of points, and their cells |
//! | `Steps` | for each frame its time, its part, and where its rows begin |

use super::columns::{Column, Rows, table, whole};
use super::parts::{Cells, KINDS, Parts};
use super::picture::{Picture, Section};
use hdf5_metno::types::FixedAscii;
use hdf5_metno::{File, Group, Result};
use std::path::Path;

/// The first version with time steps; all that is written is in it.
const VERSION: [i64; 2] = [2, 0];

/// Rows that are written at a time: half a megabyte of the widest, of which the library's cache holds two.
const LARGEST_CHUNK: usize = 1 << 15;

/// A file in the making.
pub(super) struct PolyDataFile {
    file: File,
    root: Group,
    points: Column,
    arrays: Vec<(&'static str, Section, Column)>,
    parts: Parts,
    frames: Vec<Frame>,
}

/// What a frame is, beside its rows.
struct Frame {
    time: f64,
    step: u64,
    points: usize,
}

impl PolyDataFile {
    /// A file for pictures like this one, about as many as `frames`.
    pub(super) fn create(path: &Path, cells: Cells, like: &Picture, frames: usize) -> Result<Self> {
        let file = File::create(path)?;
        let root = file.create_group("VTKHDF")?;
        root.new_attr_builder().with_data(&VERSION).create("Version")?;
        let kind = FixedAscii::<8>::from_ascii("PolyData").map_err(|error| error.to_string())?;
        root.new_attr::<FixedAscii<8>>().create("Type")?.write_scalar(&kind)?;
        // A short run of a few bodies gets a small file.
        let chunk = like.count.max(64).saturating_mul(frames).min(LARGEST_CHUNK);
        let points = Column::create(&root, "Points", &Vec::<[f32; 3]>::new(), chunk)?;
        for section in Section::ALL {
            root.create_group(section.name())?;
        }
        let mut arrays = Vec::new();
        for array in &like.arrays {
            if let Some(rows) = &array.rows {
                let group = root.group(array.section.name())?;
                arrays.push((
                    array.name,
                    array.section,
                    Column::create(&group, array.name, rows.as_ref(), chunk)?,
                ));
            }
        }
        let parts = Parts::create(&root, cells, chunk)?;
        Ok(Self { file, root, points, arrays, parts, frames: Vec::new() })
    }

    /// Adds a frame. The first one has all arrays, later ones those that are different.
    pub(super) fn add(&mut self, picture: &Picture) -> Result<()> {
        self.points.add_frame(picture.points.as_ref().map(|points| points as &dyn Rows))?;
        for ((_, _, column), array) in self.arrays.iter_mut().zip(&picture.arrays) {
            column.add_frame(array.rows.as_deref())?;
        }
        self.parts.add(picture.count)?;
        self.frames.push(Frame { time: picture.time, step: picture.step, points: picture.count });
        Ok(())
    }

    /// Writes what was kept of all frames, and closes the file. Gives their number.
    pub(super) fn finish(mut self) -> Result<usize> {
        self.parts.finish(&self.root)?;
        let steps = self.root.create_group("Steps")?;
        let frames = self.frames.len();
        steps.new_attr::<i64>().create("NSteps")?.write_scalar(&whole(frames))?;
        self.write_geometry(&steps)?;
        for section in Section::ALL {
            let offsets = steps.create_group(&format!("{}Offsets", section.name()))?;
            for (name, _, column) in self.arrays.iter().filter(|(_, of, _)| *of == section) {
                table(&offsets, name, column.starts())?;
            }
        }
        // The number of the step of the engine, as in `.vtp` files.
        let numbers: Vec<i64> =
            self.frames.iter().map(|frame| i64::try_from(frame.step).unwrap_or(i64::MAX)).collect();
        table(&self.root.create_group("FieldData")?, "step", &numbers)?;
        let places: Vec<i64> = (0..frames).map(whole).collect();
        table(&steps.create_group("FieldDataOffsets")?, "step", &places)?;
        // One component, one row.
        table(&steps.create_group("FieldDataSizes")?, "step", &vec![[1_i64; 2]; frames])?;
        // What the library still holds back is written here, where it can fail, and not when things are
        // dropped.
        self.file.flush()?;
        let Self { file, root, points, arrays, parts, .. } = self;
        drop((steps, root, points, arrays, parts));
        file.close()?;
        Ok(frames)
    }

    /// Times, and where points and cells of each frame are.
    fn write_geometry(&self, steps: &Group) -> Result<()> {
        let times: Vec<f64> = self.frames.iter().map(|frame| frame.time).collect();
        table(steps, "Values", &times)?;
        let parts: Vec<_> = self.frames.iter().map(|frame| self.parts.of(frame.points)).collect();
        let numbers: Vec<i64> = parts.iter().map(|part| whole(part.number)).collect();
        table(steps, "PartOffsets", &numbers)?;
        table(steps, "NumberOfParts", &vec![1_i64; parts.len()])?;
        table(steps, "PointOffsets", self.points.starts())?;
        let of_kind = |at: usize| KINDS.map(|kind| if kind == self.parts.kind() { whole(at) } else { 0 });
        let cells: Vec<_> = parts.iter().map(|part| of_kind(part.first_cell)).collect();
        table(steps, "CellOffsets", &cells)?;
        let corners: Vec<_> = parts.iter().map(|part| of_kind(part.first_corner)).collect();
        table(steps, "ConnectivityIdOffsets", &corners)
    }
}
