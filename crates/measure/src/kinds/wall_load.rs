//! What bodies exert on walls, and what the walls spend on it.

use super::{Info, Measure};
use crate::{Column, Key, Options, View};
use tumble_dem::{LabVec, WallId};

pub(super) const INFO: Info = Info {
    name: "wall-load",
    summary: "force of the bodies on walls, their torque about an axis, and the power that the walls put in",
    citation: None,
    needs: &[Key::Walls],
    takes: &[Key::Axis, Key::Point],
    columns: &[
        Column::mean("force_x", "N", "force of the bodies on the walls, together"),
        Column::mean("force_y", "N", "the same"),
        Column::mean("force_z", "N", "the same"),
        Column::mean(
            "torque",
            "Nm",
            "torque of the bodies on the walls about the axis; what a drive holds against it is its opposite",
        ),
        Column::mean("power", "W", "what the walls spend on moving the bodies"),
    ],
    make: |options| Box::new(WallLoad::new(options)),
};

#[derive(Debug)]
struct WallLoad {
    walls: Vec<WallId>,
    axis: LabVec<f64>,
    point: LabVec<f64>,
}

impl WallLoad {
    fn new(options: &Options) -> Self {
        Self {
            walls: options.walls.clone(),
            axis: options.axis.unwrap_or(LabVec::new(0.0, 0.0, 1.0)).unit(),
            point: options.point.unwrap_or_default(),
        }
    }
}

impl Measure for WallLoad {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let (mut force, mut torque, mut power) = (LabVec::zero(), 0.0, 0.0);
        for report in self.walls.iter().filter_map(|wall| now.walls().get(wall.index())) {
            force = force + report.force;
            torque += (report.torque + (report.about - self.point).cross(report.force)).dot(self.axis);
            power += report.power;
        }
        values.extend(force.to_array());
        values.extend([torque, power]);
    }
}
