//! Records of numbers: a plain struct with names, and the same as an array, in the order of the fields.
//!
//! Loops keep what they work on in columns, recordings take and give lists of numbers. A record is declared once and
//! knows both: nobody counts columns by hand.

use tumble_math::{Quat, Real, Vec3};

/// What a field of a record can be.
pub(crate) trait Field<R>: Copy {
    /// How many numbers it has.
    const SIZE: usize;
    /// Reads it from the numbers that begin at `at`.
    fn read(from: &[R], at: usize) -> Self;
    /// Writes it to the numbers that begin at `at`.
    fn write(self, to: &mut [R], at: usize);
}

impl<R: Real> Field<R> for R {
    const SIZE: usize = 1;
    #[inline(always)]
    fn read(from: &[R], at: usize) -> Self {
        from[at]
    }
    #[inline(always)]
    fn write(self, to: &mut [R], at: usize) {
        to[at] = self;
    }
}

impl<R: Real, F: 'static> Field<R> for Vec3<R, F> {
    const SIZE: usize = 3;
    #[inline(always)]
    fn read(from: &[R], at: usize) -> Self {
        Self::new(from[at], from[at + 1], from[at + 2])
    }
    #[inline(always)]
    fn write(self, to: &mut [R], at: usize) {
        to[at] = self.x;
        to[at + 1] = self.y;
        to[at + 2] = self.z;
    }
}

impl<R: Real> Field<R> for Quat<R> {
    const SIZE: usize = 4;
    #[inline(always)]
    fn read(from: &[R], at: usize) -> Self {
        Self::new(from[at], from[at + 1], from[at + 2], from[at + 3])
    }
    #[inline(always)]
    fn write(self, to: &mut [R], at: usize) {
        to[at..at + 4].copy_from_slice(&self.to_array());
    }
}

/// Declares a record and a constant with the number of its numbers. Its fields are numbers `R`, vectors, quaternions and
/// other records.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $name:ident, $count:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),+ $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<R> {
            $($(#[$field_doc])* pub $field: $type),+
        }

        #[doc = concat!("How many numbers a [`", stringify!($name), "`] has.")]
        pub const $count: usize = <$name<f64> as $crate::record::Field<f64>>::SIZE;

        impl<R: ::tumble_math::Real> $name<R> {
            /// The numbers in the order of the fields.
            #[inline(always)]
            pub fn to_array(self) -> [R; $count] {
                let mut numbers = [R::lit(0.0); $count];
                $crate::record::Field::<R>::write(self, &mut numbers, 0);
                numbers
            }

            /// The inverse of [`to_array`](Self::to_array).
            #[inline(always)]
            pub fn from_array(numbers: [R; $count]) -> Self {
                <Self as $crate::record::Field<R>>::read(&numbers, 0)
            }
        }

        impl<R: ::tumble_math::Real> $crate::record::Field<R> for $name<R> {
            const SIZE: usize = 0 $(+ <$type as $crate::record::Field<R>>::SIZE)+;

            #[inline(always)]
            fn read(from: &[R], at: usize) -> Self {
                let next = at;
                $(
                    let $field = <$type as $crate::record::Field<R>>::read(from, next);
                    let next = next + <$type as $crate::record::Field<R>>::SIZE;
                )+
                let _ = next;
                Self { $($field),+ }
            }

            #[inline(always)]
            fn write(self, to: &mut [R], at: usize) {
                let next = at;
                $(
                    $crate::record::Field::<R>::write(self.$field, to, next);
                    let next = next + <$type as $crate::record::Field<R>>::SIZE;
                )+
                let _ = next;
            }
        }
    };
}
pub(crate) use record;

#[cfg(test)]
#[allow(unreachable_pub, reason = "a record is public where it is declared")]
mod tests {
    use tumble_math::{LabVec, Quat};

    record! {
        /// Two numbers and a vector.
        Inner, INNER { first: R, vector: LabVec<R>, last: R }
    }
    record! {
        /// A record within a record.
        Outer, OUTER { q: Quat<R>, inner: Inner<R>, scale: R }
    }

    #[test]
    fn numbers_are_in_the_order_of_the_fields_and_come_back() {
        assert_eq!((INNER, OUTER), (5, 10));
        let inner = Inner { first: 5.0, vector: LabVec::new(6.0, 7.0, 8.0), last: 9.0 };
        let outer = Outer { q: Quat::new(1.0, 2.0, 3.0, 4.0), inner, scale: 10.0 };
        let numbers = outer.to_array();
        assert_eq!(numbers.to_vec(), (1..=10).map(f64::from).collect::<Vec<_>>());
        assert_eq!(Outer::from_array(numbers), outer);
        assert_eq!(Inner::from_array(inner.to_array()), inner);
    }
}
