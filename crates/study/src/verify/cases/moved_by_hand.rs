//! Bodies that are moved by hand: what acts on them is what acts where they are now.

use crate::verify::arrange::{X, Y, Z, add_floor, add_sphere, first, pushing_laws, settings, world};
use crate::verify::citations::HAIRER_2006;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Change, Engine, LabVec, MaterialId};
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
    /// Coefficient of friction
    friction: 0.3, "";
    /// Overlap from which a sphere is taken away, and into which it is put
    overlap: 1e-4, "m";
    /// Gravity
    gravity: 0.0, "m/s²";
    /// Time step
    dt: 5e-6, "s";
}

pub(super) const CASE: Case = Case {
    id: "moved-by-hand",
    title: "a body that is moved by hand begins anew",
    group: Group::Invariance,
    sources: &[HAIRER_2006],
    setup: "A sphere that is pressed into a plane is taken out of the collision and put at rest somewhere else; and one is put into a \
            collision, moving and spinning, in an engine and at the start of another.",
    exact: "the first one stays where it was put, without any force; the second one moves as if it had begun there",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.simulation)),
};

fn compute(simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    for law in pushing_laws() {
        let (force, moved) = taken_out(simulation, law)?;
        let what = |text: &str| format!("{}: {text}", law.name());
        let reason = "nothing acts on it";
        outcome.findings.push(at_most(what("taken out: force over the one before"), force, 1e-15, reason));
        outcome.findings.push(at_most(what("taken out: moved in 1000 steps, of R"), moved, 1e-15, reason));
        let reason = "rounding";
        outcome.findings.push(at_most(
            what("put in: worst difference, of R and v"),
            put_in(simulation, law)?,
            1e-9,
            reason,
        ));
    }
    Ok(outcome)
}

/// A sphere at this height, moving down.
fn engine(setup: Setup, law: LawKind, height: f64, set: impl FnOnce(Body) -> Body) -> Result<Engine, Error> {
    let Setup { radius, density, young, poisson, stiffness, friction, gravity, dt, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, PairProperties::new(0.7, friction));
    let sphere = add_sphere(&mut world, radius)?;
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    world.gravity = Z * -gravity;
    world.add_body(set(Body::at(sphere, Z * height)));
    Ok(Engine::new(world, settings(law, dt))?)
}

/// The force after over the one before, and how far the sphere went from where it was put, over its radius.
fn taken_out(setup: Setup, law: LawKind) -> Result<(f64, f64), Error> {
    let mut engine = engine(setup, law, setup.radius - setup.overlap, |body| body.moving(Z * -0.1))?;
    engine.advance(10)?;
    let before = first(&engine);
    let put = X * 0.1 + Z * (3.0 * setup.radius);
    let velocity = Some(LabVec::zero());
    engine.change_bodies(&[Change { position: Some(put), velocity, ..Change::of(before.id) }])?;
    let after = first(&engine).force.norm() / before.force.norm();
    engine.advance(1000)?;
    Ok((after, (first(&engine).position - put).norm() / setup.radius))
}

/// The largest difference of place and velocity between a sphere put into a collision and one that began there.
fn put_in(setup: Setup, law: LawKind) -> Result<f64, Error> {
    let (velocity, spin) = (X * 0.2 - Z * 0.1, Y * 30.0);
    let place = setup.radius - setup.overlap;
    let mut begun = engine(setup, law, place, |body| body.moving(velocity).spinning(spin))?;
    let mut put = engine(setup, law, 2.0 * setup.radius, |body| body)?;
    let change = Change {
        position: Some(Z * place),
        velocity: Some(velocity),
        angular_velocity: Some(spin),
        ..Change::of(first(&put).id)
    };
    put.change_bodies(&[change])?;
    let mut differences = Vec::new();
    for _ in 0..40 {
        begun.advance(20)?;
        put.advance(20)?;
        let (a, b) = (first(&begun), first(&put));
        differences.push((a.position - b.position).norm() / setup.radius);
        differences.push((a.velocity - b.velocity).norm() / velocity.norm());
        differences.push((a.angular_velocity - b.angular_velocity).norm() / spin.norm());
    }
    Ok(largest(differences))
}
