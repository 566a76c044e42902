//! What can be wrong with a world, and what can go wrong in a run.

use crate::advice::{SPIN_FRACTION, STIFFNESS_FRACTION};
use crate::id::BodyId;
use crate::material::MaterialError;
use crate::step::SHEET_PART;
use core::fmt;
use std::borrow::Cow;

/// A world that cannot be simulated, or a run that had to stop.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A setting or a number of the world is not possible.
    Invalid {
        /// What it belongs to, such as "body 7".
        of: String,
        /// Which quantity.
        what: &'static str,
        /// What was given.
        value: String,
        /// What would be possible.
        expected: &'static str,
    },
    /// A body or wall names a template or material that does not exist.
    Unknown {
        /// What it belongs to.
        of: String,
        /// "template", "material", "body" or "wall".
        what: &'static str,
        /// The number given.
        number: u64,
        /// How many there are.
        count: usize,
    },
    /// Materials that no contact law can be computed from.
    Material(MaterialError),
    /// The rotation scheme evaluates the torque more than once in a step.
    SeveralTorques {
        /// Its name.
        scheme: &'static str,
    },
    /// A periodic axis is so short that a body could touch another one, or itself, twice.
    DomainTooSmall {
        /// x, y or z.
        axis: char,
        /// m
        length: f64,
        /// m
        needed: f64,
    },
    /// More of something than can be numbered.
    TooMany {
        /// "templates", "bodies", counted from the start, or "spheres".
        what: &'static str,
        /// How many there can be.
        most: usize,
    },
    /// A property that no law reads where it was to be changed.
    Unread {
        /// What it was given to, such as "pair glass–steel".
        of: String,
        /// The property.
        key: &'static str,
        /// The contact models that are there.
        models: String,
    },
    /// The operating system gave no threads.
    Threads {
        /// How many were asked for.
        count: usize,
        /// What it said.
        reason: String,
    },
    /// A program that prescribes a motion failed to give it.
    Prescribed {
        /// What the program said.
        reason: String,
    },
    /// What the engine runs on failed.
    Device {
        /// What it said.
        reason: String,
    },
    /// The saved state belongs to another world.
    Mismatch {
        /// What does not fit.
        what: Cow<'static, str>,
    },
    /// Bytes that are no saved state, or a damaged one.
    SavedBytes {
        /// Where, from the beginning.
        at: usize,
        /// What is wrong.
        what: String,
    },
    /// The run stopped. The engine is back at the last good state.
    Stopped(Stop),
}

/// Why a run stopped, and where the engine is now.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// What happened.
    pub cause: StopCause,
    /// The body it happened to.
    pub body: BodyId,
    /// Its position then, or the last one that was finite, m.
    pub position: [f64; 3],
    /// When, s.
    pub time: f64,
    /// The time of the state that the engine was put back to, s.
    pub restored_to: f64,
}

