//! Guarantee: what a stage changes of the fluid, of fields and of how often things are written takes effect with its first instant,
//! by known values, and the books of energy close through it. It can break where a field takes the time of the run for that of
//! its stage, where a run goes past the beginning of a stage, and where a table is written by the intervals of another stage.

use crate::common::{built, start, whole};
use std::fs;
use std::path::Path;
use tumble::output::{Part, Summary};
use tumble::scene::Built;
use tumble::{Mode, Simulation};

/// A ball of 0.1 kg·π/75, which nothing holds.
fn ball(gravity: f64, rest: &str) -> Built {
    let scene = format!(
        "version = 1\ngravity = [0, 0, {gravity}]\nrun = {{ dt = 1e-5, threads = 1 }}\n\
         materials.gel = {{ density = 1000, young = 5e6, poisson = 0.3 }}\n\
         pair = {{ restitution = 0.3, friction = 0.5 }}\n\
         templates.ball = {{ spheres = [[0, 0, 0, 0.01]] }}\n\
         bodies = [{{ template = \"ball\", at = [0, 0, 0] }}]\n{rest}"
    );
    built(&scene, &[])
}

fn velocity(simulation: &Simulation) -> [f64; 3] {
    simulation.engine().bodies()[0].velocity.to_array()
}

fn assert_near(found: f64, exact: f64, within: f64) {
    assert!((found - exact).abs() <= within, "{found}, expected {exact}");
}

/// There is no energy at the start, so the books are at zero for ever.
fn assert_books_close(simulation: &Simulation) {
    let ledger = simulation.engine().ledger();
    let turned_over = ledger.kinetic() + ledger.lost().abs() + ledger.work().abs();
    assert_near(ledger.balance(), 0.0, 1e-6 * turned_over);
}

#[test]
fn a_stage_puts_a_fluid_around_the_bodies_and_another_takes_it_away() {
    let built = ball(
        -10.0,
        "stages = [{ name = 'a', duration = 0.1 }, { name = 'b', duration = 0.1, drag = { viscosity = 0.5 } }, \
         { name = 'c', duration = 0.1, drag = false }]",
    );
    let mut simulation = Simulation::of(&built).unwrap();
    simulation.advance(10_000).unwrap();
    assert_near(velocity(&simulation)[2], -1.0, 1e-12);
    simulation.advance(10_000).unwrap();
    // τ = m/(6πηr), and v → −gτ.
    let tau: f64 = 1000.0 * 4.0 / 3.0 * 1e-4 / (6.0 * 0.5);
    let last = -10.0 * tau + (-1.0 + 10.0 * tau) * (-0.1 / tau).exp();
    assert_near(velocity(&simulation)[2], last, 1e-6);
    simulation.advance(10_000).unwrap();
    assert_near(velocity(&simulation)[2], last - 1.0, 1e-6);
    assert!(simulation.stages_are_over());
    assert_books_close(&simulation);
    assert_eq!(simulation.stages()[1].changes, ["drag of viscosity 0.5 Pa s"]);
    assert_eq!(simulation.stages()[2].changes, ["no drag"]);
}

#[test]
fn fields_of_a_stage_count_its_time_and_pass_over_within_its_ramp() {
    let built = ball(
        0.0,
        "fields = [{ uniform = { acceleration = [1, 0, 0] } }]\n\
         stages = [{ name = 'a', duration = 0.1 }, \
         { name = 'b', duration = 0.1, fields = [{ uniform = { acceleration = [1, 0, 0] } }, \
         { uniform = { acceleration = [0, 2, 0] }, start = 0.02, stop = 0.07, ramp = 0.01 }] }, \
         { name = 'c', duration = 0.1, ramp = 0.04, fields = [] }]",
    );
    let mut simulation = Simulation::of(&built).unwrap();
    simulation.advance(10_000).unwrap();
    assert_near(velocity(&simulation)[0], 0.1, 1e-12);
    // The same field again is one that never ended: what ends and what starts are one together.
    simulation.advance(2500).unwrap();
    assert_near(velocity(&simulation)[0], 0.125, 1e-9);
    simulation.advance(7500).unwrap();
    let [x, y, _] = velocity(&simulation);
    assert_near(x, 0.2, 1e-9);
    // From its start to its stop it does as much as without ramps.
    assert_near(y, 2.0 * 0.05, 1e-9);
    simulation.advance(10_000).unwrap();
    // It ends within 40 ms, which is worth half of these.
    let [x, y, _] = velocity(&simulation);
    assert_near(x, 0.22, 1e-8);
    assert_near(y, 0.1, 1e-9);
    assert_books_close(&simulation);
}

