//! What single precision costs: the same runs in both precisions, against exact values and against each other.

use crate::angle_between;
use crate::verify::arrange::{
    Z, add_floor, add_sphere, body_spin, contact_time, damped_laws, first, free_body_with, settings, spin_momentum,
    through_contact, world,
};
use crate::verify::citations::{DEMMEL_2015, VAN_ZON_2007};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest, relative_error, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::{ContactModel, LawKind, RollingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Body, BodyVec, Engine, LabVec, MaterialId, Precision, Quat, SchemeKind, Settings};
use tumble_report::{Cell, Outcome, Table};
use tumble_rotation::reference::FreeBody;
use tumble_rotation::{Inertia as _, PrincipalInertia, Spin};

setup! {
    /// Smallest moment of inertia of the free body
    smallest: 1.0, "kg m²";
    /// Middle moment of inertia
    middle: 2.0, "kg m²";
    /// Largest moment of inertia
    largest: 3.0, "kg m²";
    /// Spin about the first axis
    first: 0.3, "rad/s";
    /// Spin about the middle axis
    second: 1.0, "rad/s";
    /// Spin about the last axis
    third: 0.5, "rad/s";
    /// Time step of the free body
    turn: 0.01, "s";
    /// Radius of the spheres
    radius: 0.005, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 1e4, "N/m";
    /// Restitution
    restitution: 0.6, "";
    /// Coefficient of friction
    friction: 0.5, "";
    /// Speed of collisions
    speed: 1.0, "m/s";
    /// Steps in a collision
    steps: 1000.0, "";
    /// How far from the origin collisions are tried again
    far: 1000.0, "m";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Time step of the heap
    dt: 2e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "single-precision",
    title: "what single precision costs",
    group: Group::Invariance,
    sources: &[VAN_ZON_2007, DEMMEL_2015],
    setup: "In both precisions: a free body turns for 100 s with five rotation schemes; spheres hit a wall, at the origin and a \
            kilometre from it, with every law with a dashpot; one falls for a second; a heap of 60 settles in a box.",
    exact: "the free body by Jacobi's elliptic functions, with its energy and angular momentum; the restitution asked for; ½gt²; the heap of \
            double precision",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Of every kind: leapfrogs, kick and rotation, splittings, implicit.
const SCHEMES: [SchemeKind; 5] = [
    SchemeKind::MagnusLeapfrog,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::KickRotateKick,
    SchemeKind::NoSquish,
    SchemeKind::LieMidpoint,
];

const BOTH: [Precision; 2] = [Precision::Double, Precision::Single];

/// Something measured in both precisions, and how large it may be in single precision.
struct Row {
    what: String,
    measured: [f64; 2],
    bound: f64,
    reason: &'static str,
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut rows = free_rotation(theory, simulation)?;
    rows.extend(collisions(theory, simulation)?);
    rows.extend(fall(theory, simulation)?);
    rows.extend(heap(theory, simulation)?);
    let mut table = Table::new("Errors", &["what", "double", "single"]);
    let mut findings = Vec::new();
    for Row { what, measured, bound, reason } in rows {
        let [double, single] = measured.map(Cell::Number);
        table.rows.push(vec![what.as_str().into(), double, single]);
        findings.push(at_most(what, measured[1], bound, reason));
    }
    Ok(Outcome { findings, tables: vec![("single-precision".into(), table)], ..Outcome::default() })
}

fn free_rotation(theory: Setup, simulation: Setup) -> Result<Vec<Row>, Error> {
    let moments = |setup: &Setup| [setup.smallest, setup.middle, setup.largest];
    let omega = |setup: &Setup| BodyVec::new(setup.first, setup.second, setup.third);
    let inertia = PrincipalInertia::new(moments(&theory))?;
    let exact = FreeBody::new(inertia, Spin { q: Quat::identity(), omega: omega(&theory) })?;
    let (energy, momentum) = (inertia.energy(omega(&theory)), inertia.momentum(omega(&theory)));
    let momentum = LabVec::from_array(momentum.to_array());
    let mut rows = Vec::new();
    for scheme in SCHEMES {
        let mut errors = Vec::new();
        for precision in BOTH {
            let settings =
                Settings { rotation: scheme.into(), precision, ..Settings::new(simulation.turn) };
            let mut engine = free_body_with(moments(&simulation), omega(&simulation), settings)?;
            let (mut angles, mut energies, mut momenta) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..100 {
                engine.advance(100)?;
                let body = first(&engine);
                angles.push(angle_between(body.orientation, exact.at(engine.time()).q));
                energies.push(relative_error(inertia.energy(body_spin(&body)), energy));
                momenta.push((spin_momentum(&body) - momentum).norm() / momentum.norm());
            }
            errors.push([angles, energies, momenta].map(largest));
        }
        let reason = "10 000 steps, each of which rounds q and ω to 6e-8 in several places, on top of the error of the scheme";
        let names = ["orientation, 100 s (rad)", "energy, 100 s, relative", "L, 100 s, relative"];
        let bounds = [1e-2, 4e-4, 2e-4];
        for (part, name) in names.into_iter().enumerate() {
            rows.push(Row {
                what: format!("{}: {name}", scheme.name()),
                measured: [errors[0][part], errors[1][part]],
                bound: bounds[part],
                reason,
            });
        }
    }
    Ok(rows)
}

fn collisions(theory: Setup, simulation: Setup) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for law in damped_laws() {
        for (far, place) in [(false, "at the origin"), (true, "1 km away")] {
            let mut measured = [0.0; 2];
            for (measured, precision) in measured.iter_mut().zip(BOTH) {
                *measured = relative_error(rebound(simulation, law, far, precision)?, theory.restitution);
            }
            let reason = "1000 steps in a contact, whose forces have seven digits, and the error of the steps themselves";
            let what = format!("{}: restitution {place}", law.name());
            rows.push(Row { what, measured, bound: 2e-4, reason });
        }
    }
    Ok(rows)
}

