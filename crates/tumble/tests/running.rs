//! Guarantee: a run writes what its scene asks for at the steps it asks for, first and last included, each once; it
//! tells how it ended; and what comes in depends on the scene alone.

use crate::common::{EVERYTHING, built, files, on, refusal, start, steps, stop_at, whole};
use std::fs;
use std::path::Path;
use tumble::dem::Body;
use tumble::output::trajectory::TrajectoryReader;
use tumble::output::{Ending, Part, Summary};
use tumble::{End, Error, Mode, Progress, Run, Simulation, Watch};

const LAST: u64 = 523;

/// The first step, every so many after it, and the last.
fn expected(every: u64) -> Vec<u64> {
    (0..LAST).step_by(usize::try_from(every).unwrap()).chain([LAST]).collect()
}

#[test]
fn everything_is_written_when_it_should_be() {
    let top = tempfile::tempdir().unwrap();
    let run = whole(on(1), &top.path().join("r"));
    let part = |part: Part| run.folder().join(part.name());
    assert_eq!(steps(&part(Part::Energy)), expected(7));
    // One row for each wall.
    let twice: Vec<u64> = expected(11).into_iter().flat_map(|step| [step, step]).collect();
    assert_eq!(steps(&part(Part::Walls)), twice);
    check_measures(&part(Part::Measures));
    assert_eq!(TrajectoryReader::open(&part(Part::Trajectory)).unwrap().steps(), expected(25));
    for piece in ["spheres", "bodies", "contacts", "walls"] {
        let text = fs::read_to_string(part(Part::Vtk).join(format!("{piece}.pvd"))).unwrap();
        let listed: Vec<u64> = text
            .lines()
            .filter_map(|line| line.split_once("<!-- step ")?.1.split(' ').next()?.parse().ok())
            .collect();
        assert_eq!(listed, expected(40), "{piece}");
    }
    let names: Vec<String> = files(&part(Part::Checkpoints)).into_keys().collect();
    assert_eq!(names, ["checkpoint_000000000480.tumble", "checkpoint_000000000523.tumble"]);
    // Both streams came in, and things touch: the scene is worth a test.
    let engine = run.simulation().engine();
    let came: Vec<u64> =
        run.simulation().streams().iter().map(tumble::dem::placement::Stream::inserted).collect();
    assert!(
        came[0] > 15 && came[1] > 3 && engine.contact_count() > 10,
        "{came:?} {}",
        engine.contact_count()
    );
}

#[test]
fn the_scene_as_run_reads_back_to_the_same_scene() {
    let top = tempfile::tempdir().unwrap();
    let mut run = start(on(2), &top.path().join("r"), Mode::New);
    let again = tumble::scene::Scene::read(run.folder().join(Part::Scene.name())).unwrap();
    assert_eq!(again, on(2).scene);
    run.go(&mut ()).unwrap();
}

#[test]
fn the_summary_tells_what_happened() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    let read = || Summary::read(&path.join(Part::Summary.name())).unwrap();
    let mut run = start(on(1), &path, Mode::New);
    assert_eq!(run.go(&mut stop_at(200)).unwrap(), End::Interrupted);
    let first = read();
    assert_eq!(first.ended, Ending::Interrupted);
    let stopped_at = first.state.steps;
    assert!((200..LAST).contains(&stopped_at) && first.timing.steps == stopped_at, "{first:?}");

    // The same run goes on, and what it took is counted once.
    assert_eq!(run.go(&mut stop_at(400)).unwrap(), End::Interrupted);
    assert_eq!(read().timing.steps, read().state.steps);
    drop(run);
    let mut run = start(on(1), &path, Mode::Resume);
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    let last = read();
    assert_eq!(last.ended, Ending::Finished);
    assert_eq!((last.state.steps, last.timing.steps), (LAST, LAST));
    assert_eq!(last.state.bodies, run.simulation().engine().body_count());
    assert!(last.timing.wall_s > first.timing.wall_s && last.scene_hash == first.scene_hash);
    let table = fs::read_to_string(path.join(Part::Energy.name())).unwrap();
    let balance = table.lines().next().unwrap().split(',').position(|name| name == "balance_J").unwrap();
    let balance: f64 = table.lines().last().unwrap().split(',').nth(balance).unwrap().parse().unwrap();
    assert_eq!(last.state.ledger_j["balance"].map(f64::to_bits), Some(balance.to_bits()));

    // There is nothing more to do, and nothing more is written.
    let before = crate::common::results(&path);
    drop(run);
    assert_eq!(start(on(1), &path, Mode::Resume).go(&mut ()).unwrap(), End::Finished);
    assert_eq!(crate::common::results(&path), before);
}

