//! What can be wrong with a body or a step.

use core::fmt;

/// An input that no rigid body or integration can have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    NotFinite {
        /// The quantity.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A principal moment of inertia is zero or negative.
    NonPositiveInertia {
        /// The principal axis.
        axis: char,
        /// What was given.
        value: f64,
    },
    /// One principal moment exceeds the sum of the other two.
    TriangleInequality {
        /// What was given.
        moments: [f64; 3],
    },
    /// The orientation is the zero quaternion, which has no direction.
    ZeroQuaternion,
    /// The time step is zero or negative.
    NonPositiveTimeStep {
        /// What was given.
        dt: f64,
    },
    /// The body turns more than once in a step, so that no scheme can follow it.
    StepTooLarge {
        /// Angle turned in one step, rad.
        angle: f64,
        /// Time at which it happened, s.
        time: f64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { what, value } => {
                write!(f, "the {what} must be a finite number, but is {value}")
            }
            Self::NonPositiveInertia { axis, value } => {
                write!(f, "the moment of inertia about {axis} must be positive, but is {value}")
            }
            Self::TriangleInequality { moments: [x, y, z] } => write!(
                f,
                "no rigid body has the principal moments of inertia ({x}, {y}, {z}): \
                 each must be at most the sum of the other two"
            ),
            Self::ZeroQuaternion => {
                write!(f, "the orientation must not be the zero quaternion; use (1, 0, 0, 0) for no rotation")
            }
            Self::NonPositiveTimeStep { dt } => write!(f, "the time step must be positive, but is {dt}"),
            Self::StepTooLarge { angle, time } => write!(
                f,
                "at t = {time} the body turns by {angle:.3} rad in one step, more than a full turn: \
                 choose a smaller time step"
            ),
        }
    }
}

impl core::error::Error for Error {}

/// The finite `value`, or the error that names it.
pub(crate) fn finite<T: Into<f64> + Copy>(what: &'static str, value: T) -> Result<T, Error> {
    let number = value.into();
    if number.is_finite() { Ok(value) } else { Err(Error::NotFinite { what, value: number }) }
}
