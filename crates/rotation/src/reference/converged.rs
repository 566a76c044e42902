//! A reference for any torque: extrapolation to a given tolerance.
//!
//! Gragg–Bulirsch–Stoer (Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, §II.9): the explicit
//! midpoint rule with 2, 4, … 14 substeps, extrapolated in h² to order 14; the step adapts to the difference between
//! the last two entries of the tableau. Two things keep rounding down: the tableau holds the *increment* of a step,
//! and what its addition rounds away is carried to the next step. The orientation enters torques normalised, so that
//! the length of the integrated quaternion has no effect.

use super::finite;
use crate::{Error, Inertia, PrincipalInertia, Spin};
use core::fmt;
use tumble_math::{BodyVec, LabVec, Quat};

/// q (4) and ω (3)
type State = [f64; 7];

/// An error per step near rounding. Over a hundred radians 10⁻¹³ is left of it; from then on the random walk of
/// rounding errors in ω makes the error of q grow like t^3/2.
pub const TIGHT: f64 = 1e-15;
/// Substeps in each row of the tableau.
const SUBSTEPS: [u32; 7] = [2, 4, 6, 8, 10, 12, 14];
/// Steps from one requested time to the next before giving up.
const MAX_STEPS: u32 = 2_000_000;

/// A motion under the lab torque that `torque` gives for a state and a time, integrated step by step.
#[derive(Clone, Debug)]
pub struct Converged<T> {
    inertia: PrincipalInertia<f64>,
    torque: T,
    tolerance: f64,
    t: f64,
    state: State,
    /// What is still to be added to the state.
    carry: State,
    step: f64,
}

/// The tolerance cannot be met: the torque is not finite, not smooth, or grows without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotConverged {
    /// How far the integration came, s.
    pub time: f64,
    /// The last step tried, s.
    pub step: f64,
    /// Its estimated error.
    pub error: f64,
}

impl fmt::Display for NotConverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, step, error } = self;
        write!(
            f,
            "the reference does not converge at t = {time:e}: a step of {step:e} has the error {error:e}"
        )
    }
}

impl core::error::Error for NotConverged {}

