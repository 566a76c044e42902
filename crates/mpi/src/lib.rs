//! Ranks that are processes, joined by MPI: [`Peers`](tumble_dem::ranks::Peers) on the library that every computing centre has.
//!
//! All of it is behind the feature `mpi`, since it needs a library of the system.
//!
//! A message may be longer than MPI counts, which is in 32 bits, so long ones go in pieces; the last piece is the one that is not
//! full. Between two ranks messages keep their order, and all ranks call the same methods in the same order, so they need no names.
//! Reductions are those of integers, which have no order. A rank that dies takes all others with it: the launcher sees to that, and
//! MPI ends a program in which something fails; so nothing here gives an error.

#[cfg(feature = "mpi")]
mod processes;

#[cfg(feature = "mpi")]
pub use processes::{Processes, World};
