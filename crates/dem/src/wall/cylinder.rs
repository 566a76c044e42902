//! The circular cylinder: a tube around the spheres, or a rod among them.

use super::frustum::{Axis, Frustum};
use super::{Drawing, Error, Pose, Region, Seen, Side, Touch, WallShape, checks, crossing};
use crate::law::EnergyPower;
use crate::physics::solid::{Solid, deepest_in_tube};
use crate::physics::surface::{self, Nearest};
use crate::plain::SurfaceKind;
use crate::record::to_numbers;
use tumble_math::LabVec;

/// A circular cylinder, infinite or of a given length.
///
/// - [`Inside`](Side::Inside), infinite: all beyond the tube is solid; a centre there is pushed back inside.
/// - `Inside`, finite: a thin tube without caps that spheres touch from both sides; a centre beyond the sheet
///   is pushed on outwards, so that a sphere may roll over the rim.
/// - [`Outside`](Side::Outside), infinite: a solid rod; a centre in it is pushed out.
/// - `Outside`, finite: a solid rod with flat caps and sharp rims; a centre in it is pushed out through the
///   nearest face.
///
/// A centre in a solid has an overlap of more than the radius. Features: 0 the curved surface; 1 and 2 the
/// rims at the point and at the far end; 3 and 4 the caps there. The touch of a sphere exactly on the axis,
/// equally near to a whole circle, has the mean direction of all of them, or where there is none any.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    axis: Axis,
    radius: f64,
    side: Side,
    finite: Option<Frustum>,
}

impl Cylinder {
    /// A cylinder of the given radius, m, about the axis through `point` along `axis` (of any length).
    /// With `Some(length)`, m, it reaches from the point that far along the axis; with `None` it has no ends.
    pub fn new(
        point: LabVec<f64>,
        axis: LabVec<f64>,
        radius: f64,
        side: Side,
        length: Option<f64>,
    ) -> Result<Self, Error> {
        let point = checks::vector("point on the axis of the cylinder", point)?;
        let axis = Axis::new(point, checks::direction("axis of the cylinder", axis)?);
        checks::positive("radius of the cylinder", radius)?;
        let finite = length.map(|length| Frustum::new(axis, length, [radius; 2], side)).transpose()?;
        Ok(Self { axis, radius, side, finite })
    }

    /// The point of the axis that was given, m; the first end of a finite cylinder.
    pub fn point(&self) -> LabVec<f64> {
        self.axis.point
    }

    /// The unit vector along the axis.
    pub fn axis(&self) -> LabVec<f64> {
        self.axis.along
    }

    /// The radius, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Where the spheres are.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The length, m, if it is finite.
    pub fn length(&self) -> Option<f64> {
        self.finite.map(|finite| finite.surface.length)
    }

    /// The distance to the surface, m; negative in the solid.
    pub fn signed_distance(&self, point: LabVec<f64>) -> f64 {
        match &self.finite {
            Some(finite) => finite.signed_distance(point),
            None => self.nearest(point).distance,
        }
    }

    /// Whether behind the surface is a solid, so that it has a wrong side.
    pub(super) fn is_solid(&self) -> bool {
        self.finite.is_none() || self.side == Side::Outside
    }

    pub(super) fn touches(&self, centre: LabVec<f64>, radius: f64, found: &mut Vec<Touch>) {
        if let Some(finite) = &self.finite {
            return finite.touches(centre, radius, found);
        }
        found.extend(Touch::at(self.nearest(centre), radius));
    }

    /// As plain data.
    pub(crate) fn as_surface(&self) -> (SurfaceKind, Vec<f64>) {
        if let Some(finite) = &self.finite {
            return finite.as_surface();
        }
        let mut numbers = to_numbers(self.axis);
        numbers.push(self.radius);
        (SurfaceKind::Cylinder(self.side), numbers)
    }

    /// That of the surface without ends.
    #[inline]
    fn nearest(&self, centre: LabVec<f64>) -> Nearest<f64> {
        surface::cylinder(centre, &self.axis, self.radius, self.side)
    }
}

impl WallShape for Cylinder {
    #[inline]
    fn touches(&self, centre: LabVec<f64>, radius: f64, _: EnergyPower, _: &[u32], found: &mut Vec<Touch>) {
        Self::touches(self, centre, radius, found);
    }

    fn distance(&self, point: LabVec<f64>) -> f64 {
        self.signed_distance(point)
    }

    fn features(&self) -> u32 {
        5
    }

    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        let ends = [0.0, self.length().unwrap_or(0.0)];
        ends.map(|at| (self.point() + self.axis() * at, self.radius())).to_vec()
    }

    fn draw(&self, seen: &Seen) -> Drawing {
        let (point, axis) = (self.point(), self.axis());
        let [from, to] = self.length().map_or_else(|| seen.along(point, axis), |length| [0.0, length]);
        let capped = self.length().is_some() && self.side() == Side::Outside;
        let ends = [point + axis * from, point + axis * to];
        Drawing {
            endless: if self.length().is_some() { Vec::new() } else { vec![axis] },
            ..Drawing::frustum(ends, [self.radius(); 2], axis, capped)
        }
    }

    /// A thin tube with ends has room outside.
    fn is_convex_room(&self) -> bool {
        self.length().is_none() && self.side() == Side::Inside
    }

    fn takes_ellipsoids(&self) -> bool {
        self.is_convex_room()
    }

    fn touches_of_ellipsoid(&self, ellipsoid: &Solid<f64>, range: f64, found: &mut Vec<Touch>) {
        let (overlap, normal) = deepest_in_tube(ellipsoid, &self.axis, self.radius);
        if overlap > -range {
            found.push(Touch { feature: 0, normal, overlap, slope: 1.0 });
        }
    }

    fn narrowest(&self) -> Option<f64> {
        Some(self.radius)
    }

    fn is_sheet(&self) -> bool {
        self.length().is_some() && !self.is_solid()
    }

    fn is_crossed(&self, from: LabVec<f64>, to: LabVec<f64>) -> bool {
        self.length()
            .is_some_and(|length| crossing::of_frustum(self.axis, length, [self.radius(); 2], from, to))
    }

    fn escaped(&self, centre: LabVec<f64>) -> bool {
        self.is_solid() && self.signed_distance(centre) < 0.0
    }

    fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        self.axis.displacement_bound(self.length().is_none(), from, to, region)
    }
}
