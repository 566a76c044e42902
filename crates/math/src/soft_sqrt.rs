//! Correctly rounded square roots in integer arithmetic, for builds without `std`.
//!
//! IEEE 754 fixes every bit of a square root, so these agree with the hardware instruction exactly.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "bit counts and exponents fit; a significand is cut to its own width"
)]

macro_rules! soft_sqrt {
    ($name:ident, $float:ident, $bits:ident, $wide:ident, $significand:expr, $bias:expr) => {
        pub(crate) fn $name(x: $float) -> $float {
            if x.is_nan() || x == 0.0 || x == $float::INFINITY {
                return x;
            }
            if x < 0.0 {
                return $float::NAN;
            }
            let bits = x.to_bits();
            let hidden: $bits = 1 << ($significand - 1);
            let field = i32::try_from(bits >> ($significand - 1)).unwrap_or(0);
            // x = m·2^e with an integer m; a subnormal number has no hidden bit.
            let (m, e) = if field == 0 {
                (bits, 1 - $bias - ($significand - 1))
            } else {
                ((bits & (hidden - 1)) | hidden, field - $bias - ($significand - 1))
            };
            // Shift m until its root has two bits more than the significand and the exponent is even.
            let mut shift = 2 * ($significand + 2) - ($bits::BITS - m.leading_zeros()) as i32;
            shift += (e - shift) & 1;
            let radicand = <$wide>::from(m) << shift;
            let root = radicand.isqrt();
            let sticky = <$wide>::from(root * root != radicand);
            // Round to nearest even: a root never lies exactly between two floats.
            let drop = (<$wide>::BITS - root.leading_zeros()) as i32 - $significand;
            let rest = ((root & ((1 << drop) - 1)) << 1) | sticky;
            let kept = (root >> drop) + <$wide>::from(rest > (1 << drop));
            let exponent = (e - shift) / 2 + drop;
            // kept has `significand` bits (or is the next power of two, which carries into the exponent).
            let field = exponent + $bias + ($significand - 1);
            $float::from_bits(((field as $bits) << ($significand - 1)) + (kept as $bits - hidden))
        }
    };
}

soft_sqrt!(sqrt_f64, f64, u64, u128, 53, 1023);
soft_sqrt!(sqrt_f32, f32, u32, u64, 24, 127);

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{sqrt_f32, sqrt_f64};

    #[test]
    fn agrees_with_the_hardware_to_the_last_bit() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..200_000 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let x = f64::from_bits(seed);
            assert!(
                sqrt_f64(x).to_bits() == x.sqrt().to_bits() || x.sqrt().is_nan() && sqrt_f64(x).is_nan(),
                "√{x:e} = {:e}, soft {:e}",
                x.sqrt(),
                sqrt_f64(x)
            );
            let y = f32::from_bits((seed >> 32) as u32);
            assert!(
                sqrt_f32(y).to_bits() == y.sqrt().to_bits() || y.sqrt().is_nan() && sqrt_f32(y).is_nan(),
                "√{y:e}"
            );
        }
        for x in [0.0, -0.0, 1.0, 2.0, 4.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY] {
            assert_eq!(sqrt_f64(x).to_bits(), x.sqrt().to_bits(), "{x:e}");
        }
    }
}
