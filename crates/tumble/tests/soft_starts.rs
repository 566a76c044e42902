//! Guarantee: a wall that begins to move during a run does so smoothly unless it is told to jump, and what either puts in is in the
//! books as work of walls. It can break where a default is lost between keys and engine, or where a stage takes over a motion.

use crate::common::built;
use tumble::dem::Clock;
use tumble::scene::Built;
use tumble::{GoingOn, Predecessor, Simulation};

const SPEED: f64 = 0.1;
const BEGIN: f64 = 0.5;
const END: f64 = 1.5;

/// A ball that lies on a floor, which begins to rise at half a second.
fn ball(floor: &str, rest: &str) -> Built {
    let scene = format!(
        "version = 1\ngravity = [0, 0, -10]\nrun = {{ dt = 2e-5, threads = 1{} }}\n\
         materials.gel = {{ density = 1000, young = 5e6, poisson = 0.3 }}\n\
         pair = {{ restitution = 0.3, friction = 0.5 }}\n\
         templates.ball = {{ spheres = [[0, 0, 0, 0.01]] }}\n\
         bodies = [{{ template = \"ball\", at = [0, 0, 0.01] }}]\n\
         walls = [{{ name = 'floor', plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}{floor} }}]\n{rest}",
        if rest.contains("stages") { String::new() } else { format!(", duration = {END}") }
    );
    built(&scene, &[])
}

/// What was lost from the beginning of the motion on, and what the floor put in beyond lifting and speeding up the ball, J.
fn lost_and_put_in(built: &Built) -> (f64, f64) {
    let mut simulation = Simulation::of(built).unwrap();
    let mut advance = |to: u64| {
        simulation.advance(to - simulation.engine().steps()).unwrap();
        (simulation.engine().ledger(), simulation.engine().bodies()[0])
    };
    let (before, low) = advance(25_000);
    let (after, high) = advance(75_000);
    assert!((high.velocity.z - SPEED).abs() < 1e-4, "it moves with the floor: {}", high.velocity.z);
    let closing = (after.balance() - before.balance()).abs();
    assert!(closing < 0.02 * high.mass * SPEED * SPEED, "the books do not close: {closing} J");
    let lifted = high.mass * 10.0 * (high.position.z - low.position.z);
    let sped_up = 0.5 * high.mass * SPEED * SPEED;
    (after.lost() - before.lost(), after.wall_work - before.wall_work - lifted - sped_up)
}

#[test]
fn a_jump_puts_in_energy_that_a_ramp_does_not() {
    let mass = 1000.0 * 4.0 / 3.0 * core::f64::consts::PI * 1e-6;
    let impact = 0.5 * mass * SPEED * SPEED;
    let started = |ramp: &str| {
        let motion =
            format!(", motion = [{{ drift = {{ velocity = [0, 0, {SPEED}], start = {BEGIN}{ramp} }} }}]");
        ball(&motion, "")
    };
    let staged = |ramp: &str| {
        let stages = format!(
            "stages = [{{ name = 'lie', duration = {BEGIN} }}, {{ name = 'rise', duration = 1{ramp}, \
             walls = {{ floor = {{ motion = [{{ drift = {{ velocity = [0, 0, {SPEED}] }} }}] }} }} }}]"
        );
        ball("", &stages)
    };
    // Seen from a floor that jumps, the ball hits it at full speed: all of that is lost in the end, and the floor has put it in.
    for jump in [started(", ramp = 0"), staged(", ramp = 0")] {
        let (lost, put_in) = lost_and_put_in(&jump);
        assert!((lost - impact).abs() < 0.03 * impact, "lost {lost} J of {impact} J");
        assert!((put_in - impact).abs() < 0.05 * impact, "put in {put_in} J, an impact has {impact} J");
    }
    // Where nothing is said, next to nothing.
    for smooth in [started(""), staged("")] {
        let (lost, put_in) = lost_and_put_in(&smooth);
        assert!(lost.abs() < 0.05 * impact, "lost {lost} J, an impact has {impact} J");
        assert!(put_in.abs() < 0.05 * impact, "put in {put_in} J, an impact has {impact} J");
    }
}

#[test]
fn a_motion_that_goes_on_with_another_run_says_that_it_jumps() {
    let lying = ball("", "");
    let mut simulation = Simulation::of(&lying).unwrap();
    simulation.advance(25_000).unwrap();
    let from = Predecessor::of(&simulation, &lying);
    let told =
        |next: &Built| GoingOn::new(&next.scene, Some(1), &from, Clock::Restarts).unwrap().told().join("\n");
    let rising =
        |when: &str| ball(&format!(", motion = [{{ drift = {{ velocity = [0, 0, 0.1]{when} }} }}]"), "");
    let words = "the wall 'floor' jumps to another velocity, by 0.1 m/s at its origin";
    assert!(told(&rising("")).contains(words), "{}", told(&rising("")));
    for smooth in [rising(", start = 0"), rising(", ramp = 0.1"), ball("", "")] {
        assert!(!told(&smooth).contains("jumps"), "{}", told(&smooth));
    }
}
