//! Guarantee: gravity, drag and prescribed fields act as their formulas say, on translation and rotation alike,
//! and the ledger tells what each of them gave and took. Forces that depend on velocity are evaluated with that
//! of the same instant, so that motions converge with the second order of the time step.

use crate::crowds::{RADIUS, advance, engine, v};
use core::f64::consts::PI;
use std::sync::Arc;
use tumble_dem::domain::Domain;
use tumble_dem::field::{BatchField, BodyView, Drag, ForceField, Load};
use tumble_dem::{Body, BodyId, Engine, LabVec, SchemeKind, Settings, TemplateId, World};

const BALL: TemplateId = TemplateId(0);
const G: f64 = 9.81;

fn falling(body: Body, drag: Option<Drag>) -> World {
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -G);
    world.drag = drag;
    world.add_body(body);
    world
}

/// Runs to time `end` in `steps` steps.
fn run(world: &World, scheme: SchemeKind, end: f64, steps: u32) -> Engine {
    let settings = Settings { rotation: scheme.into(), ..Settings::new(end / f64::from(steps)) };
    let mut engine = engine(world, &settings);
    advance(&mut engine, u64::from(steps));
    engine
}

/// The error with 800 and with 1600 steps; the second must be a fourth of the first.
fn second_order(case: &str, error: impl Fn(u32) -> f64) {
    let (coarse, fine) = (error(800).abs(), error(1600).abs());
    let order = (coarse / fine).log2();
    assert!((1.9..2.1).contains(&order), "{case}: {coarse:e}, then {fine:e}: order {order}");
}

/// The leapfrog is exact under a constant force, for any step.
#[test]
fn free_fall_is_exact() {
    let start = v(0.1, 0.2, 3.0);
    let velocity = v(1.0, -2.0, 4.0);
    let world = falling(Body::at(TemplateId(1), start).moving(velocity), None);
    for steps in [1, 7, 1000] {
        let t = 0.5;
        let engine = run(&world, SchemeKind::MagnusLeapfrog, t, steps);
        let body = engine.bodies()[0];
        let g = v(0.0, 0.0, -G);
        assert!((body.position - (start + velocity * t + g * (0.5 * t * t))).norm() < 1e-12);
        assert!((body.velocity - (velocity + g * t)).norm() < 1e-12);
        let ledger = engine.ledger();
        let initial = body.mass * (0.5 * velocity.norm_squared() + G * start.z);
        assert!((ledger.balance() - initial).abs() < 1e-12 * initial && ledger.work() == 0.0);
    }
}

/// Stokes: v = v∞ (1 − exp(−t/τ)) with v∞ = gτ, τ = m / 6πηR.
#[test]
fn linear_drag() {
    let viscosity = 0.5;
    let world = falling(Body::at(BALL, LabVec::zero()), Some(Drag::linear(viscosity)));
    let mass = engine(&world, &Settings::new(1e-4)).bodies()[0].mass;
    let tau = mass / (6.0 * PI * viscosity * RADIUS);
    let limit = G * tau;
    second_order("linear drag", |steps| {
        let body = run(&world, SchemeKind::MagnusLeapfrog, tau, steps).bodies()[0];
        -body.velocity.z - limit * (1.0 - (-1.0_f64).exp())
    });
    second_order("way in linear drag", |steps| {
        let body = run(&world, SchemeKind::MagnusLeapfrog, tau, steps).bodies()[0];
        -body.position.z - limit * tau * (-1.0_f64).exp()
    });
    let body = run(&world, SchemeKind::MagnusLeapfrog, 40.0 * tau, 4000).bodies()[0];
    assert!((body.velocity.z + limit).abs() < 1e-12 * limit, "{} of {limit}", body.velocity.z);
}

/// Newton: v = v∞ tanh(gt/v∞) with v∞² = 2mg / ρCπR².
#[test]
fn quadratic_drag() {
    let drag = Drag::quadratic(1000.0, 0.44);
    let world = falling(Body::at(BALL, LabVec::zero()), Some(drag));
    let mass = engine(&world, &Settings::new(1e-4)).bodies()[0].mass;
    let limit = (2.0 * mass * G / (1000.0 * 0.44 * PI * RADIUS * RADIUS)).sqrt();
    second_order("quadratic drag", |steps| {
        let body = run(&world, SchemeKind::MagnusLeapfrog, limit / G, steps).bodies()[0];
        -body.velocity.z - limit * 1.0_f64.tanh()
    });
    let body = run(&world, SchemeKind::MagnusLeapfrog, 30.0 * limit / G, 3000).bodies()[0];
    assert!((body.velocity.z + limit).abs() < 1e-12 * limit, "{} of {limit}", body.velocity.z);
}

