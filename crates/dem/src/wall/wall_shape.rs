//! The contract of a wall shape: what an engine, a neighbour search and a picture ask it.

use super::{Drawing, Pose, Region, Seen, Touch};
use crate::law::EnergyPower;
use crate::physics::solid::Solid;
use core::fmt::Debug;
use std::sync::Arc;
use tumble_math::LabVec;

/// The surface of a wall, in its reference frame.
///
/// A solid shape has a wrong side: a centre in the solid is pushed out, with an overlap of more than the radius for the
/// engine's overlap guard to see, and [`escaped`](Self::escaped) tells. A thin *sheet* is touched from both sides: a
/// centre that went through is pushed on, away from the sheet on its new side. What tells is its overlap of nearly the
/// radius on the way, or, if it was too fast for that, the way itself: [`is_crossed`](Self::is_crossed).
///
/// A shape of a program's own is put into a wall as `Shape::of(shape)`; those of the list are called directly.
///
/// ```
/// use tumble_dem::law::EnergyPower;
/// use tumble_dem::wall::{Drawing, Motion, Seen, Shape, Touch, Wall, WallShape};
/// use tumble_dem::{LabVec, MaterialId};
///
/// /// A solid ball, with the spheres around it.
/// #[derive(Debug)]
/// struct Ball(f64);
///
/// impl WallShape for Ball {
///     fn touches(
///         &self,
///         centre: LabVec<f64>,
///         radius: f64,
///         _: EnergyPower,
///         _: &[u32],
///         found: &mut Vec<Touch>,
///     ) {
///         let overlap = radius - self.distance(centre);
///         if overlap > 0.0 {
///             let normal = centre * (1.0 / centre.norm());
///             found.push(Touch { feature: 0, normal, overlap, slope: 1.0 });
///         }
///     }
///     fn distance(&self, point: LabVec<f64>) -> f64 {
///         point.norm() - self.0
///     }
///     fn features(&self) -> u32 {
///         1
///     }
///     fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
///         vec![(LabVec::zero(), self.0)]
///     }
///     fn draw(&self, _: &Seen) -> Drawing {
///         let end = LabVec::new(0.0, 0.0, self.0);
///         Drawing::frustum([end * -1.0, end], [self.0; 2], end * (1.0 / self.0), true)
///     }
/// }
///
/// let ball = Wall::new("ball", Shape::of(Ball(0.1)), MaterialId(0), Motion::fixed())?;
/// assert!(ball.shape.near(LabVec::new(0.0, 0.0, 0.11), 0.02));
/// # Ok::<(), tumble_dem::wall::Error>(())
/// ```
pub trait WallShape: Debug + Send + Sync + 'static {
    /// Appends the touches of a sphere to `found`, in an order that depends only on the shape. Parts of a mesh that
    /// make up one touch are put together for a law whose energy goes with this power of the overlap.
    ///
    /// A shape of many parts looks at its `candidates` alone, which are in ascending order and hold all within `radius`
    /// of the centre. Nothing is allocated once `found` has room. A centre that is NaN touches nothing.
    fn touches(
        &self,
        centre: LabVec<f64>,
        radius: f64,
        power: EnergyPower,
        candidates: &[u32],
        found: &mut Vec<Touch>,
    );

    /// The distance from a point to the surface, m; negative in a solid. For solids it never exceeds the distance that
    /// [`touches`](Self::touches) compares with the radius.
    fn distance(&self, point: LabVec<f64>) -> f64;

    /// One more than the largest number of a feature.
    fn features(&self) -> u32;

    /// Balls that hold all of the surface that has an end, as centres and radii, m: what a picture shows.
    fn extent(&self) -> Vec<(LabVec<f64>, f64)>;

    /// The surface as triangles, for pictures; of one without end as much as is seen, with the directions along which it
    /// goes on.
    fn draw(&self, seen: &Seen) -> Drawing;

    /// Whether the surface is within `reach` of a point, m, or the point in a solid.
    fn near(&self, point: LabVec<f64>, reach: f64) -> bool {
        self.distance(point) <= reach
    }

    /// Appends the numbers of the parts within `reach` of a point, ascending, if the shape has many.
    fn candidates(&self, _point: LabVec<f64>, _reach: f64, _parts: &mut Vec<u32>) {}

    /// Whether the space that it leaves free is convex, as that above a plane or in a box. A capsule is then deepest at one of its
    /// ends, which touch as spheres do; shapes that a capsule can touch with its middle are refused where there are capsules.
    fn is_convex_room(&self) -> bool {
        false
    }

    /// Whether [`touches_of_ellipsoid`](Self::touches_of_ellipsoid) finds all touches of one. Other shapes are refused where there are ellipsoids.
    fn takes_ellipsoids(&self) -> bool {
        false
    }

    /// Appends the touches of an ellipsoid, and those that are less than `range` from one, with an overlap below zero. There is at most one for each
    /// feature.
    fn touches_of_ellipsoid(&self, _ellipsoid: &Solid<f64>, _range: f64, _found: &mut Vec<Touch>) {}

    /// The smallest radius of curvature of the surface about its free space, m, if it is not flat. Ellipsoids have to be rounder everywhere, so
    /// that they touch it at one point.
    fn narrowest(&self) -> Option<f64> {
        None
    }

    /// Whether it is a thin sheet, touched from both sides.
    fn is_sheet(&self) -> bool {
        false
    }

    /// Whether the straight line from one point to another goes through the sheet. Only sheets are asked.
    fn is_crossed(&self, _from: LabVec<f64>, _to: LabVec<f64>) -> bool {
        false
    }

    /// Whether a centre is in the solid of a shape that has one: outside the box, behind the plane.
    fn escaped(&self, centre: LabVec<f64>) -> bool {
        !self.is_sheet() && self.distance(centre) < 0.0
    }

    /// By how much the distance from any fixed point of the region to the surface can differ between two poses of the
    /// wall, at most, m; the displacement of the wall's material is a bound already.
    ///
    /// This is what a neighbour search has to allow for. It is zero, up to rounding, for motions that map the surface
    /// onto itself: a plane that slides along itself, a drum that spins about its own axis.
    fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        from.displacement_bound(to, region)
    }
}

