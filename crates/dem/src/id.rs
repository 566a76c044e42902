//! Numbers of things, each a type of its own, so that a wall is not mistaken for a material.

use core::fmt;

macro_rules! ids {
    ($($(#[doc = $doc:literal])+ $name:ident($number:ty);)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $number);

        impl $name {
            /// Its place in a list of all.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> Self {
                id.index()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

ids! {
    /// A material of the world, by its number.
    MaterialId(u16);
    /// A template of the world, by its number.
    TemplateId(u16);
    /// A wall of the world, by its number.
    WallId(u32);
    /// A body, by the number it keeps for life. Numbers of removed bodies are not used again.
    BodyId(u32);
}
