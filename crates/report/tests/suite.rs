//! Every integration test of the crate, in one program: it links once.

mod markup;
mod pages;
mod pictures;
mod rendering;
mod style;
