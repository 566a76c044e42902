//! Periodic cells that are sheared: a path without forces is straight, an end is nowhere, momentum goes as it must, the books close
//! with order 2, and bits depend neither on the skin, nor on threads, nor on going on from saved bytes.

use tumble_dem::clump::{ClumpCapsule, ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::Domain;
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::{
    Body, BodyState, Cell, Clock, Control, Engine, LabVec, SavedState, Settings, Shear, ShearDrive, Solver,
    World, fingerprint,
};

const RADIUS: f64 = 0.01;

fn sheared(shear: Shear) -> Cell {
    Cell { axes: [Control::Fixed; 3], shear: Some(shear), mass: 1.0, viscosity: 0.0 }
}

fn along(flow: usize, gradient: usize, rate: f64) -> Shear {
    Shear { flow, gradient, drive: ShearDrive::Rate { rate, until: None } }
}

fn up_to(until: f64, flow: usize, gradient: usize, rate: f64) -> Shear {
    Shear { flow, gradient, drive: ShearDrive::Rate { rate, until: Some(until) } }
}

fn held(flow: usize, gradient: usize, stress: f64) -> Shear {
    Shear { flow, gradient, drive: ShearDrive::Stress { stress } }
}

/// Sheared at a constant pressure across the layers, and getting longer along the flow.
pub(crate) fn mixed() -> Cell {
    let axes =
        [Control::Strain { rate: 0.5, until: None }, Control::Fixed, Control::Stress { pressure: 2e4 }];
    Cell { axes, shear: Some(along(0, 2, 6.0)), mass: 0.5, viscosity: 2e3 }
}

/// A shear stress along the layers and a pressure across them.
pub(crate) fn dragged() -> Cell {
    let axes = [Control::Fixed, Control::Fixed, Control::Stress { pressure: 2e4 }];
    Cell { axes, shear: Some(held(0, 2, 8e3)), mass: 0.5, viscosity: 2e3 }
}

fn world(cell: Cell, friction: f64) -> World {
    let glass = Material::new("glass", 2500.0, 1e7, 0.25);
    let mut world =
        World { materials: Materials::of(glass, PairProperties::new(0.8, friction)), ..World::default() };
    world.add_template(ClumpTemplate::sphere("ball", RADIUS).unwrap()).unwrap();
    let capsule = ClumpCapsule::new([0.0, 0.0, -0.35 * RADIUS], [0.0, 0.0, 0.35 * RADIUS], 0.6 * RADIUS);
    let rod = shapes::rod(2, 0.7 * RADIUS, 0.6 * RADIUS);
    for (name, spheres, capsules) in [("capsule", &[][..], &[capsule][..]), ("rod", &rod, &[])] {
        let template = ClumpTemplate::with_capsules(name, spheres, capsules, MassModel::Union).unwrap();
        world.add_template(template).unwrap();
    }
    world.domain = Domain::periodic(LabVec::zero(), LabVec::new(0.08, 0.08, 0.08));
    world.cell = Some(cell);
    world
}

/// So many bodies along each axis, which touch, shaken a little and in motion: of all shapes, or balls alone.
pub(crate) fn crowd(count: u32, cell: Cell, friction: f64, all: bool) -> World {
    let mut world = world(cell, friction);
    let (mut random, spacing) = (Random::new(7), 2.0 * RADIUS);
    let mut draw = || LabVec::from_array([(); 3].map(|()| random.uniform() - 0.5));
    for number in 0..count * count * count {
        let site = [number % count, number / count % count, number / count / count].map(f64::from);
        let place = LabVec::from_array(site.map(|k| (k + 0.5) * spacing));
        let template = tumble_dem::TemplateId(if all { u16::try_from(number % 3).unwrap() } else { 0 });
        let body = Body::at(template, place + draw() * (0.1 * RADIUS)).moving(draw() * 0.2);
        world.add_body(body.spinning(draw() * 5.0));
    }
    let side = f64::from(count) * spacing;
    world.domain = Domain::periodic(LabVec::zero(), LabVec::new(side, side, side));
    world
}

/// In the laboratory it goes straight on, and each image of it does: to rounding, whatever the step, through all ends.
#[test]
fn a_free_ball_goes_straight() {
    let planes = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];
    for ((flow, gradient), rate) in planes.into_iter().zip([3.0, -3.0, 40.0, -1.0, 0.3, 7.0]) {
        for steps in [30_u32, 700] {
            let mut world = world(sheared(along(flow, gradient, rate)), 0.0);
            let (from, velocity) = (LabVec::new(0.013, 0.071, 0.044), LabVec::new(0.3, -0.25, 0.4));
            world.add_body(Body::at(tumble_dem::TemplateId(0), from).moving(velocity));
            let time = 1.7;
            let mut engine = Engine::new(world, Settings::new(time / f64::from(steps))).unwrap();
            engine.advance(steps.into()).unwrap();
            let [x, u] = [from, velocity].map(LabVec::to_array);
            let mut speed = u;
            speed[flow] += rate * (x[gradient] - 0.04);
            let exact = from + LabVec::from_array(speed) * time;
            let mut left = speed;
            left[flow] -= rate * (exact.to_array()[gradient] - 0.04);
            let (body, domain) = (engine.bodies()[0], engine.scenery().domain);
            let off = domain.nearest(exact, body.position).norm() / 0.08;
            let slower = (body.velocity - LabVec::from_array(left)).norm() / velocity.norm();
            assert!(off < 1e-9 && slower < 1e-10, "{flow} {gradient} {steps}: {off:e} {slower:e}");
            assert_eq!(domain.wrap(body.position), body.position);
        }
    }
}

