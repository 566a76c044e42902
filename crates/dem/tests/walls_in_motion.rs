//! Guarantee: what walls report is what bodies get. Forces, torques, power and work agree with the change of
//! momentum and with the ledger to round-off, however walls move; and bodies on belts, plates, in drums, hoppers
//! and around obstacles move as mechanics says.

use crate::crowds::{DT, RADIUS, advance, box_mesh, busy_world, closed_box, engine, plane, settings, v};
use std::sync::Arc;
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::property::ROLLING_FRICTION;
use tumble_dem::wall::{Cone, Cylinder, Drive, Motion, Movement, Pose, Shape, Side, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings, TemplateId, WallId, World};

const BALL: TemplateId = TemplateId(0);
const G: f64 = 9.81;

fn add(a: LabVec<f64>, b: LabVec<f64>) -> LabVec<f64> {
    a + b
}

/// Of all bodies: momentum, and force less weight.
fn momentum(engine: &Engine) -> LabVec<f64> {
    engine.bodies().iter().map(|body| body.velocity * body.mass).fold(LabVec::zero(), add)
}

fn wall(name: &str, shape: impl Into<Shape>, parts: Vec<Movement>) -> Wall {
    Wall::new(name, shape, MaterialId(0), Motion::new(parts).unwrap()).unwrap()
}

/// How deep a ball of material 0 sinks into a wall of it under a load, m: F = 4/3 E* √R δ^{3/2}.
fn sinkage(load: f64) -> f64 {
    let modulus = 5e6 / (2.0 * (1.0 - 0.3 * 0.3));
    (0.75 * load / (modulus * RADIUS.sqrt())).powf(2.0 / 3.0)
}

/// A crowd in a box with a shaking floor and a spinning mesh. At every step: forces and torques on bodies and
/// walls add up to nothing, and the power of each wall is that of its rigid motion against the load. Over
/// time: force is the change of momentum, and power that of the ledger's work, by the trapezoid rule exactly.
#[test]
fn reports_agree_with_bodies_and_ledger() {
    let models = [
        ContactModel::default(),
        ContactModel {
            law: LawKind::Linear,
            rolling: RollingKind::ElasticPlastic,
            twisting: TwistingKind::ElasticPlastic,
        },
    ];
    for contact in models {
        let mut world = busy_world(Domain::open());
        world.drag = None;
        world.bodies.iter_mut().for_each(|body| body.held = false);
        let (axis, pivot) = (v(0.2, 1.0, 0.0), v(0.06, 0.0, 0.0));
        let rocking = Movement::Rocking { axis, pivot, amplitude: 0.02, frequency: 80.0, phase: 1.0 };
        let drifting = Movement::Drift { velocity: v(0.5, 0.2, 0.0) };
        world.walls.push(plane("belt", v(0.0, 0.0, -1e-3), v(0.0, 0.0, 1.0), vec![rocking, drifting]));
        let mut engine = engine(&world, &Settings { contact, ..settings() });
        let mut impulse = LabVec::zero();
        let mut work = 0.0;
        let (before, start) = (momentum(&engine), engine.ledger());
        let weight = engine.bodies().iter().map(|body| world.gravity * body.mass).fold(LabVec::zero(), add);
        let mut forces = 0.0;
        let steps = 400;
        for step in 0..=steps {
            let (bodies, walls) = (engine.bodies(), engine.walls());
            let scale = bodies.iter().fold(1e-6, |sum, body| sum + body.force.norm());
            let force = walls.iter().map(|wall| wall.force).fold(LabVec::zero(), add);
            let on_bodies = bodies.iter().map(|body| body.force).fold(LabVec::zero(), add);
            assert!((on_bodies - weight + force).norm() < 1e-12 * scale);
            // About the origin of the lab.
            let on_walls =
                walls.iter().map(|wall| wall.torque + wall.about.cross(wall.force)).fold(LabVec::zero(), add);
            let turning = |body: &tumble_dem::BodyState| {
                body.torque + body.position.cross(body.force - world.gravity * body.mass)
            };
            let on_bodies = bodies.iter().map(turning).fold(LabVec::zero(), add);
            assert!((on_bodies + on_walls).norm() < 1e-12 * scale * 0.1);
            for (report, wall) in walls.iter().zip(&world.walls) {
                let pose = wall.motion.at(engine.time());
                let spent = -report.force.dot(pose.velocity_at(report.about))
                    - report.torque.dot(pose.angular_velocity);
                assert!(
                    (spent - report.power).abs() < 1e-10 * scale,
                    "{}: {spent} {}",
                    wall.name,
                    report.power
                );
            }
            let share = if step == 0 || step == steps { 0.5 } else { 1.0 };
            impulse = impulse + (weight - force) * (share * DT);
            work += share * DT * walls.iter().map(|wall| wall.power).sum::<f64>();
            forces += force.norm();
            if step < steps {
                advance(&mut engine, 1);
            }
        }
        let size = bodies_momentum(&engine);
        assert!(forces > 100.0, "nothing touched: {forces}");
        let off = (momentum(&engine) - before - impulse).norm();
        assert!(off < 1e-12 * size, "{off:e} of {size:e}");
        let ledger = engine.ledger();
        let done = ledger.wall_work - start.wall_work;
        assert!((done - work).abs() < 1e-12 * ledger.kinetic(), "{done:e} and {work:e}");
        assert!(done.abs() > 1e-4 * ledger.kinetic(), "{done:e} of {:e}", ledger.kinetic());
        let drift = (ledger.balance() - start.balance()) / start.mechanical();
        assert!(drift.abs() < 0.01, "{drift}");
    }
}

