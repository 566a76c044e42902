//! The contact laws against closed forms and published collisions, and their energy books.

pub(crate) mod bench;
mod books;
mod collisions;
mod limits;
mod materials;
mod oblique;
mod own_entries;
mod own_property;
pub(crate) mod recipe;
mod resistance;
#[cfg(feature = "trace")]
mod trace;
mod yielding;
