//! How large bodies are: by the sphere of the same volume, or another length of them.

use super::{Info, Measure, is_meant, ratio};
use crate::citations::ALLEN_2003;
use crate::{Column, Key, Region, View};
use tumble_dem::BodyState;
use tumble_dem::placement::SizeMeasure;

pub(super) const INFO: Info = Info {
    name: "sizes",
    summary: "size distribution: diameters of spheres of the bodies' volumes, or another `size` of them, by volume",
    citation: Some(ALLEN_2003),
    needs: &[],
    takes: &[Key::Region, Key::Size],
    columns: &[
        Column::mean("d10", "m", "smallest size below or at which a tenth of the volume is"),
        Column::mean("d50", "m", "the same for half of the volume"),
        Column::mean("d90", "m", "the same for nine tenths"),
        Column::mean("mean", "m", "mean size, by number"),
        Column::mean("sauter", "m", "Sauter's mean, Σd³/Σd²"),
    ],
    make: |options| {
        let size = options.size.unwrap_or(SizeMeasure::Volume);
        Box::new(Sizes { region: options.region.clone(), size, of_templates: Vec::new() })
    },
};

#[derive(Debug)]
struct Sizes {
    region: Option<Region>,
    size: SizeMeasure,
    /// The size of each template, once it is known: some take a search.
    of_templates: Vec<Option<f64>>,
}

impl Sizes {
    fn of(&mut self, body: &BodyState, now: &View<'_>) -> f64 {
        if self.size == SizeMeasure::Volume {
            return now.diameter(body);
        }
        let templates = now.scenery().templates;
        self.of_templates.resize(templates.len(), None);
        let number = body.template.index();
        let size = self.of_templates[number].get_or_insert_with(|| self.size.of(&templates[number]));
        *size * body.scale
    }
}

impl Measure for Sizes {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let region = self.region.clone();
        let meant = now.bodies().iter().filter(|body| is_meant(region.as_ref(), body));
        let mut sizes: Vec<(f64, f64)> = meant.map(|body| (self.of(body, now), now.volume(body))).collect();
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
