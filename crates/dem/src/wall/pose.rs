//! Where a moving wall is at one instant, and how fast.

use crate::physics::surface;
use tumble_math::{LabVec, Quat};

/// Place and velocity of a wall's reference frame: a point x of the reference frame is at
/// `origin + R (x − pivot)` in the laboratory, with R the rotation of `orientation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The point about which the wall turns, in the reference frame, m.
    pub pivot: LabVec<f64>,
    /// Where that point is now, in the laboratory, m.
    pub origin: LabVec<f64>,
    /// The rotation from the reference frame to the laboratory; a unit quaternion.
    pub orientation: Quat<f64>,
    /// The velocity of that point, m/s.
    pub velocity: LabVec<f64>,
    /// The angular velocity in the laboratory, rad/s.
    pub angular_velocity: LabVec<f64>,
    /// Whether the wall is there: nothing touches one that is not.
    pub present: bool,
}

/// The part of the laboratory that matters: a ball around all spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Its centre, m.
    pub centre: LabVec<f64>,
    /// Its radius, m.
    pub radius: f64,
}

impl Pose {
    /// At rest where it was drawn.
    pub fn reference() -> Self {
        Self {
            pivot: LabVec::zero(),
            origin: LabVec::zero(),
            orientation: Quat::identity(),
            velocity: LabVec::zero(),
            angular_velocity: LabVec::zero(),
            present: true,
        }
    }

    /// The same place at rest, of a wall that is there.
    pub(super) fn at_rest(&self) -> Self {
        Self { velocity: LabVec::zero(), angular_velocity: LabVec::zero(), present: true, ..*self }
    }

    /// A point of the laboratory seen from the reference frame.
    #[inline]
    pub fn to_reference(&self, point: LabVec<f64>) -> LabVec<f64> {
        surface::to_reference(point, self.pivot, self.origin, self.orientation)
    }

    /// A point of the reference frame seen from the laboratory.
    #[inline]
    pub fn to_lab(&self, point: LabVec<f64>) -> LabVec<f64> {
        self.origin + self.direction_to_lab(point - self.pivot)
    }

    /// A direction of the reference frame, such as a normal, seen from the laboratory.
    #[inline]
    pub fn direction_to_lab(&self, direction: LabVec<f64>) -> LabVec<f64> {
        surface::direction_to_lab(direction, self.orientation)
    }

    /// The velocity of the wall's material at a point of the laboratory, m/s.
    #[inline]
    pub fn velocity_at(&self, point: LabVec<f64>) -> LabVec<f64> {
        surface::velocity_at(point, self.origin, self.velocity, self.angular_velocity)
    }

    /// The largest speed of the wall's material in a region, m/s.
    pub fn max_speed(&self, region: Region) -> f64 {
        self.velocity_at(region.centre).norm() + self.angular_velocity.norm() * region.radius
    }

    /// How far the wall's material moves between two poses, at most, where it is in the region in either, m.
    ///
    /// The reference coordinates of a fixed point x change by an affine function of x with the matrix
    /// Rᵀ − R'ᵀ, whose norm is 2 sin(θ/2) for the angle θ between the poses; so the change is at most that at
    /// the region's centre plus this norm times its radius.
    pub fn displacement_bound(&self, other: &Self, region: Region) -> f64 {
        let moved = (self.to_reference(region.centre) - other.to_reference(region.centre)).norm();
        let half_sine =
            (self.orientation.conjugate() * other.orientation).vector::<tumble_math::Lab>().norm();
        moved + 2.0 * half_sine * region.radius
    }
}
