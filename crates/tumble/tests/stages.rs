//! Guarantee: stages come one after the other, end when they should and say why, change what they name and nothing else, and
//! a run that is interrupted anywhere among them ends with the same bytes. They can break where a wall's motion is not taken up
//! where it was, where a look depends on when results are written, and where the end of a run comes earlier than planned.

use crate::common::{EVERYTHING, assert_same_results, built, start, stop_at, whole};
use tumble::dem::LabVec;
use tumble::output::{Part, StageRecord, Summary};
use tumble::scene::{Built, Scene, SceneText};
use tumble::{End, Mode, Progress, Simulation, Watch};

/// The small scene with everything, in five stages. No look falls on an output.
const STAGES: &str = r#"
[[stages]]
name = "fall"
duration = "1.7 ms"

[[stages]]
name = "pour"
until = { bodies_above = 70, longest = "5 ms", every = 13 }
gravity = [0.5, 0, -9.81]
pair = { friction = 0.2 }
drag = { viscosity = 1e-3, flow = [0.1, 0, 0] }
fields = [{ uniform = { acceleration = [1, 0, 0], frequency = 300 } }, { attraction = { rate = 5 }, stop = "2 ms", ramp = "0.3 ms" }]
ramp = "3 ms"
output = { energy = { every = { steps = 11 } }, trajectory = { every = "0.3 ms" }, walls = false }

[[stages]]
name = "turn"
duration = "2 ms"
ramp = "0.5 ms"
walls."floor, shaking".motion = [{ rock = { axis = [0, 1, 0], pivot = [0.025, 0, 0], amplitude = "1 deg", frequency = 100, stop = "1.4 ms" } }]

[[stages]]
name = "fine"
duration = "0.5 ms"
dt = "10 us"
drag = false
fields = [{ uniform = { acceleration = [0, 2, 0] } }]
output = { walls = { every = "70 us" }, trajectory = { every = { steps = 30 } } }
walls."floor, shaking".present = false

[[stages]]
name = "end"
until = { kinetic_energy_below = 1e-9, longest = "1 ms", every = 7 }
dt = "20 us"
walls."floor, shaking".motion = []
"#;

fn staged(threads: usize) -> Built {
    let scene = EVERYTHING
        .replace("steps = 523\n", "")
        .replace("rate = 3000\n", "rate = [[0, 0], [1e-3, 6000]]\nstages = [\"pour\", \"end\"]\n");
    built(&(scene + STAGES), &[("run.threads", &threads.to_string())])
}

/// A first look comes after so many steps. In 2 ms a ball that falls has 2 cm/s.
const FIRST_LOOK: u64 = 100;

