//! Streams: they keep their rate, never make overlaps, and go on from a saved state with the same bits.

use super::brute::{least_gap, least_inside};
use super::{BALL, ROD, bits, cube, v, world};
use tumble_dem::domain::Axis;
use tumble_dem::placement::{
    Choice, Inlet, Orientation, PlacementError, Rate, Region, Scale, Stream, StreamState, StreamStateError,
    Velocity,
};
use tumble_dem::wall::{Motion, Movement, Plane, Timing, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, SchemeKind, Settings, World};

fn inlet(rate: f64) -> Inlet {
    let choice = Choice {
        orientation: Orientation::Random,
        scale: Scale::Uniform { low: 0.5, high: 1.0 },
        velocity: Velocity::Fixed(v(0.0, 0.0, -20.0)),
        spin: Velocity::Maxwell { sigma: 30.0 },
        ..Choice::weighted(&[(BALL, 1.0), (ROD, 2.0)]).unwrap()
    };
    Inlet { rate: Rate::Bodies(rate), ..Inlet::new(choice, v(0.0, 0.0, 20.0), v(20.0, 20.0, 30.0)) }
}

/// Settings of a step that the tests' materials can do with.
fn settings() -> Settings {
    Settings { max_overlap: 0.9, ..Settings::new(1e-4) }
}

fn bodies(engine: &Engine) -> Vec<Body> {
    let body = |state: tumble_dem::BodyState| {
        Body::at(state.template, state.position).turned(state.orientation).scaled(state.scale)
    };
    engine.bodies().into_iter().map(body).collect()
}

fn falling() -> World {
    let mut world = world();
    world.gravity = v(0.0, 0.0, -100.0);
    world
}

/// Puts in what is due and steps on, so many times; what came in and when.
fn run(engine: &mut Engine, stream: &mut Stream, times: u32, steps: u64) -> Vec<(u64, Vec<u64>)> {
    let mut came = Vec::new();
    for _ in 0..times {
        let due = stream.due(engine.time(), engine);
        engine.add_bodies(&due).unwrap();
        if !due.is_empty() {
            came.push((engine.steps(), bits(&due)));
        }
        engine.advance(steps).unwrap();
    }
    came
}

#[test]
fn a_rate_by_a_table_brings_its_integral() {
    // Up to 200 a second within 0.5 s, so for a second, and down to none within another.
    let pace = Timing::table(&[[0.0, 0.0], [0.5, 200.0], [1.5, 200.0], [2.5, 0.0]]).unwrap();
    let inlet = Inlet { start: 1.0, pace, ..inlet(1.0) };
    let exact = |t: f64| match t {
        t if t <= 0.5 => 200.0 * t * t,
        t if t <= 1.5 => 50.0 + 200.0 * (t - 0.5),
        t if t <= 2.5 => 350.0 - 100.0 * (2.5 - t) * (2.5 - t),
        _ => 350.0,
    };
    for n in 0..400 {
        let t = f64::from(n) * 0.01;
        let due = inlet.due_until(1.0 + t);
        assert!(
            (due as f64 - (exact(t) * (1.0 - 1e-11)).ceil()).abs() < 0.5,
            "{due} at {t} s after the start"
        );
    }
    assert_eq!([0.0, 1.0, 3.5, 1e9].map(|t| inlet.due_until(t)), [0, 0, 350, 350]);
    // As many as until then, if it is stopped.
    let stopped = Inlet { stop: 1.5, ..inlet.clone() };
    assert_eq!([1.5, 9.0].map(|t| stopped.due_until(t)), [50, 50]);
    let by_mass = Inlet { rate: Rate::Mass(0.5), ..inlet.clone() };
    assert!((by_mass.mass_until(2.0) - 0.5 * exact(1.0)).abs() < 1e-12);
    // What is asked for in between changes nothing.
    let world = falling();
    let stream = Stream::new(inlet.clone(), &world, 3).unwrap();
    for expected in [stream.expected(1.75), stream.clone().later(2.0).expected(3.75)] {
        assert!((expected - 100.0).abs() < 0.5, "{expected}");
    }
    assert!(stream.is_over(10.0) == (stream.waiting(10.0) == 0) && !stream.is_over(2.0));
    for rows in [[[0.0, 1.0], [1.0, -1.0]], [[0.0, 0.0], [1.0, 0.0]]] {
        let wrong = Inlet { pace: Timing::table(&rows).unwrap(), ..inlet.clone() };
        assert!(matches!(Stream::new(wrong, &world, 1), Err(PlacementError::Invalid { .. })));
    }
}

#[test]
fn times_and_counts() {
    let inlet = Inlet { start: 0.5, stop: 1.5, ..inlet(100.0) };
    assert_eq!([0.0, 0.499, 0.5, 0.505, 0.51].map(|t| inlet.due_until(t)), [0, 0, 1, 1, 2]);
    // Sums of tenths are not exact, but no body is lost or made up.
    assert_eq!(inlet.due_until(0.1 + 0.2 + 0.4), 21);
    assert_eq!([1.4999, 1.5, 9e9, f64::INFINITY].map(|t| inlet.due_until(t)), [100; 4]);
    let counted = Inlet { count: Some(30), stop: f64::INFINITY, ..inlet.clone() };
    assert_eq!([0.75, 10.0, f64::MAX].map(|t| counted.due_until(t)), [26, 30, 30]);
    assert_eq!(Inlet { stop: f64::INFINITY, ..inlet }.due_until(f64::MAX), u64::MAX);
    assert_eq!(counted.due_until(f64::NAN), 0);
}

