//! A packing of spheres as rock is made of, and what joins them: after section 2.3 of Potyondy & Cundall 2004.

use crate::papers::{Bench, Error};
use core::f64::consts::PI;
use tumble_dem::advice::LimitKind;
use tumble_dem::bond::{Bond, BondKind, ParallelBond};
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::field::Drag;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::placement::{Amount, Choice, NearPair, Packing, Region, Scale, near_pairs};
use tumble_dem::property::STIFFNESS_RATIO;
use tumble_dem::random::Random;
use tumble_dem::wall::{Freedom, Motion, Plane, Timing, Wall};
use tumble_dem::{Body, BodyId, Engine, LabVec, MaterialId, Settings, World};

/// Grains and cement of Lac du Bonnet granite in three dimensions, as published.
pub(super) const DENSITY: f64 = 2630.0;
pub(super) const YOUNG: f64 = 72e9;
pub(super) const RATIO: f64 = 2.5;
pub(super) const FRICTION: f64 = 0.5;
pub(super) const STRENGTH: f64 = 175e6;
pub(super) const DEVIATION: f64 = 40e6;
pub(super) const SIZE_RATIO: f64 = 1.66;

/// The pressure at which grains are pressed together, and the one at which they are cemented, Pa.
const PRESSED_AT: f64 = 20e6;
const CEMENTED_AT: f64 = 1e6;
/// How fast walls come together at the most, m/s.
const CLOSING: f64 = 10.0;
/// How long they are pressed together, how long the pressure takes to fall, and how long it is until they are cemented, in times of a wave through a grain.
const PRESSING: f64 = 800.0;
const FALLING: f64 = 300.0;
const RESTING: f64 = 1000.0;
/// How fast free motion fades meanwhile, 1/s.
const FADING: f64 = 2e4;
/// The solid fraction at which packing begins, and one near to which it ends.
const LOOSE: f64 = 0.57;
const DENSE: f64 = 0.64;
/// A material for each class of sizes; the last one is that of walls.
const CLASSES: u16 = 10;
const WALL: MaterialId = MaterialId(CLASSES);
/// Restitution in contacts.
const RESTITUTION: f64 = 0.5;
/// The part of the limit that steps have; dashpots need some of the rest.
const STEP: f64 = 0.6;
/// Steps between two looks.
pub(super) const LOOK: u64 = 50;

/// Grains as they lie between six walls, the lower ones of which go through the origin.
pub(super) struct Packed {
    pub(super) places: Vec<LabVec<f64>>,
    pub(super) radii: Vec<f64>,
    /// Where the upper walls are, m.
    pub(super) sides: [f64; 3],
}

/// The law of all contacts.
pub(super) fn settings(dt: f64) -> Settings {
    let contact = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    Settings { contact, ..Settings::new(dt) }
}

/// Of a mean diameter, m.
fn smallest_radius(diameter: f64) -> f64 {
    diameter / (1.0 + SIZE_RATIO)
}

/// A contact of two grains has the stiffness of their springs kₙ = 4ER in series; a class of sizes has that of its middle.
fn materials(diameter: f64, friction: f64) -> Result<Materials, Error> {
    let mut materials = Materials::default();
    for class in 0..CLASSES {
        let part = (f64::from(class) + 0.5) / f64::from(CLASSES);
        let radius = smallest_radius(diameter) * (1.0 + (SIZE_RATIO - 1.0) * part);
        let grain = Material::of_density(format!("grain {class}"), DENSITY)
            .with_stiffness(2.0 * YOUNG * radius)
            .with(&STIFFNESS_RATIO, 1.0 / RATIO);
        materials.add(grain)?;
    }
    let wall = Material::of_density("wall", DENSITY).with_stiffness(f64::INFINITY);
    materials.add(wall)?;
    materials.set_default(PairProperties::new(RESTITUTION, friction));
    for class in 0..CLASSES {
        materials.set_pair(MaterialId(class), WALL, PairProperties::new(RESTITUTION, 0.0));
    }
    Ok(materials)
}