fn bodies_momentum(engine: &Engine) -> f64 {
    engine.bodies().iter().map(|body| body.mass * body.velocity.norm()).sum()
}

/// A ball at rest put on a belt slides until it rolls. With the arm a of friction, v = V / (1 + m a²/I): two
/// sevenths of the belt's speed for a hard ball.
#[test]
fn a_ball_on_a_belt() {
    let speed = 0.5;
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -G);
    let belt = Movement::Drift { velocity: v(speed, 0.0, 0.0) };
    world.walls.push(plane("belt", LabVec::zero(), v(0.0, 0.0, 1.0), vec![belt]));
    let mass = world.templates[0].mass(1200.0, 1.0);
    let overlap = sinkage(mass * G);
    world.add_body(Body::at(BALL, v(0.0, 0.0, RADIUS - overlap)));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 10_000);
    let body = engine.bodies()[0];
    let arm = RADIUS;
    let expected = speed / (1.0 + arm * arm / (0.4 * RADIUS * RADIUS));
    assert!((body.velocity.x / expected - 1.0).abs() < 1e-4, "{} not {expected}", body.velocity.x);
    assert!((expected / speed - 2.0 / 7.0).abs() < 1e-3);
    assert!((body.velocity.x + body.angular_velocity.y * -arm - speed).abs() < 1e-4 * speed);
    // Half of what the belt spent while the ball slid was lost.
    let ledger = engine.ledger();
    assert!((ledger.wall_work - mass * expected * speed).abs() < 1e-3 * ledger.wall_work, "{ledger:?}");
    assert!((ledger.lost() / ledger.kinetic() - 1.0).abs() < 0.01, "{ledger:?}");
}

/// A plate that rises lifts the ball on it at its own speed, with its weight and the power that takes.
#[test]
fn a_plate_that_rises() {
    let speed = 0.1;
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -G);
    let rise = Movement::Drift { velocity: v(0.0, 0.0, speed) };
    world.walls.push(plane("plate", LabVec::zero(), v(0.0, 0.0, 1.0), vec![rise]));
    let start = 1.2 * RADIUS;
    world.add_body(Body::at(BALL, v(0.0, 0.0, start)));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 40_000);
    let (body, report) = (engine.bodies()[0], engine.walls()[0]);
    let weight = body.mass * G;
    assert!((body.velocity.z / speed - 1.0).abs() < 1e-6, "{}", body.velocity.z);
    assert!((report.force.z / -weight - 1.0).abs() < 1e-5, "{} not {weight}", report.force.z);
    assert!((report.power / (weight * speed) - 1.0).abs() < 1e-5);
    assert!((report.about - v(0.0, 0.0, speed * engine.time())).norm() < 1e-14);
    let sunk = speed * engine.time() + RADIUS - body.position.z;
    assert!((sunk / sinkage(weight) - 1.0).abs() < 1e-5, "{sunk}");
    let ledger = engine.ledger();
    let stored = ledger.mechanical() - weight * start + ledger.lost();
    assert!((ledger.wall_work / stored - 1.0).abs() < 1e-3, "{ledger:?}");
}

