//! What a sticking contact leaves in its tangential spring when it ends: the swing of a linear spring, cut off.

use crate::verify::arrange::{Z, add_floor, add_sphere, settings, through_contact, world};
use crate::verify::citations::STRONGE_2000;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::STIFFNESS_RATIO;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, Ledger, MaterialId};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 0.008, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Normal stiffness
    stiffness: 1e4, "N/m";
    /// Coefficient of friction, so high that nothing slides even in the last step
    friction: 1e6, "";
    /// Speed towards the wall
    speed: 0.5, "m/s";
    /// Speed along it
    along: 0.5, "m/s";
    /// Time steps in the contact
    steps: 1000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "spring-release",
    title: "a loaded spring lets go when a contact ends",
    group: Group::Impact,
    sources: &[STRONGE_2000],
    setup: "An elastic sphere hits a plane obliquely and sticks, with the linear law and tangential stiffnesses from a \
            tenth of the normal one to as much.",
    exact: "the point of contact swings with the mass 2m/7 on its spring for the time of the contact, π√(m/kₙ), so that \
            m vₜ²/7 · sin²(π√(7kₜ/2kₙ)) is left in the spring; the ledger has it as `separation`",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mass = sphere_mass(theory.density, theory.radius);
    let kinetic = 0.5 * mass * (theory.speed * theory.speed + theory.along * theory.along);
    let left = |ratio: f64| {
        mass * theory.along * theory.along / 7.0 * (PI * (3.5 * ratio).sqrt()).sin().powi(2) / kinetic
    };
    let (mut points, mut open) = (Vec::new(), Vec::new());
    let reason = "1000 steps; the instant at which the spring lets go falls between two of them";
    for ratio in [0.1, 0.2, 0.5, 0.8, 1.0] {
        let (before, after) = throw(simulation, ratio)?;
        let found = after.separation / kinetic;
        open.push((after.balance() - before.balance()).abs() / kinetic);
        outcome.findings.push(equals(
            format!("kₜ/kₙ = {ratio}: left, over ½mv²"),
            left(ratio),
            found,
            0.02,
            reason,
        ));
        points.push((ratio, found));
    }
    outcome.findings.push(at_most("worst gap in the books, over ½mv²", largest(open), 1e-3, reason));
    let exact = (1..=200).map(|i| 0.005 * f64::from(i)).map(|ratio| (ratio, left(ratio))).collect();
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("tangential over normal stiffness"),
        y: Axis::linear("left in the spring, over ½mv²"),
        series: vec![
            Series::new("exact", exact, Mark::Line),
            Series::new("ledger: separation", points, Mark::LinePoints),
        ],
    };
    let figure = Figure { title: "what a spring keeps".into(), panels: vec![panel] };
    outcome.figures.push(("spring-release".into(), figure));
    Ok(outcome)
}

/// The books before and after the collision.
fn throw(setup: Setup, ratio: f64) -> Result<(Ledger, Ledger), Error> {
    let Setup { radius, density, stiffness, friction, speed, along, steps } = setup;
    let material =
        Material::new("m", density, 1e7, 0.25).with_stiffness(stiffness).with(&STIFFNESS_RATIO, ratio);
    let properties = PairProperties::new(1.0, friction);
    let mut world = world(material, properties);
    let sphere = add_sphere(&mut world, radius)?;
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    let dt = PI * (sphere_mass(density, radius) / stiffness).sqrt() / steps;
    let velocity = LabVec::new(along, 0.0, -speed);
    world.add_body(Body::at(sphere, Z * (radius + 0.4 * speed * dt)).moving(velocity));
    let mut engine = Engine::new(world, settings(LawKind::Linear, dt))?;
    let before = engine.ledger();
    through_contact(&mut engine)?;
    Ok((before, engine.ledger()))
}
