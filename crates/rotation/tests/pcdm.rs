//! Guarantee: what the files and the book say about the errors of PCDM and improved PCDM where both are second
//! order: without a torque and under one that is constant in the lab.
//!
//! Improved PCDM predicts ωₙ₊½ + ½Δt ω̇ₙ, and Δt ω̇ₙ is the last change of ω: the two-step method of Adams and
//! Bashforth, whose error is 5/12 Δt³ ω⃛ a step. PCDM is the midpoint rule, with 1/6 Δt³ ω⃛ where ω̇ is linear in ω.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::{Converged, converged::TIGHT};
use tumble_rotation::schemes::{ImprovedPcdm, Pcdm};
use tumble_rotation::{PrincipalInertia, RotationScheme, Rotor, Spin};

const MOMENTS: [f64; 3] = [2.0, 2.0, 1.0];
const DURATION: f64 = 10.0;

fn start() -> Spin<f64> {
    Spin { q: Quat::identity(), omega: BodyVec::new(1.0, 0.0, 3.0) }
}

/// q and ω after ten seconds under a torque, given in the lab or in the body.
fn end<S: RotationScheme>(scheme: S, steps: u32, torque: impl Fn(Quat<f64>) -> LabVec<f64>) -> Spin<f64> {
    let (inertia, dt) = (PrincipalInertia::new(MOMENTS).unwrap(), DURATION / f64::from(steps));
    let mut rotor = Rotor::new(scheme, inertia, start(), dt, |q, _, _| torque(q)).unwrap();
    rotor.run(steps.into()).unwrap();
    // As the scheme holds it.
    rotor.native()
}

#[test]
fn a_free_symmetric_body_precesses_too_fast_by_the_constants_of_the_two_methods() {
    let rate = (MOMENTS[0] - MOMENTS[2]) / MOMENTS[0] * 3.0;
    for steps in [1000, 2000] {
        let dt = DURATION / f64::from(steps);
        let ahead = |omega: BodyVec<f64>, time: f64| {
            let turned = omega.y.atan2(omega.x) + rate * time;
            (turned - (turned / core::f64::consts::TAU).round() * core::f64::consts::TAU).abs()
        };
        let free = |_| LabVec::zero();
        let pcdm = ahead(end(Pcdm, steps, free).omega, DURATION);
        let improved = ahead(end(ImprovedPcdm, steps, free).omega, DURATION - 0.5 * dt);
        let unit = (rate * dt).powi(2) * rate * DURATION;
        assert!((pcdm / unit * 6.0 - 1.0).abs() < 0.01, "{} of (λΔt)²", pcdm / unit);
        assert!((improved / unit * 12.0 / 5.0 - 1.0).abs() < 0.01, "{} of (λΔt)²", improved / unit);
    }
}

/// The angle between where a scheme ends and where the body is.
fn off<S: RotationScheme>(scheme: S, steps: u32, torque: fn(Quat<f64>) -> LabVec<f64>) -> f64 {
    let inertia = PrincipalInertia::new(MOMENTS).unwrap();
    let dt = DURATION / f64::from(steps);
    let mut rotor = Rotor::new(scheme, inertia, start(), dt, |q, _, _| torque(q)).unwrap();
    rotor.run(steps.into()).unwrap();
    let mut motion = Converged::new(inertia, start(), 0.0, |spin, _| torque(spin.q), TIGHT).unwrap();
    let exact = motion.at(DURATION).unwrap();
    (exact.q.conjugate() * rotor.state().q).rotation_vector::<()>().norm()
}

#[test]
fn under_a_torque_constant_in_the_lab_the_improved_scheme_is_the_worse_one() {
    let torque = |_| LabVec::new(2.0, 0.0, 1.0);
    for (steps, pcdm, improved) in [(2000, 0.011, 0.026), (8000, 0.000_61, 0.001_41)] {
        let (a, b) = (off(Pcdm, steps, torque), off(ImprovedPcdm, steps, torque));
        assert!((a / pcdm - 1.0).abs() < 0.05, "PCDM at {steps} steps: {a}");
        assert!((b / improved - 1.0).abs() < 0.05, "improved PCDM at {steps} steps: {b}");
    }
}

#[test]
fn under_a_torque_constant_in_the_body_it_is_the_better_one() {
    let torque = |q: Quat<f64>| q.to_lab(BodyVec::new(2.0, 0.0, 1.0));
    let (a, b) = (off(Pcdm, 2000, torque), off(ImprovedPcdm, 2000, torque));
    assert!(a > 40.0 * b, "PCDM is off by {a}, improved PCDM by {b}");
}
