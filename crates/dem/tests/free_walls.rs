//! Walls that move by themselves: what they do is known in closed form, their books close, and bits do not depend on threads or on
//! where a run was interrupted.

use crate::common::{X, Y, Z, add_floor, add_sphere, assert_close, order_of, settings, world};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Freedom, Motion, Plane, Timing, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, SavedState, Settings, WallId, World};

const RADIUS: f64 = 0.01;
const STIFFNESS: f64 = 1e4;

fn elastic() -> World {
    world(Material::new("m", 1000.0, 1e7, 0.25).with_stiffness(STIFFNESS), PairProperties::new(1.0, 0.0))
}

/// A plane at a height, solid above, that moves by itself.
fn add_lid(world: &mut World, height: f64, freedom: Freedom) {
    let plane = Plane::new(Z * height, -Z).unwrap();
    world.walls.push(Wall::new("lid", plane, MaterialId(0), Motion::free(freedom)).unwrap());
}

fn sphere_mass() -> f64 {
    1000.0 * 4.0 / 3.0 * core::f64::consts::PI * RADIUS.powi(3)
}

/// A sphere meets a free wall of three times its mass, which is at rest: momentum and energy decide what becomes of both.
#[test]
fn an_elastic_collision_is_that_of_two_masses() {
    let mass = 3.0 * sphere_mass();
    let run = |dt: f64| {
        let mut world = elastic();
        let ball = add_sphere(&mut world, RADIUS);
        world.add_body(Body::at(ball, LabVec::zero()).moving(Z));
        add_lid(&mut world, 1.5 * RADIUS, Freedom::sliding(Z, mass).unwrap());
        let mut engine = Engine::new(world, settings(LawKind::Linear, dt)).unwrap();
        while engine.time() < 0.05 {
            engine.advance(100).unwrap();
        }
        assert_eq!(engine.contact_count(), 0);
        (engine.bodies()[0].velocity.z, engine.walls()[0].speed)
    };
    let (ball, wall) = run(1e-6);
    assert_close("ball", ball, (1.0 - 3.0) / (1.0 + 3.0), 1e-5);
    assert_close("wall", wall, 2.0 / (1.0 + 3.0), 1e-5);
    assert_close("momentum", sphere_mass() * ball + mass * wall, sphere_mass(), 1e-12);
}

/// On a sphere that is too heavy to give way, a wall swings about the place where spring and drive are in balance.
#[test]
fn on_a_spring_it_swings_with_order_two() {
    let (mass, drive) = (0.4, -7.0);
    // How far the lid is from the sphere's top where nothing pulls: it overlaps all the time.
    let start = 0.2 * RADIUS;
    let rest = -drive / STIFFNESS;
    let rate = (STIFFNESS / mass).sqrt();
    let time = 2.0 / rate;
    let errors: Vec<f64> = [200, 400, 800]
        .map(|steps: u32| {
            let material = Material::new("m", 1e12, 1e7, 0.25).with_stiffness(STIFFNESS);
            let mut world = world(material, PairProperties::new(1.0, 0.0));
            let ball = add_sphere(&mut world, RADIUS);
            world.add_body(Body::at(ball, LabVec::zero()));
            let freedom = Freedom::sliding(Z, mass).unwrap().driven(drive, Timing::Always).unwrap();
            add_lid(&mut world, RADIUS - start, freedom);
            let mut engine = Engine::new(world, settings(LawKind::Linear, time / f64::from(steps))).unwrap();
            engine.advance(steps.into()).unwrap();
            let (wall, ledger) = (engine.walls()[0], engine.ledger());
            let overlap = rest + (start - rest) * (rate * time).cos();
            let speed = (start - rest) * rate * (rate * time).sin();
            assert!(ledger.entries().any(|(key, energy)| key == "free_walls" && energy > 0.0));
            ((start - wall.moved - overlap) / rest).abs().max(((wall.speed - speed) / (rate * rest)).abs())
        })
        .to_vec();
    assert!(errors[0] < 1e-3, "{errors:?}");
    let order = order_of(&errors);
    assert!((order - 2.0).abs() < 0.1, "order {order}, {errors:?}");
}

