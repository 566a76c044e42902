//! How hard contacts press and rub.

use super::{Info, Measure, quantile, ratio};
use crate::citations::RADJAI_1996;
use crate::{Column, Key, Options, Region, View};
use tumble_dem::{Touching, WallId};

pub(super) const INFO: Info = Info {
    name: "forces",
    summary: "forces of contacts: means, percentiles and the largest, along and across the normal",
    citation: Some(RADJAI_1996),
    needs: &[],
    takes: &[Key::Region, Key::Walls],
    columns: &[
        Column::mean(
            "contacts",
            "",
            "contacts whose point is in the region; those with `walls` alone if they are named",
        ),
        Column::mean("normal_mean", "N", "force along the normal, positive where it pushes"),
        Column::mean("normal_p50", "N", "its median"),
        Column::mean("normal_p90", "N", "nine tenths of the contacts have less"),
        Column::mean("normal_p99", "N", "99 in a hundred have less"),
        Column::largest("normal_max", "N", "the largest"),
        Column::mean("tangential_mean", "N", "size of the force across the normal"),
        Column::largest("tangential_max", "N", "the largest"),
    ],
    make: |options| Box::new(Forces::new(options)),
};

#[derive(Debug)]
struct Forces {
    region: Option<Region>,
    walls: Vec<WallId>,
}

impl Forces {
    fn new(options: &Options) -> Self {
        Self { region: options.region.clone(), walls: options.walls.clone() }
    }

    fn is_meant(&self, with: Touching) -> bool {
        self.walls.is_empty() || matches!(with, Touching::Wall(wall) if self.walls.contains(&wall))
    }
}

impl Measure for Forces {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let (mut normal, mut tangential) = (Vec::new(), Vec::new());
        for contact in now.contacts().iter().filter(|contact| self.is_meant(contact.with)) {
            if self.region.as_ref().is_some_and(|region| !region.has(contact.point)) {
                continue;
            }
            if let Some(side) = now.sides(contact).next() {
                let along = side.force.dot(side.normal);
                normal.push(along);
                tangential.push((side.force - side.normal * along).norm());
            }
        }
        let mean = |forces: &[f64]| ratio(forces.iter().sum(), forces.len());
        let largest = |forces: &[f64]| forces.iter().copied().reduce(f64::max).unwrap_or(f64::NAN);
        values.extend([normal.len() as f64, mean(&normal)]);
        normal.sort_by(f64::total_cmp);
        values.extend([0.5, 0.9, 0.99].map(|part| quantile(&normal, part)));
        values.extend([largest(&normal), mean(&tangential), largest(&tangential)]);
    }
}
