//! What can be wrong with a clump.

use super::MOST_CORNERS;
use std::fmt;
use tumble_math::PrincipalAxesError;

/// A clump that no rigid body can be.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClumpError {
    /// The list of spheres is empty.
    NoSpheres,
    /// A coordinate or radius is infinite or NaN.
    NotFinite {
        /// The sphere, counted from zero.
        sphere: usize,
    },
    /// A radius is zero or negative.
    NonPositiveRadius {
        /// The sphere, counted from zero.
        sphere: usize,
        /// What was given, m.
        radius: f64,
    },
    /// A length whose fifth power is out of the range of numbers.
    OutOfRange {
        /// The sphere, counted from zero.
        sphere: usize,
        /// What was given, m.
        length: f64,
    },
    /// A capsule that is none.
    Capsule {
        /// Which, counted from zero.
        capsule: usize,
        /// What is wrong with it.
        problem: CapsuleProblem,
    },
    /// A capsule and another piece overlap, and nobody gave the properties of their union.
    OverlappingCapsule {
        /// The capsule, counted from zero.
        capsule: usize,
        /// The other one.
        other: usize,
        /// Whether that is a capsule too; else it is a sphere.
        both: bool,
    },
    /// An ellipsoid that is none, or none that contacts can be found for.
    Ellipsoid {
        /// Which, counted from zero.
        ellipsoid: usize,
        /// What is wrong with it.
        problem: EllipsoidProblem,
    },
    /// An ellipsoid and another piece overlap, and nobody gave the properties of their union.
    OverlappingEllipsoid {
        /// The ellipsoid, counted from zero.
        ellipsoid: usize,
        /// The other one, among its like.
        other: usize,
        /// What that is: a sphere, a capsule or an ellipsoid.
        what: &'static str,
    },
    /// A rounded polyhedron that is none.
    Hull {
        /// Which, counted from zero.
        hull: usize,
        /// What is wrong with it.
        problem: HullProblem,
    },
    /// A rounded polyhedron and another piece overlap, and nobody gave the properties of their union.
    OverlappingHull {
        /// The polyhedron, counted from zero.
        hull: usize,
        /// The other one, among its like.
        other: usize,
        /// What that is: a sphere, a capsule or a polyhedron.
        what: &'static str,
    },
    /// A body has rounded polyhedra and ellipsoids, of which no contacts with each other are known.
    HullsAndEllipsoids,
    /// So many spheres overlap each other that their union would take minutes, or more memory than there is.
    TooManyOverlaps {
        /// How many spheres there are.
        spheres: usize,
    },
    /// The given volume is not a positive number.
    GivenVolume(f64),
    /// The given centre of mass is infinite or NaN.
    GivenCentre,
    /// The tensor of inertia, given or summed up over tiny spheres far apart, has no positive principal
    /// moments.
    Inertia(PrincipalAxesError),
    /// One principal moment of the given tensor exceeds the sum of the other two.
    TriangleInequality {
        /// The principal moments per unit density, ascending, m⁵.
        moments: [f64; 3],
    },
}

/// What can be wrong with a capsule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapsuleProblem {
    /// A number is infinite or NaN.
    NotFinite,
    /// The radius is zero or negative.
    Radius,
    /// Both ends are at the same point.
    SameEnds,
    /// A length whose fifth power is out of the range of numbers.
    OutOfRange,
}

/// What can be wrong with an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EllipsoidProblem {
    /// A number is infinite or NaN.
    NotFinite,
    /// A semi-axis is zero or negative.
    SemiAxis,
    /// The quaternion of its orientation is zero.
    Orientation,
    /// One semi-axis is more than five times as long as another.
    Slender,
    /// A length whose fifth power is out of the range of numbers.
    OutOfRange,
}

/// What can be wrong with a rounded polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullProblem {
    /// A number is infinite or NaN.
    NotFinite,
    /// The rounding is zero or negative.
    Rounding,
    /// It has fewer than four corners.
    TooFew,
    /// It has more corners than [`MOST_CORNERS`](super::MOST_CORNERS).
    TooMany {
        /// How many it has.
        corners: usize,
    },
    /// A corner is at the place of another one.
    Twice {
        /// The corner, counted from zero.
        corner: usize,
    },
    /// All corners lie in a plane.
    Flat,
    /// A corner sticks out nowhere.
    Inside {
        /// The corner, counted from zero.
        corner: usize,
    },
    /// The rounding is less than a two hundredth of the longest edge.
    Sharp,
    /// A length whose fifth power is out of the range of numbers.
    OutOfRange,
}

