//! Sums that do not depend on the order of what is added.

use core::ops::AddAssign;

/// Bits of a limb. What is above them in an `i64` is room for carries that have not been passed on.
const BITS: u32 = 32;
const BASE: i64 = 1 << BITS;
const MASK: i64 = BASE - 1;

/// Limbs that hold any finite `f64`, and the sum of 2⁶⁴ of the largest: bit 0 of the first one is 2⁻¹⁰⁷⁴.
pub const LIMBS: usize = 68;

/// So many additions, each of less than 2³² to a limb, leave room in it.
const MOST_ADDED: u32 = 1 << 30;

/// The exact sum of any `f64`: a fixed-point number that is long enough for all of them, rounded once when its value
/// is asked for.
///
/// Floating-point addition rounds, so a sum depends on its order, and a total over bodies would depend on where they
/// lie in memory, on threads, and one day on processes. This one is a number of more than two thousand bits in integers
/// (the small superaccumulator of R. M. Neal, "Fast exact summation using small and large superaccumulators",
/// arXiv:1505.05571, 2015): integers add up to the same sum in any order, also by parts that are merged.
///
/// It is ours and not that of another crate, since saved states hold the limbs, so that their form must be known and
/// stay; and since this crate needs no other, no allocator and no operating system.
///
/// ```
/// use tumble_math::ExactSum;
/// let sum: ExactSum = [1e300, 1.0, -1e300, 1e-300].into_iter().collect();
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExactSum {
    /// Lowest first. Each may be larger than its bits, and negative, until carries are passed on.
    limbs: [i64; LIMBS],
    /// How often something was added since then.
    added: u32,
    /// What was added that is not finite: 0, ±∞ or NaN.
    special: f64,
}

