//! Records of numbers: a plain struct with names, and the same as numbers in the order of the fields.
//!
//! Loops keep what they work on in columns, recordings take and give lists of numbers. A record is declared once and
//! knows both: nobody counts columns by hand. The constants, the memory and the books of a contact law are records that
//! the law declares for itself, by [`record!`](crate::record!) and [`books!`](crate::books!), in this crate or in another.

use crate::physics::frame::FrameTurn;
use core::fmt::Debug;
use tumble_math::{BodyVec, LabVec, Quat, Real};

/// Numbers that a record is read from.
pub trait Numbers<R> {
    /// The number at a place.
    fn number(&self, at: usize) -> R;
}

impl<R: Copy> Numbers<R> for [R] {
    #[inline(always)]
    fn number(&self, at: usize) -> R {
        self[at]
    }
}

/// Numbers that a record is written to.
pub trait NumbersMut<R> {
    /// Sets the number at a place.
    fn set_number(&mut self, at: usize, value: R);
}

impl<R> NumbersMut<R> for [R] {
    #[inline(always)]
    fn set_number(&mut self, at: usize, value: R) {
        self[at] = value;
    }
}

/// A struct of numbers `R`, or a field of one: a number, a vector, a quaternion, nothing, another record.
pub trait Record<R: Real>: Copy + Debug {
    /// How many numbers it has.
    const SIZE: usize;

    /// Reads it from the numbers that begin at `at`.
    fn read(from: &(impl Numbers<R> + ?Sized), at: usize) -> Self;

    /// Writes it to the numbers that begin at `at`.
    fn write(self, to: &mut (impl NumbersMut<R> + ?Sized), at: usize);

    /// What a contact remembers, turned with its frame: vectors of the lab lie in the tangent plane and go along; numbers
    /// stay as they are.
    #[must_use]
    fn carried(self, frame: &FrameTurn<R>) -> Self;

    /// All numbers zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::read(&Zeros, 0)
    }
}

/// As many zeros as anybody asks for.
struct Zeros;

impl<R: Real> Numbers<R> for Zeros {
    #[inline(always)]
    fn number(&self, _: usize) -> R {
        R::lit(0.0)
    }
}

/// The record without numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Nothing;

impl<R: Real> Record<R> for Nothing {
    const SIZE: usize = 0;
    #[inline(always)]
    fn read(_: &(impl Numbers<R> + ?Sized), _: usize) -> Self {
        Self
    }
    #[inline(always)]
    fn write(self, _: &mut (impl NumbersMut<R> + ?Sized), _: usize) {}
    #[inline(always)]
    fn carried(self, _: &FrameTurn<R>) -> Self {
        self
    }
}

impl<R: Real> Record<R> for R {
    const SIZE: usize = 1;
    #[inline(always)]
    fn read(from: &(impl Numbers<R> + ?Sized), at: usize) -> Self {
        from.number(at)
    }
    #[inline(always)]
    fn write(self, to: &mut (impl NumbersMut<R> + ?Sized), at: usize) {
        to.set_number(at, self);
    }
    #[inline(always)]
    fn carried(self, _: &FrameTurn<R>) -> Self {
        self
    }
}

/// Vectors of a frame: what a turning contact makes of them.
macro_rules! vectors {
    ($vector:ident, |$self:ident, $frame:ident| $carried:expr) => {
        impl<R: Real> Record<R> for $vector<R> {
            const SIZE: usize = 3;
            #[inline(always)]
            fn read(from: &(impl Numbers<R> + ?Sized), at: usize) -> Self {
                Self::new(from.number(at), from.number(at + 1), from.number(at + 2))
            }
            #[inline(always)]
            fn write(self, to: &mut (impl NumbersMut<R> + ?Sized), at: usize) {
                to.set_number(at, self.x);
                to.set_number(at + 1, self.y);
                to.set_number(at + 2, self.z);
            }
            #[inline(always)]
            fn carried($self, $frame: &FrameTurn<R>) -> Self {
                $carried
            }
        }
    };
}

vectors!(LabVec, |self, frame| frame.carry_into_plane(self));
vectors!(BodyVec, |self, _frame| self);

impl<R: Real> Record<R> for Quat<R> {
    const SIZE: usize = 4;
    #[inline(always)]
    fn read(from: &(impl Numbers<R> + ?Sized), at: usize) -> Self {
        Self::new(from.number(at), from.number(at + 1), from.number(at + 2), from.number(at + 3))
    }
    #[inline(always)]
    fn write(self, to: &mut (impl NumbersMut<R> + ?Sized), at: usize) {
        let [w, x, y, z] = self.to_array();
        to.set_number(at, w);
        to.set_number(at + 1, x);
        to.set_number(at + 2, y);
        to.set_number(at + 3, z);
    }
    #[inline(always)]
    fn carried(self, _: &FrameTurn<R>) -> Self {
        self
    }
}

/// Something of each part of a contact model: one record after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PerPart<L, Ro, Tw> {
    /// Of the contact law.
    pub law: L,
    /// Of the rolling resistance.
    pub rolling: Ro,
    /// Of the twisting resistance.
    pub twisting: Tw,
}

