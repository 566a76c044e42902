//! A periodic cell that deforms: its lengths, and the pressures that it sees.

use super::{Info, Measure};
use crate::citations::CHRISTOFFERSEN_1981;
use crate::{Column, View};

pub(super) const INFO: Info = Info {
    name: "cell",
    summary: "lengths of a periodic cell that deforms, and the pressure along each axis as the cell sees it, by contacts and by motion",
    citation: Some(CHRISTOFFERSEN_1981),
    needs: &[],
    takes: &[],
    columns: &[
        Column::mean("x", "m", "length along x"),
        Column::mean("y", "m", "the same along y"),
        Column::mean("z", "m", "the same along z"),
        Column::mean("rate_x", "1/s", "how fast that grows, by the length"),
        Column::mean("rate_y", "1/s", "the same along y"),
        Column::mean("rate_z", "1/s", "the same along z"),
        Column::mean("contact_xx", "Pa", "pressure along x that contacts carry, over the whole cell"),
        Column::mean("contact_yy", "Pa", "the same along y"),
        Column::mean("contact_zz", "Pa", "the same along z"),
        Column::mean(
            "kinetic_xx",
            "Pa",
            "pressure along x that velocities without the motion of the cell carry",
        ),
        Column::mean("kinetic_yy", "Pa", "the same along y"),
        Column::mean("kinetic_zz", "Pa", "the same along z"),
    ],
    make: |_| Box::new(Cell),
};

#[derive(Debug)]
struct Cell;

impl Measure for Cell {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let numbers = now.cell().map_or([[f64::NAN; 3]; 4], |cell| {
            [cell.lengths, cell.rates, cell.contact_pressure, cell.kinetic_pressure]
        });
        values.extend(numbers.iter().flatten());
    }
}
