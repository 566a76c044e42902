//! The text of a scene: a file and what the command line sets in it.

use crate::diagnostic::{Diagnostics, Problem};
use crate::place::Place;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest scene file that is read, in bytes. Bodies in numbers belong in a CSV file.
pub const MAX_FILE_BYTES: u64 = 1 << 26;

/// A scene file as it was written, and the keys that are set from outside.
///
/// ```
/// use tumble_scene::{Scene, SceneText};
/// let text = SceneText::new("drop", "version = 1\n[run]\ndt = 1e-5\nsteps = 10\n").set("dt", "2 us");
/// assert!(Scene::parse(text)?.effective().contains("\ndt = 2e-6\n"));
/// # Ok::<(), tumble_scene::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneText {
    /// What messages call the file.
    pub(crate) name: String,
    /// The folder that paths in the scene start from.
    pub(crate) folder: PathBuf,
    pub(crate) text: String,
    pub(crate) overrides: Vec<Override>,
}

/// A key that is set from outside, such as by `--set run.dt=1e-6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Override {
    pub(crate) key: String,
    pub(crate) value: String,
    /// As messages show it: `--set run.dt=1e-6`.
    pub(crate) shown: String,
}

impl Override {
    const OPTION: &str = "--set ";

    fn new(key: &str, value: &str) -> Self {
        Self { key: key.to_owned(), value: value.to_owned(), shown: format!("{}{key}={value}", Self::OPTION) }
    }

    /// Where the value begins in what is shown.
    pub(crate) fn value_start(&self) -> usize {
        Self::OPTION.len() + self.key.len() + 1
    }

    /// The bytes of the key in what is shown.
    pub(crate) fn key_bytes(&self) -> core::ops::Range<usize> {
        Self::OPTION.len()..Self::OPTION.len() + self.key.len()
    }
}

impl SceneText {
    /// A scene that is no file: messages call it by this name, and paths in it start from the working directory.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), folder: PathBuf::new(), text: text.into(), overrides: Vec::new() }
    }

    /// Reads a scene file. Paths in it start from its folder.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        let empty = Self::new(path.display().to_string(), "");
        let fail = |message: String, help: &str| {
            let problem = Problem::error(Place::default(), message).help(help);
            Err(Diagnostics::of(Arc::new(empty.clone()), vec![problem]))
        };
        let mut bytes = Vec::new();
        let read =
            std::fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes));
        if let Err(error) = read {
            let help = match error.kind() {
                std::io::ErrorKind::NotFound => "check the name; `tumble new --list` shows ready-made scenes",
                std::io::ErrorKind::IsADirectory => "name the scene file in it",
                _ => "is it yours to read?",
            };
            return fail(format!("cannot read the scene {}: {error}", path.display()), help);
        }
        if bytes.len() as u64 > MAX_FILE_BYTES {
            let message = format!("the scene {} is larger than {} MiB", path.display(), MAX_FILE_BYTES >> 20);
            return fail(message, "put many bodies into a CSV file: [[bodies]] with csv = \"bodies.csv\"");
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { text, ..empty }.in_folder(path.parent().unwrap_or(Path::new("")))),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = valid.split(|&byte| byte == b'\n').count();
                let message = format!("the scene {} is not text in UTF-8: see line {line}", path.display());
                fail(message, "save it as UTF-8; is it really a scene file?")
            }
        }
    }

    /// With paths in the scene starting from this folder.
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), ..self }
    }

    /// With a key set to another value: a dotted path such as `run.dt`, `materials.glass.young` or
    /// `bodies.0.cloud.count` (counted from 0), or its last part where only one key can be meant.
    ///
    /// The value is what would stand in the file; what is no TOML is taken as text, so that
    /// `set("rotation", "no-squish")` and `set("dt", "2 us")` need no quotes. Setting one of several keys that
    /// exclude each other removes the others. Mistakes are reported when the scene is parsed.
    pub fn set(mut self, key: &str, value: &str) -> Self {
        self.overrides.push(Override::new(key.trim(), value.trim()));
        self
    }

    /// What messages call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder that paths in the scene start from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The scene's own name, for result folders: that of the file without its ending.
    pub fn stem(&self) -> String {
        let stem = Path::new(&self.name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "scene".to_owned())
    }
}