#[test]
fn a_saved_state_goes_on_with_the_fluid_and_fields_of_its_stage() {
    let built = ball(
        -10.0,
        "stages = [{ name = 'a', duration = 0.01, drag = { density = 1000, coefficient = 0.44 }, \
         fields = [{ attraction = { rate = 50 } }] }, \
         { name = 'b', duration = 0.02, ramp = 0.03, fields = [{ uniform = { acceleration = [3, 0, 0], frequency = 80 } }] }, \
         { name = 'c', duration = 0.01, ramp = 0.005, fields = [{ uniform = { acceleration = [0, 3, 0] } }] }]",
    );
    let mut whole = Simulation::of(&built).unwrap();
    whole.advance(built.steps).unwrap();
    for step in [500, 1000, 2345, 3000, 3456] {
        let mut part = Simulation::of(&built).unwrap();
        part.advance(step).unwrap();
        let mut again = Simulation::at(&built, &part.checkpoint("")).unwrap();
        assert_eq!(again.engine().ledger(), part.engine().ledger(), "at step {step}");
        again.advance(u64::MAX).unwrap();
        assert_eq!(again.engine().save_bytes(), whole.engine().save_bytes(), "from step {step}");
        assert_eq!(again.stages(), whole.stages());
    }
}

/// The steps of the rows of a table.
fn steps(folder: &Path, part: Part) -> Vec<u64> {
    let text = fs::read_to_string(folder.join(part.name())).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let column = lines.next().unwrap().split(',').position(|name| name == "step").unwrap();
    let mut steps: Vec<u64> =
        lines.map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect();
    steps.dedup();
    steps
}

#[test]
fn tables_are_written_as_often_as_the_stage_says() {
    let top = tempfile::tempdir().unwrap();
    let built = ball(
        -10.0,
        "walls = [{ name = 'floor', plane = { point = [0, 0, -1], normal = [0, 0, 1] } }]\n\
         output = { energy = { every = { steps = 40 } }, walls = { every = { steps = 100 } }, trajectory = false }\n\
         stages = [{ name = 'a', until = { speed_below = 1, longest = 1, shortest = 0.00101, every = 13 } }, \
         { name = 'b', duration = 0.0005, output = { energy = { every = '0.2 ms' }, walls = false } }, \
         { name = 'c', duration = 0.0005, dt = 5e-6, output = { energy = { every = '0.2 ms' }, walls = { every = { steps = 30 } } } }]",
    );
    let folder = top.path().join("run");
    drop(whole(built.clone(), &folder));
    // The first ends with its first look from step 101 on.
    assert_eq!(steps(&folder, Part::Energy), [0, 40, 80, 104, 124, 144, 154, 194, 234, 254]);
    assert_eq!(steps(&folder, Part::Walls), [0, 100, 154, 184, 214, 244, 254]);
    let summary = Summary::read(&folder.join(Part::Summary.name())).unwrap();
    assert_eq!(summary.stages[1].changes, ["energy every 20 steps", "walls is not written"]);
    let page = start(built, &folder, Mode::Resume).write_report().unwrap();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("it changed: energy every 20 steps, walls is not written"));
}

#[test]
fn a_stream_by_a_table_brings_its_integral_however_often_it_is_interrupted() {
    // 0.5 · 400 · 0.2 = 40, then 400 · 0.1 = 40, then nothing.
    let scene = |rate: &str| {
        let text = format!(
            "version = 1\nrun = {{ dt = 1e-4, steps = 5000, threads = 1 }}\n\
             materials.gel = {{ density = 1000, young = 5e6, poisson = 0.3 }}\n\
             pair = {{ restitution = 0.3, friction = 0.5 }}\ntemplates.ball = {{ spheres = [[0, 0, 0, 0.001]] }}\n\
             streams = [{{ template = 'ball', {rate}, region = {{ low = [0, 0, 0], high = [1, 1, 1] }} }}]"
        );
        built(&text, &[])
    };
    let built = scene("rate = [[0, 0], [0.2, 400], [0.3, 400], [0.30001, 0]]");
    let mut simulation = Simulation::of(&built).unwrap();
    let counts = [0, 1000, 1000, 1000, 2000].map(|steps| {
        simulation.advance(steps).unwrap();
        let checkpoint = simulation.checkpoint("");
        simulation = Simulation::at(&built, &checkpoint).unwrap();
        simulation.engine().body_count()
    });
    assert_eq!(counts, [0, 10, 40, 80, 81]);
    assert_near(built.streams[0].expected(0.5), 81.0, 0.0);
    // By mass: 4.19 mg each, and 40 of them in all.
    let mass = 1000.0 * 4.0 / 3.0 * core::f64::consts::PI * 1e-9;
    let most = 40.0 * mass / 0.1;
    let built = scene(&format!("mass_rate = [[0, 0], [0.1, {most:e}], [0.2, 0]]"));
    let mut simulation = Simulation::of(&built).unwrap();
    simulation.advance(1000).unwrap();
    assert_eq!(simulation.engine().body_count(), 20);
    simulation.advance(4000).unwrap();
    assert_eq!(simulation.engine().body_count(), 40);
    assert!(simulation.streams()[0].is_over(0.5));
}
