//! A small scene with everything that a run can have, and what tests do with its folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tumble::scene::{Built, Scene, SceneText};
use tumble::{End, Error, Mode, Progress, Run, Watch};

/// Rods that fall in a box onto a shaking floor, and balls that come in. No interval divides another, or the length.
pub(crate) const EVERYTHING: &str = r#"
version = 1
seed = 5
gravity = [0, 0, -9.81]

[run]
dt = 2e-5
steps = 523
threads = 1
max_overlap = 5

[contact]
rolling = "elastic-plastic"

[materials.gel]
density = 1200
young = 5e6
poisson = 0.3

[pair]
restitution = 0.6
friction = 0.4
rolling_friction = 0.05
rolling_damping = 0.1

[templates]
rod = { shape = "rod", count = 3, radius = 3e-3, spacing = 4e-3 }
ball = { spheres = [[0, 0, 0, 3e-3]] }

[[bodies]]
template = "rod"
cloud = { low = [0, 0, 3e-3], high = [0.05, 0.05, 0.035], count = 60 }
velocity = { speed = 1 }
spin = { speed = 50 }

[[streams]]
templates = ["ball", "rod"]
region = { low = [0, 0, 0.04], high = [0.05, 0.05, 0.055] }
rate = 3000
velocity = [0, 0, -1.5]

[[streams]]
template = "ball"
cylinder = { from = [0.025, 0.025, 0.056], to = [0.025, 0.025, 0.07], radius = 0.02 }
mass_rate = 0.1
size = { rosin_rammler = { d63 = 5e-3, exponent = 3 }, min = 3e-3, max = 7e-3 }
start = 1e-3
stop = 8e-3

[[outlets]]
name = "drain, small"
sphere = { centre = [0.01, 0.01, 0.005], radius = 8e-3 }

[[walls]]
name = "box"
box = { low = [0, 0, -0.01], high = [0.05, 0.05, 0.08] }

[[walls]]
name = "floor, shaking"
mesh = { triangles = [[-0.01, -0.01, 0, 0.06, -0.01, 0, 0.06, 0.06, 0], [-0.01, -0.01, 0, 0.06, 0.06, 0, -0.01, 0.06, 0]] }
motion = [{ vibrate = { amplitude = [0, 0, 5e-4], frequency = 200 } }]

[[measures]]
name = "low"
kind = "contents"
region = { box = { low = [0, 0, 0], high = [0.05, 0.03, 0.02] } }
every = { steps = 13 }

[[measures]]
name = "down"
kind = "flow"
through = { plane = { point = [0, 0, 0.03], normal = [0, 0, -1] } }
every = { steps = 3 }
window = { steps = 45 }

[[measures]]
name = "stay"
kind = "residence"
every = { steps = 17 }

[[measures]]
name = "forces"
kind = "forces"
every = { steps = 5 }
window = { steps = 85 }

[[measures]]
name = "stress"
kind = "stress"
region = { cylinder = { from = [0.025, 0.025, 0], to = [0.025, 0.025, 0.04], radius = 0.02 } }
every = { steps = 29 }

[[measures]]
name = "balls"
kind = "mixing"
region = { box = { low = [0, 0, 0], high = [0.05, 0.05, 0.08] } }
of = { template = "ball" }
cells = [2, 2, 3]
every = { steps = 31 }

[[measures]]
name = "load"
kind = "wall-load"
walls = ["floor, shaking"]
every = { steps = 1 }
window = { steps = 19 }

[[coarse_fields]]
name = "plane"
low = [0, 0, 0]
high = [0.05, 0.05, 0.06]
cells = [5, 1, 6]
every = { steps = 9 }
window = { steps = 99 }

[[coarse_fields]]
name = "line"
low = [0, 0, 0]
high = [0.05, 0.05, 0.06]
cells = [1, 1, 12]
smoothing = 2
every = { steps = 37 }

[output]
energy = { every = { steps = 7 } }
walls = { every = { steps = 11 } }
flows = { every = { steps = 13 } }
trajectory = { every = { steps = 25 } }
vtk = { every = { steps = 40 }, chains = true, surfaces = true }

[checkpoint]
every = { steps = 60 }
"#;

/// A scene with some keys set.
pub(crate) fn built(text: &str, keys: &[(&str, &str)]) -> Built {
    let text = keys.iter().fold(SceneText::new("test", text), |text, (key, value)| text.set(key, value));
    Scene::parse(text).and_then(|scene| scene.build(None)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The small scene on so many threads.
pub(crate) fn on(threads: usize) -> Built {
    built(EVERYTHING, &[("run.threads", &threads.to_string())])
}

pub(crate) fn start(built: Built, folder: &Path, mode: Mode) -> Run {
    Run::start(built, folder, mode).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a scene to its end in a new folder.
pub(crate) fn whole(built: Built, folder: &Path) -> Run {
    let mut run = start(built, folder, Mode::New);
    assert_eq!(run.go(&mut ()).unwrap_or_else(|error| panic!("{error}")), End::Finished);
    run
}

/// Somebody who does something at the first look at or after a step.
pub(crate) struct At<F: FnMut()> {
    pub(crate) step: u64,
    pub(crate) act: F,
    pub(crate) stop: bool,
    reached: bool,
}

impl<F: FnMut()> Watch for At<F> {
    fn progress(&mut self, progress: &Progress) {
        if progress.step >= self.step && !self.reached {
            self.reached = true;
            (self.act)();
        }
    }

    fn wants_stop(&mut self) -> bool {
        self.reached && self.stop
    }
}

/// Asks a run to stop at the first look at or after a step.
pub(crate) fn stop_at(step: u64) -> At<impl FnMut()> {
    At { step, act: || (), stop: true, reached: false }
}

/// Does something in the middle of a run.
pub(crate) fn act_at<F: FnMut()>(step: u64, act: F) -> At<F> {
    At { step, act, stop: false, reached: false }
}

/// All files below a folder, by their paths in it.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

/// What two runs of a scene must have in common: everything but the clock and the machine in the summary, how often
/// the scene says that the state is saved, and checkpoints before the last, which are also where it was interrupted.
pub(crate) fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    let checkpoints: Vec<String> =
        files.keys().filter(|name| name.starts_with("checkpoints/")).cloned().collect();
    for name in checkpoints.iter().rev().skip(1).map(String::as_str).chain(["summary.json", "scene.toml"]) {
        assert!(files.remove(name).is_some(), "{name} is missing");
    }
    files
}

pub(crate) fn assert_same_results(expected: &Path, found: &Path) {
    let (expected, found) = (results(expected), results(found));
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    let differ: Vec<_> =
        expected.iter().filter(|(name, bytes)| found[*name] != **bytes).map(|(name, _)| name).collect();
    assert!(differ.is_empty(), "{differ:?} differ");
    assert!(expected.len() > 40, "{:?}", expected.keys());
}

/// The steps of the rows of a table.
pub(crate) fn steps(table: &Path) -> Vec<u64> {
    let text = fs::read_to_string(table).unwrap();
    text.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect()
}

/// The message of an error that must come.
pub(crate) fn refusal(result: Result<Run, Error>) -> String {
    result.expect_err("it must be refused").to_string()
}
