//! A periodic end is nowhere: a collision across a corner of the domain is one in its middle.

use crate::angle_between;
use crate::verify::arrange::{add_clump, add_sphere, damped_laws, world};
use crate::verify::citations::ALLEN_2017;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::shapes;
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, BodyState, Engine, LabVec, Settings};
use tumble_report::Outcome;

setup! {
    /// Length of the domain along each axis
    length: 0.2, "m";
    /// Radius of the ball; the rods are a little thinner
    radius: 0.005, "m";
    /// Density
    density: 1200.0, "kg/m³";
    /// Young's modulus
    young: 5e6, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Normal stiffness in the linear law
    stiffness: 2e3, "N/m";
    /// Restitution
    restitution: 0.7, "";
    /// Friction, of sliding and of twisting
    friction: 0.4, "";
    /// Common velocity, which carries them across the ends
    drift: 1.0, "m/s";
    /// Time step
    dt: 1e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "periodic-shift",
    title: "a collision across a corner of a periodic domain",
    group: Group::Invariance,
    sources: &[ALLEN_2017],
    setup: "Two rods and a ball collide off-centre, spinning and drifting together, once in the middle of a periodic domain \
            and once each across a face, an edge and a corner, so that bodies are brought back to the other side in the \
            midst of contacts.",
    exact: "the motion is the same, shifted",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PLACES: [(&str, [f64; 3]); 3] =
    [("a face", [0.5, 0.0, 0.0]), ("an edge", [0.5, 0.5, 0.0]), ("a corner", [0.5, 0.5, 0.5])];

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let domain = Domain::periodic(LabVec::zero(), LabVec::new(1.0, 1.0, 1.0) * theory.length);
    let mut outcome = Outcome::default();
    for law in damped_laws() {
        let inside = run(theory, law, LabVec::zero())?;
        for (name, shift) in PLACES {
            let shift = LabVec::from_array(shift) * theory.length;
            let across = run(simulation, law, shift)?;
            let off = inside.iter().zip(&across).map(|(a, b)| {
                let place = domain.nearest(a.position + shift, b.position).norm() / theory.radius;
                let velocity = (a.velocity - b.velocity).norm() / theory.drift;
                let turn = angle_between(a.orientation, b.orientation);
                let spin = (a.angular_velocity - b.angular_velocity).norm() * theory.radius / theory.drift;
                largest([place, velocity, turn, spin])
            });
            outcome.findings.push(at_most(
                format!("{}, across {name}: worst difference", law.name()),
                largest(off),
                1e-10,
                "rounding of shifted positions, amplified in the contacts",
            ));
        }
    }
    Ok(outcome)
}

/// The bodies at fifty instants.
fn run(setup: Setup, law: LawKind, shift: LabVec<f64>) -> Result<Vec<BodyState>, Error> {
    let material =
        Material::new("rubber", setup.density, setup.young, setup.poisson).with_stiffness(setup.stiffness);
    let properties = PairProperties::new(setup.restitution, setup.friction)
        .with_rolling(0.05, 0.2)
        .with_twisting(setup.friction);
    let mut world = world(material, properties);
    let corner = LabVec::new(1.0, 1.0, 1.0) * setup.length;
    world.domain = Domain::periodic(LabVec::zero(), corner);
    let r = setup.radius;
    let ball = add_sphere(&mut world, r)?;
    let rod = add_clump(&mut world, &shapes::rod(3, 0.8 * r, 1.2 * r))?;
    let middle = world.domain.wrap(corner * 0.5 + shift);
    let drift = LabVec::new(0.7, -0.8, 0.9) * setup.drift;
    let v = LabVec::new;
    for (template, place, velocity, spin) in [
        (rod, v(-1.9, 0.2, 0.2), v(0.5, 0.0, 0.0), v(40.0, 60.0, -30.0)),
        (rod, v(1.9, -0.3, 0.1), v(-0.5, 0.2, 0.0), v(-80.0, 30.0, 40.0)),
        (ball, v(0.3, 1.6, 0.0), v(0.0, -0.5, 0.1), v(300.0, 0.0, 100.0)),
    ] {
        let place = world.domain.wrap(middle + place * r);
        world.add_body(Body::at(template, place).moving(velocity + drift).spinning(spin));
    }
    let contact =
        ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic };
    let settings = Settings { contact, skin: Some(1e-5), max_overlap: 20.0, ..Settings::new(setup.dt) };
    let mut engine = Engine::new(world, settings)?;
    let mut states = Vec::new();
    for _ in 0..50 {
        engine.advance(10)?;
        states.extend(engine.bodies());
    }
    Ok(states)
}