/// A ball so fast that it is through the wall in a step.
fn escaping() -> tumble::scene::Built {
    let mut built = on(1);
    let template = built.world.bodies[0].template;
    let centre = tumble::dem::LabVec::new(0.025, 0.025, 0.0375);
    built
        .world
        .bodies
        .push(Body::at(template, centre).scaled(0.01).moving(tumble::dem::LabVec::new(3.0, 0.0, 0.0)));
    built
}

#[test]
fn a_run_that_fails_keeps_its_results_and_tells_why() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    let mut run = start(escaping(), &path, Mode::New);
    let error = run.go(&mut ()).unwrap_err();
    assert!(matches!(error, Error::Simulation(_)), "{error}");
    let summary = Summary::read(&path.join(Part::Summary.name())).unwrap();
    assert_eq!(summary.ended, Ending::Failed { reason: error.to_string() });
    let rows = steps(&path.join(Part::Energy.name()));
    assert!(rows.len() > 5 && rows.is_sorted_by(|a, b| a < b) && rows.last() < Some(&LAST), "{rows:?}");
    let frames = TrajectoryReader::open(&path.join(Part::Trajectory.name())).unwrap();
    assert!(!frames.is_cut_off() && frames.steps().last() >= rows.last().map(|row| row / 25 * 25).as_ref());

    // It does not go on from a state that is behind its tables.
    let over = run.go(&mut ()).unwrap_err();
    assert!(matches!(&over, Error::Over { reason } if *reason == error.to_string()), "{over}");
    drop(run);
    let again = start(escaping(), &path, Mode::Resume).go(&mut ()).unwrap_err();
    // Where the engine is put back to depends on where it began; what happened does not.
    let what = |error: &Error| error.to_string().split("; the engine is back").next().map(str::to_owned);
    assert_eq!(what(&again), what(&error));
    assert_eq!(steps(&path.join(Part::Energy.name())), rows);
}

/// All bodies, to the last bit.
fn state(run: &Run) -> String {
    format!("{:?}", run.simulation().engine().bodies())
}

#[test]
fn what_comes_in_depends_on_the_scene_alone() {
    let top = tempfile::tempdir().unwrap();
    let reference = state(&whole(on(1), &top.path().join("reference")));
    let sparse = [("output.energy", "false"), ("output.walls", "false"), ("output.trajectory", "false")];
    let cases: [&[(&str, &str)]; 4] = [
        &[("run.threads", "2")],
        &[("output.vtk", "false"), ("output.energy.every.steps", "1"), ("checkpoint.every.steps", "13")],
        &[sparse[0], sparse[1], sparse[2], ("output.vtk", "false"), ("checkpoint", "false")],
        &[("run.threads", "2"), ("output.trajectory.every.steps", "3"), ("output.vtk.every.steps", "170")],
    ];
    for (number, keys) in cases.into_iter().enumerate() {
        let run = whole(built(EVERYTHING, keys), &top.path().join(number.to_string()));
        assert!(state(&run) == reference, "{keys:?}");
    }
}

#[test]
fn progress_is_told_and_notices_are_given() {
    struct Noted(Vec<Progress>, Vec<String>);
    impl Watch for Noted {
        fn progress(&mut self, progress: &Progress) {
            self.0.push(*progress);
        }
        fn notice(&mut self, text: &str) {
            self.1.push(text.to_owned());
        }
    }
    let top = tempfile::tempdir().unwrap();
    // More than there is room for.
    let crowded = built(EVERYTHING, &[("streams.0.rate", "1e6")]);
    let mut noted = Noted(Vec::new(), Vec::new());
    start(crowded, &top.path().join("r"), Mode::New).go(&mut noted).unwrap();
    assert!(noted.0.is_sorted_by(|a, b| a.step < b.step && a.time < b.time), "{:?}", noted.0);
    let last = noted.0.last().unwrap();
    assert_eq!((last.step, last.time.to_bits()), (LAST, last.end.to_bits()));
    assert!(last.energy_error.is_finite() && last.bodies > 60 && last.contacts > 0, "{last:?}");
    assert!(
        noted.1.len() == 1 && noted.1[0].contains("`streams.0`") && noted.1[0].contains("no room"),
        "{:?}",
        noted.1
    );
    // Progress, the summary and the table say so as well.
    let folder = top.path().join("r");
    let summary = Summary::read(&folder.join("summary.json")).unwrap();
    let flow = &summary.state.flows[0];
    assert_eq!((flow.name.as_str(), flow.waiting), ("streams.0", last.waiting));
    assert!(last.waiting > 1000 && summary.troubles()[0].contains("`streams.0` could not keep its rate"));
    let drain = &summary.state.flows[2];
    assert!(drain.name == "drain, small" && drain.bodies > 0 && drain.mass_kg > 0.0, "{drain:?}");
    let table = std::fs::read_to_string(folder.join("flows.csv")).unwrap();
    let row = table.lines().last().unwrap();
    assert!(row.ends_with(&format!(",\"drain, small\",out,{},{:?},0", drain.bodies, drain.mass_kg)), "{row}");
}

