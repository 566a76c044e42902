//! Guarantee: what is timed is an exact function of time, books close through ramps, through walls that come and go and
//! through gravity that changes, and none of it depends on how a run is cut into parts. They can break where a ramp is summed
//! instead of integrated, where a wall takes energy along that nobody counts, and where a state is restored between two events.

use crate::common::{X, Z, add_clump, add_floor, add_sphere, lopsided, settings, world};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Movement, Plane, Presence, Timing, Wall};
use tumble_dem::{
    Body, Engine, GravityTable, LabVec, MaterialId, Rule, SavedState, Settings, WallId, World, fingerprint,
};

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 10.0;

fn stuff(friction: f64) -> World {
    let mut world = world(Material::new("glass", 2500.0, 1e7, 0.2), PairProperties::new(0.5, friction));
    world.gravity = Z * -GRAVITY;
    world
}

/// A ball that lies on the plane z = 0, which moves as it is told.
fn ball_on_floor(friction: f64, motion: Motion) -> World {
    let mut world = stuff(friction);
    let ball = add_sphere(&mut world, RADIUS);
    add_floor(&mut world, MaterialId(0), motion);
    world.add_body(Body::at(ball, Z * RADIUS));
    world
}

/// So that a ball comes to rest that was let go of where it just touched.
const SETTLED: f64 = 0.3;
const DT: f64 = 2e-5;

fn steps(time: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
    let steps = (time / DT).round() as u64;
    steps
}

fn engine(world: World) -> Engine {
    Engine::new(world, settings(LawKind::HertzMindlin, DT)).unwrap()
}

fn clocks() -> [Timing; 6] {
    [
        Timing::window(Some(0.3), Some(0.9), 0.2).unwrap(),
        Timing::window(Some(0.3), Some(0.4), 0.25).unwrap(),
        Timing::window(Some(0.3), None, 0.5).unwrap(),
        Timing::table(&[[0.2, 0.0], [0.5, 1.5], [0.7, -0.5], [1.1, 0.25]]).unwrap(),
        Timing::window(Some(0.3), Some(0.9), 0.0).unwrap(),
        Timing::window(None, Some(0.7), 0.3).unwrap(),
    ]
}

#[test]
fn what_a_clock_shows_is_the_integral_of_its_speed() {
    for clock in clocks() {
        let (cells, end) = (200_000_u32, 2.0);
        let h = end / f64::from(cells);
        let mut sum = 0.0;
        for cell in 0..cells {
            let middle = (f64::from(cell) + 0.5) * h;
            sum += clock.speed(middle) * h;
            if cell % 1000 == 999 {
                let t = f64::from(cell + 1) * h;
                let error = (clock.elapsed(t) - clock.elapsed(0.0) - sum).abs();
                assert!(error < 2e-9, "{clock:?} at {t}: {error:e}");
            }
        }
    }
    // However long the ramps are.
    for ramp in [0.0, 0.1, 0.25, 3.0] {
        let clock = Timing::window(Some(0.3), Some(0.9), ramp).unwrap();
        assert!((clock.elapsed(10.0) - 0.6).abs() < 1e-14);
    }
}

#[test]
fn velocities_of_timed_motions_are_derivatives_and_do_not_jump_when_another_follows() {
    let [a, b, c, d, ..] = clocks();
    let parts = vec![
        (Movement::Spin { axis: Z, pivot: X, rate: 3.0 }, a),
        (Movement::Rocking { axis: X, pivot: Z, amplitude: 0.4, frequency: 2.0, phase: 0.2 }, d),
        (Movement::Drift { velocity: X * 0.7 }, c),
        (Movement::Vibration { amplitude: Z * 0.1, frequency: 3.0, phase: 1.0 }, b),
    ];
    let first = Motion::timed(parts.clone()).unwrap();
    let then = 0.65;
    let second = Motion::timed(parts).unwrap().following(first.at(then), then, 0.2);
    let point = LabVec::new(0.3, -0.8, 0.5);
    for motion in [&first, &second] {
        for step in 1..2000 {
            let (t, h) = (1e-3 * f64::from(step) + 3e-5, 1e-6);
            let place = |t: f64| motion.at(t).to_lab(point);
            let slope = (place(t + h) - place(t - h)) * (0.5 / h);
            let error = (slope - motion.at(t).velocity_at(place(t))).norm();
            assert!(error < 1e-7, "at {t}: {error:e}");
        }
    }
    let [before, after] = [&first, &second].map(|motion| motion.at(then));
    assert!((before.to_lab(point) - after.to_lab(point)).norm() < 1e-15);
    let velocity = before.velocity_at(before.to_lab(point));
    assert!(velocity.norm() > 0.5);
    assert!((velocity - after.velocity_at(after.to_lab(point))).norm() < 1e-14);
}

