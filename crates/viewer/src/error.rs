//! What can go wrong before there is something to look at. What goes wrong later the page says.

use std::path::{Path, PathBuf};
use std::{fmt, io};
use tumble_output::Part;

/// Why there is nothing to look at, or no film.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A path that cannot be found or looked at.
    Path {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder in which no run has left anything.
    NoResults {
        /// The folder.
        folder: PathBuf,
    },
    /// Results without a trajectory.
    NoTrajectory {
        /// The folder of the results.
        folder: PathBuf,
    },
    /// A trajectory without a single whole frame.
    NoFrames {
        /// The trajectory.
        path: PathBuf,
    },
    /// A trajectory that cannot be read.
    Trajectory(tumble_output::Error),
    /// A port that cannot be used.
    Port {
        /// Its number, 0 for any.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// A film whose file exists already.
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A film that would take the place of what it shows, or of a folder.
    Unsuitable {
        /// Where it was to go.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// A film that could not be written.
    Film(tumble_output::Error),
}

impl Error {
    /// For `map_err`: an error of the operating system about a path.
    pub(crate) fn path(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Path { path: path.to_owned(), source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trajectory = Part::Trajectory.name();
        match self {
            Self::Path { path, source } => write!(f, "{}: {source}", path.display()),
            Self::NoResults { folder } => write!(
                f,
                "{}: there are no results of a run in this folder, and no {trajectory}; name the folder that \
                 `tumble run` wrote",
                folder.display()
            ),
            Self::NoTrajectory { folder } => write!(
                f,
                "{}: there is no {trajectory}, which the viewer shows; runs write one if the scene says \
                 output.trajectory = true, which it does unless it says false",
                folder.display()
            ),
            Self::NoFrames { path } => write!(
                f,
                "{}: there is no whole frame in this trajectory; the run was ended before it wrote one, or the \
                 file was cut off: resume the run, or copy the file again",
                path.display()
            ),
            Self::Trajectory(error) => write!(
                f,
                "{error}; copy the file again, or repeat the run: runs write {trajectory} if the scene says \
                 output.trajectory = true"
            ),
            Self::Port { port: 0, source } => write!(f, "no port of this machine can be used: {source}"),
            Self::Port { port, source } => {
                write!(f, "port {port} cannot be used: {source}; port 0 takes any that is free")
            }
            Self::Exists { path } => {
                write!(f, "{} exists; choose another name, or replace it by force", path.display())
            }
            Self::Unsuitable { path, what } => {
                write!(f, "{} is {what}: choose another name for the film", path.display())
            }
            Self::Film(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Path { source, .. } | Self::Port { source, .. } => Some(source),
            Self::Trajectory(error) | Self::Film(error) => Some(error),
            _ => None,
        }
    }
}
