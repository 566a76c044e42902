//! Every integration test of the crate, in one program: it links once.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

mod bench;
mod check;
mod cli;
mod clump;
mod common;
mod counts;
mod device;
mod documented;
mod export;
mod help;
mod info;
mod killed;
mod launch;
mod laws;
#[cfg(feature = "mpi")]
mod mpi;
mod new;
mod plot;
mod progress;
mod ranks;
mod report;
mod reproduce;
mod run;
mod signals;
mod sweep;
mod sweep_command;
mod tutorial;
mod verify;
mod view;
