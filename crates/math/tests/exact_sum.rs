//! Guarantee: `ExactSum` gives the exact sum of any numbers, correctly rounded, whatever their order and however they are
//! put together. It is compared with sums in plain long integers, which share nothing with it but the format of `f64`.

use proptest::prelude::*;
use tumble_math::ExactSum;

/// An integer of any sign in units of 2⁻¹⁰⁷⁴, as bits, lowest first, in two's complement.
struct Long(Vec<bool>);

impl Long {
    const BITS: usize = 2200;

    fn of(number: f64) -> Self {
        let bits = number.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as usize, bits & ((1 << 52) - 1));
        let (mantissa, shift) =
            if exponent == 0 { (fraction, 0) } else { (fraction + (1 << 52), exponent - 1) };
        let mut long = vec![false; Self::BITS];
        for bit in 0..53 {
            long[shift + bit] = mantissa >> bit & 1 == 1;
        }
        let long = Self(long);
        if number.is_sign_negative() { long.negated() } else { long }
    }

    fn negated(&self) -> Self {
        let mut one = vec![false; Self::BITS];
        one[0] = true;
        Self(self.0.iter().map(|bit| !bit).collect()).plus(&Self(one))
    }

    fn plus(&self, other: &Self) -> Self {
        let mut carry = 0;
        let sum = self.0.iter().zip(&other.0).map(|(&a, &b)| {
            carry += u8::from(a) + u8::from(b);
            let bit = carry & 1 == 1;
            carry >>= 1;
            bit
        });
        Self(sum.collect())
    }

    fn is_negative(&self) -> bool {
        self.0[Self::BITS - 1]
    }

    /// Whether this is the nearest `f64`: no neighbour is nearer, and of two equally near ones it is the even one.
    fn rounds_to(&self, value: f64) -> bool {
        let distance = |to: f64| {
            let difference = self.plus(&Self::of(to).negated());
            let size = if difference.is_negative() { difference.negated() } else { difference };
            size.0.into_iter().rev().collect::<Vec<bool>>()
        };
        let own = distance(value);
        [value.next_up(), value.next_down()].into_iter().filter(|other| other.is_finite()).all(|other| {
            let theirs = distance(other);
            own < theirs || (own == theirs && value.to_bits() & 1 == 0)
        })
    }
}

/// Numbers of all sizes, many near each other so that they cancel, some not normal, some zero.
fn numbers() -> impl Strategy<Value = Vec<f64>> {
    let of_any_size =
        any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite() && x.abs() < 1e306);
    let near_one = -4.0..4.0_f64;
    let small = (any::<u64>(), any::<bool>()).prop_map(|(bits, negative)| {
        let size = f64::from_bits(bits >> 11);
        if negative { -size } else { size }
    });
    let one = prop_oneof![of_any_size, near_one, small, Just(0.0), Just(-0.0), Just(1e300), Just(-1e300)];
    prop::collection::vec(one, 0..40)
}

fn exact(numbers: &[f64]) -> Long {
    numbers.iter().fold(Long::of(0.0), |sum, &number| sum.plus(&Long::of(number)))
}

fn sum(numbers: &[f64]) -> ExactSum {
    numbers.iter().copied().collect()
}

proptest! {
    #[test]
    fn the_sum_is_the_nearest_number_to_that_of_long_integers(numbers in numbers()) {
        let value = sum(&numbers).value();
        prop_assert!(value.is_finite());
        prop_assert!(exact(&numbers).rounds_to(value), "{numbers:?} gave {value:e}");
    }

    #[test]
    fn order_and_parts_do_not_matter(numbers in numbers(), cut in 0..40_usize, turn in 0..40_usize) {
        let mut other = numbers.clone();
        other.reverse();
        let turn = turn.min(other.len());
        other.rotate_left(turn);
        let (left, right) = other.split_at(cut.min(other.len()));
        let mut parts = sum(right);
        parts.merge(&sum(left));
        let whole = sum(&numbers);
        prop_assert_eq!(whole.value().to_bits(), parts.value().to_bits());
        prop_assert_eq!(whole, parts);
        prop_assert_eq!(whole.to_limbs(), parts.to_limbs());
        let (limbs, special) = whole.to_limbs();
        prop_assert_eq!(ExactSum::from_limbs(limbs, special), Some(whole));
    }

    #[test]
    fn a_sum_and_its_opposite_leave_nothing(numbers in numbers()) {
        let mut total = sum(&numbers);
        total.extend(numbers.iter().rev().map(|number| -number));
        prop_assert_eq!(total, ExactSum::ZERO);
        prop_assert_eq!(total.value().to_bits(), 0);
    }
}

