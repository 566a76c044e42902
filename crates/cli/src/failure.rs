//! Why the program ends early, and the exit codes that say so. The help is made from the list of codes.

use std::process::ExitCode;
use std::{fmt, io};
use tumble::output;
use tumble::scene::Diagnostics;
use tumble_report::SaveError;
use tumble_study::StudyError;

/// How the program ends, as its exit code tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Success = 0,
    Failed = 1,
    BadInput = 2,
    NotReproduced = 3,
    Interrupted = 4,
    /// `EX_TEMPFAIL` of `sysexits.h`: try again.
    ToResume = 75,
}

impl Exit {
    pub(crate) const ALL: [Self; 6] =
        [Self::Success, Self::Failed, Self::BadInput, Self::NotReproduced, Self::Interrupted, Self::ToResume];

    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    /// In a line, for the help.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "something failed on the way: the run, or a file that could not be written",
            Self::BadInput => "bad input: options, a scene or another file; nothing was started",
            Self::NotReproduced => "published or exact values were not met (reproduce, verify)",
            Self::Interrupted => "ended by Ctrl-C or SIGTERM in good order: what was finished is kept",
            Self::ToResume => {
                "run: saved before its end by --time-limit, SIGUSR1 or SIGTERM; --resume goes on"
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// Why the program ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input asks for something that does not exist or cannot be.
    BadInput(String),
    /// Scenes have errors, which are shown already or here.
    BadScene(Option<Box<Diagnostics>>),
    /// Something went wrong on the way.
    Failed(String),
    /// Published values were not met.
    NotReproduced(String),
    /// A person or the system asked it to end.
    Interrupted(String),
    /// The time of a run was over, but not the run.
    ToResume(String),
    /// It was said already, here or by another process.
    Said(Exit),
    /// Nobody reads the output any more.
    OutputClosed,
}

impl Failure {
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::OutputClosed => Exit::Success,
            Self::Failed(_) => Exit::Failed,
            Self::BadInput(_) | Self::BadScene(_) => Exit::BadInput,
            Self::NotReproduced(_) => Exit::NotReproduced,
            Self::Interrupted(_) => Exit::Interrupted,
            Self::ToResume(_) => Exit::ToResume,
            Self::Said(exit) => *exit,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadInput(text)
            | Self::Failed(text)
            | Self::NotReproduced(text)
            | Self::Interrupted(text)
            | Self::ToResume(text) => f.write_str(text),
            Self::BadScene(Some(problems)) => problems.fmt(f),
            Self::BadScene(None) => f.write_str("there are errors in a scene"),
            Self::Said(exit) => f.write_str(exit.meaning()),
            Self::OutputClosed => f.write_str("the output was closed"),
        }
    }
}

impl From<Diagnostics> for Failure {
    fn from(problems: Diagnostics) -> Self {
        Self::BadScene(Some(Box::new(problems)))
    }
}

impl From<tumble::Error> for Failure {
    /// What keeps a run from being started is bad input; what stops it later is not.
    fn from(error: tumble::Error) -> Self {
        use output::Error::{InUse, NoResults, Occupied};
        match error {
            tumble::Error::Output(Occupied { results: true, .. }) => Self::BadInput(format!(
                "{error}\n  --resume    goes on with that run\n  --force     replaces its results\n  --out DIR   \
                 puts the new ones elsewhere"
            )),
            tumble::Error::Device(_) => Self::BadInput(format!(
                "{error}\n  --device cpu   runs it on the processor, with the same results"
            )),
            tumble::Error::Ranks { .. } => Self::BadInput(format!(
                "{error}\n  --device cpu   runs it on the processor, on as many ranks as one likes"
            )),
            tumble::Error::Output(NoResults { foreign: None, .. })
            | tumble::Error::Mismatch { .. }
            | tumble::Error::NoCheckpoint { .. }
            | tumble::Error::NoState { .. }
            | tumble::Error::NoResults { .. } => Self::BadInput(error.to_string()),
            tumble::Error::Past { .. } => Self::BadInput(format!("{error} (--duration TIME)")),
            tumble::Error::Scene(problems) => Self::BadScene(Some(problems)),
            tumble::Error::Output(Occupied { .. } | NoResults { .. } | InUse { .. }) => {
                Self::BadInput(format!("{error} (--out DIR)"))
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}

impl From<output::Error> for Failure {
    fn from(error: output::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<tumble_viewer::Error> for Failure {
    /// What cannot be looked at is bad input; a film that cannot be written is not.
    fn from(error: tumble_viewer::Error) -> Self {
        use tumble_viewer::Error::{Exists, Film};
        match error {
            Film(_) => Self::Failed(error.to_string()),
            Exists { .. } => Self::BadInput(format!("{error} (--force)")),
            _ => Self::BadInput(error.to_string()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_listed_once_and_in_order() {
        assert!(Exit::ALL.is_sorted_by(|a, b| a.code() < b.code()));
        assert!(Exit::ALL.iter().all(|exit| !exit.meaning().is_empty()));
    }
}
