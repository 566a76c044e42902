//! Initial places: what bodies are like, where they are put, and whether they overlap.
//!
//! | | puts bodies |
//! | --- | --- |
//! | [`Lattice`] | on the sites of a rectangular lattice |
//! | [`Cloud`] | at random in a box, up to random close packing |
//! | [`Packing`] | the same in a [`Region`], by number, mass or solid fraction |
//! | [`BodiesFile`] | where a CSV file says; [`write_bodies`] writes one |
//! | [`Stream`] | into a [`Region`] during a run, at a rate of bodies or mass; an [`Outlet`] takes them out |
//! | [`random_cloud`] | at random in an empty box, the simple way |
//!
//! Placing can be given up: [`interruptible`].
//!
//! [`Choice`] says what bodies of a population are like, [`SizeDistribution`] how large they are. Bodies that were placed do not overlap, those of a
//! file as the file says; [`overlaps`] finds which bodies of a world do, [`near_pairs`] which are close to each other. All is drawn from a seeded
//! [`Random`](crate::random::Random), with the same bits everywhere.

mod bodies_file;
mod cells;
mod choice;
mod cloud;
mod ends;
mod error;
mod lattice;
mod near;
mod outlet;
mod overlaps;
mod patience;
mod random_cloud;
mod region;
mod room;
mod size;
mod stream;

pub use bodies_file::{BodiesFile, BodiesFileError, Column, MAX_LINE_BYTES, Names, RowProblem, write_bodies};
pub use choice::{Choice, Mix, Orientation, Scale, Velocity};
pub use cloud::{Amount, Cloud, Packing};
pub(crate) use ends::Ends;
pub use error::{Crowded, Obstacle, PlacementError};
pub use lattice::{Lattice, Sites};
pub use near::{NearPair, near_pairs};
pub use outlet::{Outlet, Taken, Zone};
pub use overlaps::{Overlap, Overlaps, overlaps};
pub use patience::{interruptible, is_over, was_over};
pub use random_cloud::{NoRoom, random_cloud};
pub use region::{Region, Surface};
pub use size::{By, SizeDistribution, SizeLaw, SizeMeasure, Sizes};
pub use stream::{Inlet, Rate, Stream, StreamState, StreamStateError};

/// The most bodies that a lattice or a cloud places.
pub const MOST_BODIES: usize = 100_000_000;
