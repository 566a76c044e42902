//! Guarantee: a run that goes wrong stops with an error that names the body, the place, the time and the cause,
//! and leaves the engine at a good earlier state, bit for bit, from which it goes on once the cause is gone.
//! NaN must not slip through: not with either sign, not on another thread's rows, not in a torque.

use crate::crowds::{
    DT, RADIUS, advance, assert_same, busy_world, closed_box, engine, lattice, settings, state, v, with,
};
use std::hint::black_box;
use std::sync::Arc;
use tumble_dem::domain::Domain;
use tumble_dem::field::{BodyView, ForceField, Load};
use tumble_dem::law::{ContactModel, RollingKind};
use tumble_dem::{
    Body, BodyId, Engine, Error, LabVec, SchemeKind, Settings, Solver as _, Stop, StopCause, TemplateId,
    World,
};

const BALL: TemplateId = TemplateId(0);

fn stopped(engine: &mut Engine, steps: u64) -> (Stop, String) {
    let error = engine.advance(steps).expect_err("the run goes wrong");
    let text = error.to_string();
    match error {
        Error::Stopped(stop) => (stop, text),
        other => panic!("{other}"),
    }
}

/// The engine must be where another one that stopped in time is, with everything finite.
fn assert_went_back(engine: &Engine, stop: &Stop, world: &World, settings: &Settings) {
    assert!((engine.time() - stop.restored_to).abs() == 0.0);
    assert!(stop.restored_to <= stop.time);
    let mut copy = crate::crowds::engine(world, settings);
    advance(&mut copy, engine.steps());
    assert_same(&state(&copy), &state(engine), "gone back");
}

/// A load on one body from some time on.
#[derive(Debug)]
struct Trouble {
    body: u32,
    since: f64,
    force: f64,
    torque: f64,
}

impl ForceField for Trouble {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        let on = if body.id == BodyId(self.body) && time > self.since { 1.0 } else { return nothing() };
        Load { force: v(self.force, 0.0, 0.0) * on, torque: v(0.0, self.torque, 0.0) * on }
    }
}

fn nothing() -> Load {
    Load { force: LabVec::zero(), torque: LabVec::zero() }
}

#[test]
fn what_is_not_finite_never_gets_through() {
    // What a processor makes of 0/0 has the sign bit set on x86, unlike the constant.
    let computed = black_box(0.0) / black_box(0.0);
    let loads = [
        (f64::NAN, 0.0),
        (-f64::NAN, 0.0),
        (computed, 0.0),
        (f64::INFINITY, 0.0),
        (0.0, f64::NAN),
        (0.0, -f64::NAN),
        (0.0, f64::NEG_INFINITY),
    ];
    let schemes = [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick, SchemeKind::ImprovedPcdm];
    for (case, &(force, torque)) in loads.iter().enumerate() {
        let mut world = crate::crowds::world();
        world.bodies = lattice(6, 5);
        // In the rows of the first thread and of the last.
        let body = [3, 77, 100, 150, 212][case % 5];
        let since = 30.5 * DT;
        world.fields.push(Arc::new(Trouble { body, since, force, torque }));
        for threads in [1, 3] {
            let settings = Settings { threads, rotation: schemes[case % 3].into(), ..settings() };
            let mut engine = engine(&world, &settings);
            let (stop, text) = stopped(&mut engine, 100);
            assert_eq!((stop.body.0, &stop.cause), (body, &StopCause::NotFinite), "{force} {torque}: {text}");
            assert!((stop.time - 32.0 * DT).abs() < 0.1 * DT, "{text}");
            assert!(text.starts_with(&format!("at t = 3.200000000e-4 s body {body} at (")), "{text}");
            assert!(
                text.contains(
                    "has a position or speed that is not finite; likely the time step is too long, or a \
                     force field returned NaN; the engine is back at t = 0.000000000e0 s"
                ),
                "{text}"
            );
            assert_went_back(&engine, &stop, &world, &settings);
            // Without the body the field harms nobody.
            engine.remove_bodies(&[BodyId(body)]).unwrap();
            advance(&mut engine, 100);
            assert_eq!(engine.body_count(), 215);
        }
    }
}