/// A floor that vibrates gives its bodies, on average, their weight.
#[test]
fn a_plate_that_shakes() {
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -G);
    let shaking = Movement::Vibration { amplitude: v(0.0, 0.0, 1e-3), frequency: 25.0, phase: 0.5 };
    world.walls.push(plane("table", LabVec::zero(), v(0.0, 0.0, 1.0), vec![shaking]));
    for i in 0..5 {
        world.add_body(Body::at(BALL, v(3.0 * RADIUS * f64::from(i), 0.0, 1.5 * RADIUS)));
    }
    let mut engine = engine(&world, &settings());
    let (mut impulse, steps) = (0.0, 40_000);
    for _ in 0..steps {
        advance(&mut engine, 1);
        impulse -= engine.walls()[0].force.z * DT;
    }
    let weight: f64 = engine.bodies().iter().map(|body| body.mass * G).sum();
    // The rest is the momentum that the bodies have at the end.
    let mean = impulse / (f64::from(steps) * DT);
    let rest = momentum(&engine).z / (f64::from(steps) * DT);
    assert!((mean - weight - rest).abs() < 1e-6 * weight, "{mean} {weight} {rest}");
    assert!(rest.abs() < 0.3 * weight);
    let ledger = engine.ledger();
    assert!(ledger.wall_work > 0.0 && ledger.lost() > 0.0);
    assert!(engine.bodies().iter().all(|body| body.position.z > 0.5 * RADIUS));
}

/// A ball in a drum that turns rolls on the spot, where the moment of its weight is the rolling couple:
/// tan α = μᵣ R/a uphill. All that the drum spends is lost to rolling.
#[test]
fn a_ball_in_a_drum() {
    let (drum, rate, rolling_friction) = (0.05, 8.0, 0.1);
    let mut world = crate::crowds::world();
    let properties = world.materials.properties(MaterialId(0), MaterialId(0)).unwrap();
    world.materials.set_default(properties.clone().with(&ROLLING_FRICTION, rolling_friction));
    world.gravity = v(0.0, 0.0, -G);
    let y = v(0.0, 1.0, 0.0);
    let tube = Cylinder::new(LabVec::zero(), y, drum, Side::Inside, None).unwrap();
    let spin = Movement::Spin { axis: y, pivot: LabVec::zero(), rate };
    world.walls.push(wall("drum", tube, vec![spin]));
    let mass = world.templates[0].mass(1200.0, 1.0);
    let angle = (rolling_friction * 1.001_f64).atan();
    let overlap = sinkage(mass * G * angle.cos());
    let (distance, arm) = (drum - RADIUS + overlap, RADIUS);
    // The lowest part of the drum moves towards −x.
    let place = v(-angle.sin(), 0.0, -angle.cos()) * distance;
    let ball_rate = rate * (drum + overlap) / arm;
    world.add_body(Body::at(BALL, place).spinning(y * ball_rate));
    let contact = ContactModel { rolling: RollingKind::ConstantTorque, ..ContactModel::default() };
    let mut engine = engine(&world, &Settings { contact, ..settings() });
    // Long enough to fall to the bottom and back if it were not carried.
    for _ in 0..100 {
        advance(&mut engine, 500);
        let body = engine.bodies()[0];
        let found = (-body.position.x).atan2(-body.position.z);
        assert!((found - angle).abs() < 0.01 * angle, "{found} not {angle}");
        assert!((body.angular_velocity.y / ball_rate - 1.0).abs() < 0.01, "{}", body.angular_velocity.y);
        assert!(body.velocity.norm() < 0.01 * rate * drum, "{}", body.velocity.norm());
    }
    let ledger = engine.ledger();
    assert!((ledger.rolling / ledger.wall_work - 1.0).abs() < 0.02, "{ledger:?}");
    let report = engine.walls()[0];
    let spent = -report.torque.y * rate;
    assert!((report.power / spent - 1.0).abs() < 1e-9);
}

