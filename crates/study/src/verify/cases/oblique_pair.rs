//! Two spinning spheres that collide, equal and not: after Chung & Ooi 2011, tests 7 and 8.

use crate::verify::arrange::{Y, Z, add_sphere, contact_time, settings, through_contact, world};
use crate::verify::citations::{CHUNG_2011, FOERSTER_1994};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, BodyState, Engine};
use tumble_report::Outcome;

setup! {
    /// Radius of the first sphere
    radius: 0.1, "m";
    /// Radius of the second, larger sphere
    larger: 0.25, "m";
    /// Density
    density: 2700.0, "kg/m³";
    /// Young's modulus
    young: 70e9, "Pa";
    /// Poisson's ratio
    poisson: 0.33, "";
    /// Normal restitution
    restitution: 0.5, "";
    /// Coefficient of friction
    friction: 0.4, "";
    /// Speed of each sphere
    speed: 0.2, "m/s";
    /// Spin of each sphere
    spin: 24.0, "rad/s";
    /// Time steps in an elastic contact
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-pair",
    title: "two spinning spheres collide, of equal and of different size",
    group: Group::Impact,
    sources: &[CHUNG_2011, FOERSTER_1994],
    setup: "Two spheres fly straight at each other and spin the same way about axes across, so that their surfaces rub. \
            Size ratio and spin are our choice, such that they slide to the end.",
    exact: "with J = m*(1 + e)·2vₙ each sphere gets the velocity μJ/m across and loses 5μJ/2mR of its spin; momentum \
            and angular momentum stay",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let sizes = [("equal", theory.radius, simulation.radius), ("larger", theory.larger, simulation.larger)];
    for (name, exact_size, size) in sizes {
        let after = collide(simulation, size)?;
        let masses = [theory.radius, exact_size].map(|radius| sphere_mass(theory.density, radius));
        let effective = masses[0] * masses[1] / (masses[0] + masses[1]);
        let rub = theory.friction * effective * (1.0 + theory.restitution) * 2.0 * theory.speed;
        let reason = "400 steps in a contact leave some 10⁻⁴ of the restitution";
        for (place, radius) in [(0, theory.radius), (1, exact_size)] {
            let sign = if place == 0 { 1.0 } else { -1.0 };
            let mass = masses[place];
            let what = |text: &str| format!("{name}, sphere {}: {text}", place + 1);
            let (ours, spin) = (after[place].velocity.x, after[place].angular_velocity.y);
            let exact = theory.spin - 2.5 * rub / (mass * radius);
            outcome.findings.push(equals(
                what("velocity across (m/s)"),
                sign * rub / mass,
                ours,
                1e-3,
                reason,
            ));
            outcome.findings.push(equals(what("spin (rad/s)"), exact, spin, 1e-3, reason));
        }
        let momentum = after.iter().map(|body| body.velocity.x * body.mass).sum::<f64>();
        outcome.findings.push(at_most(
            format!("{name}: momentum across, over μJ"),
            (momentum / rub).abs(),
            1e-12,
            "forces on the two are opposite: nothing but rounding",
        ));
    }
    Ok(outcome)
}

/// The first sphere comes from above.
fn collide(setup: Setup, size: f64) -> Result<Vec<BodyState>, Error> {
    let Setup { radius, density, young, poisson, restitution, friction, speed, spin, steps, .. } = setup;
    let properties = PairProperties::new(restitution, friction);
    let mut world = world(Material::new("aluminium", density, young, poisson), properties);
    let masses = [radius, size].map(|radius| sphere_mass(density, radius));
    let effective = (radius * size / (radius + size), masses[0] * masses[1] / (masses[0] + masses[1]));
    let dt = contact_time(&world.materials, LawKind::HertzMindlin, effective, 2.0 * speed)? / steps;
    for (radius, side) in [(radius, 1.0), (size, -1.0)] {
        let sphere = add_sphere(&mut world, radius)?;
        let place = Z * (side * (radius + 0.3 * speed * dt));
        world.add_body(Body::at(sphere, place).moving(Z * (-side * speed)).spinning(Y * spin));
    }
    let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, dt))?;
    through_contact(&mut engine)?;
    Ok(engine.bodies())
}
