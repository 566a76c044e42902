//! `tumble` alone: the built-in scene of chess pieces, long enough to see something, short enough to wait for.

use super::{Start, Telling, simulate};
use crate::failure::Failure;
use crate::kernels;
use crate::output;
use crate::results;
use crate::scene_file::Settings;
use std::path::Path;
use tumble::Mode;
use tumble::output::{Part, ResultFolder};
use tumble::scene::{Built, Example, Scene, SceneText};

const SCENE: &str = "chess";

/// What is different from the file: no warnings, and some seconds of work for two cores.
const CHANGES: [(&str, &str); 2] = [("run.dt", "auto"), ("run.duration", "2.5 s")];

pub(crate) fn run(settings: &Settings) -> Result<(), Failure> {
    let text = SceneText::new(SCENE, Example::named(SCENE).map_or("", |example| example.text));
    let text = CHANGES.into_iter().fold(text, |text, (key, value)| text.set(key, value));
    let built = Scene::parse(settings.put_into(text))?.build(None)?;
    let built = Built { kernels: kernels::folder(), ..built };
    let folder = built.output.folder.clone();
    let mode = if ResultFolder::is_one(&folder) { Mode::Force } else { Mode::New };
    if mode == Mode::Force {
        if !is_same(&folder, &built) {
            return Err(Failure::BadInput(format!(
                "{0} holds the results of another scene than the built-in one, and they are not replaced: move or \
                 remove {0}, or call `tumble` in another folder",
                folder.display()
            )));
        }
        output::warn(&format!("the results of the last time in {} are replaced", folder.display()));
    }
    let telling = Telling { quiet: false, time_limit: None, again: "`tumble` starts it again".into() };
    simulate(Start::Scene(Box::new(built)), &folder, mode, &telling).map_err(|failure| match failure {
        // There is no scene file to resume it with.
        Failure::ToResume(text) => Failure::Interrupted(text),
        other => other,
    })
}

/// Whether a folder has the results of this very scene, which can be replaced because they come out the same again.
fn is_same(folder: &Path, built: &Built) -> bool {
    match std::fs::read_to_string(results::part(folder, Part::Scene)) {
        Ok(scene) => scene == built.scene.effective_elsewhere(),
        // Ended before it wrote anything.
        Err(_) => !results::part(folder, Part::Summary).exists(),
    }
}
