//! What is summed up over time is exact, and goes on from what was remembered.

#![allow(clippy::float_cmp, reason = "counts, and sums that are exact")]
#![allow(clippy::disallowed_methods, reason = "expected values alone depend on them")]

use crate::known::{BALL, at, engine, spec, world};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::{Body, Engine, Solver, World};
use tumble_measure::{Measures, Options, Region, Row, Spec, Surface};

/// Balls in a row along z, 0.1 m apart, that move down at 10 m/s without touching: one goes by a place every 10 ms.
fn falling(count: u32) -> World {
    let mut world = world();
    for number in 0..count {
        let z = 0.05 + 0.1 * f64::from(number);
        world.add_body(Body::at(BALL, at(0.0, 0.0, z)).moving(at(0.0, 0.0, -10.0)));
    }
    world
}

fn below() -> Options {
    Options { through: Surface::plane(at(0.0, 0.0, 0.0), at(0.0, 0.0, -1.0)), ..Options::default() }
}

/// Advances, and samples when it is time.
fn go(engine: &mut Engine, measures: &mut Measures, steps: u64) {
    let end = Solver::steps(engine) + steps;
    while Solver::steps(engine) < end {
        let now = Solver::steps(engine);
        let pause = measures.next(now).min(end);
        Solver::advance(engine, pause - now).unwrap();
        if pause == measures.next(now) {
            measures.sample(engine);
        }
    }
}

#[test]
fn flows_are_counted_and_averaged_over_windows() {
    let mut engine = engine(falling(20));
    let mut measures = Measures::new(&[Spec { every: 100, window: Some(2000), ..spec("flow", below()) }]);
    measures.sample(&engine);
    assert!(measures.rows().is_empty());
    go(&mut engine, &mut measures, 10_000);
    let rows = measures.take_rows();
    // 20 ms each: two balls, at 5 and 15 ms.
    assert_eq!(rows.iter().map(|row| row.step).collect::<Vec<_>>(), [2000, 4000, 6000, 8000, 10_000]);
    let mass = Solver::bodies(&engine)[0].mass;
    for (number, row) in rows.iter().enumerate() {
        let count = 2.0 * (number + 1) as f64;
        assert_eq!(row.values[0], count);
        assert!((row.values[1] - count * mass).abs() < 1e-12 * mass);
        assert!((row.values[2] - 100.0).abs() < 1e-9 && (row.values[3] - 100.0 * mass).abs() < 1e-9 * mass);
    }
}

#[test]
fn what_goes_up_counts_back_and_a_periodic_end_is_no_way_round() {
    let mut world = falling(4);
    world.domain = Domain::of([Axis::Open, Axis::Open, Axis::Periodic { low: 0.0, high: 0.4 }]);
    world.add_body(Body::at(BALL, at(0.2, 0.0, 0.01)).moving(at(0.0, 0.0, 10.0)));
    let mut engine = engine(world);
    let through = |z: f64| Surface::plane(at(0.0, 0.0, z), at(0.0, 0.0, -1.0));
    let flow = |name: &str, z| {
        let options = Options { through: through(z), ..Options::default() };
        Spec { name: name.into(), every: 50, ..spec("flow", options) }
    };
    let mut measures = Measures::new(&[flow("middle", 0.2), flow("low", 0.0), flow("high", 0.4)]);
    measures.sample(&engine);
    // 80 ms: twice round, four balls down and one up.
    go(&mut engine, &mut measures, 8000);
    assert_eq!(measures.value("middle.number"), Some(6.0));
    let ends = [measures.value("low.number"), measures.value("high.number")].map(Option::unwrap);
    assert_eq!(ends, [6.0, 6.0]);
}

#[test]
fn bodies_stay_as_long_as_it_takes_to_go_through() {
    let mut engine = engine(falling(10));
    // 0.2 m at 10 m/s take 20 ms; seen every millisecond.
    let region = Some(Region::cuboid(at(-1.0, -1.0, -0.4), at(1.0, 1.0, -0.2)));
    let options = Options { region, ..Options::default() };
    let mut measures = Measures::new(&[Spec { every: 100, ..spec("residence", options) }]);
    measures.sample(&engine);
    go(&mut engine, &mut measures, 10_000);
    let value = |column: &str| measures.value(&format!("m.{column}")).unwrap();
    // The first enters after 25 ms, and one every 10 ms follows: at 100 ms six have left and two are inside.
    assert_eq!(value("left"), 6.0);
    assert!((value("stay") - 0.02).abs() < 1.01e-3, "{}", value("stay"));
    assert!((value("age") - 0.01).abs() < 1.01e-3 && (value("oldest") - 0.015).abs() < 1.01e-3);
}

/// The rows of a run that is interrupted after so many steps and goes on with what was remembered.
fn interrupted(specs: &[Spec], after: u64) -> Vec<Row> {
    let mut engine = engine(falling(10));
    let mut measures = Measures::new(specs);
    measures.sample(&engine);
    go(&mut engine, &mut measures, after);
    let mut rows = measures.take_rows();
    let bytes = measures.to_bytes();
    for length in 0..bytes.len() {
        assert!(Measures::new(specs).restore(&bytes[..length]).is_err(), "cut to {length}");
    }
    let mut measures = Measures::new(specs);
    measures.restore(&bytes).unwrap();
    go(&mut engine, &mut measures, 6000 - after);
    rows.extend(measures.take_rows());
    rows
}

#[test]
fn an_interrupted_run_has_the_same_rows() {
    let region = Some(Region::cuboid(at(-1.0, -1.0, 0.1), at(1.0, 1.0, 0.6)));
    let in_region = || Options { region: region.clone(), ..Options::default() };
    let named = |name: &str, every, window, spec: Spec| Spec { name: name.into(), every, window, ..spec };
    let specs = [
        named("flow", 30, Some(600), spec("flow", below())),
        named("contents", 70, Some(700), spec("contents", in_region())),
        named("stay", 50, None, spec("residence", in_region())),
    ];
    let bits = |rows: Vec<Row>| -> Vec<(u64, Vec<u64>)> {
        rows.into_iter().map(|row| (row.step, row.values.into_iter().map(f64::to_bits).collect())).collect()
    };
    let whole = bits(interrupted(&specs, 6000));
    assert!(whole.len() > 120);
    for after in [0, 1, 333, 1499] {
        assert_eq!(bits(interrupted(&specs, after)), whole, "after {after}");
    }
}
