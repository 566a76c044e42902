//! Bodies: what the scene says of its populations, as bodies of the world.
//!
//! Every population and every stream has a random generator of its own, so that a change of one leaves the others
//! as they were. Orientations in a scene turn a shape from the way it is drawn; the engine's turn it from its
//! principal axes.

use super::{files, materials, region, sizes};
use crate::diagnostic::Problem;
use crate::keys::{self, Bodies, Frame, Make, Orientation, SceneKeys};
use core::ops::Range;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};
use tumble_dem::heat::ROOM;
use tumble_dem::placement::{
    self, Amount, BodiesFile, By, Choice, Lattice, Mix, Names, Packing, PlacementError, Sites,
};
use tumble_dem::random::Random;
use tumble_dem::{Body, LabVec, Quat, TemplateId, World};

/// The bodies of each population: a range of the world's.
pub(super) type Origins = Vec<Range<usize>>;

/// A population that could not be put in.
pub(super) type Failed = Box<Problem>;

/// What a file of bodies begins with whose quaternions turn the principal axes, whatever the key `frame` says.
pub const PRINCIPAL_COMMENT: &str = "# Quaternions turn the principal axes.";

/// As drawn.
pub(super) const UPRIGHT: Orientation = Orientation::Fixed([1.0, 0.0, 0.0, 0.0]);

/// Puts the bodies of all populations into the world, one population after the other; with how long each took.
pub(super) fn populate(
    keys: &SceneKeys,
    folder: &Path,
    world: &mut World,
    problems: &mut Vec<Problem>,
) -> (Origins, Vec<Duration>) {
    let (mut origins, mut times) = (Vec::new(), Vec::new());
    let mut room = keys::MOST_BODIES;
    for (number, population) in keys.bodies.iter().enumerate() {
        let (first, begin) = (world.bodies.len(), Instant::now());
        let mut random = Random::new(seed(keys.seed, number as u64, 0));
        match bodies(keys, population, folder, world, &mut random) {
            Ok(bodies) if bodies.len() as u64 <= room => {
                room -= bodies.len() as u64;
                world.bodies.extend(bodies);
            }
            Ok(_) => {
                let message = format!("the scene has more than {} bodies", keys::MOST_BODIES);
                problems.push(Problem::error(population.places.table(), message));
                break;
            }
            Err(problem) => problems.push(*problem),
        }
        origins.push(first..world.bodies.len());
        times.push(begin.elapsed());
    }
    (origins, times)
}

/// The volume of some bodies of a world, m³.
pub(super) fn volume(world: &World, bodies: &Range<usize>) -> f64 {
    let volume = |body: &Body| {
        let template = world.templates.get(usize::from(body.template.0));
        template.map_or(0.0, |template| template.volume() * body.scale * body.scale * body.scale)
    };
    world.bodies[bodies.clone()].iter().map(volume).sum()
}

fn bodies(
    keys: &SceneKeys,
    population: &Bodies,
    folder: &Path,
    world: &World,
    random: &mut Random,
) -> Result<Vec<Body>, Failed> {
    if let Some(file) = &population.csv {
        return from_file(keys, population, file, folder, world);
    }
    let usual = if population.cloud.is_some() { Orientation::Random } else { UPRIGHT };
    let (choice, differ) = choice(keys, &population.make(), usual, population.held, world)?;
    let turned = |body: Body| match population.orientation.unwrap_or(usual) {
        Orientation::Fixed(q) => body.turned(from_drawn(Quat::from_array(q), body.template, world)),
        Orientation::Random => body,
    };
    let fail = |key: &str, error: PlacementError| {
        Box::new(Problem::error(population.places.of(key), error.to_string()).label(format!("this {key}")))
    };
    if let Some(place) = population.at {
        let body = Body { position: LabVec::from_array(place), ..choice.draw(random) };
        return Ok(vec![turned(body)]);
    }
    if let Some(lattice) = &population.lattice {
        let lattice = lattice_of(lattice).map_err(|error| fail("lattice", error))?;
        if !differ {
            return lattice.place(&choice, world, random).map_err(|error| fail("lattice", error));
        }
        // Whether they overlap is looked at when all bodies are there.
        let sites = lattice.sites().map_err(|error| fail("lattice", error))?;
        let middle = (lattice.low + lattice.high) * 0.5;
        let body = |position| {
            let body = turned(Body { position, ..choice.draw(random) });
            if placement::is_over() { Err(PlacementError::Interrupted) } else { Ok(body) }
        };
        let bodies: Result<_, _> = positions(sites, middle).map(body).collect();
        return bodies.map_err(|error| fail("lattice", error));
    }
    if let Some(sleeve) = &population.sleeve {
        let node = |position| turned(Body { position, ..choice.draw(random) });
        return Ok(sleeve.net().places().into_iter().map(node).collect());
    }
    match &population.cloud {
        Some(cloud) if differ && (cloud.mass.is_some() || cloud.fraction.is_some()) => {
            let message = "the templates of this cloud are drawn along different axes";
            let help = "give each template a population of its own, or orientation = \"random\"";
            Err(Box::new(Problem::error(population.places.of("templates"), message).help(help)))
        }
        Some(cloud) => in_cloud(cloud, &choice, differ, &turned, world, random).map_err(|error| {
            let crowded = matches!(error, PlacementError::Crowded(_) | PlacementError::TooDense { .. });
            let [low, high] = cloud.region().bounds();
            let wall = crowded.then(|| region::worst_wall(world, low, high)).flatten();
            let problem = *fail("cloud", error);
            Box::new(problem.maybe_help(wall.filter(|(_, part)| *part >= 0.5).map(|(number, part)| {
                let how = if part < 1.0 { "most" } else { "all" };
                let wall = &world.walls[number].name;
                format!("{how} of its box is in the wall `{wall}` or beyond it: does the normal of a plane point away from the bodies?")
            })))
        }),
        None => Ok(Vec::new()),
    }
}

