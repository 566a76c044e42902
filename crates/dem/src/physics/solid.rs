//! A piece of any kind as a convex body that is known by its support function h(n) = max n·x over its points x from its centre: |Aᵀn| = √(n·AAᵀn) for
//! the ellipsoid that A makes of the unit ball. The point with the normal n is ∇h(n).

use super::choose;
use super::ellipsoid::{LONGEST_TURN, ROUNDS, facing};
use super::geometry::Sphere;
use super::piece::{Core, Piece};
use super::surface::Axis;
use crate::record;
use tumble_math::{LabVec, Real};

record! {
    /// A symmetric tensor in the lab.
    Square, SQUARE {
        /// xx, yy, zz.
        diagonal: LabVec<R>,
        /// yz, xz, xy.
        off_diagonal: LabVec<R>,
    }
}

impl<R: Real> Square<R> {
    /// So much times the identity.
    #[inline(always)]
    pub(super) fn isotropic(each: R) -> Self {
        Self { diagonal: LabVec::new(each, each, each), off_diagonal: LabVec::zero() }
    }

    #[inline(always)]
    pub(super) fn dyad(v: LabVec<R>) -> Self {
        Self { diagonal: v.times(v), off_diagonal: LabVec::new(v.y * v.z, v.x * v.z, v.x * v.y) }
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Self) -> Self {
        let off_diagonal = self.off_diagonal + other.off_diagonal;
        Self { diagonal: self.diagonal + other.diagonal, off_diagonal }
    }

    #[inline(always)]
    pub(super) fn times(self, factor: R) -> Self {
        Self { diagonal: self.diagonal * factor, off_diagonal: self.off_diagonal * factor }
    }

    /// The product with a vector.
    #[inline(always)]
    pub fn of(&self, v: LabVec<R>) -> LabVec<R> {
        let (d, o) = (self.diagonal, self.off_diagonal);
        LabVec::new(
            d.x * v.x + o.z * v.y + o.y * v.z,
            o.z * v.x + d.y * v.y + o.x * v.z,
            o.y * v.x + o.x * v.y + d.z * v.z,
        )
    }

    #[inline(always)]
    pub(super) fn trace(&self) -> R {
        self.diagonal.x + self.diagonal.y + self.diagonal.z
    }

    /// The inverse times the determinant, and the determinant.
    #[inline(always)]
    pub(super) fn adjugate(&self) -> (Self, R) {
        let (d, o) = (self.diagonal, self.off_diagonal);
        let diagonal = LabVec::new(d.y * d.z - o.x * o.x, d.x * d.z - o.y * o.y, d.x * d.y - o.z * o.z);
        let off_diagonal = LabVec::new(o.y * o.z - d.x * o.x, o.x * o.z - d.y * o.y, o.x * o.y - d.z * o.z);
        let determinant = d.x * diagonal.x + o.z * off_diagonal.z + o.y * off_diagonal.y;
        (Self { diagonal, off_diagonal }, determinant)
    }

    /// PMP with P = 1 − ûûᵀ: what is left of it across a direction.
    #[inline(always)]
    pub(super) fn across(self, along: LabVec<R>) -> Self {
        let image = self.of(along);
        let twice = image - along * (along.dot(image) * R::lit(0.5));
        // ûwᵀ + wûᵀ with w = Mû − ½(û·Mû)û.
        let (u, w) = (along, twice);
        let diagonal = u.times(w) * R::lit(2.0);
        let off_diagonal = LabVec::new(u.y * w.z + u.z * w.y, u.x * w.z + u.z * w.x, u.x * w.y + u.y * w.x);
        Self { diagonal: self.diagonal - diagonal, off_diagonal: self.off_diagonal - off_diagonal }
    }
}

/// A ball this small, as a part of the radius, is a point; what is divided by its size is not lost to rounding.
const SMALL: f64 = 1e-3;

record! {
    /// A piece of any kind, as its support function has it.
    Solid, SOLID {
        /// The centre of an ellipsoid or a sphere, the middle of a capsule, m.
        centre: LabVec<R>,
        /// From the middle of a capsule to its second end, m; else zero.
        half: LabVec<R>,
        /// AAᵀ of an ellipsoid; the square of the radius for a sphere or a capsule, m².
        square: Square<R>,
        /// Of the sphere that stands for it in contacts, m.
        radius: R,
        /// 1 for an ellipsoid, 0 for a sphere or a capsule.
        oval: R,
    }
}

