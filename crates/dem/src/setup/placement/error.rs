//! Why bodies could not be placed.

use crate::error::readable;
use core::fmt;
use tumble_math::LabVec;

/// Bodies that cannot be placed as asked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlacementError {
    /// A number is not possible.
    Invalid {
        /// Which quantity, such as "gap of the cloud".
        what: &'static str,
        /// What was given.
        value: String,
        /// What would be possible.
        expected: &'static str,
    },
    /// The box has no inside.
    EmptyBox {
        /// x, y or z.
        axis: char,
        /// Lower end, m.
        low: f64,
        /// Upper end, m.
        high: f64,
    },
    /// There is no template of this number.
    UnknownTemplate {
        /// The number given.
        number: u16,
        /// How many there are.
        count: usize,
    },
    /// More bodies than [`MOST_BODIES`](super::MOST_BODIES).
    TooMany {
        /// How many were asked for.
        wanted: f64,
    },
    /// Two bodies of a lattice overlap.
    LatticeTooNarrow {
        /// The two bodies, counted from zero, x fastest.
        bodies: [usize; 2],
        /// The spacing of the lattice, m.
        spacing: LabVec<f64>,
        /// A spacing at which none of these bodies overlap, m.
        needed: LabVec<f64>,
    },
    /// A body that has to be at one place overlaps something that is there already.
    Occupied {
        /// The body, counted from zero.
        body: usize,
        /// Its place, m.
        place: LabVec<f64>,
        /// What is there.
        by: Obstacle,
    },
    /// The box of a stream has no room for its bodies, even when it is empty.
    RegionTooSmall {
        /// A length along each axis that would do, m.
        needed: f64,
    },
    /// A box could not be filled.
    Crowded(Crowded),
    /// Bodies cannot be packed as densely as this.
    TooDense {
        /// The solid fraction asked for.
        asked: f64,
        /// The one at which they jammed; zero if that was not tried.
        reached: f64,
    },
    /// Somebody did not want to [wait](super::interruptible).
    Interrupted,
}

/// What is in the way of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// A body that was placed before, by its number.
    Body(u32),
    /// A wall, by its name.
    Wall(String),
}

/// How far a box could be filled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowded {
    /// How many bodies found a random place.
    pub placed: usize,
    /// How many were asked for.
    pub wanted: usize,
    /// The part of the box that all of them would fill, as far as they could be grown.
    pub reached: f64,
    /// The part of the box that they fill in full size.
    pub asked: f64,
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { what, value, expected } => {
                write!(f, "the {what} is {value}, expected {expected}")
            }
            Self::EmptyBox { axis, low, high } => write!(
                f,
                "the box for the bodies has no inside: along {axis} it goes from {low} m to {high} m; \
                 exchange or correct its corners"
            ),
            Self::UnknownTemplate { number, count } => {
                write!(f, "there is no template {number}; the world has {count}")
            }
            Self::TooMany { wanted } => {
                write!(f, "{wanted} bodies are too many; at most {} can be placed", super::MOST_BODIES)
            }
            Self::LatticeTooNarrow { bodies: [a, b], spacing, needed } => write!(
                f,
                "bodies {a} and {b} of the lattice overlap at a spacing of {}; {} or more would do (or fewer \
                 sites, a larger box, a smaller scale)",
                Metres(*spacing),
                Metres(*needed * ROUNDED_UP)
            ),
            Self::Occupied { body, place, by } => {
                write!(f, "body {body} at {} overlaps ", Metres(*place))?;
                match by {
                    Obstacle::Body(number) => write!(f, "body {number}, which is there already"),
                    Obstacle::Wall(name) => write!(f, "the wall '{name}', or is beyond it"),
                }
            }
            Self::RegionTooSmall { needed } => write!(
                f,
                "the region of the stream is too small for its bodies; {:.3e} m along each axis would do",
                needed * ROUNDED_UP
            ),
            Self::Interrupted => f.write_str("placing the bodies was interrupted"),
            Self::Crowded(crowded) => crowded.fmt(f),
            Self::TooDense { asked, reached } => {
                write!(f, "a solid fraction of {asked} cannot be packed at random")?;
                if *reached > 0.0 {
                    write!(f, ": these bodies jammed at {reached:.3} of the region, walls in it included")?;
                }
                write!(
                    f,
                    "; equal spheres come to about 0.64, less within a few diameters of a wall, mixed sizes and \
                     rounded shapes to somewhat more"
                )
            }
        }
    }
}

