//! Pieces that are spheres swept along a core: a sphere has a point for it, a capsule a segment.
//!
//! The distance of two such pieces is that of their cores less the two radii, and it is reached at the points of the cores
//! that are nearest to each other. So the contact is that of two spheres there, and what holds for spheres holds for pieces: the
//! distance is extremal in the choice of the points, whose motion along the cores therefore changes nothing at first order. The
//! overlap changes by the velocities of the two bodies alone, dδ/dt = −n·v, and forces along n that depend on δ are those of a
//! potential.
//!
//! The nearest points of two segments are found as by Ericson, *Real-Time Collision Detection* (2005), section 5.1.9: the
//! point of the first from both lines, the point of the second for it, and the first once more for that one, each kept between
//! the ends. Parallel segments have many nearest points; the middle of the part along which they lie side by side is taken, from
//! either segment the same.

use super::geometry::Sphere;
use crate::record;
use tumble_math::{LabVec, Real};

record! {
    /// A segment in the lab, or a point.
    Core, CORE {
        /// m.
        middle: LabVec<R>,
        /// From the middle to the second end, m; zero for a point.
        half: LabVec<R>,
    }
}

record! {
    /// A sphere swept along a core.
    Piece, PIECE {
        /// What it is swept along.
        core: Core<R>,
        /// Of the sphere, m.
        radius: R,
    }
}

/// The square of the sine of an angle between segments below which they count as parallel more and more. Without it, rounding
/// would move the nearest points of such segments from one end to the other.
const PARALLEL: f64 = 1e-12;

impl<R: Real> Core<R> {
    /// The segment between two points.
    #[inline(always)]
    pub fn between([first, second]: [LabVec<R>; 2]) -> Self {
        let half = R::lit(0.5);
        Self { middle: (first + second) * half, half: (second - first) * half }
    }

    /// The point so many halves from the middle.
    #[inline(always)]
    fn at(&self, part: R) -> LabVec<R> {
        self.middle + self.half * part
    }
}

/// The points of two cores that are nearest to each other.
#[inline(always)]
pub fn nearest<R: Real>(a: &Core<R>, b: &Core<R>) -> [LabVec<R>; 2] {
    let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
    // |r + s u − t v|² is the least, where −1 ≤ s, t ≤ 1.
    let (r, u, v) = (a.middle - b.middle, a.half, b.half);
    let (uu, uv, vv, ur, vr) = (u.dot(u), u.dot(v), v.dot(v), u.dot(r), v.dot(r));
    // What is divided by the length of a point is zero, and so is the point's part of what comes of it.
    let per_uu = one / R::select(zero.lt(uu), uu, one);
    let per_vv = one / R::select(zero.lt(vv), vv, one);
    // Side by side: the middle of what the second's shadow on the first and the first have in common.
    let (away, reach) = (ur * per_uu, uv.abs() * per_uu);
    let common = (larger(away - one, -reach) + smaller(away + one, reach)) * half;
    let beside = common - away;
    let (product, across) = (uu * vv, uu * vv - uv * uv);
    let slight = product * R::lit(PARALLEL);
    let divisor = across + slight;
    let crossing = uv * vr - ur * vv + slight * beside;
    let s = R::select(zero.lt(divisor), crossing / R::select(zero.lt(divisor), divisor, one), beside);
    let t = within_one((uv * within_one(s) + vr) * per_vv);
    let s = within_one((uv * t - ur) * per_uu);
    [a.at(s), b.at(t)]
}

/// The spheres of two pieces where those are nearest to each other.
#[inline(always)]
pub fn nearest_spheres<R: Real>(a: &Piece<R>, b: &Piece<R>) -> [Sphere<R>; 2] {
    let [on_a, on_b] = nearest(&a.core, &b.core);
    [Sphere { centre: on_a, radius: a.radius }, Sphere { centre: on_b, radius: b.radius }]
}

#[inline(always)]
fn larger<R: Real>(a: R, b: R) -> R {
    R::select(a.lt(b), b, a)
}

#[inline(always)]
fn smaller<R: Real>(a: R, b: R) -> R {
    R::select(b.lt(a), b, a)
}

#[inline(always)]
fn within_one<R: Real>(x: R) -> R {
    larger(smaller(x, R::lit(1.0)), R::lit(-1.0))
}
