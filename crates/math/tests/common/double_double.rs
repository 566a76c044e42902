//! An oracle of some 31 digits: numbers that are unevaluated sums of two `f64`, with Taylor series.
//!
//! It shares nothing with the crate: products use `mul_add`, angles are reduced with π to 32 digits.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// The number `.0 + .1`, with |.1| at most half an ulp of .0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dd(pub(crate) f64, pub(crate) f64);

const PI: Dd = Dd(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);

impl Dd {
    pub(crate) fn sqrt(self) -> Self {
        let root = self.0.sqrt();
        if root == 0.0 {
            return Dd(0.0, 0.0);
        }
        Dd::from(root) + Dd((self - Dd::from(root) * Dd::from(root)).0 / (2.0 * root), 0.0)
    }

    /// sin and cos, by their Taylor series between −π/2 and π/2.
    pub(crate) fn sin_cos(self) -> (Self, Self) {
        let k = (self.0 / PI.0).round();
        let r = self - PI * Dd::from(k);
        let sign = Dd::from(if k.rem_euclid(2.0) == 0.0 { 1.0 } else { -1.0 });
        let square = r * r;
        let (mut sin, mut cos) = (r, Dd::from(1.0));
        let (mut sin_term, mut cos_term) = (sin, cos);
        for n in 1..22 {
            let n = 2.0 * f64::from(n);
            cos_term = -(cos_term * square) / Dd::from((n - 1.0) * n);
            sin_term = -(sin_term * square) / Dd::from(n * (n + 1.0));
            (cos, sin) = (cos + cos_term, sin + sin_term);
        }
        (sign * sin, sign * cos)
    }

    /// The angle of the point (x, y): one Newton step from the `f64` value.
    pub(crate) fn atan2(y: Self, x: Self) -> Self {
        let guess = Dd::from(y.0.atan2(x.0));
        let (sin, cos) = guess.sin_cos();
        guess + (y * cos - x * sin) / (y * sin + x * cos)
    }

    /// The length of a vector, scaled so that no square underflows.
    pub(crate) fn norm(vector: [f64; 3]) -> Self {
        let scale = vector.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if scale == 0.0 {
            return Dd(0.0, 0.0);
        }
        let sum = vector.iter().fold(Dd(0.0, 0.0), |sum, &x| {
            let x = Dd::from(x) / Dd::from(scale);
            sum + x * x
        });
        sum.sqrt() * Dd::from(scale)
    }

    /// |self − x| as a multiple of `unit`.
    pub(crate) fn distance(self, x: f64, unit: f64) -> f64 {
        (self - Dd::from(x)).0.abs() / unit
    }
}

impl From<f64> for Dd {
    fn from(x: f64) -> Self {
        Dd(x, 0.0)
    }
}

fn two_sum(a: f64, b: f64) -> Dd {
    let sum = a + b;
    let shadow = sum - a;
    Dd(sum, (a - (sum - shadow)) + (b - shadow))
}

impl Add for Dd {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        let (high, low) = (two_sum(self.0, b.0), two_sum(self.1, b.1));
        let high = two_sum(high.0, high.1 + low.0);
        two_sum(high.0, high.1 + low.1)
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Dd(-self.0, -self.1)
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        self + -b
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        let high = self.0 * b.0;
        let low = self.0.mul_add(b.0, -high) + (self.0 * b.1 + self.1 * b.0);
        two_sum(high, low)
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let first = self.0 / b.0;
        let rest = self - b * Dd::from(first);
        let second = rest.0 / b.0;
        let third = (rest - b * Dd::from(second)).0 / b.0;
        two_sum(first, second) + Dd::from(third)
    }
}