impl fmt::Display for Crowded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { placed, wanted, reached, asked } = *self;
        if asked > 1.0 {
            return write!(
                f,
                "the volume of {wanted} bodies is {asked:.3} times that of the box; place fewer, or make the \
                 box larger or the bodies smaller"
            );
        }
        if placed == 0 {
            return write!(
                f,
                "not one of {wanted} bodies has room in the box; make the box larger than a body, or look \
                 whether walls or earlier bodies fill it"
            );
        }
        write!(
            f,
            "the box is too small for {wanted} bodies: {placed} found a place at random, and pushed together \
             they would fit up to a solid fraction of {reached:.3} of the box, but need {asked:.3}; place at \
             most {}, or make the box at least {:.2} times as long along each axis, or the bodies smaller",
            (wanted as f64 * reached / asked).floor(),
            // Rounded up, so that the advice is enough.
            (tumble_math::elementary::cbrt(asked / reached) * 100.0).ceil() / 100.0
        )
    }
}

/// Lengths that are enough stay so with this factor when they are written with four digits.
const ROUNDED_UP: f64 = 1.0006;

/// A vector of lengths as messages show it.
struct Metres(LabVec<f64>);

impl fmt::Display for Metres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LabVec { x, y, z, .. } = self.0;
        write!(f, "({x:.3e}, {y:.3e}, {z:.3e}) m")
    }
}

impl std::error::Error for PlacementError {}
impl std::error::Error for Crowded {}

impl From<Crowded> for PlacementError {
    fn from(crowded: Crowded) -> Self {
        Self::Crowded(crowded)
    }
}

/// An error unless the number is positive and finite.
pub(super) fn positive(what: &'static str, value: f64) -> Result<(), PlacementError> {
    check(what, value, value > 0.0, "a positive finite number")
}

/// An error unless the number is zero or positive, and finite.
pub(super) fn not_negative(what: &'static str, value: f64) -> Result<(), PlacementError> {
    check(what, value, value >= 0.0, "a finite number that is not negative")
}

/// An error unless the number is finite.
pub(super) fn finite_number(what: &'static str, value: f64) -> Result<(), PlacementError> {
    check(what, value, true, "a finite number")
}

fn check(what: &'static str, value: f64, holds: bool, expected: &'static str) -> Result<(), PlacementError> {
    if holds && value.is_finite() {
        Ok(())
    } else {
        Err(PlacementError::Invalid { what, value: readable(value), expected })
    }
}

/// An error unless each component is finite.
pub(super) fn finite(what: &'static str, value: LabVec<f64>) -> Result<(), PlacementError> {
    let value = value.to_array();
    if value.into_iter().all(f64::is_finite) {
        Ok(())
    } else {
        Err(PlacementError::Invalid { what, value: format!("{value:?}"), expected: "three finite numbers" })
    }
}

/// An error unless a cylinder between the middles of its ends has a length and a radius.
pub(super) fn cylinder(from: LabVec<f64>, to: LabVec<f64>, radius: f64) -> Result<(), PlacementError> {
    finite("end of the cylinder", from)?;
    finite("end of the cylinder", to)?;
    positive("radius of the cylinder", radius)?;
    positive("length of the cylinder", (to - from).norm())
}

/// An error unless a box has an inside.
pub(super) fn inside(low: LabVec<f64>, high: LabVec<f64>) -> Result<(), PlacementError> {
    finite("lower corner of the box", low)?;
    finite("upper corner of the box", high)?;
    for (axis, (low, high)) in
        ['x', 'y', 'z'].into_iter().zip(low.to_array().into_iter().zip(high.to_array()))
    {
        if high <= low {
            return Err(PlacementError::EmptyBox { axis, low, high });
        }
    }
    Ok(())
}
