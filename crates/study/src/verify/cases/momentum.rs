//! An isolated cluster keeps its momentum and its angular momentum, whatever happens in its contacts.

use crate::verify::arrange::{Z, add_clump, add_sphere, damped_laws, lopsided, spin_momentum, world};
use crate::verify::citations::HAIRER_2006;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::shapes;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::{BodyState, Engine, LabVec, SchemeKind, Settings, World};
use tumble_report::{Band, Cell, Finding, Outcome, Table};
use tumble_rotation::citations::CELLEDONI_2008;

setup! {
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 2e4, "N/m";
    /// Restitution
    restitution: 0.6, "";
    /// Friction, of sliding and of twisting
    friction: 0.4, "";
    /// Gravity, of which there is none
    gravity: 0.0, "m/s²";
    /// Speed towards the middle over the distance from it
    inwards: 30.0, "1/s";
    /// Time step
    dt: 1e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "momentum",
    title: "an isolated cluster keeps momentum and angular momentum",
    group: Group::Invariance,
    sources: &[HAIRER_2006, CELLEDONI_2008],
    setup: "Eight clumps and spheres fly at each other and collide for 25 ms with friction, dashpots, rolling and twisting \
            resistance, rotating by kick–rotate–kick, which conserves angular momentum. Both are looked at all the time; then \
            the same with every other rotation scheme.",
    exact: "forces in a contact are opposite and act at one point, couples are opposite: neither momentum changes, if the scheme \
            gives the spin the impulse of the torque",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.simulation)),
};

fn compute(setup: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    for law in damped_laws() {
        let Drift { momentum, angular_momentum, contacts, .. } =
            run(setup, law, SchemeKind::KickRotateKick, 1)?;
        let reason = "nothing but the rounding of sums";
        let what = |text: &str| format!("{}: {text}", law.name());
        outcome.findings.extend([
            at_most(what("momentum: worst change, over Σ|mv|"), momentum, 1e-13, reason),
            at_most(what("angular momentum: worst change"), angular_momentum, 1e-12, reason),
            Finding::alone(
                what("instants with a contact, of 250"),
                contacts,
                Band::AtLeast(50.0),
                "without collisions there would be nothing to see",
            ),
        ]);
    }
    let (table, findings) = schemes(setup)?;
    outcome.findings.extend(findings);
    outcome.tables.push(("momentum-schemes".into(), table));
    Ok(outcome)
}

/// The same cluster with every scheme that the engine takes.
///
/// In a contact a scheme that is not kick–drift–kick has spins of another instant than the velocities, by half a step of
/// torque; so what counts is the angular momentum whenever nothing touches.
fn schemes(setup: Setup) -> Result<(Table, Vec<Finding>), Error> {
    let mut table = Table::new(
        "Angular momentum: worst change when nothing touches, by rotation scheme",
        &["scheme", "time_level", "keeps_momentum", "change", "change_at_half_the_step"],
    );
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for &scheme in SchemeKind::ALL.iter().filter(|scheme| scheme.info().torque_times.len() == 1) {
        let info = scheme.info();
        let change = run(setup, LawKind::HertzMindlin, scheme, 1)?.apart;
        let finer = run(setup, LawKind::HertzMindlin, scheme, 2)?.apart;
        if info.conserves.momentum { &mut kept } else { &mut lost }.push(change);
        table.rows.push(vec![
            info.name.into(),
            info.time_level.name().into(),
            if info.conserves.momentum { "yes" } else { "no" }.into(),
            Cell::Number(change),
            Cell::Number(finer),
        ]);
    }
    let smallest = -largest(lost.into_iter().map(core::ops::Neg::neg));
    let findings = vec![
        at_most(
            "schemes that keep angular momentum: worst change",
            largest(kept),
            1e-12,
            "nothing but the rounding of sums",
        ),
        Finding::alone(
            "the other schemes: smallest change",
            smallest,
            Band::AtLeast(1e-10),
            "their spins get another impulse than the torque's; it shrinks with the step",
        ),
    ];
    Ok((table, findings))
}

/// The largest changes at any instant, relative to the sums of sizes at the start.
struct Drift {
    momentum: f64,
    angular_momentum: f64,
    /// Of the angular momentum when nothing touches.
    apart: f64,
    contacts: f64,
}

/// With time steps `finer` times finer.
fn run(setup: Setup, law: LawKind, rotation: SchemeKind, finer: u32) -> Result<Drift, Error> {
    let contact =
        ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic };
    let mut engine = Engine::new(
        cluster(setup)?,
        Settings { contact, rotation: rotation.into(), ..Settings::new(setup.dt / f64::from(finer)) },
    )?;
    let start = Momenta::of(&engine.bodies());
    let mut drift = Drift { momentum: 0.0, angular_momentum: 0.0, apart: 0.0, contacts: 0.0 };
    for _ in 0..250 {
        engine.advance(10 * u64::from(finer))?;
        let now = Momenta::of(&engine.bodies());
        drift.momentum = largest([drift.momentum, (now.linear - start.linear).norm() / start.linear_size]);
        let change = (now.angular - start.angular).norm() / start.angular_size;
        drift.angular_momentum = largest([drift.angular_momentum, change]);
        if engine.contact_count() > 0 {
            drift.contacts += 1.0;
        } else {
            drift.apart = largest([drift.apart, change]);
        }
    }
    Ok(drift)
}

/// Momentum and angular momentum about the origin, and the sums of their sizes.
struct Momenta {
    linear: LabVec<f64>,
    angular: LabVec<f64>,
    linear_size: f64,
    angular_size: f64,
}

impl Momenta {
    fn of(bodies: &[BodyState]) -> Self {
        let mut sum =
            Self { linear: LabVec::zero(), angular: LabVec::zero(), linear_size: 0.0, angular_size: 0.0 };
        for body in bodies {
            let linear = body.velocity * body.mass;
            let (orbit, spin) = (body.position.cross(linear), spin_momentum(body));
            sum.linear = sum.linear + linear;
            sum.angular = sum.angular + orbit + spin;
            sum.linear_size += linear.norm();
            sum.angular_size += orbit.norm() + spin.norm();
        }
        sum
    }
}

fn cluster(setup: Setup) -> Result<World, Error> {
    let material =
        Material::new("m", setup.density, setup.young, setup.poisson).with_stiffness(setup.stiffness);
    let properties = PairProperties::new(setup.restitution, setup.friction)
        .with_rolling(0.1, 0.3)
        .with_twisting(setup.friction);
    let mut world = world(material, properties);
    world.gravity = Z * -setup.gravity;
    let templates = [
        add_clump(&mut world, &lopsided())?,
        add_clump(&mut world, &shapes::rod(3, 0.006, 0.009))?,
        add_sphere(&mut world, 0.008)?,
    ];
    let which = [0, 1, 2, 0, 1, 2, 0, 0].map(|template: usize| templates[template]);
    let corner = LabVec::new(0.04, 0.04, 0.04);
    let mut random = Random::new(11);
    for body in random_cloud(&world.templates, &which, -corner, corner, 0.05, &mut random)? {
        let velocity = body.position * -setup.inwards + random.direction() * 0.3;
        world.add_body(body.moving(velocity).spinning(random.direction() * 40.0));
    }
    Ok(world)
}
