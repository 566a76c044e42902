//! Streams by mass: so many kg/s, so many kg in all, whatever the sizes; and the same bits after a restart.

use super::{BALL, ROD, bits, v, world};
use tumble_dem::placement::{Choice, Inlet, Orientation, Rate, Scale, Stream, StreamState, Velocity};
use tumble_dem::{Body, Engine, Settings, World};

fn inlet() -> Inlet {
    let choice = Choice {
        orientation: Orientation::Random,
        scale: Scale::Uniform { low: 0.3, high: 1.0 },
        velocity: Velocity::Fixed(v(0.0, 0.0, -60.0)),
        ..Choice::weighted(&[(BALL, 1.0), (ROD, 1.0)]).unwrap()
    };
    Inlet { rate: Rate::Mass(2e6), ..Inlet::new(choice, v(0.0, 0.0, 0.0), v(25.0, 25.0, 12.0)) }
}

fn mass(world: &World, body: &Body) -> f64 {
    2500.0 * super::volume(world, body)
}

/// Looks after a stream every millisecond; what came at each time.
fn run(stream: &mut Stream, engine: &mut Engine, times: u32) -> Vec<(f64, Vec<Body>)> {
    let mut came = Vec::new();
    for _ in 0..times {
        let due = stream.due(engine.time(), engine);
        came.push((engine.time(), due.clone()));
        engine.add_bodies(&due).unwrap();
        engine.advance(10).unwrap();
    }
    came
}

fn engine(world: &World) -> Engine {
    Engine::new(world.clone(), Settings { max_overlap: 0.9, ..Settings::new(1e-4) }).unwrap()
}

#[test]
fn kilograms_per_second() {
    let world = world();
    let mut stream = Stream::new(inlet(), &world, 5).unwrap();
    let mut sum = 0.0;
    for (time, bodies) in run(&mut stream, &mut engine(&world), 500) {
        for body in &bodies {
            // Each comes when all before it were due, and not much later: streams are looked after each millisecond.
            assert!(sum / 2e6 <= time + 1e-9 && time < sum / 2e6 + 1.1e-3, "{sum} kg at {time} s");
            sum += mass(&world, body);
        }
    }
    assert!((stream.inserted_mass() / sum - 1.0).abs() < 1e-12);
    assert_eq!(stream.waiting(0.499), 0);
    assert!(stream.inserted() > 100, "{}", stream.inserted());
    // On average; a body more or less, and what chance does to the sizes.
    let expected = stream.expected(0.499);
    assert!((stream.inserted() as f64 / expected - 1.0).abs() < 0.15, "{expected}");
}

#[test]
fn kilograms_in_all() {
    let world = world();
    for (rate, total) in [(Rate::Mass(2e6), 3e5), (Rate::Bodies(500.0), 2e5)] {
        let inlet = Inlet { rate, mass: Some(total), ..inlet() };
        let mut stream = Stream::new(inlet, &world, 6).unwrap();
        let mut engine = engine(&world);
        assert!(!stream.is_over(0.0));
        let came = run(&mut stream, &mut engine, 400);
        let bodies: Vec<Body> = came.into_iter().flat_map(|(_, bodies)| bodies).collect();
        let sum: f64 = bodies.iter().map(|body| mass(&world, body)).sum();
        let largest = bodies.iter().map(|body| mass(&world, body)).fold(0.0, f64::max);
        assert!((sum - total).abs() <= 0.5 * largest.max(2500.0 * 20.0), "{sum} for {total}");
        assert!(stream.is_over(engine.time()) && stream.waiting(engine.time()) == 0);
    }
}

#[test]
fn stops_and_counts_hold_for_masses_too() {
    let world = world();
    let stopped = Inlet { start: 0.1, stop: 0.2, ..inlet() };
    let mut stream = Stream::new(stopped, &world, 7).unwrap();
    let came = run(&mut stream, &mut engine(&world), 400);
    let times: Vec<f64> =
        came.iter().filter(|(_, bodies)| !bodies.is_empty()).map(|(time, _)| *time).collect();
    assert!(times.first().is_some_and(|&time| (time - 0.1).abs() < 1e-9));
    assert!(times.last().is_some_and(|&time| time <= 0.201), "{times:?}");
    // The body that is due when 2·10⁶ kg/s · 0.1 s are nearly there is the last.
    assert!((stream.inserted_mass() - 2e5).abs() < 4e4, "{}", stream.inserted_mass());
    let counted = Inlet { count: Some(7), ..inlet() };
    let mut stream = Stream::new(counted, &world, 7).unwrap();
    run(&mut stream, &mut engine(&world), 100);
    assert_eq!((stream.inserted(), stream.waiting(1.0)), (7, 0));
    assert!(stream.is_over(0.1));
}

#[test]
fn those_that_wait_are_told() {
    let world = world();
    let fast = Inlet { rate: Rate::Mass(1e9), ..inlet() };
    let mut stream = Stream::new(fast, &world, 8).unwrap();
    let engine = engine(&world);
    let came = stream.due(0.01, &engine).len() as u64;
    let waiting = stream.waiting(0.01);
    assert!(came > 10 && waiting > 300, "{came} came, {waiting} wait");
    assert!(((came + waiting) as f64 / stream.expected(0.01) - 1.0).abs() < 0.15);
    // So many that they are not counted one by one.
    let waiting = stream.waiting(10.0);
    assert!((waiting as f64 / stream.expected(10.0) - 1.0).abs() < 0.01, "{waiting}");
}

#[test]
fn the_same_bits_after_a_restart() {
    let world = world();
    let start = || (Stream::new(inlet(), &world, 9).unwrap(), engine(&world));
    let all = |came: Vec<(f64, Vec<Body>)>| -> Vec<(f64, Vec<u64>)> {
        came.into_iter().map(|(time, bodies)| (time, bits(&bodies))).collect()
    };
    let (mut stream, mut engine) = start();
    let whole = all(run(&mut stream, &mut engine, 120));
    let (mut stream, mut engine) = start();
    let mut parts = all(run(&mut stream, &mut engine, 47));
    let (saved, bytes) = (engine.save(), stream.state().to_bytes());
    let (mut stream, mut engine) = start();
    engine.restore(&saved).unwrap();
    stream.restore(StreamState::from_bytes(&bytes).unwrap());
    parts.extend(all(run(&mut stream, &mut engine, 73)));
    assert_eq!(whole, parts);
}

#[test]
fn a_mass_needs_a_density() {
    let mut world = world();
    world.materials = tumble_dem::material::Materials::default();
    let error = Stream::new(inlet(), &world, 1).unwrap_err().to_string();
    assert!(error.contains("density of the bodies of a stream by mass"), "{error}");
    let negative = Inlet { mass: Some(-1.0), ..inlet() };
    assert!(Stream::new(negative, &world, 1).unwrap_err().to_string().contains("mass of the stream is -1"));
}
