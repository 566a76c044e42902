//! `--device`: a card changes no byte of the results, what it cannot do is said before anything begins, and `auto` goes on without
//! one. The card is the emulated one; without a C++ compiler what needs it is not tested.

use crate::common::{Folder, files, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Rods and balls that fall, come in and go out, with something that touches from the start.
pub(crate) const RAIN: &str = r#"
version = 1
gravity = [0, 0, -9.81]
run = { dt = 2e-5, steps = 400, max_overlap = 5, any_step = true }
materials.gel = { density = 1200, young = 5e6, poisson = 0.3 }
pair = { restitution = 0.6, friction = 0.4 }
templates.rod = { shape = "rod", count = 3, radius = 3e-3, spacing = 4e-3 }
templates.ball = { spheres = [[0, 0, 0, 3e-3]] }
output = { energy = { every = { steps = 20 } }, trajectory = { every = { steps = 50 } }, vtk = true }
checkpoint = { every = { steps = 101 } }

[[bodies]]
template = "rod"
cloud = { low = [0, 0, 0.01], high = [0.05, 0.05, 0.035], count = 40 }
velocity = { speed = 1 }

[[bodies]]
template = "ball"
at = [0.025, 0.025, 2.999e-3]

[[streams]]
template = "ball"
region = { low = [0, 0, 0.04], high = [0.05, 0.05, 0.055] }
rate = 3000
velocity = [0, 0, -1.5]

[[outlets]]
name = "drain"
sphere = { centre = [0.01, 0.01, 0.005], radius = 8e-3 }

[[walls]]
name = "box"
box = { low = [0, 0, 0], high = [0.05, 0.05, 0.08] }
"#;

/// What a card does not take.
const GLUED: &str = include_str!("../../../scenes/agglomerate.toml");

fn with_rain(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.0.join("rain.toml"), RAIN).unwrap();
    fs::write(folder.0.join("glued.toml"), GLUED).unwrap();
    folder
}

/// Runs with a folder for compiled kernels that is kept from test to test.
fn tumble(folder: &Folder, arguments: &[&str]) -> Output {
    let caches = Path::new(env!("CARGO_TARGET_TMPDIR")).join("caches");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.args(arguments).current_dir(&folder.0).env("XDG_CACHE_HOME", caches).output().unwrap()
}

/// The same on the emulated card; nothing if there is none.
#[allow(clippy::print_stderr, reason = "what was not tested has to be said")]
fn emulated(folder: &Folder, arguments: &[&str]) -> Option<Output> {
    let output = tumble(folder, &[arguments, &["--device", "emulated"]].concat());
    let missing = stderr(&output).contains("there is no C++ compiler");
    if missing {
        eprintln!("not tested: {}", stderr(&output));
    }
    (!missing).then_some(output)
}

/// All results but those with times of the clock or of neighbour lists in them.
fn results(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files(folder);
    for timed in ["summary.json", "report.html"] {
        assert!(files.remove(Path::new(timed)).is_some(), "{timed} in {}", folder.display());
    }
    files.retain(|path, _| !path.starts_with("checkpoints"));
    assert!(files.len() > 10, "{:?}", files.keys());
    files
}

fn assert_same(folder: &Folder, one: &str, other: &str) {
    let [one, other] = [one, other].map(|name| results(&folder.0.join(name)));
    assert!(one.keys().eq(other.keys()), "{:?}\n{:?}", one.keys(), other.keys());
    let differ: Vec<_> = one.keys().filter(|path| one[*path] != other[*path]).collect();
    assert!(differ.is_empty(), "{differ:?}");
}

#[test]
fn a_card_changes_no_byte_and_says_which_it_is() {
    let folder = with_rain("device");
    let Some(output) = emulated(&folder, &["run", "rain.toml", "--out", "card"]) else { return };
    assert!(stdout(&output).contains("body-steps/s on emulated card"), "{output:?}");
    assert!(stderr(&output).contains("runs on emulated card (emulated): "), "{output:?}");
    let output = tumble(&folder, &["run", "rain.toml", "--out", "processor", "--device", "cpu"]);
    assert!(!stderr(&output).contains("runs on"), "{output:?}");
    stdout(&output);
    assert_same(&folder, "processor", "card");
    let told = stdout(&tumble(&folder, &["info", "card"]));
    assert!(told.contains("emulated card"), "{told}");
}