#[test]
fn a_floor_that_starts_smoothly_takes_a_ball_along_as_theory_says() {
    // Without slip a solid sphere gets 2/7 of the velocity of the floor, and the rest as spin.
    let speed = 0.1;
    let clock = Timing::window(Some(SETTLED), None, 0.1).unwrap();
    let floor = Motion::timed(vec![(Movement::Drift { velocity: X * speed }, clock)]).unwrap();
    let mut engine = engine(ball_on_floor(0.5, floor));
    engine.advance(steps(SETTLED)).unwrap();
    let before = engine.ledger();
    engine.advance(steps(0.4)).unwrap();
    let ball = engine.bodies()[0];
    assert!((ball.velocity.x / speed - 2.0 / 7.0).abs() < 2e-3, "{}", ball.velocity.x / speed);
    assert!((ball.angular_velocity.y * RADIUS / speed + 5.0 / 7.0).abs() < 2e-3);
    let ledger = engine.ledger();
    let put_in = ledger.wall_work - before.wall_work;
    let got = ledger.kinetic();
    assert!(got > 0.5 * ball.mass * (speed * 2.0 / 7.0).powi(2));
    assert!(put_in > got);
    let error = (ledger.balance() - before.balance()) / put_in;
    assert!(error.abs() < 1e-4, "{error:e}");
}

#[test]
fn what_contacts_stored_with_a_wall_that_goes_is_in_the_books() {
    let until = Presence { until: SETTLED, ..Presence::ALWAYS };
    let mut engine = engine(ball_on_floor(0.5, Motion::fixed().present(until)));
    engine.advance(steps(SETTLED) - 1).unwrap();
    let before = engine.ledger();
    assert_eq!(engine.contact_count(), 1);
    assert!(before.elastic_normal > 0.0);
    engine.advance(1).unwrap();
    assert_eq!(engine.contact_count(), 0);
    let after = engine.ledger();
    assert!((after.exchanged + before.elastic_normal).abs() < 1e-6 * before.elastic_normal);
    assert_eq!(after.elastic_normal.to_bits(), 0.0_f64.to_bits());
    // It falls freely from then on.
    let start = engine.bodies()[0];
    engine.advance(steps(0.1)).unwrap();
    let ball = engine.bodies()[0];
    assert!((ball.velocity.z - start.velocity.z + GRAVITY * 0.1).abs() < 1e-12);
    assert!(
        (engine.ledger().balance() - before.balance()).abs() < 1e-12 * before.gravitational.abs().max(1e-3)
    );
}

/// A ball that falls from rest; the floor is there later.
fn falling(height: f64, from: f64) -> World {
    let mut world = ball_on_floor(0.5, Motion::fixed().present(Presence { from, ..Presence::ALWAYS }));
    world.bodies[0].position = Z * height;
    world
}

#[test]
fn a_wall_that_comes_in_time_catches_and_one_where_bodies_are_is_refused() {
    // It falls 5 cm in 0.1 s.
    let mut caught = engine(falling(0.05 + 2.0 * RADIUS, 0.09));
    caught.advance(steps(0.5)).unwrap();
    assert!(caught.bodies()[0].position.z > 0.9 * RADIUS);
    let mut missed = engine(falling(0.05 + 0.8 * RADIUS, 0.1));
    let message = missed.advance(steps(0.5)).unwrap_err().to_string();
    for words in ["at t = 1.0", "body 0", "the wall 'floor' appears", "2.0", "deep in it", "back at t = "] {
        assert!(message.contains(words), "{words} in: {message}");
    }
    // Back at a state from before, from which it fails again.
    assert!(missed.time() < 0.1 && missed.contact_count() == 0);
    assert!(missed.advance(steps(0.5)).is_err());
    let mut through = engine(falling(0.01, 0.1));
    let message = through.advance(steps(0.2)).unwrap_err().to_string();
    assert!(message.contains("'floor'"), "{message}");
}

#[test]
fn a_wall_that_is_put_where_bodies_are_by_hand_is_refused_and_nothing_has_changed() {
    let mut engine = engine(falling(0.05, f64::INFINITY));
    engine.advance(steps(0.1)).unwrap();
    let before = fingerprint::of(&engine);
    let message = engine.set_wall_motion(WallId(0), Motion::fixed()).unwrap_err().to_string();
    assert!(message.contains("the wall 'floor' appears"), "{message}");
    assert_eq!(fingerprint::of(&engine), before);
    engine.advance(100).unwrap();
}

