//! A sphere and a surface of triangles: the nearest points of its parts, and what those of one connected part make together.
//!
//! Which parts belong together, and how often each counts, are whole numbers; they are found in `wall/mesh/contact.rs`, where
//! the energy that this is about is described.

use super::choose;
use crate::law::EnergyPower;
use crate::record;
use tumble_math::{LabVec, Real};

/// The part of the nearest point's energy down to which the sum counts as it is.
const LEAST: f64 = 0.9;

record! {
    /// The nearest point of an edge or a triangle.
    Foot, FOOT {
        /// Where it is, a whole number. On an edge: 0 at its start, 1 between, 2 at its end. On a triangle: 0 inside, else 1
        /// more than the number of the edge.
        part: R,
        /// From the point to the centre, m.
        arm: LabVec<R>,
        /// Its length, m.
        distance: R,
    }
}

record! {
    /// A straight edge between two corners.
    Edge, EDGE {
        /// The line begins here, m.
        start: LabVec<R>,
        /// Unit vector.
        along: LabVec<R>,
        /// m.
        length: R,
        /// The corner at the start, m.
        first: LabVec<R>,
        /// The corner at the end, m.
        last: LabVec<R>,
    }
}

record! {
    /// One border of a triangle.
    Border, BORDER {
        /// A point of it, m.
        start: LabVec<R>,
        /// Unit vector across it to the inside.
        inward: LabVec<R>,
    }
}

record! {
    /// What the parts of one connected part of a surface make together.
    Patch, PATCH {
        /// Σ w δᵖ, with the power p of the law's energy.
        sum: R,
        /// Σ w δᵖ⁻¹ n.
        pull: LabVec<R>,
        /// The normal of the deepest of its points.
        normal: LabVec<R>,
        /// That point's δ, m.
        deepest: R,
    }
}

record! {
    /// One touch.
    PatchTouch, PATCH_TOUCH {
        /// Radius less distance, m.
        overlap: R,
        /// How fast it grows against the normal.
        slope: R,
        /// Unit vector to the centre.
        normal: LabVec<R>,
    }
}

/// The nearest point of an edge.
#[inline(always)]
pub fn edge<R: Real>(centre: LabVec<R>, edge: &Edge<R>) -> Foot<R> {
    let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
    let from_start = centre - edge.start;
    let along = from_start.dot(edge.along);
    let (after_start, before_end) = (zero.lt(along), along.lt(edge.length));
    let between = choose(before_end, from_start - edge.along * along, centre - edge.last);
    let arm = choose(after_start, between, centre - edge.first);
    let part = R::select(after_start, R::select(before_end, one, two), zero);
    Foot { part, arm, distance: arm.norm() }
}

/// A corner, as the nearest point of itself.
#[inline(always)]
pub fn corner<R: Real>(centre: LabVec<R>, corner: LabVec<R>) -> Foot<R> {
    let arm = centre - corner;
    Foot { part: R::lit(0.0), arm, distance: arm.norm() }
}

/// The height above a face, and how far inside of each border of a triangle, m.
#[inline(always)]
pub fn heights<R: Real>(
    centre: LabVec<R>,
    [point, normal]: [LabVec<R>; 2],
    borders: [Border<R>; 3],
) -> (R, [R; 3]) {
    let inside = borders.map(|border| (centre - border.start).dot(border.inward));
    ((centre - point).dot(normal), inside)
}

/// The nearest point of a triangle, from its heights and the nearest points of its edges. Neighbours in a face see the same height
/// over their border, with the opposite sign; `owned` is 1 where a foot on the border itself is this one's, else 0. `wide` is 0
/// for a triangle too thin to have an inside, else 1.
#[inline(always)]
pub fn triangle<R: Real>(
    normal: LabVec<R>,
    (height, inside): (R, [R; 3]),
    owned: [R; 3],
    wide: R,
    [a, b, c]: [Foot<R>; 3],
) -> Foot<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let within = |k: usize| R::select(zero.lt(inside[k]), one, R::select(inside[k].lt(zero), zero, owned[k]));
    let within = R::lit(0.5).lt(within(0) * within(1) * within(2) * wide);
    let on_edge = |number: f64, foot: Foot<R>| Foot { part: R::lit(number), ..foot };
    let nearest = nearer(nearer(on_edge(1.0, a), on_edge(2.0, b)), on_edge(3.0, c));
    let foot = Foot { part: zero, arm: normal * height, distance: height.abs() };
    select(within, foot, nearest)
}

