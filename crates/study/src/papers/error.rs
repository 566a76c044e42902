//! Why an entry could not be computed.

use crate::StudyError;
use std::fmt;
use tumble_dem::clump::ClumpError;
use tumble_dem::placement::{NoRoom, PlacementError};
use tumble_dem::wall;
use tumble_report::SaveError;

/// What keeps an entry from being computed. That numbers differ from published ones is a finding, not an
/// error.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// One body could not be integrated.
    Rotation(tumble_rotation::Error),
    /// A problem could not be studied.
    Study(StudyError),
    /// A world could not be simulated.
    Engine(Box<tumble_dem::Error>),
    /// A shape is impossible.
    Clump(ClumpError),
    /// A wall is impossible.
    Wall(wall::Error),
    /// Bodies could not be packed.
    Placement(PlacementError),
    /// Bodies found no room.
    NoRoom(NoRoom),
    /// A finished run could not be kept.
    Keep(SaveError),
    /// Runs are missing, and none are to be computed.
    NotFinished {
        /// Runs that are there.
        finished: usize,
        /// All that are needed.
        total: usize,
    },
    /// Somebody asked to stop.
    Interrupted,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rotation(error) => error.fmt(f),
            Self::Study(error) => error.fmt(f),
            Self::Engine(error) => error.fmt(f),
            Self::Clump(error) => error.fmt(f),
            Self::Wall(error) => error.fmt(f),
            Self::Placement(error) => error.fmt(f),
            Self::NoRoom(error) => error.fmt(f),
            Self::Keep(error) => write!(f, "a finished run could not be kept: {error}"),
            Self::NotFinished { finished, total } => {
                write!(f, "{finished} of {total} runs are finished, too few to report on")
            }
            Self::Interrupted => f.write_str("interrupted; finished runs are kept"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rotation(error) => Some(error),
            Self::Study(error) => Some(error),
            Self::Engine(error) => Some(error.as_ref()),
            Self::Clump(error) => Some(error),
            Self::Wall(error) => Some(error),
            Self::Placement(error) => Some(error),
            Self::NoRoom(error) => Some(error),
            Self::Keep(error) => Some(error),
            Self::NotFinished { .. } | Self::Interrupted => None,
        }
    }
}

macro_rules! from {
    ($($type:ty => $variant:expr),+) => {
        $(impl From<$type> for Error {
            fn from(error: $type) -> Self {
                $variant(error)
            }
        })+
    };
}
from! {
    tumble_rotation::Error => Self::Rotation,
    StudyError => Self::Study,
    tumble_dem::Error => |error| Self::Engine(Box::new(error)),
    tumble_dem::material::MaterialError => |error| Self::Engine(Box::new(tumble_dem::Error::from(error))),
    ClumpError => Self::Clump,
    wall::Error => Self::Wall,
    PlacementError => Self::Placement,
    NoRoom => Self::NoRoom,
    SaveError => Self::Keep,
    tumble_rotation::reference::NotConverged => |error| Self::Study(StudyError::Reference(error))
}