/// A ball that is dropped onto a floor.
fn ball(stages: &str) -> Built {
    let scene = r#"
version = 1
gravity = [0, 0, -10]
run = { dt = 2e-5, threads = 1 }
materials.gel = { density = 1000, young = 5e6, poisson = 0.3 }
pair = { restitution = 0.3, friction = 0.5 }
templates.ball = { spheres = [[0, 0, 0, 0.01]] }
bodies = [{ template = "ball", at = [0, 0, 0.03] }]
walls = [{ name = "floor", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]
"#;
    built(&format!("{scene}stages = [{stages}]"), &[])
}

fn to_the_end(built: &Built) -> Simulation {
    let mut simulation = Simulation::of(built).unwrap();
    assert_eq!(simulation.go_to(built.steps, &mut ()).unwrap(), End::Finished);
    simulation
}

fn ends(stages: &[StageRecord]) -> Vec<(&str, u64, &str)> {
    let end = |stage: &StageRecord| stage.ended.as_ref().map(|ended| (ended.step, ended.why.clone()));
    stages
        .iter()
        .map(|stage| {
            let (step, why) = end(stage).unwrap_or((u64::MAX, String::new()));
            let why = if why.starts_with("it came about") {
                "came about"
            } else if why.starts_with("its longest time") {
                "longest"
            } else if why == "its time was over" {
                "over"
            } else {
                ""
            };
            (stage.name.as_str(), step, why)
        })
        .collect()
}

#[test]
fn stopped_anywhere_among_stages_a_run_ends_the_same() {
    let top = tempfile::tempdir().unwrap();
    let (expected, broken) = (top.path().join("whole"), top.path().join("broken"));
    let run = whole(staged(1), &expected);
    let stages = run.simulation().stages().to_vec();
    let told = ends(&stages);
    assert_eq!(told.len(), 5, "{told:?}");
    assert_eq!((told[0], told[1].2), (("fall", 85, "over"), "came about"), "{told:?}");
    assert!((told[1].1 - 85).is_multiple_of(13), "{told:?}");
    assert_eq!(
        [told[2].1 - told[1].1, told[3].1 - told[2].1, told[4].1 - told[3].1],
        [100, 50, 50],
        "{told:?}"
    );
    assert_eq!(told[4].2, "longest");
    // Steps of the fourth are half as long.
    let [began, ended] = [3, 4].map(|number: usize| stages[number].time_s);
    assert!((ended - began - 5e-4).abs() < 1e-12, "{}", ended - began);
    drop(run);
    let mut run = start(staged(1), &broken, Mode::New);
    let mut stops = 0;
    while run.go(&mut stop_at(run.simulation().engine().steps() + 17)).unwrap() == End::Interrupted {
        stops += 1;
        drop(run);
        run = start(staged(1 + stops % 2), &broken, Mode::Resume);
    }
    assert!(stops > 10, "{stops} stops");
    assert_eq!(run.simulation().stages(), stages);
    drop(run);
    assert_same_results(&expected, &broken);
    let summary = Summary::read(&broken.join(Part::Summary.name())).unwrap();
    assert_eq!(summary.stages.len(), 5);
    assert_eq!(summary.stages[1].name, "pour");
    // And once more, when there is nothing left to do.
    assert_eq!(start(staged(2), &broken, Mode::Resume).go(&mut ()).unwrap(), End::Finished);
    assert_same_results(&expected, &broken);
}

#[test]
fn a_stage_ends_when_bodies_are_at_rest_and_not_before_its_shortest_time() {
    // Let go of, it is slow at first; after that it falls 2 cm in 63 ms, and is slow again where it turns round.
    let now = ball("{ name = 'a', until = { speed_below = 0.03, longest = 1 } }");
    assert_eq!(ends(to_the_end(&now).stages()), [("a", FIRST_LOOK, "came about")]);
    let later =
        to_the_end(&ball("{ name = 'a', until = { speed_below = 0.01, shortest = 0.05, longest = 2 } }"));
    let ended = later.stages()[0].ended.clone().unwrap();
    assert!(ended.why.contains("no body is faster than 0.01 m/s"), "{}", ended.why);
    assert!(ended.time_s > 0.05 && ended.time_s < 1.0, "{}", ended.time_s);
    assert!(later.engine().bodies()[0].velocity.norm() < 0.01);
}

#[test]
fn a_stage_that_takes_too_long_ends_and_says_so() {
    #[derive(Default)]
    struct Notes(Vec<String>, Option<Progress>);
    impl Watch for Notes {
        fn notice(&mut self, text: &str) {
            self.0.push(text.to_owned());
        }
        fn progress(&mut self, progress: &Progress) {
            self.1 = Some(*progress);
        }
    }
    let top = tempfile::tempdir().unwrap();
    let built =
        ball("{ name = 'a', until = { mass_above = 1, longest = 0.004 } }, { name = 'b', duration = 0.002 }");
    let mut run = start(built, &top.path().join("run"), Mode::New);
    let mut notes = Notes::default();
    assert_eq!(run.go(&mut notes).unwrap(), End::Finished);
    assert_eq!(notes.0.len(), 2, "{:?}", notes.0);
    assert!(
        notes.0[0].starts_with("warning: stage `a` ended at 0.004000 s: its longest time was over"),
        "{:?}",
        notes.0
    );
    assert!(notes.0[1].starts_with("stage `b` ended at 0.006000 s: its time was over"), "{:?}", notes.0);
    let last = notes.1.unwrap();
    assert_eq!((last.stage, last.step), (Some((1, 2)), 300));
    assert!((last.end - 0.006).abs() < 1e-12);
}

#[test]
fn gravity_and_friction_of_a_stage_act_in_it() {
    // It lies on the floor in the first stage, slides in the second without friction, and rolls in the third.
    let built = ball(
        "{ name = 'lie', duration = 0.5, pair = { friction = 0 } }, \
         { name = 'slide', duration = 0.1, gravity = [1, 0, -10] }, \
         { name = 'fall', duration = 0.1, walls = { floor = { present = false } }, gravity = [0, 0, -10] }",
    );
    let mut simulation = Simulation::of(&built).unwrap();
    simulation.advance(30_000).unwrap();
    let ball = simulation.engine().bodies()[0];
    assert!((ball.velocity.x - 0.1).abs() < 1e-6, "{}", ball.velocity.x);
    assert!(ball.angular_velocity.norm() < 1e-9);
    assert_eq!(simulation.stages().len(), 3);
    simulation.advance(5000).unwrap();
    let ball = simulation.engine().bodies()[0];
    assert!((ball.velocity - LabVec::new(0.1, 0.0, -1.0)).norm() < 1e-6, "{:?}", ball.velocity);
    assert!(simulation.stages_are_over());
    // It goes on as it is, if it is told to.
    simulation.advance(100).unwrap();
    assert_eq!(simulation.engine().steps(), 35_100);
}

#[test]
fn a_wall_goes_on_from_where_it_was_without_a_jump() {
    let built = ball(
        "{ name = 'up', duration = 0.1, walls = { floor = { motion = [{ drift = { velocity = [0, 0, 0.1] } }] } } }, \
         { name = 'stay', duration = 0.2, ramp = 0.02, walls = { floor = { motion = [] } } }",
    );
    let mut simulation = Simulation::of(&built).unwrap();
    let mut last: Option<(f64, f64)> = None;
    while !simulation.stages_are_over() {
        simulation.advance(10).unwrap();
        let pose = simulation.engine().scenery().poses[0];
        let now = (pose.origin.z, pose.velocity.z);
        if let Some((height, speed)) = last {
            // A ramp of 20 ms has at most 1.5 · 0.1/0.02 m/s².
            assert!((now.1 - speed).abs() < 7.6 * 2e-4, "{now:?} after {last:?}");
            assert!((now.0 - height - 0.5 * (now.1 + speed) * 2e-4).abs() < 1e-8);
        }
        last = Some(now);
    }
    // 0.1 s less half the usual ramp of 50 ms, then half of 20 ms.
    let (height, speed) = last.unwrap();
    assert!((height - 0.1 * (0.1 - 0.025 + 0.01)).abs() < 1e-12, "{height}");
    assert!(speed.abs() < 1e-15);
}

#[test]
fn a_wall_that_a_stage_puts_where_a_body_is_is_refused_by_name() {
    let built = ball(
        "{ name = 'away', duration = 0.2, walls = { floor = { present = false } } }, \
         { name = 'back', duration = 0.1, walls = { floor = { present = true } } }",
    );
    let mut simulation = Simulation::of(&built).unwrap();
    let message = simulation.advance(built.steps).unwrap_err().to_string();
    for words in ["the stage `back` cannot begin", "body 0", "the wall 'floor' appears", "deep in it"] {
        assert!(message.contains(words), "{words} in {message}");
    }
}

#[test]
fn streams_pour_in_their_stages_only() {
    let built = built(
        r#"
version = 1
run = { dt = 1e-4, threads = 1 }
materials.gel = { density = 1000, young = 5e6, poisson = 0.3 }
pair = { restitution = 0.3, friction = 0.5 }
templates.ball = { spheres = [[0, 0, 0, 0.001]] }
stages = [{ name = "a", duration = 0.1 }, { name = "b", duration = 0.2 }, { name = "c", duration = 0.1 }]
[[streams]]
template = "ball"
rate = 100
start = 0.05
stages = ["a", "c"]
region = { low = [0, 0, 0], high = [1, 1, 1] }
"#,
        &[],
    );
    let mut simulation = Simulation::of(&built).unwrap();
    let mut counts = Vec::new();
    for _ in 0..4 {
        simulation.advance(1000).unwrap();
        counts.push(simulation.engine().body_count());
    }
    // From 0.05 s of its own time on, the first at once: 6 in the first stage, none in the second, 10 in the third.
    assert_eq!(counts, [6, 6, 6, 16]);
    assert_eq!(simulation.flows().waiting()[0], 0);
}

#[test]
fn a_scene_with_stages_reads_back_as_it_was_run() {
    let built = staged(1);
    let again = Scene::parse(SceneText::new("test", built.effective()))
        .unwrap_or_else(|problems| panic!("{problems}"));
    let again = again.build(None).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(again.stages, built.stages);
    assert_eq!(again.effective(), built.effective());
}

#[test]
fn a_measure_ends_a_stage() {
    let scene = r#"
version = 1
gravity = [0, 0, -10]
run = { dt = 1e-4, threads = 1 }
materials.gel = { density = 1000, young = 5e6, poisson = 0.3 }
pair = { restitution = 0.3, friction = 0.5 }
templates.ball = { spheres = [[0, 0, 0, 0.01]] }
bodies = [{ template = "ball", at = [0, 0, 1] }]
measures = [{ name = "ball", kind = "centre-of-mass", every = { steps = 10 } }]
stages = [{ name = "fall", until = { measure = "ball.z", below = 0.8, longest = 1, every = 10 } }]
"#;
    let simulation = to_the_end(&built(scene, &[]));
    // It falls 20 cm in 0.2 s.
    let ended = simulation.stages()[0].ended.clone().unwrap();
    assert_eq!(ended.why, "it came about that ball.z is below 0.8");
    assert!((ended.time_s - 0.2).abs() < 2e-3, "{}", ended.time_s);
}

#[test]
fn a_stage_can_wait_until_a_measure_is_steady() {
    // A light ball in thick air: its velocity is within 5 % of the last one after some time, not at first.
    let scene = r#"
version = 1
gravity = [0, 0, -10]
run = { dt = 1e-4, threads = 1 }
drag = { viscosity = 0.5 }
materials.gel = { density = 100, young = 5e6, poisson = 0.3 }
pair = { restitution = 0.3, friction = 0.5 }
templates.ball = { spheres = [[0, 0, 0, 0.01]] }
bodies = [{ template = "ball", at = [0, 0, 1] }]
measures = [{ name = "ball", kind = "centre-of-mass", every = { steps = 10 } }]
stages = [
    { name = "fall", until = { measure = "ball.velocity_z", steady = 0.05, over = 2e-3, longest = 1, every = 10 } },
    { name = "on", duration = 1e-3 },
]
"#;
    let built = built(scene, &[]);
    let whole = to_the_end(&built);
    let ended = whole.stages()[0].ended.clone().unwrap();
    assert!(ended.why.starts_with("it came about that ball.velocity_z stays within 0.05"), "{}", ended.why);
    // v = −g τ (1 − exp(−t/τ)), τ = m/(6πηr) = 4.44 ms: within 2 ms it changes by less than 5 % of its mean from
    // 9.9 ms on, at the end of these.
    let tau = 100.0 * 4.0 / 3.0 * 1e-4 / (6.0 * 0.5);
    let speed = |t: f64| 1.0 - (-t / tau).exp();
    let steady = |t: f64| {
        let values: Vec<f64> = (0..=2).map(|k| speed(t - 2e-3 + 1e-3 * f64::from(k))).collect();
        values[2] - values[0] <= 0.05 * values.iter().sum::<f64>() / 3.0
    };
    let expected = (3..100).map(|k| 1e-3 * f64::from(k)).find(|&t| steady(t)).unwrap();
    assert!((ended.time_s - expected).abs() < 1.5e-3, "{} s, expected {expected} s", ended.time_s);
    // What was seen so far is in the checkpoint.
    let mut part = Simulation::of(&built).unwrap();
    part.advance(77).unwrap();
    let mut again = Simulation::at(&built, &part.checkpoint("")).unwrap();
    again.advance(u64::MAX).unwrap();
    assert_eq!(again.stages(), whole.stages());
}
