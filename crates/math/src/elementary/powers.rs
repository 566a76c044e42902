//! Powers, roots, exponential and logarithm of double precision, with + − × ÷ and the bits of numbers alone.
//!
//! They branch, so they are not for kernels: they are for what is computed once, such as the radius of a sphere of
//! a volume or a factor of units.

use super::two_product;
use crate::Real;
use core::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// The upper 33 bits of ln 2, so that its multiples by exponents are exact; and the rest.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xf_ffff);
const LN_2_LOW: f64 = 7.440_617_110_012_397e-11;

/// xⁿ by repeated squaring, the reciprocal of it for negative n; exact where all powers on the way are.
///
/// ```
/// assert_eq!(tumble_math::elementary::power(0.5, -3), 8.0);
/// ```
pub fn power(x: f64, n: i32) -> f64 {
    let (mut square, mut left, mut product) = (x, n.unsigned_abs(), 1.0);
    while left > 0 {
        if left % 2 == 1 {
            product *= square;
        }
        left /= 2;
        square *= square;
    }
    if n < 0 { 1.0 / product } else { product }
}

/// The cube root, of either sign, to 0.51 ulp; of whole cubes exactly.
///
/// ```
/// assert_eq!(tumble_math::elementary::cbrt(-27e-3), -0.3);
/// ```
pub fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (significand, exponent) = parts(x.abs());
    let third = exponent.div_euclid(3);
    let m = significand * two_to(exponent.rem_euclid(3)); // in [1, 8)
    // A third of the logarithm, as the bits of a number have it, is right to 5 %; Halley's rule cubes that error.
    let mut root = f64::from_bits(m.to_bits() / 3 + 0x2a9f_7893_0000_0000);
    for _ in 0..3 {
        let cube = root * root * root;
        root *= (cube + 2.0 * m) / (2.0 * cube + m);
    }
    // A step of Newton's rule with what is missing known to twice the digits.
    let (square, rest) = two_product(root, root);
    let (cube, cube_rest) = two_product(square, root);
    root += ((m - cube) - (cube_rest + rest * root)) / (3.0 * square);
    (root * two_to(third)).copysign(x)
}

/// eˣ to 1 ulp; below the smallest normal number, to the smallest number.
///
/// ```
/// assert!((tumble_math::elementary::exp(1.0) - core::f64::consts::E).abs() < 5e-16);
/// ```
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let x = x.clamp(-800.0, 800.0);
    let k = Real::round(x * LOG2_E);
    let (high, low) = (x - k * LN_2_HIGH, k * LN_2_LOW);
    let r = high - low;
    // The series without its first two terms; the first that is left out is below 5·10⁻¹⁸ for |r| ≤ ln(2)/2.
    let mut sum = 0.0;
    for n in (2..=14_u32).rev() {
        sum = (sum * r + 1.0) / f64::from(n);
    }
    let rounded = (high - r) - low;
    let value = 1.0 + (r + (sum * r * r + rounded));
    #[expect(clippy::cast_possible_truncation, reason = "at most 1155")]
    let k = k as i32;
    // In two factors, since 2ᵏ itself may be too large or too small for a number.
    value * two_to(k / 2) * two_to(k - k / 2)
}

/// The natural logarithm to 2 ulp; −∞ of zero, NaN of what is negative.
///
/// ```
/// assert_eq!(tumble_math::elementary::ln(1.0), 0.0);
/// ```
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 || x.is_infinite() {
        return if x == 0.0 { f64::NEG_INFINITY } else { x };
    }
    let (m, exponent) = parts(x);
    let (m, exponent) = if m > SQRT_2 { (0.5 * m, exponent + 1) } else { (m, exponent) };
    // ln m = 2 artanh s for s = (m − 1)/(m + 1), |s| ≤ 0.172.
    let s = (m - 1.0) / (m + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for n in (1..=11_u32).rev() {
        sum = (sum + 1.0 / f64::from(2 * n + 1)) * square;
    }
    let k = f64::from(exponent);
    k * LN_2_HIGH + (2.0 * s + (2.0 * s * sum + k * LN_2_LOW))
}

/// A positive number as m 2ᵏ with m in [1, 2).
fn parts(x: f64) -> (f64, i32) {
    const MANTISSA: u64 = (1 << 52) - 1;
    let (x, below) = if x < f64::MIN_POSITIVE { (x * two_to(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i32 - 1023 - below;
    (f64::from_bits(bits & MANTISSA | 1.0_f64.to_bits()), exponent)
}

/// 2ᵏ for k from −1022 to 1023.
fn two_to(k: i32) -> f64 {
    f64::from_bits(u64::from((k + 1023).unsigned_abs()) << 52)
}
