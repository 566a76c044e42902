//! Where pieces that are no spheres touch, as recorded kernels: the spheres that stand for them there. What becomes of those is the recording of a
//! contact of spheres, or of one with known geometry.

use crate::physics::ellipsoid::{SEARCH, Search, ended, facing_along, settled};
use crate::physics::piece::{Core, Piece, nearest_spheres};
use crate::physics::solid::{SOLID, Solid, deepest_in_tube};
use crate::physics::surface::{AXIS, Axis};
use crate::record::{Record, to_numbers};
use tumble_math::trace::{Tape, Traced};
use tumble_math::{LabVec, Real};

/// The place of a capsule at which a ball stands for it while a direction is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its second end.
    Last,
    /// Its first end.
    First,
    /// Wherever on its axis.
    Axis,
}

/// What is computed to find how two pieces touch, or an ellipsoid and a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKernel {
    /// The ends of a capsule (6) and its radius, and those of another: the two [`Sphere`](crate::physics::geometry::Sphere)s where they are nearest. A sphere
    /// has two ends at one place.
    Nearest,
    /// The four points of a piece (12) and its radius: the [`Solid`].
    Solid,
    /// Two [`Solid`]s: the [`Search`] at its beginning.
    Begin(Place),
    /// A [`Search`] after one of its first rounds.
    Closer,
    /// After all of them.
    Facing,
    /// After a round of Newton's method.
    Turned,
    /// The overlap that it is known to be below.
    Overlap,
    /// Two [`Solid`]s, neither a capsule, and a [`Search`] at its end: [`Facing`](crate::physics::ellipsoid::Facing).
    Touch,
    /// Two [`Solid`]s, and a [`Search`] at its end for each [`Place`]: [`Facing`](crate::physics::ellipsoid::Facing).
    TouchOfAny,
    /// A [`Solid`] and a direction (3): how far it reaches.
    Height,
    /// A [`Solid`] and a direction (3): the [`Sphere`](crate::physics::geometry::Sphere) behind its farthest point.
    Behind,
    /// A [`Solid`], [`Axis`] and radius of a tube: how far the one reaches into the wall of the other, and the normal there (3).
    InTube,
}

impl PieceKernel {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Nearest,
        Self::Solid,
        Self::Begin(Place::Last),
        Self::Begin(Place::First),
        Self::Begin(Place::Axis),
        Self::Closer,
        Self::Facing,
        Self::Turned,
        Self::Overlap,
        Self::Touch,
        Self::TouchOfAny,
        Self::Height,
        Self::Behind,
        Self::InTube,
    ];

    /// How many numbers a recording takes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Nearest => 14,
            Self::Solid => 13,
            Self::Begin(_) => 2 * SOLID,
            Self::Closer | Self::Facing | Self::Turned | Self::Overlap => SEARCH,
            Self::Touch => 2 * SOLID + SEARCH,
            Self::TouchOfAny => 2 * SOLID + 3 * SEARCH,
            Self::Height | Self::Behind => SOLID + 3,
            Self::InTube => SOLID + AXIS + 1,
        }
    }

    /// Records it.
    pub fn record(self) -> Tape {
        Tape::record(self.inputs(), |numbers| self.evaluate::<Traced>(numbers))
    }

    /// Evaluates it directly on numbers in the order of a recording.
    ///
    /// # Panics
    /// If there are fewer than [`inputs`](Self::inputs) numbers.
    pub fn evaluate<R: Real>(self, n: &[R]) -> Vec<R> {
        let vector = |at: usize| LabVec::<R>::read(n, at);
        let solid = |number: usize| Solid::<R>::read(n, number * SOLID);
        let search = |number: usize| Search::<R>::read(n, 2 * SOLID + number * SEARCH);
        match self {
            Self::Nearest => {
                let piece = |at: usize| Piece {
                    core: Core::between([vector(at), vector(at + 3)]),
                    radius: n[at + 6],
                };
                nearest_spheres(&piece(0), &piece(7)).into_iter().flat_map(to_numbers).collect()
            }
            Self::Solid => to_numbers(Solid::of_points([0, 3, 6, 9].map(vector), n[12])),
            Self::Begin(place) => {
                let (a, b) = (solid(0), solid(1));
                let at_end = |sign: f64| {
                    let [a, b] = ended(&a, &b, R::lit(sign));
                    Search::of(&a, &b)
                };
                to_numbers(match place {
                    Place::Last => at_end(1.0),
                    Place::First => at_end(-1.0),
                    Place::Axis => Search::along_axis(&a, &b),
                })
            }
            Self::Closer => to_numbers(Search::read(n, 0).closer()),
            Self::Facing => to_numbers(Search::read(n, 0).facing()),
            Self::Turned => to_numbers(Search::read(n, 0).turned()),
            Self::Overlap => vec![Search::read(n, 0).overlap()],
            Self::Touch => {
                let both = [&solid(0), &solid(1)];
                to_numbers(facing_along(&search(0), both, both))
            }
            Self::TouchOfAny => {
                let (a, b) = (solid(0), solid(1));
                let (found, [c, d]) = settled([&search(0), &search(1), &search(2)], &a, &b);
                to_numbers(facing_along(&found, [&c, &d], [&a, &b]))
            }
            Self::Height => vec![solid(0).height(vector(SOLID))],
            Self::Behind => to_numbers(solid(0).sphere(vector(SOLID))),
            Self::InTube => {
                let (overlap, normal) = deepest_in_tube(&solid(0), &Axis::read(n, SOLID), n[SOLID + AXIS]);
                [vec![overlap], to_numbers(normal)].concat()
            }
        }
    }
}
