//! Elementary functions of our own, so that their bits agree on every platform: straight-line polynomials.
//!
//! The coefficients are minimax fits (Remez, in 60-digit arithmetic) with the constant term held at one;
//! each function says over which range and how closely it fits.

use crate::{Constant, Real};

/// cos √z and sin(√z)/√z for 0 ≤ z ≤ π², with a fitting error below 4·10⁻¹⁷.
#[inline(always)]
pub fn cos_and_sinc<R: Real>(z: R) -> (R, R) {
    let z2 = z * z;
    let z4 = z2 * z2;
    let z8 = z4 * z4;
    let cos = degree_10(
        [
            1.0,
            -0.499_999_999_999_999_44,
            0.041_666_666_666_663_98,
            -0.001_388_888_888_884_295_8,
            2.480_158_729_770_075e-5,
            -2.755_731_903_498_682e-7,
            2.087_675_130_088_408_2e-9,
            -1.147_063_611_700_970_2e-11,
            4.778_125_114_766_442e-14,
            -1.551_533_162_385_204e-16,
            3.655_829_218_065_244_6e-19,
        ],
        z,
        z2,
        z4,
        z8,
    );
    let sinc = degree_10(
        [
            1.0,
            -0.166_666_666_666_666_63,
            0.008_333_333_333_333_215,
            -0.000_198_412_698_412_497_08,
            2.755_731_922_228_246_7e-6,
            -2.505_210_830_262_245e-8,
            1.605_904_134_540_863_7e-10,
            -7.647_115_785_360_427e-13,
            2.810_865_345_325_607e-15,
            -8.175_201_559_065_981e-18,
            1.758_813_927_588_612_5e-20,
        ],
        z,
        z2,
        z4,
        z8,
    );
    (cos, sinc)
}

/// atan(√z)/√z for 0 ≤ z ≤ tan²(π/8), with a fitting error below 4·10⁻¹⁷.
#[inline(always)]
pub(crate) fn atan_over<R: Real>(z: R) -> R {
    let z2 = z * z;
    let z4 = z2 * z2;
    degree_10(
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
            -0.043_608_249_677_180_86,
            0.021_280_137_039_943_015,
        ],
        z,
        z2,
        z4,
        z4 * z4,
    )
}

/// A polynomial of degree ten by Estrin's scheme: half the latency of Horner's for three more products.
#[inline(always)]
fn degree_10<R: Real>(c: [f64; 11], z: R, z2: R, z4: R, z8: R) -> R {
    let c = c.map(R::lit);
    let low = (c[0] + c[1] * z) + (c[2] + c[3] * z) * z2;
    let middle = (c[4] + c[5] * z) + (c[6] + c[7] * z) * z2;
    let high = (c[8] + c[9] * z) + c[10] * z2;
    low + (middle * z4 + high * z8)
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
