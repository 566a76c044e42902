//! `Real`: the arithmetic that kernels may use, and nothing more.
//!
//! It is deliberately **not** `PartialOrd`: `if a < b` does not compile in a kernel. A choice is written
//! `Real::select(a.lt(b), yes, no)`, which evaluates both sides. So every kernel is straight-line code that a
//! compiler can vectorise, that a GPU runs without divergence, and that `Traced` (feature `trace`) can
//! record. Every operation is correctly rounded by IEEE 754 and none is ever contracted into a fused
//! multiply–add, so a kernel gives the same bits on every instruction set.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number kernels compute with: `f32`, `f64`, or a recorded expression.
pub trait Real:
    Copy
    + Debug
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The result of a comparison: `bool`, or a recorded one.
    type Mask: Copy;

    /// The literal `x`, rounded to this precision.
    fn lit(x: f64) -> Self;
    /// A constant whose value depends on the precision.
    fn constant(which: Constant) -> Self;
    /// The correctly rounded square root.
    fn sqrt(self) -> Self;
    /// The nearest integer, ties to even. Exact for magnitudes below 2²² (`f32`) and 2⁵¹ (`f64`).
    fn round(self) -> Self;
    /// `self < other`; false if either is NaN.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`. Both are evaluated.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The magnitude.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::select(self.lt(Self::lit(0.0)), -self, self)
    }
}

/// Constants that differ between precisions by more than rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// The leading bits of π, few enough that its product with a small integer is exact.
    PiHigh,
    /// The next bits of π, likewise few.
    PiMiddle,
    /// The rest of π.
    PiLow,
    /// 2ˢ + 1 with s half the significand: splits a number into two halves whose products are exact.
    Splitter,
}

/// The number whose addition and subtraction rounds to an integer.
pub(crate) trait RoundMagic {
    const ROUND_MAGIC: Self;
}

macro_rules! impl_real {
    ($float:ident, $sqrt:path, $round_magic:expr, $pi:expr, $splitter:expr) => {
        impl RoundMagic for $float {
            const ROUND_MAGIC: Self = $round_magic;
        }

        impl Real for $float {
            type Mask = bool;

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation)]
            fn lit(x: f64) -> Self {
                x as $float
            }
            #[inline(always)]
            fn constant(which: Constant) -> Self {
                const PI: [$float; 3] = $pi;
                match which {
                    Constant::PiHigh => PI[0],
                    Constant::PiMiddle => PI[1],
                    Constant::PiLow => PI[2],
                    Constant::Splitter => $splitter,
                }
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $sqrt(self)
            }
            #[inline(always)]
            fn round(self) -> Self {
                // Adding 1.5·2^(significand bits) pushes the fraction out; vectorises on every target.
                (self + Self::ROUND_MAGIC) - Self::ROUND_MAGIC
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    };
}

// π is split so that k·PiHigh and k·PiMiddle are exact for |k| < 2²⁰ (f64) and 2¹⁰ (f32).
impl_real!(
    f64,
    sqrt_f64,
    6_755_399_441_055_744.0,
    [3.141_592_653_468_251_2, 1.215_420_101_260_793_2e-10, 4.044_532_497_591_901e-21],
    134_217_729.0
);
impl_real!(f32, sqrt_f32, 12_582_912.0, [3.141_601_6, -8.909_032e-6, 1.215_420_1e-10], 4097.0);

#[cfg(feature = "std")]
#[inline(always)]
fn sqrt_f64(x: f64) -> f64 {
    x.sqrt()
}
#[cfg(feature = "std")]
#[inline(always)]
fn sqrt_f32(x: f32) -> f32 {
    x.sqrt()
}
#[cfg(not(feature = "std"))]
use crate::soft_sqrt::{sqrt_f32, sqrt_f64};
