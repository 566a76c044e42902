//! How well two sorts of bodies are mixed: Lacey's index over the cells of a grid.
//!
//! The mean square deviation of the share of a sort in the cells, each counted with its number of bodies, is compared with that
//! of bodies that are apart, p(1 − p), and with what is expected of bodies that are thrown into the cells at random,
//! p(1 − p)(k − 1)/(N − 1) for N bodies in k cells: the limits 0 and 1 of the index hold for any number of bodies.

use super::{Info, Measure, is_meant};
use crate::citations::LACEY_1954;
use crate::{Column, Key, Options, Region, Share, View};
use tumble_dem::LabVec;

pub(super) const INFO: Info = Info {
    name: "mixing",
    summary: "Lacey's index of mixing and the segregation of one sort of bodies among the others",
    citation: Some(LACEY_1954),
    needs: &[Key::Region, Key::Of],
    takes: &[Key::Cells],
    columns: &[
        Column::mean("lacey", "", "0 where the two sorts are apart, 1 where they are mixed at random"),
        Column::mean(
            "segregation",
            "",
            "mean square deviation of the share in cells, by that of sorts that are apart",
        ),
        Column::mean("share", "", "the part of the bodies in the region that are of the sort, by number"),
        Column::mean("cells", "", "cells with any bodies"),
    ],
    make: |options| Box::new(Mixing::new(options)),
};

/// Cells along each axis where the scene does not say how many.
const CELLS: usize = 5;

#[derive(Debug)]
struct Mixing {
    region: Option<Region>,
    of: Option<Share>,
    cells: [usize; 3],
}

impl Mixing {
    fn new(options: &Options) -> Self {
        let cells = options
            .cells
            .map_or([CELLS; 3], |cells| cells.map(|count| usize::try_from(count).unwrap_or(CELLS).max(1)));
        Self { region: options.region.clone(), of: options.of, cells }
    }

    /// The number of the cell of a point in the box around the region.
    fn cell(&self, region: &Region, point: LabVec<f64>) -> usize {
        let [low, high] = region.bounds().map(LabVec::to_array);
        let place: [usize; 3] = core::array::from_fn(|axis| {
            let part = (point.to_array()[axis] - low[axis]) / (high[axis] - low[axis]);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; bounded")]
            let place = (part.max(0.0) * self.cells[axis] as f64) as usize;
            place.min(self.cells[axis] - 1)
        });
        place[0] + self.cells[0] * (place[1] + self.cells[1] * place[2])
    }
}

impl Measure for Mixing {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        // All bodies, and those of the sort.
        let mut cells = vec![[0_u64; 2]; self.cells.iter().product()];
        if let (Some(region), Some(of)) = (&self.region, self.of) {
            for body in now.bodies().iter().filter(|body| is_meant(Some(region), body)) {
                let cell = &mut cells[self.cell(region, body.position)];
                cell[0] += 1;
                cell[1] += u64::from(of.has(body, now.diameter(body)));
            }
        }
        let [all, of_sort] =
            cells.iter().fold([0, 0], |[all, of_sort], cell| [all + cell[0], of_sort + cell[1]]);
        let (all, share) = (all as f64, of_sort as f64 / all as f64);
        let filled = cells.iter().filter(|cell| cell[0] > 0);
        let count = filled.clone().count() as f64;
        let square = |cell: &[u64; 2]| {
            let deviation = cell[1] as f64 / cell[0] as f64 - share;
            cell[0] as f64 * deviation * deviation
        };
        let variance = filled.map(square).sum::<f64>() / all;
        let apart = share * (1.0 - share);
        let random = apart * (count - 1.0) / (all - 1.0);
        // Of one sort alone, in one cell or one to a cell nothing can be told.
        let told = |value: f64, scale: f64| if scale > 0.0 { value / scale } else { f64::NAN };
        values.push(told(apart - variance, apart - random));
        values.push(told(variance, apart));
        values.push(share);
        values.push(count);
    }
}
