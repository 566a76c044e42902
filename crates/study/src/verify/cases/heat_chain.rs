//! A chain of balls that touch. Between insulators a mode cos(πk(j + ½)/n) decays with the rate 4 sin²(πk/2n) H/mc; between two walls of known
//! temperatures, after a while, temperatures lie on a line, and the same heat flows everywhere.

use crate::verify::arrange::{add_sphere, settings, world};
use crate::verify::citations::CARSLAW_1959;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, order_of, relative_error, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::BATCHELOR_1977;
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat, WallTemperature};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, World};
use tumble_rotation::math::elementary::{exp, sin_cos};
use tumble_report::{Band, Finding, Outcome};

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Heat capacity
    capacity: 840.0, "J/(kg K)";
    /// Conductivity
    conductivity: 1.1, "W/(m K)";
    /// Overlap
    overlap: 1e-4, "m";
    /// Temperature of one wall
    hot: 500.0, "K";
    /// Temperature of the other, and of balls at first
    cold: 300.0, "K";
}

pub(super) const CASE: Case = Case {
    id: "heat-chain",
    title: "chains of balls conduct",
    group: Group::Heat,
    sources: &[BATCHELOR_1977, CARSLAW_1959],
    setup: "Eight balls in a row overlap, so soft that they stay where they are: first alone, in the second mode, then between two walls.",
    exact: "the mode decays as exp(−4 sin²(πk/2n) Ht/mc); between walls, the flow is their difference over the sum of all 1/H",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const BALLS: u32 = 8;
const MODE: u32 = 2;
/// Of the mode, K.
const HEIGHT: f64 = 10.0;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let between = 2.0 * theory.conductivity * (theory.overlap * 0.5 * theory.radius).sqrt();
    let at_wall = 2.0 * theory.conductivity * (theory.overlap * theory.radius).sqrt();
    let capacity = sphere_mass(theory.density, theory.radius) * theory.capacity;
    let n = f64::from(BALLS);
    let sine = sin_cos(0.5 * PI * f64::from(MODE) / n).0;
    let relaxes = capacity / (4.0 * sine * sine * between);

    let steps = [20_u32, 40, 80, 160];
    let decay = |steps: u32| {
        let mut engine = chain(simulation, relaxes / f64::from(steps), |ball| HEIGHT * shape(ball))?;
        engine.advance(steps.into())?;
        let all = temperatures(&engine);
        let left = (0..).zip(&all).map(|(ball, t)| (t - simulation.cold) * shape(ball)).sum::<f64>() * 2.0 / n;
        let rest = (0..).zip(&all).map(|(ball, t)| (t - simulation.cold - left * shape(ball)).abs());
        Ok::<_, Error>((left, largest(rest)))
    };
    let modes = steps.map(decay).into_iter().collect::<Result<Vec<_>, _>>()?;
    let exact = HEIGHT * exp(-1.0);
    let errors: Vec<f64> = modes.iter().map(|(left, _)| relative_error(*left, exact).abs()).collect();
    let extrapolated = 2.0 * modes[3].0 - modes[2].0;

    let mut engine = between_walls(simulation, 0.1 * capacity / between)?;
    engine.advance(20_000)?;
    let flow = (theory.hot - theory.cold) / (2.0 / at_wall + (n - 1.0) / between);
    let on_line = |(ball, t): (u32, &f64)| {
        (t - (theory.hot - flow * (1.0 / at_wall + f64::from(ball) / between))).abs()
    };
    let all = temperatures(&engine);
    let flows: Vec<f64> = engine.walls().iter().map(|wall| wall.heat.map_or(f64::NAN, |[flow, _]| flow)).collect();
    let rest = "what is left of the way there";
    Ok(Outcome {
        findings: vec![
            equals("what is left of the mode (K)", exact, extrapolated, 2e-4, "what the last two time steps extrapolate to"),
            at_most("what else there is (K)", modes[3].1, 1e-10, "modes do not mix but for rounding"),
            Finding::alone("order in Δt", order_of(&errors), Band::Between(0.95, 1.05), "Euler\'s rule"),
            equals("flow out of the hot wall (W)", flow, flows[0], 1e-9, rest),
            equals("flow into the cold wall (W)", flow, -flows[1], 1e-9, rest),
            at_most("temperatures beside the line (K)", largest((0..).zip(&all).map(on_line)), 1e-6, rest),
        ],
        ..Outcome::default()
    })
}

/// The mode at a ball.
fn shape(ball: u32) -> f64 {
    sin_cos(PI * f64::from(MODE) * (f64::from(ball) + 0.5) / f64::from(BALLS)).1
}

fn temperatures(engine: &Engine) -> Vec<f64> {
    engine.bodies().iter().map(|body| body.temperature.unwrap_or(f64::NAN)).collect()
}

/// A row of balls along x from where a wall at x = 0 would overlap the first, with what they are warmer than the cold wall.
fn row(setup: Setup, warmer: impl Fn(u32) -> f64) -> Result<World, Error> {
    let material = Material::new("glass", setup.density, 1e-20, 0.25);
    let material = material.with(&HEAT_CAPACITY, setup.capacity).with(&CONDUCTIVITY, setup.conductivity);
    let mut world = world(material, PairProperties::default());
    world.heat = Some(Heat::default());
    let sphere = add_sphere(&mut world, setup.radius)?;
    for ball in 0..BALLS {
        let x = setup.radius - setup.overlap + f64::from(ball) * (2.0 * setup.radius - setup.overlap);
        let body = Body::at(sphere, LabVec::new(x, 0.0, 0.0));
        world.add_body(body.at_temperature(setup.cold + warmer(ball)));
    }
    Ok(world)
}

fn chain(setup: Setup, dt: f64, warmer: impl Fn(u32) -> f64) -> Result<Engine, Error> {
    Ok(Engine::new(row(setup, warmer)?, settings(LawKind::HertzMindlin, dt))?)
}

fn between_walls(setup: Setup, dt: f64) -> Result<Engine, Error> {
    let mut world = row(setup, |_| 0.0)?;
    let length = f64::from(BALLS) * (2.0 * setup.radius - setup.overlap) - setup.overlap;
    for (name, x, normal, temperature) in [("hot", 0.0, 1.0, setup.hot), ("cold", length, -1.0, setup.cold)] {
        let plane = Plane::new(LabVec::new(x, 0.0, 0.0), LabVec::new(normal, 0.0, 0.0))?;
        let wall = Wall::new(name, plane, MaterialId(0), Motion::fixed())?;
        world.walls.push(wall.at_temperature(WallTemperature::fixed(temperature)?));
    }
    Ok(Engine::new(world, settings(LawKind::HertzMindlin, dt))?)
}