/// A ball released on the wall of a hopper of 45° rolls down with 5/7 of the sliding acceleration, g cos 45°,
/// and leaves through the outlet.
#[test]
fn a_ball_in_a_hopper() {
    let slope = 0.5_f64.sqrt();
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -G);
    let (low, high) = (1.6 * RADIUS, 12.0 * RADIUS);
    let hopper = Cone::new([LabVec::zero(), v(0.0, 0.0, high - low)], [low, high], Side::Inside).unwrap();
    world.walls.push(wall("hopper", hopper, Vec::new()));
    let mass = world.templates[0].mass(1200.0, 1.0);
    let lift = RADIUS - sinkage(mass * G * slope);
    // On the line ρ = low + z, a lift to the inside and above.
    let z = 8.0 * RADIUS;
    let start = v(low + z, 0.0, z) + v(-slope, 0.0, slope) * lift;
    world.add_body(Body::at(BALL, start));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 8000);
    let t = engine.time();
    let way = v(-slope, 0.0, -slope) * (0.5 * t * t * G * slope / (1.0 + 1.0 / 0.4) / 0.4);
    let found = engine.bodies()[0].position - start;
    assert!((found - way).norm() < 0.02 * way.norm(), "{found:?} not {way:?}");
    advance(&mut engine, 30_000);
    let body = engine.bodies()[0];
    assert!(body.position.z < -10.0 * RADIUS && engine.contact_count() == 0, "{:?}", body.position);
}

/// An elastic ball that flies past a rod, offset by b, is deflected by π − 2 asin(b/(R + r)) if it is hard; its
/// energy, and its angular momentum about the rod, stay.
#[test]
fn a_ball_and_an_obstacle() {
    let rod = 2.0 * RADIUS;
    let speed = 0.02;
    for length in [None, Some(0.2)] {
        let mut world = crate::crowds::world();
        let shape = Cylinder::new(v(0.0, -0.1, 0.0), v(0.0, 1.0, 0.0), rod, Side::Outside, length).unwrap();
        world.walls.push(wall("obstacle", shape, Vec::new()));
        let offset = 1.5 * RADIUS;
        let start = v(-4.0 * RADIUS, 0.0, offset);
        world.add_body(Body::at(BALL, start).moving(v(speed, 0.0, 0.0)));
        let contact = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
        let mut engine = engine(&world, &Settings { contact, ..settings() });
        advance(&mut engine, 120_000);
        let body = engine.bodies()[0];
        assert_eq!(engine.contact_count(), 0);
        let deflection = body.velocity.z.atan2(body.velocity.x);
        let expected = core::f64::consts::PI - 2.0 * (offset / (rod + RADIUS)).asin();
        assert!((deflection / expected - 1.0).abs() < 0.01, "{deflection} not {expected}");
        let about = body.position.cross(body.velocity).y - start.cross(v(speed, 0.0, 0.0)).y;
        assert!(about.abs() < 1e-10 * speed * offset, "{about:e}");
        assert!((body.velocity.norm() / speed - 1.0).abs() < 1e-6);
    }
}