/// Layers beyond the upper end are displaced by what the space has moved there, up to half a length either way.
#[test]
fn layers_are_displaced_and_stop() {
    let shear = up_to(2.3, 1, 2, -4.0);
    let mut engine = Engine::new(crowd(4, sheared(shear), 0.0, false), Settings::new(1e-4)).unwrap();
    let side = 0.08;
    for _ in 0..4 {
        engine.advance(1500).unwrap();
        let cell = engine.cell().unwrap();
        let strain = (-4.0 * engine.time()).max(-2.3);
        assert!((cell.shear - strain).abs() < 1e-14, "{} {strain}", cell.shear);
        let lengths = strain - strain.round();
        assert!((cell.displaced - lengths * side).abs() < 1e-12, "{} {}", cell.displaced, lengths * side);
        let tilt = engine.scenery().domain.tilt().unwrap();
        assert_eq!((tilt.flow, tilt.gradient, tilt.by.to_bits()), (1, 2, cell.displaced.to_bits()));
    }
    let cell = engine.cell().unwrap();
    assert_eq!([cell.shear, cell.shear_rate].map(f64::to_bits), [(-2.3_f64).to_bits(), 0]);
}

/// A ball, a capsule and a rod collide, in the middle and across ends. The common drift takes them through ends as well.
#[test]
fn an_end_is_nowhere() {
    let run = |shift: [f64; 3], shear: Shear| -> Vec<BodyState> {
        let mut world = world(sheared(shear), 0.4);
        let middle = LabVec::new(0.04, 0.04, 0.04) + LabVec::from_array(shift) * 0.08;
        let v = LabVec::new;
        for (template, place, velocity, spin) in [
            (0, v(-1.9, 0.1, 0.2), v(1.5, 0.0, 0.0), v(40.0, 60.0, -30.0)),
            (1, v(0.3, -0.3, 0.1), v(-0.5, 0.2, 0.0), v(-80.0, 30.0, 40.0)),
            (2, v(0.2, 1.7, 0.0), v(0.0, -1.5, 0.1), v(30.0, 0.0, 100.0)),
        ] {
            let place = world.domain.wrap(middle + place * RADIUS);
            let drift = v(0.3, 0.9, -0.4);
            let body = Body::at(tumble_dem::TemplateId(template), place);
            world.add_body(body.moving(velocity + drift).spinning(spin));
        }
        let mut engine = Engine::new(world, Settings::new(1e-5)).unwrap();
        let mut states = Vec::new();
        for _ in 0..30 {
            engine.advance(100).unwrap();
            let (bodies, domain) = (engine.bodies(), engine.scenery().domain);
            let apart = |k: usize| domain.nearest(bodies[0].position, bodies[k].position);
            let places = [LabVec::zero(), apart(1), apart(2)];
            states.extend(bodies.iter().zip(places).map(|(body, position)| BodyState { position, ..*body }));
        }
        assert!(engine.ledger().lost() > 1e-6, "nothing has collided");
        states
    };
    for (flow, gradient) in [(0, 1), (1, 0), (2, 1)] {
        let shear = along(flow, gradient, 9.0);
        let inside = run([0.0; 3], shear);
        for shift in [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.5, 0.5, 0.0], [0.47, 0.52, 0.5]] {
            for (own, other) in inside.iter().zip(run(shift, shear)) {
                let place = (own.position - other.position).norm() / RADIUS;
                let velocity = (own.velocity - other.velocity).norm();
                let spin = (own.angular_velocity - other.angular_velocity).norm() * RADIUS;
                assert!(place.max(velocity).max(spin) < 1e-9, "{shift:?}: {place:e} {velocity:e} {spin:e}");
            }
        }
    }
}

