//! Guarantee: quaternion, rotation matrix, both sets of Euler angles, axis with angle and rotation vector all
//! mean the same rotation, and turning one into another and back loses a few ε, at gimbal lock, near it, at
//! zero and at half a turn alike. They can break where a formula divides by what vanishes there, or where
//! angles are read off matrix elements.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

#[path = "common/sampling.rs"]
mod sampling;

use proptest::prelude::*;
use sampling::{Random, largest};
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt::Debug;
use tumble_math::{AxisAngle, Body, BodyVec, Euler321, EulerZxz, LabVec, Quat, Real, RotationMatrix};

/// Distances from a singular place, down to none at all.
const NEAR: [f64; 11] = [0.0, 5e-324, 1e-300, 1e-160, 1e-20, 1e-16, 1e-15, 1e-12, 1e-8, 1e-6, 1e-3];

/// A precision to test in.
trait Float: Real<Mask = bool> + Into<f64> {
    const EPSILON: f64;
}
impl Float for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;
}
impl Float for f64 {
    const EPSILON: f64 = f64::EPSILON;
}

fn quat<R: Real>(q: [f64; 4]) -> Quat<R> {
    Quat::from_array(q.map(R::lit))
}

/// How far two orientations are apart, in ε.
fn distance<R: Float>(p: Quat<R>, q: Quat<R>) -> f64 {
    let [p, q] = [p, q].map(|q| Quat::from_array(q.to_array().map(Into::into)));
    f64::min((p - q).norm(), (p + q).norm()) / R::EPSILON
}

/// Orientations at random, and near every place where some representation is singular.
fn orientations() -> Vec<[f64; 4]> {
    let mut random = Random(7);
    let mut all: Vec<_> = (0..5000).map(|_| random.unit_quaternion()).collect();
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 0.0]];
    for near in NEAR {
        for axis in axes.into_iter().chain((0..20).map(|_| random.vector(1.0))) {
            // No rotation, half a turn, and a third of one: there all four components tie.
            for angle in [near, PI - near, PI + near, 2.0 * PI / 3.0 + near, FRAC_PI_2 - near] {
                let u = BodyVec::from_array(axis);
                let u = u * (angle / u.norm());
                all.push(Quat::from_rotation_vector(u).to_array());
            }
        }
        for _ in 0..50 {
            let [phi, psi] = [0, 1].map(|_| random.between(-PI, PI));
            for theta in [near, PI - near] {
                all.push(Quat::from(EulerZxz { phi, theta, psi }).to_array());
            }
            for pitch in [FRAC_PI_2 - near, near - FRAC_PI_2, near] {
                all.push(Quat::from(Euler321 { yaw: phi, pitch, roll: psi }).to_array());
            }
            // Gimbal lock to the last bit, of both sets.
            let (sin, cos) = (0.5 * phi).sin_cos();
            let (s, c) = (sin / 2.0_f64.sqrt(), cos / 2.0_f64.sqrt());
            all.extend([[cos, 0.0, 0.0, sin], [0.0, cos, sin, 0.0], [c, s, c, -s], [c, s, -c, s]]);
        }
    }
    all.into_iter().map(|q| Quat::from_array(q).normalised().to_array()).collect()
}

/// The worst loss of a round trip, in ε.
fn worst_round_trip<R: Float, T: From<Quat<R>>>() -> f64
where
    Quat<R>: From<T>,
{
    let trip = |q: [f64; 4]| distance(quat::<R>(q), Quat::from(T::from(quat::<R>(q))));
    largest(orientations().into_iter().map(trip))
}

#[test]
fn every_round_trip_loses_a_few_epsilon_only() {
    for (name, loss) in [
        ("matrix f64", worst_round_trip::<f64, RotationMatrix<f64>>()),
        ("matrix f32", worst_round_trip::<f32, RotationMatrix<f32>>()),
        ("z-x-z f64", worst_round_trip::<f64, EulerZxz<f64>>()),
        ("z-x-z f32", worst_round_trip::<f32, EulerZxz<f32>>()),
        ("3-2-1 f64", worst_round_trip::<f64, Euler321<f64>>()),
        ("3-2-1 f32", worst_round_trip::<f32, Euler321<f32>>()),
        ("axis-angle f64", worst_round_trip::<f64, AxisAngle<f64, Body>>()),
        ("axis-angle f32", worst_round_trip::<f32, AxisAngle<f32, Body>>()),
    ] {
        assert!(loss <= 4.0, "{name}: {loss} ε");
    }
}

