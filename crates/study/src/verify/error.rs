//! Why a verification case could not be computed: apart from a number outside its band, which is a result.

use core::fmt;
use tumble_dem::clump::ClumpError;
use tumble_dem::placement::NoRoom;
use tumble_dem::wall;
use tumble_rotation::reference::NotConverged;

/// A case that came to no end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The engine refused the world or stopped.
    Engine(tumble_dem::Error),
    /// A shape is impossible.
    Clump(ClumpError),
    /// A wall is impossible.
    Wall(wall::Error),
    /// Bodies found no place.
    Placement(NoRoom),
    /// The rotation library refused the body or stopped.
    Rotation(tumble_rotation::Error),
    /// The exact motion could not be found.
    Reference(NotConverged),
    /// What was waited for did not happen.
    Never {
        /// What it was.
        what: &'static str,
        /// How many steps were waited.
        steps: u64,
    },
    /// The case has no parameter of this name.
    NoParameter {
        /// The case.
        id: &'static str,
        /// What was asked for.
        name: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::Clump(error) => error.fmt(f),
            Self::Wall(error) => error.fmt(f),
            Self::Placement(error) => error.fmt(f),
            Self::Rotation(error) => error.fmt(f),
            Self::Reference(error) => error.fmt(f),
            Self::Never { what, steps } => write!(f, "{what} did not happen within {steps} steps"),
            Self::NoParameter { id, name } => write!(f, "the case {id} has no parameter {name:?}"),
        }
    }
}

impl std::error::Error for Error {}

macro_rules! from {
    ($($type:ty => $variant:ident),+ $(,)?) => {
        $(impl From<$type> for Error {
            fn from(error: $type) -> Self {
                Self::$variant(error)
            }
        })+
    };
}
from! {
    tumble_dem::Error => Engine,
    ClumpError => Clump,
    wall::Error => Wall,
    NoRoom => Placement,
    tumble_rotation::Error => Rotation,
    NotConverged => Reference,
}

impl From<tumble_dem::material::MaterialError> for Error {
    fn from(error: tumble_dem::material::MaterialError) -> Self {
        Self::Engine(error.into())
    }
}
