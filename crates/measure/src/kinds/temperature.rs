//! How warm bodies are.

use super::{Info, Measure, is_meant};
use crate::{Column, Key, Region, View};

pub(super) const INFO: Info = Info {
    name: "temperature",
    summary: "mean temperature of bodies by their heat capacities, how much temperatures differ, the lowest and the highest; only with heat",
    citation: None,
    needs: &[],
    takes: &[Key::Region],
    columns: &[
        Column::mean(
            "mean",
            "K",
            "mean by heat capacity: what all would have in the end if no more heat came or went",
        ),
        Column::mean("deviation", "K", "standard deviation about it, by heat capacity"),
        Column::mean("lowest", "K", "of the coldest body"),
        Column::mean("highest", "K", "of the warmest body"),
    ],
    make: |options| Box::new(Temperature { region: options.region.clone() }),
};

#[derive(Debug)]
struct Temperature {
    region: Option<Region>,
}

impl Measure for Temperature {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let capacity = |body: &tumble_dem::BodyState| now.heat_capacity(body).unwrap_or(f64::NAN);
        let warm = now.bodies().iter().filter(|body| is_meant(self.region.as_ref(), body));
        let warm: Vec<(f64, f64)> =
            warm.filter_map(|body| Some((capacity(body), body.temperature?))).collect();
        let all: f64 = warm.iter().map(|(capacity, _)| capacity).sum();
        let mean = warm.iter().map(|(capacity, t)| capacity * t).sum::<f64>() / all;
        let square = warm.iter().map(|(capacity, t)| capacity * (t - mean) * (t - mean)).sum::<f64>() / all;
        let temperatures = || warm.iter().map(|(_, temperature)| *temperature);
        if warm.is_empty() {
            values.extend([f64::NAN; 4]);
        } else {
            let lowest = temperatures().fold(f64::INFINITY, f64::min);
            let highest = temperatures().fold(f64::NEG_INFINITY, f64::max);
            values.extend([mean, square.sqrt(), lowest, highest]);
        }
    }
}
