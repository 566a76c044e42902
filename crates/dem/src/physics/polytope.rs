//! The point of a convex polytope that is nearest to another point: of a box in closed form, of any other one over the triangles of its surface.
//!
//! The nearest point of a convex set is unique, so the distance has a continuous slope: a corner that goes from a face over an edge to another face has no kink in its
//! force, and counts once however many faces meet where it touches.

use super::choose;
use crate::record;
use tumble_math::{LabVec, Real};

record! {
    /// Where a polytope is: its centre, and three vectors at right angles to each other that its points are told by.
    CoreFrame, CORE_FRAME {
        /// m.
        centre: LabVec<R>,
        /// m.
        first: LabVec<R>,
        /// m.
        second: LabVec<R>,
        /// m.
        third: LabVec<R>,
    }
}

impl<R: Real> CoreFrame<R> {
    /// From the centre and the ends of the three vectors.
    #[inline(always)]
    pub fn of_points([centre, first, second, third]: [LabVec<R>; 4]) -> Self {
        Self { centre, first: first - centre, second: second - centre, third: third - centre }
    }

    /// A point in parts of the three vectors.
    #[inline(always)]
    pub fn parts_of(&self, point: LabVec<R>) -> LabVec<R> {
        let away = point - self.centre;
        let part = |axis: LabVec<R>| axis.dot(away) / axis.norm_squared();
        LabVec::new(part(self.first), part(self.second), part(self.third))
    }

    /// The inverse.
    #[inline(always)]
    pub fn point_at(&self, parts: LabVec<R>) -> LabVec<R> {
        self.centre + (self.first * parts.x + self.second * parts.y + self.third * parts.z)
    }

    /// The point nearest to another one of a box of which the three vectors are the half edges.
    #[inline(always)]
    pub fn nearest_of_box(&self, point: LabVec<R>) -> LabVec<R> {
        let LabVec { x, y, z, .. } = self.parts_of(point);
        let kept = |part: R| {
            let one = R::lit(1.0);
            R::select(part.lt(-one), -one, R::select(one.lt(part), one, part))
        };
        self.point_at(LabVec::new(kept(x), kept(y), kept(z)))
    }
}

/// The nearest point to another one of a convex polytope with these triangles, whose corners go round counter-clockwise seen from outside. Of a point inside that is the point itself.
#[inline(always)]
pub fn nearest_of_triangles<R: Real>(
    triangles: impl Iterator<Item = [LabVec<R>; 3]>,
    point: LabVec<R>,
) -> LabVec<R> {
    let zero = R::lit(0.0);
    let (mut nearest, mut square, mut above) = (point, R::lit(f64::INFINITY), R::lit(-1.0));
    for [a, b, c] in triangles {
        let normal = (b - a).cross(c - a);
        let height = normal.dot(point - a);
        above = R::select(above.lt(height), height, above);
        let (foot, distance) = foot_on_triangle([a, b, c], point, normal, height);
        let nearer = distance.lt(square);
        nearest = choose(nearer, foot, nearest);
        square = R::select(nearer, distance, square);
    }
    choose(zero.lt(above), nearest, point)
}

/// The point of a triangle that is nearest to another one, and the square of the distance: C. Ericson, *Real-Time Collision Detection* (2005), 5.1.5.
#[inline(always)]
fn foot_on_triangle<R: Real>(
    [a, b, c]: [LabVec<R>; 3],
    point: LabVec<R>,
    normal: LabVec<R>,
    height: R,
) -> (LabVec<R>, R) {
    let zero = R::lit(0.0);
    // Whether the foot is on the inner side of each side.
    let inside = |from: LabVec<R>, to: LabVec<R>| (to - from).cross(point - from).dot(normal);
    let [at_c, at_a, at_b] = [inside(a, b), inside(b, c), inside(c, a)];
    let least = smaller(smaller(at_a, at_b), at_c);
    let on_face = point - normal * (height / normal.norm_squared());
    let (mut nearest, mut square) = foot_on_segment([a, b], point);
    for side in [[b, c], [c, a]] {
        let (foot, distance) = foot_on_segment(side, point);
        let nearer = distance.lt(square);
        nearest = choose(nearer, foot, nearest);
        square = R::select(nearer, distance, square);
    }
    let outside = least.lt(zero);
    let foot = choose(outside, nearest, on_face);
    (foot, R::select(outside, square, (point - on_face).norm_squared()))
}

#[inline(always)]
fn foot_on_segment<R: Real>([from, to]: [LabVec<R>; 2], point: LabVec<R>) -> (LabVec<R>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let along = to - from;
    let at = along.dot(point - from) / along.norm_squared();
    let at = R::select(at.lt(zero), zero, R::select(one.lt(at), one, at));
    let foot = from + along * at;
    (foot, (point - foot).norm_squared())
}

#[inline(always)]
fn smaller<R: Real>(a: R, b: R) -> R {
    R::select(b.lt(a), b, a)
}
