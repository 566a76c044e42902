//! A periodic cell that deforms: its lengths, how far it has been sheared, and the pressures that it sees.

use super::{Info, Measure};
use crate::citations::CHRISTOFFERSEN_1981;
use crate::{Column, View};

pub(super) const INFO: Info = Info {
    name: "cell",
    summary: "lengths and shear of a periodic cell that deforms, and the pressure as the cell sees it, all components, by contacts and by motion",
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
        Column::mean("shear", "", "strain of its shear"),
        Column::mean("shear_rate", "1/s", "how fast that grows"),
        Column::mean("displaced", "m", "how far images beyond the gradient are displaced along the flow"),
        Column::mean(
            "contact_xy",
            "Pa",
            "the component of forces along x and ways along y; minus the shear stress",
        ),
        Column::mean("contact_yx", "Pa", "the component of forces along y and ways along x"),
        Column::mean("contact_xz", "Pa", "the component of forces along x and ways along z"),
        Column::mean("contact_zx", "Pa", "the component of forces along z and ways along x"),
        Column::mean("contact_yz", "Pa", "the component of forces along y and ways along z"),
        Column::mean("contact_zy", "Pa", "the component of forces along z and ways along y"),
        Column::mean("kinetic_xy", "Pa", "what velocities carry along x across y"),
        Column::mean("kinetic_xz", "Pa", "the same along x across z"),
        Column::mean("kinetic_yz", "Pa", "the same along y across z"),
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
        let Some(cell) = now.cell() else {
            values.extend(INFO.columns.iter().map(|_| f64::NAN));
            return;
        };
        let (contact, kinetic) = (&cell.contact_pressure, &cell.kinetic_pressure);
        values.extend(cell.lengths.iter().chain(&cell.rates));
        values.extend((0..3).map(|k| contact[k][k]).chain((0..3).map(|k| kinetic[k][k])));
        values.extend([cell.shear, cell.shear_rate, cell.displaced]);
        for [i, j] in [[0, 1], [0, 2], [1, 2]] {
            values.extend([contact[i][j], contact[j][i]]);
        }
        values.extend([kinetic[0][1], kinetic[0][2], kinetic[1][2]]);
    }
}
