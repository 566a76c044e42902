//! The closed box, seen from inside.

use super::{Drawing, Error, Seen, Touch, WallShape, checks};
use crate::law::EnergyPower;
use crate::physics::solid::Solid;
use crate::physics::surface;
use tumble_math::LabVec;

/// A closed box along the axes of its frame, with the spheres inside: six half spaces.
///
/// Features: 0 and 1 are the faces at low and high x, 2 and 3 those of y, 4 and 5 those of z. A centre beyond
/// a face is pushed back inside by it, with an overlap of more than the radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    low: LabVec<f64>,
    high: LabVec<f64>,
}

impl Enclosure {
    /// The box between two opposite corners, m; each component of `high` must exceed that of `low`.
    pub fn new(low: LabVec<f64>, high: LabVec<f64>) -> Result<Self, Error> {
        checks::vector("lower corner of the box", low)?;
        checks::vector("upper corner of the box", high)?;
        for (axis, (low, high)) in
            ['x', 'y', 'z'].into_iter().zip(low.to_array().into_iter().zip(high.to_array()))
        {
            if high <= low {
                return Err(Error::EmptyBox { axis, low, high });
            }
        }
        Ok(Self { low, high })
    }

    /// The corner with the smallest coordinates, m.
    pub fn low(&self) -> LabVec<f64> {
        self.low
    }

    /// The corner with the largest coordinates, m.
    pub fn high(&self) -> LabVec<f64> {
        self.high
    }

    /// The distance to the nearest face, m; negative outside, where it is that to the face's plane.
    #[inline]
    pub fn signed_distance(&self, point: LabVec<f64>) -> f64 {
        let (from_low, from_high) = (point - self.low, self.high - point);
        let distances = [from_low.x, from_high.x, from_low.y, from_high.y, from_low.z, from_high.z];
        distances.into_iter().fold(f64::INFINITY, f64::min)
    }

    pub(super) fn touches(&self, centre: LabVec<f64>, radius: f64, found: &mut Vec<Touch>) {
        let faces = surface::faces(centre, self.low, self.high);
        found.extend(faces.into_iter().filter_map(|face| Touch::at(face, radius)));
    }
}

impl WallShape for Enclosure {
    #[inline]
    fn touches(&self, centre: LabVec<f64>, radius: f64, _: EnergyPower, _: &[u32], found: &mut Vec<Touch>) {
        Self::touches(self, centre, radius, found);
    }

    fn distance(&self, point: LabVec<f64>) -> f64 {
        self.signed_distance(point)
    }

    fn features(&self) -> u32 {
        6
    }

    fn is_convex_room(&self) -> bool {
        true
    }

    fn takes_ellipsoids(&self) -> bool {
        true
    }

    fn touches_of_ellipsoid(&self, ellipsoid: &Solid<f64>, range: f64, found: &mut Vec<Touch>) {
        let faces = surface::faces(ellipsoid.centre, self.low, self.high);
        found.extend(faces.into_iter().filter_map(|face| Touch::of_ellipsoid(ellipsoid, face, range)));
    }

    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        vec![(self.low, 0.0), (self.high, 0.0)]
    }

    fn draw(&self, _: &Seen) -> Drawing {
        Drawing::cuboid(self.low, self.high)
    }
}
