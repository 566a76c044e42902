//! Guarantee: gravity, the time step and what laws read can be changed at any instant of a run. Forces are those of the new
//! rules at once, the method keeps its second order, the books tell what the change brought in and what slid, and a
//! state that is saved afterwards goes on with the rules that it had. It can break where velocities of half steps are taken for
//! those of the new half steps, where time is counted in steps alone, or where weights of before are used once more.

use crate::common::{X, Z, add_floor, add_sphere, assert_close, assert_near, lopsided, order_of};
use crate::crowds::{
    DT, RESISTING, SCHEMES, advance, assert_same, busy_world, engine, settings, state, v, with,
};
use std::sync::Arc;
use tumble_dem::clump::{ClumpTemplate, MassModel};
use tumble_dem::domain::Domain;
use tumble_dem::field::{BodyView, ForceField, Load};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, MaterialError, PairProperties};
use tumble_dem::property::{FRICTION, POISSON, RESTITUTION, ROLLING_FRICTION, STIFFNESS, YOUNG};
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{
    Body, BodyId, Engine, Error, LabVec, MaterialId, PropertyOf, Quat, Rule, SavedState, Settings, Solver,
    TemplateId, World,
};

const FIRST: MaterialId = MaterialId(0);

fn friction(value: f64) -> Rule {
    Rule::Property { of: PropertyOf::EveryPair, property: &FRICTION, value }
}

/// Pulls every body to the origin with ω² = 400/s² per mass.
#[derive(Debug)]
struct Well;

const OMEGA: f64 = 20.0;

impl ForceField for Well {
    fn load(&self, body: &BodyView, _: f64) -> Load {
        Load { force: body.position * (-OMEGA * OMEGA * body.mass), torque: LabVec::zero() }
    }
}

/// One body without any symmetry that swings in the well and turns freely.
fn swinging() -> World {
    let mut world = crate::crowds::world();
    let clump = ClumpTemplate::new("clump", &lopsided(), MassModel::Union).unwrap();
    let clump = world.add_template(clump).unwrap();
    world.fields.push(Arc::new(Well));
    world.add_body(Body::at(clump, X).spinning(v(3.0, 20.0, -5.0)));
    world
}

/// Steps of two other lengths in the middle of the swing: x = cos ωt to second order, and the orientation to the order of
/// the scheme, against steps a hundred times as short.
#[test]
fn another_step_keeps_the_order() {
    let end = 0.1;
    for scheme in SCHEMES {
        let mut exact = engine(&swinging(), &Settings { dt: end / 40_000.0, ..with(scheme) });
        advance(&mut exact, 40_000);
        let exact = exact.bodies()[0];
        let run = |halvings: u32| {
            let each = 20_u64 << halvings;
            let dt = 0.5 * end / each as f64;
            let mut engine = engine(&swinging(), &Settings { dt, ..with(scheme) });
            advance(&mut engine, each);
            engine.change_rules(&[Rule::TimeStep(dt / 2.0)]).unwrap();
            advance(&mut engine, each);
            engine.change_rules(&[Rule::TimeStep(dt * 1.25)]).unwrap();
            advance(&mut engine, each * 2 / 5);
            assert_eq!(engine.steps(), each * 12 / 5);
            assert!((engine.time() - end).abs() < 1e-14, "{}", engine.time());
            engine.bodies()[0]
        };
        let (mut places, mut speeds, mut turns) = (Vec::new(), Vec::new(), Vec::new());
        for halvings in 0..4 {
            let body = run(halvings);
            places.push((body.position.x - (OMEGA * end).cos()).abs());
            speeds.push((body.velocity.x / OMEGA + (OMEGA * end).sin()).abs());
            let [q, other] = [body.orientation, exact.orientation].map(Quat::to_array);
            let cosine: f64 = q.iter().zip(other).map(|(a, b)| a * b).sum();
            // q and −q are one orientation.
            let apart = q.iter().zip(other).map(|(a, b)| (a - b * cosine.signum()).powi(2));
            turns.push(apart.sum::<f64>().sqrt());
        }
        for (what, errors) in [("place", places), ("velocity", speeds)] {
            let order = order_of(&errors);
            assert!((order - 2.0).abs() < 0.15, "{}, {what}: {order} {errors:?}", scheme.name());
        }
        let declared = f64::from(scheme.info().orders.free.q);
        let order = order_of(&turns);
        assert!(
            order > declared - 0.25,
            "{}, orientation: {order}, declared {declared}, {turns:?}",
            scheme.name()
        );
    }
}