/// One body that flies, in a box.
fn flying(velocity: LabVec<f64>) -> World {
    let mut world = crate::crowds::world();
    world.walls.push(closed_box(0.1));
    world.add_body(Body::at(BALL, v(0.02, 0.02, 0.02)));
    world.add_body(Body::at(BALL, v(0.05, 0.05, 0.05)).moving(velocity));
    world
}

#[test]
fn a_body_that_left_its_box() {
    // Within a step from the middle to the outside.
    let world = flying(v(6e3, 0.0, 0.0));
    let settings = settings();
    let mut engine = engine(&world, &settings);
    let (stop, text) = stopped(&mut engine, 10);
    assert_eq!(
        text,
        "at t = 1.000000000e-5 s body 1 at (1.100000e-1, 5.000000e-2, 5.000000e-2) m is outside the closed \
         wall 'box'; likely it was put there, or it went through the wall because the time step is too long \
         or the material too soft for its speed; the engine is back at t = 0.000000000e0 s"
    );
    assert_went_back(&engine, &stop, &world, &settings);
    engine.set_velocity(BodyId(1), v(1.0, 0.0, 0.0), LabVec::zero()).unwrap();
    advance(&mut engine, 10);
    assert!((engine.bodies()[1].position.x - 0.05 - 10.0 * DT).abs() < 1e-12);
}

#[test]
fn a_body_pressed_too_deep_into_a_wall() {
    let world = flying(v(0.0, 0.0, 100.0));
    let settings = Settings { max_overlap: 0.2, ..settings() };
    let mut engine = engine(&world, &settings);
    let (stop, text) = stopped(&mut engine, 100_000);
    let StopCause::Overlap { with: None, wall: Some(wall), overlap, radius, limit } = &stop.cause else {
        panic!("{text}")
    };
    assert_eq!((stop.body.0, wall.as_str()), (1, "box"));
    assert!((radius - RADIUS).abs() < 1e-15 && (limit - 0.2).abs() < 1e-15);
    // It was noticed in the first step beyond the limit, of 1 mm at most.
    assert!((0.2 * RADIUS..0.2 * RADIUS + 1e-3).contains(overlap), "{overlap}");
    assert!((stop.position[2] + RADIUS - overlap - 0.1).abs() < 1e-12, "{text}");
    let z = stop.position[2];
    let expected = format!(
        "at t = {:.9e} s body 1 at (5.000000e-2, 5.000000e-2, {z:.6e}) m overlaps the wall 'box' by \
         {overlap:.3e} m, more than 0.2 of the radius 5.000e-3 m; likely the bodies overlapped at the start, \
         the time step is too long, or the material is too soft for this speed or load; the engine is back \
         at t = 0.000000000e0 s",
        stop.time
    );
    assert_eq!(text, expected);
    assert_went_back(&engine, &stop, &world, &settings);
}

#[test]
fn bodies_pressed_too_deep_into_each_other() {
    let mut world = flying(LabVec::zero());
    world.add_body(Body::at(BALL, v(0.05, 0.05, 0.075)).moving(v(0.0, 0.0, -100.0)).scaled(0.5));
    let settings = Settings { max_overlap: 0.1, ..settings() };
    let mut engine = engine(&world, &settings);
    let (stop, text) = stopped(&mut engine, 100_000);
    let StopCause::Overlap { with: Some(with), wall: None, overlap, radius, .. } = stop.cause else {
        panic!("{text}")
    };
    assert_eq!((stop.body.0, with.0), (1, 2));
    // The radius is that of the smaller one.
    assert!((radius - 0.5 * RADIUS).abs() < 1e-15 && overlap > 0.1 * radius);
    let named =
        format!("m overlaps body 2 by {overlap:.3e} m, more than 0.1 of the radius 2.500e-3 m; likely");
    assert!(text.contains(&named), "{text}");
    assert_went_back(&engine, &stop, &world, &settings);
    // Out of the way, all is well.
    engine.set_pose(BodyId(1), v(0.02, 0.05, 0.05), tumble_dem::Quat::identity()).unwrap();
    advance(&mut engine, 50);
}