/// The unit vector from a foot to the centre, or `any` for a centre on the surface itself.
#[inline(always)]
pub fn normal<R: Real>(foot: &Foot<R>, any: LabVec<R>) -> LabVec<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let off = zero.lt(foot.distance);
    choose(off, foot.arm * (one / R::select(off, foot.distance, one)), any)
}

#[inline(always)]
fn nearer<R: Real>(a: Foot<R>, b: Foot<R>) -> Foot<R> {
    select(b.distance.lt(a.distance), b, a)
}

#[inline(always)]
fn select<R: Real>(mask: R::Mask, yes: Foot<R>, no: Foot<R>) -> Foot<R> {
    Foot {
        part: R::select(mask, yes.part, no.part),
        arm: choose(mask, yes.arm, no.arm),
        distance: R::select(mask, yes.distance, no.distance),
    }
}

impl<R: Real> Patch<R> {
    /// Nothing yet.
    #[inline(always)]
    pub fn empty() -> Self {
        let zero = R::lit(0.0);
        Self { sum: zero, pull: LabVec::zero(), normal: LabVec::zero(), deepest: zero }
    }

    /// With one more point, which counts `weight` times. The deepest is one of those that count.
    #[inline(always)]
    #[must_use]
    pub fn with(self, normal: LabVec<R>, weight: R, overlap: R, power: EnergyPower) -> Self {
        let [slope, energy] = power.raise(overlap);
        let depth = R::select(R::lit(0.0).lt(weight), overlap, self.deepest);
        let is_deepest = self.deepest.lt(depth);
        Self {
            sum: self.sum + weight * energy,
            pull: self.pull + normal * (weight * slope),
            normal: choose(is_deepest, normal, self.normal),
            deepest: R::select(is_deepest, depth, self.deepest),
        }
    }

    /// δᵖ, and δᵖ⁻¹∇δ. With y the sum over the energy of the deepest point it is that energy times y from
    /// y = 0.9 on, and bends from there to a constant at y = 0, with a continuous slope: around a hole or up against a ring
    /// Euler's number is 0, and a ball would fall through what holds it on all sides.
    #[inline(always)]
    pub fn energy(&self, power: EnergyPower) -> (R, LabVec<R>) {
        let (zero, least) = (R::lit(0.0), R::lit(LEAST));
        let [slope, most] = power.raise(self.deepest);
        let ratio = self.sum / most;
        let bends = ratio.lt(least);
        let ratio = R::select(ratio.lt(zero), zero, ratio);
        let (value, rate) = (R::lit(0.5) * (least + ratio * ratio / least), ratio / least);
        let bent = self.pull * rate + self.normal * (slope * (value - ratio * rate));
        (R::select(bends, most * value, self.sum), choose(bends, bent, self.pull))
    }

    /// The touch, from [`energy`](Self::energy) and the [first guess](EnergyPower::guess) of its root.
    #[inline(always)]
    pub fn touch(&self, (energy, pull): (R, LabVec<R>), power: EnergyPower, guess: R) -> PatchTouch<R> {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let overlap = power.root_near(energy, guess);
        let [rise, _] = power.raise(overlap);
        let gradient = pull * (one / rise);
        let slope = gradient.norm();
        let steep = zero.lt(slope);
        let normal = choose(steep, gradient * (one / R::select(steep, slope, one)), self.normal);
        PatchTouch { overlap, slope, normal }
    }
}
