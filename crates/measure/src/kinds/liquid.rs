//! Where the liquid is.

use super::{Info, Measure};
use crate::{Column, View};

pub(super) const INFO: Info = Info {
    name: "liquid",
    summary: "liquid in films and in bridges, how many bridges there are, and what was put in and taken out with bodies; only with liquid",
    citation: None,
    needs: &[],
    takes: &[],
    columns: &[
        Column::mean("films", "m3", "in films on bodies"),
        Column::mean("bridges", "m3", "in bridges"),
        Column::mean("count", "", "bridges that hold any"),
        Column::mean("put_in", "m3", "with bodies, since the start"),
        Column::mean("taken_out", "m3", "with bodies that went, and their halves of bridges"),
        Column::mean("error", "m3", "films and bridges less what was put in and not taken out: rounding"),
    ],
    make: |_| Box::new(Liquid),
};

#[derive(Debug)]
struct Liquid;

impl Measure for Liquid {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let Some(liquid) = now.liquid() else {
            values.extend(INFO.columns.iter().map(|_| f64::NAN));
            return;
        };
        values.extend([
            liquid.films,
            liquid.bridges,
            liquid.count as f64,
            liquid.put_in,
            liquid.taken_out,
            liquid.error(),
        ]);
    }
}
