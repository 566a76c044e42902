//! Periodic cells that deform: lengths are what was prescribed, pressures are held, the books close with order 2, and bits are the same
//! on any number of threads and after going on from saved bytes.

use tumble_dem::clump::ClumpTemplate;
use tumble_dem::domain::Domain;
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::{
    Body, Cell, Control, Engine, LabVec, Precision, SavedState, Settings, Solver, World, fingerprint,
};

const RADIUS: f64 = 0.01;

/// So many balls along each axis, which touch, shaken a little and in motion.
pub(crate) fn crowd(count: u32, cell: Cell, friction: f64) -> World {
    let glass = Material::new("glass", 2500.0, 1e7, 0.25);
    let mut world =
        World { materials: Materials::of(glass, PairProperties::new(0.8, friction)), ..World::default() };
    let ball = world.add_template(ClumpTemplate::sphere("ball", RADIUS).unwrap()).unwrap();
    let (mut random, spacing) = (Random::new(7), 2.0 * RADIUS);
    let mut draw = || LabVec::from_array([(); 3].map(|()| random.uniform() - 0.5));
    for number in 0..count * count * count {
        let site = [number % count, number / count % count, number / count / count].map(f64::from);
        let place = LabVec::from_array(site.map(|k| (k + 0.5) * spacing));
        let body = Body::at(ball, place + draw() * (0.1 * RADIUS)).moving(draw() * 0.2);
        world.add_body(body.spinning(draw() * 5.0));
    }
    let side = f64::from(count) * spacing;
    world.domain = Domain::periodic(LabVec::zero(), LabVec::new(side, side, side));
    world.cell = Some(cell);
    world
}

fn strained(rates: [f64; 3]) -> Cell {
    let axes = rates.map(|rate| Control::Strain { rate, until: None });
    Cell { axes, shear: None, mass: 1.0, viscosity: 0.0 }
}

pub(crate) fn mixed() -> Cell {
    let hold = Control::Stress { pressure: 2e4 };
    Cell {
        axes: [Control::Strain { rate: -1.0, until: None }, hold, hold],
        shear: None,
        mass: 0.5,
        viscosity: 2e3,
    }
}

fn momentum(engine: &Engine) -> LabVec<f64> {
    engine.bodies().iter().fold(LabVec::zero(), |sum, body| sum + body.velocity * body.mass)
}

#[test]
fn lengths_are_prescribed_and_stop() {
    let end: f64 = 0.9 * 0.08;
    let axes = [
        Control::Strain { rate: -2.0, until: Some(end) },
        Control::Strain { rate: 0.5, until: None },
        Control::Fixed,
    ];
    let world = crowd(4, Cell { axes, shear: None, mass: 1.0, viscosity: 0.0 }, 0.3);
    let mut engine = Engine::new(world, Settings::new(2e-5)).unwrap();
    let side = engine.cell().unwrap().lengths[2];
    engine.advance(1000).unwrap();
    let lengths = engine.cell().unwrap().lengths;
    for (length, exact) in lengths.into_iter().zip([side * (-0.04_f64).exp(), side * 0.01_f64.exp(), side]) {
        assert!((length - exact).abs() < 1e-15, "{length} {exact}");
    }
    engine.advance(4000).unwrap();
    assert_eq!(engine.cell().unwrap().lengths[0].to_bits(), end.to_bits());
    assert_eq!(engine.cell().unwrap().rates[0].to_bits(), 0);
    let domain = engine.scenery().domain.lengths();
    assert!((domain[0] - end).abs() < 1e-16);
}

/// One ball without contacts: u L is constant, and so is what it has in fractions of the cell per time by L².
#[test]
fn a_free_ball_follows_the_closed_form() {
    let velocity = LabVec::new(0.03, -0.02, 0.01);
    let error = |steps: u32| {
        let dt = 0.2 / f64::from(steps);
        let mut world = crowd(4, strained([-1.0, 0.7, 0.0]), 0.0);
        world.bodies.truncate(1);
        world.bodies[0].velocity = velocity;
        let (start, side) = (world.bodies[0].position, world.domain.lengths()[0]);
        let mut engine = Engine::new(world, Settings::new(dt)).unwrap();
        engine.advance(steps.into()).unwrap();
        let (body, time) = (engine.bodies()[0], engine.time());
        let mut worst: f64 = 0.0;
        for (axis, rate) in [-1.0_f64, 0.7, 0.0].into_iter().enumerate() {
            let [x, u, x0, u0] =
                [body.position, body.velocity, start, velocity].map(|vector| vector.to_array()[axis]);
            let way = if rate == 0.0 { time } else { (1.0 - (-2.0 * rate * time).exp()) / (2.0 * rate) };
            let grown = (rate * time).exp();
            let exact = 0.5 * side + (x0 - 0.5 * side + u0 * way) * grown;
            worst = worst.max((u - u0 / grown).abs() / 0.03).max((x - exact).abs() / side);
        }
        worst
    };
    let [coarse, fine] = [error(50), error(100)];
    assert!(fine < 1e-6 && coarse / fine > 3.5, "{coarse:e} {fine:e}");
}