#[test]
fn keeps_its_rate_and_never_overlaps() {
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::SpiralSynchronous] {
        let world = falling();
        let mut stream = Stream::new(inlet(200.0), &world, 4).unwrap();
        let inlet = stream.inlet().clone();
        let [low, high] = inlet.region.bounds();
        let mut engine =
            Engine::new(world.clone(), Settings { rotation: scheme.into(), ..settings() }).unwrap();
        for call in 0..40 {
            let time = engine.time();
            let before = bodies(&engine);
            let due = stream.due(time, &engine);
            assert_eq!(stream.waiting(time), 0);
            assert_eq!(stream.inserted(), inlet.due_until(time));
            assert!(least_inside(&world, &due, low, high, [true; 3]) >= 1.0);
            let all = [before, due.clone()].concat();
            let gap = least_gap(&world, &all);
            // Bodies that were there may be in contact; those that came are not.
            if call == 0 {
                assert!(gap >= 1.0 + 0.999 * inlet.gap, "{gap}");
            }
            for body in &due {
                let others: Vec<Body> = all.iter().copied().filter(|other| other != body).collect();
                for other in others {
                    assert!(least_gap(&world, &[*body, other]) >= 1.0 + 0.999 * inlet.gap);
                }
            }
            engine.add_bodies(&due).unwrap();
            engine.advance(100).unwrap();
        }
        // 200 a second for 0.39 s, the first at once.
        assert_eq!(engine.body_count(), 79);
    }
}

#[test]
fn bodies_wait_for_room_and_come_later() {
    let mut world = falling();
    world.gravity = LabVec::zero();
    let choice = Choice { velocity: Velocity::Fixed(v(0.0, 0.0, -30.0)), ..Choice::of(BALL) };
    let inlet = Inlet { rate: Rate::Bodies(1e4), ..Inlet::new(choice, v(0.0, 0.0, 10.0), v(6.0, 6.0, 12.5)) };
    let mut stream = Stream::new(inlet, &world, 1).unwrap();
    let mut engine = Engine::new(world.clone(), settings()).unwrap();
    let mut inserted = 0;
    for _ in 0..50 {
        let due = stream.due(engine.time(), &engine);
        // No more than the region can hold.
        assert!(due.len() < 9);
        inserted += due.len();
        engine.add_bodies(&due).unwrap();
        assert!(least_gap(&world, &bodies(&engine)) >= 1.0);
        engine.advance(200).unwrap();
    }
    let time = 49.0 * 200.0 * 1e-4;
    assert_eq!(stream.inserted(), inserted as u64);
    assert_eq!(stream.waiting(time) + stream.inserted(), stream.inlet().due_until(time));
    assert!(inserted > 40 && stream.waiting(time) > 300, "{inserted}");
}

#[test]
fn no_two_calls_try_the_same_places() {
    let world = world();
    let choice = Choice { velocity: Velocity::Fixed(v(0.0, 0.0, -1000.0)), ..Choice::of(BALL) };
    let inlet = Inlet { rate: Rate::Bodies(100.0), ..Inlet::new(choice, LabVec::zero(), cube(20.0)) };
    let mut stream = Stream::new(inlet, &world, 1).unwrap();
    let mut engine = Engine::new(world, settings()).unwrap();
    let mut came = run(&mut engine, &mut stream, 50, 100);
    assert_eq!(came.len(), 50);
    came.sort_by(|a, b| a.1.cmp(&b.1));
    assert!(came.windows(2).all(|pair| pair[0].1 != pair[1].1));
}

#[test]
fn those_that_wait_come_after_the_stop() {
    let world = world();
    let choice = Choice { velocity: Velocity::Fixed(v(0.0, 0.0, -30.0)), ..Choice::of(BALL) };
    let inlet = Inlet {
        rate: Rate::Bodies(1e4),
        stop: 1e-3,
        ..Inlet::new(choice, v(0.0, 0.0, 10.0), v(2.1, 2.1, 12.1))
    };
    let mut stream = Stream::new(inlet, &world, 1).unwrap();
    let mut engine = Engine::new(world, settings()).unwrap();
    assert!(!stream.is_over(0.0));
    run(&mut engine, &mut stream, 30, 300);
    assert_eq!((engine.body_count(), stream.waiting(engine.time())), (10, 0));
    assert!(stream.is_over(engine.time()));
}

