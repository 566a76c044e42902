//! Run-time choice of a scheme: [`SchemeKind`], made from the one list in `schemes/mod.rs`.

use crate::{Memory, RotationScheme, SchemeKind};

/// Receives a scheme's type: run-time choice outside, static dispatch inside.
pub trait SchemeVisitor {
    /// What the visit gives.
    type Output;
    /// Called with the scheme that was chosen.
    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output;
}

macro_rules! rotation_schemes {
    ($($module:ident::$scheme:ident),+ $(,)?) => {
        $(mod $module;)+
        $(pub use $module::$scheme;)+

        /// A scheme chosen at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SchemeKind {
            $(#[doc = concat!("[`", stringify!($scheme), "`](struct@", stringify!($scheme), ")")] $scheme),+
        }

        impl SchemeKind {
            /// Every scheme, in the order of the tables.
            pub const ALL: &'static [Self] = &[$(Self::$scheme),+];

            /// The facts of the scheme.
            pub const fn info(self) -> &'static $crate::SchemeInfo {
                match self {
                    $(Self::$scheme => &<$scheme as $crate::RotationScheme>::INFO),+
                }
            }

            /// Calls the visitor with the scheme's type.
            pub fn visit<V: $crate::SchemeVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Self::$scheme => visitor.visit($scheme)),+
                }
            }
        }
    };
}
pub(crate) use rotation_schemes;

impl Default for SchemeKind {
    /// What is best in doubt, and for contacts with friction or damping.
    fn default() -> Self {
        Self::MagnusLeapfrog
    }
}

impl SchemeKind {
    /// The scheme's name.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// How many numbers the scheme remembers beside q and ω.
    pub fn memory_width(self) -> usize {
        struct Width;
        impl SchemeVisitor for Width {
            type Output = usize;
            fn visit<S: RotationScheme>(self, _: S) -> usize {
                <S::Memory<f64> as Memory<f64>>::WIDTH
            }
        }
        self.visit(Width)
    }

    /// The scheme of this name.
    ///
    /// ```
    /// use tumble_rotation::SchemeKind;
    /// assert_eq!(SchemeKind::from_name("no-squish"), Some(SchemeKind::NoSquish));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}