/// Contacts change nothing of the momentum; what the shear does to it follows from it alone: p_x = p_x(0) − γ p_y(0).
#[test]
fn momentum_goes_with_the_layers() {
    let momentum = |engine: &Engine| {
        engine.bodies().iter().fold(LabVec::zero(), |sum, body| sum + body.velocity * body.mass)
    };
    let world = crowd(4, sheared(along(0, 1, 20.0)), 0.4, true);
    let mut engine = Engine::new(world, Settings::new(1e-5)).unwrap();
    let before = momentum(&engine);
    engine.advance(5000).unwrap();
    let exact = before - LabVec::new(before.y, 0.0, 0.0);
    let scale: f64 = engine.bodies().iter().map(|body| body.mass * body.velocity.norm()).sum();
    assert!(before.y.abs() > 1e-4 * scale, "{before:?}");
    assert!((momentum(&engine) - exact).norm() < 1e-11 * scale, "{:e}", (momentum(&engine) - exact).norm());
}

#[test]
fn the_books_close_with_order_two() {
    for (cell, friction) in [
        (sheared(along(0, 1, 8.0)), 0.0),
        (sheared(along(2, 0, -8.0)), 0.4),
        (mixed(), 0.4),
        (dragged(), 0.4),
    ] {
        let off = |steps: u32| {
            let dt = 0.02 / f64::from(steps);
            let mut engine = Engine::new(crowd(4, cell, friction, false), Settings::new(dt)).unwrap();
            let before = engine.ledger().balance();
            engine.advance(steps.into()).unwrap();
            let ledger = engine.ledger();
            let work = ledger.cell_work.unwrap();
            assert!(work.abs() > 1e-5, "{work:e}");
            ((ledger.balance() - before) / work).abs()
        };
        let [coarse, fine] = [off(2500), off(10_000)];
        assert!(fine < 1e-4 && coarse / fine > 14.0, "{cell:?} {friction} {coarse:e} {fine:e}");
    }
}

#[test]
fn bits_are_the_same_on_threads_and_after_going_on() {
    same_bits(mixed());
    same_bits(dragged());
}

fn same_bits(cell: Cell) {
    let world = crowd(6, cell, 0.4, true);
    let run = |threads: usize| {
        let settings = Settings { threads, ..Settings::new(1e-5) };
        let mut engine = Engine::new(world.clone(), settings).unwrap();
        engine.advance(2500).unwrap();
        (fingerprint::of(&engine), engine.cell().unwrap())
    };
    let first = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), first, "{threads} threads");
    }
    let mut engine = Engine::new(world.clone(), Settings::new(1e-5)).unwrap();
    engine.advance(1100).unwrap();
    let saved = SavedState::from_bytes(&engine.save().to_bytes(), &world).unwrap();
    let mut second = Engine::new(world.clone(), Settings::new(1e-5)).unwrap();
    second.restore(&saved).unwrap();
    assert_eq!(second.cell(), engine.cell());
    second.advance(1400).unwrap();
    assert_eq!((fingerprint::of(&second), second.cell().unwrap()), first);
    engine.advance(1400).unwrap();
    assert_eq!(engine.save().to_bytes(), second.save().to_bytes());
    let other = Cell { shear: Some(along(1, 2, 6.0)), ..cell };
    let mut other = Engine::new(World { cell: Some(other), ..world }, Settings::new(1e-5)).unwrap();
    assert!(other.restore(&saved).unwrap_err().to_string().contains("same axes"));
}

