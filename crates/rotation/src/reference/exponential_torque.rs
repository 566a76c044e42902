//! A sphere started from rest by a torque A exp(C t) about a fixed lab axis.
//!
//! Test 3 of Zhao & van Wachem, Acta Mech. 224 (2013) 3091, and 3.2 of Seelen et al., Acta Mech. 227 (2016) 3381. The
//! axis never moves, so the angle is an integral: ω = (A/I) t φ₁(Ct) and θ = (A/I) t² φ₂(Ct), with the entire
//! functions φ₁(x) = (eˣ − 1)/x and φ₂(x) = (eˣ − 1 − x)/x². The theory row of the papers' table is wrong in the
//! fifth digit; what their "improved PCDM" gives is right.

use super::finite;
use crate::{Error, SphericalInertia, Spin};
use tumble_math::{BodyVec, LabVec, Quat};

/// The motion of a sphere, at rest at t = 0, under the lab torque A exp(C t).
#[derive(Clone, Copy, Debug)]
pub struct ExponentialTorque {
    moment: f64,
    torque: LabVec<f64>,
    growth: f64,
    start: Quat<f64>,
}

impl ExponentialTorque {
    /// From the moment of inertia, kg m², the torque A at t = 0, N m, its growth rate C, 1/s (of any sign), and
    /// the orientation at t = 0.
    ///
    /// ```
    /// use tumble_rotation::math::{BodyVec, LabVec, Quat};
    /// use tumble_rotation::reference::ExponentialTorque;
    /// let mass = 1100.0 * 4.0 / 3.0 * core::f64::consts::PI;      // diameter 2 m
    /// let sphere = ExponentialTorque::new(0.4 * mass, LabVec::new(0.0, 1e5, 0.0), 1.0, Quat::identity())?;
    /// assert!((sphere.angle(1.0) - 38.972_080_749_662).abs() < 1e-12);
    /// let arrow = sphere.at(1.0).q.to_lab(BodyVec::new(1.0, 0.0, 0.0));
    /// assert!((arrow - LabVec::new(0.293_443_966_102_984, 0.0, -0.955_976_275_206_53)).norm() < 1e-14);
    /// # Ok::<(), tumble_rotation::Error>(())
    /// ```
    pub fn new(moment: f64, torque: LabVec<f64>, growth: f64, start: Quat<f64>) -> Result<Self, Error> {
        SphericalInertia::new(moment)?;
        for value in torque.to_array() {
            finite("torque", value)?;
        }
        let start = Spin { q: start, omega: BodyVec::zero() }.checked()?.q;
        Ok(Self { moment, torque, growth: finite("growth rate of the torque", growth)?, start })
    }

    /// The lab torque at time `t`, N m.
    pub fn torque(&self, t: f64) -> LabVec<f64> {
        self.torque * (self.growth * t).exp()
    }

    /// The angle turned until `t`, rad.
    pub fn angle(&self, t: f64) -> f64 {
        self.torque.norm() / self.moment * (t * t * phi_2(self.growth * t))
    }

    /// The body angular velocity at time `t`; its direction in the body never changes.
    pub fn omega(&self, t: f64) -> BodyVec<f64> {
        self.start.to_body(self.torque) * (t * phi_1(self.growth * t) / self.moment)
    }

    /// The state at time `t`.
    pub fn at(&self, t: f64) -> Spin<f64> {
        let strength = self.torque.norm();
        let axis = if strength > 0.0 { self.torque * (1.0 / strength) } else { self.torque };
        let (sin, cos) = (0.5 * self.angle(t)).sin_cos();
        Spin { q: (Quat::from_parts(cos, axis * sin) * self.start).normalised(), omega: self.omega(t) }
    }
}

/// (eˣ − 1)/x
pub(super) fn phi_1(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.exp_m1() / x }
}

/// (eˣ − 1 − x)/x²
pub(super) fn phi_2(x: f64) -> f64 {
    if x.abs() > 1.0 {
        return (x.exp_m1() - x) / (x * x);
    }
    // Σ xⁿ/(n + 2)!, by Horner's rule.
    (2..=20).rev().fold(0.0, |sum, n| (1.0 + x * sum) / f64::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phi_functions() {
        let e = core::f64::consts::E;
        assert!((phi_1(1.0) - (e - 1.0)).abs() < 1e-15 && (phi_2(1.0) - (e - 2.0)).abs() < 1e-15);
        assert!((phi_1(0.0) - 1.0).abs() < 1e-16 && (phi_2(0.0) - 0.5).abs() < 1e-16);
        // Both branches of φ₂ meet.
        assert!((phi_2(1.0 + 1e-15) - phi_2(1.0)).abs() < 2e-15);
        assert!((phi_2(-1.0 - 1e-15) - phi_2(-1.0)).abs() < 2e-15);
    }

    #[test]
    fn without_growth_the_acceleration_is_constant() {
        let sphere = ExponentialTorque::new(2.0, LabVec::new(0.0, 0.0, 6.0), 0.0, Quat::identity()).unwrap();
        assert!((sphere.angle(2.0) - 6.0).abs() < 1e-15 && (sphere.omega(2.0).z - 6.0).abs() < 1e-15);
        assert!(ExponentialTorque::new(0.0, LabVec::zero(), 0.0, Quat::identity()).is_err());
    }
}