/// Where a body is thrown to is known exactly: kicks of a constant force have no error.
#[test]
fn gravity_acts_from_the_instant_of_the_change() {
    for scheme in SCHEMES {
        let mut world = crate::crowds::world();
        world.gravity = v(0.0, 0.0, -9.81);
        world.add_body(Body::at(TemplateId(1), v(0.0, 0.0, 2.0)).moving(v(1.0, 0.0, 3.0)));
        let mut engine = engine(&world, &Settings { dt: 1e-3, ..with(scheme) });
        advance(&mut engine, 150);
        let before = engine.bodies()[0];
        let books = engine.ledger();
        let moon = v(0.3, 0.0, -1.62);
        engine.change_rules(&[Rule::Gravity(moon)]).unwrap();
        let after = engine.bodies()[0];
        assert_eq!(after.force, moon * after.mass, "{}", scheme.name());
        assert_near("velocity", after.velocity, before.velocity, 1e-15);
        assert_eq!(engine.gravity(), moon);
        let brought = before.mass * (world.gravity - moon).dot(before.position);
        assert_close("exchanged", engine.ledger().exchanged - books.exchanged, brought, 1e-12);
        advance(&mut engine, 200);
        let time = 0.2;
        let body = engine.bodies()[0];
        let place = before.position + before.velocity * time + moon * (0.5 * time * time);
        assert_near(scheme.name(), body.position, place, 1e-13);
        assert_near(scheme.name(), body.velocity, before.velocity + moon * time, 1e-13);
        assert_close("balance", engine.ledger().balance(), books.balance(), 1e-12);
    }
}

const WEIGHT: f64 = 10.0;

/// A ball that rests on the spring of a floor, of the linear law without dashpots, and slides at 2 m/s.
fn sliding(friction: f64, dt: f64) -> Engine {
    let material = Material::of_density("stone", 2000.0).with_stiffness(1e4);
    let mut world = crate::common::world(material, PairProperties::new(1.0, friction));
    let ball = add_sphere(&mut world, 0.01);
    let mass = world.templates[0].mass(2000.0, 1.0);
    world.gravity = v(0.0, 0.0, -WEIGHT);
    add_floor(&mut world, FIRST, Motion::fixed());
    let overlap = mass * WEIGHT / 1e4;
    world.add_body(Body::at(ball, v(0.0, 0.0, 0.01 - overlap)).moving(X * 2.0));
    engine(&world, &crate::common::settings(LawKind::Linear, dt))
}

/// Coulomb: the force of sliding is μN, before and after, and what the longer spring held is lost to sliding.
#[test]
fn friction_is_less_at_once() {
    let mut engine = sliding(0.5, 1e-6);
    advance(&mut engine, 20_000);
    let before = engine.bodies()[0];
    let books = engine.ledger();
    assert_close("force before", before.force.x, -0.5 * before.mass * WEIGHT, 1e-3);
    engine.change_rules(&[friction(0.2)]).unwrap();
    let after = engine.bodies()[0];
    assert_close("force after", after.force.x, -0.2 * before.mass * WEIGHT, 1e-3);
    assert_near("velocity", after.velocity, before.velocity, 1e-15);
    let now = engine.ledger();
    // ½F²/k of the spring, before and after.
    let stiffness = 2.0 / 7.0 * 1e4;
    let released = 0.5 * (before.force.x * before.force.x - after.force.x * after.force.x) / stiffness;
    assert_close("lost to sliding", now.sliding - books.sliding, released, 1e-6);
    assert!((now.exchanged - books.exchanged).abs() < 1e-15 * now.mechanical(), "{:e}", now.exchanged);
    assert_close("balance", now.balance(), books.balance(), 1e-14);
    advance(&mut engine, 20_000);
    let body = engine.bodies()[0];
    assert_close("velocity", before.velocity.x - body.velocity.x, 0.2 * WEIGHT * 0.02, 1e-3);
    assert_close("balance", engine.ledger().balance(), books.balance(), 1e-6);
}

/// More friction does not pull at once: the spring has to be drawn first, over (μ₂ − μ₁)N/k.
#[test]
fn friction_that_grows_is_reached_by_sliding() {
    let mut engine = sliding(0.2, 1e-6);
    advance(&mut engine, 20_000);
    let before = engine.bodies()[0];
    engine.change_rules(&[friction(0.5)]).unwrap();
    assert_near("force", engine.bodies()[0].force, before.force, 1e-12);
    advance(&mut engine, 20_000);
    let body = engine.bodies()[0];
    assert_close("force", body.force.x, -0.5 * body.mass * WEIGHT, 1e-3);
}