#[test]
fn a_resumed_stream_has_the_same_bits() {
    let world = falling();
    let start = || {
        let stream = Stream::new(Inlet { start: 0.01, ..inlet(2000.0) }, &world, 9).unwrap();
        (Engine::new(world.clone(), settings()).unwrap(), stream)
    };
    let (mut engine, mut stream) = start();
    let whole = run(&mut engine, &mut stream, 30, 40);
    let (mut engine, mut stream) = start();
    let mut parts = run(&mut engine, &mut stream, 13, 40);
    let (saved, bytes) = (engine.save(), stream.state().to_bytes());
    let (mut engine, mut stream) = start();
    engine.restore(&saved).unwrap();
    stream.restore(StreamState::from_bytes(&bytes).unwrap());
    parts.extend(run(&mut engine, &mut stream, 17, 40));
    assert!(whole.len() > 20 && stream.waiting(engine.time()) > 0, "some had to wait");
    assert_eq!(whole, parts);
    // Another seed is another stream.
    let mut other = Stream::new(Inlet { start: 0.01, ..inlet(2000.0) }, &world, 10).unwrap();
    assert_ne!(run(&mut start().0, &mut other, 30, 40), whole);
}

#[test]
fn only_bytes_of_a_state_are_one() {
    let state = StreamState { inserted: 12_345, mass: 0.1, random: 0x0123_4567_89ab_cdef };
    let good = state.to_bytes();
    assert_eq!(StreamState::from_bytes(&good), Ok(state));
    for bit in 0..8 * good.len() {
        let mut bytes = good;
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(StreamState::from_bytes(&bytes).is_err(), "bit {bit}");
    }
    for length in (0..good.len()).chain([41, 64]) {
        let bytes: Vec<u8> = good.iter().copied().cycle().take(length).collect();
        assert_eq!(StreamState::from_bytes(&bytes), Err(StreamStateError::Length(length)));
    }
    let mut random = tumble_dem::random::Random::new(1);
    for _ in 0..1000 {
        let bytes: Vec<u8> = (0..5).flat_map(|_| random.bits().to_le_bytes()).collect();
        assert_eq!(StreamState::from_bytes(&bytes), Err(StreamStateError::NotAState));
    }
    let mut newer = good;
    newer[7] = b'3';
    assert!(StreamState::from_bytes(&newer).unwrap_err().to_string().contains("version '3'"));
}

#[test]
fn walls_that_move_and_ends_that_are_periodic() {
    let mut world = world();
    world.domain.axes[0] = Axis::Periodic { low: 0.0, high: 20.0 };
    let rising = Motion::new(vec![Movement::Drift { velocity: v(0.0, 0.0, 10.0) }]).unwrap();
    let floor = Plane::new(LabVec::zero(), v(0.0, 0.0, 1.0)).unwrap();
    world.walls.push(Wall::new("piston", floor, MaterialId(0), rising).unwrap());
    let choice = Choice { orientation: Orientation::Random, ..Choice::of(ROD) };
    let inlet = Inlet {
        rate: Rate::Bodies(20_000.0),
        start: 0.1,
        ..Inlet::new(choice, LabVec::zero(), v(20.0, 6.0, 6.0))
    };
    let mut stream = Stream::new(inlet, &world, 2).unwrap();
    let mut engine = Engine::new(world.clone(), settings()).unwrap();
    engine.advance(1000).unwrap();
    let (mut all, mut crossing) = (Vec::new(), false);
    for _ in 0..20 {
        let due = stream.due(engine.time(), &engine);
        engine.add_bodies(&due).unwrap();
        let height = 10.0 * engine.time();
        for body in &due {
            crossing |= body.position.x < 0.9 || body.position.x > 19.1;
            assert!(
                least_inside(&world, &[*body], v(0.0, 0.0, height), cube(20.0), [false, true, true]) >= 1.0
            );
        }
        all = bodies(&engine);
        engine.advance(1).unwrap();
    }
    assert!(all.len() > 5 && crossing, "{} came", all.len());
    assert!(least_gap(&world, &all) >= 1.0);
}

#[test]
fn impossible_inlets_say_why() {
    let world = world();
    let to = |high: LabVec<f64>| Region::Box { low: v(0.0, 0.0, 20.0), high };
    let message = |inlet: Inlet| Stream::new(inlet, &world, 1).unwrap_err().to_string();
    assert!(message(inlet(0.0)).contains("rate of the stream is 0"));
    assert!(message(inlet(f64::INFINITY)).contains("rate of the stream is inf"));
    assert!(message(Inlet { start: -1.0, ..inlet(1.0) }).contains("start of the stream is -1"));
    assert!(message(Inlet { start: 2.0, stop: 1.0, ..inlet(1.0) }).contains("stop of the stream is 1"));
    assert!(message(Inlet { stop: f64::NAN, ..inlet(1.0) }).contains("stop of the stream is NaN"));
    assert!(message(Inlet { gap: -0.1, ..inlet(1.0) }).contains("gap of the stream is -0.1"));
    assert!(message(Inlet { region: to(LabVec::zero()), ..inlet(1.0) }).contains("has no inside"));
    let error = Stream::new(Inlet { region: to(v(0.9, 20.0, 30.0)), ..inlet(1.0) }, &world, 1).unwrap_err();
    assert!(matches!(error, PlacementError::RegionTooSmall { .. }), "{error}");
    assert!(error.to_string().contains("4.207e0 m along each axis would do"), "{error}");
}