/// Walls may share a shape.
impl<S: WallShape + ?Sized> WallShape for Arc<S> {
    #[inline]
    fn touches(
        &self,
        centre: LabVec<f64>,
        radius: f64,
        power: EnergyPower,
        candidates: &[u32],
        found: &mut Vec<Touch>,
    ) {
        (**self).touches(centre, radius, power, candidates, found);
    }
    fn distance(&self, point: LabVec<f64>) -> f64 {
        (**self).distance(point)
    }
    fn features(&self) -> u32 {
        (**self).features()
    }
    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        (**self).extent()
    }
    fn draw(&self, seen: &Seen) -> Drawing {
        (**self).draw(seen)
    }
    fn near(&self, point: LabVec<f64>, reach: f64) -> bool {
        (**self).near(point, reach)
    }
    fn candidates(&self, point: LabVec<f64>, reach: f64, parts: &mut Vec<u32>) {
        (**self).candidates(point, reach, parts);
    }
    fn is_convex_room(&self) -> bool {
        (**self).is_convex_room()
    }
    fn takes_ellipsoids(&self) -> bool {
        (**self).takes_ellipsoids()
    }
    fn touches_of_ellipsoid(&self, ellipsoid: &Solid<f64>, range: f64, found: &mut Vec<Touch>) {
        (**self).touches_of_ellipsoid(ellipsoid, range, found);
    }
    fn narrowest(&self) -> Option<f64> {
        (**self).narrowest()
    }
    fn is_sheet(&self) -> bool {
        (**self).is_sheet()
    }
    fn is_crossed(&self, from: LabVec<f64>, to: LabVec<f64>) -> bool {
        (**self).is_crossed(from, to)
    }
    fn escaped(&self, centre: LabVec<f64>) -> bool {
        (**self).escaped(centre)
    }
    fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        (**self).displacement_bound(from, to, region)
    }
}