#[test]
fn every_pair_of_representations_means_the_same_rotation() {
    fn check<A, B>(q: Quat<f64>)
    where
        A: From<Quat<f64>> + From<B> + Copy + Debug,
        B: From<Quat<f64>> + From<A> + Copy + Debug,
        Quat<f64>: From<A> + From<B>,
    {
        let a = A::from(q);
        let b = B::from(a);
        let loss = largest([distance(Quat::from(b), q), distance(Quat::from(A::from(b)), q)]);
        assert!(loss <= 12.0, "{q:?} = {a:?} = {b:?}: {loss} ε");
    }
    for q in orientations() {
        let q = quat(q);
        check::<EulerZxz<f64>, Euler321<f64>>(q);
        check::<EulerZxz<f64>, RotationMatrix<f64>>(q);
        check::<EulerZxz<f64>, AxisAngle<f64, Body>>(q);
        check::<Euler321<f64>, RotationMatrix<f64>>(q);
        check::<Euler321<f64>, AxisAngle<f64, Body>>(q);
        check::<RotationMatrix<f64>, AxisAngle<f64, Body>>(q);
        let axis_angle = AxisAngle::<f64, Body>::from(q);
        let difference = (axis_angle.rotation_vector() - q.rotation_vector()).norm();
        let about_half_a_turn = axis_angle.angle > PI - 1e-12;
        assert!(difference <= 4e-15 || about_half_a_turn, "{q:?}: {difference:e}");
    }
}

/// The elements as printed in the slides, eq. (4.3), from space to body.
#[test]
fn z_x_z_angles_are_those_of_the_slides() {
    let mut random = Random(8);
    for _ in 0..1000 {
        let [phi, theta, psi] = [0, 1, 2].map(|_| random.between(-PI, PI));
        let ((sf, cf), (st, ct), (sp, cp)) = (phi.sin_cos(), theta.sin_cos(), psi.sin_cos());
        let printed: [[f64; 3]; 3] = [
            [cf * cp - sf * ct * sp, sf * cp + cf * ct * sp, st * sp],
            [-cf * sp - sf * ct * cp, -sf * sp + cf * ct * cp, st * cp],
            [sf * st, -cf * st, ct],
        ];
        let ours = RotationMatrix::from(EulerZxz { phi, theta, psi }).transpose().rows;
        for (ours, printed) in ours.as_flattened().iter().zip(printed.as_flattened()) {
            assert!((ours - printed).abs() < 2e-15, "{ours} against {printed}");
        }
    }
}

#[test]
fn yaw_pitch_and_roll_turn_about_z_then_y_then_x() {
    let mut random = Random(9);
    for _ in 0..1000 {
        let [yaw, pitch, roll] = [0, 1, 2].map(|_| random.between(-PI, PI));
        let one_by_one = Quat::from_rotation_vector(BodyVec::new(0.0, 0.0, yaw))
            * Quat::from_rotation_vector(BodyVec::new(0.0, pitch, 0.0))
            * Quat::from_rotation_vector(BodyVec::new(roll, 0.0, 0.0));
        let loss = distance(one_by_one, Quat::from(Euler321 { yaw, pitch, roll }));
        assert!(loss < 6.0, "{loss} ε");
    }
}

#[test]
#[allow(clippy::float_cmp)]
fn at_gimbal_lock_the_last_angle_is_zero() {
    let mut random = Random(10);
    for _ in 0..500 {
        let [first, last] = [0, 1].map(|_| random.between(-3.0, 3.0));
        let (sin, cos) = (0.5 * first).sin_cos();
        for (q, theta) in [([cos, 0.0, 0.0, sin], 0.0), ([0.0, cos, sin, 0.0], PI)] {
            let angles = EulerZxz::from(quat::<f64>(q));
            assert_eq!((angles.theta, angles.psi), (theta, 0.0));
            assert!((angles.phi - first).abs() < 1e-15, "{angles:?}, φ {first}");
        }
        for (pitch, yaw) in [(FRAC_PI_2, first - last), (-FRAC_PI_2, first + last)] {
            let angles = Euler321::from(Quat::from(Euler321 { yaw: first, pitch, roll: last }));
            assert_eq!(angles.roll, 0.0);
            let turns = (angles.yaw - yaw) / (2.0 * PI);
            assert!((turns - turns.round()).abs() < 1e-15, "{angles:?}, ψ {yaw}");
            assert!((angles.pitch - pitch).abs() < 1e-15, "{angles:?}");
        }
    }
}

#[test]
#[allow(clippy::float_cmp)]
fn axes_are_unit_vectors_down_to_no_rotation() {
    for q in orientations() {
        let a = AxisAngle::<f64, Body>::from(quat(q));
        assert!((a.axis.norm() - 1.0).abs() <= 2.0 * f64::EPSILON && (0.0..=PI).contains(&a.angle), "{a:?}");
    }
    let none = AxisAngle::<f64, Body>::from(Quat::identity());
    assert_eq!((none.axis.to_array(), none.angle), ([0.0, 0.0, 1.0], 0.0));
    let tiny = AxisAngle::<f64, Body>::from(Quat::new(-1.0, 3e-200, 0.0, -4e-200));
    assert!((tiny.axis - BodyVec::new(-0.6, 0.0, 0.8)).norm() < 1e-15, "{tiny:?}");
    assert!((tiny.angle / 1e-199 - 1.0).abs() < 1e-15, "{tiny:?}");
}

