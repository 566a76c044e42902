//! What a run tells while it goes on, and how it is asked to stop.

use crate::clock::Clock;
use tumble_dem::Solver;

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
    /// Those of them that had left the scene at the last row of the table of energies: they fall for ever, or fly away.
    pub left: usize,
    /// Bodies of streams that are due, but have found no room yet.
    pub waiting: u64,
}

impl Progress {
    /// Where a run to `last_step` stands, whose energy nobody has looked at.
    pub(crate) fn of(engine: &dyn Solver, last_step: u64, clock: &Clock) -> Self {
        Self {
            time: engine.time(),
            end: last_step as f64 * engine.settings().dt,
            step: engine.steps(),
            steps_per_second: clock.steps_per_second(),
            energy_error: f64::NAN,
            contacts: engine.contact_count(),
            bodies: engine.body_count(),
            left: 0,
            waiting: 0,
        }
    }
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