/// ½kδ² of a spring that is twice as stiff from now on.
#[test]
fn stiffer_springs_hold_more() {
    let mut engine = sliding(0.0, 1e-6);
    advance(&mut engine, 100);
    let before = engine.bodies()[0];
    let books = engine.ledger();
    engine
        .change_rules(&[Rule::Property { of: PropertyOf::Material(FIRST), property: &STIFFNESS, value: 2e4 }])
        .unwrap();
    let after = engine.bodies()[0];
    let overlap = 0.01 - before.position.z;
    assert_close("force", after.force.z, 2e4 * overlap - after.mass * WEIGHT, 1e-9);
    let brought = engine.ledger().exchanged - books.exchanged;
    assert_close("exchanged", brought, 0.5 * 1e4 * overlap * overlap, 1e-9);
    assert_close("balance", engine.ledger().balance(), books.balance(), 1e-14);
    // It swings about the new rest with the known frequency: half a period on it is as far on the other side.
    let half_period = std::f64::consts::PI * (after.mass / 2e4).sqrt();
    let dt = half_period / 1000.0;
    engine.change_rules(&[Rule::TimeStep(dt)]).unwrap();
    advance(&mut engine, 1000);
    let rest = 0.01 - after.mass * WEIGHT / 2e4;
    assert_close("swing", engine.bodies()[0].position.z - rest, rest - after.position.z, 1e-4);
}

/// All at once, in a crowd with every kind of contact: the books close, and no entry jumps but the energies themselves,
/// `exchanged`, and what slides.
#[test]
fn the_books_close_in_a_crowd() {
    let world = busy_world(Domain::open());
    let mut engine = engine(&world, &Settings { contact: RESISTING, ..settings() });
    advance(&mut engine, 200);
    let rules: [&[Rule]; 5] = [
        &[Rule::TimeStep(0.5 * DT)],
        &[friction(0.05)],
        &[Rule::Property { of: PropertyOf::Material(FIRST), property: &YOUNG, value: 2.5e6 }],
        &[Rule::Gravity(v(0.0, 5.0, 3.0))],
        &[Rule::TimeStep(0.8 * DT), friction(0.6), Rule::Gravity(v(0.0, 0.0, -9.81))],
    ];
    let may_jump = ["translational", "rotational", "gravitational", "exchanged", "sliding", "rolling"];
    for rules in rules {
        let before = engine.ledger();
        engine.change_rules(rules).unwrap();
        let after = engine.ledger();
        let scale = before.mechanical();
        assert!((before.balance() - after.balance()).abs() < 1e-13 * scale, "{rules:?}");
        for ((name, was), (_, is)) in before.entries().zip(after.entries()) {
            if !name.starts_with("elastic") && !may_jump.contains(&name) {
                assert!((was - is).abs() < 1e-12 * scale, "{rules:?}: {name} from {was:e} to {is:e}");
            }
        }
        assert!(after.sliding >= before.sliding && after.rolling >= before.rolling, "{rules:?}");
        advance(&mut engine, 100);
        let drift = engine.ledger().balance() - before.balance();
        assert!(drift.abs() < 2e-3 * scale, "{rules:?}: {drift:e} of {scale:e}");
    }
}

/// Poses of walls are functions of the time, which goes on as it was.
#[test]
fn walls_keep_the_time() {
    let mut world = crate::crowds::world();
    add_floor(&mut world, FIRST, Motion::new(vec![Movement::Drift { velocity: v(0.0, 0.0, 2.0) }]).unwrap());
    let mut engine = engine(&world, &Settings { dt: 1e-3, ..settings() });
    advance(&mut engine, 100);
    engine.change_rules(&[Rule::TimeStep(1e-4)]).unwrap();
    assert_eq!(Solver::time(&engine).to_bits(), (100.0_f64 * 1e-3).to_bits());
    advance(&mut engine, 500);
    assert_close("time", engine.time(), 0.15, 1e-14);
    assert_near("floor", engine.walls()[0].about, Z * 0.3, 1e-14);
    let saved = engine.save();
    assert_eq!(saved.time().to_bits(), engine.time().to_bits());
}

