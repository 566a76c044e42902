//! Why the program ends early, and the exit code that says so.

use std::process::ExitCode;
use std::{fmt, io};
use tumble_study::{SaveError, StudyError};

/// Why the program ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The options ask for something that does not exist or cannot be.
    BadInput(String),
    /// Something went wrong on the way.
    Failed(String),
    /// Published values were not met.
    NotReproduced(String),
    /// Nobody reads the output any more.
    OutputClosed,
}

impl Failure {
    /// As documented in the help.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::OutputClosed => ExitCode::SUCCESS,
            Self::Failed(_) => ExitCode::from(1),
            Self::BadInput(_) => ExitCode::from(2),
            Self::NotReproduced(_) => ExitCode::from(3),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadInput(text) | Self::Failed(text) | Self::NotReproduced(text) => f.write_str(text),
            Self::OutputClosed => f.write_str("the output was closed"),
        }
    }
}

impl From<StudyError> for Failure {
    fn from(error: StudyError) -> Self {
        match error {
            StudyError::Body(_) | StudyError::Duration { .. } => Self::BadInput(error.to_string()),
            StudyError::TimeStepTooLong { .. } | StudyError::TooManySteps { .. } => {
                Self::BadInput(format!("--dt: {error}"))
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::OutputClosed
        } else {
            Self::Failed(format!("cannot write the output: {error}"))
        }
    }
}
