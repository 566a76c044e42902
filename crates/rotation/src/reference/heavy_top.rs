//! A body with one point fixed and a constant force on another: the heavy top, integrated by [`Converged`].
//!
//! Moments of inertia and angular velocity are about the fixed point; the torque is r × F, r being the point of the
//! body (from the fixed one) at which the lab force F acts. Energy ½ω·Iω − F·(q r) and the angular momentum about F
//! are conserved. The test of O. Brüls, A. Cardona & M. Arnold, Mech. Mach. Theory 48 (2012) 121, is the special case
//! [`HeavyTop::bruls_cardona_arnold`].

use super::{Converged, NotConverged, finite};
use crate::{Error, Inertia, PrincipalInertia, Spin};
use tumble_math::{BodyVec, LabVec, Quat};

/// A body that can turn about a fixed point, under a constant force.
#[derive(Clone, Copy, Debug)]
pub struct HeavyTop {
    inertia: PrincipalInertia<f64>,
    arm: BodyVec<f64>,
    force: LabVec<f64>,
    start: Spin<f64>,
}

impl HeavyTop {
    /// From the principal moments about the fixed point, the body point at which the force acts, the force, N, and
    /// the state at t = 0.
    ///
    /// ```
    /// use tumble_rotation::reference::HeavyTop;
    /// let top = HeavyTop::bruls_cardona_arnold();
    /// assert!((top.energy(top.start()) - 5_435.696_790_865_5).abs() < 1e-9);
    /// let spin = top.at(0.01)?;
    /// assert!((top.energy(spin) - top.energy(top.start())).abs() < 1e-9);
    /// # Ok::<(), tumble_rotation::reference::NotConverged>(())
    /// ```
    pub fn new(
        inertia: PrincipalInertia<f64>,
        arm: BodyVec<f64>,
        force: LabVec<f64>,
        start: Spin<f64>,
    ) -> Result<Self, Error> {
        for (what, values) in [("lever arm", arm.to_array()), ("force", force.to_array())] {
            for value in values {
                finite(what, value)?;
            }
        }
        Ok(Self { inertia, arm, force, start: start.checked()? })
    }

    /// 15 kg at one metre along y from the fixed point, with moments (0.234375, 0.46875, 0.234375) about its centre,
    /// hence 15 kg m² more across the arm (Steiner); gravity 9.81 m/s² along −z; axes aligned with the lab's and
    /// ω = (0, 150, −4.61538) rad/s at t = 0.
    pub fn bruls_cardona_arnold() -> Self {
        Self {
            inertia: PrincipalInertia::from_moments(BodyVec::new(15.234_375, 0.468_75, 15.234_375)),
            arm: BodyVec::new(0.0, 1.0, 0.0),
            force: LabVec::new(0.0, 0.0, -15.0 * 9.81),
            start: Spin { q: Quat::identity(), omega: BodyVec::new(0.0, 150.0, -4.615_38) },
        }
    }

    /// The state at t = 0.
    pub fn start(&self) -> Spin<f64> {
        self.start
    }

    /// The principal moments about the fixed point, kg m².
    pub fn inertia(&self) -> PrincipalInertia<f64> {
        self.inertia
    }

    /// The torque about the fixed point, N m.
    pub fn torque(&self, spin: Spin<f64>) -> LabVec<f64> {
        self.tip(spin).cross(self.force)
    }

    /// Where the force acts, in the lab.
    pub fn tip(&self, spin: Spin<f64>) -> LabVec<f64> {
        spin.q.to_lab(self.arm)
    }

    /// Kinetic and potential energy, J.
    pub fn energy(&self, spin: Spin<f64>) -> f64 {
        self.inertia.energy(spin.omega) - self.force.dot(self.tip(spin))
    }

    /// The angular momentum about the fixed point, kg m²/s. Its component along the force is conserved.
    pub fn angular_momentum(&self, spin: Spin<f64>) -> LabVec<f64> {
        spin.q.to_lab(self.inertia.momentum(spin.omega))
    }

    /// The state at time `t`.
    pub fn at(&self, t: f64) -> Result<Spin<f64>, NotConverged> {
        self.sampler().at(t)
    }

    /// Gives the state at many times, each integrated from the one before.
    pub fn sampler(&self) -> Converged<impl Fn(Spin<f64>, f64) -> LabVec<f64>> {
        let top = *self;
        Converged::from_checked(self.inertia, self.start, move |spin, _| top.torque(spin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tip_of_the_benchmark_after_half_a_second() {
        let top = HeavyTop::bruls_cardona_arnold();
        let tip = top.tip(top.at(0.5).unwrap());
        let expected = LabVec::new(-0.702_468_297_056_59, -0.021_165_184_701_923, -0.711_400_257_651_73);
        assert!((tip - expected).norm() < 1e-12, "{tip:?}");
    }
}
