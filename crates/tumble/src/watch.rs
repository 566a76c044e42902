//! What a run tells while it goes on, and how it is asked to stop.

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time, s.
    pub time: f64,
    /// Simulated time at the end, s.
    pub end: f64,
    /// Steps done.
    pub step: u64,
    /// Steps per second of real time, lately.
    pub steps_per_second: f64,
    /// Energy that the books cannot account for, relative to the energy there is; NaN before the first row of the
    /// table of energies.
    pub energy_error: f64,
    /// Contacts now.
    pub contacts: usize,
    /// Bodies now.
    pub bodies: usize,
}

/// Somebody who looks on. `()` looks on in silence.
pub trait Watch {
    /// Called several times a second.
    fn progress(&mut self, _: &Progress) {}

    /// Asked several times a second; if it says so, the run saves its state and ends.
    fn wants_stop(&mut self) -> bool {
        false
    }

    /// Called with what a person should know: bodies that found no room, for one.
    fn notice(&mut self, _: &str) {}
}

impl Watch for () {}
