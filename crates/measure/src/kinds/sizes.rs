//! How large bodies are, by the sphere of the same volume.

use super::{Info, Measure, is_meant, ratio};
use crate::citations::ALLEN_2003;
use crate::{Column, Key, Region, View};

pub(super) const INFO: Info = Info {
    name: "sizes",
    summary: "size distribution: diameters of spheres of the bodies' volumes, by volume",
    citation: Some(ALLEN_2003),
    needs: &[],
    takes: &[Key::Region],
    columns: &[
        Column::mean("d10", "m", "smallest diameter below or at which a tenth of the volume is"),
        Column::mean("d50", "m", "the same for half of the volume"),
        Column::mean("d90", "m", "the same for nine tenths"),
        Column::mean("mean", "m", "mean diameter, by number"),
        Column::mean("sauter", "m", "Sauter's mean diameter, Σd³/Σd²"),
    ],
    make: |options| Box::new(Sizes { region: options.region.clone() }),
};

#[derive(Debug)]
struct Sizes {
    region: Option<Region>,
}

impl Measure for Sizes {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let meant = now.bodies().iter().filter(|body| is_meant(self.region.as_ref(), body));
        let mut sizes: Vec<(f64, f64)> = meant.map(|body| (now.diameter(body), now.volume(body))).collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let whole: f64 = sizes.iter().map(|(_, volume)| volume).sum();
        let below = |part: f64| {
            let mut sum = 0.0;
            let reached = sizes.iter().find(|(_, volume)| {
                sum += volume;
                // A little less, so that rounding does not skip the body that makes the part full.
                sum >= part * whole * (1.0 - 1e-12)
            });
            reached.map_or(f64::NAN, |(diameter, _)| *diameter)
        };
        values.extend([0.1, 0.5, 0.9].map(below));
        values.push(ratio(sizes.iter().map(|(d, _)| d).sum(), sizes.len()));
        let cubes: f64 = sizes.iter().map(|(d, _)| d * d * d).sum();
        let squares: f64 = sizes.iter().map(|(d, _)| d * d).sum();
        values.push(if sizes.is_empty() { f64::NAN } else { cubes / squares });
    }
}
