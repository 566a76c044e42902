//! What a direct shear test reads off its box: shear and normal stress over the area that is sheared, against how far one half has come.

use super::{Info, Measure};
use crate::{Column, Key, Options, View};
use core::f64::consts::PI;
use tumble_dem::{LabVec, WallId};
use tumble_math::elementary::atan2;

pub(super) const INFO: Info = Info {
    name: "shear-box",
    summary: "stresses and displacements of a direct shear test; its walls are those of the half that moves, and the lid last",
    citation: None,
    needs: &[Key::Walls, Key::Area],
    takes: &[Key::Axis],
    columns: &[
        Column::mean(
            "displacement",
            "m",
            "how far the first wall has come along the axis, x if it is left out, from where it was drawn",
        ),
        Column::mean(
            "shear_stress",
            "Pa",
            "what bodies hold against the half that moves, along the axis, by the area",
        ),
        Column::mean("normal_stress", "Pa", "force of bodies on the lid across the axis, by the area"),
        Column::mean("ratio", "", "shear by normal stress"),
        Column::mean("friction_angle", "deg", "the angle whose tangent that is"),
        Column::mean(
            "lid",
            "m",
            "how far the lid has moved along its way by itself: less means that the packing dilates",
        ),
    ],
    make: |options| Box::new(ShearBox::new(options)),
};

#[derive(Debug)]
struct ShearBox {
    half: Vec<WallId>,
    lid: Option<WallId>,
    axis: LabVec<f64>,
    area: f64,
}

impl ShearBox {
    fn new(options: &Options) -> Self {
        let (lid, half) =
            options.walls.split_last().map_or((None, &[][..]), |(lid, half)| (Some(*lid), half));
        Self {
            half: half.to_vec(),
            lid,
            axis: options.axis.unwrap_or(LabVec::new(1.0, 0.0, 0.0)).unit(),
            area: options.area.unwrap_or(f64::NAN),
        }
    }
}

impl Measure for ShearBox {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let report = |wall: &WallId| now.walls().get(wall.index());
        let half = || self.half.iter().filter_map(report);
        let (Some(first), Some(lid)) = (half().next(), self.lid.as_ref().and_then(report)) else {
            values.extend([f64::NAN; 6]);
            return;
        };
        let pushed: f64 = half().map(|wall| wall.force.dot(self.axis)).sum();
        let shear = -pushed / self.area;
        let across = lid.force - self.axis * lid.force.dot(self.axis);
        let normal = across.norm() / self.area;
        values.extend([first.about.dot(self.axis), shear, normal, shear / normal]);
        values.extend([atan2(shear, normal) * (180.0 / PI), lid.moved]);
    }
}