/// A gate that hangs from its hinges swings as a pendulum does, here against a fine integration by Runge and Kutta.
#[test]
fn a_gate_swings_like_a_pendulum() {
    let (inertia, mass, arm, gravity, angle) = (0.02, 0.5, 0.15, 9.81, 2.0);
    let acceleration = |angle: f64| -mass * gravity * arm / inertia * f64::sin(angle);
    let (mut place, mut speed, time, parts) = (angle, 0.0, 0.4, 40_000);
    let fine = time / f64::from(parts);
    for _ in 0..parts {
        let k1 = (speed, acceleration(place));
        let k2 = (speed + 0.5 * fine * k1.1, acceleration(place + 0.5 * fine * k1.0));
        let k3 = (speed + 0.5 * fine * k2.1, acceleration(place + 0.5 * fine * k2.0));
        let k4 = (speed + fine * k3.1, acceleration(place + fine * k3.0));
        place += fine / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
        speed += fine / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
    }
    // Drawn at the angle, about Y: from −Z towards −X.
    let pivot = LabVec::new(0.1, 0.0, 0.3);
    let centre = pivot + (X * -angle.sin() - Z * angle.cos()) * arm;
    let errors: Vec<f64> = [200, 400, 800]
        .map(|steps: u32| {
            let mut world = elastic();
            world.gravity = -Z * gravity;
            let freedom = Freedom::turning(Y, pivot, inertia).unwrap().weighing(mass, centre).unwrap();
            let plane = Plane::new(X * 5.0, -X).unwrap();
            world.walls.push(Wall::new("gate", plane, MaterialId(0), Motion::free(freedom)).unwrap());
            let mut engine = Engine::new(world, Settings::new(time / f64::from(steps))).unwrap();
            let before = engine.ledger().balance();
            engine.advance(steps.into()).unwrap();
            let wall = engine.walls()[0];
            let drift = (engine.ledger().balance() - before).abs() / (mass * gravity * arm);
            (wall.moved - (place - angle)).abs().max((wall.speed - speed).abs() * 0.1).max(drift)
        })
        .to_vec();
    let order = order_of(&errors);
    assert!(errors[2] < 1e-4 && (order - 2.0).abs() < 0.15, "order {order}, {errors:?}");
}

/// A pile of spheres between a floor and a lid that is pressed on it.
pub(crate) fn pile(damping: f64) -> World {
    let mut world = world(Material::new("m", 1000.0, 1e7, 0.25), PairProperties::new(0.5, 0.4));
    world.gravity = Z * -9.81;
    let ball = add_sphere(&mut world, RADIUS);
    for (layer, place) in (0..3).flat_map(|layer| (0..4).map(move |place| (layer, place))) {
        let side = 0.011 + 0.001 * f64::from(layer);
        let at = [if place % 2 == 0 { -side } else { side }, if place < 2 { -side } else { side }];
        let (layer, place) = (f64::from(layer), f64::from(place));
        world.add_body(
            Body::at(ball, LabVec::new(at[0], at[1], 0.0105 + 0.0195 * layer)).moving(X * (0.02 * place)),
        );
    }
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    for (name, normal) in [("left", X), ("right", -X), ("front", Y), ("back", -Y)] {
        let plane = Plane::new(normal * -0.0235, normal).unwrap();
        world.walls.push(Wall::new(name, plane, MaterialId(0), Motion::fixed()).unwrap());
    }
    let freedom = Freedom::sliding(-Z, 0.05).unwrap().driven(20.0, Timing::Always).unwrap();
    add_lid(&mut world, 0.062, freedom.damped(damping).unwrap());
    world
}

fn pressed(threads: usize, dt: f64, damping: f64) -> Engine {
    let settings = Settings { threads, ..settings(LawKind::HertzMindlin, dt) };
    Engine::new(pile(damping), settings).unwrap()
}

fn lid(engine: &Engine) -> usize {
    engine.wall_list().iter().position(|wall| wall.name == "lid").unwrap()
}

fn lid_id(lid: usize) -> WallId {
    WallId(u32::try_from(lid).unwrap())
}