/// A state is kept now and then; the engine must come back to one, and go on from it as if it had only got
/// that far.
#[test]
fn long_after_the_start() {
    let world = flying(v(0.0, 0.0, 0.3));
    // Springs are too soft for what a field adds after 2 500 steps.
    let mut world = world;
    world.fields.push(Arc::new(Trouble { body: 1, since: 2500.5 * DT, force: 1e3, torque: 0.0 }));
    let settings = Settings { max_overlap: 0.2, ..settings() };
    let mut engine = engine(&world, &settings);
    let (stop, text) = stopped(&mut engine, 100_000);
    assert!(stop.time > 2500.0 * DT && stop.restored_to > 1000.0 * DT && engine.steps() < 2500, "{text}");
    assert!(text.ends_with(&format!("the engine is back at t = {:.9e} s", engine.time())), "{text}");
    assert_went_back(&engine, &stop, &world, &settings);

    let mut copy = crate::crowds::engine(&world, &settings);
    advance(&mut copy, engine.steps());
    for run in [&mut engine, &mut copy] {
        run.set_held(BodyId(1), true).unwrap();
        advance(run, 2000);
    }
    assert_same(&state(&copy), &state(&engine), "cured");
}

/// What contacts remember, and what they do, is that of the step gone back to: saved bytes and reports are the same.
#[test]
fn contacts_are_those_of_the_step_gone_back_to() {
    let contact = ContactModel { rolling: RollingKind::ElasticPlastic, ..settings().contact };
    for (threads, rotation) in [(1, SchemeKind::SpiralLeapfrog), (3, SchemeKind::ImprovedPcdm)] {
        let mut world = busy_world(Domain::open());
        world.fields.push(Arc::new(Trouble { body: 1, since: 1300.5 * DT, force: f64::NAN, torque: 0.0 }));
        let settings = Settings { threads, contact, ..with(rotation) };
        let mut engine = engine(&world, &settings);
        let (_, text) = stopped(&mut engine, 5000);
        assert_eq!(engine.steps(), 1000, "{text}");
        let mut copy = crate::crowds::engine(&world, &settings);
        advance(&mut copy, 1000);
        assert!(copy.contact_count() > 20, "{}", copy.contact_count());
        assert_eq!(copy.contacts(), engine.contacts());
        assert!(copy.save().to_bytes() == engine.save().to_bytes());
        assert!(engine.save_bytes() == engine.save().to_bytes());
    }
}

/// The state to go back to must be of the run that was restored, not of what the engine did before.
#[test]
fn after_a_restore_it_does_not_go_back_beyond_it() {
    let settings = Settings { max_overlap: 0.2, ..settings() };
    let world = flying(LabVec::zero());
    let mut source = engine(&world, &settings);
    advance(&mut source, 500);
    source.set_velocity(BodyId(1), v(0.0, 0.0, 100.0), LabVec::zero()).unwrap();
    let saved = source.save();

    let mut engine = engine(&world, &settings);
    advance(&mut engine, 1);
    engine.restore(&saved).unwrap();
    let (stop, text) = stopped(&mut engine, 1000);
    assert!((stop.restored_to - saved.time()).abs() == 0.0, "{text}");
    assert_same(&state(&source), &state(&engine), "gone back to what was restored");
}