#[test]
fn gravity_that_has_a_table_cannot_be_changed_by_hand() {
    let mut world = stuff(0.5);
    world.gravity_table = Some(GravityTable::new(vec![(0.0, Z)]).unwrap());
    let message = engine(world).change_rules(&[Rule::Gravity(X)]).unwrap_err().to_string();
    assert!(message.contains("its table of gravity"), "{message}");
}

#[test]
fn the_work_of_gravity_that_changes_closes_the_books() {
    let table = GravityTable::new(vec![(0.1, Z * -10.0), (0.3, X * 6.0 + Z * -2.0)]).unwrap();
    let error = |dt: f64| {
        let mut world = stuff(0.5);
        let ball = add_sphere(&mut world, RADIUS);
        for number in 0..5 {
            world.add_body(Body::at(ball, X * 0.1 * f64::from(number) + Z * 3.0).moving(X * 2.0));
        }
        world.gravity_table = Some(table.clone());
        let mut engine = Engine::new(world, Settings::new(dt)).unwrap();
        let before = engine.ledger();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
        engine.advance((0.6 / dt).round() as u64).unwrap();
        let ledger = engine.ledger();
        // Areas of trapezoids: −(1 + 1.2 + 0.6) along z, 0.6 + 1.8 along x.
        let velocity = engine.bodies()[0].velocity;
        assert!((velocity.z + 2.8).abs() < 1e-9, "{}", velocity.z);
        assert!((velocity.x - 4.4).abs() < 1e-9, "{}", velocity.x);
        assert!(ledger.field_work.abs() > 0.1 * ledger.kinetic());
        (ledger.balance() - before.balance()).abs() / ledger.field_work.abs()
    };
    let (coarse, fine) = (error(2e-3), error(1e-3));
    assert!(fine < 1e-5, "{fine:e}");
    assert!(fine < 0.3 * coarse, "{fine:e} {coarse:e}");
}

/// Clumps in a heap, a floor that shakes for a while, another that goes, gravity that turns.
fn busy() -> World {
    let mut world = stuff(0.4);
    let shake = Movement::Vibration { amplitude: Z * 2e-4, frequency: 60.0, phase: 0.0 };
    let clock = Timing::window(Some(0.004), Some(0.03), 0.005).unwrap();
    add_floor(&mut world, MaterialId(0), Motion::timed(vec![(shake, clock)]).unwrap());
    let plane = Plane::new(Z * 0.01, Z + X * 0.3).unwrap();
    let until = Presence { until: 0.0213, ..Presence::ALWAYS };
    world.walls.push(Wall::new("slope", plane, MaterialId(0), Motion::fixed().present(until)).unwrap());
    world.gravity_table =
        Some(GravityTable::new(vec![(0.01, Z * -30.0), (0.03, Z * -30.0 + X * 10.0)]).unwrap());
    let clump = add_clump(&mut world, &lopsided());
    for number in 0..48 {
        let [i, j, k] = [number % 4, number / 4 % 4, number / 16].map(f64::from);
        let position = LabVec::new(0.055 * i, 0.055 * j, 0.035 + 0.045 * k);
        world.add_body(Body::at(clump, position).moving(-Z).spinning(X * (i - j)));
    }
    world
}

#[test]
fn runs_through_timed_changes_have_the_same_bits_however_they_are_cut_and_saved() {
    let make = |threads: usize| {
        let settings = Settings { threads, ..settings(LawKind::HertzMindlin, DT) };
        Engine::new(busy(), settings).unwrap()
    };
    let end = steps(0.04);
    let mut whole = make(1);
    whole.advance(end).unwrap();
    assert!(whole.contact_count() > 10);
    let at_end = fingerprint::of(&whole);
    for threads in [1, 3] {
        let mut cut = make(threads);
        // Before, at and after the step at which the slope goes.
        let gone = (0.0213 / DT).ceil();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
        let gone = gone as u64;
        for until in [77, gone - 1, gone, gone + 1, end - 100, end] {
            let now = cut.steps();
            cut.advance(until - now).unwrap();
            let bytes = cut.save().to_bytes();
            let mut other = make(4 - threads);
            other.restore(&SavedState::from_bytes(&bytes, &busy()).unwrap()).unwrap();
            cut = other;
        }
        assert_eq!(fingerprint::of(&cut), at_end, "{threads} threads");
    }
}
