//! An aluminium sphere that falls on a rigid plane: Chung & Ooi 2011, test 2.

use super::hertz_impact::{HERTZIAN, figure, findings};
use crate::verify::arrange::{Collision, Z, add_floor, add_sphere, collide, first, settings, world};
use crate::verify::citations::{CHUNG_2011, JOHNSON_1985};
use crate::verify::setup::setup;
use crate::verify::theory::{Hertz, against_rigid, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::HERTZ_1882;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.1, "m";
    /// Density
    density: 2699.0, "kg/m³";
    /// Young's modulus of the sphere; the plane is rigid
    young: 70e9, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Speed
    speed: 0.2, "m/s";
    /// Time steps in a contact
    steps: 1000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "hertz-plane",
    title: "an aluminium sphere hits a rigid plane",
    group: Group::Impact,
    sources: &[CHUNG_2011, HERTZ_1882, JOHNSON_1985],
    setup: "An elastic sphere flies straight at a plane that does not give way, without gravity. A wall has no mass \
            and no curvature of its own, so that the effective mass and radius are those of the sphere.",
    exact: "as for two spheres, with m* = m, R* = R and E* = E/(1 − ν²)",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = Hertz {
        modulus: against_rigid(theory.young, theory.poisson),
        radius: theory.radius,
        mass: sphere_mass(theory.density, theory.radius),
        speed: theory.speed,
    };
    let mut outcome = Outcome::default();
    let mut courses = Vec::new();
    for law in HERTZIAN {
        let (collision, rebound) = simulate(simulation, law, exact.duration() / simulation.steps)?;
        outcome.findings.extend(findings(law, &exact, &collision, rebound / theory.speed));
        courses.push((law, collision));
    }
    outcome.figures.push(("hertz-plane".into(), figure("aluminium on a rigid plane", &exact, &courses)));
    Ok(outcome)
}

fn simulate(setup: Setup, law: LawKind, dt: f64) -> Result<(Collision, f64), Error> {
    let Setup { radius, density, young, poisson, speed, .. } = setup;
    let mut world = world(Material::new("aluminium", density, young, poisson), PairProperties::default());
    let rigid = world.materials.add(Material::new("rigid", 1.0, f64::INFINITY, poisson))?;
    let sphere = add_sphere(&mut world, radius)?;
    add_floor(&mut world, rigid, Motion::fixed())?;
    world.add_body(Body::at(sphere, Z * (radius + 0.4 * speed * dt)).moving(Z * -speed));
    let mut engine = Engine::new(world, settings(law, dt))?;
    let collision = collide(&mut engine, |b| radius - b[0].position.z)?;
    engine.advance(2)?;
    Ok((collision, first(&engine).velocity.z))
}
