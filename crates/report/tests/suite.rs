//! Every integration test of the crate, in one program: it links once.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

mod markup;
mod pages;
mod pictures;
mod rendering;
mod style;
