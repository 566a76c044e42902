//! One program for all tests of the crate.

mod coarse;
mod known;
mod over_time;
