//! Guarantee: a run with stages is as long as it is told to be: its last stage lasts until then, whatever it says itself, or the run ends
//! in an earlier one. A finished run becomes longer in its last stage, with the bits of one that was that long from the start;
//! and a run that takes over the bodies of another one goes on in its stage, or begins anew, and says which.

use crate::common::{EVERYTHING, built, start, stop_at, whole};
use std::path::Path;
use tumble::dem::Clock;
use tumble::scene::Built;
use tumble::{End, Error, GoingOn, Mode, Predecessor, Run, Simulation};

/// The small scene with everything in three stages, of 2 ms, up to 2 ms and 1 ms.
const STAGES: &str = r#"
[[stages]]
name = "fall"
duration = "2 ms"

[[stages]]
name = "fine"
until = { speed_below = 1e-3, longest = "2 ms" }
dt = "10 us"
gravity = [0.5, 0, -9.81]
fields = [{ uniform = { acceleration = [1, 0, 0] } }]

[[stages]]
name = "tilt"
until = { speed_below = 1e3, longest = "1 ms", every = 9 }
dt = "20 us"
walls."floor, shaking".motion = [{ rock = { axis = [0, 1, 0], amplitude = "1 deg", frequency = 100 } }]
"#;

fn staged() -> Built {
    built(&(EVERYTHING.replace("steps = 523\n", "") + STAGES), &[])
}

fn lasting(seconds: f64) -> Built {
    let built = staged();
    built.scene.ending(&built, seconds).unwrap_or_else(|problems| panic!("{problems}"))
}

fn assert_same_state(expected: &Run, found: &Run) {
    let [expected, found] = [expected, found].map(Run::simulation);
    assert_eq!(expected.engine().steps(), found.engine().steps());
    assert!(expected.engine().save_bytes() == found.engine().save_bytes(), "the engines differ");
    assert_eq!(expected.stream_bytes(), found.stream_bytes());
    assert_eq!(expected.stages(), found.stages());
}

#[test]
fn a_run_with_stages_lasts_as_long_as_it_is_told() {
    let top = tempfile::tempdir().unwrap();
    let run = whole(lasting(6e-3), &top.path().join("long"));
    // 2 ms of 20 µs, 2 ms of 10 µs, and 2 ms of 20 µs, though the last stage would end at its first look.
    assert_eq!((run.simulation().engine().steps(), run.last_step()), (100 + 200 + 100, 400));
    let stages = run.simulation().stages();
    let ended = stages[2].ended.as_ref().unwrap();
    assert!((ended.time_s - 6e-3).abs() < 1e-12, "{}", ended.time_s);
    assert_eq!(ended.why, "the time of the whole run was over");
    assert!(run.told()[0].contains("its last stage, `tilt`, ends then"), "{:?}", run.told());
    drop(run);
    // It ends in the second stage.
    let run = whole(lasting(2.5e-3), &top.path().join("short"));
    assert_eq!(run.simulation().engine().steps(), 150);
    assert_eq!(run.simulation().stages().len(), 2);
    assert!(run.simulation().stages()[1].ended.is_none());
    // As the scene says it.
    let scene = EVERYTHING.replace("steps = 523", "ends = \"6 ms\"") + STAGES;
    let mut simulation = Simulation::of(&built(&scene, &[])).unwrap();
    simulation.advance(u64::MAX).unwrap();
    assert_eq!(simulation.engine().steps(), 400);
}

#[test]
fn a_finished_run_goes_on_in_its_last_stage() {
    let top = tempfile::tempdir().unwrap();
    let [long, path] = ["long", "short"].map(|name| top.path().join(name));
    let long = whole(lasting(6e-3), &long);
    let run = whole(staged(), &path);
    let first = run.simulation().stages()[2].ended.clone().unwrap();
    assert!(first.why.starts_with("it came about"), "{}", first.why);
    let step = run.last_step();
    drop(run);
    let Err(Error::Past { step: reached, last }) = Run::start(lasting(1e-3), &path, Mode::Resume).map(drop)
    else {
        panic!("it has got further than that");
    };
    assert!(reached == step && last < reached, "{reached} {last}");
    let mut run = start(lasting(5e-3), &path, Mode::Resume);
    assert!(run.last_step() == 350 && run.simulation().stages()[2].ended.is_none());
    assert_eq!(run.go(&mut stop_at(320)).unwrap(), End::Interrupted);
    drop(run);
    // A plain resume knows how long it is.
    let mut run = start(staged(), &path, Mode::Resume);
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    assert_eq!(run.simulation().engine().steps(), 350);
    drop(run);
    let mut run = start(lasting(6e-3), &path, Mode::Resume);
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    assert_same_state(&long, &run);
}