#[test]
fn at_rest_the_bodies_bear_drive_and_weight() {
    let mut engine = pressed(1, 2e-5, 20.0);
    engine.advance(100_000).unwrap();
    let lid = lid(&engine);
    let report = engine.walls()[lid];
    assert_close("on the lid", report.force.z, 20.0 + 0.05 * 9.81, 1e-6);
    assert!(report.speed.abs() < 1e-9 && report.moved > 0.0, "{report:?}");
}

#[test]
fn books_close_with_order_two() {
    let drifts: Vec<f64> = [500_u32, 1000, 2000]
        .map(|steps| {
            let mut engine = pressed(1, 0.01 / f64::from(steps), 2.0);
            let before = engine.ledger().balance();
            engine.advance(steps.into()).unwrap();
            let ledger = engine.ledger();
            let spent = ledger.wall_work;
            assert!(spent > 0.0 && engine.contact_count() > 12);
            (ledger.balance() - before).abs() / spent
        })
        .to_vec();
    assert!(drifts[0] < 2e-2 && drifts[2] < drifts[0] / 10.0, "{drifts:?}");
}

/// Held bodies touch no walls, so that a wall which moves by itself would go through them.
#[test]
fn held_bodies_are_refused_beside_them() {
    let mut world = elastic();
    let ball = add_sphere(&mut world, RADIUS);
    world.add_body(Body::at(ball, LabVec::zero()).held());
    add_lid(&mut world, 2.0 * RADIUS, Freedom::sliding(Z, 1.0).unwrap());
    let mut engine = Engine::new(world, Settings::new(1e-5)).unwrap();
    let error = engine.advance(1).unwrap_err().to_string();
    assert!(error.contains("body 0") && error.contains("'lid'"), "{error}");
    engine.set_held(tumble_dem::BodyId(0), false).unwrap();
    engine.advance(1).unwrap();
}

#[test]
fn a_stop_takes_what_the_wall_had() {
    let mut world = elastic();
    let freedom = Freedom::sliding(Z, 2.0).unwrap().driven(8.0, Timing::Always).unwrap();
    add_lid(&mut world, 1.0, freedom.within([0.0, 0.5]).unwrap());
    let mut engine = Engine::new(world, Settings::new(1e-4)).unwrap();
    let before = engine.ledger().balance();
    engine.advance(10_000).unwrap();
    let (wall, ledger) = (engine.walls()[0], engine.ledger());
    assert_eq!((wall.moved, wall.speed), (0.5, 0.0));
    let lost = ledger.entries().find(|(key, _)| *key == "wall_stops").unwrap().1;
    assert_close("lost at the stop", lost, 8.0 * 0.5, 1e-9);
    assert_close("work", ledger.wall_work, 8.0 * 0.5, 1e-9);
    assert!((ledger.balance() - before).abs() < 1e-12);
}

#[test]
fn the_same_bits_on_threads_after_a_restart_and_with_another_drive() {
    let new_drive = |engine: &mut Engine| {
        let lid = lid(engine);
        let motion = engine.wall_list()[lid].motion.clone().driven_from(40.0, engine.time(), 1e-3);
        engine.set_wall_motion(lid_id(lid), motion).unwrap();
    };
    let whole = |threads: usize| {
        let mut engine = pressed(threads, 2e-5, 2.0);
        engine.advance(700).unwrap();
        new_drive(&mut engine);
        engine.advance(800).unwrap();
        engine
    };
    let expected = whole(1);
    for threads in [2, 3] {
        assert!(whole(threads).save().to_bytes() == expected.save().to_bytes(), "{threads} threads");
    }
    let mut engine = pressed(1, 2e-5, 2.0);
    engine.advance(700).unwrap();
    new_drive(&mut engine);
    engine.advance(123).unwrap();
    let bytes = engine.save().to_bytes();
    let mut again = pressed(2, 2e-5, 2.0);
    let lid = lid(&again);
    // Motions are no part of a state: whoever goes on sets them before.
    again.set_wall_motion(lid_id(lid), engine.wall_list()[lid].motion.clone()).unwrap();
    again.restore(&SavedState::from_bytes(&bytes, &pile(2.0)).unwrap()).unwrap();
    again.advance(677).unwrap();
    assert!(again.save().to_bytes() == expected.save().to_bytes());
}
