//! A stack of cubes and a wall of bricks stand.
//!
//! A cube that lies on another one like it, edge above edge, touches it at each corner twice, since either cube has a corner there that lies on the core of the other one, and
//! once along each edge: twelve times, as deep everywhere, and each time as two spheres of the rounding r do, R* = r/2. With the weight W above a joint
//! Hertz gives W = 12 · 4/3 E* √(r/2) δ^{3/2}. On the floor four corners carry, R* = r. The top of the stack is lower by the sum of all δ.

use crate::verify::arrange::{Z, add_floor, settings, world};
use crate::verify::setup::setup;
use crate::verify::theory::{against_rigid, at_most, equals, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::HERTZ_1882;
use tumble_dem::clump::{ClumpHull, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId, World};
use tumble_report::Outcome;
use tumble_rotation::math::elementary::cbrt;

setup! {
    /// Side of the cubes, and height and depth of the bricks
    side: 0.01, "m";
    /// Length of the bricks
    length: 0.024, "m";
    /// Rounding
    rounding: 0.001, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Restitution
    restitution: 0.1, "";
    /// Coefficient of friction
    friction: 0.5, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Time step
    dt: 1e-5, "s";
    /// Steps in which they come to rest
    steps: 30000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "standing-bricks",
    title: "a stack of cubes and a wall of bricks stand",
    group: Group::Shape,
    sources: &[HERTZ_1882],
    setup: "Ten cubes with round edges on each other, and a stepped wall of five courses of bricks, each half a brick beside the one below, are put down just so that they touch.",
    exact: "the top of the stack is lower by the sum of Hertz's overlaps, twelve contacts to a joint and four on the floor; then nothing moves",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Cubes in the stack.
const HEIGHT: u32 = 10;

/// Courses of the wall, and bricks of the lowest one; each course has one less than the one below.
const COURSES: u32 = 5;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut stack = stack(simulation)?;
    let start = top(&stack);
    let moved = unrest(&mut stack, simulation)?;
    outcome.findings.push(equals(
        "how much lower the top of the stack is (m)",
        sunk(theory)?,
        start - top(&stack),
        1e-5,
        "contacts are where they are, not at the corners",
    ));
    let reason = "rounding, and what is left of trembling";
    outcome.findings.push(at_most("stack: speed of creep (m/s)", moved, 1e-12, reason));
    let mut wall = wall(simulation)?;
    let moved = unrest(&mut wall, simulation)?;
    outcome.findings.push(at_most("wall: speed of creep (m/s)", moved, 1e-12, reason));
    Ok(outcome)
}

fn top(engine: &Engine) -> f64 {
    largest(engine.bodies().iter().map(|body| body.position.z))
}

fn cuboid(setup: Setup, length: f64) -> Result<ClumpTemplate, Error> {
    let hulls = &[ClumpHull::cuboid([length, setup.side, setup.side], setup.rounding)];
    Ok(ClumpTemplate::of("brick", ClumpPieces { hulls, ..ClumpPieces::default() }, MassModel::Union)?)
}

/// The sum of the overlaps, m.
fn sunk(setup: Setup) -> Result<f64, Error> {
    let Setup { rounding, young, poisson, gravity, density, .. } = setup;
    let weight = cuboid(setup, setup.side)?.mass(density, 1.0) * gravity;
    let rigid = against_rigid(young, poisson);
    let overlap = |force: f64, modulus: f64, radius: f64| {
        let root = cbrt(force / (4.0 / 3.0 * modulus * radius.sqrt()));
        root * root
    };
    // The floor is of the same material.
    let floor = overlap(weight * f64::from(HEIGHT) / 4.0, 0.5 * rigid, rounding);
    let joints = (1..HEIGHT).map(|above| overlap(weight * f64::from(above) / 12.0, 0.5 * rigid, 0.5 * rounding));
    Ok(floor + joints.sum::<f64>())
}

fn on_a_floor(setup: Setup) -> Result<World, Error> {
    let material = Material::new("m", setup.density, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(setup.restitution, setup.friction));
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    world.gravity = Z * -setup.gravity;
    Ok(world)
}

fn stack(setup: Setup) -> Result<Engine, Error> {
    let mut world = on_a_floor(setup)?;
    let cube = world.add_template(cuboid(setup, setup.side)?)?;
    for level in 0..HEIGHT {
        world.add_body(Body::at(cube, Z * (setup.side * (f64::from(level) + 0.5))));
    }
    Ok(Engine::new(world, settings(LawKind::HertzMindlin, setup.dt))?)
}

fn wall(setup: Setup) -> Result<Engine, Error> {
    let mut world = on_a_floor(setup)?;
    let Setup { side, length, .. } = setup;
    let brick = world.add_template(cuboid(setup, length)?)?;
    for course in 0..COURSES {
        for number in 0..COURSES - course {
            // Joints between neighbours are open by a hair.
            let x = 1.01 * length * (f64::from(number) + 0.5 * f64::from(course));
            let place = LabVec::new(x, 0.0, side * (f64::from(course) + 0.5));
            world.add_body(Body::at(brick, place));
        }
    }
    Ok(Engine::new(world, settings(LawKind::HertzMindlin, setup.dt))?)
}

/// Lets bodies come to rest: how fast the one that moves farthest does in another third of the time, m/s.
fn unrest(engine: &mut Engine, setup: Setup) -> Result<f64, Error> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of the setup")]
    let steps = setup.steps as u64;
    engine.advance(steps)?;
    let before = engine.bodies();
    engine.advance(steps / 3)?;
    let after = engine.bodies();
    let moved = before.iter().zip(&after).map(|(then, now)| (now.position - then.position).norm());
    Ok(largest(moved) / (setup.dt * setup.steps / 3.0))
}
