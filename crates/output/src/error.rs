//! What can go wrong with files and folders.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// A file or folder that could not be made, read or trusted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    File {
        /// What was to be done, such as "write".
        doing: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// A file does not hold what it should.
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A folder for new results is not empty.
    Occupied {
        /// The folder.
        path: PathBuf,
        /// The name of something in it.
        found: String,
        /// Whether an earlier run left it.
        results: bool,
    },
    /// A folder whose results should be resumed or replaced holds none.
    NoResults {
        /// The folder.
        path: PathBuf,
        /// The name of something that would have been overwritten, if that is the reason.
        foreign: Option<String>,
    },
    /// Another run is writing to the folder.
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The folder of a run was replaced by another one of the same name.
    Replaced {
        /// The folder.
        path: PathBuf,
    },
    /// The thread that writes files has ended.
    WriterEnded {
        /// Why.
        reason: String,
    },
}

impl Error {
    /// For `map_err`: an error of the operating system in doing something to a path.
    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File { doing, path: path.to_owned(), source }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { doing, path, source } => {
                write!(f, "cannot {doing} {}: {source}", path.display())?;
                f.write_str(advice(doing, source.kind()))
            }
            Self::Damaged { path, what } => write!(f, "{}: {what}", path.display()),
            Self::Occupied { path, found, results: true } => write!(
                f,
                "{} holds the results of an earlier run ({found}): resume that run, replace its results by force, \
                 or choose another folder",
                path.display()
            ),
            Self::Occupied { path, found, results: false } => write!(
                f,
                "{} is not empty (it holds {found}), and results are not mixed with other files: choose a new or \
                 an empty folder",
                path.display()
            ),
            Self::NoResults { path, foreign: None } => write!(
                f,
                "{} holds no results of a run: there is nothing to resume; check the path, or start a new run",
                path.display()
            ),
            Self::NoResults { path, foreign: Some(name) } => write!(
                f,
                "{} holds {name}, which no run of Tumble left there, so it is not replaced: choose another folder",
                path.display()
            ),
            Self::InUse { path } => write!(
                f,
                "another run is writing to {}: wait for it to end, or choose another folder",
                path.display()
            ),
            Self::Replaced { path } => write!(
                f,
                "{} is no longer the folder that this run began in: it was removed or moved, and another one has \
                 its name; nothing more is written there",
                path.display()
            ),
            Self::WriterEnded { reason } => write!(f, "the thread that writes results has ended: {reason}"),
        }
    }
}

/// What to do about it, where that can be said.
fn advice(doing: &str, kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; the disk or the quota is full: make room and resume, everything written before is still there"
        }
        io::ErrorKind::FileTooLarge => {
            "; files may not grow as large here: lift the limit (`ulimit -f`) and resume, everything written \
             before is still there"
        }
        io::ErrorKind::PermissionDenied if ["read", "open", "find"].contains(&doing) => {
            "; it may not be read: change its permissions, or ask whoever it belongs to"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; writing is not allowed there: change the permissions, or choose another folder"
        }
        io::ErrorKind::NotFound => "; it, or the folder it is in, does not exist: was it moved or removed?",
        _ => "",
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            _ => None,
        }
    }
}
