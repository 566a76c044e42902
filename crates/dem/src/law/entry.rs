//! Entries of the ledger that contacts keep books of. A law lists those that it has, of these or of its own.

use crate::record::Record;
use tumble_math::Real;

/// What an entry counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Elastic energy of a spring that has given it back when the contact ends.
    Stored,
    /// Elastic energy of a spring that ends with the contact: what is in it then goes to the entry `separation`.
    Held,
    /// What a step loses by a power of its instant, times Δt. Such powers are added up by the trapezoid rule.
    Damped,
    /// What a step has lost since the one before.
    Slipped,
    /// What the contact will lose when it ends, with what is [held](Self::Held) then: nothing before.
    Torn,
}

impl EntryKind {
    /// Whether it is there at an instant; else it was lost since the start.
    pub const fn is_stored(self) -> bool {
        matches!(self, Self::Stored | Self::Held)
    }
}

/// An entry of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The name in tables. Entries of the same name are added up.
    pub key: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// What it counts.
    pub kind: EntryKind,
}

impl Entry {
    /// An entry of a law's own.
    pub const fn new(key: &'static str, summary: &'static str, kind: EntryKind) -> Self {
        Self { key, summary, kind }
    }
}

/// Elastic energy of the normal spring.
pub const ELASTIC_NORMAL: Entry =
    Entry::new("elastic_normal", "elastic energy of normal springs", EntryKind::Stored);
/// Elastic energy of the tangential spring.
pub const ELASTIC_TANGENTIAL: Entry =
    Entry::new("elastic_tangential", "elastic energy of tangential springs", EntryKind::Held);
/// Elastic energy of the rolling and the twisting spring.
pub const ELASTIC_ROLLING: Entry =
    Entry::new("elastic_rolling", "elastic energy of rolling and twisting springs", EntryKind::Held);
/// Lost by the normal dashpot.
pub const NORMAL_DAMPING: Entry =
    Entry::new("normal_damping", "lost to damping along the normal", EntryKind::Damped);
/// Lost by the tangential dashpot.
pub const TANGENTIAL_DAMPING: Entry =
    Entry::new("tangential_damping", "lost to damping along the tangent", EntryKind::Damped);
/// Lost by friction: gross sliding, and the micro-slip of a contact whose area changes under tangential load.
pub const SLIDING: Entry = Entry::new("sliding", "lost to friction", EntryKind::Slipped);
/// Lost by slip of the rolling and twisting springs.
pub const ROLLING: Entry =
    Entry::new("rolling", "lost to rolling and twisting resistance", EntryKind::Slipped);
/// Lost by rolling and twisting dashpots.
pub const ROLLING_DAMPING: Entry = Entry::new("rolling", ROLLING.summary, EntryKind::Damped);

/// Lost where surfaces that hold on to each other part: by what is stored there beyond touch, and in tangential springs.
pub const ADHESION: Entry = Entry::new("adhesion", "lost where adhering surfaces part", EntryKind::Torn);

/// A record of energies in J, and the entries that they belong to.
///
/// With the work of the reaction by the trapezoid rule, work + stored + lost is constant to second order in Δt. Nothing lost
/// is negative but for rounding.
pub trait Books<R: Real>: Record<R> {
    /// The entry of each number.
    const ENTRIES: &'static [Entry];

    /// The numbers with the weight of the contact, and those of dashpots with a factor of their own.
    #[inline(always)]
    #[must_use]
    fn weighed(self, weight: R, damped: R) -> Self {
        let mut numbers = [R::lit(0.0); MOST];
        self.write(&mut numbers[..Self::SIZE], 0);
        for (number, entry) in numbers.iter_mut().zip(Self::ENTRIES) {
            *number = *number * if matches!(entry.kind, EntryKind::Damped) { damped } else { weight };
        }
        Self::read(&numbers[..Self::SIZE], 0)
    }

    /// The energy of springs that end with the contact.
    #[inline(always)]
    fn held(self) -> R {
        self.sum(EntryKind::Held)
    }

    /// The energy of all entries of one kind.
    #[inline(always)]
    fn sum(self, kind: EntryKind) -> R {
        let mut numbers = [R::lit(0.0); MOST];
        self.write(&mut numbers[..Self::SIZE], 0);
        let mut sum = R::lit(0.0);
        for (number, entry) in numbers.iter().zip(Self::ENTRIES) {
            if entry.kind as u8 == kind as u8 {
                sum = sum + *number;
            }
        }
        sum
    }

    /// Whether the law has an entry of its own for what is lost where contacts end.
    #[inline(always)]
    fn tears() -> bool {
        Self::ENTRIES.iter().any(|entry| matches!(entry.kind, EntryKind::Torn))
    }
}

/// More entries than any law has.
const MOST: usize = 16;

/// Declares a [record](crate::record!) of [`Books`]: each field with its entry.
///
/// ```
/// use tumble_dem::law::{Books, ELASTIC_NORMAL, Entry, EntryKind};
///
/// const TORN: Entry = Entry::new("torn", "lost where necks tear", EntryKind::Slipped);
/// tumble_dem::books! {
///     /// What a contact with a neck keeps books of.
///     NeckBooks, NECK_BOOKS { elastic: ELASTIC_NORMAL, torn: TORN }
/// }
/// let books = NeckBooks { elastic: 3.0, torn: 5.0 };
/// assert_eq!(NECK_BOOKS, <NeckBooks<f64> as Books<f64>>::ENTRIES.len());
/// assert_eq!(books.weighed(0.5, 0.1), NeckBooks { elastic: 1.5, torn: 2.5 });
/// ```
#[macro_export]
macro_rules! books {
    (
        $(#[$doc:meta])*
        $name:ident, $count:ident { $($(#[$field_doc:meta])* $field:ident: $entry:expr),+ $(,)? }
    ) => {
        $crate::record! {
            $(#[$doc])*
            $name, $count { $($(#[$field_doc])* #[doc = "J."] $field: R),+ }
        }

        impl<R: $crate::Real> $crate::law::Books<R> for $name<R> {
            const ENTRIES: &'static [$crate::law::Entry] = &[$($entry),+];
        }
    };
}

books! {
    /// The books of rolling and twisting resistances.
    Resisted, RESISTED {
        /// Elastic energy of both springs.
        stored: ELASTIC_ROLLING,
        /// Lost by slip of the springs.
        slipped: ROLLING,
        /// Lost by what depends on the spin.
        damped: ROLLING_DAMPING,
    }
}
