//! The files of coarse-grained fields: images for ParaView, and of lines a table.

use crate::Error;
use std::path::Path;
use tumble_measure::coarse::{CoarseFrame, CoarseSpec, Grid, QUANTITIES, Quantity};
use tumble_output::csv::MeasuresCsv;
use tumble_output::vtk::{Image, ImageArray, ImageWriter};
use tumble_output::{Mark, Part};

/// What is written of the fields on one grid.
pub(crate) struct FieldFiles {
    grid: Grid,
    images: ImageWriter,
    /// A row for each cell, of lines and single boxes: tables of more would have more rows than anybody reads.
    table: Option<MeasuresCsv>,
}

impl FieldFiles {
    /// Opens the files in their folder: new ones, or, given a step, those that go on from there.
    pub(crate) fn open(folder: &Path, spec: &CoarseSpec, resumed: Option<u64>) -> Result<Self, Error> {
        let images = match resumed {
            None => ImageWriter::create(folder, &spec.name)?,
            Some(step) => ImageWriter::resume(folder, &spec.name, step)?,
        };
        let path = folder.join(format!("{}.csv", spec.name));
        let centre = ["x_m", "y_m", "z_m"].map(str::to_owned);
        let columns: Vec<String> =
            centre.into_iter().chain(QUANTITIES.iter().flat_map(Quantity::headers)).collect();
        let table = (spec.grid.resolved().len() < 2).then(|| match resumed {
            None => MeasuresCsv::create(&path, &columns),
            Some(step) => MeasuresCsv::resume(&path, &columns, step),
        });
        Ok(Self { grid: spec.grid, images, table: table.transpose()? })
    }

    /// Writes a frame.
    pub(crate) fn write(&mut self, frame: &CoarseFrame) -> Result<(), Error> {
        let (grid, CoarseFrame { time, step, .. }) = (&self.grid, frame);
        let array = |quantity: &Quantity| ImageArray {
            name: quantity.name.to_owned(),
            components: quantity.parts.names().iter().map(|name| name.to_uppercase()).collect(),
            values: frame.values(quantity),
        };
        let (origin, spacing, cells) = (grid.low(), grid.sides(), grid.cells());
        let image = Image { origin, spacing, cells, arrays: QUANTITIES.iter().map(array).collect() };
        self.images.write(*time, *step, &image)?;
        if let Some(table) = &mut self.table {
            for place in 0..grid.len() {
                let row: Vec<f64> = grid.centre(place).into_iter().chain(frame.cell(place)).collect();
                table.append(*time, *step, &row)?;
            }
        }
        Ok(())
    }

    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        self.images.sync()?;
        self.table.as_mut().map_or(Ok(()), MeasuresCsv::sync).map_err(Error::from)
    }

    /// What is written so far.
    pub(crate) fn marks(&self) -> impl Iterator<Item = Mark> {
        let table = self.table.as_ref().map(MeasuresCsv::mark);
        self.images.marks().into_iter().chain(table).map(|mark| mark.within(Part::Fields.name()))
    }
}
