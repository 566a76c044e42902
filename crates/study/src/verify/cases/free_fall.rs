//! A ball that falls: what it is, and where it was published.

use crate::verify::arrange::{Z, add_sphere, first, world};
use crate::verify::citations::LANDAU_1976;
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec, Settings};
use tumble_report::Outcome;

setup! {
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Time step
    dt: 1e-3, "s";
}

pub(super) const CASE: Case = Case {
    id: "free-fall",
    title: "a ball falls for a second",
    group: Group::Invariance,
    sources: &[LANDAU_1976],
    setup: "A sphere is released at rest under gravity.",
    exact: "it has fallen by gt²/2",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const STEPS: u32 = 1000;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let duration = theory.dt * f64::from(STEPS);
    let exact = 0.5 * theory.gravity * duration * duration;
    let ours = fall(simulation)?;
    let reason = "leapfrog is exact where the force is constant";
    Ok(Outcome { findings: vec![equals("depth (m)", exact, ours, 1e-12, reason)], ..Outcome::default() })
}

fn fall(setup: Setup) -> Result<f64, Error> {
    let mut world = world(Material::new("glass", 2500.0, 1e8, 0.25), PairProperties::default());
    world.gravity = Z * -setup.gravity;
    let ball = add_sphere(&mut world, 0.01)?;
    world.add_body(Body::at(ball, LabVec::zero()));
    let mut engine = Engine::new(world, Settings::new(setup.dt))?;
    engine.advance(STEPS.into())?;
    Ok(-first(&engine).position.z)
}
