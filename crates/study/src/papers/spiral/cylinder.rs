//! The test of the paper: a cylinder under a constant axial torque, and the errors of a scheme on it.
//!
//! Errors are the relative L1 norm of eq. (13), ω at the scheme's own instant. A run takes as many whole
//! steps as fit into its time and is compared with the exact motion where it ends, which is not at 1 s: that
//! is how the published errors come out to five digits.

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::AxialTorque;
use tumble_rotation::{
    Error, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin, TimeLevel,
};

/// The problem in words.
pub(in crate::papers) const PROBLEM: &str = "\
# tumble study --problem spiral-cylinder
steel cylinder          radius 0.05 m, height 0.15 m, density 7750 kg/m³, axis along x
moments of inertia      0.0114128170618692, 0.0228256341237383, 0.0228256341237383 kg m²
orientation at t = 0    1, 0, 0, 0
angular velocity, body  0.3, −0.9, 0.6 rad/s
torque, body            0.5, 0, 0 N m
";

/// Relative L1 errors of orientation and angular velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    pub(super) q: f64,
    pub(super) omega: f64,
}

impl Errors {
    /// A run that blew up.
    const LOST: Self = Self { q: f64::NAN, omega: f64::NAN };

    /// What Table 2 and fig. 5 aim at.
    pub(super) fn mean(self) -> f64 {
        0.5 * (self.q + self.omega)
    }
}

/// The inertia of the cylinder.
pub(super) fn inertia() -> Result<PrincipalInertia<f64>, Error> {
    let [axial, across] = AxialTorque::SPIRAL_MOMENTS;
    PrincipalInertia::new([axial, across, across])
}

/// The torque in the lab.
pub(super) fn torque(q: Quat<f64>, _omega: BodyVec<f64>, _time: f64) -> LabVec<f64> {
    q.to_lab(BodyVec::new(0.5, 0.0, 0.0))
}

/// The steps that fit into the time 1 s.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a step count")]
pub(super) fn steps_in_a_second(dt: f64) -> u64 {
    (1.0 / dt).floor() as u64
}

/// The errors after the steps that fit into 1 s.
pub(super) fn errors(kind: SchemeKind, dt: f64) -> Result<Errors, Error> {
    let mut history = history(kind, dt, steps_in_a_second(dt), 1)?;
    Ok(history.pop().map_or(Errors::LOST, |(_, errors)| errors))
}

/// The errors after `every`, 2 `every`, … steps, `samples` times, with the instants.
pub(super) fn history(
    kind: SchemeKind,
    dt: f64,
    every: u64,
    samples: u64,
) -> Result<Vec<(f64, Errors)>, Error> {
    struct Run(f64, u64, u64);
    impl SchemeVisitor for Run {
        type Output = Result<Vec<(f64, Errors)>, Error>;
        fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
            history_of(scheme, self.0, self.1, self.2)
        }
    }
    kind.visit(Run(dt, every, samples))
}

/// As [`history`], for a scheme that is not in the library.
pub(super) fn history_of<S: RotationScheme>(
    scheme: S,
    dt: f64,
    every: u64,
    samples: u64,
) -> Result<Vec<(f64, Errors)>, Error> {
    let exact = AxialTorque::spiral_cylinder();
    let mut sampler = exact.sampler();
    let mut rotor = Rotor::new(scheme, inertia()?, exact.at(0.0), dt, torque)?;
    let mut history = Vec::new();
    for _ in 0..samples {
        // A step too large for the scheme is a result, not a mistake.
        let lost = rotor.run(every).is_err();
        let time = rotor.time();
        // Staggered schemes have no whole-step q of their own; their synchronised state is compared.
        let (ours, lag) = match S::INFO.time_level {
            TimeLevel::Staggered => (rotor.state(), 0.0),
            level => (rotor.native(), level.omega_lag()),
        };
        let omega = exact.omega(time - lag * dt);
        let errors = compare(ours, Spin { q: sampler.at(time).q, omega });
        history.push((time, if lost { Errors::LOST } else { errors }));
        if lost {
            break;
        }
    }
    Ok(history)
}

/// Eq. (13); q and −q are the same orientation.
pub(super) fn compare(ours: Spin<f64>, exact: Spin<f64>) -> Errors {
    let q = if ours.q.dot(exact.q) < 0.0 { -ours.q } else { ours.q };
    Errors {
        q: relative_l1(&q.to_array(), &exact.q.to_array()),
        omega: relative_l1(&ours.omega.to_array(), &exact.omega.to_array()),
    }
}

fn relative_l1(ours: &[f64], exact: &[f64]) -> f64 {
    let difference: f64 = ours.iter().zip(exact).map(|(a, b)| (a - b).abs()).sum();
    difference / exact.iter().map(|b| b.abs()).sum::<f64>()
}

/// The error of a run without any error, if its clock is the sum of its steps: the floor of the published
/// data.
pub(super) fn clock_errors(dt: f64) -> Errors {
    let steps = steps_in_a_second(dt);
    let clock = (0..steps).fold(0.0, |clock, _| clock + dt);
    let exact = AxialTorque::spiral_cylinder();
    compare(exact.at(steps as f64 * dt), exact.at(clock))
}