#[test]
fn results_are_replaced_only_by_force_and_only_by_a_scene_that_can_be_run() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    drop(whole(on(1), &path));
    let before = files(&path);
    assert!(refusal(Run::start(on(1), &path, Mode::New)).contains("results of an earlier run"));
    let mut impossible = on(1);
    impossible.world.bodies[0].scale = f64::NAN;
    assert!(refusal(Run::start(impossible, &path, Mode::Force)).contains("body 0"));
    assert_eq!(files(&path), before);
    let other = built(EVERYTHING, &[("seed", "6"), ("output.vtk", "false")]);
    start(other, &path, Mode::Force).go(&mut ()).unwrap();
    assert!(!path.join("vtk").exists() && files(&path)["energy.csv"] != before["energy.csv"]);
}

/// A simulation that writes its results in pauses leaves the bytes of one that runs through.
#[test]
fn pauses_change_no_byte() {
    let top = tempfile::tempdir().unwrap();
    let [through, paused] = ["through", "paused"].map(|name| top.path().join(name));
    whole(on(1), &through);
    let built = on(1);
    let simulation = Simulation::new(built.world.clone(), built.settings.clone(), &built).unwrap();
    let mut run = Run::record(simulation, &built, &paused, Mode::New).unwrap();
    for step in (37..LAST).step_by(37) {
        assert_eq!(run.go_to(step, &mut ()).unwrap(), None);
        assert_eq!(run.simulation().engine().steps(), step);
    }
    assert_eq!(run.go_to(LAST, &mut ()).unwrap(), Some(End::Finished));
    assert_eq!(crate::common::results(&paused), crate::common::results(&through));

    // It goes on by itself, and another folder that is taken costs nothing.
    let mut simulation = run.into_simulation();
    assert_eq!(simulation.go_to(LAST + 10, &mut ()).unwrap(), End::Finished);
    let (error, simulation) = *Run::record(simulation, &built, &through, Mode::New).unwrap_err();
    assert!(error.to_string().contains("through"), "{error}");
    assert_eq!(simulation.engine().steps(), LAST + 10);
}

/// A run that is stopped in a pause has saved its state, and can be resumed from its folder.
#[test]
fn a_run_can_be_stopped_in_a_pause() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    let mut run = start(on(1), &path, Mode::New);
    run.go_to(100, &mut ()).unwrap();
    run.stop().unwrap();
    let summary = Summary::read(&path.join(Part::Summary.name())).unwrap();
    assert_eq!((summary.ended, summary.state.steps, summary.timing.steps), (Ending::Interrupted, 100, 100));
    drop(run);
    let run = start(on(1), &path, Mode::Resume);
    assert_eq!(run.simulation().engine().steps(), 100);
}

/// Each row stands where a measure of the scene has something to say, and has as many fields as the header.
fn check_measures(table: &Path) {
    let of = |every: u64, from: u64| (from..=523).filter(move |step| step % every == 0);
    let rows = [(13, 0), (45, 1), (17, 0), (85, 1), (29, 0), (31, 0), (19, 1)];
    let expected: std::collections::BTreeSet<u64> =
        rows.into_iter().flat_map(|(every, from)| of(every, from)).collect();
    assert_eq!(steps(table), expected.into_iter().collect::<Vec<_>>());
    let text = fs::read_to_string(table).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[2..6], ["low.number", "low.mass_kg", "low.volume_m3", "low.solid_fraction"]);
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(first.len(), header.len());
    let flow = header.iter().position(|name| *name == "down.mass_rate_kg/s").unwrap();
    // A window ends later than at the start.
    assert_eq!(first[flow], "");
    assert!(lines.any(|row| row.split(',').nth(flow).unwrap().parse::<f64>().is_ok_and(|rate| rate > 0.0)));
}
