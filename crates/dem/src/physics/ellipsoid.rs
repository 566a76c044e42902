//! Pieces that may be ellipsoids: along which direction two of them overlap the least, and the spheres by which they touch there.
//!
//! A convex body is known by its support function, h(n) = max n·x over its points x from its centre: |Aᵀn| = √(n·AAᵀn) for the
//! ellipsoid that A makes of the unit ball. The overlap of two bodies whose centres are d apart is
//!
//! > δ = min over unit vectors n of hₐ(n) + h_b(−n) − n·d,   (1)
//!
//! the least way that one has to go for them to be apart; less than zero it is how far they are apart. The minimum is reached at the points
//! pₐ = ∇hₐ(n) and p_b = −∇h_b(n) from the centres, the farthest of each along n, and pₐ − p_b lies along n. Since δ is extremal in n,
//! it changes by the motion of the bodies alone, dδ/dt = −n·v with the velocities at those points (the envelope theorem), and a force along
//! n that depends on δ is that of a potential. Points where implicit functions of both are equal or least, as superquadric codes take
//! them, have no such property.
//!
//! In the contact stands a sphere in the place of each body, behind its point: its surface goes through the point, and its normal there is n. Its
//! radius is one number for each ellipsoid, the geometric mean of the semi-axes, at which the sphere has the same volume. The radius of curvature
//! at the point would change the energy of a contact that rolls, and nothing would pay for it.
//!
//! The minimum is found by a fixed number of rounds, without memory. *First* rounds look for n ∝ [(1 − λ)AAᵀ + λBBᵀ]⁻¹ d with
//! (1 − λ) hₐ = λ h_b, the direction in which both, made larger or smaller by the same factor, touch: J. W. Perram and M. S. Wertheim,
//! J. Comput. Phys. 58 (1985) 409. There is one λ between 0 and 1, kept between bounds while Newton's method
//! looks for it. Where the overlap is slight, that is nearly n. The *rounds* that follow are Newton's method for (1) on the sphere of directions.
//!
//! A capsule is a ball somewhere on a segment. The distance of that place from a convex body is a convex function of it. So the nearest place is an
//! end if the distance does not fall inwards from there, and else it is that on the axis without ends, with the ellipsoid seen along the axis.

use super::choose;
use super::geometry::Sphere;
use super::piece::nearest_spheres;
use super::solid::{Solid, Square};
use crate::record;
use tumble_math::{LabVec, Real};

/// How many rounds look for the direction in which both touch when made larger or smaller.
pub const FIRST_ROUNDS: usize = 3;

/// How many rounds of Newton's method follow. Six are enough for all pairs up to [`MOST_SLENDER`] that overlap by no more than a
/// tenth of the smaller radius or are no farther apart than that (`crates/dem/tests/ellipsoids/rounds.rs` counts them); two more are the margin.
pub const ROUNDS: usize = 8;

/// How many times as long as the shortest semi-axis the longest one can be.
pub const MOST_SLENDER: f64 = 5.0;

/// A minimum is found if the slope is less than this part of the sum of the two heights.
const SLOPE: f64 = 1e-10;

/// The longest turn of a round, rad.
pub(super) const LONGEST_TURN: f64 = 0.5;

record! {
    /// The search for the direction in which two bodies overlap the least.
    Search, SEARCH {
        /// AAᵀ, m².
        a: Square<R>,
        /// BBᵀ, m².
        b: Square<R>,
        /// From the first centre to the second, m.
        between: LabVec<R>,
        /// λ.
        part: R,
        /// It is not less.
        low: R,
        /// Nor more.
        high: R,
        /// n, from the first to the second.
        normal: LabVec<R>,
    }
}

