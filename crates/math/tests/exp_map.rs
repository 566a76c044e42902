//! Guarantee: `exp`, `exp_step` and `log` are good to the few ε asserted here, at every angle they promise:
//! at zero, where |u|² underflows, next to π and 2π, and after thousands of turns. They can break in the
//! series, in the reduction by π, and wherever zero is divided by zero.
//!
//! Errors are in units of ε (2⁻⁵² or 2⁻²³): of a quaternion absolutely, of a short vector relatively.
//! The oracle is double-double for `f64`, and `f64` of the standard library for `f32`.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

#[path = "common/double_double.rs"]
mod double_double;
#[path = "common/sampling.rs"]
mod sampling;

use double_double::Dd;
use sampling::{Random, largest};
use std::f64::consts::{PI, TAU};
use tumble_math::{BodyVec, Quat, Real, exp_map};

const DIRECTIONS: usize = 300;
/// Angles down to zero; |u|² is subnormal from 10⁻¹⁵⁴ on and zero from 10⁻¹⁶².
const SMALL: [f64; 12] =
    [0.0, 5e-324, 1e-300, 1e-170, 1e-162, 1e-160, 1e-154, 1e-100, 1e-20, 1e-8, 1e-4, 0.1];

/// The errors of a quaternion in ε: of its components, absolute; of its vector part, relative to its length.
#[derive(Debug)]
struct Errors {
    absolute: f64,
    relative: f64,
}

fn errors_f64(q: Quat<f64>, u: BodyVec<f64>) -> Errors {
    let angle = Dd::norm(u.to_array());
    let (sin, cos) = (angle / Dd::from(2.0)).sin_cos();
    let scale = if angle.0 == 0.0 { Dd::from(0.5) } else { sin / angle };
    let [w, v @ ..] = q.to_array();
    let of_vector = largest(
        v.into_iter().zip(u.to_array()).map(|(v, u)| (scale * Dd::from(u)).distance(v, f64::EPSILON)),
    );
    Errors {
        absolute: largest([of_vector, cos.distance(w, f64::EPSILON)]),
        // A subnormal number cannot be relatively accurate.
        relative: of_vector / largest([sin.0.abs(), f64::MIN_POSITIVE]),
    }
}

fn errors_f32(q: Quat<f32>, u: BodyVec<f32>) -> Errors {
    let unit = f64::from(f32::EPSILON);
    let u = u.to_array().map(f64::from);
    let angle = Dd::norm(u).0;
    let (sin, cos) = (angle / 2.0).sin_cos();
    let scale = if angle == 0.0 { 0.5 } else { sin / angle };
    let [w, v @ ..] = q.to_array().map(f64::from);
    let of_vector = largest(v.into_iter().zip(u).map(|(v, u)| (scale * u - v).abs() / unit));
    Errors {
        absolute: largest([of_vector, (cos - w).abs() / unit]),
        relative: of_vector / largest([sin.abs(), f64::from(f32::MIN_POSITIVE)]),
    }
}

/// Rotation vectors of each angle along the axes and in random directions, and shorter ones.
fn vectors<R: Real>(angles: &[f64]) -> Vec<BodyVec<R>> {
    let mut random = Random(1);
    let mut all = Vec::new();
    for &angle in angles {
        all.extend([[-angle, 0.0, 0.0], [0.0, angle, 0.0], [0.0, 0.0, angle]]);
        all.extend((0..DIRECTIONS).map(|_| random.vector(angle)));
        all.extend((0..DIRECTIONS).map(|_| {
            let shorter = random.between(0.0, angle);
            random.vector(shorter)
        }));
    }
    all.into_iter().map(|u| BodyVec::from_array(u.map(R::lit))).collect()
}

#[test]
fn exp_of_small_angles_is_relatively_accurate() {
    for u in vectors(&SMALL) {
        for errors in [errors_f64(exp_map::exp(u), u), errors_f64(exp_map::exp_step(u), u)] {
            assert!(errors.absolute <= 1.0 && errors.relative <= 2.0, "{u:?}: {errors:?}");
        }
    }
    for u in vectors(&SMALL) {
        for errors in [errors_f32(exp_map::exp(u), u), errors_f32(exp_map::exp_step(u), u)] {
            assert!(errors.absolute <= 1.0 && errors.relative <= 2.0, "{u:?}: {errors:?}");
        }
    }
}

#[test]
fn exp_is_accurate_after_thousands_of_turns() {
    let near_turns = [PI - 1e-9, PI - 1e-15, PI, PI + 1e-15, PI + 1e-9, TAU - 1e-9, TAU, TAU + 1e-9];
    for u in vectors(&[&near_turns[..], &[1.0, 2.0, 4.0, 100.0, 1e4, 1e6]].concat()) {
        let errors = errors_f64(exp_map::exp(u), u);
        assert!(errors.absolute <= 3.0, "{u:?}: {errors:?}");
    }
    for u in vectors(&[&near_turns[..], &[PI - 1e-6, PI + 1e-6, 1.0, 2.0, 4.0, 100.0, 1000.0]].concat()) {
        let errors = errors_f32(exp_map::exp(u), u);
        assert!(errors.absolute <= 3.0, "{u:?}: {errors:?}");
    }
}

