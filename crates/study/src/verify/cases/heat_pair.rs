//! Two balls of different temperatures that touch: ΔT = ΔT₀ exp(−2Ht/mc), for both ways of conduction. Euler's rule has order 1.

use crate::verify::arrange::{add_sphere, settings, world};
use crate::verify::citations::CARSLAW_1959;
use crate::verify::setup::setup;
use crate::verify::theory::{equals, order_of, relative_error, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::{BATCHELOR_1977, VARGAS_2001};
use tumble_dem::heat::{CONDUCTIVITY, CONTACT_CONDUCTANCE, Conduction, HEAT_CAPACITY, Heat};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec};
use tumble_rotation::math::elementary::exp;
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
    /// Conductance per area
    per_area: 1e4, "W/(m² K)";
    /// Overlap
    overlap: 1e-4, "m";
    /// Temperature of one
    cold: 300.0, "K";
    /// Temperature of the other
    warm: 400.0, "K";
}

pub(super) const CASE: Case = Case {
    id: "heat-pair",
    title: "two balls that touch become alike",
    group: Group::Heat,
    sources: &[BATCHELOR_1977, VARGAS_2001, CARSLAW_1959],
    setup: "Two balls of one material overlap, so soft that they stay where they are. Steps are from 1/40 to 1/320 of the time of relaxation mc/2H.",
    exact: "the difference falls as exp(−2Ht/mc) with H = 2ka or H = hπa², a = √(δR*), and the mean stays",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Steps in a time of relaxation.
const STEPS: [u32; 4] = [40, 80, 160, 320];

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let contact = (theory.overlap * 0.5 * theory.radius).sqrt();
    let ways = [
        (Conduction::Radius, 2.0 * theory.conductivity * contact),
        (Conduction::Area, theory.per_area * PI * contact * contact),
    ];
    for (way, conductance) in ways {
        let what = |text: &str| format!("{}: {text}", way.name());
        let capacity = sphere_mass(theory.density, theory.radius) * theory.capacity;
        let relaxes = capacity / (2.0 * conductance);
        let left = |steps: u32| temperatures(simulation, way, relaxes / f64::from(steps), steps);
        let runs = STEPS.map(left).into_iter().collect::<Result<Vec<_>, _>>()?;
        let exact = (theory.warm - theory.cold) * exp(-1.0);
        let errors: Vec<f64> = runs.iter().map(|[a, b]| relative_error(b - a, exact).abs()).collect();
        let [a, b] = runs[STEPS.len() - 1];
        // Two steps of half the length have half the error.
        let [c, d] = runs[STEPS.len() - 2];
        let extrapolated = 2.0 * (b - a) - (d - c);
        outcome.findings.extend([
            equals(what("difference after mc/2H (K)"), exact, extrapolated, 2e-5, "what the last two time steps extrapolate to"),
            Finding::alone(what("order in Δt"), order_of(&errors), Band::Between(0.95, 1.05), "Euler\'s rule"),
            equals(what("mean (K)"), 0.5 * (theory.cold + theory.warm), 0.5 * (a + b), 1e-14, "rounding"),
        ]);
    }
    Ok(outcome)
}

/// How warm both are after so many steps.
fn temperatures(setup: Setup, conduction: Conduction, dt: f64, steps: u32) -> Result<[f64; 2], Error> {
    // So that nothing moves while heat flows.
    let material = Material::new("glass", setup.density, 1e-20, 0.25);
    let material = material.with(&HEAT_CAPACITY, setup.capacity).with(&CONDUCTIVITY, setup.conductivity);
    let mut world =
        world(material, PairProperties::default().with(&CONTACT_CONDUCTANCE, setup.per_area));
    world.heat = Some(Heat { conduction, ..Heat::default() });
    let ball = add_sphere(&mut world, setup.radius)?;
    world.add_body(Body::at(ball, LabVec::zero()).at_temperature(setup.cold));
    let other = LabVec::new(2.0 * setup.radius - setup.overlap, 0.0, 0.0);
    world.add_body(Body::at(ball, other).at_temperature(setup.warm));
    let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, dt))?;
    engine.advance(steps.into())?;
    let bodies = engine.bodies();
    Ok([0, 1].map(|ball: usize| bodies[ball].temperature.unwrap_or(f64::NAN)))
}
