//! What was drawn: how many bodies of each population, how large and how heavy they are.

use crate::number::readable;
use tumble::dem::placement::{By, Rate, Scale, SizeMeasure, Sizes, Stream};
use tumble::dem::wall::Timing;
use tumble::dem::{Body, World};
use tumble::scene::Built;

/// A line for each population with sizes of its own, and for each stream.
pub(super) fn lines(built: &Built) -> Vec<String> {
    let populations = built.populations.iter().enumerate().filter_map(|(number, population)| {
        let bodies = built.world.bodies.get(population.bodies.clone()).filter(|bodies| !bodies.is_empty())?;
        Some(format!("bodies.{number}: {}", drawn(bodies, population.sizes.as_deref(), &built.world)))
    });
    let streams =
        built.streams.iter().enumerate().map(|(number, each)| format!("streams.{number}: {}", stream(each)));
    // One population of equal bodies needs no line.
    let many = built.populations.len() > 1 || built.populations.iter().any(|each| each.sizes.is_some());
    populations.filter(|_| many).chain(streams).collect()
}

/// Clouds beyond this fraction are packings, whose bodies push each other aside.
const DENSE: f64 = 0.4;

/// How long each dense packing took, by itself.
pub(super) fn packings(built: &Built) -> Vec<String> {
    let dense = |population: &&(usize, f64, f64)| population.1 > DENSE;
    let all: Vec<(usize, f64, f64)> = (0..)
        .zip(&built.populations)
        .filter_map(|(number, each)| Some((number, each.fraction?, each.placed_in.as_secs_f64())))
        .collect();
    let told = |(number, fraction, seconds): &(usize, f64, f64)| {
        format!("{seconds:.2} s: bodies.{number}, to a solid fraction of {fraction:.3}")
    };
    all.iter().filter(dense).map(told).collect()
}

/// The size of a body, m: as its distribution measures it, or else by its volume.
fn size(body: &Body, sizes: Option<&Sizes>, world: &World) -> f64 {
    let volume = || {
        let template = world.templates.get(usize::from(body.template.0));
        template.map_or(0.0, |template| SizeMeasure::Volume.of(template) * body.scale)
    };
    sizes.map_or_else(volume, |sizes| sizes.size(body.template, body.scale))
}

fn drawn(bodies: &[Body], of: Option<&Sizes>, world: &World) -> String {
    let mut sizes: Vec<f64> = bodies.iter().map(|body| size(body, of, world)).collect();
    sizes.sort_by(f64::total_cmp);
    let mass: f64 = bodies.iter().map(|body| mass(body, world)).sum();
    let (low, high) = (sizes[0], sizes[sizes.len() - 1]);
    let count = if bodies.len() == 1 { "1 body".to_owned() } else { format!("{} bodies", bodies.len()) };
    let spread = if high - low <= 1e-9 * high {
        format!("{} m", readable(low))
    } else {
        let median = sizes[sizes.len() / 2];
        format!("{} to {} m, half of them below {} m", readable(low), readable(high), readable(median))
    };
    format!("{count} of {} kg, {spread}", readable(mass))
}

fn mass(body: &Body, world: &World) -> f64 {
    let template = world.templates.get(usize::from(body.template.0));
    let material = world.materials.as_slice().get(body.material.index());
    template.zip(material).map_or(0.0, |(template, material)| template.mass(material.density, body.scale))
}

fn stream(stream: &Stream) -> String {
    let inlet = stream.inlet();
    let rate = match inlet.rate {
        Rate::Bodies(_) | Rate::Mass(_) if inlet.pace != Timing::Always => by_table(&inlet.pace, inlet.rate),
        Rate::Bodies(rate) => {
            format!("{} bodies/s, {} kg/s", readable(rate), readable(rate * stream.mean_mass()))
        }
        Rate::Mass(rate) => {
            format!("{} kg/s, {} bodies/s", readable(rate), readable(rate / stream.mean_mass()))
        }
    };
    let sizes = match &inlet.choice.scale {
        Scale::Sizes(sizes) => {
            let of = sizes.distribution();
            let [number, mass] =
                [By::Number, By::Mass].map(|by| median(of.smallest(), of.largest(), |d| of.below(by, d)));
            format!(
                "; {} to {} m, half of them below {} m, half of their mass below {} m",
                readable(of.smallest()),
                readable(of.largest()),
                readable(number),
                readable(mass)
            )
        }
        Scale::Fixed(_) | Scale::Uniform { .. } => String::new(),
    };
    format!("{rate} on average{sizes}")
}

/// A rate that changes.
fn by_table(pace: &Timing, rate: Rate) -> String {
    let (factor, unit) = match rate {
        Rate::Bodies(rate) => (rate, "bodies/s"),
        Rate::Mass(rate) => (rate, "kg/s"),
    };
    let Timing::Table { 0: rows, .. } = pace else { return format!("up to {} {unit}", readable(factor)) };
    let rates = || rows.iter().map(|row| factor * row.speed());
    let (least, most) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
    format!("{} to {} {unit}, by a table of {} rows,", readable(least), readable(most), rows.len())
}

/// Where a rising function is a half.
fn median(mut low: f64, mut high: f64, below: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if below(middle) < 0.5 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}