/// Where the limit of a turn comes from: what the default scheme does to a free rod in 2000 steps of some angle, the worst
/// of several axes.
#[test]
fn what_large_turns_cost() {
    let lost = |angle: f64| {
        let axes = [v(1.0, 2.0, 3.0), v(3.0, -1.0, 1.0), v(0.2, 3.0, 0.3), v(2.0, 0.1, 0.2)];
        let of_axis = axes.map(|axis| {
            let mut world = crate::crowds::world();
            world.add_body(
                Body::at(TemplateId(1), LabVec::zero()).spinning(axis * (angle / DT / axis.norm())),
            );
            let mut engine = engine(&world, &Settings { max_turn: 10.0, ..settings() });
            let before = engine.ledger().rotational;
            advance(&mut engine, 2000);
            1.0 - engine.ledger().rotational / before
        });
        of_axis.into_iter().fold(0.0, |worst: f64, lost| if lost.abs() > worst { lost.abs() } else { worst })
    };
    for (angle, least, most) in [(0.1, 0.0, 2e-6), (0.5, 0.005, 0.03), (1.0, 0.2, 0.6)] {
        let lost = lost(angle);
        assert!((least..most).contains(&lost), "{angle} rad: {lost:e}");
    }
}

/// A body that turns too far in a step loses its energy unless it is stopped. A ball may: it looks the same.
#[test]
fn a_body_that_turns_too_far_in_a_step() {
    let mut world = crate::crowds::world();
    world.add_body(Body::at(BALL, v(0.1, 0.0, 0.0)).spinning(v(0.0, 3.0 / DT, 0.0)));
    world.add_body(Body::at(TemplateId(1), LabVec::zero()).spinning(v(0.2 / DT, 0.4 / DT, 0.3 / DT)));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 1500);
    let spin = engine.bodies()[1].angular_velocity;
    engine.set_velocity(BodyId(1), LabVec::zero(), spin * 2.5).unwrap();
    let before = state(&engine);
    let (stop, text) = stopped(&mut engine, 1500);
    let StopCause::Turning { angle, limit, dt } = stop.cause else { panic!("{text}") };
    assert!(stop.body == BodyId(1) && angle > 1.0 && angle < 1.5, "{text}");
    let advised = format!("a time step of {:.3e} s would turn it by 0.1 rad", 0.1 * dt / angle);
    assert!(text.contains("rad in a step, more than 1.000 rad") && text.contains(&advised), "{text}");
    assert_eq!([limit, dt].map(f64::to_bits), [1.0, DT].map(f64::to_bits));
    assert_same(&before, &state(&engine), "gone back");
    engine.set_velocity(BodyId(1), LabVec::zero(), spin).unwrap();
    advance(&mut engine, 1500);

    // A field spins it up during the run.
    let mut driven = world.clone();
    driven.bodies[1].angular_velocity = LabVec::zero();
    driven.fields.push(Arc::new(Trouble { body: 1, since: 0.0, force: 0.0, torque: 0.5 }));
    let (stop, text) = stopped(&mut crate::crowds::engine(&driven, &settings()), 10_000);
    assert!(matches!(stop.cause, StopCause::Turning { .. }) && stop.time > 50.0 * DT, "{text}");

    let mut bold = crate::crowds::engine(&world, &Settings { max_turn: 10.0, ..settings() });
    bold.set_velocity(BodyId(1), LabVec::zero(), spin * 2.5).unwrap();
    advance(&mut bold, 100);
}

/// A world that is wrong from the start is not simulated at all.
#[test]
fn at_the_start() {
    let mut world = flying(LabVec::zero());
    world.bodies[1].position = v(0.05, 0.05, 0.2);
    let error = Engine::new(world, settings()).expect_err("outside").to_string();
    let expected = "at t = 0.000000000e0 s body 1 at (5.000000e-2, 5.000000e-2, 2.000000e-1) m is outside the \
                    closed wall 'box'";
    assert!(error.starts_with(expected), "{error}");

    let mut world = flying(LabVec::zero());
    world.add_body(Body::at(BALL, v(0.05, 0.05, 0.056)));
    let error = Engine::new(world, Settings { max_overlap: 0.3, ..settings() }).expect_err("overlapping");
    let text = error.to_string();
    assert!(text.contains("overlaps body 2 by 4.000e-3 m, more than 0.3 of the radius 5.000e-3 m"), "{text}");
}
