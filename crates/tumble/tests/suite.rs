//! Every integration test of the crate, in one program: it links once.

mod common;
mod examples;
mod reports;
mod resuming;
mod running;
mod scenes;
mod trouble;
