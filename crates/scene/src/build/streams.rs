//! Streams and outlets: what comes in during a run, and what is taken out.

use super::populate::{self, Failed, UPRIGHT};
use super::{files, region};
use crate::diagnostic::Problem;
use crate::keys::{self, Pouring, SceneKeys};
use std::path::Path;
use std::sync::Arc;
use tumble_dem::placement::{
    Amount, Inlet, Outlet, Packing, PlacementError, Rate, Region, Stream, Surface, Zone,
};
use tumble_dem::random::Random;
use tumble_dem::wall::Timing;
use tumble_dem::{Body, LabVec, World};

/// What is put in during the run.
pub(super) fn streams(
    keys: &SceneKeys,
    folder: &Path,
    world: &World,
    problems: &mut Vec<Problem>,
) -> Vec<Stream> {
    let mut streams = Vec::new();
    for (number, stream) in keys.streams.iter().enumerate() {
        match build(keys, number, stream, folder, world) {
            Ok(stream) => streams.push(stream),
            Err(problem) => problems.push(*problem),
        }
    }
    streams
}

fn build(
    keys: &SceneKeys,
    number: usize,
    stream: &keys::Stream,
    folder: &Path,
    world: &World,
) -> Result<Stream, Failed> {
    let (choice, differ) = populate::choice(keys, &stream.make(), UPRIGHT, false, world)?;
    if differ {
        let message = format!("the templates of `streams.{number}` are drawn along different axes");
        let help = "give each template a stream of its own, or orientation = \"random\"";
        let place = stream.places.of("templates");
        return Err(Box::new(Problem::error(place, message).help(help)));
    }
    let key = stream.where_key();
    let place = stream.places.of(key);
    let wrong = |error: PlacementError| {
        let label = if key == "region" { "this box".to_owned() } else { format!("this {key}") };
        Box::new(Problem::error(place, format!("`streams.{number}`: {error}")).label(label))
    };
    let region = region_of(stream, folder, &wrong)?;
    let (rate, pace) = rate_of(number, stream)?;
    let inlet = Inlet {
        region,
        rate,
        pace,
        start: stream.start,
        stop: stream.stop.unwrap_or(f64::INFINITY),
        count: stream.count,
        mass: stream.mass,
        ..Inlet::new(choice, LabVec::zero(), LabVec::zero())
    };
    Stream::new(inlet, world, populate::seed(keys.seed, number as u64, 1)).map_err(wrong)
}

/// How fast bodies come. The rate of a table is in its rows.
fn rate_of(number: usize, stream: &keys::Stream) -> Result<(Rate, Timing), Failed> {
    let (key, pouring) = match &stream.mass_rate {
        Some(rate) => ("mass_rate", Some(rate)),
        None => ("rate", stream.rate.as_ref()),
    };
    let by_mass = stream.mass_rate.is_some();
    let rate = |rate: f64| if by_mass { Rate::Mass(rate) } else { Rate::Bodies(rate) };
    match pouring {
        None => Ok((rate(1.0), Timing::Always)),
        Some(Pouring::Steady(steady)) => Ok((rate(*steady), Timing::Always)),
        Some(Pouring::Table(rows)) => {
            let rows: Vec<[f64; 2]> = rows.iter().map(|&(time, rate)| [time, rate]).collect();
            let wrong = |error| {
                let message = format!("`streams.{number}.{key}`: {error}");
                Box::new(Problem::error(stream.places.of(key), message))
            };
            Ok((rate(1.0), Timing::table(&rows).map_err(wrong)?))
        }
    }
}

fn region_of(
    stream: &keys::Stream,
    folder: &Path,
    wrong: &dyn Fn(PlacementError) -> Failed,
) -> Result<Region, Failed> {
    let v = LabVec::from_array;
    if let Some(tube) = &stream.cylinder {
        return Ok(tube.region());
    }
    if let Some(keys::Disc { centre, normal, radius, .. }) = stream.disc {
        return Ok(Region::Disc { centre: v(centre), normal: v(normal), radius });
    }
    if let Some(surface) = &stream.surface {
        let place = surface.places.of("file");
        let stl = files::stl(folder, &surface.file, place)?.scaled(surface.scale);
        let stl = stl.map_err(|error| Box::new(files::bad_stl(place, &error)))?;
        let surface = Surface::new(stl.triangles).map_err(wrong)?;
        return Ok(Region::Surface(Arc::new(surface)));
    }
    let (low, high) = stream.region.as_ref().map_or(([0.0; 3], [1.0; 3]), |region| (region.low, region.high));
    Ok(Region::Box { low: v(low), high: v(high) })
}