impl<R: Real> Search<R> {
    /// At its start, for bodies with these centres.
    #[inline(always)]
    pub fn new(a: Square<R>, b: Square<R>, between: LabVec<R>) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        // Of concentric ones no direction is found, and what asks for it says so.
        let apart = zero.lt(between.norm_squared());
        let normal = choose(apart, between, LabVec::new(one, zero, zero));
        let [of_a, of_b] = [a, b].map(|square| normal.dot(square.of(normal)).sqrt());
        Self { a, b, between, part: of_a / (of_a + of_b), low: zero, high: one, normal }
    }

    /// That of two pieces, neither of which is a capsule.
    #[inline(always)]
    pub fn of(a: &Solid<R>, b: &Solid<R>) -> Self {
        Self::new(a.square, b.square, b.centre - a.centre)
    }

    /// That of two pieces of which one is a capsule and the other an ellipsoid, seen along the axis of the capsule; else that of the two.
    #[inline(always)]
    pub fn along_axis(a: &Solid<R>, b: &Solid<R>) -> Self {
        let along = axis_of(a, b);
        let across = |solid: &Solid<R>| {
            let (own, seen) = (solid.square, solid.square.across(along));
            // Of the ball all is left, so that the sum of both has an inverse.
            let oval = R::lit(0.0).lt(solid.oval);
            Square {
                diagonal: choose(oval, seen.diagonal, own.diagonal),
                off_diagonal: choose(oval, seen.off_diagonal, own.off_diagonal),
            }
        };
        let between = b.centre - a.centre;
        Self::new(across(a), across(b), between - along * along.dot(between))
    }

    /// The direction for the present λ.
    #[inline(always)]
    fn ahead(&self) -> (LabVec<R>, Square<R>, R) {
        let one = R::lit(1.0);
        let both = self.a.times(one - self.part).plus(self.b.times(self.part));
        let (adjugate, determinant) = both.adjugate();
        let inverse = one / determinant;
        (adjugate.of(self.between) * inverse, adjugate, inverse)
    }

    /// After a first round: λ is nearer.
    #[inline(always)]
    #[must_use]
    pub fn closer(self) -> Self {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let (n, adjugate, inverse) = self.ahead();
        let (on_a, on_b) = (self.a.of(n), self.b.of(n));
        let (of_a, of_b) = (n.dot(on_a).sqrt(), n.dot(on_b).sqrt());
        let per_sum = one / (of_a + of_b);
        let off = of_a * per_sum - self.part;
        let is_low = zero.lt(off);
        let low = R::select(is_low, self.part, self.low);
        let high = R::select(is_low, self.high, self.part);
        // By the change of n with λ.
        let change = adjugate.of(on_a - on_b) * inverse;
        let (grows_a, grows_b) = (on_a.dot(change) / of_a, on_b.dot(change) / of_b);
        let slope = (grows_a * of_b - of_a * grows_b) * (per_sum * per_sum) - one;
        let next = self.part - off / slope;
        let middle = half * (low + high);
        let bounded = R::select(next.lt(low), middle, R::select(high.lt(next), middle, next));
        Self { part: bounded, low, high, ..self }
    }

    /// After the last of the first rounds: the direction for λ.
    #[inline(always)]
    #[must_use]
    pub fn facing(self) -> Self {
        let (n, ..) = self.ahead();
        Self { normal: n * (R::lit(1.0) / n.norm()), ..self }
    }

    /// δ for the present direction, the slope of it on the sphere of directions, and the tensor of its second derivatives with
    /// the sum of heights.
    #[inline(always)]
    fn slope(&self) -> (R, LabVec<R>, Square<R>, R) {
        let (one, n) = (R::lit(1.0), self.normal);
        let (on_a, on_b) = (self.a.of(n), self.b.of(n));
        let (of_a, of_b) = (n.dot(on_a).sqrt(), n.dot(on_b).sqrt());
        let (per_a, per_b) = (one / of_a, one / of_b);
        let (on_a, on_b) = (on_a * per_a, on_b * per_b);
        let gradient = on_a + on_b - self.between;
        let overlap = gradient.dot(n);
        let bend_a = self.a.plus(Square::dyad(on_a).times(-one)).times(per_a);
        let bend_b = self.b.plus(Square::dyad(on_b).times(-one)).times(per_b);
        (overlap, gradient - n * overlap, bend_a.plus(bend_b), of_a + of_b)
    }

    /// What Newton's method divides by: second derivatives on the sphere of directions, and something along n that has no part in it.
    #[inline(always)]
    fn curvature(&self, overlap: R, bend: Square<R>) -> Square<R> {
        let along_normal = Square::dyad(self.normal).times(bend.trace() + overlap);
        bend.plus(Square::isotropic(-overlap)).plus(along_normal)
    }

    /// After a round of Newton's method.
    #[inline(always)]
    #[must_use]
    pub fn turned(self) -> Self {
        let one = R::lit(1.0);
        let (overlap, slope, bend, _) = self.slope();
        let (adjugate, determinant) = self.curvature(overlap, bend).adjugate();
        let turn = adjugate.of(slope) * (-one / determinant);
        let (length, longest) = (turn.norm(), R::lit(LONGEST_TURN));
        let short = length.lt(longest);
        let turn = turn * R::select(short, one, longest / R::select(short, one, length));
        let normal = self.normal + turn;
        Self { normal: normal * (one / normal.norm()), ..self }
    }

    /// δ for the present direction, m. The bodies are at least as far apart as this is below zero.
    #[inline(always)]
    pub fn overlap(&self) -> R {
        let n = self.normal;
        self.a.of(n).dot(n).sqrt() + self.b.of(n).dot(n).sqrt() - n.dot(self.between)
    }

    /// Whether the direction is that of a minimum.
    #[inline(always)]
    fn is_found(&self) -> R::Mask {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let (overlap, slope, bend, heights) = self.slope();
        let (_, determinant) = self.curvature(overlap, bend).adjugate();
        let limit = heights * R::lit(SLOPE);
        let level = slope.norm_squared().lt(limit * limit);
        let bent = zero.lt(bend.trace() - overlap - overlap);
        let both = R::select(bent, determinant, -one);
        let both = R::select(level, both, -one);
        zero.lt(both)
    }

    /// All rounds.
    #[inline(always)]
    #[must_use]
    fn done(mut self) -> Self {
        for _ in 0..FIRST_ROUNDS {
            self = self.closer();
        }
        self = self.facing();
        for _ in 0..ROUNDS {
            self = self.turned();
        }
        self
    }
}