/// What the bodies of a population are like, and whether the axes of their templates differ so that a fixed
/// orientation is not the same for all of them.
pub(super) fn choice(
    keys: &SceneKeys,
    make: &Make<'_>,
    usual: Orientation,
    held: bool,
    world: &World,
) -> Result<(Choice, bool), Failed> {
    let weight = |index: usize| make.weights.and_then(|weights| weights.get(index)).copied().unwrap_or(1.0);
    let number = |name: &String| keys.templates.iter().position(|(known, _)| known == name);
    let numbers: Vec<TemplateId> =
        make.templates.iter().filter_map(|name| u16::try_from(number(name)?).ok().map(TemplateId)).collect();
    let weighted: Vec<(TemplateId, f64)> =
        numbers.iter().enumerate().map(|(i, &id)| (id, weight(i))).collect();
    let wrong = |error: PlacementError| Box::new(Problem::error(make.places.table(), error.to_string()));
    let orientations: Vec<Quat<f64>> = match make.orientation.unwrap_or(usual) {
        Orientation::Random => Vec::new(),
        Orientation::Fixed(q) => {
            numbers.iter().map(|&id| from_drawn(Quat::from_array(q), id, world)).collect()
        }
    };
    let velocity = |velocity: keys::Velocity| match velocity {
        keys::Velocity::Fixed(velocity) => placement::Velocity::Fixed(LabVec::from_array(velocity)),
        keys::Velocity::RandomDirection { speed } => placement::Velocity::RandomDirection { speed },
        keys::Velocity::Maxwell { sigma } => placement::Velocity::Maxwell { sigma },
    };
    let scale = sizes::scale(make, world)?;
    let templates = match make.weights_by {
        By::Number => Mix::new(&weighted),
        By::Mass => Mix::by_mass(&weighted, &scale, &world.templates),
    };
    let choice = Choice {
        templates: templates.map_err(wrong)?,
        material: materials::number(keys, make.material).unwrap_or_default(),
        scale,
        orientation: orientations
            .first()
            .map_or(placement::Orientation::Random, |&first| placement::Orientation::Fixed(first)),
        velocity: velocity(make.velocity),
        spin: velocity(make.spin),
        held,
        temperature: make.temperature.unwrap_or(ROOM),
        film: make.film.unwrap_or(0.0),
    };
    let differ = orientations.windows(2).any(|pair| pair[0] != pair[1]);
    Ok((choice, differ))
}

fn from_file(
    keys: &SceneKeys,
    population: &Bodies,
    file: &Path,
    folder: &Path,
    world: &World,
) -> Result<Vec<Body>, Failed> {
    let place = population.places.of("csv");
    let path = files::find(folder, file, place)?;
    let wrong = |error: String| Box::new(Problem::error(place, error).label("this file of bodies"));
    let open =
        File::open(&path).map_err(|error| wrong(format!("{}: cannot be read: {error}", path.display())))?;
    let names = Names::of(world);
    let mut reader = BufReader::with_capacity(1 << 16, open);
    // What cannot be read is told with the header.
    let says_principal = reader.fill_buf().is_ok_and(|head| head.starts_with(PRINCIPAL_COMMENT.as_bytes()));
    let drawn = population.frame == Frame::Drawn && !says_principal;
    let rows = BodiesFile::new(reader, path.display().to_string(), &names)
        .map_err(|error| wrong(error.to_string()))?;
    let rows = rows.made_of(materials::number(keys, population.material.as_deref()).unwrap_or_default());
    let (keys::Scale::Fixed(scale) | keys::Scale::Uniform([scale, _])) = population.scale;
    let mut bodies = Vec::new();
    let mut bad = Vec::new();
    let rows = rows.at_temperature(population.temperature.unwrap_or(ROOM));
    let rows = rows.with_film(population.film.unwrap_or(0.0));
    for row in rows.held(population.held) {
        let mut body = match row {
            Ok(body) => body,
            Err(error) => {
                bad.push(error.to_string());
                if bad.len() > files::MOST_BAD_ROWS {
                    break;
                }
                continue;
            }
        };
        body.scale *= scale;
        if drawn {
            body.orientation = from_drawn(body.orientation, body.template, world);
        }
        bodies.push(body);
        if bodies.len() as u64 > keys::MOST_BODIES {
            return Err(wrong(format!("{}: more than {} bodies", path.display(), keys::MOST_BODIES)));
        }
    }
    files::bad_rows(&bad, |error| *wrong(error)).map_or(Ok(bodies), |problem| Err(Box::new(problem)))
}

