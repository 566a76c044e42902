//! Elementary functions of our own, so that their bits agree on every platform: straight-line polynomials.
//!
//! The coefficients are minimax fits (Remez, in 60-digit arithmetic) with the constant term held at one;
//! each function says over which range and how closely it fits.

mod normal;
mod powers;

pub use normal::{normal_below, normal_quantile};
pub use powers::{cbrt, exp, ln, power};

use crate::{Constant, Real};

/// cos √z and sin(√z)/√z for 0 ≤ z ≤ (π/2)², with a fitting error below 5·10⁻¹⁸.
///
/// Beyond that range the error grows: to 10⁻¹² at z = 4, to 4·10⁻⁸ at z = π².
#[inline(always)]
pub fn cos_and_sinc<R: Real>(z: R) -> (R, R) {
    let z2 = z * z;
    let z4 = z2 * z2;
    let cos = degree_8(
        [
            1.0,
            -0.499_999_999_999_999_83,
            0.041_666_666_666_664_37,
            -0.001_388_888_888_878_565_2,
            2.480_158_727_914_903_6e-5,
            -2.755_731_652_522_92e-7,
            2.087_656_774_110_143_5e-9,
            -1.146_303_937_146_282_1e-11,
            4.610_294_183_720_180_4e-14,
        ],
        z,
        z2,
        z4,
    );
    let sinc = degree_8(
        [
            1.0,
            -0.166_666_666_666_666_66,
            0.008_333_333_333_333_212,
            -0.000_198_412_698_412_153_52,
            2.755_731_921_214_358_4e-6,
            -2.505_210_696_128_84e-8,
            1.605_894_398_759_099e-10,
            -7.643_098_974_917_744e-13,
            2.722_268_723_811_837_2e-15,
        ],
        z,
        z2,
        z4,
    );
    (cos, sinc)
}

/// atan(√z)/√z for 0 ≤ z ≤ tan²(π/8), with a fitting error below 4·10⁻¹⁷.
#[inline(always)]
pub(crate) fn atan_over<R: Real>(z: R) -> R {
    let z2 = z * z;
    let z4 = z2 * z2;
    let low = degree_8(
        [
            1.0,
            -0.333_333_333_333_302_2,
            0.199_999_999_991_046_7,
            -0.142_857_141_965_269_83,
            0.111_111_067_035_618_46,
            -0.090_907_835_285_704_7,
            0.076_900_833_526_378_76,
            -0.066_412_462_229_855_99,
            0.056_931_646_606_283_05,
        ],
        z,
        z2,
        z4,
    );
    low + (R::lit(-0.043_608_249_677_180_86) + R::lit(0.021_280_137_039_943_015) * z) * (z * (z4 * z4))
}

/// A polynomial of degree eight by Estrin's scheme: half the latency of Horner's for two more products.
#[inline(always)]
fn degree_8<R: Real>(c: [f64; 9], z: R, z2: R, z4: R) -> R {
    // Not `c.map(R::lit)`: a closure that is not inlined would cost a batch its vectors.
    let low = (R::lit(c[0]) + R::lit(c[1]) * z) + (R::lit(c[2]) + R::lit(c[3]) * z) * z2;
    let high = (R::lit(c[4]) + R::lit(c[5]) * z) + (R::lit(c[6]) + R::lit(c[7]) * z) * z2;
    low + (high + R::lit(c[8]) * z4) * z4
}

/// sin x and cos x for |x| up to 10⁶ (`f64`) or 10³ (`f32`), to a few ulp of one.
///
/// ```
/// let (sin, cos) = tumble_math::elementary::sin_cos(core::f64::consts::FRAC_PI_6);
/// assert!((sin - 0.5).abs() < 1e-15 && (cos - 0.75_f64.sqrt()).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn sin_cos<R: Real>(x: R) -> (R, R) {
    let k = (x * R::lit(core::f64::consts::FRAC_1_PI)).round();
    let r = (x - k * R::constant(Constant::PiHigh)) - k * R::constant(Constant::PiMiddle);
    let r = r - k * R::constant(Constant::PiLow);
    let odd = k - R::lit(2.0) * (k * R::lit(0.5) - R::lit(0.25)).round();
    let sign = R::lit(1.0) - R::lit(2.0) * odd;
    let (cos, sinc) = cos_and_sinc(r * r);
    (sign * (r * sinc), sign * cos)
}