fn material_of(radius: f64, diameter: f64) -> MaterialId {
    let part = (radius / smallest_radius(diameter) - 1.0) / (SIZE_RATIO - 1.0);
    let class = (0..CLASSES - 1).find(|&class| part < f64::from(class + 1) / f64::from(CLASSES));
    MaterialId(class.unwrap_or(CLASSES - 1))
}

/// A world with such grains and nothing else.
pub(super) fn world(
    places: &[LabVec<f64>],
    radii: &[f64],
    diameter: f64,
    friction: f64,
) -> Result<World, Error> {
    let mut world = World { materials: materials(diameter, friction)?, ..World::default() };
    let grain = world.add_template(ClumpTemplate::sphere("grain", 0.5 * diameter)?)?;
    for (&place, &radius) in places.iter().zip(radii) {
        let body = Body::at(grain, place).scaled(radius / (0.5 * diameter));
        world.add_body(body.made_of(material_of(radius, diameter)));
    }
    Ok(world)
}

/// A plane wall.
pub(super) fn wall(
    world: &mut World,
    name: &str,
    point: LabVec<f64>,
    normal: LabVec<f64>,
    motion: Motion,
) -> Result<(), Error> {
    let plane = Plane::new(point, normal)?;
    world.walls.push(Wall::new(name, plane, WALL, motion)?);
    Ok(())
}

pub(super) const AXES: [LabVec<f64>; 3] =
    [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 1.0, 0.0), LabVec::new(0.0, 0.0, 1.0)];

/// Packs grains without friction between walls of which three hold a pressure, until they are at rest.
pub(super) fn pack(bench: &Bench<'_>, sides: [f64; 3], diameter: f64, seed: u64) -> Result<Packed, Error> {
    let room = (DENSE / LOOSE).cbrt();
    let begun = sides.map(|side| side * room);
    let mut world = world(&[], &[], diameter, 0.0)?;
    let least = smallest_radius(diameter) / (0.5 * diameter);
    let choice = Choice {
        scale: Scale::Uniform { low: least, high: SIZE_RATIO * least },
        ..Choice::of(tumble_dem::TemplateId(0))
    };
    let packing = Packing {
        region: Region::Box { low: LabVec::zero(), high: LabVec::from_array(begun) },
        amount: Amount::Fraction(LOOSE),
        gap: 1e-6,
    };
    let placed = packing.place(&choice, &world, &mut Random::new(seed));
    world.bodies = placed?;
    for body in &mut world.bodies {
        body.material = material_of(0.5 * diameter * body.scale, diameter);
    }
    // How long a wave takes through a grain.
    let unit = diameter * (DENSITY / YOUNG).sqrt();
    let way = begun.iter().zip(sides).fold(0.0_f64, |way, (from, to)| way.max(from - to));
    let until = 1.5 * way / CLOSING + PRESSING * unit;
    let low = CEMENTED_AT / PRESSED_AT;
    let falling = Timing::table(&[[0.0, 1.0], [until, 1.0], [until + FALLING * unit, low]])?;
    let mass: f64 = DENSITY * LOOSE * begun.iter().product::<f64>();
    for axis in 0..3 {
        let area = sides[(axis + 1) % 3] * sides[(axis + 2) % 3];
        let normal = AXES[axis];
        wall(&mut world, &format!("low {axis}"), LabVec::zero(), normal, Motion::fixed())?;
        // A fifth of the grains' mass.
        let lid = Freedom::sliding(normal * -1.0, 0.2 * mass)
            .and_then(|lid| lid.weightless().driven(PRESSED_AT * area, falling.clone()))
            .and_then(|lid| lid.damped(PRESSED_AT * area / CLOSING))?;
        wall(&mut world, &format!("high {axis}"), normal * begun[axis], normal * -1.0, Motion::free(lid))?;
    }
    world.drag = Some(slowing(diameter, FADING));
    let mut engine = engine(world)?;
    run(bench, &mut engine, until)?;
    run(bench, &mut engine, until + RESTING * unit)?;
    let bodies = engine.bodies();
    let moved = engine.walls();
    Ok(Packed {
        places: bodies.iter().map(|body| body.position).collect(),
        radii: bodies.iter().map(|body| 0.5 * diameter * body.scale).collect(),
        sides: [0, 1, 2].map(|axis| begun[axis] - moved[2 * axis + 1].moved),
    })
}