fn in_cloud(
    cloud: &keys::Cloud,
    choice: &Choice,
    differ: bool,
    turned: &dyn Fn(Body) -> Body,
    world: &World,
    random: &mut Random,
) -> Result<Vec<Body>, PlacementError> {
    let packing = |amount: Amount| Packing { region: cloud.region(), amount, gap: cloud.gap };
    let of = |count: u64| -> Result<Packing, PlacementError> {
        let count = usize::try_from(count).map_err(|_| PlacementError::TooMany { wanted: count as f64 })?;
        Ok(packing(Amount::Count(count)))
    };
    let whole = cloud.mass.map(Amount::Mass).or(cloud.fraction.map(Amount::Fraction));
    if let Some(amount) = whole {
        return packing(amount).place(choice, world, random);
    }
    let templates: Vec<TemplateId> = choice.templates.parts().map(|(id, _)| id).collect();
    let counts: Vec<u64> = match (&cloud.counts, cloud.count) {
        (Some(counts), _) => counts.clone(),
        (None, Some(count)) if !differ => return of(count)?.place(choice, world, random),
        (None, count) => {
            // Turned differently, they are put in one template after the other.
            let mut counts = vec![0; templates.len()];
            for _ in 0..count.unwrap_or(0) {
                let drawn = choice.templates.draw(random);
                if let Some(at) = templates.iter().position(|&id| id == drawn) {
                    counts[at] += 1;
                }
            }
            counts
        }
    };
    let mut grown = world.clone();
    for (&template, &count) in templates.iter().zip(&counts) {
        let mut of_one = Choice { templates: Mix::new(&[(template, 1.0)])?, ..choice.clone() };
        if let placement::Orientation::Fixed(_) = of_one.orientation {
            of_one.orientation =
                placement::Orientation::Fixed(turned(Body::at(template, LabVec::zero())).orientation);
        }
        let bodies = of(count)?.place(&of_one, &grown, random)?;
        grown.bodies.extend(bodies);
    }
    Ok(grown.bodies.split_off(world.bodies.len()))
}

fn lattice_of(lattice: &keys::Lattice) -> Result<Lattice, PlacementError> {
    let sites = match (lattice.counts, lattice.spacing) {
        (Some([x, y, z]), _) => {
            let whole = |count: u64| {
                u32::try_from(count).map_err(|_| PlacementError::TooMany { wanted: count as f64 })
            };
            Sites::Counts([whole(x)?, whole(y)?, whole(z)?])
        }
        (None, spacing) => Sites::Spacing(LabVec::from_array(spacing.unwrap_or([1.0; 3]))),
    };
    Ok(Lattice { low: LabVec::from_array(lattice.low), high: LabVec::from_array(lattice.high), sites })
}

/// The sites of a lattice about its middle, x fastest.
fn positions(
    (counts, spacing): ([u32; 3], LabVec<f64>),
    middle: LabVec<f64>,
) -> impl Iterator<Item = LabVec<f64>> {
    let [nx, ny, nz] = counts;
    let indices = (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
    indices.map(move |index| {
        let from_middle = |axis: usize| f64::from(index[axis]) - 0.5 * (f64::from(counts[axis]) - 1.0);
        middle + spacing.times(LabVec::from_array([0, 1, 2].map(from_middle)))
    })
}

/// The orientation of principal axes that turns a shape this way from how it is drawn.
fn from_drawn(turn: Quat<f64>, template: TemplateId, world: &World) -> Quat<f64> {
    let frame = world.templates.get(usize::from(template.0)).map(|template| template.orientation());
    frame.map_or(turn, |frame| turn.then(frame).normalised())
}

/// The seed of a population or stream.
pub(super) fn seed(of_scene: u64, number: u64, kind: u64) -> u64 {
    Random::numbered(of_scene, 2 * number + kind).bits()
}
