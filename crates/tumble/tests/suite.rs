//! Every integration test of the crate, in one program: it links once.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

mod bonds;
mod common;
mod damage;
mod devices;
mod examples;
mod going_on;
mod own_outputs;
mod polyhedra;
mod ranks;
mod remote;
mod reports;
mod resuming;
mod running;
mod scenes;
mod soft_starts;
mod stage_changes;
mod stage_length;
mod stages;
mod surfaces;
mod trouble;
