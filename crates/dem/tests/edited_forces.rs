//! Guarantee: a change by hand is complete when it is made. Forces, torques and loads of walls are those of the new
//! state at once, the next kick is made with them and nothing else, for bodies that were changed and for those that
//! only lost or gained a neighbour; the books go on without a jump. It can break where forces of before the change
//! are used once more, which costs an order of the method, or where springs slide although no time has gone by.

use crate::common::{X, Z, assert_near, order_of};
use crate::crowds::{DT, RADIUS, SCHEMES, advance, assert_same, engine, plane, settings, state, v, with};
use std::sync::Arc;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::{BatchField, BodyView, Drag, ForceField, Load};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{
    Body, BodyId, BodyState, Engine, Error, LabVec, Quat, Settings, StopCause, TemplateId, WallId, World,
};

const BALL: TemplateId = TemplateId(0);
const ROD: TemplateId = TemplateId(1);

/// Pulls along x with the place, pushes with the number of bodies: every body feels who else is there.
#[derive(Debug)]
struct Crowded;

impl BatchField for Crowded {
    fn add_loads(&self, bodies: &[BodyView], _: f64, loads: &mut [Load]) -> Result<(), String> {
        for (body, load) in bodies.iter().zip(loads.iter_mut()) {
            load.force = load.force + v(0.0, 1e-3 * bodies.len() as f64, -0.1 * body.position.z);
            load.torque = load.torque + body.angular_velocity * -1e-8;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Wind;

impl ForceField for Wind {
    fn load(&self, body: &BodyView, _: f64) -> Load {
        Load { force: X * (1e-3 * body.velocity.norm()), torque: LabVec::zero() }
    }
}

/// Two balls that fly into each other, a rod that follows one of them.
fn collision() -> World {
    let mut world = crate::crowds::world();
    world.add_body(Body::at(BALL, LabVec::zero()).moving(X).spinning(v(0.0, 30.0, 10.0)));
    world.add_body(Body::at(BALL, v(2.02 * RADIUS, 1e-3, 0.0)).moving(-X));
    world.add_body(Body::at(ROD, v(4.1 * RADIUS, 0.0, 0.0)).moving(v(-2.0, 0.0, 0.0)));
    world
}

/// In contact after some steps, with springs that have slid.
fn in_collision(settings: &Settings) -> Engine {
    let mut engine = engine(&collision(), settings);
    while engine.bodies()[0].force.norm() < 0.01 {
        advance(&mut engine, 1);
    }
    // Beyond the first step of the contact, in which its dashpot has not acted all the time.
    advance(&mut engine, 3);
    engine
}

#[test]
fn a_ball_moved_out_of_a_collision_stays_where_it_is_put() {
    for scheme in SCHEMES {
        let mut engine = in_collision(&with(scheme));
        engine.remove_bodies(&[BodyId(2)]).unwrap();
        let partner = engine.bodies()[1];
        let place = v(1.0, 2.0, 3.0);
        engine.set_pose(BodyId(0), place, Quat::identity()).unwrap();
        engine.set_velocity(BodyId(0), LabVec::zero(), LabVec::zero()).unwrap();
        let [ball, other] = [0, 1].map(|i: usize| engine.bodies()[i]);
        assert_eq!((ball.force, ball.torque), (LabVec::zero(), LabVec::zero()), "{}", scheme.name());
        // Its partner is free as well, and has the velocity that it had.
        assert_eq!((other.force, other.torque), (LabVec::zero(), LabVec::zero()), "{}", scheme.name());
        assert_near("velocity of the partner", other.velocity, partner.velocity, 1e-15);
        let before = engine.bodies();
        advance(&mut engine, 100);
        for (before, after) in before.iter().zip(&engine.bodies()) {
            let way = before.velocity * (100.0 * DT);
            assert_near(scheme.name(), after.velocity, before.velocity, 1e-15);
            assert_near(scheme.name(), after.position, before.position + way, 1e-15);
        }
        assert_eq!(engine.bodies()[0].position, place, "{}", scheme.name());
    }
}

/// A change of nothing: no spring slides, no force changes, and the books stay.
#[test]
fn no_time_goes_by() {
    for scheme in SCHEMES {
        let mut engine = in_collision(&with(scheme));
        let ids: Vec<_> = engine.bodies().iter().map(|body| tumble_dem::Change::of(body.id)).collect();
        // What contacts see of velocities is predicted in a step, and known after a change.
        engine.change_bodies(&ids).unwrap();
        let mut last = state(&engine);
        for _ in 0..2 {
            engine.change_bodies(&ids).unwrap();
            let now = state(&engine);
            for ((name, a), (_, b)) in last.iter().zip(&now) {
                let case = format!("{}: {name}", scheme.name());
                assert!((a - b).abs() < 1e-11 * a.abs() + 1e-12, "{case}: {a:e} {b:e}");
            }
            last = now;
        }
    }
}

/// The state of an engine, as a world to start from.
fn as_world(world: &World, engine: &Engine, motion: Option<Motion>) -> World {
    let body = |state: &BodyState| {
        let body = Body::at(state.template, state.position).turned(state.orientation);
        let body = body.moving(state.velocity).spinning(state.angular_velocity);
        Body { held: state.held, scale: state.scale, material: state.material, ..body }
    };
    let mut world = world.clone();
    world.bodies = engine.bodies().iter().map(body).collect();
    if let Some(motion) = motion {
        world.walls[0].motion = motion;
    }
    world
}

/// At the start no spring has slid yet, so that a fresh engine of the same state has the same forces.
#[test]
fn forces_are_those_of_a_fresh_engine() {
    let mut world = collision();
    world.gravity = v(0.0, 0.5, -9.81);
    world.drag = Some(Drag::linear(0.1));
    world.fields.push(Arc::new(Wind));
    world.walls.push(plane("floor", v(0.0, 0.0, -0.99 * RADIUS), Z, Vec::new()));
    let motion = Motion::new(vec![Movement::Drift { velocity: v(0.0, 0.1, 0.2) }]).unwrap();
    for scheme in SCHEMES {
        let mut engine = engine(&world, &with(scheme));
        let mut moved = None;
        let check = |engine: &Engine, motion: Option<&Motion>, batch: bool, case: &str| {
            let mut fresh = crate::crowds::engine(&as_world(&world, engine, motion.cloned()), &with(scheme));
            if batch {
                fresh.add_batch_field(Arc::new(Crowded)).unwrap();
            }
            let case = format!("{}, {case}", scheme.name());
            assert_eq!(engine.contact_count(), fresh.contact_count(), "{case}");
            for (a, b) in engine.bodies().iter().zip(&fresh.bodies()) {
                assert_near(&case, a.force, b.force, 1e-12 * (1.0 + b.force.norm()));
                assert_near(&case, a.torque, b.torque, 1e-14 * (1.0 + b.torque.norm()));
            }
            let [floor, other] = [engine, &fresh].map(|engine| engine.walls()[0].force);
            assert_near(&case, floor, other, 1e-12 * (1.0 + other.norm()));
        };
        check(&engine, None, false, "nothing");
        engine.set_pose(BodyId(1), v(1.98 * RADIUS, 0.0, 0.0), Quat::identity()).unwrap();
        assert!(engine.contacts().len() > 3);
        check(&engine, None, false, "into a contact");
        engine.set_velocity(BodyId(1), v(-2.0, 0.3, 0.1), v(0.0, 0.0, 40.0)).unwrap();
        check(&engine, None, false, "velocity");
        let ids = engine
            .add_bodies(&[Body::at(BALL, v(0.0, 1.99 * RADIUS, 0.0)).moving(v(0.1, 0.0, 0.2))])
            .unwrap();
        check(&engine, None, false, "added");
        engine.set_held(BodyId(0), true).unwrap();
        check(&engine, None, false, "held");
        engine.add_batch_field(Arc::new(Crowded)).unwrap();
        check(&engine, None, true, "field");
        engine.remove_bodies(&[BodyId(1)]).unwrap();
        check(&engine, None, true, "removed");
        engine.set_wall_motion(WallId(0), motion.clone()).unwrap();
        moved.replace(&motion);
        check(&engine, moved, true, "wall");
        engine.clear_batch_fields().unwrap();
        check(&engine, moved, false, "no field");
        engine.set_pose(ids[0], v(0.0, 0.3, 0.3), Quat::identity()).unwrap();
        engine.set_held(BodyId(0), false).unwrap();
        check(&engine, moved, false, "out of a contact");
    }
}

/// Elastic linear springs between balls, for closed forms.
fn elastic(dt: f64) -> Settings {
    Settings {
        contact: ContactModel { law: LawKind::Linear, ..ContactModel::default() },
        ..Settings { dt, ..settings() }
    }
}

fn balls(places: &[f64]) -> World {
    let mut world = crate::crowds::world();
    let pair = tumble_dem::material::PairProperties::new(1.0, 0.0);
    world.materials.set_default(pair);
    for x in places {
        world.add_body(Body::at(BALL, v(*x, 0.0, 0.0)));
    }
    world
}

/// The frequency of a ball on a contact with one that is held, from the force at a known overlap.
fn frequency() -> f64 {
    let mut world = balls(&[0.0, 1.9 * RADIUS]);
    world.bodies[0].held = true;
    let ball = engine(&world, &elastic(DT)).bodies()[1];
    (ball.force.norm() / (0.1 * RADIUS * ball.mass)).sqrt()
}

/// x = x₀ cos ωt + v₀/ω sin ωt on the spring of a contact, which a change began: for the ball that was put there, and
/// for one whose other neighbour was taken away while it stood still between the two.
#[test]
fn a_case_begun_by_a_change_is_of_second_order() {
    let (omega, depth) = (frequency(), 0.05 * RADIUS);
    let (end, speed) = (0.9 / omega, -0.3 * depth * omega);
    let errors = |case: &dyn Fn(u32) -> (Engine, u64, f64)| -> Vec<f64> {
        let error = |halvings: u32| {
            let (mut engine, steps, exact) = case(halvings);
            engine.advance(steps).unwrap();
            (engine.bodies()[1].position.x - exact).abs() / depth
        };
        (0..4).map(error).collect()
    };
    let put = errors(&|halvings| {
        let steps = 20_u32 << halvings;
        let mut world = balls(&[0.0, 1.0]);
        world.bodies[0].held = true;
        let mut engine = engine(&world, &elastic(end / f64::from(steps)));
        engine.advance(7).unwrap();
        engine.set_pose(BodyId(1), v(2.0 * RADIUS - depth, 0.0, 0.0), Quat::identity()).unwrap();
        engine.set_velocity(BodyId(1), v(speed, 0.0, 0.0), LabVec::zero()).unwrap();
        let overlap = depth * (omega * end).cos() - speed / omega * (omega * end).sin();
        (engine, u64::from(steps), 2.0 * RADIUS - overlap)
    });
    let left = errors(&|halvings| {
        let steps = 20_u32 << halvings;
        let place = 2.0 * RADIUS - depth;
        let mut world = balls(&[0.0, place, 2.0 * place]);
        world.bodies[0].held = true;
        world.bodies[2].held = true;
        let mut engine = engine(&world, &elastic(end / f64::from(steps)));
        engine.advance(7).unwrap();
        engine.remove_bodies(&[BodyId(2)]).unwrap();
        (engine, u64::from(steps), 2.0 * RADIUS - depth * (omega * end).cos())
    });
    for (case, errors) in [("put", put), ("left", left)] {
        let order = order_of(&errors);
        assert!((order - 2.0).abs() < 0.1 && errors[0] < 1e-3, "{case}: {order}, {errors:?}");
    }
}

type Edit<'a> = &'a dyn Fn(&mut Engine);

/// Every entry of the books is the same before and after a change but the energies themselves and `exchanged`.
#[test]
fn the_books_do_not_jump() {
    let mut world = crate::crowds::busy_world(Domain::open());
    world.fields.push(Arc::new(Wind));
    let mut engine = engine(&world, &settings());
    engine.add_batch_field(Arc::new(Crowded)).unwrap();
    advance(&mut engine, 200);
    let touching = |engine: &Engine| engine.contacts()[engine.contact_count() / 3].body.0;
    let floor = Motion::new(vec![Movement::Drift { velocity: v(0.0, 0.3, -0.1) }]).unwrap();
    let edits: [(&str, Edit<'_>); 8] = [
        ("pushed", &|e| e.set_velocity(touching(e), v(1.0, 2.0, 3.0), v(0.0, 0.0, 90.0)).unwrap()),
        ("held", &|e| e.set_held(touching(e), true).unwrap()),
        ("let go", &|e| e.set_held(BodyId(7), false).unwrap()),
        ("removed", &|e| e.remove_bodies(&[touching(e)]).unwrap()),
        ("moved", &|e| {
            let body = e.bodies()[3];
            e.set_pose(body.id, body.position + v(1e-4, 0.0, 0.0), body.orientation).unwrap();
        }),
        ("wall", &|e| e.set_wall_motion(WallId(1), floor.clone()).unwrap()),
        ("no field", &|e| e.clear_batch_fields().unwrap()),
        ("field", &|e| e.add_batch_field(Arc::new(Crowded)).unwrap()),
    ];
    for (case, edit) in edits {
        let before = engine.ledger();
        let scale = before.mechanical();
        edit(&mut engine);
        let after = engine.ledger();
        assert!((after.balance() - before.balance()).abs() < 1e-12 * scale, "{case}");
        for ((name, a), (_, b)) in before.entries().zip(after.entries()).skip(6).take(8) {
            // A spring that has less to press it slides a little in no time.
            let allowed = if name == "sliding" || name == "rolling" { 1e-4 } else { 1e-13 };
            assert!((a - b).abs() < allowed * scale, "{case}: {name} from {a:e} to {b:e}, of {scale:e}");
        }
        advance(&mut engine, 20);
        let drift = engine.ledger().balance() - before.balance();
        assert!(drift.abs() < 2e-3 * scale, "{case}: {drift:e} of {scale:e}");
    }
}

#[derive(Debug)]
struct Failing;

impl BatchField for Failing {
    fn add_loads(&self, _: &[BodyView], _: f64, _: &mut [Load]) -> Result<(), String> {
        Err("no force today".into())
    }
}

/// A change whose forces cannot be told is not made. One into a state that overlaps too much, or is outside a wall, is, and
/// can be changed further; a run does not begin from it, and goes on as if nobody had tried when it is put right.
#[test]
fn states_that_cannot_be() {
    let mut world = crate::crowds::busy_world(Domain::open());
    world.fields.push(Arc::new(Wind));
    let settings = Settings { max_overlap: 0.5, ..settings() };
    let [mut tried, mut left] = [engine(&world, &settings), engine(&world, &settings)];
    for engine in [&mut tried, &mut left] {
        engine.add_batch_field(Arc::new(Crowded)).unwrap();
        advance(engine, 60);
    }
    let before = state(&tried);
    let stop = |result: Result<(), Error>| match result {
        Err(Error::Stopped(stop)) => stop,
        other => panic!("{other:?}"),
    };
    let failed = stop(tried.add_batch_field(Arc::new(Failing)));
    assert!(failed.to_string().contains("no force today"), "{failed}");
    assert_same(&before, &state(&tried), "after an error");

    let [a, b] = [0, 1].map(|i: usize| tried.bodies()[i]);
    tried.set_pose(a.id, b.position, a.orientation).unwrap();
    let there = state(&tried);
    let overlapping = stop(tried.advance(1));
    assert!(matches!(overlapping.cause, StopCause::Overlap { .. }), "{overlapping}");
    assert!(overlapping.to_string().ends_with(&format!("the engine is back at t = {:.9e} s", tried.time())));
    assert_same(&there, &state(&tried), "nothing has moved");
    tried.set_pose(a.id, v(0.06, 0.06, 0.5), a.orientation).unwrap();
    let outside = stop(tried.advance(1));
    assert!(matches!(outside.cause, StopCause::Escaped { .. }), "{outside}");
    assert_eq!(outside.body, a.id);
    tried.set_pose(a.id, a.position, a.orientation).unwrap();
    for engine in [&mut tried, &mut left] {
        engine.remove_bodies(&[a.id]).unwrap();
        advance(engine, 100);
    }
    for (a, b) in left.bodies().iter().zip(&tried.bodies()) {
        assert_near("place", b.position, a.position, 1e-9);
    }
}

/// A state saved right after a change goes on with the same bits, on any number of threads; a field that is added again
/// after a restore changes nothing.
#[test]
fn the_same_bits_after_a_restore() {
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    for domain in [Domain::open(), Domain::of([axis, axis, Axis::Open])] {
        let world = crate::crowds::busy_world(domain);
        let edited = |threads: usize| {
            let mut engine = engine(&world, &Settings { threads, ..settings() });
            engine.add_batch_field(Arc::new(Crowded)).unwrap();
            advance(&mut engine, 150);
            let bodies = engine.bodies();
            engine.set_velocity(bodies[3].id, v(1.0, 0.0, 2.0), v(0.0, 50.0, 0.0)).unwrap();
            engine.remove_bodies(&[bodies[10].id, bodies[40].id]).unwrap();
            engine.set_held(bodies[20].id, true).unwrap();
            engine
        };
        let mut run = edited(1);
        assert_same(&state(&run), &state(&edited(3)), "threads");
        let bytes = run.save().to_bytes();
        let mut restored = engine(&world, &settings());
        restored.restore(&tumble_dem::SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
        assert_same(&state(&run), &state(&restored), "restored");
        restored.add_batch_field(Arc::new(Crowded)).unwrap();
        advance(&mut run, 100);
        advance(&mut restored, 100);
        assert_same(&state(&run), &state(&restored), "going on");
        let bytes = run.save().to_bytes();
        restored.restore(&tumble_dem::SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
        restored.clear_batch_fields().unwrap();
        restored.add_batch_field(Arc::new(Crowded)).unwrap();
        let [a, b] = [&run, &restored].map(|engine| engine.ledger().balance());
        assert!((a - b).abs() < 1e-12 * a.abs(), "{a:e} {b:e}");
    }
}