/// 2 q* dq/dt by central differences, the body's angular velocity.
fn measured_omega(q: impl Fn(f64) -> Quat<f64>) -> BodyVec<f64> {
    let h = 1e-5;
    (q(0.0).conjugate() * (q(h) - q(-h)) * (1.0 / h)).vector()
}

#[test]
fn euler_angle_rates_fit_the_angular_velocity() {
    let mut random = Random(11);
    for _ in 0..1000 {
        let [a, c, da, db, dc] = [0, 1, 2, 3, 4].map(|_| random.between(-3.0, 3.0));
        let tilt = random.between(0.2, 2.9);
        let (angles, rates) =
            (EulerZxz { phi: a, theta: tilt, psi: c }, EulerZxz { phi: da, theta: db, psi: dc });
        let omega = angles.omega(rates);
        let at = |t: f64| EulerZxz { phi: a + t * da, theta: tilt + t * db, psi: c + t * dc }.into();
        assert!((omega - measured_omega(at)).norm() < 1e-8, "{angles:?} {rates:?}");
        let back = angles.rates(omega);
        assert!((back.phi - da).abs() + (back.theta - db).abs() + (back.psi - dc).abs() < 1e-13, "{back:?}");

        let pitch = tilt - FRAC_PI_2;
        let (angles, rates) =
            (Euler321 { yaw: a, pitch, roll: c }, Euler321 { yaw: da, pitch: db, roll: dc });
        let omega = angles.omega(rates);
        let at = |t: f64| Euler321 { yaw: a + t * da, pitch: pitch + t * db, roll: c + t * dc }.into();
        assert!((omega - measured_omega(at)).norm() < 1e-8, "{angles:?} {rates:?}");
        let back = angles.rates(omega);
        assert!((back.yaw - da).abs() + (back.pitch - db).abs() + (back.roll - dc).abs() < 1e-13, "{back:?}");
    }
}

fn any_orientation() -> impl Strategy<Value = Quat<f64>> {
    prop::array::uniform4(-1.0..1.0_f64)
        .prop_map(Quat::from_array)
        .prop_filter("too short", |q| q.norm() > 0.1)
        .prop_map(Quat::normalised)
}

fn any_vector() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-1.0..1.0_f64)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn matrices_turn_as_quaternions_do(p in any_orientation(), q in any_orientation(), v in any_vector()) {
        let (a, b) = (RotationMatrix::from(p), RotationMatrix::from(q));
        let (body, lab) = (BodyVec::from_array(v), LabVec::from_array(v));
        prop_assert!((a.to_lab(body) - p.to_lab(body)).norm() < 5e-15);
        prop_assert!((a.to_body(lab) - p.to_body(lab)).norm() < 5e-15);
        prop_assert!((a.determinant() - 1.0).abs() < 1e-14);
        // p q* q as matrices: the inner frames fit.
        let product = (a * b.transpose()) * b;
        prop_assert!(distance(Quat::from(product), p) < 8.0);
    }

    #[test]
    fn gram_and_schmidt_make_a_rotation(
        q in any_orientation(),
        noise in prop::array::uniform9(-0.1..0.1_f64),
    ) {
        let a = RotationMatrix::from(q);
        let distorted = a + RotationMatrix::new([0, 3, 6].map(|i| [noise[i], noise[i + 1], noise[i + 2]]));
        let b = distorted.orthonormalised();
        let unity = b.transpose() * b;
        for (i, row) in unity.rows.iter().enumerate() {
            for (j, element) in row.iter().enumerate() {
                prop_assert!((element - f64::from(u8::from(i == j))).abs() < 2e-15, "{unity:?}");
            }
        }
        prop_assert!((b.determinant() - 1.0).abs() < 2e-15);
        let (before, after) = (distorted.columns()[0], b.columns()[0]);
        prop_assert!(before.cross(after).norm() < 1e-15 && before.dot(after) > 0.0);
        prop_assert!(distance(Quat::from(b), q) * f64::EPSILON < 0.5);
        prop_assert!(distance(Quat::from(a.orthonormalised()), q) < 4.0);
        for column in distorted.with_unit_columns().columns() {
            prop_assert!((column.norm() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn computed_angles_are_in_their_ranges(q in any_orientation()) {
        let zxz = EulerZxz::from(q);
        prop_assert!(zxz.phi.abs() <= PI && (0.0..=PI).contains(&zxz.theta) && zxz.psi.abs() <= PI);
        let Euler321 { yaw, pitch, roll } = Euler321::from(q);
        prop_assert!(yaw.abs() <= PI && pitch.abs() <= FRAC_PI_2 && roll.abs() <= PI);
    }
}
