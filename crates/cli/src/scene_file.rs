//! A scene as commands take it: a file, and keys that are set on the command line.

use crate::failure::Failure;
use crate::memory;
use clap::Args;
use std::path::{Path, PathBuf};
use tumble::scene::{Built, Scene, SceneText};

/// The scene of a command.
#[derive(Clone, Debug, Args)]
pub(crate) struct SceneFile {
    /// A scene file; `tumble new` writes examples
    #[arg(value_name = "SCENE")]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Keys that are set on the command line.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Settings {
    /// Set a key of the scene: a path such as run.dt, or its last part where only one key can be meant; may be
    /// repeated
    #[arg(id = "set", long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    pub(crate) all: Vec<Setting>,
}

/// A key and the value that it is set to, as typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    pub(crate) value: String,
}

impl SceneFile {
    /// The scene as it is written.
    pub(crate) fn scene(&self) -> Result<Scene, Failure> {
        let text = self.settings.put_into(SceneText::read(&self.path)?);
        Ok(Scene::parse(text)?)
    }

    /// The scene, ready to run.
    pub(crate) fn build(&self, threads: Option<usize>) -> Result<Built, Failure> {
        let scene = self.scene()?;
        memory::check(&scene)?;
        Ok(scene.build(threads)?)
    }
}

impl Settings {
    pub(crate) fn put_into(&self, text: SceneText) -> SceneText {
        self.all.iter().fold(text, |text, Setting { key, value }| text.set(key, value))
    }
}

fn setting(text: &str) -> Result<Setting, String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok(Setting { key: key.trim().into(), value: value.trim().into() })
        }
        _ => Err("expected KEY=VALUE, such as run.dt=1e-6 or \"duration=20 ms\"".into()),
    }
}

/// A command as a person would type it: words that a shell would take apart are quoted.
pub(crate) fn typed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./=:,+@%".contains(letter);
    let quoted = |word: &str| {
        if !word.is_empty() && word.chars().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A path as a word of a command.
pub(crate) fn typed_path(path: &Path) -> String {
    typed([path.to_string_lossy().as_ref()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_taken_apart_at_the_first_equals_sign() {
        let setting = |text: &str| setting(text).map(|setting| (setting.key, setting.value));
        assert_eq!(setting("run.dt = 2 us").unwrap(), ("run.dt".into(), "2 us".into()));
        assert_eq!(setting("title=a=b").unwrap(), ("title".into(), "a=b".into()));
        for bad in ["dt", "", "=1", " =1"] {
            assert!(setting(bad).unwrap_err().contains("KEY=VALUE"), "{bad}");
        }
    }

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let words = ["tumble", "run", "my scene.toml", "--set", "gravity=[0, 0, -1]", "it's", ""];
        let command = typed(words);
        assert_eq!(command, "tumble run 'my scene.toml' --set 'gravity=[0, 0, -1]' 'it'\\''s' ''");
        let echoed =
            std::process::Command::new("sh").args(["-c", &format!("printf '%s\\n' {command}")]).output();
        if let Ok(echoed) = echoed {
            assert_eq!(String::from_utf8(echoed.stdout).unwrap(), words.join("\n") + "\n");
        }
    }
}