#[test]
#[allow(clippy::float_cmp, reason = "these sums are exact")]
fn sums_that_ordinary_ones_get_wrong() {
    assert_eq!(sum(&[]).value().to_bits(), 0);
    assert_eq!(sum(&[-0.0]).value().to_bits(), 0);
    assert_eq!(sum(&[1e300, 1.0, -1e300]).value(), 1.0);
    assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]).value(), f64::MAX);
    assert_eq!(sum(&[1.0, 1e-320, -1.0]).value(), 1e-320);
    let least = f64::from_bits(1);
    assert_eq!(sum(&[least; 3]).value(), 3.0 * least);
    assert_eq!(sum(&[f64::MIN_POSITIVE, -least]).value(), f64::MIN_POSITIVE.next_down());
    // Half of the last digit goes to the even side, more than half goes up.
    let half = f64::EPSILON / 2.0;
    assert_eq!(sum(&[1.0, half]).value(), 1.0);
    assert_eq!(sum(&[1.0, half, least]).value(), 1.0 + f64::EPSILON);
    assert_eq!(sum(&[1.0 + f64::EPSILON, half]).value(), 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(sum(&[-1.0, -half, -least]).value(), -1.0 - f64::EPSILON);
}

#[test]
fn what_is_not_finite_shows() {
    let largest = f64::MAX;
    assert!(sum(&[largest, largest]).value().is_infinite());
    assert_eq!(sum(&[-largest, -largest]).value().to_bits(), f64::NEG_INFINITY.to_bits());
    // Half a digit above the largest number is where rounding begins to give infinity.
    let digit = largest - largest.next_down();
    assert_eq!(sum(&[largest, 0.5 * digit]).value().to_bits(), f64::INFINITY.to_bits());
    assert_eq!(sum(&[largest, (0.5 * digit).next_down()]).value().to_bits(), largest.to_bits());
    assert_eq!(sum(&[1.0, f64::INFINITY, -1e300]).value().to_bits(), f64::INFINITY.to_bits());
    assert_eq!(sum(&[f64::NEG_INFINITY, 1.0]).value().to_bits(), f64::NEG_INFINITY.to_bits());
    assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).value().is_nan());
    assert!(sum(&[f64::NAN, 1.0]).value().is_nan());
    let mut merged = sum(&[f64::INFINITY]);
    merged.merge(&sum(&[f64::NEG_INFINITY]));
    assert!(merged.value().is_nan());
}

#[test]
fn limbs_that_no_sum_has_are_refused() {
    let (mut limbs, special) = sum(&[1.0]).to_limbs();
    limbs[3] = -1;
    assert_eq!(ExactSum::from_limbs(limbs, special), None);
    limbs[3] = 1 << 32;
    assert_eq!(ExactSum::from_limbs(limbs, special), None);
    limbs[3] = 0;
    assert_eq!(ExactSum::from_limbs(limbs, 1.0), None);
}

/// A million random numbers against double-double addition, which is exact to 10⁻³².
#[test]
fn many_numbers_agree_with_twice_the_digits() {
    let mut state = 1_u64;
    let mut exact = ExactSum::ZERO;
    let (mut high, mut low) = (0.0_f64, 0.0_f64);
    for _ in 0..1_000_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        exact += number;
        // Two-sum (Knuth).
        let sum = high + number;
        let part = sum - high;
        low += (high - (sum - part)) + (number - part);
        high = sum;
    }
    assert_eq!(exact.value().to_bits(), (high + low).to_bits());
}