/// A fluid that flows takes the bodies along.
#[test]
fn bodies_follow_the_flow() {
    let flow = v(0.3, -0.2, 0.1);
    let drag = Drag { viscosity: 1.0, density: 100.0, coefficient: 1.0, flow };
    let mut world = falling(Body::at(TemplateId(1), LabVec::zero()).moving(v(0.0, 1.0, 0.0)), Some(drag));
    world.gravity = LabVec::zero();
    let engine = run(&world, SchemeKind::MagnusLeapfrog, 1.0, 20_000);
    assert!((engine.bodies()[0].velocity - flow).norm() < 1e-12);
    // What the fluid gave and took is the change of energy.
    let (ledger, mass) = (engine.ledger(), engine.bodies()[0].mass);
    let gained = 0.5 * mass * (flow.norm_squared() - 1.0);
    assert!((ledger.drag + gained).abs() < 1e-4 * gained.abs(), "{} and {gained}", ledger.drag);
}

/// ω = ω₀ exp(−t/τ) with τ = I / 8πηR³, whatever the scheme.
#[test]
fn spin_decays() {
    let viscosity = 0.2;
    let spin = v(30.0, -50.0, 80.0);
    let mut world = falling(Body::at(BALL, LabVec::zero()).spinning(spin), Some(Drag::linear(viscosity)));
    world.gravity = LabVec::zero();
    let inertia = engine(&world, &Settings::new(1e-4)).bodies()[0].moments.x;
    let tau = inertia / (8.0 * PI * viscosity * RADIUS * RADIUS * RADIUS);
    let schemes = [
        SchemeKind::SpiralLeapfrog,
        SchemeKind::MagnusLeapfrog,
        SchemeKind::KickRotateKick,
        SchemeKind::Fincham,
        SchemeKind::Omelyan,
    ];
    for scheme in schemes {
        second_order(scheme.name(), |steps| {
            let body = run(&world, scheme, tau, steps).bodies()[0];
            (body.angular_velocity - spin * (-1.0_f64).exp()).norm()
        });
        second_order(&format!("books of {}", scheme.name()), |steps| {
            let ledger = run(&world, scheme, tau, steps).ledger();
            ledger.drag - 0.5 * inertia * spin.norm_squared() * (1.0 - (-2.0_f64).exp())
        });
    }
}

/// What drag took is what gravity gave and the body does not have.
#[test]
fn the_ledger_of_drag() {
    let world = falling(
        Body::at(TemplateId(1), LabVec::zero()).moving(v(2.0, 0.0, 0.0)).spinning(v(10.0, 90.0, 40.0)),
        Some(Drag { viscosity: 0.1, density: 500.0, coefficient: 0.5, flow: LabVec::zero() }),
    );
    let initial = engine(&world, &Settings::new(1e-6)).ledger().mechanical();
    second_order("balance with drag", |steps| {
        let ledger = run(&world, SchemeKind::MagnusLeapfrog, 0.05, steps).ledger();
        assert!(ledger.drag > 0.5 * initial, "{ledger:?}");
        ledger.balance() - initial
    });
}

/// A spring to the origin, and a torque that grows with time.
#[derive(Debug)]
struct Trap {
    stiffness: f64,
    torque: LabVec<f64>,
}

impl ForceField for Trap {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        Load { force: body.position * -self.stiffness, torque: self.torque * time }
    }
}

/// x = x₀ cos ωt + v₀/ω sin ωt; the work of the field is what the spring gave.
#[test]
fn a_harmonic_trap() {
    let (start, velocity) = (v(0.02, 0.01, -0.03), v(0.5, -0.4, 0.2));
    let stiffness = 3.0;
    let mut world = falling(Body::at(BALL, start).moving(velocity), None);
    world.gravity = LabVec::zero();
    world.fields.push(Arc::new(Trap { stiffness, torque: LabVec::zero() }));
    let mass = engine(&world, &Settings::new(1e-4)).bodies()[0].mass;
    let omega = (stiffness / mass).sqrt();
    let end = 4.0 / omega;
    let exact = start * 4.0_f64.cos() + velocity * (4.0_f64.sin() / omega);
    second_order("trap", |steps| {
        (run(&world, SchemeKind::MagnusLeapfrog, end, steps).bodies()[0].position - exact).norm()
    });
    let given = 0.5 * stiffness * (start.norm_squared() - exact.norm_squared());
    second_order("work of the trap", |steps| {
        run(&world, SchemeKind::MagnusLeapfrog, end, steps).ledger().field_work - given
    });
    // The leapfrog neither heats nor cools the motion: its energy is off by a bounded part for ever.
    let mut engine = engine(&world, &Settings::new(end / 200.0));
    let initial = engine.ledger().kinetic() + 0.5 * stiffness * start.norm_squared();
    for _ in 0..200 {
        advance(&mut engine, 50);
        let place = engine.bodies()[0].position;
        let energy = engine.ledger().kinetic() + 0.5 * stiffness * place.norm_squared();
        assert!((energy / initial - 1.0).abs() < 2e-4, "{}", energy / initial - 1.0);
    }
}