/// The angle of the point (x, y) from the x axis, in [−π, π], to 4 ulp.
///
/// The sign of a zero is not looked at: the angle of the negative x axis is +π, that of the origin zero.
/// Finite arguments up to half the largest number.
///
/// ```
/// use core::f64::consts::{FRAC_PI_4, PI};
/// use tumble_math::elementary::atan2;
/// assert_eq!(atan2(-2.0, -2.0), -3.0 * FRAC_PI_4);
/// assert_eq!(atan2(0.0, -1.0), PI);
/// assert_eq!(atan2(0.0, 0.0), 0.0);
/// ```
#[inline(always)]
pub fn atan2<R: Real>(y: R, x: R) -> R {
    const TAN_PI_8: f64 = core::f64::consts::SQRT_2 - 1.0;
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (small, large, steep) = ordered_magnitudes(x, y);
    // Above π/8: atan(s/l) = π/4 + atan((s − l)/(s + l)).
    let upper = (large * R::lit(TAN_PI_8)).lt(small);
    let numerator = R::select(upper, small - large, small);
    let denominator = R::select(upper, small + large, large);
    let t = numerator / nonzero(denominator);
    let rest = t * atan_over(t * t);
    // The angle is this many eighths of a turn plus the rest; mirrored at the diagonal, then at the y axis.
    let eighths = R::select(upper, one, zero);
    let (eighths, rest) = (R::select(steep, R::lit(2.0) - eighths, eighths), R::select(steep, -rest, rest));
    let left = x.lt(zero);
    let (eighths, rest) = (R::select(left, R::lit(4.0) - eighths, eighths), R::select(left, -rest, rest));
    let pi_parts = eighths * R::lit(0.25);
    let angle =
        pi_parts * R::constant(Constant::PiHigh) + (pi_parts * R::constant(Constant::PiMiddle) + rest);
    R::select(y.lt(zero), -angle, angle)
}

/// √(x² + y²) to 2 ulp, without overflow or underflow in between.
#[inline(always)]
pub fn hypot<R: Real>(x: R, y: R) -> R {
    let (small, large, _) = ordered_magnitudes(x, y);
    let ratio = small / nonzero(large);
    large * (R::lit(1.0) + ratio * ratio).sqrt()
}

/// The angle in [−π, π] that differs from this one by whole turns.
#[inline(always)]
pub fn wrap_angle<R: Real>(angle: R) -> R {
    let turns = (angle * R::lit(0.5 * core::f64::consts::FRAC_1_PI)).round();
    let half_turns = turns * R::lit(2.0);
    (angle - half_turns * R::constant(Constant::PiHigh)) - half_turns * R::constant(Constant::PiMiddle)
}

/// The smaller and the larger of |x| and |y|, and whether |y| is the larger.
#[inline(always)]
fn ordered_magnitudes<R: Real>(x: R, y: R) -> (R, R, R::Mask) {
    let (x, y) = (x.abs(), y.abs());
    let steep = x.lt(y);
    (R::select(steep, x, y), R::select(steep, y, x), steep)
}

/// A magnitude to divide by: one in place of zero.
#[inline(always)]
pub(crate) fn nonzero<R: Real>(magnitude: R) -> R {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    magnitude + R::select(zero.lt(magnitude), zero, one)
}

/// a + b as a rounded sum and its exact rest (Knuth).
#[inline(always)]
pub(crate) fn two_sum<R: Real>(a: R, b: R) -> (R, R) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// a·b as a rounded product and its exact rest (Dekker), without a fused multiply–add.
#[inline(always)]
pub(crate) fn two_product<R: Real>(a: R, b: R) -> (R, R) {
    let product = a * b;
    let (ah, al) = split(a);
    let (bh, bl) = split(b);
    (product, (((ah * bh - product) + ah * bl) + al * bh) + al * bl)
}

/// a as two halves of its significand (Veltkamp).
#[inline(always)]
fn split<R: Real>(a: R) -> (R, R) {
    let t = a * R::constant(Constant::Splitter);
    let high = t - (t - a);
    (high, a - high)
}
