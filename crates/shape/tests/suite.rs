//! One binary for all tests of this crate: they link once.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

mod certificates;
mod fitting;
mod gradients;
mod meshes;
