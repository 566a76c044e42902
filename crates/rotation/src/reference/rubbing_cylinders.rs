//! Two cylinders on parallel fixed axes that rub against each other (Seelen et al., Acta Mech. 227 (2016) 3381, 3.4).
//!
//! Both spin about z; cylinder 1 touches cylinder 2 from the left, so their surfaces move with R₁ω₁ and −R₂ω₂ at the
//! contact, and slide at v = R₁ω₁ + R₂ω₂. The force −ηv on cylinder 1 and its reaction give
//!
//! I₁ω̇₁ = −ηR₁v,   I₂ω̇₂ = −ηR₂v   ⇒   v̇ = −Γv,   Γ = η (R₁²/I₁ + R₂²/I₂),
//!
//! while I₁ω₁/R₁ − I₂ω₂/R₂ is conserved. The paper gives radii, spins and η but no moments of inertia: the caller
//! chooses. Friction may be zero, the functions φ₁ and φ₂ take care of that.

use super::exponential_torque::{phi_1, phi_2};
use super::finite;
use crate::{Error, SphericalInertia, Spin};
use tumble_math::{BodyVec, Quat};

/// One of the two cylinders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Radius, m.
    pub radius: f64,
    /// Moment of inertia about its axis, kg m².
    pub moment: f64,
    /// Angular velocity at t = 0, rad/s.
    pub omega: f64,
}

/// The motion of two rubbing cylinders.
#[derive(Clone, Copy, Debug)]
pub struct RubbingCylinders {
    cylinders: [Cylinder; 2],
    friction: f64,
}

impl RubbingCylinders {
    /// From the cylinders at t = 0 and the friction constant η, kg/s.
    ///
    /// ```
    /// use tumble_rotation::reference::{Cylinder, RubbingCylinders};
    /// let pair = RubbingCylinders::new(
    ///     [Cylinder { radius: 1.0, moment: 5.0, omega: 2.0 }, Cylinder { radius: 2.4, moment: 30.0, omega: 0.4 }],
    ///     5.4,
    /// )?;
    /// let [first, second] = pair.omega(100.0);              // they end up rolling on each other
    /// assert!((first + 2.4 * second).abs() < 1e-14 && second < 0.0);
    /// # Ok::<(), tumble_rotation::Error>(())
    /// ```
    pub fn new(cylinders: [Cylinder; 2], friction: f64) -> Result<Self, Error> {
        for cylinder in cylinders {
            SphericalInertia::new(cylinder.moment)?;
            finite("radius", cylinder.radius)?;
            finite("angular velocity", cylinder.omega)?;
        }
        Ok(Self { cylinders, friction: finite("friction constant", friction)? })
    }

    /// Γ, the rate at which sliding dies out, 1/s.
    pub fn decay_rate(&self) -> f64 {
        self.friction * self.cylinders.iter().map(|c| c.radius * c.radius / c.moment).sum::<f64>()
    }

    /// The sliding velocity v at time `t`, m/s.
    pub fn sliding(&self, t: f64) -> f64 {
        let start: f64 = self.cylinders.iter().map(|c| c.radius * c.omega).sum();
        start * (-self.decay_rate() * t).exp()
    }

    /// The angular velocities at time `t`, rad/s.
    pub fn omega(&self, t: f64) -> [f64; 2] {
        let slid = t * phi_1(-self.decay_rate() * t);
        self.cylinders.map(|c| c.omega - self.deceleration(c) * slid)
    }

    /// The angles turned until `t`, rad.
    pub fn angle(&self, t: f64) -> [f64; 2] {
        let slid = t * t * phi_2(-self.decay_rate() * t);
        self.cylinders.map(|c| c.omega * t - self.deceleration(c) * slid)
    }

    /// The states at time `t`, both cylinders being at the identity at t = 0.
    pub fn at(&self, t: f64) -> [Spin<f64>; 2] {
        let (angle, omega) = (self.angle(t), self.omega(t));
        [0, 1].map(|i| {
            let (sin, cos) = (0.5 * angle[i]).sin_cos();
            Spin { q: Quat::new(cos, 0.0, 0.0, sin), omega: BodyVec::new(0.0, 0.0, omega[i]) }
        })
    }

    /// −ω̇ at t = 0.
    fn deceleration(&self, cylinder: Cylinder) -> f64 {
        self.friction * cylinder.radius / cylinder.moment * self.sliding(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(friction: f64) -> RubbingCylinders {
        let first = Cylinder { radius: 1.0, moment: 5.0, omega: 2.0 };
        let second = Cylinder { radius: 2.4, moment: 30.0, omega: 0.4 };
        RubbingCylinders::new([first, second], friction).unwrap()
    }

    #[test]
    fn sliding_and_the_conserved_combination() {
        let pair = pair(5.4);
        for t in [0.0, 0.3, 1.0, 7.0] {
            let [first, second] = pair.omega(t);
            assert!((first + 2.4 * second - pair.sliding(t)).abs() < 1e-14);
            assert!((5.0 * first - 30.0 * second / 2.4 - 5.0).abs() < 1e-13);
        }
    }

    #[test]
    fn without_friction_they_spin_on() {
        let [first, second] = pair(0.0).angle(3.0);
        assert!((first - 6.0).abs() < 1e-15 && (second - 1.2).abs() < 1e-15);
    }
}
