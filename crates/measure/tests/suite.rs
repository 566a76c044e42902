//! One program for all tests of the crate.

mod known;
mod over_time;