impl fmt::Display for HullProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite => f.write_str("has an infinite or undefined number"),
            Self::Rounding => f.write_str("has a rounding that is not positive: its edges and corners touch by it"),
            Self::TooFew => f.write_str("has fewer than four corners: for a rod, take a capsule"),
            Self::TooMany { corners } => {
                write!(f, "has {corners} corners, more than {MOST_CORNERS}: leave out those that matter least, or take several pieces")
            }
            Self::Twice { corner } => write!(f, "has corner {corner} (counted from 0) at the place of another one: leave it out"),
            Self::Flat => f.write_str("has all its corners in a plane, or nearly so: give it a thickness"),
            Self::Inside { corner } => {
                write!(f, "has corner {corner} (counted from 0) within the hull of the others, where it is none: leave it out")
            }
            Self::Sharp => f.write_str(
                "has a rounding of less than a two hundredth of its longest edge, so that edges and corners are too sharp to be touched: make it larger",
            ),
            Self::OutOfRange => f.write_str("has a length whose fifth power is out of range: check the unit"),
        }
    }
}

impl fmt::Display for EllipsoidProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "has an infinite or undefined number",
            Self::SemiAxis => "has a semi-axis that is not positive",
            Self::Orientation => "has the orientation zero, which turns nothing: give a unit quaternion",
            Self::Slender => {
                "has a semi-axis more than five times as long as another: take a capsule for a rod, or a clump of spheres"
            }
            Self::OutOfRange => "has a length whose fifth power is out of range: check the unit",
        })
    }
}

impl fmt::Display for CapsuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "has an infinite or undefined number",
            Self::Radius => "has a radius that is not positive",
            Self::SameEnds => "has both ends at the same point: give two points, or a sphere",
            Self::OutOfRange => "has a length whose fifth power is out of range: check the unit",
        })
    }
}

impl fmt::Display for ClumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoSpheres => {
                write!(f, "a clump needs at least one sphere, capsule, ellipsoid, box or hull, but the list is empty")
            }
            Self::NotFinite { sphere } => {
                write!(f, "sphere {sphere} of the clump (counted from 0) has an infinite or undefined number")
            }
            Self::NonPositiveRadius { sphere, radius } => write!(
                f,
                "sphere {sphere} of the clump (counted from 0) has the radius {radius}: it must be positive"
            ),
            Self::OutOfRange { sphere, length } => write!(
                f,
                "sphere {sphere} of the clump (counted from 0) has the length {length:e} m, whose fifth power \
                 is out of range: check the unit"
            ),
            Self::Capsule { capsule, problem } => {
                write!(f, "capsule {capsule} of the clump (counted from 0) {problem}")
            }
            Self::OverlappingCapsule { capsule, other, both } => write!(
                f,
                "capsule {capsule} overlaps {} {other} of the clump (counted from 0), and there is no closed form for the mass \
                 of their union: give volume, centre of mass and inertia of the body, or count the mass of each piece (sum)",
                if both { "capsule" } else { "sphere" }
            ),
            Self::Ellipsoid { ellipsoid, problem } => {
                write!(f, "ellipsoid {ellipsoid} of the clump (counted from 0) {problem}")
            }
            Self::OverlappingEllipsoid { ellipsoid, other, what } => write!(
                f,
                "ellipsoid {ellipsoid} overlaps {what} {other} of the clump (counted from 0), and there is no closed form for the mass \
                 of their union: give volume, centre of mass and inertia of the body, or count the mass of each piece (sum)"
            ),
            Self::Hull { hull, problem } => {
                write!(f, "polyhedron {hull} of the clump (counted from 0) {problem}")
            }
            Self::OverlappingHull { hull, other, what } => write!(
                f,
                "polyhedron {hull} overlaps {what} {other} of the clump (counted from 0), and there is no closed form for the mass \
                 of their union: give volume, centre of mass and inertia of the body, or count the mass of each piece (sum)"
            ),
            Self::HullsAndEllipsoids => f.write_str(
                "the clump has polyhedra and ellipsoids, of which no contacts with each other are known: take one of the two",
            ),
            Self::TooManyOverlaps { spheres } => write!(
                f,
                "too many of the {spheres} spheres of the clump overlap each other for their union to be computed: use \
                 fewer spheres or a larger spacing, or count the mass of each sphere (sum)"
            ),
            Self::GivenVolume(volume) => {
                write!(f, "the given volume of the clump must be positive and finite, but is {volume}")
            }
            Self::GivenCentre => write!(f, "the given centre of mass of the clump must be finite"),
            Self::Inertia(error) => {
                write!(f, "the clump has no proper inertia: {error}")
            }
            Self::TriangleInequality { moments: [a, b, c] } => write!(
                f,
                "no body has the principal moments ({a:e}, {b:e}, {c:e}) given for the clump: the largest \
                 must be at most the sum of the other two; is the tensor about the centre of mass?"
            ),
        }
    }
}

impl std::error::Error for ClumpError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Inertia(error) => Some(error),
            _ => None,
        }
    }
}
