//! What a run left, as people look at it: the run in numbers, and the energy over time; and where results go.

mod folder;

pub(crate) use folder::{check_writable, out_folder};

use std::path::{Path, PathBuf};
use tumble::output::{Error, Part, Summary};
use tumble::report::Energies;

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) summary: Summary,
    /// If the energy was written.
    pub(crate) energies: Option<Energies>,
    /// Why it cannot be shown, if it was.
    pub(crate) trouble: Option<String>,
}

impl Outcome {
    /// Reads the results in a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let summary = Summary::read(&part(folder, Part::Summary))?;
        let path = part(folder, Part::Energy);
        let energies = path.exists().then(|| Energies::read(&path)).transpose();
        let (energies, trouble) = match energies {
            Ok(energies) => (energies, None),
            Err(trouble) => (None, Some(trouble)),
        };
        Ok(Self { summary, energies, trouble })
    }

    /// Bodies times steps in a second, outputs included; bodies that come in count from then on.
    pub(crate) fn body_steps_per_second(&self) -> f64 {
        let mean = self.energies.as_ref().and_then(Energies::mean_bodies);
        mean.unwrap_or(self.summary.state.bodies as f64) * self.summary.timing.steps_per_second
    }

    /// The relative error of the energy at the end, and the largest.
    pub(crate) fn energy_errors(&self) -> Option<(f64, f64)> {
        self.energies.as_ref().and_then(Energies::errors)
    }
}

/// Where a part of the results in a folder is.
pub(crate) fn part(folder: &Path, part: Part) -> PathBuf {
    folder.join(part.name())
}