#[test]
fn exp_step_is_accurate_to_half_a_turn_and_good_to_a_full_one() {
    let to_half = [0.5, 1.0, 2.0, 3.0, PI - 1e-15, PI, PI + 1e-9];
    for u in vectors(&to_half) {
        let errors = errors_f64(exp_map::exp_step(u), u);
        assert!(errors.absolute <= 3.0, "{u:?}: {errors:?}");
    }
    for u in vectors(&to_half) {
        let errors = errors_f32(exp_map::exp_step(u), u);
        assert!(errors.absolute <= 3.0, "{u:?}: {errors:?}");
    }
    let to_full = [4.0, 5.0, 6.0, TAU];
    for u in vectors(&to_full) {
        let errors = errors_f64(exp_map::exp_step(u), u);
        assert!(errors.absolute * f64::EPSILON <= 1e-7, "{u:?}: {errors:?}");
    }
    for u in vectors(&to_full) {
        let errors = errors_f32(exp_map::exp_step(u), u);
        assert!(errors.absolute <= 6.0, "{u:?}: {errors:?}");
    }
}

/// Unit quaternions at random and at every distance from w = 0 and w = ±1.
fn quaternions<R: Real>() -> Vec<Quat<R>> {
    let mut random = Random(2);
    let mut all: Vec<_> = (0..10_000).map(|_| random.unit_quaternion()).collect();
    for small in SMALL.into_iter().chain([1e-16, 1e-3]) {
        let large = (1.0 - small * small).sqrt();
        for _ in 0..100 {
            let [x, y, z] = random.vector(small);
            all.extend([[large, x, y, z], [-large, x, y, z]]);
            let [x, y, z] = random.vector(large);
            all.extend([[small, x, y, z], [-small, x, y, z]]);
        }
    }
    all.into_iter().map(|q| Quat::from_array(q.map(R::lit))).collect()
}

/// The largest component of a − b, in units of ε times `length`.
fn distance(a: BodyVec<f64>, b: BodyVec<f64>, epsilon: f64, length: f64) -> f64 {
    largest((a - b).to_array().map(f64::abs)) / (epsilon * length)
}

#[test]
fn log_is_relatively_accurate_at_every_angle() {
    for q in quaternions() {
        let u = exp_map::log(q);
        let [w, v @ ..] = q.to_array();
        let length = Dd::norm(v);
        let angle = Dd::from(2.0) * Dd::atan2(length, Dd::from(w.abs()));
        let scale = if length.0 == 0.0 { Dd::from(2.0) } else { angle / length };
        let scale = if w < 0.0 { -scale } else { scale };
        let exact = v.map(|v| (scale * Dd::from(v)).0);
        let error =
            distance(u, BodyVec::from_array(exact), f64::EPSILON, largest([angle.0, f64::MIN_POSITIVE]));
        assert!(error <= 4.0, "{q:?}: {error} ε");
    }
    let half_turn: BodyVec<f64> = exp_map::log(Quat::new(0.0, 0.0, -1.0, 0.0));
    assert!((half_turn.y + PI).abs() <= 2.0 * f64::EPSILON, "{half_turn:?}");
    let no_turn: BodyVec<f64> = exp_map::log(Quat::new(-1.0, 0.0, 0.0, 0.0));
    assert_eq!(no_turn, BodyVec::zero());
}

#[test]
fn log_in_single_precision_is_as_good() {
    for q in quaternions::<f32>() {
        let u: BodyVec<f32> = exp_map::log(q);
        // In f64 shown above to be right far beyond f32.
        let exact: BodyVec<f64> = exp_map::log(Quat::from_array(q.to_array().map(f64::from)));
        let length = largest([exact.norm(), f64::from(f32::MIN_POSITIVE)]);
        let error = distance(
            BodyVec::from_array(u.to_array().map(f64::from)),
            exact,
            f64::from(f32::EPSILON),
            length,
        );
        assert!(error <= 4.0, "{q:?}: {error} ε");
    }
}

#[test]
fn exp_undoes_log() {
    for q in quaternions::<f64>() {
        let back = exp_map::exp::<f64, ()>(exp_map::log(q));
        let error = (back - q).norm().min((back + q).norm()) / f64::EPSILON;
        assert!(error <= 4.0, "{q:?}: {error} ε");
    }
}

#[test]
fn log_undoes_exp_up_to_half_a_turn() {
    for u in vectors::<f64>(&[&SMALL[..], &[0.5, 1.0, 2.0, 3.0, 3.1, PI - 1e-9]].concat()) {
        let length = largest([Dd::norm(u.to_array()).0, f64::MIN_POSITIVE]);
        let error = distance(exp_map::log(exp_map::exp(u)), u, f64::EPSILON, length);
        assert!(error <= 4.0, "{u:?}: {error} ε");
    }
}
