//! Guarantee: a run that was stopped or killed anywhere, any number of times, and resumed, also on another number of
//! threads, ends with the same bytes in every file as one that was not; a checkpoint that cannot be used costs no
//! result; and nothing is resumed with another scene.

use crate::common::{
    EVERYTHING, act_at, assert_same_results, built, files, on, refusal, results, start, stop_at, whole,
};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use tumble::dem::random::Random;
use tumble::scene::{Built, Scene};
use tumble::{End, Error, Mode, Run};

/// A mark that tells a planned end of a test from a failure.
struct Killed;

/// Goes on to a step and ends there without another word, as if killed: nothing is saved or summed up.
fn kill_at(mut run: Run, step: u64) {
    let killed =
        catch_unwind(AssertUnwindSafe(|| run.go(&mut act_at(step, || resume_unwind(Box::new(Killed))))));
    assert!(killed.is_err_and(|panic| panic.is::<Killed>()), "it ended before step {step}");
}

/// What a kill in the middle of writing leaves.
fn tear(folder: &Path) {
    for (name, torn) in [
        ("energy.csv", &b"0.0123,1000000,1.2"[..]),
        ("walls.csv", b"0.0123,1000000,\"floor, sha"),
        ("flows.csv", b"0.0123,1000000,\"drain, sm"),
        ("measures.csv", b"0.0123,1000000,3"),
        ("fields/line.csv", b"0.0123,1000000,0.02"),
        ("trajectory.tumble", b"FRAM\x01\x02\x03\x04\xff\x00"),
    ] {
        OpenOptions::new().append(true).open(folder.join(name)).unwrap().write_all(torn).unwrap();
    }
    fs::write(folder.join("checkpoints/checkpoint_000000000999.tumble.part"), b"TUMBLECP").unwrap();
    fs::write(folder.join("vtk/spheres_000040.vtp.part"), b"<?xml").unwrap();
    fs::write(folder.join("fields/plane_000040.vti.part"), b"<?xml").unwrap();
    fs::write(folder.join("summary.json.part"), b"{").unwrap();
}

/// A folder with a whole run, and the name of one that is not there yet.
fn pair(top: &Path) -> (PathBuf, PathBuf) {
    let expected = top.join("whole");
    drop(whole(on(1), &expected));
    (expected, top.join("broken"))
}

fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let names = files(&folder.join("checkpoints")).into_keys();
    names.map(|name| folder.join("checkpoints").join(name)).collect()
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(path, bytes).unwrap();
}

/// Stops are at steps of no meaning, in the middle of what streams, tables and frames wait for.
#[test]
fn stopped_anywhere_it_ends_the_same() {
    let top = tempfile::tempdir().unwrap();
    let (expected, broken) = pair(top.path());
    let mut run = start(on(1), &broken, Mode::New);
    let (mut next, mut stops) = (1, 0);
    while run.go(&mut stop_at(next)).unwrap() == End::Interrupted {
        stops += 1;
        drop(run);
        run = start(on(1 + stops % 2), &broken, Mode::Resume);
        assert!(run.notices().is_empty() && run.simulation().engine().steps() >= next);
        // After a start, the first look is after one step: some stops are a step apart.
        next = run.simulation().engine().steps() + if stops % 3 == 0 { 1 } else { 23 };
    }
    assert!(stops > 20, "{stops} stops");
    assert_same_results(&expected, &broken);
}

/// Where positions are wrapped whenever neighbour lists are built, and forces of everything there is act.
#[test]
fn stopped_anywhere_in_a_periodic_domain_it_ends_the_same() {
    let top = tempfile::tempdir().unwrap();
    let closed = "box = { low = [0, 0, -0.01], high = [0.05, 0.05, 0.08] }";
    let post =
        "cylinder = { point = [0.025, 0.025, -0.01], axis = [0, 0, 1], radius = 1e-3, side = \"outside\" }";
    let periodic = "\n[domain]\nlow = [0, 0, 0]\nhigh = [0.05, 0.05, 1]\nperiodic = [\"x\", \"y\"]\n\
                    [drag]\nviscosity = 1e-3\n";
    let scene = EVERYTHING.replace(closed, post) + periodic;
    let on = |threads: &str| built(&scene, &[("run.threads", threads)]);
    let (expected, broken) = (top.path().join("whole"), top.path().join("broken"));
    drop(whole(on("1"), &expected));
    let mut run = start(on("1"), &broken, Mode::New);
    while run.go(&mut stop_at(run.simulation().engine().steps() + 41)).unwrap() == End::Interrupted {
        drop(run);
        run = start(on("2"), &broken, Mode::Resume);
    }
    assert_same_results(&expected, &broken);
}

