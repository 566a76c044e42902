//! What a triaxial test reads off a periodic cell: strains, mean and deviatoric stress, the friction that is mobilised.

use super::{Info, Measure};
use crate::{Column, View};
use core::f64::consts::PI;
use tumble_math::elementary::atan2;

pub(super) const INFO: Info = Info {
    name: "triaxial",
    summary: "strains, mean and deviatoric stress and mobilised friction of a periodic cell that is compressed along z",
    citation: None,
    needs: &[],
    takes: &[],
    columns: &[
        Column::mean(
            "axial_strain",
            "",
            "shortening along z, by the logarithm of the ratio of lengths, from when an axis began to be strained",
        ),
        Column::mean("volumetric_strain", "", "the same of the volume; negative where the packing dilates"),
        Column::mean("axial_stress", "Pa", "pressure along z, of contacts and motion"),
        Column::mean("lateral_stress", "Pa", "the mean of those along x and y"),
        Column::mean("p", "Pa", "mean stress: a third of the sum of all three"),
        Column::mean("q", "Pa", "deviatoric stress: axial less lateral"),
        Column::mean("ratio", "", "q by p"),
        Column::mean(
            "friction_angle",
            "deg",
            "asin (axial − lateral)/(axial + lateral): the angle that a cohesionless soil mobilises",
        ),
        Column::mean("void_ratio", "", "volume between the bodies by that of the bodies"),
    ],
    make: |_| Box::new(Triaxial),
};

#[derive(Debug)]
struct Triaxial;

impl Measure for Triaxial {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let Some(cell) = now.cell() else {
            values.extend(INFO.columns.iter().map(|_| f64::NAN));
            return;
        };
        let strains = cell.strains();
        let [x, y, axial] = cell.pressure();
        let volume: f64 = cell.lengths.iter().product();
        let solid: f64 = now.bodies().iter().map(|body| now.volume(body)).sum();
        values.extend([strains[2], strains.iter().sum()]);
        values.extend(mobilised(axial, [x, y]));
        values.push((volume - solid) / solid);
    }
}

/// Axial and lateral stress, p, q, q by p, and the angle of friction that is mobilised, in degrees.
pub(super) fn mobilised(axial: f64, [x, y]: [f64; 2]) -> [f64; 6] {
    let lateral = 0.5 * (x + y);
    let (mean, deviator) = ((x + y + axial) / 3.0, axial - lateral);
    let sine = deviator / (axial + lateral);
    let angle = atan2(sine, (1.0 - sine * sine).sqrt()) * (180.0 / PI);
    [axial, lateral, mean, deviator, deviator / mean, angle]
}