/// A box of triangles and the box itself are the same wall: faces, edges and corners.
#[test]
fn a_mesh_of_a_box_is_the_box() {
    let size = 0.06;
    let mut of_planes = crate::crowds::world();
    of_planes.gravity = v(0.3, 0.2, -G);
    for (i, template) in [0, 1, 0, 3].into_iter().enumerate() {
        let place = v(0.012, 0.014, 0.012 + 0.012 * i as f64);
        let body = Body::at(TemplateId(template), place).moving(v(0.7, -0.9 + 0.5 * i as f64, -0.4));
        of_planes.add_body(body.spinning(v(50.0, 20.0, -30.0)));
    }
    let mut of_triangles = of_planes.clone();
    of_planes.walls.push(closed_box(size));
    let mesh = box_mesh(LabVec::zero(), v(size, size, size));
    of_triangles.walls.push(Wall::new("box", mesh, MaterialId(1), Motion::fixed()).unwrap());
    let run = |world: &World| {
        let mut engine = engine(world, &settings());
        let mut contacts = 0;
        for _ in 0..2000 {
            advance(&mut engine, 2);
            contacts += engine.walls().iter().filter(|wall| wall.force.norm() > 0.0).count();
        }
        (engine.bodies(), engine.ledger(), contacts)
    };
    let (expected, ledger, contacts) = run(&of_planes);
    let (found, other_ledger, other_contacts) = run(&of_triangles);
    assert!(contacts > 200 && contacts == other_contacts, "{contacts} {other_contacts}");
    for (a, b) in expected.iter().zip(&found) {
        let (place, velocity) = ((a.position - b.position).norm(), (a.velocity - b.velocity).norm());
        assert!(place < 1e-9 && velocity < 1e-9, "body {}: {place:e} {velocity:e}", a.id.0);
    }
    assert!((ledger.lost() / other_ledger.lost() - 1.0).abs() < 1e-9);
}

/// Bodies that are held may stand on a wall or in it, and others lean on them.
#[test]
fn held_bodies_in_a_wall() {
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -G);
    world.walls.push(plane("floor", LabVec::zero(), v(0.0, 0.0, 1.0), Vec::new()));
    world.add_body(Body::at(BALL, v(0.0, 0.0, 0.5 * RADIUS)).held());
    world.add_body(Body::at(BALL, v(0.0, 0.0, 2.48 * RADIUS)));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 5);
    assert_eq!(engine.contact_count(), 1);
    let [held, free] = [engine.bodies()[0], engine.bodies()[1]];
    let values = [held.velocity, held.force, free.position, free.force].map(LabVec::to_array);
    assert!(values.iter().flatten().all(|value| value.is_finite()), "{values:?}");
    assert!(held.force.z < -held.mass * G && engine.walls()[0].force.norm() == 0.0);
    assert!(engine.ledger().balance().is_finite());
}

/// A motion of the scene, told by a program.
#[derive(Debug)]
struct Told(Motion);

impl Drive for Told {
    fn pose(&self, t: f64) -> Result<Pose, String> {
        if t < 0.5 { Ok(self.0.at(t)) } else { Err("nobody knows".into()) }
    }
}

/// A shaking floor that a program drives is the one that shakes by itself, to the last bit.
#[test]
fn a_driven_wall_moves_as_it_is_told() {
    let shaking = || vec![Movement::Vibration { amplitude: v(0.0, 0.0, 1e-4), frequency: 60.0, phase: 0.3 }];
    let world = |parts| {
        let mut world = crate::crowds::world();
        world.gravity = v(0.0, 0.0, -G);
        world.walls.push(plane("floor", LabVec::zero(), v(0.0, 0.0, 1.0), parts));
        world.add_body(Body::at(BALL, v(0.0, 0.0, 1.1 * RADIUS)));
        world
    };
    let mut own = engine(&world(shaking()), &settings());
    let mut told = engine(&world(Vec::new()), &settings());
    let drive = Arc::new(Told(Motion::new(shaking()).unwrap()));
    told.set_wall_motion(WallId(0), Motion::driven(drive)).unwrap();
    for run in [&mut own, &mut told] {
        advance(run, 3000);
    }
    assert_eq!(own.bodies(), told.bodies());
    assert!(own.ledger().wall_work.abs() > 0.0);
    assert_eq!(own.ledger().wall_work.to_bits(), told.ledger().wall_work.to_bits());

    let error = told.advance(1_000_000).unwrap_err().to_string();
    assert!(error.contains("the motion of the wall 'floor': nobody knows"), "{error}");
    assert!(told.set_wall_motion(WallId(7), Motion::fixed()).unwrap_err().to_string().contains("no wall 7"));
    told.set_wall_motion(WallId(0), Motion::fixed()).unwrap();
    told.advance(100).unwrap();
}