fn after(path: &Path, next: &Built, clock: Clock) -> GoingOn {
    let before = Predecessor::read(path).unwrap_or_else(|error| panic!("{error}"));
    GoingOn::new(&next.scene, Some(1), &before, clock).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn with_the_same_stages_it_goes_on_in_the_one_it_was_in() {
    let top = tempfile::tempdir().unwrap();
    let [long, first, second] = ["long", "first", "second"].map(|name| top.path().join(name));
    let long = whole(staged(), &long);
    let mut run = start(staged(), &first, Mode::New);
    assert_eq!(run.go(&mut stop_at(170)).unwrap(), End::Interrupted);
    drop(run);
    let going_on = after(&first, &staged(), Clock::GoesOn);
    let told = going_on.told().join("\n");
    assert!(going_on.transfer().unchanged && told.contains("the stages go on: it is in `fine`"), "{told}");
    let mut run = Run::start_from(&going_on, &second, Mode::New).unwrap();
    assert_eq!(run.go(&mut stop_at(250)).unwrap(), End::Interrupted);
    drop(run);
    let newest = Predecessor::read(&second).unwrap();
    let again = tumble::built_again(&staged().scene, newest.checkpoint(), Some(2)).unwrap();
    let mut run = start(again, &second, Mode::Resume);
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    assert_same_state(&long, &run);
}

#[test]
fn with_other_friction_it_goes_on_by_the_rules_of_its_stage() {
    let top = tempfile::tempdir().unwrap();
    let first = top.path().join("first");
    let mut run = start(staged(), &first, Mode::New);
    assert_eq!(run.go(&mut stop_at(170)).unwrap(), End::Interrupted);
    drop(run);
    let other = built(&(EVERYTHING.replace("steps = 523\n", "") + STAGES), &[("pair.friction", "0.1")]);
    let going_on = after(&first, &other, Clock::GoesOn);
    assert!(!going_on.transfer().unchanged);
    let simulation = going_on.start().unwrap();
    assert_eq!(simulation.stages().len(), 2);
    let engine = simulation.engine();
    assert_eq!(
        (engine.settings().dt, engine.scenery().gravity.x, engine.scenery().fields.len()),
        (1e-5, 0.5, 1)
    );
}

#[test]
fn otherwise_stages_begin_anew_and_that_is_told() {
    let top = tempfile::tempdir().unwrap();
    let [part, all] = ["part", "all"].map(|name| top.path().join(name));
    let mut run = start(staged(), &part, Mode::New);
    assert_eq!(run.go(&mut stop_at(170)).unwrap(), End::Interrupted);
    drop(run);
    drop(whole(staged(), &all));
    let shorter = STAGES.replace("duration = \"2 ms\"", "duration = \"1 ms\"");
    let other = built(&(EVERYTHING.replace("steps = 523\n", "") + &shorter), &[]);
    let cases =
        [(&part, staged(), Clock::Restarts), (&part, other, Clock::GoesOn), (&all, staged(), Clock::GoesOn)];
    for (path, next, clock) in cases {
        let going_on = after(path, &next, clock);
        let told = going_on.told().join("\n");
        assert!(told.contains("the stages of the scene begin now, with the first"), "{told}");
        let simulation = going_on.start().unwrap();
        assert_eq!(simulation.stages().len(), 1);
        assert_eq!(simulation.stages()[0].time_s.to_bits(), simulation.engine().time().to_bits());
        assert_eq!(simulation.engine().settings().dt.to_bits(), 2e-5_f64.to_bits());
    }
}