record! {
    /// Two pieces and how they touch.
    Facing, FACING {
        /// The spheres by which they touch. They have no radius if no minimum was found.
        first: Sphere<R>,
        /// That of the second piece.
        second: Sphere<R>,
        /// How far the two reach into each other at most, m.
        overlap: R,
    }
}

/// The unit vector along the axis of the capsule of two pieces; zero if there is none.
#[inline(always)]
fn axis_of<R: Real>(a: &Solid<R>, b: &Solid<R>) -> LabVec<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let axis = a.half + b.half;
    let square = axis.norm_squared();
    let long = zero.lt(square);
    axis * (one / R::select(long, square, one).sqrt())
}

/// Two pieces, of which a capsule is a ball at its second end, or at the first one for `sign` −1.
#[inline(always)]
pub fn ended<R: Real>(a: &Solid<R>, b: &Solid<R>, sign: R) -> [Solid<R>; 2] {
    [a, b].map(|own| Solid { centre: own.centre + own.half * sign, half: LabVec::zero(), ..*own })
}

/// The search for two pieces, and the two with a capsule as the ball that is nearest to the ellipsoid: from the searches for its second
/// end, its first end and its axis.
#[inline(always)]
pub fn settled<R: Real>(
    [last, first, axis]: [&Search<R>; 3],
    a: &Solid<R>,
    b: &Solid<R>,
) -> (Search<R>, [Solid<R>; 2]) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let along = axis_of(a, b);
    // Towards the ellipsoid.
    let sign = R::select(zero.lt(a.half.norm_squared()), one, -one);
    let ahead = |search: &Search<R>| search.normal.dot(along) * sign;
    let n = axis.normal;
    let place = |own: &Solid<R>, other: &Solid<R>, towards: LabVec<R>| {
        let foot = along.dot(other.centre + other.farthest(towards) - own.centre);
        let long = zero.lt(own.half.norm_squared());
        let centre = own.centre + choose(long, along * foot, LabVec::zero());
        Solid { centre, half: LabVec::zero(), ..*own }
    };
    let middle = [place(a, b, -n), place(b, a, n)];
    let ends = [ended(a, b, one), ended(a, b, -one)];
    let (inwards, outwards) = (ahead(last).lt(zero), zero.lt(ahead(first)));
    let pick = |at_last: LabVec<R>, at_first: LabVec<R>, between: LabVec<R>| {
        choose(inwards, choose(outwards, between, at_first), at_last)
    };
    let square = |of: fn(&Search<R>) -> Square<R>| {
        let [last, first, axis] = [of(last), of(first), of(axis)];
        Square {
            diagonal: pick(last.diagonal, first.diagonal, axis.diagonal),
            off_diagonal: pick(last.off_diagonal, first.off_diagonal, axis.off_diagonal),
        }
    };
    let vector = |of: fn(&Search<R>) -> LabVec<R>| pick(of(last), of(first), of(axis));
    let search = Search {
        a: square(|search| search.a),
        b: square(|search| search.b),
        between: vector(|search| search.between),
        normal: vector(|search| search.normal),
        ..*last
    };
    let solid = |number: usize| Solid {
        centre: pick(ends[0][number].centre, ends[1][number].centre, middle[number].centre),
        ..ends[0][number]
    };
    (search, [solid(0), solid(1)])
}

