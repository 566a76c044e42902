//! Every integration test of the crate, in one program: it links once.

mod common;
mod exporting;
mod fields;
mod looking;
mod refusing;
mod serving;
