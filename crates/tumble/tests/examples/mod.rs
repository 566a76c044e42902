//! The example scenes of the repository, read and run from a test.

use std::path::PathBuf;
use tumble::Simulation;
use tumble::output::csv::relative_balance_error;
use tumble::scene::{Built, Diagnostics, Scene, SceneText};

/// The folder of the example scenes.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// The names of all example scenes, in alphabetical order.
pub(crate) fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let scenes = entries.filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
    let mut names: Vec<String> =
        scenes.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// An example with some keys set from outside, on one thread.
pub(crate) fn built(name: &str, set: &[(&str, &str)]) -> Built {
    let built = || -> Result<Built, Diagnostics> {
        let text = SceneText::read(folder().join(format!("{name}.toml")))?;
        let text = set.iter().fold(text, |text, (key, value)| text.set(key, value));
        Scene::parse(text)?.build(Some(1))
    };
    built().unwrap_or_else(|problems| panic!("{problems}"))
}

/// An example under way.
pub(crate) struct Watched {
    pub(crate) simulation: Simulation,
    balance: f64,
}

impl Watched {
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &[])
    }

    /// With some keys set from outside.
    pub(crate) fn with(name: &str, set: &[(&str, &str)]) -> Self {
        let built = built(name, set);
        let simulation = Simulation::of(&built).unwrap();
        let balance = simulation.engine().ledger().balance();
        Self { simulation, balance }
    }

    /// Goes on until this instant, s.
    pub(crate) fn until(&mut self, time: f64) {
        let engine = self.simulation.engine();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and small")]
        let steps = ((time - engine.time()) / engine.settings().dt).ceil() as u64;
        self.simulation.advance(steps).unwrap();
    }

    /// What the books of energy cannot account for, relative to what was turned over.
    pub(crate) fn error(&self) -> f64 {
        relative_balance_error(self.balance, &self.simulation.engine().ledger()).abs()
    }
}
