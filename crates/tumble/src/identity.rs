//! Whether a scene is the one that a run began with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tumble_dem::Body;
use tumble_dem::placement::Region;
use tumble_gpu::Choice;
use tumble_output::Model;
use tumble_output::checkpoint::scene_hash;
use tumble_scene::{Built, Scene};

/// What tells the scene of a run from others, as far as a bit of its results depends on it.
///
/// Keys name files but not what is in them; that shows in bodies and walls. Templates are in the checkpoint. How long the run
/// is does not count: what is there so far does not depend on it. Without `bodies` for a run whose bodies came from another
/// one.
pub(crate) fn hash(built: &Built, model: &Model, bodies: bool) -> String {
    let mut bytes = built.title.clone().into_bytes();
    bytes.extend(
        lines(&of_any_length(&built.scene).effective()).flat_map(|line| [line, "\n"]).flat_map(str::bytes),
    );
    let mut put = |numbers: &[f64]| bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    for body in built.world.bodies.iter().filter(|_| bodies) {
        let Body {
            position, orientation, velocity, angular_velocity, scale, held, temperature, film, ..
        } = body;
        let (template, material) = (f64::from(body.template.0), f64::from(body.material.0));
        put(&position.to_array());
        put(&orientation.to_array());
        put(&velocity.to_array());
        put(&angular_velocity.to_array());
        put(&[*scale, template, material, f64::from(*held)]);
        if model.heat {
            put(&[*temperature]);
        }
        if model.liquid {
            put(&[*film]);
        }
    }
    for point in model.walls.iter().flat_map(|wall| &wall.points) {
        put(&point.to_array());
    }
    for stream in &built.streams {
        if let Region::Surface(surface) = &stream.inlet().region {
            surface.triangles().iter().flatten().for_each(|corner| put(&corner.to_array()));
        }
    }
    scene_hash(bytes)
}

/// What tells one scene from another by all that it says and reads: its keys, but for those that change no result, and
/// the content of its files. Nothing is computed, so it is quick; contents are remembered from call to call.
#[derive(Clone, Debug, Default)]
pub struct Contents(BTreeMap<PathBuf, String>);

impl Contents {
    /// What a scene says and reads, in 32 hexadecimal digits.
    pub fn of(&mut self, scene: &Scene) -> String {
        let of_results = of_results(scene);
        let effective = of_results.effective();
        let mut all: Vec<String> = lines(&effective).map(str::to_owned).collect();
        for file in scene.files() {
            // A file that cannot be read is another one than any that can.
            let content = self.0.entry(file).or_insert_with_key(|file| {
                std::fs::read(file).map_or_else(|error| error.kind().to_string(), scene_hash)
            });
            all.push(content.clone());
        }
        scene_hash(all.join("\n"))
    }
}

/// How a scene differs from the one that a run left in its folder, in words.
pub(crate) fn difference(as_run: &Path, now: &Scene) -> String {
    let Ok(then) = Scene::read(as_run) else {
        return format!("the scene as it was run should be in {}, but cannot be read", as_run.display());
    };
    let (then, now) = (of_any_length(&then).effective_elsewhere(), of_any_length(now).effective_elsewhere());
    let (mut then, mut now) = (lines(&then), lines(&now));
    loop {
        match (then.next(), now.next()) {
            (None, None) => {
                return "its keys are the same, so its name or a file that it reads is another".to_owned();
            }
            (then, now) if then == now => {}
            (then, now) => {
                let [then, now] = [then, now].map(|line| line.unwrap_or("nothing"));
                return format!("compare it with {}, where `{then}` stands for `{now}`", as_run.display());
            }
        }
    }
}

/// The scene without what changes no bit of the results: how many threads there are and what does the steps, where results go, and how
/// often the state is saved.
fn of_results(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.keys.run.threads = 0;
    scene.keys.run.device = Choice::Cpu;
    scene.keys.output.folder = None;
    scene.keys.checkpoint = None;
    scene
}

/// The same without how long it runs.
fn of_any_length(scene: &Scene) -> Scene {
    let mut scene = of_results(scene);
    (scene.keys.run.duration, scene.keys.run.steps, scene.keys.run.ends) = (None, Some(0), None);
    scene
}

/// The lines of a scene without the comment that tells its name.
fn lines(document: &str) -> impl Iterator<Item = &str> {
    document.lines().skip_while(|line| line.starts_with('#'))
}