impl<T: Fn(Spin<f64>, f64) -> LabVec<f64>> Converged<T> {
    /// The motion from `start` at time `t0`; `tolerance` > 0 is the error of one step
    /// relative to |q| = 1 and |ω|, and may be [`TIGHT`].
    ///
    /// ```
    /// use tumble_rotation::math::{BodyVec, LabVec, Quat};
    /// use tumble_rotation::{PrincipalInertia, Spin, reference::{Converged, converged::TIGHT}};
    /// let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.0, 0.0, 1.0) };
    /// let brake = |spin: Spin<f64>, _t| spin.q.to_lab(spin.omega) * -0.5;
    /// let mut motion = Converged::new(PrincipalInertia::new([1.0; 3])?, start, 0.0, brake, TIGHT)?;
    /// assert!((motion.at(2.0)?.omega.z - (-1_f64).exp()).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        inertia: PrincipalInertia<f64>,
        start: Spin<f64>,
        t0: f64,
        torque: T,
        tolerance: f64,
    ) -> Result<Self, Error> {
        let (t, tolerance) = (finite("time", t0)?, finite("tolerance", tolerance)?);
        Ok(Self { tolerance, t, ..Self::from_checked(inertia, start.checked()?, torque) })
    }

    /// From time zero, as tight as can be.
    pub(super) fn from_checked(inertia: PrincipalInertia<f64>, start: Spin<f64>, torque: T) -> Self {
        let Spin { q, omega } = start;
        let state = [q.w, q.x, q.y, q.z, omega.x, omega.y, omega.z];
        Self { inertia, torque, tolerance: TIGHT, t: 0.0, state, carry: [0.0; 7], step: 0.0 }
    }

    /// The state at time `t`, integrated from the last time asked for; either direction will do.
    pub fn at(&mut self, t: f64) -> Result<Spin<f64>, NotConverged> {
        let mut last = NotConverged { time: self.t, step: t - self.t, error: f64::NAN };
        if !t.is_finite() {
            return Err(last);
        }
        if self.step == 0.0 {
            // Small enough not to step over what the torque does first; it soon grows.
            let omega = self.spin(&[0.0; 7]).omega.norm();
            self.step = (0.1 / omega).min(0.01 * (t - self.t).abs());
        }
        for _ in 0..MAX_STEPS {
            let left = t - self.t;
            if left == 0.0 {
                return Ok(self.current());
            }
            let arrives = left.abs() <= self.step;
            let next = if arrives { t } else { self.t + self.step.copysign(left) };
            let h = next - self.t;
            let (increment, error) = self.trial(h);
            last = NotConverged { time: self.t, step: h, error };
            // A step of a few last places of the time leads nowhere; NaN ends here too.
            if !(arrives || h.abs() > 16.0 * f64::EPSILON * self.t.abs()) {
                break;
            }
            // The error of the second-best entry goes with h¹³; a NaN counts as far too large.
            let factor = (0.5 * self.tolerance / error).powf(1.0 / 13.0);
            let wanted = h.abs() * if error.is_finite() { factor.clamp(0.1, 4.0) } else { 0.1 };
            if error <= self.tolerance {
                self.add(&increment);
                self.t = next;
                self.step = if arrives { wanted.max(self.step) } else { wanted };
            } else {
                self.step = wanted;
            }
        }
        Err(last)
    }

    /// The state at the last time asked for.
    fn current(&self) -> Spin<f64> {
        let Spin { q, omega } = self.spin(&[0.0; 7]);
        Spin { q: q.normalised(), omega }
    }

    /// The state displaced by `d`, its quaternion not normalised.
    fn spin(&self, d: &State) -> Spin<f64> {
        let y: State = core::array::from_fn(|i| self.state[i] + (self.carry[i] + d[i]));
        Spin { q: Quat::new(y[0], y[1], y[2], y[3]), omega: BodyVec::new(y[4], y[5], y[6]) }
    }

    fn derivative(&self, d: &State, t: f64) -> State {
        let Spin { q, omega } = self.spin(d);
        let unit = q.normalised();
        let torque = unit.to_body((self.torque)(Spin { q: unit, omega }, t));
        let q_dot = q.derivative(omega);
        let omega_dot = self.inertia.acceleration(omega, torque);
        [q_dot.w, q_dot.x, q_dot.y, q_dot.z, omega_dot.x, omega_dot.y, omega_dot.z]
    }

    /// The increment of a step and its estimated relative error.
    fn trial(&self, h: f64) -> (State, f64) {
        let slope = self.derivative(&[0.0; 7], self.t);
        let mut row = [[0.0; 7]; SUBSTEPS.len()];
        for (k, &n) in SUBSTEPS.iter().enumerate() {
            row[k] = self.midpoint(&slope, h, n);
            for j in (0..k).rev() {
                let ratio = f64::from(n) / f64::from(SUBSTEPS[j]);
                let weight = 1.0 / (ratio * ratio - 1.0);
                row[j] = core::array::from_fn(|i| row[j + 1][i] + weight * (row[j + 1][i] - row[j][i]));
            }
        }
        let difference: State = core::array::from_fn(|i| row[0][i] - row[1][i]);
        let speed = norm(&self.state[4..]).max(self.spin(&row[0]).omega.norm()).max(f64::MIN_POSITIVE);
        (row[0], norm(&difference[..4]).max(norm(&difference[4..]) / speed))
    }

    /// The explicit midpoint rule with n substeps, started by one of Euler.
    fn midpoint(&self, slope: &State, h: f64, n: u32) -> State {
        let substep = h / f64::from(n);
        let mut before = [0.0; 7];
        let mut now = slope.map(|s| substep * s);
        for i in 1..n {
            let rate = self.derivative(&now, self.t + f64::from(i) * substep);
            let after = core::array::from_fn(|c| before[c] + 2.0 * substep * rate[c]);
            (before, now) = (now, after);
        }
        now
    }

    /// Compensated addition (Kahan).
    fn add(&mut self, increment: &State) {
        for ((value, carry), d) in self.state.iter_mut().zip(&mut self.carry).zip(increment) {
            let total = *carry + d;
            let sum = *value + total;
            *carry = total - (sum - *value);
            *value = sum;
        }
    }
}

fn norm(components: &[f64]) -> f64 {
    components.iter().map(|c| c * c).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_converge_ends_with_an_error() {
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(1.0, 0.0, 0.0) };
        let round = PrincipalInertia::new([1.0; 3]).unwrap();
        let explode = |spin: Spin<f64>, _| spin.q.to_lab(spin.omega) * spin.omega.norm();
        // ω = 1/(1 − t)
        let error = Converged::new(round, start, 0.0, explode, 1e-14).unwrap().at(2.0).unwrap_err();
        assert!((error.time - 1.0).abs() < 1e-3, "{error}");
        let undefined = |_, _| LabVec::new(f64::NAN, 0.0, 0.0);
        assert!(Converged::new(round, start, 0.0, undefined, 1e-14).unwrap().at(2.0).is_err());
        let nothing = |_, _| LabVec::zero();
        let mut free = Converged::new(round, start, 0.0, nothing, 1e-14).unwrap();
        assert!(free.at(f64::NAN).is_err());
        assert!(Converged::new(round, start, 0.0, nothing, 0.0).unwrap().at(1.0).is_err());
        assert!(Converged::new(round, start, f64::NAN, nothing, 1e-14).is_err());
    }

    #[test]
    fn there_and_back() {
        let start = Spin { q: Quat::new(0.1, -0.7, 0.5, 0.5), omega: BodyVec::new(1.0, 2.0, -1.0) };
        let torque = |spin: Spin<f64>, t: f64| spin.q.to_lab(BodyVec::new(0.3, 0.1, 2.0)) * t.sin();
        let mut motion =
            Converged::new(PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap(), start, 0.0, torque, 1e-15)
                .unwrap();
        let end = motion.at(5.0).unwrap();
        let back = motion.at(0.0).unwrap();
        assert!((end.q - start.q.normalised()).norm() > 0.1);
        assert!((back.q - start.q.normalised()).norm() < 1e-13, "{back:?}");
        assert!((back.omega - start.omega).norm() < 1e-13, "{back:?}");
    }
}
