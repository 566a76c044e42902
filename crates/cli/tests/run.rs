//! `run` as people use it: what it prints and leaves, what it refuses, and with which exit code.

use crate::common::{DROP, Folder, assert_same_results, files, refused, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Output;

fn with_drop(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    folder
}

fn refused_in(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    stderr(&output)
}

#[test]
fn a_run_leaves_its_files_and_tells_about_them() {
    let folder = with_drop("run");
    let output = folder.run(&["run", "drop.toml", "--set", "output.vtk=true", "--threads", "1"]);
    let text = stdout(&output);
    let results = folder.0.join("results/drop");
    for file in ["scene.toml", "energy.csv", "walls.csv", "summary.json", "trajectory.tumble", "report.html"]
    {
        assert!(results.join(file).metadata().unwrap().len() > 100, "{file}");
    }
    for words in
        ["A rod falls", "1 of 3 spheres", "0.01", "body-steps/s", "energy error", "kinetic", "potential"]
    {
        assert!(text.contains(words), "{words}\n{text}");
    }
    // Everything it points to is there.
    for path in [
        "results/drop/vtk/spheres.pvd",
        "results/drop/report.html",
        "results/drop/energy.csv",
        "results/drop",
    ] {
        assert!(text.contains(path) && folder.0.join(path).exists(), "{path}\n{text}");
    }
    assert!(text.contains("tumble view results/drop ") && text.contains("in the browser"), "{text}");
    assert!(text.contains("paraview results/drop/vtk/spheres.pvd"), "{text}");
    assert!(!text.contains('\u{1b}') && !stderr(&output).contains('\u{1b}'), "no colours in a pipe: {text}");
    let log = stderr(&output);
    assert!(log.contains("A rod falls: 1 bodies of 3 spheres") && log.contains("(100.0 %)"), "{log}");
}

#[test]
fn results_are_not_replaced_unless_told() {
    let folder = with_drop("again");
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    let before = files(&folder.0);
    let message = refused_in(&folder, &["run", "drop.toml", "--set", "seed=2"]);
    assert!(message.contains("error: results/drop holds the results of an earlier run"), "{message}");
    for fix in ["--resume", "--force", "--out DIR"] {
        assert!(message.contains(fix), "{message}");
    }
    assert!(
        refused_in(&folder, &["run", "drop.toml", "--force", "--resume"]).contains("cannot be used with")
    );
    assert_eq!(files(&folder.0), before);

    stdout(&folder.run(&["run", "drop.toml", "--set", "seed=2", "--force"]));
    assert_ne!(files(&folder.0), before);
    stdout(&folder.run(&["run", "drop.toml", "--out", "elsewhere"]));
    assert!(folder.0.join("elsewhere/summary.json").exists());

    fs::create_dir(folder.0.join("mine")).unwrap();
    fs::write(folder.0.join("mine/energy.csv"), "precious").unwrap();
    for force in [&[][..], &["--force"]] {
        let message = refused_in(&folder, &[&["run", "drop.toml", "--out", "mine"], force].concat());
        assert!(message.contains("energy.csv") && message.contains("--out DIR"), "{message}");
    }
    assert_eq!(fs::read_to_string(folder.0.join("mine/energy.csv")).unwrap(), "precious");
}

#[test]
fn what_cannot_be_resumed() {
    let folder = with_drop("nothing");
    let message = refused_in(&folder, &["run", "drop.toml", "--resume"]);
    assert!(message.contains("there is nothing to resume"), "{message}");
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    let before = files(&folder.0);
    let message = refused_in(&folder, &["run", "drop.toml", "--resume", "--set", "pair.friction=0.4"]);
    assert!(message.contains("scene.toml") && message.contains("scene has changed"), "{message}");
    assert_eq!(files(&folder.0), before);
    // A finished run has nothing left to do.
    stdout(&folder.run(&["run", "drop.toml", "--resume"]));
    fs::rename(folder.0.join("results/drop"), folder.0.join("first")).unwrap();
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    assert_same_results(&folder.0.join("first"), &folder.0.join("results/drop"));
}

/// The ball of `drop.toml` in two stages, the second of which would be over at once.
#[test]
fn a_run_with_stages_becomes_longer_in_the_last() {
    let folder = Folder::new("longer-stages");
    let scene = r#"
        version = 1
        run = { dt = 1e-4 }
        materials.glass = { density = 2500, young = 1e8, poisson = 0.25 }
        pair = { restitution = 0.9 }
        templates.ball = { shape = "sphere", radius = 0.5 }
        bodies = [{ template = "ball", at = [0, 0, 0] }]
        [[stages]]
        name = "fall"
        duration = "5 ms"
        gravity = [0, 0, -10]
        [[stages]]
        name = "drift"
        until = { speed_below = 1e3, longest = "5 ms", every = 10 }
        drag = { viscosity = 1 }
        output = { energy = { every = "1 ms" } }
    "#;
    fs::write(folder.0.join("staged.toml"), scene).unwrap();
    let text = stdout(&folder.run(&["check", "staged.toml"]));
    for words in [
        "1. fall: 0.005 s; gravity [0, 0, -10] m/s²",
        "2. drift: until no body is faster than 1000 m/s, at most 0.005 s; drag of viscosity 1 Pa s, energy every 10 steps",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
    stdout(&folder.run(&["run", "staged.toml"]));
    let summary = || fs::read_to_string(folder.0.join("results/staged/summary.json")).unwrap();
    assert!(summary().contains("\"steps\": 60"), "{}", summary());
    let longer = folder.run(&["run", "staged.toml", "--resume", "--duration", "20ms"]);
    let told = String::from_utf8_lossy(&longer.stderr).into_owned();
    assert!(longer.status.success(), "{told}");
    assert!(told.contains("the run lasts 0.02 s: its last stage, `drift`, ends then"), "{told}");
    assert!(summary().contains("\"steps\": 200"), "{}", summary());
    assert!(summary().contains("the time of the whole run was over"), "{}", summary());
    // What began with a length of its own keeps the intervals that follow from it.
    stdout(&folder.run(&["run", "staged.toml", "--out", "long", "--duration", "300 ms"]));
    stdout(&folder.run(&["run", "staged.toml", "--out", "long", "--resume", "--duration", "300 ms"]));
    stdout(&folder.run(&["run", "staged.toml", "--out", "long", "--resume"]));
    let long = fs::read_to_string(folder.0.join("long/summary.json")).unwrap();
    assert!(long.contains("\"steps\": 3000"), "{long}");
    stdout(&folder.run(&["run", "staged.toml", "--out", "short", "--duration", "2 ms"]));
    let short = fs::read_to_string(folder.0.join("short/summary.json")).unwrap();
    assert!(short.contains("\"steps\": 20"), "{short}");
    let message = refused_in(&folder, &["run", "staged.toml", "--out", "x", "--duration", "1e20"]);
    assert!(message.contains("steps"), "{message}");
}

#[test]
fn a_run_becomes_longer() {
    let folder = with_drop("longer");
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    let summary = || fs::read_to_string(folder.0.join("results/drop/summary.json")).unwrap();
    assert!(summary().contains("\"time_s\": 0.01"), "{}", summary());
    let message = refused_in(&folder, &["run", "drop.toml", "--resume", "--duration", "5 ms"]);
    assert!(message.contains("make it longer (--duration TIME)"), "{message}");
    for (duration, words) in
        [("5 mm", "`mm` is a unit of length; expected a time"), ("-1", "positive"), ("soon", "number")]
    {
        let message = refused_in(&folder, &["run", "drop.toml", "--duration", duration]);
        assert!(message.contains(words), "{message}");
    }
    stdout(&folder.run(&["run", "drop.toml", "--resume", "--duration", "0.015"]));
    stdout(&folder.run(&["run", "drop.toml", "--resume", "--duration", "20ms"]));
    assert!(summary().contains("\"time_s\": 0.02"), "{}", summary());
    stdout(&folder.run(&["run", "drop.toml", "--out", "long", "--duration", "20ms"]));
    let state = |folder: &Path| {
        let named = files(&folder.join("checkpoints"));
        let (_, bytes) = named.last_key_value().unwrap();
        // Without the hash of the scene and the marks of its files.
        bytes.windows(8).position(|bytes| bytes == b"TUMBLEST").map(|at| bytes[at..].to_vec()).unwrap()
    };
    let [long, resumed] = ["long", "results/drop"].map(|name| state(&folder.0.join(name)));
    let engine =
        |bytes: &[u8]| bytes.windows(7).position(|bytes| bytes == b"outputs").map(|at| bytes[..at].to_vec());
    assert!(engine(&long).is_some() && engine(&long) == engine(&resumed));
}

#[test]
fn another_scene_goes_on_with_the_bodies() {
    let folder = with_drop("from");
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    let slope =
        ["run", "drop.toml", "--from", "results/drop", "--out", "slope", "--set", "gravity=[1, 0, -9.81]"];
    let output = folder.run(&slope);
    let log = stderr(&output);
    for words in [
        "note: goes on with 1 body of results/drop, at step ",
        "note: the clock goes on at t = 0.01",
        "not placed",
    ] {
        assert!(log.contains(words), "{words}\n{log}");
    }
    let rows = fs::read_to_string(folder.0.join("slope/energy.csv")).unwrap();
    assert!(rows.lines().nth(1).unwrap().starts_with("0.01"), "{rows}");
    // It goes on by itself when it is resumed, and knows how long it is.
    stdout(&folder.run(&[
        "run",
        "drop.toml",
        "--out",
        "slope",
        "--set",
        "gravity=[1, 0, -9.81]",
        "--resume",
    ]));
    let restarted = folder.run(&["run", "drop.toml", "--from", "slope", "--out", "third", "--restart-clock"]);
    assert!(stderr(&restarted).contains("note: the clock begins at zero"), "{restarted:?}");
    let message = refused_in(&folder, &["run", "drop.toml", "--from", "nowhere", "--out", "x"]);
    assert!(message.contains("nowhere: there is nothing to go on with"), "{message}");
    let message = refused_in(&folder, &["run", "drop.toml", "--restart-clock"]);
    assert!(message.contains("--from"), "{message}");
}

#[test]
fn quiet_prints_nothing_but_errors() {
    let folder = with_drop("hush");
    let silent = |output: &Output| output.stdout.is_empty() && output.stderr.is_empty();
    // A time step that is too long is worth a warning otherwise.
    let run = ["run", "drop.toml", "--set", "dt=20 us"];
    let output = folder.run(&[&run[..], &["--quiet"]].concat());
    assert!(output.status.success() && silent(&output), "{output:?}");
    assert!(folder.0.join("results/drop/report.html").exists());
    assert!(refused_in(&folder, &[&run[..], &["-q"]].concat()).contains("earlier run"));
    let output = folder.run(&[&run[..], &["--force"]].concat());
    let warnings = stderr(&output);
    assert!(warnings.starts_with("warning: the time step of 2.0000e-5 s is longer"), "{warnings}");
    assert!(warnings.contains("--set dt=20 us\n") && warnings.contains("^^^^^ at most"), "{warnings}");
}

#[test]
fn bad_settings_are_underlined() {
    let folder = with_drop("set");
    for (setting, words) in [
        ("dtt=1", "did you mean `dt`?"),
        ("dt=5 kg", "--set dt=5 kg"),
        ("run.rotation=omelian", "did you mean `omelyan`?"),
        ("bodies.7.held=true", "items are counted from 0"),
    ] {
        let message = refused_in(&folder, &["run", "drop.toml", "--set", setting]);
        assert!(message.starts_with("error: ") && !message.starts_with("error: error"), "{message}");
        assert!(message.contains(words) && message.contains('^'), "{setting}: {message}");
        assert!(message.trim_end().ends_with("drop.toml: 1 error"), "{message}");
    }
    assert!(refused_in(&folder, &["run", "drop.toml", "--set", "dt"]).contains("expected KEY=VALUE"));
    assert!(!folder.0.join("results").exists());
    let message = refused(&["run", "no-such-scene.toml"]);
    assert!(message.contains("cannot read the scene no-such-scene.toml"), "{message}");
    assert!(refused(&["run", "x.toml", "--threads", "many"]).contains("--threads"));
}

#[test]
fn a_run_that_fails_says_where_it_was() {
    let folder = with_drop("fail");
    let settings = ["--set", "run.dt=1 ms", "--set", "any_step=true", "--set", "bodies.0.velocity=[0,0,-50]"];
    let output = folder.run(&[&["run", "drop.toml"], &settings[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = stderr(&output);
    // The step that failed, not the one that the engine went back to.
    let after = |words: &str| message.split(words).nth(1).unwrap().split([' ', ',', ';']).next().unwrap();
    let [stopped, back]: [u32; 2] =
        ["it stopped in step ", "went back to step "].map(|words| after(words).parse().unwrap());
    assert!(stopped > back, "{message}");
    assert!(message.contains("error: ") && message.contains("is in results/drop"), "{message}");
    let summary = fs::read_to_string(folder.0.join("results/drop/summary.json")).unwrap();
    assert!(summary.contains("\"how\": \"failed\""), "{summary}");
    let info = stdout(&folder.run(&["info", "results/drop"]));
    assert!(info.contains("failed: "), "{info}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = with_drop("blocked");
    fs::write(folder.0.join("results"), "a file").unwrap();
    let output = folder.run(&["run", "drop.toml"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stderr(&output).contains("cannot make results/drop"), "{output:?}");
}

#[test]
fn without_a_command_chess_is_played() {
    let folder = Folder::new("demo");
    let short = ["--set", "run.steps=300"];
    let first = folder.run(&short);
    let text = stdout(&first);
    assert!(text.contains("Chess pieces in a box") && text.contains("32 of 3096 spheres"), "{text}");
    assert!(
        text.contains("tumble info results/chess")
            && text.contains("tumble view results/chess")
            && text.contains("translation"),
        "{text}"
    );
    // Nothing in it is odd enough for a warning, save for this program's.
    let log = stderr(&first);
    assert!(!log.contains("warning: the "), "{log}");
    // Again: the same results, and it says what becomes of the old ones.
    let chess = folder.0.join("results/chess");
    fs::create_dir(folder.0.join("first")).unwrap();
    for (path, bytes) in files(&chess) {
        fs::create_dir_all(folder.0.join("first").join(&path).parent().unwrap()).unwrap();
        fs::write(folder.0.join("first").join(&path), bytes).unwrap();
    }
    let again = folder.run(&short);
    stdout(&again);
    assert!(stderr(&again).contains("results of the last time in results/chess are replaced"), "{again:?}");
    assert_same_results(&folder.0.join("first"), &chess);
    // But not those of somebody's own scene.
    let before = files(&chess);
    let message = refused_in(&folder, &["--set", "run.steps=200"]);
    assert!(
        message.contains("another scene") && message.contains("move or remove results/chess"),
        "{message}"
    );
    assert_eq!(files(&chess), before);
    let help = stdout(&folder.run(&["--help"]));
    assert!(!help.contains("--set <"), "{help}");
    assert!(refused(&["--set", "run.steps=200", "schemes"]).contains("schemes"));
    assert!(!Path::new("results").exists(), "results belong into the folder of the test");
}
