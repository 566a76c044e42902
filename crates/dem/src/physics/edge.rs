//! Edges of polyhedra: where two of them overlap the most.
//!
//! An edge is a segment with a ball about each of its points, whose radius *tapers*: with s from the middle, h half the length, r the
//! rounding of the polyhedron and ℓ the lesser of 2r and h,
//!
//! > r(s) = r [1 − a (s/h)² − (1 − a) w³],  w = max(0, |s| − h + ℓ)/ℓ.   (1)
//!
//! It is nothing at the two ends, where corners touch instead, and nearly r along the rest. Two edges overlap by
//!
//! > δ = max over s and t of rₐ(s) + r_b(t) − |a(s) − b(t)|.   (2)
//!
//! The radii are strictly concave and the distance is convex, so there is one maximum, also for parallel edges, which meet near the middle of what they
//! have in common. At an end (1) falls by more than any distance can, 3 (1 − a) r/ℓ > 1, so the maximum is never there, and nothing has to be
//! said of edges that end. It is extremal in s and t: dδ/dt = −n·v with the velocities at the two points, n along the line
//! between them (the envelope theorem), and forces along n that depend on δ are those of a potential.
//!
//! In the contact stands a sphere for each edge, with the rounding as its radius: its surface is where that of the tapered ball is. So
//! stiffness does not depend on where an edge is touched, and the books close.
//!
//! The maximum is found by a fixed number of rounds of Newton's method, from the nearest points of the two segments; no round goes
//! farther than a part of the distance.

use super::choose;
use super::geometry::Sphere;
use crate::record;
use tumble_math::{LabVec, Real};

/// How many rounds of Newton's method look for the maximum. `crates/dem/tests/polyhedra/rounds.rs` counts those that are needed: 17, by some edges that are nearly
/// parallel; the others are the margin.
pub const ROUNDS: usize = 20;

/// a: how much of the radius is lost towards the ends of an edge before it tapers.
const BULGE: f64 = 0.05;

/// ℓ in radii.
const TAPER: f64 = 2.0;

/// In a round, the two points move towards or from each other by no more than this part of their distance.
const LONGEST_STEP: f64 = 0.7;

/// The square of the sine of an angle between edges below which the rounds begin at the middle of what both have in common.
const PARALLEL: f64 = 0.01;

/// A maximum is found if the slope is less.
const SLOPE: f64 = 1e-10;

/// A search does not go on from where the slope is less, so that rounds which are left out change no bit.
const LEVEL: f64 = 1e-13;

record! {
    /// An edge of a polyhedron in the lab.
    Edge, EDGE {
        /// m.
        middle: LabVec<R>,
        /// Unit vector from the first end to the second.
        along: LabVec<R>,
        /// Half its length, m.
        half: R,
        /// The rounding, m.
        radius: R,
        /// ℓ, m.
        taper: R,
    }
}

impl<R: Real> Edge<R> {
    /// The edge between two points.
    #[inline(always)]
    pub fn between([first, second]: [LabVec<R>; 2], radius: R) -> Self {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let between = second - first;
        let length = between.norm();
        let along = between * (one / R::select(zero.lt(length), length, one));
        let middle = first + between * half;
        let (half, twice) = (length * half, radius * R::lit(TAPER));
        Self { middle, along, half, radius, taper: R::select(half.lt(twice), half, twice) }
    }

    /// The radius so far from the middle, and its first and second derivatives.
    #[inline(always)]
    fn tapered(&self, at: R) -> [R; 3] {
        let (zero, one, two, three) = (R::lit(0.0), R::lit(1.0), R::lit(2.0), R::lit(3.0));
        let sign = R::select(at.lt(zero), -one, one);
        let over = at * sign - (self.half - self.taper);
        let (per_half, per_taper) = (one / self.half, one / self.taper);
        let w = R::select(zero.lt(over), over * per_taper, zero);
        let u = at * per_half;
        let (flat, steep) = (self.radius * R::lit(BULGE), self.radius * R::lit(1.0 - BULGE));
        let radius = self.radius - flat * u * u - steep * w * w * w;
        let slope = -(flat * two * u * per_half + steep * three * w * w * per_taper * sign);
        let bend = -(flat * two * per_half * per_half + steep * (three + three) * w * per_taper * per_taper);
        [radius, slope, bend]
    }

    /// The point of it from which the normal of a contact goes through a point: there its radius less the distance is the largest.
    #[inline(always)]
    pub fn facing(&self, point: LabVec<R>) -> LabVec<R> {
        let one = R::lit(1.0);
        let from = self.middle - point;
        let mut at = self.kept(-self.along.dot(from));
        for _ in 0..ROUNDS {
            let [_, slope, bend] = self.tapered(at);
            let between = from + self.along * at;
            let distance = between.norm();
            let tilt = self.along.dot(between) / distance;
            let by = (slope - tilt) / ((one - tilt * tilt) / distance - bend);
            let longest = distance * R::lit(LONGEST_STEP);
            let by = R::select(by.lt(-longest), -longest, R::select(longest.lt(by), longest, by));
            at = self.kept(at + by);
        }
        self.middle + self.along * at
    }

    #[inline(always)]
    fn kept(&self, at: R) -> R {
        let low = R::select(at.lt(-self.half), -self.half, at);
        R::select(self.half.lt(low), self.half, low)
    }
}

/// The search for the place where two edges overlap the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeSearch<R> {
    /// s and t, m.
    at: [R; 2],
}

/// Two edges with a place on each.
struct Places<R> {
    radii: [[R; 3]; 2],
    points: [LabVec<R>; 2],
    distance: R,
    /// Unit vector from the second to the first.
    normal: LabVec<R>,
    /// What the overlap grows by with s and with t.
    slope: [R; 2],
}

