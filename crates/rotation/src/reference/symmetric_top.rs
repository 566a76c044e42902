//! A symmetric body free of torque: two steady rotations, one about the angular momentum in the lab, one about the
//! symmetry axis in the body.
//!
//! q(t) = exp(t L/I⊥) q(0) exp(t s â),   s = (1 − Iₐ/I⊥) ωₐ,
//!
//! with the angular momentum L in the lab and the symmetry axis â (Landau & Lifshitz, Mechanics, §35). The body
//! angular velocity turns about â at −s. Test case 3.1 of Seelen et al., Acta Mech. 227 (2016) 3381, is one;
//! its moments (1100, 1100, 2600) break the triangle inequality, which the equations of motion do not mind and this
//! solution does not ask for.

use super::twofold::Twofold;
use crate::{Error, Inertia, PrincipalInertia, SphericalInertia, Spin};
use tumble_math::{BodyVec, LabVec};

/// A principal axis of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// The unit vector along this axis.
    pub const fn unit(self) -> BodyVec<f64> {
        match self {
            Self::X => BodyVec::new(1.0, 0.0, 0.0),
            Self::Y => BodyVec::new(0.0, 1.0, 0.0),
            Self::Z => BodyVec::new(0.0, 0.0, 1.0),
        }
    }
}

/// The free motion of a body with one moment about its symmetry axis and another about every axis across.
#[derive(Clone, Copy, Debug)]
pub struct SymmetricTop {
    inertia: PrincipalInertia<f64>,
    axis: BodyVec<f64>,
    start: Spin<f64>,
    /// s: the rate of the body about its symmetry axis, seen from axes that precess with it.
    spin_rate: Twofold,
    /// |L|/I⊥
    precession_rate: Twofold,
    momentum_direction: LabVec<f64>,
}

impl SymmetricTop {
    /// From the symmetry axis, the moments about it and across it, kg m², and the state at t = 0.
    ///
    /// ```
    /// use tumble_rotation::math::{BodyVec, Quat};
    /// use tumble_rotation::{Spin, reference::{Axis, SymmetricTop}};
    /// let start = Spin { q: Quat::identity(), omega: BodyVec::new(1.2, 0.45, -0.6) };
    /// let top = SymmetricTop::new(Axis::Z, 2600.0, 1100.0, start)?;      // Seelen et al., 3.1
    /// assert!((top.energy() - 1371.375).abs() < 1e-12);
    /// assert!((top.period().unwrap() - 7.679_448_708_775_05).abs() < 1e-14);
    /// # Ok::<(), tumble_rotation::Error>(())
    /// ```
    pub fn new(axis: Axis, axial: f64, transverse: f64, start: Spin<f64>) -> Result<Self, Error> {
        let start = start.checked()?;
        let axis = axis.unit();
        SphericalInertia::new(axial).and(SphericalInertia::new(transverse))?;
        let across = BodyVec::new(1.0, 1.0, 1.0) - axis;
        let inertia = PrincipalInertia::from_moments(axis * axial + across * transverse);
        let mut square = Twofold::from(0.0);
        for (moment, omega) in inertia.moments().to_array().into_iter().zip(start.omega.to_array()) {
            let part = Twofold::quotient(moment, transverse) * omega;
            square = square + part * part;
        }
        let momentum = start.q.to_lab(inertia.momentum(start.omega));
        let length = momentum.norm();
        Ok(Self {
            inertia,
            axis,
            start,
            spin_rate: Twofold::quotient(transverse - axial, transverse) * axis.dot(start.omega),
            precession_rate: square.sqrt(),
            momentum_direction: if length > 0.0 { momentum * (1.0 / length) } else { momentum },
        })
    }

    /// The kinetic energy, J.
    pub fn energy(&self) -> f64 {
        self.inertia.energy(self.start.omega)
    }

    /// The angular momentum, kg m²/s.
    pub fn angular_momentum(&self) -> LabVec<f64> {
        self.start.q.to_lab(self.inertia.momentum(self.start.omega))
    }

    /// The rate, rad/s, at which the angular velocity turns about the symmetry axis in the body frame.
    pub fn body_precession(&self) -> f64 {
        -self.spin_rate.hi
    }

    /// The rate, rad/s, at which the symmetry axis turns about the angular momentum in the lab.
    pub fn lab_precession(&self) -> f64 {
        self.precession_rate.hi
    }

    /// The period of the body angular velocity, s; none if it is constant.
    pub fn period(&self) -> Option<f64> {
        let across = self.axis.cross(self.start.omega).norm();
        let rate = self.spin_rate.hi.abs();
        (rate > 0.0 && across > 0.0).then(|| core::f64::consts::TAU / rate)
    }

    /// The body angular velocity at time `t`.
    pub fn omega(&self, t: f64) -> BodyVec<f64> {
        let along = self.axis * self.axis.dot(self.start.omega);
        let across = self.start.omega - along;
        let (sin, cos) = (self.spin_rate * t).sin_cos();
        along + across * cos - self.axis.cross(across) * sin
    }

    /// The state at time `t`.
    pub fn at(&self, t: f64) -> Spin<f64> {
        let precession = (self.precession_rate * t).about(self.momentum_direction);
        let spin = (self.spin_rate * t).about(self.axis);
        Spin { q: (precession * self.start.q * spin).normalised(), omega: self.omega(t) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_math::Quat;

    #[test]
    fn precession_of_seelens_top() {
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(1.2, 0.45, -0.6) };
        let top = SymmetricTop::new(Axis::Z, 2600.0, 1100.0, start).unwrap();
        assert!((top.body_precession().abs() - 0.9 / 1.1).abs() < 1e-15);
        assert!((top.angular_momentum().norm() / 1100.0 - top.lab_precession()).abs() < 1e-15);
        let turned = top.omega(0.25 * top.period().unwrap());
        assert!((turned - BodyVec::new(0.45, -1.2, -0.6)).norm() < 1e-15);
    }

    #[test]
    fn a_body_at_rest_stays() {
        let rest = Spin { q: Quat::new(0.5, 0.5, 0.5, 0.5), omega: BodyVec::zero() };
        let top = SymmetricTop::new(Axis::X, 1.0, 2.0, rest).unwrap();
        assert!((top.at(5.0).q - rest.q).norm() < 1e-16);
        assert!(top.period().is_none());
    }
}
