//! What can go wrong with a run.

use core::fmt;

/// Why a run cannot begin, or cannot go on.
#[derive(Debug)]
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
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulation(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Mismatch { what } => write!(f, "the checkpoint is not one of this scene: {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Simulation(error) => Some(error),
            Self::Output(error) => Some(error),
            Self::Mismatch { .. } => None,
        }
    }
}

impl From<tumble_dem::Error> for Error {
    fn from(error: tumble_dem::Error) -> Self {
        Self::Simulation(error)
    }
}

impl From<tumble_output::Error> for Error {
    fn from(error: tumble_output::Error) -> Self {
        Self::Output(error)
    }
}
