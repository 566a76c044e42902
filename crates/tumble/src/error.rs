//! What can go wrong with a run.

use core::fmt;
use std::path::PathBuf;

/// Why a run cannot begin, or cannot go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The simulation stopped.
    Simulation(tumble_dem::Error),
    /// Results cannot be written or read.
    Output(tumble_output::Error),
    /// A checkpoint does not belong to this scene.
    Mismatch {
        /// What is different.
        what: String,
    },
    /// No checkpoint of a run can be used. Its results are as they were.
    NoCheckpoint {
        /// Where they should be.
        folder: PathBuf,
        /// What is wrong with those that are there.
        rejected: Vec<String>,
    },
    /// A folder of which a report was asked for holds no results of a run.
    NoResults {
        /// The folder.
        folder: PathBuf,
    },
    /// A stage cannot begin.
    Stage {
        /// Its name.
        stage: String,
        /// What is in the way.
        trouble: Box<tumble_dem::Error>,
    },
    /// An output of one's own cannot go on.
    Own {
        /// What it is called.
        output: String,
        /// What it says.
        trouble: crate::Trouble,
    },
    /// A run that shall end before the step that it has reached.
    Past {
        /// That step.
        step: u64,
        /// The last one that was asked for.
        last: u64,
    },
    /// A file or folder that holds no state to go on with.
    NoState {
        /// Its path.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The device that was asked for cannot run it.
    Device(tumble_gpu::Refused),
    /// Ranks cannot run it together.
    Ranks {
        /// How many were asked for.
        ranks: usize,
        /// Why they cannot.
        reason: String,
    },
    /// A process of several reads another file than the first one, under the same name.
    OtherFile {
        /// Its path.
        file: PathBuf,
    },
    /// A scene that cannot be run.
    Scene(Box<tumble_scene::Diagnostics>),
    /// The run has ended with an error before, and goes on only from a checkpoint.
    Over {
        /// That error.
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulation(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Device(refused) => refused.fmt(f),
            Self::Ranks { ranks, reason } => write!(f, "{ranks} ranks cannot run this: {reason}"),
            Self::Mismatch { what } => write!(f, "the checkpoint is not one of this scene: {what}"),
            Self::Stage { stage, trouble } => write!(f, "the stage `{stage}` cannot begin: {trouble}"),
            Self::NoCheckpoint { folder, rejected } => {
                write!(f, "no checkpoint in {} can be used", folder.display())?;
                for reason in rejected {
                    write!(f, "; {reason}")?;
                }
                f.write_str(
                    "; the results are as they were: to compute them again, choose another folder or replace them \
                     by force",
                )
            }
            Self::NoResults { folder } => write!(
                f,
                "{} holds no results of a run: check the path; `tumble run` makes such folders, by default below results/",
                folder.display()
            ),
            Self::Own { output, trouble } => write!(f, "{output}: {trouble}"),
            Self::Past { step, last } => write!(
                f,
                "the run has reached step {step} already, and was to end at step {last}: make it longer"
            ),
            Self::NoState { path, reason } => {
                write!(f, "{}: there is nothing to go on with: {reason}", path.display())
            }
            Self::OtherFile { file } => write!(
                f,
                "{} holds something else here than where the first process is: all have to read the same files",
                file.display()
            ),
            Self::Scene(problems) => problems.fmt(f),
            Self::Over { reason } => {
                write!(f, "the run has ended with an error, and can be resumed from its folder: {reason}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Simulation(error) => Some(error),
            Self::Stage { trouble, .. } => Some(&**trouble),
            Self::Output(error) => Some(error),
            Self::Device(refused) => Some(refused),
            Self::Own { trouble, .. } => Some(&**trouble),
            Self::Mismatch { .. }
            | Self::NoCheckpoint { .. }
            | Self::NoResults { .. }
            | Self::Past { .. }
            | Self::NoState { .. }
            | Self::Ranks { .. }
            | Self::OtherFile { .. }
            | Self::Over { .. } => None,
            Self::Scene(problems) => Some(&**problems),
        }
    }
}

impl From<tumble_dem::Error> for Error {
    fn from(error: tumble_dem::Error) -> Self {
        Self::Simulation(error)
    }
}

impl From<tumble_gpu::Refused> for Error {
    fn from(refused: tumble_gpu::Refused) -> Self {
        Self::Device(refused)
    }
}

impl From<tumble_scene::Diagnostics> for Error {
    fn from(problems: tumble_scene::Diagnostics) -> Self {
        Self::Scene(Box::new(problems))
    }
}

impl From<tumble_output::Error> for Error {
    fn from(error: tumble_output::Error) -> Self {
        Self::Output(error)
    }
}