/// A fluid in which the free motion of the mean grain fades at a rate, 1/s.
pub(super) fn slowing(diameter: f64, rate: f64) -> Drag {
    let radius = 0.5 * diameter;
    let mass = DENSITY * 4.0 / 3.0 * PI * radius * radius * radius;
    Drag::linear(mass * rate / (6.0 * PI * radius))
}

/// With a step that bonds and contacts bear side by side, also once a grain has as many of these as it may get.
pub(super) fn engine(world: World) -> Result<Engine, Error> {
    let advice = Engine::new(world.clone(), settings(1e-12))?.advise();
    let rate = |kind| advice.limit(kind).map_or(0.0, |limit| limit.seconds.powi(-2));
    let scale = world.bodies.iter().map(|body| body.scale).fold(f64::INFINITY, f64::min);
    let radius = scale * world.templates[0].spheres()[0].radius;
    let mass = DENSITY * 4.0 / 3.0 * PI * radius * radius * radius;
    // ω²/4 of the smallest grain in ten contacts: a third of each is along any axis, and two fifths of the rest across it.
    let crowded = 3.0 * 2.0 * YOUNG * radius / mass;
    let sum = rate(LimitKind::Bonds) + rate(LimitKind::PresentContacts).max(crowded);
    Ok(Engine::new(world, settings(STEP / sum.sqrt()))?)
}

/// For a while, unless somebody asks to stop.
fn run(bench: &Bench<'_>, engine: &mut Engine, time: f64) -> Result<(), Error> {
    while engine.time() < time {
        if !bench.goes_on() {
            return Err(Error::Interrupted);
        }
        engine.advance(LOOK)?;
    }
    Ok(())
}

/// Grains that touch, and grains that almost do: how far apart they are at most, by their mean diameter.
pub(super) const TOUCHING: f64 = 1e-6;
pub(super) const NEAR: f64 = 0.01;

/// Cements all grains that are so near to each other, with strengths that are normally distributed, and drops those that are not joined to most others.
pub(super) fn cement(world: &mut World, gap: f64, damping: f64, seed: u64) {
    let mut random = Random::numbered(seed, 1);
    let joined = largest_cluster(world.bodies.len(), &near_pairs(world, gap));
    let mut kept = joined.iter();
    world.bodies.retain(|_| kept.next().copied().unwrap_or_default());
    let pairs = near_pairs(world, gap);
    world.bonds = pairs
        .iter()
        .map(|pair| {
            let [first, second] = pair.radii;
            let length = first + second + pair.gap;
            let disc = ParallelBond::of_modulus(YOUNG, RATIO, length, first.min(second));
            let mut strength = || loop {
                let strength = STRENGTH + DEVIATION * random.normal();
                if strength > 0.0 {
                    break strength;
                }
            };
            let (tension, shear) = (strength(), strength());
            Bond {
                bodies: pair.bodies,
                arms: pair.arms,
                kind: BondKind::Parallel { at: first / (first + second) },
                stiffness: disc.stiffness(),
                damping,
                limits: disc.limits(tension, shear),
                contact: true,
            }
        })
        .collect();
}

/// Which grains are in the largest group of those that pairs join.
fn largest_cluster(grains: usize, pairs: &[NearPair]) -> Vec<bool> {
    let mut group: Vec<usize> = (0..grains).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for [a, b] in pairs.iter().map(|pair| pair.bodies.map(BodyId::index)) {
            let least = group[a].min(group[b]);
            changed |= group[a] != least || group[b] != least;
            (group[a], group[b]) = (least, least);
        }
    }
    let mut sizes = vec![0_usize; grains];
    for &of in &group {
        sizes[of] += 1;
    }
    let largest = (0..grains).max_by_key(|&of| sizes[of]).unwrap_or(0);
    group.into_iter().map(|of| of == largest).collect()
}
