//! Guarantee: a run goes on with the bodies of another one, or becomes longer than it was. With the same scene it ends with the bits
//! of a run that was never interrupted; with another one, what is kept and what is not is told; and either can itself be
//! interrupted and resumed, without the run that it came from. It can break where steps are counted from the wrong start,
//! or where streams are asked for what was due long ago.

use crate::common::{EVERYTHING, built, on, results, start, steps, stop_at, whole};
use std::fs;
use std::path::Path;
use tumble::dem::{Clock, LabVec, Quat};
use tumble::output::Checkpoint;
use tumble::scene::{Built, Scene, SceneText};
use tumble::{End, Error, GoingOn, Mode, Predecessor, Run, Simulation};

fn scene(keys: &[(&str, &str)]) -> Scene {
    let text =
        keys.iter().fold(SceneText::new("test", EVERYTHING), |text, (key, value)| text.set(key, value));
    Scene::parse(text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn after(path: &Path, keys: &[(&str, &str)], clock: Clock) -> GoingOn {
    let before = Predecessor::read(path).unwrap_or_else(|error| panic!("{error}"));
    GoingOn::new(&scene(keys), Some(1), &before, clock).unwrap_or_else(|error| panic!("{error}"))
}

fn finish(mut run: Run) -> Run {
    assert_eq!(run.go(&mut ()).unwrap_or_else(|error| panic!("{error}")), End::Finished);
    run
}

fn assert_same_state(expected: &Run, found: &Run) {
    let [expected, found] = [expected, found].map(Run::simulation);
    assert_eq!(expected.engine().steps(), found.engine().steps());
    assert!(expected.engine().save_bytes() == found.engine().save_bytes(), "the engines differ");
    assert_eq!(expected.stream_bytes(), found.stream_bytes());
}

/// In one go, and in two runs, the second of which is interrupted and resumed after the first is gone.
#[test]
fn the_same_scene_goes_on_with_the_same_bits() {
    let top = tempfile::tempdir().unwrap();
    let [long, first, second] = ["long", "first", "second"].map(|name| top.path().join(name));
    let long = whole(built(EVERYTHING, &[("run.steps", "823")]), &long);
    drop(whole(on(1), &first));
    let keys = [("run.steps", "300")];
    let going_on = after(&first, &keys, Clock::GoesOn);
    assert!(going_on.transfer().unchanged);
    assert!(going_on.told()[1].contains("the bits are those of a run that was not interrupted"));
    let mut run = Run::start_from(&going_on, &second, Mode::New).unwrap();
    assert_eq!((run.simulation().engine().steps(), run.last_step()), (523, 823));
    assert_eq!(run.go(&mut stop_at(600)).unwrap(), End::Interrupted);
    drop(run);
    fs::remove_dir_all(&first).unwrap();
    let newest = Predecessor::read(&second).unwrap();
    let again = tumble::built_again(&scene(&keys), newest.checkpoint(), Some(2)).unwrap();
    assert!(again.world.bodies.len() <= 6);
    let run = finish(start(again, &second, Mode::Resume));
    assert_same_state(&long, &run);
    let rows = steps(&second.join("energy.csv"));
    assert_eq!((rows[0], rows[1], *rows.last().unwrap()), (523, 525, 823));
    // From a file, and from there once more.
    let file = top.path().join("middle.tumble");
    newest.checkpoint().clone().with("scene", newest.scene().effective().into_bytes()).write(&file).unwrap();
    let from_file = after(&file, &[("run.steps", "50")], Clock::GoesOn);
    assert!(from_file.transfer().unchanged);
    assert_eq!(from_file.origin().step, newest.checkpoint().step);
}

/// A finished run becomes longer, twice; a plain resume then knows how long it is.
#[test]
fn a_finished_run_becomes_longer() {
    let top = tempfile::tempdir().unwrap();
    let [long, path] = ["long", "short"].map(|name| top.path().join(name));
    let long = whole(built(EVERYTHING, &[("run.steps", "823")]), &long);
    drop(whole(on(1), &path));
    let longer = |steps: u64| -> Built {
        let built = on(1);
        built.scene.lasting(&built, steps).unwrap()
    };
    let mut run = start(longer(700), &path, Mode::Resume);
    assert_eq!((run.simulation().engine().steps(), run.last_step()), (523, 700));
    assert_eq!(run.go(&mut stop_at(600)).unwrap(), End::Interrupted);
    drop(run);
    let run = finish(start(on(2), &path, Mode::Resume));
    assert_eq!(run.last_step(), 700);
    drop(run);
    let run = finish(start(longer(823), &path, Mode::Resume));
    assert_same_state(&long, &run);
    assert!(fs::read_to_string(path.join("scene.toml")).unwrap().contains("steps = 823"));
    drop(run);
    // What is shorter than what is there has nothing to do.
    let run = finish(start(longer(400), &path, Mode::Resume));
    assert_eq!((run.simulation().engine().steps(), run.last_step()), (823, 823));
}

/// Another friction, step, law of a wall and stream: told, and the same bytes when it is interrupted.
#[test]
fn another_scene_goes_on_and_can_be_resumed() {
    let top = tempfile::tempdir().unwrap();
    let [first, once, twice] = ["first", "once", "twice"].map(|name| top.path().join(name));
    drop(whole(on(1), &first));
    let keys = [
        ("pair.friction", "0.1"),
        ("run.dt", "1e-5"),
        ("run.steps", "260"),
        ("streams.0.rate", "2000"),
        ("walls.1.motion", "[]"),
    ];
    let begin = |folder: &Path| {
        let going_on = after(&first, &keys, Clock::GoesOn);
        assert!(!going_on.transfer().unchanged);
        let told = going_on.told().join("\n");
        for words in [
            "goes on with",
            "the wall 'floor, shaking' is elsewhere than it was, by",
            "the clock goes on at t = 0.010460 s",
            "the books of energy begin anew",
            "the streams of the scene begin now",
            "the bodies that the scene itself would place are not placed",
        ] {
            assert!(told.contains(words), "{words} is not in:\n{told}");
        }
        Run::start_from(&going_on, folder, Mode::New).unwrap()
    };
    let before = Predecessor::read(&first).unwrap();
    let bodies = |run: &Run| run.simulation().engine().body_count();
    let run = begin(&once);
    let count = bodies(&run);
    assert!(count > 80, "{count}");
    let run = finish(run);
    // 2000 a second for 2.6 ms, 700 a second from 1 ms on: nobody was due before.
    let came = bodies(&run) - count;
    assert!((4..=8).contains(&came), "{came}");
    let time = run.simulation().engine().time();
    assert!((time - before.checkpoint().time - 2.6e-3).abs() < 1e-14, "{time}");
    let mut run = begin(&twice);
    assert_eq!(run.go(&mut stop_at(650)).unwrap(), End::Interrupted);
    drop(run);
    let newest = Predecessor::read(&twice).unwrap();
    let again = tumble::built_again(&scene(&keys), newest.checkpoint(), Some(2)).unwrap();
    let simulation = Simulation::at(&again, newest.checkpoint()).unwrap();
    assert_eq!(simulation.origin().unwrap().step, 523);
    drop(finish(start(again, &twice, Mode::Resume)));
    assert!(results(&once) == results(&twice));
}

#[test]
fn a_clock_can_begin_at_zero() {
    let top = tempfile::tempdir().unwrap();
    let first = top.path().join("first");
    drop(whole(on(1), &first));
    let going_on = after(&first, &[], Clock::Restarts);
    let origin = going_on.origin();
    assert_eq!((origin.step, origin.time, origin.streams_from), (0, 0.0, 0.0));
    let told = going_on.told().join("\n");
    assert!(told.contains("the clock begins at zero"), "{told}");
    let simulation = going_on.start().unwrap();
    assert_eq!((simulation.engine().steps(), simulation.engine().time()), (0, 0.0));
}

#[test]
fn what_cannot_be_gone_on_with() {
    let top = tempfile::tempdir().unwrap();
    let path = |name: &str| top.path().join(name);
    let message = |path: &Path| Predecessor::read(path).expect_err("nothing is there").to_string();
    assert!(
        message(&path("nowhere")).contains("nowhere: there is nothing to go on with: there is no such file")
    );
    fs::create_dir(path("empty")).unwrap();
    assert!(message(&path("empty")).contains("holds no results of a run"));
    fs::write(path("text"), "x").unwrap();
    assert!(message(&path("text")).contains("this is no checkpoint of Tumble"));
    Checkpoint::new("", 1, 1.0).write(&path("bare")).unwrap();
    assert!(message(&path("bare")).contains("it has no scene in it, nor beside it"));
    // Nothing is called as it was: there is nobody to go on with, and that is told.
    drop(whole(on(1), &path("run")));
    let other = EVERYTHING
        .replace("rod", "stick")
        .replace("shape = \"stick\"", "shape = \"rod\"")
        .replace("ball", "bead");
    let other = Scene::parse(SceneText::new("other", other)).unwrap();
    let before = Predecessor::read(path("run")).unwrap();
    let going_on = GoingOn::new(&other, Some(1), &before, Clock::GoesOn).unwrap();
    let told = going_on.told().join("\n");
    assert!(told.contains("bodies are left behind: there is no template 'rod' in this scene"), "{told}");
    assert!(told.starts_with("goes on with 0 bodies"), "{told}");
    // A floor that is now among them.
    let error = GoingOn::new(
        &scene(&[
            ("walls.1.mesh.triangles", "[[-1, -1, 0.02, 1, -1, 0.02, 0, 1, 0.02]]"),
            ("run.max_overlap", "0.6"),
        ]),
        Some(1),
        &before,
        Clock::GoesOn,
    );
    let error = error.expect_err("bodies are in the floor");
    assert!(
        matches!(error, Error::Simulation(_)) && error.to_string().contains("overlaps the wall"),
        "{error}"
    );
}

/// Every digit survives: positions, orientations, velocities, spins, and what bodies are.
#[test]
fn bodies_come_back_from_their_table_with_the_same_bits() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("run");
    let keys = [("output.bodies", "true"), ("streams.0.scale", "{ uniform = [0.7, 1.1] }")];
    let run = whole(built(EVERYTHING, &keys), &path);
    let bodies = run.simulation().engine().bodies();
    let table = path.join("bodies.csv");
    let (names, saved) = Predecessor::read(&path).unwrap().bodies().unwrap();
    assert!(saved == bodies && names.templates == ["rod", "ball"]);
    let placed = "[[bodies]]\ntemplate = \"rod\"\ncloud = { low = [0, 0, 3e-3], high = [0.05, 0.05, 0.035], count = 60 }\n\
                  velocity = { speed = 1 }\nspin = { speed = 50 }";
    assert!(EVERYTHING.contains(placed));
    let reading = EVERYTHING.replace(placed, &format!("[[bodies]]\ncsv = {:?}", table.display().to_string()));
    let read = built(&reading, &[("run.max_overlap", "50")]).world.bodies;
    assert!(read.len() == bodies.len() && bodies.iter().any(|body| body.scale < 0.9));
    for (read, body) in read.iter().zip(&bodies) {
        let numbers = |vectors: [LabVec<f64>; 3], q: Quat<f64>, scale: f64| -> Vec<u64> {
            let vectors = vectors.iter().flat_map(|vector| vector.to_array());
            vectors.chain(q.to_array()).chain([scale]).map(f64::to_bits).collect()
        };
        assert_eq!(
            numbers([read.position, read.velocity, read.angular_velocity], read.orientation, read.scale),
            numbers([body.position, body.velocity, body.angular_velocity], body.orientation, body.scale),
        );
        assert_eq!((read.template, read.material, read.held), (body.template, body.material, body.held));
    }
}
