//! Guarantee: what happens to the results of a run behind its back is noticed when it is resumed, and told by the name of
//! the file; what is lost is computed again where a checkpoint before it is left, and never left out in silence.

use crate::common::{act_at, assert_same_results, files, on, refusal, results, start, stop_at, whole};
use std::fs::{self, OpenOptions};
use std::path::Path;
use tumble::{End, Mode, Run};

fn flip(path: &Path, at: u64) {
    let mut bytes = fs::read(path).unwrap();
    bytes[usize::try_from(at).unwrap()] ^= 4;
    fs::write(path, bytes).unwrap();
}

fn cut(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

fn length(path: &Path) -> u64 {
    path.metadata().unwrap().len()
}

type Damage = fn(&Path);

/// Each with the file that the message has to name.
const DAMAGES: [(&str, Damage); 12] = [
    ("energy.csv", |folder| cut(&folder.join("energy.csv"), 400)),
    ("energy.csv", |folder| cut(&folder.join("energy.csv"), 0)),
    ("energy.csv", |folder| flip(&folder.join("energy.csv"), 900)),
    ("energy.csv", |folder| fs::remove_file(folder.join("energy.csv")).unwrap()),
    ("walls.csv", |folder| {
        // A row in the middle.
        let text = fs::read_to_string(folder.join("walls.csv")).unwrap();
        let rows: Vec<&str> =
            text.split_inclusive('\n').enumerate().filter(|(n, _)| *n != 5).map(|(_, row)| row).collect();
        fs::write(folder.join("walls.csv"), rows.concat()).unwrap();
    }),
    ("trajectory.tumble", |folder| flip(&folder.join("trajectory.tumble"), 4000)),
    ("trajectory.tumble", |folder| cut(&folder.join("trajectory.tumble"), 9000)),
    ("trajectory.tumble", |folder| fs::remove_file(folder.join("trajectory.tumble")).unwrap()),
    ("vtk/spheres_000000.vtp", |folder| fs::remove_file(folder.join("vtk/spheres_000000.vtp")).unwrap()),
    ("vtk/bodies_000001.vtp", |folder| flip(&folder.join("vtk/bodies_000001.vtp"), 1000)),
    ("vtk/spheres.pvd", |folder| fs::remove_file(folder.join("vtk/spheres.pvd")).unwrap()),
    ("vtk/walls.pvd", |folder| {
        let text = fs::read_to_string(folder.join("vtk/walls.pvd")).unwrap();
        fs::write(folder.join("vtk/walls.pvd"), text.replacen("timestep=\"0.0\"", "timestep=\"0.1\"", 1))
            .unwrap();
    }),
];

/// Early results are gone for every checkpoint; nothing is written then.
#[test]
fn damage_to_results_is_named() {
    let top = tempfile::tempdir().unwrap();
    for (round, steps) in [(0, 200), (1, 523)] {
        for (number, (name, damage)) in DAMAGES.iter().enumerate() {
            let path = top.path().join(format!("{round}-{number}"));
            start(on(1), &path, Mode::New).go(&mut stop_at(steps)).unwrap();
            damage(&path);
            let before = files(&path);
            let message = refusal(Run::start(on(1), &path, Mode::Resume));
            let named = path.join(name).display().to_string();
            assert!(message.contains(&named), "{number} {name}: {message}");
            assert!(message.contains("as they were"), "{message}");
            assert_eq!(files(&path), before, "{number} {name}");
        }
    }
}

/// What was lost after the checkpoint before the newest one is computed again.
#[test]
fn lost_ends_are_computed_again() {
    let top = tempfile::tempdir().unwrap();
    let expected = top.path().join("whole");
    drop(whole(on(1), &expected));
    for name in ["energy.csv", "walls.csv", "trajectory.tumble"] {
        let path = top.path().join(name);
        drop(whole(on(1), &path));
        let file = path.join(name);
        cut(&file, length(&file) - 10);
        let mut run = start(on(1), &path, Mode::Resume);
        let step = run.simulation().engine().steps();
        assert_eq!(step, 480, "{name}");
        let [notice] = run.notices() else { panic!("{:?}", run.notices()) };
        assert!(notice.contains(name) && notice.contains("goes on from step 480"), "{notice}");
        assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
        drop(run);
        assert_same_results(&expected, &path);
    }
}

#[test]
fn a_file_removed_during_the_run_stops_it() {
    let top = tempfile::tempdir().unwrap();
    for name in ["trajectory.tumble", "energy.csv", "walls.csv"] {
        let path = top.path().join(name);
        let file = path.join(name);
        let mut run = start(on(1), &path, Mode::New);
        let error = run.go(&mut act_at(100, || fs::remove_file(&file).unwrap())).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("removed or replaced"), "{error}");
    }
}