/// Bodies such as a stream brings, where there is room for them at the start.
pub(super) fn samples(stream: &Stream, world: &World) -> Vec<Body> {
    let Inlet { choice, region, gap, .. } = stream.inlet();
    // Two of each template, so that they can meet.
    let count = 2 * choice.templates.parts().count().min(100);
    let region = match region {
        Region::Box { .. } | Region::Cylinder { .. } => region.clone(),
        Region::Disc { .. } | Region::Surface(_) => {
            // A surface has no room: a box around it, with that of a body.
            let [low, high] = region.bounds();
            let out = world.templates.iter().map(|shape| shape.bounding_radius()).fold(0.0, f64::max);
            let out = LabVec::new(out, out, out) * 2.0;
            Region::Box { low: low - out, high: high + out }
        }
    };
    let packing = Packing { region, amount: Amount::Count(count), gap: *gap };
    let mut bodies = packing.place(choice, world, &mut Random::new(0)).unwrap_or_default();
    // The smallest need the shortest steps.
    for body in bodies.iter_mut().step_by(2) {
        [body.scale, _] = choice.scale.range(body.template);
    }
    bodies
}

/// Where bodies are taken out.
pub(super) fn outlets(keys: &SceneKeys, problems: &mut Vec<Problem>) -> Vec<Outlet> {
    let v = LabVec::from_array;
    let zone = |outlet: &keys::Outlet| {
        if let Some(keys::Region { low, high, .. }) = outlet.region {
            return Zone::Box { low: v(low), high: v(high) };
        }
        if let Some(keys::Tube { from, to, radius, .. }) = outlet.cylinder {
            return Zone::Cylinder { from: v(from), to: v(to), radius };
        }
        if let Some(keys::Ball { centre, radius, .. }) = outlet.sphere {
            return Zone::Sphere { centre: v(centre), radius };
        }
        // Exactly one of them is given.
        let (point, normal) =
            outlet.half_space.as_ref().map_or(([0.0; 3], [0.0; 3]), |half| (half.point, half.normal));
        Zone::HalfSpace { point: v(point), normal: v(normal) }
    };
    let mut outlets = Vec::new();
    for outlet in &keys.outlets {
        match Outlet::new(&outlet.name, zone(outlet)) {
            Ok(made) => outlets.push(made),
            Err(error) => {
                let message = format!("the outlet `{}`: {error}", outlet.name);
                problems.push(Problem::error(outlet.places.table(), message));
            }
        }
    }
    outlets
}

/// Reports what can be run but is likely not what was meant: streams in walls, bodies that leave at once.
pub(super) fn check_unlikely(
    keys: &SceneKeys,
    world: &World,
    streams: &[Stream],
    outlets: &[Outlet],
    problems: &mut Vec<Problem>,
) {
    for ((number, stream), made) in keys.streams.iter().enumerate().zip(streams) {
        let [low, high] = made.inlet().region.bounds();
        let place = stream.places.of(stream.where_key());
        if let Some((wall, part)) = region::worst_wall(world, low, high).filter(|(_, part)| *part >= 0.5) {
            let wall = &world.walls[wall].name;
            let how = if part < 1.0 { "for the most part " } else { "" };
            let message =
                format!("the region of `streams.{number}` is {how}in the wall `{wall}`, or beyond it");
            problems.push(Problem::warning(place, message).label("no body finds room there"));
        }
        let middle = (low + high) * 0.5;
        if let Some(outlet) = outlets.iter().find(|outlet| outlet.zone().contains(middle)) {
            let message =
                format!("the outlet `{}` is where `streams.{number}` brings bodies in", outlet.name());
            problems.push(Problem::warning(place, message).label("they leave as soon as they come"));
        }
    }
    for (outlet, keys) in outlets.iter().zip(&keys.outlets) {
        let inside = world.bodies.iter().filter(|body| !body.held && outlet.zone().contains(body.position));
        let count = inside.count();
        if count > 0 {
            let of = if count == world.bodies.len() { "all".to_owned() } else { count.to_string() };
            let message =
                format!("{of} of {} bodies start in the outlet `{}`", world.bodies.len(), outlet.name());
            let problem = Problem::warning(keys.places.table(), message).label("they leave at once");
            problems.push(
                problem.maybe_help(
                    keys.half_space.is_some().then_some(
                        "the normal of a half-space points away from the side that bodies leave in",
                    ),
                ),
            );
        }
    }
}
