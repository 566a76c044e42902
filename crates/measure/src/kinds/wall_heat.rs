//! What walls give to bodies of heat.

use super::{Info, Measure};
use crate::{Column, Key, View};
use tumble_dem::WallId;

pub(super) const INFO: Info = Info {
    name: "wall-heat",
    summary: "heat that flows from walls to bodies, and that has since the start; only with heat",
    citation: None,
    needs: &[Key::Walls],
    takes: &[],
    columns: &[
        Column::mean(
            "flow",
            "W",
            "from the walls to the bodies, in the last step; negative where they are cooled",
        ),
        Column::mean("given", "J", "the same since the start"),
    ],
    make: |options| Box::new(WallHeat { walls: options.walls.clone() }),
};

#[derive(Debug)]
struct WallHeat {
    walls: Vec<WallId>,
}

impl Measure for WallHeat {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let mut sums = [0.0; 2];
        for report in self.walls.iter().filter_map(|wall| now.walls().get(wall.index())) {
            let heat = report.heat.unwrap_or([f64::NAN; 2]);
            sums = [sums[0] + heat[0], sums[1] + heat[1]];
        }
        values.extend(sums);
    }
}
