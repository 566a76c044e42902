//! Elastic collisions keep their energy however the steps fall on first touch.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, pushing_laws, settings, through_contact, world};
use crate::verify::citations::HAIRER_2006;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, MaterialId};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 48e9, "Pa";
    /// Poisson's ratio
    poisson: 0.2, "";
    /// Normal stiffness in the linear law
    stiffness: 1e7, "N/m";
    /// Restitution
    restitution: 1.0, "";
    /// Speed
    speed: 1.0, "m/s";
    /// What gravity adds to the speed in the time of a collision, over the speed
    gravity: 0.05, "";
}

pub(super) const CASE: Case = Case {
    id: "elastic-phase",
    title: "elastic collisions do not feel how the steps fall",
    group: Group::Impact,
    sources: &[HAIRER_2006],
    setup: "A sphere bounces off a plane, free and under gravity, with 20 to 80 steps in the contact and first touch at 16 \
            phases between two steps. Every law, without dashpots.",
    exact: "the energy of before; a leapfrog that samples the force at whole steps leaves 6e-5 (hertz) to 5e-4 (linear) of it \
            at 50 steps, of random sign",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 16;

fn compute(_: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for law in pushing_laws() {
        for (gravity, where_it_is) in [(0.0, "free"), (simulation.gravity, "under gravity")] {
            let mut curve = Vec::new();
            for steps in [20, 30, 50, 80] {
                let changes: Result<Vec<f64>, Error> = (0..PHASES)
                    .map(|phase| {
                        change(simulation, law, gravity, steps.into(), f64::from(phase) / f64::from(PHASES))
                    })
                    .collect();
                let worst = largest(changes?);
                curve.push((steps.into(), worst));
                if steps == 50 {
                    let what = format!("{}, {where_it_is}, 50 steps: worst change", law.name());
                    let reason = "what the corrected first and last kick leave; of the energy";
                    outcome.findings.push(at_most(what, worst, 5e-6, reason));
                }
            }
            series.push(Series::new(format!("{}, {where_it_is}", law.name()), curve, Mark::LinePoints));
        }
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::log("steps in the contact"),
        y: Axis::log("worst relative change of the energy"),
        series,
    };
    let figure = Figure { title: "energy after an elastic collision".into(), panels: vec![panel] };
    outcome.figures.push(("elastic-phase".into(), figure));
    Ok(outcome)
}

/// The relative change of the energy in a collision whose first touch is at this phase.
fn change(setup: Setup, law: LawKind, gravity: f64, steps: f64, phase: f64) -> Result<f64, Error> {
    let Setup { radius, density, young, poisson, stiffness, restitution, speed, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, PairProperties::new(restitution, 0.0));
    let sphere = add_sphere(&mut world, radius)?;
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    let mass = sphere_mass(density, radius);
    let duration = contact_time(&world.materials, law, (radius, mass), speed)?;
    // Not a whole number of steps, or beginning and end would fall on the same phase.
    let dt = duration / (steps + 0.37);
    let pull = gravity * speed / duration;
    world.gravity = Z * -pull;
    world.add_body(Body::at(sphere, Z * (radius + speed * dt * (1.0 + phase))).moving(Z * -speed));
    let mut engine = Engine::new(world, settings(law, dt))?;
    // From the height of first touch.
    let energy = |engine: &Engine| engine.ledger().mechanical() - mass * pull * radius;
    let before = energy(&engine);
    through_contact(&mut engine)?;
    Ok((energy(&engine) / before - 1.0).abs())
}
