//! Parts of a file: how many points there are, and which cells they form.
//!
//! Frames with as many points have the same cells, and so the same part. Where the cells of a part begin,
//! readers work out from those before it, and disagree about a part without cells: VTK 9.3 counts its one
//! entry in `Offsets`, 9.4 to 9.7 do not. So there is one such part at most, and it is the last.

use super::columns::{Column, table, whole};
use hdf5_metno::{Group, Result};
use std::collections::BTreeMap;

/// Kinds of cells, in the order in which `Steps` counts them.
pub(super) const KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];

/// What points form.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// Each is a cell, so that filters see it.
    Vertices,
    /// Each two are a line.
    Lines,
    /// Triangles, the same in all frames, by the numbers of their corners.
    Triangles(Vec<[i64; 3]>),
}

/// A number of points and their cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    pub(super) number: usize,
    points: usize,
    cells: usize,
    /// Its place among the cells of all parts.
    pub(super) first_cell: usize,
    /// Its place among the corners of all cells.
    pub(super) first_corner: usize,
}

/// All parts, in the order of the file.
pub(super) struct Parts {
    cells: Cells,
    by_points: BTreeMap<usize, Part>,
    /// Where the next one begins.
    next: Part,
    has_empty_frames: bool,
    offsets: Column,
    connectivity: Column,
}

impl Parts {
    pub(super) fn create(root: &Group, cells: Cells, chunk: usize) -> Result<Self> {
        for kind in KINDS {
            root.create_group(kind)?;
        }
        let group = root.group(cells.kind())?;
        let column = |name: &str| Column::create(&group, name, &Vec::<i64>::new(), chunk);
        let (offsets, connectivity) = (column("Offsets")?, column("Connectivity")?);
        let (by_points, next) = (BTreeMap::new(), Part::default());
        Ok(Self { cells, by_points, next, has_empty_frames: false, offsets, connectivity })
    }

    /// The kind of the cells: one of [`KINDS`].
    pub(super) fn kind(&self) -> &'static str {
        self.cells.kind()
    }

    /// Takes notice of a frame with so many points.
    pub(super) fn add(&mut self, points: usize) -> Result<()> {
        if points == 0 {
            self.has_empty_frames = true;
            return Ok(());
        }
        self.add_part(points)
    }

    /// The part of a frame with so many points, which has been added.
    pub(super) fn of(&self, points: usize) -> Part {
        self.by_points.get(&points).copied().unwrap_or_default()
    }

    /// Writes how large the parts are.
    pub(super) fn finish(&mut self, root: &Group) -> Result<()> {
        if self.has_empty_frames {
            self.add_part(0)?;
        }
        let mut parts: Vec<&Part> = self.by_points.values().collect();
        parts.sort_unstable_by_key(|part| part.number);
        let counts =
            |count: fn(&Part) -> usize| -> Vec<i64> { parts.iter().map(|part| whole(count(part))).collect() };
        table(root, "NumberOfPoints", &counts(|part| part.points))?;
        let (cells, of_each) = (counts(|part| part.cells), whole(self.cells.corners()));
        let corners: Vec<i64> = cells.iter().map(|cells| cells * of_each).collect();
        let none = vec![0; parts.len()];
        for kind in KINDS {
            let group = root.group(kind)?;
            let is_ours = kind == self.kind();
            let (cells, corners) = if is_ours { (&cells, &corners) } else { (&none, &none) };
            table(&group, "NumberOfCells", cells)?;
            table(&group, "NumberOfConnectivityIds", corners)?;
            if !is_ours {
                table(&group, "Offsets", &none)?;
                table(&group, "Connectivity", &[] as &[i64])?;
            }
        }
        Ok(())
    }

    fn add_part(&mut self, points: usize) -> Result<()> {
        if self.by_points.contains_key(&points) {
            return Ok(());
        }
        let (cells, corners): (usize, Vec<i64>) = match &self.cells {
            Cells::Vertices => (points, (0..points).map(whole).collect()),
            Cells::Lines => (points / 2, (0..points / 2 * 2).map(whole).collect()),
            Cells::Triangles(triangles) => (triangles.len(), triangles.as_flattened().to_vec()),
        };
        let of_each = self.cells.corners();
        let offsets: Vec<i64> = (0..=cells).map(|cell| whole(cell * of_each)).collect();
        self.offsets.append(&offsets)?;
        self.connectivity.append(&corners)?;
        let part = Part { points, cells, ..self.next };
        self.next = Part {
            number: part.number + 1,
            first_cell: part.first_cell + cells,
            first_corner: part.first_corner + corners.len(),
            ..Part::default()
        };
        self.by_points.insert(points, part);
        Ok(())
    }
}

impl Cells {
    fn kind(&self) -> &'static str {
        match self {
            Self::Vertices => "Vertices",
            Self::Lines => "Lines",
            Self::Triangles(_) => "Polygons",
        }
    }

    /// Corners of each.
    fn corners(&self) -> usize {
        match self {
            Self::Vertices => 1,
            Self::Lines => 2,
            Self::Triangles(_) => 3,
        }
    }
}
