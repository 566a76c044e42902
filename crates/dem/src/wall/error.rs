//! What can be wrong with a wall.

use crate::error::readable;
use core::fmt;

/// A wall that no geometry or motion can have.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The name is blank.
    Unnamed,
    /// A number is NaN, infinite, or so large that its square could overflow.
    OutOfRange {
        /// The quantity.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A length, rate or frequency is zero or negative.
    NotPositive {
        /// The quantity.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A length is negative.
    Negative {
        /// The quantity.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A normal or an axis is the zero vector.
    NoDirection {
        /// The quantity.
        what: &'static str,
    },
    /// A box is not larger than nothing along an axis.
    EmptyBox {
        /// The axis.
        axis: char,
        /// Its lower bound, m.
        low: f64,
        /// Its upper bound, m.
        high: f64,
    },
    /// Both radii of a cone are zero.
    ConeWithoutRadius,
    /// A corner of a triangle is NaN, infinite or out of range.
    BadCorner {
        /// Index of the triangle in the list that was given.
        triangle: usize,
        /// The coordinate.
        value: f64,
    },
    /// No triangle of a mesh has an area.
    NoTriangles {
        /// How many were given.
        given: usize,
    },
    /// Triangles that share one edge, many more than any surface has.
    CrowdedEdge {
        /// How many share it.
        triangles: usize,
        /// How many may.
        most: usize,
        /// Where it begins, m.
        at: [f64; 3],
    },
    /// More triangles than feature numbers.
    TooManyTriangles {
        /// How many were given.
        given: usize,
        /// How many there may be.
        most: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Unnamed => write!(f, "a wall needs a name, for messages and output"),
            Self::OutOfRange { what, value } => {
                write!(
                    f,
                    "the {what} must be a finite number of magnitude below 1e75, but is {}",
                    readable(value)
                )
            }
            Self::NotPositive { what, value } => {
                write!(f, "the {what} must be positive, but is {}", readable(value))
            }
            Self::Negative { what, value } => {
                write!(f, "the {what} must not be negative, but is {}", readable(value))
            }
            Self::NoDirection { what } => {
                write!(f, "the {what} must not be the zero vector, which has no direction")
            }
            Self::EmptyBox { axis, low, high } => write!(
                f,
                "the box reaches from {low} to {high} along {axis}: the upper bound must be larger; \
                 are the two corners swapped?"
            ),
            Self::ConeWithoutRadius => {
                write!(f, "both radii of the cone are zero; at least one must be positive")
            }
            Self::BadCorner { triangle, value } => write!(
                f,
                "triangle {triangle} (counting from 0) has the coordinate {value}; coordinates must be \
                 finite and of magnitude below 1e75"
            ),
            Self::NoTriangles { given: 0 } => write!(f, "the mesh has no triangles"),
            Self::NoTriangles { given } => write!(
                f,
                "none of the {given} triangles of the mesh has an area; is the welding distance larger \
                 than the triangles, or the scale wrong?"
            ),
            Self::CrowdedEdge { triangles, most, at: [x, y, z] } => write!(
                f,
                "{triangles} triangles of the mesh share the edge that begins at ({x:?}, {y:?}, {z:?}) m, and at most \
                 {most} may: is the surface folded onto itself, or the welding distance too large?"
            ),
            Self::TooManyTriangles { given, most } => {
                write!(f, "the mesh has {given} triangles, more than the {most} that are supported")
            }
        }
    }
}

impl core::error::Error for Error {}
