//! The books of energy close to second order in the time step, with everything in them that a contact can do.

use crate::verify::arrange::{X, Z, add_clump, add_floor, add_sphere, damped_laws, lopsided, world};
use crate::verify::citations::HAIRER_2006;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest, order_of};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::THORNTON_2013;
use tumble_dem::field::Drag;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{Body, Engine, LabVec, MaterialId, Quat, Settings, World};
use tumble_report::{Axis, Band, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 4e6, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 1e4, "N/m";
    /// Restitution
    restitution: 0.5, "";
    /// Friction, of sliding and of twisting
    friction: 0.2, "";
    /// Coefficient of rolling friction
    rolling_friction: 0.05, "";
    /// Rolling dashpot over the critical one
    rolling_damping: 0.3, "";
    /// Time that is integrated
    duration: 1e-3, "s";
    /// Time steps in it, and twice, four and eight times as many
    steps: 32.0, "";
}

pub(super) const CASE: Case = Case {
    id: "energy-ledger",
    title: "the books of energy close to second order",
    group: Group::Invariance,
    sources: &[HAIRER_2006, THORNTON_2013],
    setup: "A clump is pressed into a shaking floor and a sphere into the clump, turning and sliding in a fluid under \
            gravity, with dashpots, friction, rolling and twisting resistance: contacts have begun and none ends soon.",
    exact: "mechanical energy with all losses and without all work does not change; the error of the integration is of \
            second order",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.simulation)),
};

fn compute(setup: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for law in damped_laws() {
        let mut errors = Vec::new();
        for times in [1.0, 2.0, 4.0, 8.0] {
            let dt = setup.duration / (times * setup.steps);
            errors.push((dt, imbalance(setup, law, dt)?));
        }
        let order = order_of(&errors.iter().map(|error| error.1).collect::<Vec<_>>());
        outcome.findings.extend([
            at_most(
                format!("{}: change of the balance, over the energy", law.name()),
                errors[3].1,
                4e-6,
                "second order, with room for a factor of two",
            ),
            Finding::alone(
                format!("{}: order of that change", law.name()),
                order,
                Band::Between(1.7, 2.6),
                "two, or more where errors of several entries cancel",
            ),
        ]);
        series.push(Series::new(law.name(), errors, Mark::LinePoints));
    }
    let slope = |(dt, error): (f64, f64)| {
        (0..4).map(move |i| dt * 0.5_f64.powi(i)).map(move |x| (x, error * (x / dt).powi(2)))
    };
    if let Some(top) = series.first().and_then(|first| first.points.first().copied()) {
        series.push(Series::new("order 2", slope(top).collect(), Mark::Guide));
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::log("Δt (s)"),
        y: Axis::log("change of the balance over the energy"),
        series,
    };
    let figure = Figure { title: "how well the books close".into(), panels: vec![panel] };
    outcome.figures.push(("energy-ledger".into(), figure));
    Ok(outcome)
}

/// The largest change of the balance at eight instants of a run, over the energy that moves about.
fn imbalance(setup: Setup, law: LawKind, dt: f64) -> Result<f64, Error> {
    let contact =
        ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic };
    let mut engine = Engine::new(machine(setup)?, Settings { contact, ..Settings::new(dt) })?;
    let start = engine.ledger();
    let scale = start.kinetic() + start.elastic_normal;
    let mut changes = Vec::new();
    for eighth in 1..=8 {
        while engine.time() + 0.5 * dt < setup.duration * f64::from(eighth) / 8.0 {
            engine.advance(1)?;
        }
        changes.push(((engine.ledger().balance() - start.balance()) / scale).abs());
    }
    Ok(largest(changes))
}

fn machine(setup: Setup) -> Result<World, Error> {
    let material =
        Material::new("m", setup.density, setup.young, setup.poisson).with_stiffness(setup.stiffness);
    let properties = PairProperties::new(setup.restitution, setup.friction)
        .with_rolling(setup.rolling_friction, setup.rolling_damping)
        .with_twisting(setup.friction);
    let mut world = world(material, properties);
    world.gravity = Z * -9.81;
    world.drag = Some(Drag { flow: X * 0.2, ..Drag::quadratic(1000.0, 0.4) });
    let (clump, sphere) = (add_clump(&mut world, &lopsided())?, add_sphere(&mut world, 0.008)?);
    let amplitude = LabVec::new(1e-4, 0.0, 3e-4);
    let shaking = Movement::Vibration { amplitude, frequency: 80.0, phase: 0.3 };
    add_floor(&mut world, MaterialId(0), Motion::new(vec![shaking])?)?;

    let q = Quat::from_rotation_vector(LabVec::new(0.3, -0.5, 0.2));
    let spheres = world.templates[0].spheres().iter().map(|s| (q.to_lab(s.centre), s.radius));
    let placed: Vec<(LabVec<f64>, f64)> = spheres.collect();
    let depth = largest(placed.iter().map(|(centre, radius)| radius - centre.z));
    let spin = LabVec::new(20.0, -30.0, 25.0);
    let place = Z * (depth - 1e-3);
    world.add_body(Body::at(clump, place).turned(q).moving(LabVec::new(0.4, 0.1, -0.2)).spinning(spin));
    let top = placed.iter().copied().max_by(|a, b| (a.0.z + a.1).total_cmp(&(b.0.z + b.1)));
    let (centre, radius) = top.unwrap_or((LabVec::zero(), 0.0));
    let above = place + centre + LabVec::new(0.36, 0.48, 0.8) * (radius + 0.008 - 8e-4);
    world.add_body(Body::at(sphere, above).moving(LabVec::new(-0.2, 0.1, -0.4)).spinning(spin * -0.5));
    Ok(world)
}
