//! Guarantee: input that no body can have is a typed error with a message that says what to do.

use tumble_rotation::batch::Batch;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::schemes::SpiralLeapfrog;
use tumble_rotation::{Error, PrincipalInertia, Rotor, SchemeKind, SphericalInertia, Spin};

fn spin(q: [f64; 4], omega: [f64; 3]) -> Spin<f64> {
    Spin { q: Quat::from_array(q), omega: BodyVec::from_array(omega) }
}

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// What `Rotor` and `Batch` say to a body and a time step; they must say the same.
fn refusal(initial: Spin<f64>, dt: f64) -> Option<Error> {
    let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
    let rotor = Rotor::new(SpiralLeapfrog, inertia, initial, dt, |_, _, _| LabVec::zero()).err();
    let batch =
        Batch::new(SchemeKind::SpiralLeapfrog, dt, [(initial, inertia)], |_, _, _, _| LabVec::zero()).err();
    assert_eq!(format!("{rotor:?}"), format!("{batch:?}"));
    rotor
}

#[test]
fn impossible_inertia() {
    assert!(matches!(
        PrincipalInertia::new([1.0, 0.0, 1.0]),
        Err(Error::NonPositiveInertia { axis: 'y', .. })
    ));
    assert!(matches!(
        PrincipalInertia::new([1.0, 1.0, -2.0]),
        Err(Error::NonPositiveInertia { axis: 'z', .. })
    ));
    assert!(matches!(PrincipalInertia::new([f64::NAN, 1.0, 1.0]), Err(Error::NotFinite { .. })));
    assert!(matches!(PrincipalInertia::new([1.0, f64::INFINITY, 1.0]), Err(Error::NotFinite { .. })));
    assert!(matches!(PrincipalInertia::new([1.0, 2.0, 3.1]), Err(Error::TriangleInequality { .. })));
    assert!(matches!(SphericalInertia::new(0.0), Err(Error::NonPositiveInertia { .. })));
    assert!(matches!(PrincipalInertia::new([1e-320; 3]), Err(Error::NotFinite { .. })), "no inverse");
    assert!(matches!(PrincipalInertia::new([1.0_f32, 0.0, 1.0]), Err(Error::NonPositiveInertia { .. })));
    // A lamina reaches equality, and its rounded moments may miss it by an ulp.
    assert!(PrincipalInertia::new([0.1, 0.2, 0.1 + 0.2]).is_ok());
}

#[test]
fn impossible_states_and_steps() {
    let good = spin(UPRIGHT, [1.0, 0.0, 0.0]);
    assert_eq!(refusal(good, 0.01), None);
    assert_eq!(refusal(good, 0.0), Some(Error::NonPositiveTimeStep { dt: 0.0 }));
    assert_eq!(refusal(good, -1e-3), Some(Error::NonPositiveTimeStep { dt: -1e-3 }));
    assert!(matches!(refusal(good, f64::NAN), Some(Error::NotFinite { what: "time step", .. })));
    assert_eq!(refusal(spin([0.0; 4], [0.0; 3]), 0.01), Some(Error::ZeroQuaternion));
    let nan_q = spin([1.0, f64::NAN, 0.0, 0.0], [0.0; 3]);
    assert!(matches!(refusal(nan_q, 0.01), Some(Error::NotFinite { what: "initial orientation", .. })));
    let endless = spin(UPRIGHT, [f64::INFINITY, 0.0, 0.0]);
    assert!(matches!(
        refusal(endless, 0.01),
        Some(Error::NotFinite { what: "initial angular velocity", .. })
    ));
}

#[test]
fn the_driver_looks_at_inertia_that_was_not_checked() {
    let inertia = PrincipalInertia::from_moments(BodyVec::new(1.0, f64::NAN, -1.0));
    let good = spin(UPRIGHT, [1.0, 0.0, 0.0]);
    let rotor = Rotor::new(SpiralLeapfrog, inertia, good, 0.01, |_, _, _| LabVec::zero());
    assert!(matches!(rotor.err(), Some(Error::NotFinite { what: "moment of inertia", .. })));
    let batch = Batch::new(SchemeKind::Buss, 0.01, [(good, inertia)], |_, _, _, _| LabVec::zero());
    assert!(matches!(batch.err(), Some(Error::NotFinite { what: "moment of inertia", .. })));
}

#[test]
fn a_quaternion_that_is_not_of_unit_length_is_scaled() {
    let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
    for scale in [1.0, 1e200, 1e-200] {
        let initial = spin([0.0, 3.0 * scale, 0.0, 4.0 * scale], [0.0; 3]);
        let mut rotor = Rotor::new(SpiralLeapfrog, inertia, initial, 0.01, |_, _, _| LabVec::zero()).unwrap();
        assert!((rotor.state().q - Quat::new(0.0, 0.6, 0.0, 0.8)).norm() < 1e-15, "{scale:e}");
    }
}

#[test]
fn a_body_lost_on_the_way_is_noticed() {
    let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
    let initial = spin(UPRIGHT, [0.0, 0.0, 1.0]);
    // A torque along ω spins the body up until it turns more than once in a step.
    let mut rotor =
        Rotor::new(SpiralLeapfrog, inertia, initial, 0.1, |_, _, _| LabVec::new(0.0, 0.0, 50.0)).unwrap();
    let error = rotor.run(1000).unwrap_err();
    assert!(matches!(error, Error::StepTooLarge { angle, .. } if angle > core::f64::consts::TAU), "{error}");
    assert!(error.to_string().contains("choose a smaller time step"));

    let mut rotor = Rotor::new(SpiralLeapfrog, inertia, initial, 0.1, |_, _, t| {
        LabVec::new(0.0, 0.0, if t > 0.5 { f64::NAN } else { 0.0 })
    })
    .unwrap();
    assert!(matches!(rotor.run(10), Err(Error::NotFinite { .. })));
}
