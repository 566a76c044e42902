//! Every integration test of the crate, in one program: it links once.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

mod background;
mod capsules;
mod checkpoints;
mod common;
mod ellipsoids;
mod folders;
mod images;
mod polyhedra;
mod resuming;
mod summaries;
mod tables;
mod trajectories;
mod vtk;
#[cfg(feature = "vtkhdf")]
mod vtkhdf;
mod vtp;
mod warm;