impl<R: Real> Solid<R> {
    /// The piece with these points: of an ellipsoid its centre and the ends of its three semi-axes. A capsule has its two ends, then the
    /// first one twice more, and a sphere its centre four times.
    #[inline(always)]
    pub fn of_points([first, second, third, fourth]: [LabVec<R>; 4], radius: R) -> Self {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let axes = [second - first, third - first, fourth - first];
        let oval = zero.lt(axes[2].norm_squared());
        let [u, v, w] = axes.map(Square::dyad);
        let (own, ball) = (u.plus(v).plus(w), Square::isotropic(radius * radius));
        let square = Square {
            diagonal: choose(oval, own.diagonal, ball.diagonal),
            off_diagonal: choose(oval, own.off_diagonal, ball.off_diagonal),
        };
        let half = choose(oval, LabVec::zero(), axes[0] * half);
        Self { centre: first + half, half, square, radius, oval: R::select(oval, one, zero) }
    }

    /// How far it reaches from its centre along a unit vector, without what a capsule has along its axis, m.
    #[inline(always)]
    pub fn height(&self, along: LabVec<R>) -> R {
        along.dot(self.square.of(along)).sqrt()
    }

    /// As far from the centre along a unit vector as it reaches.
    #[inline(always)]
    pub fn farthest(&self, along: LabVec<R>) -> LabVec<R> {
        let image = self.square.of(along);
        image * (R::lit(1.0) / along.dot(image).sqrt())
    }

    /// The sphere behind its farthest point along a unit vector.
    #[inline(always)]
    pub fn sphere(&self, along: LabVec<R>) -> Sphere<R> {
        Sphere { centre: self.centre + self.farthest(along) - along * self.radius, radius: self.radius }
    }

    /// The sphere behind the point of an ellipsoid that is nearest to a point.
    #[inline(always)]
    pub fn sphere_behind(&self, point: LabVec<R>) -> Sphere<R> {
        let small = Self::of_points([point; 4], self.radius * R::lit(SMALL));
        facing(self, &small, false).first
    }

    #[inline(always)]
    pub(super) fn piece(&self) -> Piece<R> {
        Piece { core: Core { middle: self.centre, half: self.half }, radius: self.radius }
    }
}

/// How far an ellipsoid reaches into the wall of a tube of some radius about an axis, m; and the normal there, towards the axis.
#[inline(always)]
pub fn deepest_in_tube<R: Real>(ellipsoid: &Solid<R>, axis: &Axis<R>, radius: R) -> (R, LabVec<R>) {
    let arm = ellipsoid.centre - axis.point;
    let offset = arm - axis.along * axis.along.dot(arm);
    let (outwards, reach) = farthest_from_axis(ellipsoid, offset, axis.along, axis.across);
    (reach - radius, -outwards)
}

/// How many rounds go up before Newton's method takes over, in a tube.
const ROUNDS_UP: usize = 8;

/// The unit vector across a direction along which an ellipsoid reaches farthest from a line of that direction, and how far, m. `offset` is from
/// the line to its centre, across the line.
///
/// That is the maximum of h(n) + n·d over n across the line. It is the only one that reaches a tube about the line whose radius is larger than all
/// radii of curvature of the ellipsoid. The sum is convex in n, so each step to the direction of its gradient goes up; some of these, then Newton's
/// method for the angle.
#[inline(always)]
pub fn farthest_from_axis<R: Real>(
    ellipsoid: &Solid<R>,
    offset: LabVec<R>,
    along: LabVec<R>,
    across: LabVec<R>,
) -> (LabVec<R>, R) {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let square = ellipsoid.square.across(along);
    let unit = |v: LabVec<R>| {
        let length = v.norm();
        let some = zero.lt(length);
        choose(some, v * (one / R::select(some, length, one)), across)
    };
    let mut n = unit(offset);
    for _ in 0..ROUNDS_UP {
        let image = square.of(n);
        n = unit(offset + image * (one / n.dot(image).sqrt()));
    }
    for _ in 0..ROUNDS {
        let sideways = along.cross(n);
        let image = square.of(n);
        let height = n.dot(image).sqrt();
        let slope = sideways.dot(image) / height + sideways.dot(offset);
        let tilted = sideways.dot(image) / height;
        let curvature = (sideways.dot(square.of(sideways)) - tilted * tilted) / height;
        let reach = height + n.dot(offset);
        let steep = reach - curvature;
        // Where it does not bend downwards, nothing is touched.
        let angle = slope / R::select(zero.lt(steep), steep, reach);
        let longest = R::lit(LONGEST_TURN);
        let angle = R::select(longest.lt(angle), longest, R::select(angle.lt(-longest), -longest, angle));
        n = unit(n + sideways * angle);
    }
    (n, n.dot(square.of(n)).sqrt() + n.dot(offset))
}