/// Whoever is killed while old results are removed, after any of the files, leaves a run that can be resumed.
#[test]
fn killed_while_results_are_replaced_it_can_be_resumed() {
    let top = tempfile::tempdir().unwrap();
    let expected = top.path().join("whole");
    drop(whole(on(1), &expected));
    let names: Vec<String> = files(&expected).into_keys().collect();
    // In the order in which they are removed: the scene, checkpoints, the rest.
    let rank = |name: &String| match name.as_str() {
        ".tumble" => 3,
        "scene.toml" => 0,
        name if name.starts_with("checkpoints/") => 1,
        _ => 2,
    };
    let mut order = names.clone();
    order.sort_by_key(|name| (rank(name), name.clone()));
    order.pop();
    assert_eq!(order.len() + 1, names.len());
    for removed in [1, 2, 3, 4, 10, order.len()] {
        let path = top.path().join(format!("killed-{removed}"));
        drop(whole(on(1), &path));
        for name in &order[..removed] {
            fs::remove_file(path.join(name)).unwrap();
        }
        assert_eq!(start(on(1), &path, Mode::Resume).go(&mut ()).unwrap(), End::Finished, "{removed}");
        if removed == 2 {
            // Without its oldest checkpoint.
            assert_eq!(results_but_checkpoints(&path), results_but_checkpoints(&expected));
        } else {
            assert_same_results(&expected, &path);
        }
    }
}

fn results_but_checkpoints(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let all = files(folder).into_iter();
    all.filter(|(name, _)| rank_of_result(name)).collect()
}

fn rank_of_result(name: &str) -> bool {
    !name.starts_with("checkpoints/") && !["summary.json", "scene.toml"].contains(&name)
}

/// The order in which force removes things is the one that the test above takes for granted.
#[test]
fn force_removes_the_scene_and_the_checkpoints_first() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    drop(whole(on(1), &path));
    // Something that cannot be removed stands for a kill: a folder where a file should be.
    fs::remove_file(path.join("energy.csv")).unwrap();
    fs::create_dir_all(path.join("energy.csv/in the way")).unwrap();
    assert!(Run::start(on(1), &path, Mode::Force).is_err());
    assert!(!path.join("scene.toml").exists());
    assert!(!path.join("checkpoints").exists());
    assert!(path.join("trajectory.tumble").exists());
}

#[test]
fn a_kill_at_the_end_leaves_no_checkpoint_too_many() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    drop(whole(on(1), &path));
    let whole = files(&path);
    let checkpoints: Vec<&String> = whole.keys().filter(|name| name.starts_with("checkpoints/")).collect();
    // As it is between writing the last one and removing the oldest.
    let older = path.join("checkpoints/checkpoint_000000000420.tumble");
    fs::copy(path.join(checkpoints[0]), &older).unwrap();
    start(on(1), &path, Mode::Resume).go(&mut ()).unwrap();
    assert!(!older.exists());
    assert_eq!(results(&path).len(), whole.len() - 3);
}

/// A body that is held is another one than a body that is free.
#[test]
fn a_body_that_is_held_makes_another_scene() {
    let top = tempfile::tempdir().unwrap();
    let table = top.path().join("bodies.csv");
    let scene = r#"
        version = 1
        run = { dt = 1e-4, steps = 100 }
        materials.glass = { density = 2500, young = "10 MPa", poisson = 0.2 }
        pair = { restitution = 0.5, friction = 0.3 }
        templates.ball = { spheres = [[0, 0, 0, 0.01]] }
        bodies = [{ csv = "TABLE" }]
    "#;
    let scene = scene.replace("TABLE", &table.display().to_string());
    let with = |held: &str| {
        fs::write(&table, format!("template,x,y,z,held\nball,0,0,0,{held}\nball,1,0,0,false\n")).unwrap();
        crate::common::built(&scene, &[])
    };
    let path = top.path().join("r");
    start(with("false"), &path, Mode::New).go(&mut stop_at(10)).unwrap();
    let message = refusal(Run::start(with("true"), &path, Mode::Resume));
    assert!(message.contains("a file that it reads is another"), "{message}");
    start(with("false"), &path, Mode::Resume).go(&mut ()).unwrap();
}

/// A pipe in the place of a result would keep its reader waiting for ever, and a link may lead anywhere.
#[test]
#[cfg(unix)]
fn only_plain_files_are_resumed() {
    let top = tempfile::tempdir().unwrap();
    for name in ["energy.csv", "trajectory.tumble", "vtk/spheres.pvd", "checkpoints"] {
        let path = top.path().join(name.replace('/', "-"));
        start(on(1), &path, Mode::New).go(&mut stop_at(200)).unwrap();
        let newest = files(&path.join("checkpoints")).into_keys().last().unwrap();
        let file = if name == "checkpoints" { path.join(name).join(newest) } else { path.join(name) };
        fs::remove_file(&file).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&file).status().unwrap();
        assert!(made.success());
        match Run::start(on(1), &path, Mode::Resume) {
            Err(error) => assert!(error.to_string().contains("a pipe"), "{error}"),
            Ok(run) => assert!(run.notices().iter().any(|notice| notice.contains("a pipe")), "{name}"),
        }
        if name != "checkpoints" {
            fs::remove_file(&file).unwrap();
            std::os::unix::fs::symlink("/etc/hostname", &file).unwrap();
            assert!(refusal(Run::start(on(1), &path, Mode::Resume)).contains("a link"), "{name}");
        }
    }
}
