//! A collision warms the two balls by what it takes of their motion: ½m*V²(1 − e²), by halves.

use crate::verify::arrange::{add_sphere, settings, through_contact, world};
use crate::verify::citations::CARSLAW_1959;
use crate::verify::setup::setup;
use crate::verify::theory::{equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::TSUJI_1992;
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Restitution
    restitution: 0.6, "";
    /// Heat capacity
    capacity: 840.0, "J/(kg K)";
    /// Speed of one towards the other
    speed: 2.0, "m/s";
    /// Time step
    dt: 2e-7, "s";
}

pub(super) const CASE: Case = Case {
    id: "heat-bounce",
    title: "a collision warms two balls",
    group: Group::Heat,
    sources: &[TSUJI_1992, CARSLAW_1959],
    setup: "A ball hits another one of its kind at rest, head on; both are as warm as each other.",
    exact: "½m*V²(1 − e²) is heat, by halves; it is what the ledger has for losses, to rounding",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// K.
const BEGUN: f64 = 300.0;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut engine = engine(simulation)?;
    let before = engine.ledger().kinetic();
    through_contact(&mut engine)?;
    let ledger = engine.ledger();
    let heat = ledger.heat.unwrap_or_default();
    let mass = sphere_mass(theory.density, theory.radius);
    let (e, v) = (theory.restitution, theory.speed);
    let lost = 0.25 * mass * v * v * (1.0 - e * e);
    let bodies = engine.bodies();
    let warmer = |ball: usize| bodies[ball].temperature.map_or(f64::NAN, |t| t - BEGUN);
    let steps = "the steps in a collision";
    let each = 0.5 * lost / (mass * theory.capacity);
    Ok(Outcome {
        findings: vec![
            equals("heat of both (J)", lost, heat.thermal, 2e-3, steps),
            equals("heat of both, by what the ledger has lost (J)", ledger.lost(), heat.thermal, 1e-13, "rounding"),
            equals("heat of both, by kinetic energy (J)", before - ledger.kinetic(), heat.thermal, 1e-4, steps),
            equals("warmer, the first (K)", each, warmer(0), 2e-3, steps),
            equals("warmer, the second (K)", each, warmer(1), 2e-3, steps),
        ],
        ..Outcome::default()
    })
}

fn engine(setup: Setup) -> Result<Engine, Error> {
    let material = Material::new("glass", setup.density, setup.young, 0.25);
    let material = material.with(&HEAT_CAPACITY, setup.capacity).with(&CONDUCTIVITY, 1.0);
    let mut world = world(material, PairProperties::new(setup.restitution, 0.0));
    world.heat = Some(Heat::default());
    let ball = add_sphere(&mut world, setup.radius)?;
    let moving = LabVec::new(setup.speed, 0.0, 0.0);
    world.add_body(Body::at(ball, LabVec::zero()).moving(moving).at_temperature(BEGUN));
    let other = LabVec::new(2.01 * setup.radius, 0.0, 0.0);
    world.add_body(Body::at(ball, other).at_temperature(BEGUN));
    Ok(Engine::new(world, settings(LawKind::HertzMindlin, setup.dt))?)
}