#[test]
fn killed_anywhere_it_ends_the_same() {
    let top = tempfile::tempdir().unwrap();
    let (expected, broken) = pair(top.path());
    let mut random = Random::new(3);
    for round in 0..8_usize {
        let mode = if round == 0 { Mode::New } else { Mode::Resume };
        // Later than the last checkpoint, or so soon that nothing was done.
        let run = start(on(1 + round % 2), &broken, mode);
        let far = if round % 4 == 3 { 0.0 } else { 110.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and small")]
        let ahead = 1 + (far * random.uniform()) as u64;
        let step = (run.simulation().engine().steps() + ahead).min(510);
        kill_at(run, step);
        tear(&broken);
    }
    assert_eq!(start(on(1), &broken, Mode::Resume).go(&mut ()).unwrap(), End::Finished);
    assert_same_results(&expected, &broken);
}

#[test]
fn killed_before_the_first_checkpoint_it_starts_over() {
    let top = tempfile::tempdir().unwrap();
    let (expected, broken) = pair(top.path());
    drop(start(on(1), &broken, Mode::New));
    // As it is before the first checkpoint: the scene is written after it.
    for path in checkpoints(&broken).into_iter().chain([broken.join("scene.toml")]) {
        fs::remove_file(path).unwrap();
    }
    tear(&broken);
    let mut run = start(on(1), &broken, Mode::Resume);
    assert_eq!(run.simulation().engine().steps(), 0);
    run.go(&mut ()).unwrap();
    drop(run);
    assert_same_results(&expected, &broken);
    // Or right after the checkpoint: the scene is written when it goes on.
    let path = top.path().join("soon");
    drop(start(on(1), &path, Mode::New));
    fs::remove_file(path.join("scene.toml")).unwrap();
    start(on(1), &path, Mode::Resume).go(&mut ()).unwrap();
    assert_same_results(&expected, &path);
    assert_eq!(files(&path)["scene.toml"], files(&expected)["scene.toml"]);
}

#[test]
fn a_damaged_checkpoint_is_left_out() {
    let top = tempfile::tempdir().unwrap();
    let (expected, broken) = pair(top.path());
    let damages: [fn(&Path); 3] = [
        flip,
        |path| OpenOptions::new().write(true).open(path).unwrap().set_len(1000).unwrap(),
        |path| fs::write(path, b"").unwrap(),
    ];
    let mut mode = Mode::New;
    for (round, damage) in (1_u64..).zip(damages) {
        kill_at(start(on(1), &broken, mode), 130 * round);
        mode = Mode::Resume;
        let [before, newest] = checkpoints(&broken).try_into().unwrap();
        damage(&newest);
        let run = start(on(1), &broken, mode);
        let step = run.simulation().engine().steps();
        assert!(before.display().to_string().contains(&format!("{step:012}")), "{before:?} {step}");
        let [notice] = run.notices() else { panic!("{:?}", run.notices()) };
        assert!(notice.contains(&newest.display().to_string()), "{notice}");
        assert!(notice.contains(&format!("goes on from step {step}")), "{notice}");
    }
    start(on(1), &broken, Mode::Resume).go(&mut ()).unwrap();
    assert_same_results(&expected, &broken);
}

#[test]
fn without_a_checkpoint_nothing_is_touched() {
    let top = tempfile::tempdir().unwrap();
    for (name, damage) in [("damaged", flip as fn(&Path)), ("gone", |path| fs::remove_file(path).unwrap())] {
        let path = top.path().join(name);
        kill_at(start(on(1), &path, Mode::New), 200);
        let named = checkpoints(&path);
        for path in &named {
            damage(path);
        }
        let before = files(&path);
        let error = Run::start(on(1), &path, Mode::Resume).expect_err("nothing to go on from");
        assert!(matches!(error, Error::NoCheckpoint { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("checkpoints can be used") && message.contains("as they were"), "{message}");
        let all = named.iter().all(|path| message.contains(&path.display().to_string()));
        assert_eq!(all, name == "damaged", "{message}");
        assert_eq!(files(&path), before);
    }
}

#[test]
fn another_scene_is_refused() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    let mut run = start(on(1), &path, Mode::New);
    run.go(&mut stop_at(100)).unwrap();
    drop(run);
    let before = files(&path);
    for (key, value, then, now) in [
        ("run.dt", "1e-5", "dt = 2e-5", "dt = 1e-5"),
        ("seed", "6", "seed = 5", "seed = 6"),
        ("materials.gel.young", "6e6", "young = 5000000.0", "young = 6000000.0"),
        ("output.energy.every.steps", "8", "steps = 7", "steps = 8"),
        ("title", "thousands of threads", "seed = 5", "title = \"thousands of threads\""),
    ] {
        let message = refusal(Run::start(built(EVERYTHING, &[(key, value)]), &path, Mode::Resume));
        let scene = path.join("scene.toml").display().to_string();
        for part in ["the scene has changed", &scene, then, now] {
            assert!(message.contains(part), "{key}: {part} is not in: {message}");
        }
    }
    assert_eq!(files(&path), before);
    // These change no bit of the results so far.
    for keys in [
        [("run.threads", "2")],
        [("checkpoint.every.steps", "50")],
        [("output.folder", "elsewhere")],
        [("run.steps", "600")],
    ] {
        drop(start(built(EVERYTHING, &keys), &path, Mode::Resume));
    }
}

/// The keys of a scene are the same, but what stands in a file that it names is not.
#[test]
fn another_file_is_refused() {
    let top = tempfile::tempdir().unwrap();
    let scene = EVERYTHING.replace("cloud = {", "at = [0.025, 0.025, 0.03]\n# ")
        + r#"
[[bodies]]
csv = "bodies.csv"
[[walls]]
name = "ramp"
mesh = { file = "ramp.stl" }
"#;
    fs::write(top.path().join("scene.toml"), scene).unwrap();
    let ramp = |x: &str| {
        let text = format!(
            "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex {x} 0 0\nvertex 0 0.01 0\nendloop\n\
             endfacet\nendsolid\n"
        );
        fs::write(top.path().join("ramp.stl"), text).unwrap();
    };
    let bodies = |z: &str| {
        let text =
            format!("template,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\nball,0.01,0.01,{z},1,0,0,0,0,0,0,0,0,0\n");
        fs::write(top.path().join("bodies.csv"), text).unwrap();
    };
    let build = || -> Built {
        let scene =
            Scene::read(top.path().join("scene.toml")).unwrap_or_else(|problems| panic!("{problems}"));
        scene.build(Some(1)).unwrap_or_else(|problems| panic!("{problems}"))
    };
    ramp("0.01");
    bodies("0.02");
    let path = top.path().join("r");
    start(build(), &path, Mode::New).go(&mut stop_at(50)).unwrap();
    let before = files(&path);
    ramp("0.011");
    assert!(refusal(Run::start(build(), &path, Mode::Resume)).contains("a file that it reads"));
    ramp("0.01");
    bodies("0.021");
    assert!(refusal(Run::start(build(), &path, Mode::Resume)).contains("a file that it reads"));
    assert_eq!(files(&path), before);
    bodies("0.02");
    start(build(), &path, Mode::Resume).go(&mut ()).unwrap();
    assert!(results(&path).len() > 10);
}

#[test]
fn two_runs_never_share_a_folder() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    let mut run = start(on(1), &path, Mode::New);
    for mode in [Mode::New, Mode::Force, Mode::Resume] {
        let message = refusal(Run::start(on(1), &path, mode));
        assert!(message.contains("another run") || message.contains("earlier run"), "{message}");
    }
    run.go(&mut ()).unwrap();
}