impl ExactSum {
    /// The sum of nothing.
    pub const ZERO: Self = Self { limbs: [0; LIMBS], added: 0, special: 0.0 };

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, number: f64) {
        const FRACTION: u64 = (1 << 52) - 1;
        let bits = number.to_bits();
        let exponent = (bits >> 52) & 0x7ff;
        if exponent == 0x7ff {
            self.special += number;
            return;
        }
        // Books have many zeros.
        if bits << 1 == 0 {
            return;
        }
        // Below the smallest normal number there is no leading one, and the exponent stays the same.
        let (mantissa, shift) =
            if exponent == 0 { (bits & FRACTION, 0) } else { (bits & FRACTION | 1 << 52, exponent - 1) };
        let within = shift % u64::from(BITS);
        let low = mantissa << within;
        #[allow(clippy::cast_possible_truncation, reason = "below 64")]
        let first = (shift / u64::from(BITS)) as usize;
        // Up to 84 bits; a shift by 64 where none are left would be none at all.
        let parts = [low & MASK.cast_unsigned(), low >> BITS, mantissa >> 1 >> (63 - within)];
        let parts = parts.map(u64::cast_signed);
        let negative = bits >> 63 == 1;
        for (limb, part) in self.limbs[first..].iter_mut().zip(parts) {
            *limb += if negative { -part } else { part };
        }
        self.added += 1;
        if self.added == MOST_ADDED {
            self.pass_carries_on();
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        let mut other = *other;
        other.pass_carries_on();
        self.pass_carries_on();
        for (limb, other) in self.limbs.iter_mut().zip(other.limbs) {
            *limb = limb.wrapping_add(other);
        }
        self.special += other.special;
        self.pass_carries_on();
    }

    /// The sum, rounded to the nearest `f64`, ties to even; +0 if it is zero. It is NaN if NaN or infinities of both
    /// signs were added, and infinite if one was, or if the sum is too large.
    pub fn value(&self) -> f64 {
        if self.special.is_nan() {
            return f64::NAN;
        }
        if self.special != 0.0 {
            return self.special;
        }
        let (negative, limbs) = self.magnitude();
        let Some(top) = limbs.iter().rposition(|limb| *limb != 0) else { return 0.0 };
        let bit = |place: usize| limbs[place / 32] >> (place % 32) & 1;
        let highest = 32 * top + 63 - limbs[top].leading_zeros() as usize;
        let lowest = highest.saturating_sub(52);
        let mut mantissa = 0;
        for place in (lowest..=highest).rev() {
            mantissa = mantissa << 1 | bit(place).cast_unsigned();
        }
        // A mantissa brings its leading one along, which is the lowest bit of the exponent.
        let mut bits = ((lowest as u64) << 52).saturating_add(mantissa);
        if lowest > 0 && bit(lowest - 1) == 1 {
            let half = lowest - 1;
            let beyond = limbs[..half / 32].iter().any(|limb| *limb != 0)
                || limbs[half / 32] & ((1 << (half % 32)) - 1) != 0;
            // A carry out of the mantissa raises the exponent, as it should.
            bits += u64::from(beyond || mantissa & 1 == 1);
        }
        let size = f64::from_bits(bits.min(f64::INFINITY.to_bits()));
        if negative { -size } else { size }
    }

    /// The sum as a fixed-point number in 32 bits each, lowest first, the last of which has a sign; and what was added
    /// that is not finite. Equal sums have equal limbs.
    pub fn to_limbs(&self) -> ([i64; LIMBS], f64) {
        let mut sum = *self;
        sum.pass_carries_on();
        (sum.limbs, sum.special)
    }

    /// What [`to_limbs`](Self::to_limbs) gave; none if it cannot have.
    pub fn from_limbs(limbs: [i64; LIMBS], special: f64) -> Option<Self> {
        let [below @ .., _] = &limbs;
        let fits = below.iter().all(|limb| (0..BASE).contains(limb));
        let fits = fits && (special == 0.0 || !special.is_finite());
        fits.then_some(Self { limbs, added: 0, special })
    }

    /// The sum that limbs stand for which somebody else has added to as [`add`](Self::add) does: those may be larger than their 32 bits,
    /// and negative.
    #[must_use]
    pub fn of_limbs(limbs: [i64; LIMBS]) -> Self {
        let mut sum = Self { limbs, added: 0, special: 0.0 };
        sum.pass_carries_on();
        sum
    }

    /// Brings all limbs but the last between 0 and 2³².
    fn pass_carries_on(&mut self) {
        let mut carry = 0;
        let [below @ .., last] = &mut self.limbs;
        for limb in below {
            let sum = *limb + carry;
            *limb = sum & MASK;
            carry = sum >> BITS;
        }
        *last = last.wrapping_add(carry);
        self.added = 1;
    }

    /// Whether the sum is negative, and its absolute value in limbs without signs.
    fn magnitude(&self) -> (bool, [i64; LIMBS]) {
        let mut sum = *self;
        sum.pass_carries_on();
        let negative = sum.limbs[LIMBS - 1] < 0;
        if negative {
            sum.limbs = sum.limbs.map(i64::wrapping_neg);
            sum.pass_carries_on();
        }
        (negative, sum.limbs)
    }
}

impl Default for ExactSum {
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialEq for ExactSum {
    /// Whether the sums are equal, however they came about.
    fn eq(&self, other: &Self) -> bool {
        let ((a, special_a), (b, special_b)) = (self.to_limbs(), other.to_limbs());
        a == b && special_a.to_bits() == special_b.to_bits()
    }
}

impl AddAssign<f64> for ExactSum {
    fn add_assign(&mut self, number: f64) {
        self.add(number);
    }
}

impl Extend<f64> for ExactSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut sum = Self::ZERO;
        sum.extend(numbers);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Carries are passed on long before a limb overflows, so what is left of them can be set up by hand.
    #[test]
    fn limbs_at_the_end_of_their_room_still_add_up() {
        let mut sum = ExactSum::ZERO;
        sum.add(1.0);
        let times = i64::from(MOST_ADDED - 1);
        let mut many =
            ExactSum { limbs: sum.limbs.map(|limb| limb * times), added: MOST_ADDED - 1, special: 0.0 };
        many.add(1.0);
        assert_eq!(many.added, 1, "carries were passed on");
        assert_eq!(many.value().to_bits(), f64::from(MOST_ADDED).to_bits());
        for sign in [1.0, -1.0] {
            // The largest that one addition can do to a limb, as often as it may be done.
            let full = f64::from_bits(0x001f_ffff_ffff_ffff) * sign;
            let mut sum = ExactSum::ZERO;
            sum.add(full);
            let mut many = ExactSum { limbs: sum.limbs.map(|limb| limb * times), ..sum };
            many.pass_carries_on();
            assert_eq!(many.value().to_bits(), (full * f64::from(MOST_ADDED - 1)).to_bits());
        }
    }
}