/// How two pieces touch in the direction that was found, a capsule as a ball; by their cores if neither is an ellipsoid.
#[inline(always)]
pub fn facing_along<R: Real>(
    search: &Search<R>,
    [ball_a, ball_b]: [&Solid<R>; 2],
    [a, b]: [&Solid<R>; 2],
) -> Facing<R> {
    let zero = R::lit(0.0);
    let [on_a, on_b] = nearest_spheres(&a.piece(), &b.piece());
    let n = search.normal;
    let (own, other) = (ball_a.sphere(n), ball_b.sphere(-n));
    let oval = zero.lt(a.oval + b.oval);
    let found = search.is_found();
    let radius = |sphere: &Sphere<R>| R::select(found, sphere.radius, R::lit(f64::NAN));
    let sphere = |oval_one: Sphere<R>, round: Sphere<R>| Sphere {
        centre: choose(oval, oval_one.centre, round.centre),
        radius: R::select(oval, radius(&oval_one), round.radius),
    };
    let apart = (on_a.centre - on_b.centre).norm();
    let overlap = R::select(oval, search.overlap(), on_a.radius + on_b.radius - apart);
    Facing { first: sphere(own, on_a), second: sphere(other, on_b), overlap }
}

/// How two pieces touch. Without `capsules`, neither is one.
#[inline(always)]
pub fn facing<R: Real>(a: &Solid<R>, b: &Solid<R>, capsules: bool) -> Facing<R> {
    let [slid_a, slid_b] = ended(a, b, R::lit(1.0));
    let last = Search::of(&slid_a, &slid_b).done();
    if !capsules {
        return facing_along(&last, [&slid_a, &slid_b], [a, b]);
    }
    let [first_a, first_b] = ended(a, b, R::lit(-1.0));
    let first = Search::of(&first_a, &first_b).done();
    let axis = Search::along_axis(a, b).done();
    let (search, [slid_a, slid_b]) = settled([&last, &first, &axis], a, b);
    facing_along(&search, [&slid_a, &slid_b], [a, b])
}
