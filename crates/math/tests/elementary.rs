//! Guarantee: our own elementary functions are good to the ulp asserted here, in every quadrant, on the axes and at
//! the origin, for numbers of any size. They can break where a reduction changes its branch.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

#[path = "common/double_double.rs"]
mod double_double;
#[path = "common/sampling.rs"]
mod sampling;

use double_double::Dd;
use sampling::Random;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};
use tumble_math::Real as _;
use tumble_math::elementary::{atan2, cbrt, exp, hypot, ln, power, sin_cos, wrap_angle};

impl Dd {
    /// eˣ, by the series of x/1024 squared ten times.
    fn exp(self) -> Self {
        let part = Dd(self.0 / 1024.0, self.1 / 1024.0);
        let (mut sum, mut term) = (Dd::from(1.0), Dd::from(1.0));
        for n in 1..24 {
            term = term * part / Dd::from(f64::from(n));
            sum = sum + term;
        }
        (0..10).fold(sum, |sum, _| sum * sum)
    }

    /// ln x: two Newton steps from the `f64` value.
    fn ln(self) -> Self {
        let step = |y: Self| y + (self * (-y).exp() - Dd::from(1.0));
        step(step(Dd::from(self.0.ln())))
    }

    /// The cube root: a Newton step from the `f64` value.
    fn cbrt(self) -> Self {
        let guess = Dd::from(self.0.cbrt());
        guess - (guess * guess * guess - self) / (Dd::from(3.0) * guess * guess)
    }
}

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

#[test]
fn cube_roots_are_right_to_half_an_ulp() {
    let mut random = Random(7);
    for _ in 0..50_000 {
        let x = random.between(-1.0, 1.0) * 10_f64.powf(random.between(-260.0, 260.0));
        let exact = Dd::from(x).cbrt();
        let error = exact.distance(cbrt(x), ulp(exact.0));
        assert!(error <= 0.51, "cbrt({x:e}) is {error} ulp off");
    }
}

#[test]
#[allow(clippy::float_cmp)]
fn whole_cubes_have_whole_roots() {
    for n in 1..100_000_u32 {
        let root = f64::from(n);
        let cube = root * root * root;
        assert_eq!(cbrt(cube), root);
        assert_eq!(cbrt(-cube * 2_f64.powi(-900)), -root * 2_f64.powi(-300));
    }
    // Below the smallest normal number: 2⁻¹⁰⁷⁴ = 4·2⁻¹⁰⁷⁶ has no whole root, 2⁻¹⁰⁷¹ has.
    assert_eq!(cbrt(8.0 * f64::from_bits(1)), 2.0 * cbrt(f64::from_bits(1)));
    assert_eq!(cbrt(2_f64.powi(-1000) * 2_f64.powi(-71)), 2_f64.powi(-357));
    for special in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(cbrt(special).to_bits(), special.to_bits());
    }
    assert!(cbrt(f64::NAN).is_nan());
}

#[test]
#[allow(clippy::float_cmp)]
fn exponentials_are_right_to_an_ulp() {
    let mut random = Random(8);
    for range in [1e-12, 0.34, 1.0, 30.0, 700.0] {
        for _ in 0..10_000 {
            let x = random.between(-range, range);
            let exact = Dd::from(x).exp();
            let error = exact.distance(exp(x), ulp(exact.0));
            assert!(error <= 1.0, "exp({x:e}) is {error} ulp off");
        }
    }
    assert_eq!(exp(0.0), 1.0);
    assert_eq!((exp(710.0), exp(f64::INFINITY)), (f64::INFINITY, f64::INFINITY));
    assert_eq!((exp(-746.0), exp(f64::NEG_INFINITY)), (0.0, 0.0));
    assert!((exp(-740.0) / (-740_f64).exp() - 1.0).abs() < 0.1, "below the normal numbers");
    assert!(exp(f64::NAN).is_nan());
}

#[test]
#[allow(clippy::float_cmp)]
fn logarithms_are_right_to_two_ulp() {
    let mut random = Random(9);
    for range in [1e-9, 0.3, 3.0, 600.0] {
        for _ in 0..10_000 {
            let x = random.between(-range, range).exp();
            let exact = Dd::from(x).ln();
            let error = exact.distance(ln(x), ulp(exact.0));
            assert!(error <= 2.0, "ln({x:e}) is {error} ulp off");
        }
    }
    assert_eq!(ln(1.0), 0.0);
    assert_eq!((ln(0.0), ln(f64::INFINITY)), (f64::NEG_INFINITY, f64::INFINITY));
    assert!((ln(f64::from_bits(1)) / f64::from_bits(1).ln() - 1.0).abs() < 1e-15);
    assert!(ln(-1.0).is_nan() && ln(f64::NAN).is_nan());
}

#[test]
#[allow(clippy::float_cmp)]
fn whole_powers_are_products() {
    for n in 0..40_u32 {
        let (bits, exponent) = (1_u64 << n, i32::try_from(n).unwrap());
        assert_eq!(power(2.0, exponent), bits as f64);
        assert_eq!(power(-2.0, -exponent), if n % 2 == 0 { 1.0 } else { -1.0 } / bits as f64);
    }
    assert_eq!((power(10.0, 9), power(1e3, 3), power(7.0, 0), power(0.0, 5)), (1e9, 1e9, 1.0, 0.0));
    assert_eq!(power(3.0, -2), 1.0 / 9.0);
    assert_eq!(power(1.0, i32::MIN), 1.0);
}
