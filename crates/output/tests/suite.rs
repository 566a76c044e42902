//! Every integration test of the crate, in one program: it links once.

mod background;
mod checkpoints;
mod common;
mod folders;
mod resuming;
mod summaries;
mod tables;
mod trajectories;
mod vtk;
#[cfg(feature = "vtkhdf")]
mod vtkhdf;
mod vtp;
