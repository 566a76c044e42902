//! Numbers to twice the working precision, for angles and for differences that nearly cancel.
//!
//! After thousands of turns the last place of an angle in `f64` is 10⁻¹² rad, more than the error these
//! solutions promise. So rates are formed and multiplied by the time as unevaluated sums hi + lo
//! (T. J. Dekker, Numer. Math. 18 (1971) 224), and only sines and cosines are rounded.

use core::ops::{Add, Mul, Neg, Sub};
use tumble_math::{Quat, Vec3};

/// The sum hi + lo, |lo| at most half a unit in the last place of hi.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twofold {
    pub(super) hi: f64,
    lo: f64,
}

/// a + b as a rounded sum and its exact rest (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// a·b as a rounded product and its exact rest.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

impl Twofold {
    fn from_sum((hi, lo): (f64, f64)) -> Self {
        let (hi, lo) = two_sum(hi, lo);
        Self { hi, lo }
    }

    /// a / b
    pub(super) fn quotient(a: f64, b: f64) -> Self {
        let hi = a / b;
        let (product, rest) = two_product(hi, b);
        Self { hi, lo: ((a - product) - rest) / b }
    }

    /// The square root of a positive number; zero of zero.
    pub(super) fn sqrt(self) -> Self {
        let hi = self.hi.sqrt();
        let (square, rest) = two_product(hi, hi);
        let lo = ((self.hi - square) - rest + self.lo) / (2.0 * hi);
        Self { hi, lo: if hi > 0.0 { lo } else { 0.0 } }
    }

    /// Sine and cosine, the low part to first order: its square is far below rounding.
    pub(super) fn sin_cos(self) -> (f64, f64) {
        let (sin, cos) = self.hi.sin_cos();
        (sin + cos * self.lo, cos - sin * self.lo)
    }

    /// The rotation by this angle about a unit vector.
    pub(super) fn about<F>(self, axis: Vec3<f64, F>) -> Quat<f64> {
        let (sin, cos) = Self { hi: 0.5 * self.hi, lo: 0.5 * self.lo }.sin_cos();
        Quat::from_parts(cos, axis * sin)
    }
}

impl From<f64> for Twofold {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Add for Twofold {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (hi, rest) = two_sum(self.hi, other.hi);
        let (lo, last) = two_sum(self.lo, other.lo);
        let (hi, rest) = two_sum(hi, rest + lo);
        Self::from_sum((hi, rest + last))
    }
}

impl Neg for Twofold {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Twofold {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Twofold {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (hi, rest) = two_product(self.hi, other.hi);
        Self::from_sum((hi, rest + (self.hi * other.lo + self.lo * other.hi)))
    }
}

impl Mul<f64> for Twofold {
    type Output = Self;
    fn mul(self, other: f64) -> Self {
        self * Self::from(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_times_three_is_one_to_thirty_digits() {
        let rest = Twofold::quotient(1.0, 3.0) * 3.0 - Twofold::from(1.0);
        assert!(rest.hi.abs() < 1e-31);
        let root = Twofold::from(2.0).sqrt();
        let rest = root * root - Twofold::from(2.0);
        assert!(rest.hi.abs() < 1e-30);
        assert!(Twofold::from(0.0).sqrt().hi.abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn the_sine_of_ten_thousand_thirds() {
        let (sin, cos) = (Twofold::quotient(1.0, 3.0) * 1e4).sin_cos();
        // mpmath; the rounded angle alone is off by 1.5e-13.
        assert!((sin + 0.103_343_037_992_273_28).abs() < 2e-16);
        assert!((cos + 0.994_645_774_383_286_4).abs() < 2e-16);
    }
}
