//! Integrates a problem with a scheme and compares the end with the exact motion.
//!
//! A run takes round(T/Δt) steps and is compared at steps · Δt, so that no partial step is needed. The angular
//! velocity of a leapfrog scheme is compared at its own instant, half a step earlier, as the papers do; a scheme
//! whose orientation lags as well is brought to the whole step first. Of q and −q, the one closer to the exact
//! orientation is compared.

#![allow(clippy::disallowed_methods, reason = "for errors, orders and figures, not for what is simulated")]

use crate::exact::Exact;
use crate::{Problem, StudyError};
use tumble_rotation::math::{BodyVec, Quat};
use tumble_rotation::{Error, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

/// The longest run allowed: minutes.
pub(crate) const MOST_STEPS: u64 = 2_000_000_000;
/// How often in a run energy and length of q are looked at.
const SAMPLES: u64 = 100;

/// One scheme at one time step.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The scheme.
    pub scheme: SchemeKind,
    /// The time step, s.
    pub dt: f64,
    /// The number of steps.
    pub steps: u64,
    /// What came out, or how it blew up.
    pub outcome: Result<Accuracy, Error>,
}

/// How well a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Error of the quaternion: relative L₁ norm (del Valle et al. 2024, eq. 13).
    pub q: f64,
    /// Error of the body angular velocity: relative L₁ norm.
    pub omega: f64,
    /// Angle between the orientation and the exact one, rad.
    pub angle: f64,
    /// Largest change of energy, relative to it, where it should be conserved.
    pub energy_drift: Option<f64>,
    /// Largest deviation of |q| from one.
    pub norm_drift: f64,
}

impl Accuracy {
    /// The mean of the errors of q and ω, the measure of the SPIRAL paper's table 2.
    pub fn mean(&self) -> f64 {
        0.5 * (self.q + self.omega)
    }
}

impl Run {
    /// The mean error, where the run reached its end.
    pub fn mean_error(&self) -> Option<f64> {
        self.outcome.ok().map(|accuracy| accuracy.mean())
    }

    /// How often the torque was evaluated.
    pub fn torque_evaluations(&self) -> u64 {
        self.steps * self.scheme.info().torque_times.len() as u64
    }
}

/// Integrates `problem` with `scheme` at the time step `dt`.
///
/// ```
/// use tumble_rotation::SchemeKind;
/// use tumble_study::{Preset, measure};
/// let problem = Preset::find("spiral-cylinder").unwrap().problem();
/// let run = measure(&problem, SchemeKind::MagnusLeapfrog, 1e-3, &mut problem.exact()?)?;
/// assert!(run.outcome?.mean() < 1e-8);
/// # Ok::<(), tumble_study::StudyError>(())
/// ```
pub fn measure(problem: &Problem, scheme: SchemeKind, dt: f64, exact: &mut Exact) -> Result<Run, StudyError> {
    let steps = steps(problem, dt)?;
    let end = steps as f64 * dt;
    let expected = Expected { half_step_ago: exact.at(end - 0.5 * dt)?, now: exact.at(end)? };
    run(problem, scheme, dt, expected)
}

/// The number of steps of a run.
pub(crate) fn steps(problem: &Problem, dt: f64) -> Result<u64, StudyError> {
    if !dt.is_finite() {
        return Err(Error::NotFinite { what: "time step", value: dt }.into());
    }
    if dt <= 0.0 {
        return Err(Error::NonPositiveTimeStep { dt }.into());
    }
    let steps = (problem.duration / dt).round();
    if steps < 1.0 {
        return Err(StudyError::TimeStepTooLong { dt, duration: problem.duration });
    }
    if steps > MOST_STEPS as f64 {
        return Err(StudyError::TooManySteps { dt, steps });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and MOST_STEPS")]
    Ok(steps as u64)
}

/// The exact motion at the end of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// At tₙ − Δt/2.
    pub(crate) half_step_ago: Spin<f64>,
    /// At tₙ.
    pub(crate) now: Spin<f64>,
}

/// As [`measure`], with the exact motion already known.
pub(crate) fn run(
    problem: &Problem,
    scheme: SchemeKind,
    dt: f64,
    expected: Expected,
) -> Result<Run, StudyError> {
    let steps = steps(problem, dt)?;
    let integration = Integration { problem, dt, steps, expected };
    Ok(Run { scheme, dt, steps, outcome: scheme.visit(integration) })
}

struct Integration<'a> {
    problem: &'a Problem,
    dt: f64,
    steps: u64,
    expected: Expected,
}

