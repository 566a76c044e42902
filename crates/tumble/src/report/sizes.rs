//! Sizes that were asked for against those that were drawn: for each population and stream with a distribution.

use super::curve::thinned;
use std::sync::Arc;
use tumble_dem::placement::{By, Scale, Sizes, Stream};
use tumble_dem::{Body, World};
use tumble_report::{Axis, Cell, Figure, Mark, Outcome, Panel, Section, Series, Table};
use tumble_scene::Built;

/// Points of a curve that was asked for.
const POINTS: u32 = 120;
/// Bodies of a stream that are drawn again to be counted: more tell no more.
const MOST_DRAWN: u64 = 100_000;
/// Figures that are shown.
const MOST_FIGURES: usize = 6;

/// Populations whose sizes are drawn.
#[derive(Clone, Default)]
pub(crate) struct Drawn {
    populations: Vec<Population>,
    /// The volume of each template, m³.
    volumes: Vec<f64>,
}

#[derive(Clone)]
struct Population {
    name: String,
    sizes: Arc<Sizes>,
    /// Size, m, and volume, m³, of each body; of a stream they follow from how many came.
    bodies: Vec<(f64, f64)>,
    stream: Option<usize>,
}

impl Drawn {
    /// Of a scene as it starts.
    pub(crate) fn of(built: &Built) -> Self {
        let volumes = volumes(&built.world);
        let mut populations = Vec::new();
        for (number, population) in built.populations.iter().enumerate() {
            let Some(sizes) = &population.sizes else { continue };
            let bodies = built.world.bodies.get(population.bodies.clone()).unwrap_or_default();
            let bodies = bodies.iter().map(|body| measured(body, sizes, &volumes)).collect();
            let name = format!("bodies.{number}");
            populations.push(Population { name, sizes: sizes.clone(), bodies, stream: None });
        }
        for (number, stream) in built.streams.iter().enumerate() {
            let Scale::Sizes(sizes) = &stream.inlet().choice.scale else { continue };
            let (name, stream) = (format!("streams.{number}"), Some(number));
            populations.push(Population { name, sizes: sizes.clone(), bodies: Vec::new(), stream });
        }
        Self { populations, volumes }
    }

    /// The section; none where no sizes are drawn.
    pub(super) fn section(&self, streams: &[Stream]) -> Option<Section> {
        let mut figures = Vec::new();
        let columns =
            ["population", "bodies", "smallest (m)", "median (m)", "largest (m)", "median by mass (m)"];
        let mut table = Table::new("Sizes that were drawn.", &columns);
        for population in &self.populations {
            let mut bodies = population.bodies.clone();
            if let Some(stream) = population.stream.and_then(|number| streams.get(number)) {
                let numbers = 0..stream.inserted().min(MOST_DRAWN);
                let body = |number| measured(&stream.body(number), &population.sizes, &self.volumes);
                bodies = numbers.map(body).collect();
            }
            bodies.sort_by(|a, b| a.0.total_cmp(&b.0));
            if bodies.is_empty() {
                continue;
            }
            let [number, mass] = [By::Number, By::Mass].map(|by| below(&bodies, by));
            let median = |curve: &[(f64, f64)]| {
                let at = curve.partition_point(|&(_, part)| part < 0.5).min(curve.len() - 1);
                Cell::Number(curve[at].0)
            };
            table.rows.push(vec![
                population.name.as_str().into(),
                Cell::Count(bodies.len() as u64),
                Cell::Number(bodies[0].0),
                median(&number),
                Cell::Number(bodies[bodies.len() - 1].0),
                median(&mass),
            ]);
            if figures.len() < MOST_FIGURES {
                let panels = [("by number", By::Number, number), ("by mass", By::Mass, mass)];
                let panels = panels.map(|(title, by, drawn)| Panel {
                    title: title.into(),
                    x: Axis::linear("size (mm)"),
                    y: Axis::linear("part below"),
                    series: vec![
                        Series::new("asked for", asked(&population.sizes, by), Mark::Line),
                        Series::new("drawn", in_millimetres(&thinned(&drawn)), Mark::Line),
                    ],
                });
                let title = format!("Sizes of {}: the part of all that is below a size.", population.name);
                let name = format!("sizes-{}", population.name.replace('.', "-"));
                figures.push((name, Figure { title, panels: panels.into() }));
            }
        }
        let tables = vec![("sizes".to_owned(), table)];
        (!figures.is_empty()).then(|| Section {
            title: "Sizes".into(),
            outcome: Outcome { figures, tables, ..Outcome::default() },
            ..Section::default()
        })
    }
}

fn volumes(world: &World) -> Vec<f64> {
    world.templates.iter().map(|template| template.volume()).collect()
}

fn measured(body: &Body, sizes: &Sizes, volumes: &[f64]) -> (f64, f64) {
    let volume = volumes.get(usize::from(body.template.0)).copied().unwrap_or_default();
    (sizes.size(body.template, body.scale), volume * (body.scale * body.scale * body.scale))
}

/// The part of bodies, or of their mass, up to each of them; they are sorted.
fn below(bodies: &[(f64, f64)], by: By) -> Vec<(f64, f64)> {
    let weight = |volume: f64| if by == By::Number { 1.0 } else { volume };
    let all: f64 = bodies.iter().map(|&(_, volume)| weight(volume)).sum();
    let mut sum = 0.0;
    let mut curve = Vec::with_capacity(bodies.len());
    for &(size, volume) in bodies {
        sum += weight(volume);
        curve.push((size, sum / all));
    }
    curve
}

fn asked(sizes: &Sizes, by: By) -> Vec<(f64, f64)> {
    let distribution = sizes.distribution();
    let (low, high) = (distribution.smallest(), distribution.largest());
    let at = |k: u32| low + (high - low) * f64::from(k) / f64::from(POINTS);
    let curve: Vec<(f64, f64)> = (0..=POINTS).map(|k| (at(k), distribution.below(by, at(k)))).collect();
    in_millimetres(&curve)
}

fn in_millimetres(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    curve.iter().map(|&(size, part)| (1e3 * size, part)).collect()
}
