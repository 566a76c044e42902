//! What can go wrong in a study, apart from a scheme that blows up, which is a result.

use std::fmt;
use tumble_rotation::reference::NotConverged;

/// A study that cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StudyError {
    /// No rigid body has these properties, or no run this time step.
    Body(tumble_rotation::Error),
    /// The duration is not a positive number.
    Duration {
        /// What was given, s.
        duration: f64,
    },
    /// Nothing to integrate: the time step is longer than the problem lasts.
    TimeStepTooLong {
        /// The time step, s.
        dt: f64,
        /// The duration of the problem, s.
        duration: f64,
    },
    /// A run would take longer than anyone waits.
    TooManySteps {
        /// The time step, s.
        dt: f64,
        /// Steps it would take.
        steps: f64,
    },
    /// The exact motion could not be found.
    Reference(NotConverged),
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body(error) => error.fmt(f),
            Self::Duration { duration } => {
                write!(f, "the duration must be a positive number of seconds, but is {duration:e}")
            }
            Self::TimeStepTooLong { dt, duration } => {
                write!(f, "a time step of {dt:e} s is longer than the whole duration of {duration:e} s")
            }
            Self::TooManySteps { dt, steps } => write!(
                f,
                "a time step of {dt:e} s would take {steps:.1e} steps, more than the {:.0e} that a study allows",
                crate::measure::MOST_STEPS as f64
            ),
            Self::Reference(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StudyError {}

impl From<tumble_rotation::Error> for StudyError {
    fn from(error: tumble_rotation::Error) -> Self {
        Self::Body(error)
    }
}

impl From<NotConverged> for StudyError {
    fn from(error: NotConverged) -> Self {
        Self::Reference(error)
    }
}