/// Fields see the time: τ = at gives ω = at²/2I about an axis of a ball.
#[test]
fn a_torque_that_grows() {
    let torque = v(1e-5, 2e-5, -1e-5);
    let mut world = falling(Body::at(BALL, LabVec::zero()), None);
    world.gravity = LabVec::zero();
    world.fields.push(Arc::new(Trap { stiffness: 0.0, torque }));
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick, SchemeKind::Fincham] {
        let engine = run(&world, scheme, 0.1, 1000);
        let body = engine.bodies()[0];
        let exact = torque * (0.5 * 0.1 * 0.1 / body.moments.x);
        let off = (body.angular_velocity - exact).norm() / exact.norm();
        assert!(off < 1e-5, "{}: {off:e}", scheme.name());
        let ledger = engine.ledger();
        assert!((ledger.field_work / ledger.rotational - 1.0).abs() < 1e-5, "{}: {ledger:?}", scheme.name());
    }
}

/// Several fields and drag add up, and a held body takes no energy from them.
#[test]
fn fields_add_up() {
    let mut world = falling(Body::at(BALL, v(0.01, 0.0, 0.0)), Some(Drag::linear(0.1)));
    world.add_body(Body::at(BALL, v(0.2, 0.0, 0.0)).moving(v(0.0, 1.0, 0.0)).held());
    for stiffness in [1.0, 2.0] {
        world.fields.push(Arc::new(Trap { stiffness, torque: LabVec::zero() }));
    }
    let engine = run(&world, SchemeKind::MagnusLeapfrog, 1e-4, 10);
    let [free, held] = [engine.bodies()[0], engine.bodies()[1]];
    let expected =
        free.position * -3.0 + v(0.0, 0.0, -G * free.mass) - free.velocity * (6.0 * PI * 0.1 * RADIUS);
    assert!((free.force - expected).norm() < 1e-6 * expected.norm(), "{:?} {expected:?}", free.force);
    assert!((held.position - v(0.2, 1e-4, 0.0)).norm() < 1e-15);
    let ledger = engine.ledger();
    // All of the held body's drag and pull would be far more.
    assert!(
        ledger.drag.abs() < 1e-9 && ledger.field_work.abs() < 1e-6 && ledger.hand_work == 0.0,
        "{ledger:?}"
    );
}

/// The same as a field of single bodies, written for all of them.
#[derive(Debug)]
struct ForAll<F>(F);

impl<F: ForceField> BatchField for ForAll<F> {
    fn add_loads(&self, bodies: &[BodyView], time: f64, loads: &mut [Load]) -> Result<(), String> {
        assert!(bodies.is_sorted_by_key(|body| body.id), "in the order of ids");
        for (body, load) in bodies.iter().zip(loads) {
            let own = self.0.load(body, time);
            *load = Load { force: load.force + own.force, torque: load.torque + own.torque };
        }
        Ok(())
    }
}

/// Begins with nothing.
#[derive(Debug)]
struct Growing(Trap);

impl ForceField for Growing {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        let Load { force, torque } = self.0.load(body, time);
        Load { force: force * (1e3 * time), torque }
    }
}

/// In a crowd whose rows are sorted anew, and whose bodies come and go, a force on all at once is that on each, to the
/// last bit.
#[test]
fn a_force_on_all_is_a_force_on_each() {
    let field = || Growing(Trap { stiffness: 0.5, torque: v(1e-6, -2e-6, 3e-6) });
    let mut world = crate::crowds::busy_world(Domain::open());
    world.drag = None;
    let mut all = engine(&world, &crate::crowds::settings());
    all.add_batch_field(Arc::new(ForAll(field()))).unwrap();
    world.fields = vec![Arc::new(field())];
    let mut each = engine(&world, &crate::crowds::settings());
    for run in [&mut each, &mut all] {
        advance(run, 50);
        // A small one in the place of one that is gone, where there is room.
        let place = run.bodies()[0].position;
        run.remove_bodies(&[BodyId(0)]).unwrap();
        run.add_bodies(&[Body::at(BALL, place).scaled(0.1)]).unwrap();
        advance(run, 50);
    }
    assert_eq!(each.bodies(), all.bodies());
    let (each, all) = (each.ledger(), all.ledger());
    assert!((each.balance() - all.balance()).abs() < 1e-14 * each.kinetic(), "{each:?} {all:?}");
}