/// Speed after over speed before.
fn rebound(setup: Setup, law: LawKind, far: bool, precision: Precision) -> Result<f64, Error> {
    let Setup { radius, density, young, poisson, stiffness, restitution, speed, steps, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, PairProperties::new(restitution, 0.0));
    let effective = (radius, sphere_mass(density, radius));
    let dt = contact_time(&world.materials, law, effective, speed)? / steps;
    let sphere = add_sphere(&mut world, radius)?;
    let along = if far { LabVec::new(1.0, -0.7, 0.0) * setup.far } else { LabVec::zero() };
    world.add_body(Body::at(sphere, along + Z * (radius + 0.3 * speed * dt)).moving(Z * -speed));
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    let mut engine = Engine::new(world, Settings { precision, ..settings(law, dt) })?;
    through_contact(&mut engine)?;
    Ok(first(&engine).velocity.z / speed)
}

/// A sphere falls for a second: a kick by gravity is a few units of the last digit that the velocity would have.
fn fall(theory: Setup, simulation: Setup) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for finer in [1.0, 10.0] {
        let mut measured = [0.0; 2];
        for (measured, precision) in measured.iter_mut().zip(BOTH) {
            let Setup { radius, density, young, poisson, gravity, dt, .. } = simulation;
            let mut world = world(Material::new("m", density, young, poisson), PairProperties::default());
            let sphere = add_sphere(&mut world, radius)?;
            world.gravity = Z * -gravity;
            world.add_body(Body::at(sphere, LabVec::zero()));
            let mut engine = Engine::new(world, Settings { precision, ..Settings::new(dt / finer) })?;
            while engine.time() < 1.0 {
                engine.advance(1000)?;
            }
            let exact = -0.5 * theory.gravity * engine.time() * engine.time();
            *measured = relative_error(first(&engine).position.z, exact);
        }
        let what = format!("fall of 1 s, Δt = {:.0e} s: distance", theory.dt / finer);
        let reason = "kicks have seven digits, and are summed up with sixteen";
        rows.push(Row { what, measured, bound: 1e-6, reason });
    }
    Ok(rows)
}

/// How a heap has settled.
struct Settled {
    /// Mean height of its spheres, m.
    height: f64,
    contacts: f64,
    /// Kinetic energy, over what was lost on the way.
    unrest: f64,
    /// How far the books are from closing, over the same.
    books: f64,
}

fn heap(theory: Setup, simulation: Setup) -> Result<Vec<Row>, Error> {
    let exact = settled(theory, Precision::Double)?;
    let [double, single] = [settled(simulation, BOTH[0])?, settled(simulation, BOTH[1])?];
    let both = |of: &dyn Fn(&Settled) -> f64| [of(&double), of(&single)];
    let reason = "collisions before rest are chaotic: single precision comes to rest as another heap of the same kind";
    let rounding = "what rounding keeps in motion, and what is lost of the books by it";
    let row = |what: &str, measured, bound, reason| Row { what: what.into(), measured, bound, reason };
    Ok(vec![
        row("heap: mean height, off double", both(&|s| relative_error(s.height, exact.height)), 0.05, reason),
        row("heap: contacts, off double", both(&|s| relative_error(s.contacts, exact.contacts)), 0.1, reason),
        row("heap: kinetic energy at rest, of what was lost", both(&|s| s.unrest), 1e-9, rounding),
        row("heap: books, of what was lost", both(&|s| s.books), 1e-3, rounding),
    ])
}

fn settled(setup: Setup, precision: Precision) -> Result<Settled, Error> {
    let Setup { radius, density, young, poisson, stiffness, gravity, dt, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let properties = PairProperties::new(setup.restitution, setup.friction).with_rolling(0.1, 0.3);
    let mut world = world(material, properties);
    let sphere = add_sphere(&mut world, radius)?;
    let (low, high) = (LabVec::zero(), LabVec::new(8.0, 8.0, 20.0) * radius);
    world.walls.push(Wall::new("box", Enclosure::new(low, high)?, MaterialId(0), Motion::fixed())?);
    world.gravity = Z * -gravity;
    world.bodies = random_cloud(&world.templates, &[sphere; 60], low, high, 1e-4, &mut Random::new(4))?;
    let contact = ContactModel { rolling: RollingKind::ElasticPlastic, ..ContactModel::default() };
    let mut engine = Engine::new(world, Settings { contact, precision, ..Settings::new(dt) })?;
    let start = engine.ledger();
    engine.advance(100_000)?;
    let (bodies, end) = (engine.bodies(), engine.ledger());
    let lost = end.lost();
    Ok(Settled {
        height: bodies.iter().map(|body| body.position.z).sum::<f64>() / bodies.len() as f64,
        contacts: engine.contact_count() as f64,
        unrest: end.kinetic() / lost,
        books: (end.balance() - start.balance()).abs() / lost,
    })
}
