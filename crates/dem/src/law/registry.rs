//! Run-time choice of a law or resistance: an enum, its names, and a visitor, made from one list.

macro_rules! choices {
    (
        $(#[$doc:meta])*
        $kind:ident of $model:ident, $info:ident, $visitor:ident, $part:ident:
        $($module:ident::$type:ident),+ $(,)?
    ) => {
        $(pub mod $module;)+
        $(pub use $module::$type;)+

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $kind {
            $(#[doc = concat!("[`", stringify!($type), "`](struct@", stringify!($type), ")")] $type,)+
            /// The part of a model that is not in the lists: see [`ContactModel::of`](crate::law::ContactModel::of).
            Outside($crate::law::Outside),
        }

        /// Receives the type that was chosen: run-time choice outside, static dispatch inside.
        pub trait $visitor {
            /// What the visit gives.
            type Output;
            /// Called with the type that was chosen.
            fn visit<M: $model>(self, chosen: M) -> Self::Output;
        }

        impl $kind {
            /// Every one of the list, in the order of the tables.
            pub const ALL: &'static [Self] = &[$(Self::$type),+];

            /// The facts.
            pub fn info(self) -> &'static $info {
                match self {
                    $(Self::$type => &<$type as $model>::INFO,)+
                    Self::Outside(model) => model.$part(),
                }
            }

            /// The name.
            pub fn name(self) -> &'static str {
                self.info().name
            }

            /// Whether its contacts remember anything of it from step to step.
            pub fn has_history(self) -> bool {
                match self {
                    $(Self::$type => <<$type as $model>::Memory<f64> as $crate::record::Record<f64>>::SIZE > 0,)+
                    Self::Outside(model) => model.memories().$part,
                }
            }

            /// The one of the list that has this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.name() == name)
            }

            /// Calls the visitor with the type; none if it is not in the list.
            pub fn visit<V: $visitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    $(Self::$type => Some(visitor.visit($type)),)+
                    Self::Outside(_) => Option::None,
                }
            }
        }
    };
}
pub(crate) use choices;