impl SchemeVisitor for Integration<'_> {
    type Output = Result<Accuracy, Error>;

    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
        let Problem { inertia, start, torque, .. } = *self.problem;
        let of_state = |q, omega, t| torque.at(Spin { q, omega }, t);
        let mut rotor = Rotor::new(scheme, inertia, start, self.dt, of_state)?;
        let mut drift = Drift::new(self.problem);
        for sample in 0..SAMPLES.min(self.steps) {
            let done = |sample: u64| sample * self.steps / SAMPLES.min(self.steps);
            rotor.run(done(sample + 1) - done(sample))?;
            drift.norm = drift.norm.max((rotor.native().q.norm() - 1.0).abs());
            if drift.energy.is_some() {
                drift.note_energy(rotor.state());
            }
        }

        let lag = S::INFO.time_level;
        let end = if lag.q_lag() > 0.0 { rotor.state() } else { rotor.native() };
        let own_instant = lag.omega_lag() > 0.0 && lag.q_lag() == 0.0;
        let omega = if own_instant { self.expected.half_step_ago.omega } else { self.expected.now.omega };
        Ok(Accuracy {
            q: quaternion_error(end.q, self.expected.now.q),
            omega: vector_error(end.omega, omega),
            angle: angle_between(end.q, self.expected.now.q),
            energy_drift: drift.energy,
            norm_drift: drift.norm,
        })
    }
}

/// The largest deviations so far from what should not change.
struct Drift<'a> {
    problem: &'a Problem,
    start: f64,
    scale: f64,
    energy: Option<f64>,
    norm: f64,
}

impl<'a> Drift<'a> {
    fn new(problem: &'a Problem) -> Self {
        let start = problem.energy(problem.start);
        // With a potential the energy may happen to be zero; the kinetic part tells the scale.
        let kinetic = problem.energy(problem.start).zip(problem.torque.potential(problem.start));
        let kinetic = kinetic.map_or(0.0, |(total, potential)| total - potential);
        let scale = start.unwrap_or(0.0).abs().max(kinetic);
        Self {
            problem,
            start: start.unwrap_or(0.0),
            scale: if scale > 0.0 { scale } else { 1.0 },
            energy: start.map(|_| 0.0),
            norm: 0.0,
        }
    }

    fn note_energy(&mut self, spin: Spin<f64>) {
        let energy = self.problem.energy(spin).map(|energy| (energy - self.start).abs() / self.scale);
        self.energy = self.energy.zip(energy).map(|(worst, now)| worst.max(now));
    }
}

/// Σ|vᵢ − vᵢ′| / Σ|vᵢ′| (del Valle et al. 2024, eq. 13); absolute where the exact vector is zero.
fn relative_l1<const N: usize>(found: [f64; N], exact: [f64; N]) -> f64 {
    let difference: f64 = found.iter().zip(exact).map(|(a, b)| (a - b).abs()).sum();
    let size: f64 = exact.iter().map(|x| x.abs()).sum();
    if size > 0.0 { difference / size } else { difference }
}

/// The relative L₁ error of a vector.
pub fn vector_error(found: BodyVec<f64>, exact: BodyVec<f64>) -> f64 {
    relative_l1(found.to_array(), exact.to_array())
}

/// The relative L₁ error of an orientation, whichever of its two quaternions is given.
pub fn quaternion_error(found: Quat<f64>, exact: Quat<f64>) -> f64 {
    let aligned = if found.dot(exact) < 0.0 { -found } else { found };
    relative_l1(aligned.to_array(), exact.to_array())
}

/// The angle, rad, of the rotation from one orientation to another.
pub fn angle_between(a: Quat<f64>, b: Quat<f64>) -> f64 {
    let turn = a.conjugate() * b;
    2.0 * BodyVec::new(turn.x, turn.y, turn.z).norm().atan2(turn.w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_quaternions_of_an_orientation_agree() {
        let q = Quat::new(0.6, 0.0, 0.8, 0.0);
        assert!(quaternion_error(-q, q) < 1e-16);
        assert!((quaternion_error(Quat::new(0.8, 0.0, 0.6, 0.0), q) - 0.4 / 1.4).abs() < 1e-15);
        assert!(angle_between(-q, q) < 1e-15);
        let turned = Quat::new(0.6 * 0.8, -0.6 * 0.6, 0.8 * 0.8, 0.6 * 0.8);
        assert!((angle_between(turned, q) - 2.0 * 0.6_f64.atan2(0.8)).abs() < 1e-15);
    }

    #[test]
    fn an_exact_zero_is_compared_absolutely() {
        assert!((vector_error(BodyVec::new(0.0, 3e-9, 0.0), BodyVec::zero()) - 3e-9).abs() < 1e-20);
    }
}