/// Saved after changes, on other threads, and restored in an engine that has the rules of the world.
#[test]
fn the_same_bits_after_a_restore() {
    let world = busy_world(crate::crowds::periodic());
    let base = Settings { contact: RESISTING, ..settings() };
    let changed = |threads: usize| {
        let mut engine = engine(&world, &Settings { threads, ..base.clone() });
        advance(&mut engine, 120);
        let pair = PropertyOf::Pair(MaterialId(1), FIRST);
        engine
            .change_rules(&[
                friction(0.2),
                Rule::Property { of: pair, property: &RESTITUTION, value: 0.9 },
                Rule::Property { of: PropertyOf::Material(MaterialId(1)), property: &POISSON, value: 0.1 },
                Rule::TimeStep(0.75 * DT),
                Rule::Gravity(v(0.0, -3.0, -9.0)),
            ])
            .unwrap();
        advance(&mut engine, 40);
        engine
    };
    let mut run = changed(1);
    assert_same(&state(&run), &state(&changed(3)), "threads");
    let bytes = run.save().to_bytes();
    let mut restored = engine(&world, &base);
    restored.restore(&SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
    assert_same(&state(&run), &state(&restored), "restored");
    assert_eq!(restored.settings().dt.to_bits(), (0.75 * DT).to_bits());
    assert_eq!(restored.gravity(), v(0.0, -3.0, -9.0));
    let mutual = restored.materials().properties(FIRST, MaterialId(1)).unwrap();
    assert_eq!((mutual.get(&FRICTION), mutual.get(&RESTITUTION)), (Some(0.2), Some(0.9)));
    advance(&mut run, 100);
    advance(&mut restored, 100);
    assert_same(&state(&run), &state(&restored), "going on");
    assert_eq!(restored.save().to_bytes(), run.save().to_bytes());
    // Back to a state of before the change, whose rules are those of the world.
    let mut fresh = engine(&world, &base);
    let start = fresh.save().to_bytes();
    restored.restore(&SavedState::from_bytes(&start, &world).unwrap()).unwrap();
    advance(&mut restored, 50);
    advance(&mut fresh, 50);
    assert_same(&state(&fresh), &state(&restored), "before the change");
}

/// What is the same as before changes no bit, and whoever touches nobody goes on with the bits that it had.
#[test]
fn nobody_notices_what_does_not_concern_them() {
    let world = busy_world(Domain::open());
    let [mut left, mut told] = [engine(&world, &settings()), engine(&world, &settings())];
    for engine in [&mut left, &mut told] {
        advance(engine, 100);
    }
    told.change_rules(&[Rule::TimeStep(DT), Rule::Gravity(world.gravity)]).unwrap();
    assert_same(&state(&left), &state(&told), "the same rules");
    told.change_rules(&[friction(0.01)]).unwrap();
    let touching: Vec<BodyId> = left
        .contacts()
        .iter()
        .flat_map(|contact| match contact.with {
            tumble_dem::Touching::Body(other, _) => vec![contact.body.0, other],
            tumble_dem::Touching::Wall(_) => vec![contact.body.0],
        })
        .collect();
    let alone = left.bodies().into_iter().zip(told.bodies()).filter(|(body, _)| !touching.contains(&body.id));
    let mut count = 0;
    for (before, after) in alone {
        assert_eq!(before, after);
        count += 1;
    }
    assert!(count > 50 && !touching.is_empty(), "{count} bodies alone");
}

#[test]
fn errors_change_nothing() {
    let world = busy_world(Domain::open());
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 60);
    let before = state(&engine);
    let every = |property, value| Rule::Property { of: PropertyOf::EveryPair, property, value };
    let bad = [
        (Rule::TimeStep(0.0), "the settings: the time step is 0, expected a positive finite number"),
        (Rule::Gravity(v(0.0, f64::NAN, 0.0)), "the world: the gravity is"),
        (friction(-0.1), "pair rubber–rubber: friction must be zero or a positive number, but is -0.1"),
        (every(&RESTITUTION, 2.0), "restitution must be at least 0.001"),
        (every(&YOUNG, 1e6), "young is a property of a material; give it there"),
        (
            every(&ROLLING_FRICTION, 0.1),
            "every pair: nothing reads its rolling_friction, so that to change it would do nothing; there is the contact \
             law hertz-mindlin with rolling none and twisting none",
        ),
        (
            Rule::Property { of: PropertyOf::Material(FIRST), property: &STIFFNESS, value: 1.0 },
            "material rubber: nothing reads its stiffness",
        ),
        (
            Rule::Property { of: PropertyOf::Material(MaterialId(7)), property: &YOUNG, value: 1e6 },
            "there is no material number 7",
        ),
    ];
    for (rule, message) in bad {
        let error = engine.change_rules(&[Rule::Gravity(LabVec::zero()), rule]).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_same(&before, &state(&engine), message);
    }
    let rigid = |id| Rule::Property { of: PropertyOf::Material(id), property: &YOUNG, value: f64::INFINITY };
    let error = engine.change_rules(&[rigid(FIRST), rigid(MaterialId(1))]).unwrap_err();
    assert!(matches!(error, Error::Material(MaterialError::BothRigid { .. })), "{error}");
    assert_same(&before, &state(&engine), "both rigid");
}
