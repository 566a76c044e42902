//! A body at rest is not shaken, whatever resists its turning.

use crate::verify::arrange::{Resting, X, Y, Z, add_sphere, damped_laws, world};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::{AI_2011, ZHOU_1999};
use tumble_dem::law::{ContactModel, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Engine, LabVec, MaterialId, Settings};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.005, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 1e4, "N/m";
    /// Restitution
    restitution: 0.5, "";
    /// Coefficient of friction
    friction: 0.5, "";
    /// Coefficient of rolling friction
    rolling_friction: 0.1, "";
    /// Rolling dashpot over the critical one
    rolling_damping: 0.3, "";
    /// Coefficient of friction of twisting
    twisting_friction: 3.0, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Slope that rolling friction holds a sphere on
    slope: 0.05, "rad";
    /// Speed at the start, rolling
    speed: 0.05, "m/s";
    /// Time step
    dt: 2e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "at-rest",
    title: "what has come to rest stays at rest",
    group: Group::Friction,
    sources: &[ZHOU_1999, AI_2011],
    setup: "A sphere rolls to rest on a slope that rolling friction holds it on, with every rolling and twisting resistance and \
            law with a dashpot; a heap of 60 spheres settles in a box with the constant torque. Then another 0.2 s pass.",
    exact: "nothing moves, and no energy is lost that is not there",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    for law in damped_laws() {
        for &rolling in RollingKind::ALL.iter().filter(|kind| **kind != RollingKind::None) {
            for &twisting in TwistingKind::ALL {
                let contact = ContactModel { law, rolling, twisting };
                let mut engine = slope(simulation, contact)?;
                let first = engine.ledger().kinetic();
                engine.advance(40_000)?;
                let (lost, moved) = unrest(&mut engine, 10_000)?;
                let named = format!("{}, {}, {}", law.name(), short(rolling.name()), short(twisting.name()));
                let reason = "rounding";
                outcome.findings.push(at_most(
                    format!("{named}: lost, of ½mv²"),
                    lost.abs() / first,
                    1e-11,
                    reason,
                ));
                outcome.findings.push(at_most(
                    format!("{named}: moved, of R"),
                    moved / theory.radius,
                    1e-9,
                    reason,
                ));
            }
        }
    }
    let mut engine = heap(simulation)?;
    let first = engine.ledger().mechanical();
    engine.advance(100_000)?;
    let (lost, moved) = unrest(&mut engine, 10_000)?;
    let reason = "the last trembling dies away, as 0.2 s more would show";
    outcome.findings.push(at_most("heap: lost in 0.2 s, of what it had", lost.abs() / first, 1e-11, reason));
    outcome.findings.push(at_most(
        "heap: farthest any sphere moved, of R",
        moved / theory.radius,
        1e-6,
        reason,
    ));
    Ok(outcome)
}

/// A name that leaves room for others.
fn short(name: &str) -> &str {
    match name {
        "constant-torque" => "torque",
        "elastic-plastic" => "spring",
        other => other,
    }
}

fn properties(setup: Setup) -> PairProperties {
    PairProperties::new(setup.restitution, setup.friction)
        .with_rolling(setup.rolling_friction, setup.rolling_damping)
        .with_twisting(setup.twisting_friction)
}

fn slope(setup: Setup, contact: ContactModel) -> Result<Engine, Error> {
    let Setup { radius, density, young, poisson, stiffness, gravity, slope, speed, dt, .. } = setup;
    let properties = properties(setup);
    let resting = Resting { radius, density, young, poisson, stiffness, gravity, slope, properties };
    resting.engine(contact, dt, |body| body.moving(X * speed).spinning(Y * (speed / radius)))
}

fn heap(setup: Setup) -> Result<Engine, Error> {
    let Setup { radius, density, young, poisson, stiffness, gravity, dt, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, properties(setup));
    let sphere = add_sphere(&mut world, radius)?;
    let (low, high) = (LabVec::zero(), LabVec::new(8.0, 8.0, 20.0) * radius);
    world.walls.push(Wall::new("box", Enclosure::new(low, high)?, MaterialId(0), Motion::fixed())?);
    world.gravity = Z * -gravity;
    world.bodies = random_cloud(&world.templates, &[sphere; 60], low, high, 1e-4, &mut Random::new(4))?;
    let contact = ContactModel { rolling: RollingKind::ConstantTorque, ..ContactModel::default() };
    Ok(Engine::new(world, Settings { contact, ..Settings::new(dt) })?)
}

/// What is lost in so many steps, and how far any body moves.
fn unrest(engine: &mut Engine, steps: u64) -> Result<(f64, f64), Error> {
    let (before, places) = (engine.ledger().lost(), engine.bodies());
    engine.advance(steps)?;
    let bodies = engine.bodies();
    let moved = bodies.iter().zip(&places).map(|(now, then)| (now.position - then.position).norm());
    Ok((engine.ledger().lost() - before, largest(moved)))
}