#[test]
fn a_run_goes_on_on_another_device() {
    let folder = with_rain("device-resume");
    // Each part ends with a step at which something is written anyhow.
    let half = ["run", "rain.toml", "--out", "card", "--set", "run.steps=200", "--quiet"];
    let Some(output) = emulated(&folder, &half) else { return };
    stdout(&output);
    let on = [
        "run",
        "rain.toml",
        "--out",
        "card",
        "--resume",
        "--duration",
        "0.006",
        "--device",
        "cpu",
        "--quiet",
    ];
    stdout(&tumble(&folder, &on));
    let output = emulated(&folder, &["run", "rain.toml", "--out", "card", "--resume", "--quiet"]).unwrap();
    stdout(&output);
    stdout(&tumble(&folder, &["run", "rain.toml", "--out", "whole", "--quiet"]));
    for name in ["energy.csv", "trajectory.tumble"] {
        let [one, other] = ["whole", "card"].map(|run| fs::read(folder.0.join(run).join(name)).unwrap());
        assert!(one == other, "{name}");
    }
}

#[test]
fn what_cannot_be_is_refused_and_leaves_nothing() {
    let folder = with_rain("device-refused");
    let before = files(&folder.0);
    for (arguments, words) in [
        // No machine has so many: one without a driver says that.
        (["--device", "cuda:1000"], ["card 1000 was asked for", "there is no working NVIDIA driver"]),
        (["--device", "gpuu"], ["did you mean `gpu`?"; 2]),
        (["--set", "device=gup"], ["`run.device`: there is no device `gup`"; 2]),
    ] {
        let output = tumble(&folder, &[&["run", "rain.toml"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = stderr(&output);
        assert!(words.iter().any(|words| message.contains(words)), "{message}");
        assert!(output.stdout.is_empty() && !message.contains("panicked"), "{message}");
    }
    let message = stderr(&tumble(&folder, &["run", "glued.toml", "--device", "gpu"]));
    assert!(message.contains("a graphics card cannot run this world yet: bonds between bodies"), "{message}");
    assert!(message.contains("--device cpu "), "{message}");
    assert!(files(&folder.0) == before);
}

#[test]
fn the_processor_takes_over_where_a_card_cannot() {
    let folder = with_rain("device-auto");
    let short = ["--set", "run.duration=0.02 ms"];
    let output = tumble(&folder, &[&["run", "glued.toml", "--device", "auto"], &short[..]].concat());
    assert!(stdout(&output).contains("thread"), "{output:?}");
    assert!(stderr(&output).contains("runs on the processor: a graphics card cannot run this world yet"));
    let check =
        |scene: &str, settings: &[&str]| stdout(&tumble(&folder, &[&["check", scene], settings].concat()));
    assert!(!check("glued.toml", &[]).contains("device"));
    let told = check("glued.toml", &["--set", "device=auto"]);
    assert!(told.contains("device      will run on the processor: a graphics card cannot"), "{told}");
    let told = check("rain.toml", &["--set", "device=cuda:1000"]);
    assert!(told.contains("device      a graphics card can run it, but not here: "), "{told}");
}

#[test]
fn cards_are_measured_beside_threads() {
    let folder = Folder::new("device-bench");
    let arguments =
        ["bench", "settle-50", "--warm", "0", "--steps", "20", "--repeat", "1", "--format", "csv"];
    let devices = ["--device", "cpu,emulated", "--threads", "1,2"];
    let Some(_) = emulated(&folder, &["bench", "settle-20", "--warm", "0", "--steps", "1", "--repeat", "1"])
    else {
        return;
    };
    let output = tumble(&folder, &[&arguments[..], &devices].concat());
    let csv = stdout(&output);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let on: Vec<&str> = rows[1..].iter().map(|row| row[column("threads")]).collect();
    assert_eq!(on, ["1", "2", "emulated"], "{csv}");
    assert_eq!(rows[3][column("ns_laws")], "", "{csv}");
    assert!(rows[3][column("ns_per_body")].parse::<f64>().unwrap() > 0.0, "{csv}");
    assert!(stderr(&output).contains("emulated takes "), "{output:?}");
    let output = tumble(&folder, &["bench", "packing-1000", "--device", "cuda:1000"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
}
