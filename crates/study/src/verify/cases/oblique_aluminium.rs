//! An aluminium sphere of 5 mm at 40°: one oblique impact to four digits, as a first test for a new code.

use crate::verify::arrange::Throw;
use crate::verify::citations::{CHUNG_2011, KHARAZ_2001};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use tumble_dem::LabVec;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.0025, "m";
    /// Density
    density: 2700.0, "kg/m³";
    /// Young's modulus
    young: 70e9, "Pa";
    /// Poisson's ratio
    poisson: 0.33, "";
    /// Normal restitution
    restitution: 0.98, "";
    /// Coefficient of friction
    friction: 0.092, "";
    /// Velocity along the wall
    along: 2.5069, "m/s";
    /// Velocity towards the wall
    towards: 2.9876, "m/s";
    /// Time steps in an elastic contact
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-aluminium",
    title: "an aluminium sphere of 5 mm hits a wall at 40°",
    group: Group::Impact,
    sources: &[CHUNG_2011, KHARAZ_2001],
    setup: "As oblique-sliding, with the other material of the test, at one angle and a speed of 3.9 m/s.",
    exact: "it slides to the end: v′ = v − μ(1 + e)vₙ = 1.963 m/s along the wall, ω′ = 5μ(1 + e)vₙ/2R = 544.2 rad/s, \
            e vₙ = 2.928 m/s off it",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let Setup { radius, density, young, poisson, restitution, friction, along, towards, steps } = simulation;
    let throw = Throw {
        material: Material::new("aluminium", density, young, poisson),
        properties: PairProperties::new(restitution, friction),
        law: LawKind::HertzMindlin,
        radius,
        velocity: LabVec::new(along, 0.0, -towards),
        spin: LabVec::zero(),
        steps,
    };
    let after = throw.rebound()?;
    let lost = theory.friction * (1.0 + theory.restitution) * theory.towards;
    let reason = "400 steps in a contact leave some 10⁻⁶ of friction and restitution; band twentyfold";
    let findings = vec![
        equals("velocity along the wall (m/s)", theory.along - lost, after.velocity.x, 1e-4, reason),
        equals("spin (rad/s)", 2.5 * lost / theory.radius, after.angular_velocity.y, 1e-4, reason),
        equals(
            "velocity off the wall (m/s)",
            theory.restitution * theory.towards,
            after.velocity.z,
            1e-4,
            reason,
        ),
    ];
    Ok(Outcome { findings, ..Outcome::default() })
}
