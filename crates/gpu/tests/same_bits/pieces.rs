//! Worlds of pieces that are no spheres: capsules, ellipsoids, and both with spheres in one body.

use super::Failure;
use super::laws::{HOLD, tape};
use super::worlds::{Case, case, fill, mixed_of, settings, up, with_wall};
use tumble_dem::clump::{ClumpCapsule, ClumpEllipsoid, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::PairProperties;
use tumble_dem::wall::{Cylinder, Enclosure, Motion, Movement, Plane, Side};
use tumble_dem::{LabVec, MaterialId, Settings, Sharing, World};

fn template(name: &str, pieces: ClumpPieces<'_>) -> Result<ClumpTemplate, Failure> {
    Ok(ClumpTemplate::of(name, pieces, MassModel::Union)?)
}

// Pieces of a body touch each other.
const ROD: ClumpCapsule = ClumpCapsule::new([0.0; 3], [0.012, 0.0, 0.0], 0.007);
const OTHER_ROD: ClumpCapsule = ClumpCapsule::new([0.004, 0.013, 0.0], [0.02, 0.013, 0.0], 0.006);
const KNOB: ClumpSphere = ClumpSphere { centre: LabVec::from_array([0.025, 0.0, 0.0]), radius: 0.006 };

/// Rods, two rods side by side, and rods with a knob.
fn of_capsules() -> Result<World, Failure> {
    let capsules = |capsules, spheres| ClumpPieces { capsules, spheres, ..ClumpPieces::default() };
    mixed_of([
        template("rod", capsules(&[ROD], &[]))?,
        template("raft", capsules(&[ROD, OTHER_ROD], &[]))?,
        template("club", capsules(&[ROD], &[KNOB]))?,
    ])
}

/// Lentils, lemons with a ball at one end, and balls or rods.
fn of_ellipsoids(with_rods: bool) -> Result<World, Failure> {
    let lentil = [ClumpEllipsoid::new([0.015, 0.012, 0.006])];
    let lemon = [ClumpEllipsoid::new([0.011, 0.008, 0.009])];
    let tip = [ClumpSphere::new([0.016, 0.0, 0.0], 0.005)];
    let last = if with_rods {
        template("rod", ClumpPieces { capsules: &[ROD], ..ClumpPieces::default() })?
    } else {
        ClumpTemplate::sphere("ball", 0.01)?
    };
    mixed_of([
        template("lentil", ClumpPieces { ellipsoids: &lentil, ..ClumpPieces::default() })?,
        template("lemon", ClumpPieces { ellipsoids: &lemon, spheres: &tip, ..ClumpPieces::default() })?,
        last,
    ])
}

fn boxed(mut world: World, layers: u32) -> Result<World, Failure> {
    world.gravity = LabVec::new(0.0, 1.0, -9.81);
    let high = 0.06 + 0.046 * f64::from(layers);
    let room = Enclosure::new(LabVec::zero(), LabVec::new(0.2, 0.2, high))?;
    with_wall(&mut world, "box", room, Motion::fixed())?;
    fill(&mut world, [4, 4, layers], [0.03; 3]);
    Ok(world)
}

fn around(mut world: World) -> World {
    world.domain = Domain::periodic(LabVec::zero(), LabVec::new(0.2, 0.2, 0.2));
    fill(&mut world, [4, 4, 4], [0.02; 3]);
    world
}

/// A tube that turns, between a plate that turns with it and one that shakes.
fn in_drum(mut world: World) -> Result<World, Failure> {
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    let along = LabVec::new(1.0, 0.0, 0.0);
    let spin =
        Motion::new(vec![Movement::Spin { axis: along, pivot: LabVec::new(0.07, 0.1, 0.1), rate: 8.0 }])?;
    let shell = Cylinder::new(LabVec::new(0.0, 0.1, 0.1), along, 0.13, Side::Inside, None)?;
    with_wall(&mut world, "shell", shell, spin.clone())?;
    with_wall(&mut world, "one end", Plane::new(LabVec::new(-0.01, 0.0, 0.0), along)?, spin)?;
    let shaken = Movement::Vibration { amplitude: along * 1e-3, frequency: 200.0, phase: 0.3 };
    let other_end = Plane::new(LabVec::new(0.15, 0.0, 0.0), along * -1.0)?;
    with_wall(&mut world, "other end", other_end, Motion::new(vec![shaken])?)?;
    fill(&mut world, [3, 3, 3], [0.02, 0.05, 0.05]);
    Ok(world)
}

/// A law that acts beyond touch once there was one, and another between others.
fn taped(mut world: World) -> World {
    let held_by = |model: ContactModel, range: f64| {
        PairProperties::new(0.9, 0.3).with(&HOLD, range).with_rolling(0.05, 0.3).with_model(model)
    };
    let linear = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    world.materials.set_default(held_by(tape(), 1e-3));
    world.materials.set_pair(MaterialId(0), MaterialId(1), held_by(linear, 0.0));
    world.gravity = up() * -1.0;
    for body in &mut world.bodies {
        body.velocity = body.velocity * 0.15;
        body.angular_velocity = body.angular_velocity * 0.15;
    }
    world
}

pub(crate) fn capsules() -> Result<Vec<Case>, Failure> {
    let average = Settings { sharing: Sharing::Average, ..settings() };
    let soft = Settings::new(1e-4);
    Ok(vec![
        case("capsules in a box", boxed(of_capsules()?, 4)?, settings(), 500),
        case("capsules round and round", around(of_capsules()?), average, 500),
        case("capsules in a drum", in_drum(of_capsules()?)?, settings(), 400),
        case("capsules that hold on", taped(boxed(of_capsules()?, 3)?), soft, 250),
    ])
}

pub(crate) fn ellipsoids() -> Result<Vec<Case>, Failure> {
    let average = Settings { sharing: Sharing::Average, ..settings() };
    let soft = Settings::new(1e-4);
    Ok(vec![
        case("ellipsoids in a box", boxed(of_ellipsoids(false)?, 3)?, settings(), 500),
        case("ellipsoids round and round", around(of_ellipsoids(false)?), average, 400),
        case("ellipsoids and capsules in a drum", in_drum(of_ellipsoids(true)?)?, settings(), 400),
        case("ellipsoids and capsules round and round", around(of_ellipsoids(true)?), settings(), 250),
        case("ellipsoids that hold on", taped(boxed(of_ellipsoids(true)?, 3)?), soft, 250),
    ])
}
