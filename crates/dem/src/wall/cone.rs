//! The conical frustum: a hopper around the spheres, or a solid cone among them.

use super::frustum::{Axis, Frustum};
use super::{Drawing, Error, Pose, Region, Seen, Side, Touch, WallShape, checks, crossing};
use crate::law::EnergyPower;
use crate::physics::surface;
use crate::plain::SurfaceKind;
use tumble_math::LabVec;

/// A cone cut at two ends.
///
/// [`Inside`](Side::Inside) it is a hopper: a thin sheet without caps that spheres touch from both sides; a
/// centre beyond the sheet is pushed on outwards, so that a sphere may spill over the rim.
/// [`Outside`](Side::Outside) it is a solid with flat caps and sharp rims; a centre in it is pushed out
/// through the nearest face, with an overlap of more than the radius. Features: 0 the curved surface; 1 and 2
/// the rims at the first and second end (an end of radius zero is a tip); 3 and 4 the caps there.
///
/// The touch of a sphere exactly on the axis, equally near to a whole circle of the cone, points along the
/// axis, the mean of all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    frustum: Frustum,
}

impl Cone {
    /// The cone between the circles of the given radii about two points on its axis, m. One radius may be
    /// zero.
    ///
    /// ```
    /// use tumble_dem::wall::{Cone, Side};
    /// use tumble_math::LabVec;
    /// // A hopper with an outlet 2 cm wide, 20 cm wide at the top, 15 cm high.
    /// let outlet = LabVec::new(0.0, 0.0, 0.0);
    /// let hopper = Cone::new([outlet, LabVec::new(0.0, 0.0, 0.15)], [0.01, 0.10], Side::Inside)?;
    /// # Ok::<(), tumble_dem::wall::Error>(())
    /// ```
    pub fn new(ends: [LabVec<f64>; 2], radii: [f64; 2], side: Side) -> Result<Self, Error> {
        let [point, end] = ends;
        checks::vector("first end of the cone", point)?;
        checks::vector("second end of the cone", end)?;
        let along = checks::direction("axis of the cone, from its first end to its second,", end - point)?;
        let axis = Axis::new(point, along);
        Ok(Self { frustum: Frustum::new(axis, (end - point).dot(along), radii, side)? })
    }

    /// The centres of the two end circles, m.
    pub fn ends(&self) -> [LabVec<f64>; 2] {
        let surface::Frustum { axis: Axis { point, along, .. }, length, .. } = self.frustum.surface;
        [point, point + along * length]
    }

    /// The radii of the two end circles, m.
    pub fn radii(&self) -> [f64; 2] {
        [self.frustum.surface.first, self.frustum.surface.last]
    }

    /// The unit vector from the first end to the second.
    pub fn axis(&self) -> LabVec<f64> {
        self.frustum.surface.axis.along
    }

    /// As plain data.
    pub(crate) fn as_surface(&self) -> (SurfaceKind, Vec<f64>) {
        self.frustum.as_surface()
    }

    /// Where the spheres are.
    pub fn side(&self) -> Side {
        self.frustum.side
    }

    /// The distance to the surface, m; negative within a solid cone.
    pub fn signed_distance(&self, point: LabVec<f64>) -> f64 {
        self.frustum.signed_distance(point)
    }

    /// Whether behind the surface is a solid, so that it has a wrong side.
    pub(super) fn is_solid(&self) -> bool {
        self.frustum.side == Side::Outside
    }

    pub(super) fn touches(&self, centre: LabVec<f64>, radius: f64, found: &mut Vec<Touch>) {
        self.frustum.touches(centre, radius, found);
    }
}

impl WallShape for Cone {
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
        [0, 1].map(|end| (self.ends()[end], self.radii()[end])).to_vec()
    }

    fn draw(&self, _: &Seen) -> Drawing {
        Drawing::frustum(self.ends(), self.radii(), self.axis(), self.side() == Side::Outside)
    }

    fn is_sheet(&self) -> bool {
        !self.is_solid()
    }

    fn is_crossed(&self, from: LabVec<f64>, to: LabVec<f64>) -> bool {
        let [start, end] = self.ends();
        crossing::of_frustum(self.frustum.surface.axis, (end - start).norm(), self.radii(), from, to)
    }

    fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        self.frustum.surface.axis.displacement_bound(false, from, to, region)
    }
}