/// What stopped a run.
#[derive(Clone, Debug, PartialEq)]
pub enum StopCause {
    /// A position, velocity, orientation or force is infinite or NaN.
    NotFinite,
    /// The body is outside a wall that should enclose it.
    Escaped {
        /// The wall's name.
        wall: String,
    },
    /// Two spheres, or a sphere and a wall, overlap too much.
    Overlap {
        /// The other body, or none.
        with: Option<BodyId>,
        /// The wall's name, if it is one.
        wall: Option<String>,
        /// m
        overlap: f64,
        /// Radius of the smaller sphere, m.
        radius: f64,
        /// The largest fraction of the radius allowed.
        limit: f64,
    },
    /// An ellipsoid of the body overlaps another body so deeply that no direction in which it is the least could be found.
    NoDirection {
        /// The other body.
        with: BodyId,
    },
    /// An edge of the body and one of another body are such that the place where they overlap the most could not be found.
    NoPlace {
        /// The other body.
        with: BodyId,
    },
    /// The body is where a wall appears.
    InTheWay {
        /// The wall's name.
        wall: String,
        /// How deep a sphere of it is in the wall, m.
        overlap: f64,
        /// The radius of that sphere, m.
        radius: f64,
        /// The largest fraction of the radius allowed.
        limit: f64,
    },
    /// A sphere of the body went through a thin sheet within a step, without touching it.
    Crossed {
        /// The wall's name.
        wall: String,
        /// How far the sphere moved in the step, relative to the wall, m.
        displacement: f64,
        /// Its radius, m.
        radius: f64,
        /// The time step, s.
        dt: f64,
    },
    /// A body turns so far in a step that no rotation scheme follows it.
    Turning {
        /// rad
        angle: f64,
        /// The largest angle allowed, rad.
        limit: f64,
        /// The time step, s.
        dt: f64,
    },
    /// The dashpots and springs that resist the turning of the body are too strong for the time step.
    Resisted {
        /// The longest step that is stable, s.
        limit: f64,
        /// The time step, s.
        dt: f64,
    },
    /// More heat goes through the surface of the body than the time step bears, or its temperature is not finite.
    Heated {
        /// The longest step in which it does not become warmer than all around it, s.
        limit: f64,
        /// The time step, s.
        dt: f64,
    },
    /// More pairs of spheres are near each other than can be numbered. It concerns no body in particular.
    Crowded {
        /// How many there can be.
        most: usize,
    },
    /// A program that prescribes a force or a motion failed to give it. It concerns no body in particular.
    Prescribed {
        /// What the program said.
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { of, what, value, expected } => {
                write!(f, "{of}: the {what} is {value}, expected {expected}")
            }
            Self::Unknown { of, what, number, count } => {
                write!(f, "{of}: there is no {what} {number}; the world has {count}")
            }
            Self::Material(error) => error.fmt(f),
            Self::SeveralTorques { scheme } => write!(
                f,
                "the rotation scheme {scheme} evaluates torques several times in a step, which contacts with \
                 history cannot offer; choose one with a single torque, such as magnus-leapfrog"
            ),
            Self::DomainTooSmall { axis, length, needed } => write!(
                f,
                "the periodic axis {axis} is {length} m long, but must be longer than {needed} m (four times the \
                 largest bounding radius and twice the skin), or two bodies could touch each other twice"
            ),
            Self::TooMany { what, most } => write!(f, "too many {what}: at most {most}"),
            Self::Unread { of, key, models } => write!(
                f,
                "{of}: nothing reads its {key}, so that to change it would do nothing; there is {models}"
            ),
            Self::Threads { count, reason } => write!(f, "cannot start {count} threads: {reason}"),
            Self::Prescribed { reason } | Self::Device { reason } => f.write_str(reason),
            Self::Mismatch { what } => write!(f, "the saved state does not fit this world: {what}"),
            Self::SavedBytes { at, what } => {
                write!(f, "the saved state is damaged or of another version, at byte {at}: {what}")
            }
            Self::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cause, body, position: [x, y, z], time, restored_to } = self;
        if let StopCause::Prescribed { reason } = cause {
            return write!(f, "at t = {time:.9e} s: {reason}; the engine is back at t = {restored_to:.9e} s");
        }
        if let StopCause::Crowded { most } = cause {
            return write!(
                f,
                "at t = {time:.9e} s there are too many pairs of spheres near each other: at most {most}; \
                 the engine is back at t = {restored_to:.9e} s"
            );
        }
        write!(f, "at t = {time:.9e} s body {body} at ({x:.6e}, {y:.6e}, {z:.6e}) m ")?;
        match cause {
            StopCause::Prescribed { .. } | StopCause::Crowded { .. } => {}
            StopCause::NotFinite => write!(
                f,
                "has a position or speed that is not finite; likely the time step is too long, or a force field \
                 returned NaN"
            )?,
            StopCause::Escaped { wall } => write!(
                f,
                "is outside the closed wall '{wall}'; likely it was put there, or it went through the wall because \
                 the time step is too long or the material too soft for its speed"
            )?,
            StopCause::InTheWay { wall, overlap, radius, limit } => write!(
                f,
                "is where the wall '{wall}' appears: a sphere of radius {radius:.3e} m is {overlap:.3e} m deep in it, and \
                 {limit} of the radius is the most; let the wall appear elsewhere, or when nobody is there"
            )?,
            StopCause::Crossed { wall, displacement, radius, dt } => write!(
                f,
                "went through the thin wall '{wall}' in one step: a sphere of radius {radius:.3e} m moved by {displacement:.3e} m; at this \
                 speed a time step of at most {:.3e} s would let it touch the wall",
                dt * SHEET_PART * radius / displacement
            )?,
            StopCause::Turning { angle, limit, dt } => write!(
                f,
                "turns by {angle:.3} rad in a step, more than {limit:.3} rad, where rotation schemes lose or gain energy \
                 without end; a time step of {:.3e} s would turn it by {SPIN_FRACTION} rad, or something spins it that \
                 should not",
                dt * SPIN_FRACTION / angle
            )?,
            StopCause::Resisted { limit, dt } => write!(
                f,
                "is held by rolling or twisting dashpots that a time step of {dt:.3e} s does not bear: beyond {limit:.3e} s they \
                 give energy instead of taking it; {:.3e} s is recommended",
                limit * STIFFNESS_FRACTION
            )?,
            StopCause::Heated { limit, dt } => write!(
                f,
                "takes or gives heat so fast that in a time step of {dt:.3e} s it would become warmer or colder than all around it; \
                 {limit:.3e} s is the longest step for its contacts as they are: a shorter step, or contacts that conduct less"
            )?,
            StopCause::NoDirection { with } => write!(
                f,
                "overlaps body {with} by more than an edge of their ellipsoids is round, so that no direction in which they overlap the least was \
                 found; likely they overlapped at the start, the time step is too long, or the material is too soft for this \
                 speed or load"
            )?,
            StopCause::NoPlace { with } => write!(
                f,
                "has an edge that overlaps one of body {with} so deeply that the place where they do so the most was not found; likely they \
                 overlapped at the start, the time step is too long, or the material is too soft for this speed or load"
            )?,
            StopCause::Overlap { with, wall, overlap, radius, limit } => {
                match (with, wall) {
                    (Some(other), _) => write!(f, "overlaps body {other} ")?,
                    (None, Some(wall)) => write!(f, "overlaps the wall '{wall}' ")?,
                    (None, None) => write!(f, "overlaps ")?,
                }
                write!(
                    f,
                    "by {overlap:.3e} m, more than {limit} of the radius {radius:.3e} m; likely the bodies overlapped \
                     at the start, the time step is too long, or the material is too soft for this speed or load"
                )?;
            }
        }
        write!(f, "; the engine is back at t = {restored_to:.9e} s")
    }
}

impl std::error::Error for Error {}

impl From<MaterialError> for Error {
    fn from(error: MaterialError) -> Self {
        Self::Material(error)
    }
}

/// A number for a message, without hundreds of zeros.
///
/// ```
/// use tumble_dem::readable;
/// assert_eq!([0.0, -0.005, 1e-300].map(readable), ["0", "-0.005", "1e-300"]);
/// ```
pub fn readable(value: f64) -> String {
    if value == 0.0 || (1e-5..1e15).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}