impl<R: Real, L: Record<R>, Ro: Record<R>, Tw: Record<R>> Record<R> for PerPart<L, Ro, Tw> {
    const SIZE: usize = L::SIZE + Ro::SIZE + Tw::SIZE;
    #[inline(always)]
    fn read(from: &(impl Numbers<R> + ?Sized), at: usize) -> Self {
        Self {
            law: L::read(from, at),
            rolling: Ro::read(from, at + L::SIZE),
            twisting: Tw::read(from, at + L::SIZE + Ro::SIZE),
        }
    }
    #[inline(always)]
    fn write(self, to: &mut (impl NumbersMut<R> + ?Sized), at: usize) {
        self.law.write(to, at);
        self.rolling.write(to, at + L::SIZE);
        self.twisting.write(to, at + L::SIZE + Ro::SIZE);
    }
    #[inline(always)]
    fn carried(self, frame: &FrameTurn<R>) -> Self {
        Self {
            law: self.law.carried(frame),
            rolling: self.rolling.carried(frame),
            twisting: self.twisting.carried(frame),
        }
    }
}

/// The numbers of a record.
pub fn to_numbers<R: Real, T: Record<R>>(record: T) -> Vec<R> {
    let mut numbers = vec![R::lit(0.0); T::SIZE];
    record.write(&mut numbers[..], 0);
    numbers
}

/// Declares a record and a constant with the number of its numbers. Its fields are numbers `R`, vectors, quaternions and
/// other records.
///
/// ```
/// use tumble_dem::record::{Record, to_numbers};
/// use tumble_math::LabVec;
///
/// tumble_dem::record! {
///     /// A spring that was drawn.
///     Drawn, DRAWN {
///         /// N/m.
///         stiffness: R,
///         /// m.
///         by: LabVec<R>,
///     }
/// }
/// let drawn = Drawn { stiffness: 2.0, by: LabVec::new(3.0, 4.0, 5.0) };
/// assert_eq!((DRAWN, to_numbers(drawn)), (4, vec![2.0, 3.0, 4.0, 5.0]));
/// assert_eq!(Drawn::read(&[2.0, 3.0, 4.0, 5.0][..], 0), drawn);
/// ```
#[macro_export]
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
        pub const $count: usize = <$name<f64> as $crate::record::Record<f64>>::SIZE;

        impl<R: $crate::Real> $name<R> {
            /// The numbers in the order of the fields.
            #[inline(always)]
            pub fn to_array(self) -> [R; $count] {
                let mut numbers = [R::lit(0.0); $count];
                $crate::record::Record::<R>::write(self, &mut numbers[..], 0);
                numbers
            }

            /// The inverse of [`to_array`](Self::to_array).
            #[inline(always)]
            pub fn from_array(numbers: [R; $count]) -> Self {
                <Self as $crate::record::Record<R>>::read(&numbers[..], 0)
            }
        }

        impl<R: $crate::Real> $crate::record::Record<R> for $name<R> {
            const SIZE: usize = 0 $(+ <$type as $crate::record::Record<R>>::SIZE)+;

            #[inline(always)]
            fn read(from: &(impl $crate::record::Numbers<R> + ?Sized), at: usize) -> Self {
                let next = at;
                $(
                    let $field = <$type as $crate::record::Record<R>>::read(from, next);
                    let next = next + <$type as $crate::record::Record<R>>::SIZE;
                )+
                let _ = next;
                Self { $($field),+ }
            }

            #[inline(always)]
            fn write(self, to: &mut (impl $crate::record::NumbersMut<R> + ?Sized), at: usize) {
                let next = at;
                $(
                    $crate::record::Record::<R>::write(self.$field, to, next);
                    let next = next + <$type as $crate::record::Record<R>>::SIZE;
                )+
                let _ = next;
            }

            #[inline(always)]
            fn carried(self, frame: &$crate::physics::FrameTurn<R>) -> Self {
                Self { $($field: $crate::record::Record::<R>::carried(self.$field, frame)),+ }
            }
        }
    };
}

#[cfg(test)]
#[allow(unreachable_pub, reason = "a record is public where it is declared")]
mod tests {
    use super::*;

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
        let three = PerPart { law: inner, rolling: Nothing, twisting: 3.0 };
        assert_eq!(to_numbers(three), [5.0, 6.0, 7.0, 8.0, 9.0, 3.0]);
        assert_eq!(PerPart::<Inner<f64>, Nothing, f64>::read(&to_numbers(three)[..], 0), three);
    }

    #[test]
    fn vectors_turn_with_the_frame_of_a_contact_and_numbers_stay() {
        let (x, z) = (LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 0.0, 1.0));
        let frame = FrameTurn::new(z, x, 0.0, 1.0);
        let carried = Inner { first: 5.0, vector: x * 2.0, last: 9.0 }.carried(&frame);
        assert_eq!((carried.first, carried.last), (5.0, 9.0));
        assert!((carried.vector + z * 2.0).norm() < 1e-15, "{:?}", carried.vector);
    }
}