#[test]
fn the_books_close_with_order_two() {
    for (cell, friction) in [(strained([-1.0, -0.5, 0.8]), 0.0), (mixed(), 0.0), (mixed(), 0.4)] {
        let off = |steps: u32| {
            let dt = 0.02 / f64::from(steps);
            let mut engine = Engine::new(crowd(4, cell, friction), Settings::new(dt)).unwrap();
            let before = engine.ledger().balance();
            engine.advance(steps.into()).unwrap();
            let ledger = engine.ledger();
            let work = ledger.cell_work.unwrap();
            assert!(work.abs() > 1e-5, "{work:e}");
            ((ledger.balance() - before) / work).abs()
        };
        let [coarse, fine] = [off(2500), off(10_000)];
        assert!(fine < 1e-4 && coarse / fine > 9.0, "{cell:?} {friction} {coarse:e} {fine:e}");
    }
}

#[test]
fn momentum_goes_with_the_length() {
    let mut engine = Engine::new(crowd(4, mixed(), 0.4), Settings::new(1e-5)).unwrap();
    let of = |engine: &Engine| {
        let (momentum, lengths) = (momentum(engine).to_array(), engine.cell().unwrap().lengths);
        LabVec::from_array(core::array::from_fn(|k| momentum[k] * lengths[k]))
    };
    let before = of(&engine);
    engine.advance(2000).unwrap();
    let scale: f64 = engine.bodies().iter().map(|body| body.mass * body.velocity.norm()).sum();
    assert!((of(&engine) - before).norm() < 1e-12 * scale, "{:e}", (of(&engine) - before).norm());
}

/// A simple cubic lattice under a pressure p: each contact carries p (2R)² at the length 2R − δ that Hertz's law has for it.
#[test]
fn a_pressure_is_held() {
    let pressure = 3e4;
    let load = Control::Stress { pressure };
    let mut world = crowd(4, Cell { axes: [load; 3], shear: None, mass: 0.3, viscosity: 4e3 }, 0.0);
    for (number, body) in (0_u32..).zip(&mut world.bodies) {
        let site = [number % 4, number / 4 % 4, number / 16].map(f64::from);
        *body = Body::at(body.template, LabVec::from_array(site.map(|k| (k + 0.5) * 2.0 * RADIUS)));
    }
    let mut engine = Engine::new(world, Settings::new(2e-5)).unwrap();
    engine.advance(40_000).unwrap();
    let cell = engine.cell().unwrap();
    for (held, length) in cell.pressure().into_iter().zip(cell.lengths) {
        assert!((held / pressure - 1.0).abs() < 1e-6, "{held}");
        let [delta, modulus] = [2.0 * RADIUS - 0.25 * length, 1e7 / (2.0 * (1.0 - 0.0625))];
        let force = 4.0 / 3.0 * modulus * (0.5 * RADIUS).sqrt() * delta.powf(1.5);
        let area = (0.25 * length).powi(2);
        assert!((force / area / pressure - 1.0).abs() < 1e-6, "{} {pressure}", force / area);
    }
}

#[test]
fn bits_are_the_same_on_threads_and_after_going_on() {
    let run = |threads: usize| {
        let settings = Settings { threads, ..Settings::new(1e-5) };
        let mut engine = Engine::new(crowd(6, mixed(), 0.4), settings).unwrap();
        engine.advance(2500).unwrap();
        (fingerprint::of(&engine), engine.cell().unwrap(), engine)
    };
    let (bits, cell, _) = run(1);
    for threads in [2, 3, 8] {
        let (other, same, _) = run(threads);
        assert_eq!((other, same), (bits, cell), "{threads} threads");
    }
    let world = crowd(6, mixed(), 0.4);
    let mut first = Engine::new(world.clone(), Settings::new(1e-5)).unwrap();
    first.advance(1100).unwrap();
    let saved = SavedState::from_bytes(&first.save().to_bytes(), &world).unwrap();
    let mut second = Engine::new(world, Settings::new(1e-5)).unwrap();
    second.restore(&saved).unwrap();
    second.advance(1400).unwrap();
    assert_eq!((fingerprint::of(&second), second.cell().unwrap()), (bits, cell));
    first.advance(1400).unwrap();
    assert_eq!(first.save().to_bytes(), second.save().to_bytes());
}