impl<R: Real> EdgeSearch<R> {
    /// At its start: the nearest points of the two segments, or for nearly parallel ones the middle of what they have in common.
    #[inline(always)]
    pub fn new(a: &Edge<R>, b: &Edge<R>) -> Self {
        let (one, half) = (R::lit(1.0), R::lit(0.5));
        let from = a.middle - b.middle;
        let (product, on_a, on_b) = (a.along.dot(b.along), a.along.dot(from), b.along.dot(from));
        let reach = b.half * product.abs();
        let common = (a.kept(-on_a - reach) + a.kept(reach - on_a)) * half;
        let slight = R::lit(PARALLEL);
        let s = (product * on_b - on_a + slight * common) / (one - product * product + slight);
        let t = b.kept(product * a.kept(s) + on_b);
        let s = a.kept(product * t - on_a);
        // Not where both radii are nothing.
        let inwards = |edge: &Edge<R>, at: R| {
            let most = edge.half - edge.taper * half;
            R::select(at.lt(-most), -most, R::select(most.lt(at), most, at))
        };
        Self { at: [inwards(a, s), inwards(b, t)] }
    }

    #[inline(always)]
    fn places(&self, a: &Edge<R>, b: &Edge<R>) -> Places<R> {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let [s, t] = self.at;
        let (radius_a, radius_b) = (a.tapered(s), b.tapered(t));
        let (on_a, on_b) = (a.along * s, b.along * t);
        let between = (a.middle - b.middle) + (on_a - on_b);
        let distance = between.norm();
        let apart = zero.lt(distance);
        let per_distance = one / R::select(apart, distance, one);
        // Of two that cross, whoever asks is told that nothing was found.
        let normal = choose(apart, between * per_distance, LabVec::new(one, zero, zero));
        let slope = [radius_a[1] - normal.dot(a.along), radius_b[1] + normal.dot(b.along)];
        let points = [a.middle + on_a, b.middle + on_b];
        Places { radii: [radius_a, radius_b], points, distance, normal, slope }
    }

    /// After a round of Newton's method.
    #[inline(always)]
    #[must_use]
    pub fn nearer(self, a: &Edge<R>, b: &Edge<R>) -> Self {
        let one = R::lit(1.0);
        let Places { radii: [[.., bend_a], [.., bend_b]], distance, normal, slope: [by_s, by_t], .. } =
            self.places(a, b);
        let per_distance = one / distance;
        let (tilt_a, tilt_b) = (normal.dot(a.along), normal.dot(b.along));
        let ss = (one - tilt_a * tilt_a) * per_distance - bend_a;
        let tt = (one - tilt_b * tilt_b) * per_distance - bend_b;
        let st = (tilt_a * tilt_b - a.along.dot(b.along)) * per_distance;
        let per_determinant = one / (ss * tt - st * st);
        let by = [(tt * by_s - st * by_t) * per_determinant, (ss * by_t - st * by_s) * per_determinant];
        let way = (a.along * by[0] - b.along * by[1]).norm();
        let longest = distance * R::lit(LONGEST_STEP);
        let short = way.lt(longest);
        let part = R::select(short, one, longest / R::select(short, one, way));
        let [s, t] = self.at;
        let level = R::lit(LEVEL);
        let going = |now: R, next: R| {
            let rest = R::select(by_t.abs().lt(level), now, next);
            R::select(by_s.abs().lt(level), rest, next)
        };
        Self { at: [going(s, a.kept(s + by[0] * part)), going(t, b.kept(t + by[1] * part))] }
    }

    /// How the edges touch at the present places: two spheres, without a radius if these are not those of the maximum; and the overlap, m.
    #[inline(always)]
    pub fn touch(&self, a: &Edge<R>, b: &Edge<R>) -> ([Sphere<R>; 2], R) {
        let limit = R::lit(SLOPE);
        let Places { radii, points, distance, normal, slope: [by_s, by_t] } = self.places(a, b);
        let is_level = |slope: R, otherwise: R| R::select(slope.abs().lt(limit), otherwise, R::lit(f64::NAN));
        let found = |radius: R| {
            is_level(by_s, is_level(by_t, R::select(R::lit(0.0).lt(distance), radius, R::lit(f64::NAN))))
        };
        let [radius_a, radius_b] = [radii[0][0], radii[1][0]];
        // Behind the surface of each, by the rounding.
        let first = Sphere { centre: points[0] + normal * (a.radius - radius_a), radius: found(a.radius) };
        let second = Sphere { centre: points[1] - normal * (b.radius - radius_b), radius: found(b.radius) };
        ([first, second], radius_a + radius_b - distance)
    }
}

/// The same as [`touch`], which leaves out the rounds after the last one that changes anything.
#[inline(always)]
pub fn touch_soon(a: &Edge<f64>, b: &Edge<f64>) -> ([Sphere<f64>; 2], f64) {
    let mut search = EdgeSearch::new(a, b);
    for _ in 0..ROUNDS {
        let next = search.nearer(a, b);
        if next == search {
            break;
        }
        search = next;
    }
    search.touch(a, b)
}

/// How two edges touch: by two spheres, and how far they overlap, m.
#[inline(always)]
pub fn touch<R: Real>(a: &Edge<R>, b: &Edge<R>) -> ([Sphere<R>; 2], R) {
    let mut search = EdgeSearch::new(a, b);
    for _ in 0..ROUNDS {
        search = search.nearer(a, b);
    }
    search.touch(a, b)
}
