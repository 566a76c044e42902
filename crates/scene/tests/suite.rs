//! Every integration test of the crate, in one program: it links once.

mod bad;
mod common;
mod good;
mod keys;
mod mutations;
mod placing;
mod set;