/// The same bits on several threads, and nothing is left of a force that was taken away.
#[test]
fn a_force_on_all_has_the_same_bits_on_threads_and_ends() {
    let world = crate::crowds::busy_world(Domain::open());
    let run = |threads| {
        let mut engine = engine(&world, &Settings { threads, ..crate::crowds::settings() });
        engine.add_batch_field(Arc::new(ForAll(Trap { stiffness: 0.5, torque: v(1e-6, 0.0, 0.0) }))).unwrap();
        advance(&mut engine, 100);
        engine
    };
    assert_eq!(crate::crowds::state(&run(1)), crate::crowds::state(&run(3)));
    let mut engine = run(1);
    engine.clear_batch_fields().unwrap();
    advance(&mut engine, 1);
    let work = engine.ledger().field_work;
    advance(&mut engine, 100);
    assert_eq!(engine.ledger().field_work.to_bits(), work.to_bits());
}

/// Fails from a time on.
#[derive(Debug)]
struct Failing(f64);

impl BatchField for Failing {
    fn add_loads(&self, _: &[BodyView], time: f64, _: &mut [Load]) -> Result<(), String> {
        if time < self.0 { Ok(()) } else { Err("no force today".into()) }
    }
}

#[test]
fn a_force_that_cannot_be_told_stops_the_run() {
    let world = falling(Body::at(BALL, LabVec::zero()), None);
    let mut engine = engine(&world, &Settings::new(1e-4));
    engine.add_batch_field(Arc::new(Failing(0.00995))).unwrap();
    let error = engine.advance(1000).unwrap_err().to_string();
    assert!(error.contains("no force today") && error.contains("the engine is back at t = 0"), "{error}");
    engine.clear_batch_fields().unwrap();
    engine.advance(1000).unwrap();
}

/// A push in one direction.
#[derive(Debug)]
struct Push(f64);

impl ForceField for Push {
    fn load(&self, body: &BodyView, _: f64) -> Load {
        Load { force: v(self.0 * body.mass, 0.0, 0.0), torque: LabVec::zero() }
    }
}

/// What drags and pushes can be another during a run: each acts from that instant on, and what is wrong changes nothing.
#[test]
fn drag_and_fields_are_changed_by_hand() {
    let world = falling(Body::at(BALL, LabVec::zero()), None);
    let mut engine = engine(&world, &Settings::new(1e-4));
    let balance = engine.ledger().balance();
    engine.advance(1000).unwrap();
    engine.set_fields(vec![Arc::new(Push(2.0)), Arc::new(Push(1.0))]).unwrap();
    engine.advance(1000).unwrap();
    let pushed = engine.bodies()[0];
    assert!((pushed.velocity - v(0.3, 0.0, -0.2 * G)).norm() < 1e-12, "{:?}", pushed.velocity);
    let saved = engine.save();
    assert!(engine.set_drag(Some(Drag::linear(-1.0))).unwrap_err().to_string().contains("the drag"));
    assert!(engine.save().to_bytes() == saved.to_bytes());
    engine.set_fields(Vec::new()).unwrap();
    let drag = Drag::linear(0.5);
    engine.set_drag(Some(drag)).unwrap();
    engine.advance(1000).unwrap();
    let tau = pushed.mass / (6.0 * PI * drag.viscosity * RADIUS);
    let dragged = engine.bodies()[0];
    assert!((dragged.velocity.x - 0.3 * (-0.1 / tau).exp()).abs() < 1e-6, "{:?}", dragged.velocity);
    engine.set_drag(None).unwrap();
    engine.advance(1000).unwrap();
    assert!((engine.bodies()[0].velocity - dragged.velocity - v(0.0, 0.0, -0.1 * G)).norm() < 1e-12);
    let ledger = engine.ledger();
    assert!(ledger.field_work > 0.0 && ledger.drag > 0.0);
    let (off, turned_over) = ((ledger.balance() - balance).abs(), ledger.drag + ledger.field_work);
    assert!(off < 1e-4 * turned_over, "{off} J of {turned_over} J");
}
