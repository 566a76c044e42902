//! Guarantee: our own `sin_cos`, `atan2`, `hypot` and `wrap_angle` are good to the ulp asserted here, in
//! every quadrant, on the axes and at the origin. They can break where a reduction changes its branch.

#[path = "common/double_double.rs"]
mod double_double;
#[path = "common/sampling.rs"]
mod sampling;

use double_double::Dd;
use sampling::Random;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use tumble_math::Real as _;
use tumble_math::elementary::{atan2, hypot, sin_cos, wrap_angle};

/// The distance of x from its neighbour.
fn ulp(x: f64) -> f64 {
    (x.abs().next_up() - x.abs()).max(f64::from_bits(1))
}

fn ulp_f32(x: f64) -> f64 {
    let x = f32::lit(x.abs());
    f64::from(x.next_up() - x)
}

/// Points at angles all around, dense where `atan2` changes its formula, at lengths from 1e-300 to 1e300.
fn points() -> Vec<(f64, f64)> {
    let mut random = Random(4);
    let mut all = Vec::new();
    for eighth in 0..16 {
        let centre = f64::from(eighth) * (FRAC_PI_4 / 2.0);
        for width in [1e-15, 1e-8, 1e-3, 0.4] {
            for _ in 0..2000 {
                let angle = centre + random.between(-width, width);
                let length = 10.0_f64.powf(random.between(-300.0, 300.0));
                all.push((length * angle.sin(), length * angle.cos()));
            }
        }
    }
    for tiny in [1e-300, 1e-200, 1e-20, 1e-9] {
        all.extend([(tiny, 1.0), (-tiny, 1.0), (tiny, -1.0), (-tiny, -1.0), (1.0, tiny), (1.0, -tiny)]);
    }
    all
}

#[test]
fn atan2_is_right_to_four_ulp_all_around() {
    for (y, x) in points() {
        let exact = Dd::atan2(y.into(), x.into());
        let error = exact.distance(atan2(y, x), ulp(exact.0));
        assert!(error <= 4.0, "atan2({y:e}, {x:e}) is {error} ulp off");
        // No −0, whose sign the standard library looks at.
        let (y, x) = (f32::lit(y / y.hypot(x)) + 0.0, f32::lit(x / y.hypot(x)));
        let exact = f64::from(y).atan2(f64::from(x));
        let error = (f64::from(atan2(y, x)) - exact).abs() / ulp_f32(exact);
        assert!(error <= 4.0, "atan2({y:e}, {x:e}) is {error} ulp off in f32");
    }
}

#[test]
#[allow(clippy::float_cmp)]
fn atan2_on_the_axes_is_exact() {
    for (y, x, angle) in [
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, 0.0),
        (0.0, 3.0, 0.0),
        (2.0, 0.0, FRAC_PI_2),
        (-2.0, -0.0, -FRAC_PI_2),
        (0.0, -3.0, PI),
        (-0.0, -3.0, PI),
        (7.0, 7.0, FRAC_PI_4),
        (7.0, -7.0, 3.0 * FRAC_PI_4),
    ] {
        assert_eq!(atan2(y, x), angle, "atan2({y}, {x})");
    }
    for (y, x) in [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::NAN, 0.0), (0.0, f64::NAN), (-1.0, f64::NAN)] {
        assert!(atan2(y, x).is_nan(), "atan2({y}, {x})");
    }
}

#[test]
fn sin_cos_is_right_to_a_few_ulp_of_one() {
    let mut random = Random(5);
    for range in [1.0, TAU, 100.0, 1e3, 1e4, 1e6] {
        for _ in 0..5000 {
            let x = random.between(-range, range);
            let (exact, ours) = (Dd::from(x).sin_cos(), sin_cos(x));
            let errors = (exact.0.distance(ours.0, f64::EPSILON), exact.1.distance(ours.1, f64::EPSILON));
            assert!(errors.0 <= 2.0 && errors.1 <= 2.0, "{x}: {errors:?} ε");
            let x = f32::lit(x.clamp(-1e3, 1e3));
            let (exact, ours) = (f64::from(x).sin_cos(), sin_cos(x));
            let unit = f64::from(f32::EPSILON);
            let errors =
                ((f64::from(ours.0) - exact.0).abs() / unit, (f64::from(ours.1) - exact.1).abs() / unit);
            assert!(errors.0 <= 2.0 && errors.1 <= 2.0, "{x}: {errors:?} ε in f32");
        }
    }
}

#[test]
#[allow(clippy::float_cmp)]
fn hypot_neither_overflows_nor_underflows() {
    for (y, x) in points() {
        let exact = Dd::norm([x, y, 0.0]);
        let error = exact.distance(hypot(x, y), ulp(exact.0));
        assert!(error <= 2.0, "hypot({x}, {y}) is {error} ulp off");
    }
    assert_eq!(hypot(0.0, -0.0), 0.0);
    assert_eq!(hypot(0.0, -5e-324), 5e-324);
}

#[test]
fn wrapped_angles_differ_by_whole_turns() {
    let mut random = Random(6);
    for _ in 0..10_000 {
        let angle = random.between(-50.0, 50.0);
        let wrapped = wrap_angle(angle);
        assert!(wrapped.abs() <= PI, "{angle} → {wrapped}");
        let (exact, got) = (Dd::from(angle).sin_cos(), Dd::from(wrapped).sin_cos());
        let errors = ((exact.0 - got.0).0.abs(), (exact.1 - got.1).0.abs());
        assert!(errors.0 <= f64::EPSILON && errors.1 <= f64::EPSILON, "{angle} → {wrapped}: {errors:?}");
    }
}