/// The skin changes the cost, and no list misses a contact: also where layers slide as fast as bodies move.
#[test]
fn lists_miss_nothing() {
    for (cell, count) in
        [(sheared(along(0, 2, 30.0)), 4), (sheared(along(1, 0, -12.0)), 6), (mixed(), 5), (dragged(), 5)]
    {
        let run = |skin: f64| {
            let settings = Settings { skin: Some(skin), ..Settings::new(1e-5) };
            let mut engine = Engine::new(crowd(count, cell, 0.4, true), settings).unwrap();
            engine.advance(3000).unwrap();
            fingerprint::of(&engine)
        };
        assert_eq!(run(1e-4), run(5e-3), "{cell:?}");
    }
}

/// Layers stay where they are when the shear has come to its end, and the next stage has another plan.
#[test]
fn another_plan_goes_on_from_it() {
    let world = crowd(4, sheared(along(0, 1, 30.0)), 0.4, true);
    let next = |cell: Cell| {
        let mut engine =
            Engine::new(World { cell: Some(cell), ..world.clone() }, Settings::new(1e-5)).unwrap();
        let mut first = Engine::new(world.clone(), Settings::new(1e-5)).unwrap();
        first.advance(700).unwrap();
        engine.take_over(&first, Clock::Restarts).map(|_| (first, engine))
    };
    let still = Cell { shear: None, ..mixed() };
    for cell in [still, sheared(along(0, 1, -30.0))] {
        let (first, engine) = next(cell).unwrap();
        let (was, is) = (first.cell().unwrap(), engine.cell().unwrap());
        assert_eq!(was.displaced.to_bits(), is.displaced.to_bits());
        assert!(was.displaced.abs() > 0.01);
        // Dashpots see another rate; springs are as they were.
        let elastic = [&first, &engine].map(|engine| engine.ledger().elastic_normal);
        assert!((elastic[0] / elastic[1] - 1.0).abs() < 1e-12, "{elastic:?}");
    }
    assert!(next(sheared(along(2, 1, 1.0))).unwrap_err().to_string().contains("other axes"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |shear: Shear, word: &str| {
        let message =
            Engine::new(crowd(4, sheared(shear), 0.3, false), Settings::new(1e-5)).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refused(along(1, 1, 1.0), "two different");
    refused(along(0, 3, 1.0), "two different");
    refused(along(0, 1, f64::NAN), "rate");
    refused(up_to(-1.0, 0, 1, -1.0), "strain at which it stops");
    refused(held(0, 1, f64::NAN), "stress");
    let massless = Cell { mass: 0.0, ..sheared(held(0, 1, 1.0)) };
    let error = Engine::new(crowd(4, massless, 0.3, false), Settings::new(1e-5)).unwrap_err().to_string();
    assert!(error.contains("mass"), "{error}");
}

/// What bodies do not bear of a stress, viscosity does: this packing flows.
#[test]
fn a_shear_stress_is_held() {
    let mut engine = Engine::new(crowd(5, dragged(), 2.0, false), Settings::new(2e-5)).unwrap();
    engine.advance(10_000).unwrap();
    let cell = engine.cell().unwrap();
    let borne = -cell.component(0, 2);
    assert!(((borne + 2e3 * cell.shear_rate) / 8e3 - 1.0).abs() < 0.05 && borne > 5e3, "{cell:?}");
    assert!((cell.component(2, 2) / 2e4 - 1.0).abs() < 0.02, "{cell:?}");
    assert!(cell.shear > 0.1 && cell.shear_rate > 0.1, "{cell:?}");
    // An empty cell flows as its viscosity lets it: 8 kPa by 2 kPa s.
    let empty = World { bodies: Vec::new(), ..crowd(5, dragged(), 2.0, false) };
    let axes = [Control::Fixed; 3];
    let mut engine =
        Engine::new(World { cell: Some(Cell { axes, ..dragged() }), ..empty }, Settings::new(2e-5)).unwrap();
    engine.advance(2000).unwrap();
    // It gets there as e^(−400 t/s).
    assert!((engine.cell().unwrap().shear_rate - 4.0).abs() < 1e-5, "{:?}", engine.cell());
}