/// The skin changes the cost, and no list misses a contact.
#[test]
fn lists_miss_nothing() {
    let run = |skin: f64| {
        let settings = Settings { skin: Some(skin), ..Settings::new(1e-5) };
        let mut engine = Engine::new(crowd(5, strained([-4.0, -4.0, 3.0]), 0.4), settings).unwrap();
        engine.advance(3000).unwrap();
        fingerprint::of(&engine)
    };
    assert_eq!(run(1e-4), run(5e-3));
}

#[test]
fn what_cannot_be_in_it_is_refused() {
    let refused = |change: fn(&mut World, &mut Settings), word: &str| {
        let (mut world, mut settings) = (crowd(4, mixed(), 0.3), Settings::new(1e-5));
        change(&mut world, &mut settings);
        let message = Engine::new(world, settings).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    refused(|world, _| world.gravity = LabVec::new(0.0, 0.0, -9.81), "gravity");
    refused(|world, _| world.bodies[3].held = true, "body 3");
    refused(|world, _| world.domain.axes[1] = tumble_dem::domain::Axis::Open, "open along y");
    refused(|_, settings| settings.precision = Precision::Single, "precision");
    let mut engine = Engine::new(crowd(4, mixed(), 0.3), Settings::new(1e-5)).unwrap();
    engine.change_rules(&[tumble_dem::Rule::Gravity(LabVec::new(0.0, 0.0, -9.81))]).unwrap();
    assert!(engine.advance(1).unwrap_err().to_string().contains("gravity"));
    refused(|world, _| world.cell.as_mut().unwrap().mass = 0.0, "mass");
}

#[test]
fn a_cell_that_becomes_too_small_stops_the_run() {
    let mut engine = Engine::new(crowd(3, strained([0.0, 0.0, -20.0]), 0.0), Settings::new(1e-5)).unwrap();
    let message = engine.advance(100_000).unwrap_err().to_string();
    assert!(message.contains("the cell deforms") || message.contains("overlap"), "{message}");
}

/// Pressed together first, then crushed along z at a rate, with the same pressure on its sides.
fn crushed(from: f64) -> Cell {
    let side = Control::Stress { pressure: 2e4 };
    let along = Control::StressThenStrain { pressure: 2e4, from, rate: -2.0, until: Some(0.1) };
    Cell { axes: [side, side, along], shear: None, mass: 0.5, viscosity: 2e3 }
}

#[test]
fn a_sample_is_pressed_and_then_crushed() {
    let (dt, from) = (1e-5, 0.06);
    let world = crowd(6, crushed(from), 0.4);
    let mut engine = Engine::new(world.clone(), Settings::new(dt)).unwrap();
    let balance = engine.ledger().balance();
    engine.advance(6000).unwrap();
    let pressed = engine.cell().unwrap();
    for pressure in pressed.pressure() {
        assert!((pressure / 2e4 - 1.0).abs() < 2e-2, "{pressed:?}");
    }
    let saved = SavedState::from_bytes(&engine.save().to_bytes(), &world).unwrap();
    engine.advance(500).unwrap();
    let now = engine.cell().unwrap();
    // It begins with the first step from then on, as long as it was.
    let length = now.reference[2] * (-2.0 * 500.0 * dt).exp();
    assert!((now.lengths[2] - length).abs() < 1e-2 * (now.reference[2] - length), "{now:?}");
    assert!((now.reference[2] / pressed.lengths[2] - 1.0).abs() < 1e-4, "{now:?} {pressed:?}");
    assert!((now.rates[2] + 2.0).abs() < 1e-12);
    assert!((now.strains()[2] - 0.01).abs() < 1e-4, "{:?}", now.strains());
    assert!(now.pressure()[2] > 1.5 * now.pressure()[0], "{now:?}");
    // The books: what the axis had in motion, and dashpots that see another rate at once.
    let off = (engine.ledger().balance() - balance).abs();
    assert!(off < 1e-3 * engine.ledger().cell_work.unwrap(), "{off:e} {:?}", engine.ledger());
    // A run that goes on from before that begins does the same.
    let mut second = Engine::new(world, Settings::new(dt)).unwrap();
    second.restore(&saved).unwrap();
    second.advance(500).unwrap();
    assert_eq!((fingerprint::of(&second), second.cell()), (fingerprint::of(&engine), engine.cell()));
    assert_eq!(second.save().to_bytes(), engine.save().to_bytes());
}
