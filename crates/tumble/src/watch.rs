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

/// Somebody who looks on.
#[derive(Default)]
pub struct Watch<'a> {
    /// Called several times a second.
    pub progress: Option<Box<dyn FnMut(&Progress) + 'a>>,
    /// Asked several times a second; if it says so, the run saves its state and ends.
    pub stop: Option<Box<dyn FnMut() -> bool + 'a>>,
    /// Called with what a person should know: a checkpoint that could not be used, bodies that found no room.
    pub notice: Option<Box<dyn FnMut(&str) + 'a>>,
}

impl Watch<'_> {
    pub(crate) fn tell(&mut self, progress: &Progress) {
        if let Some(show) = &mut self.progress {
            show(progress);
        }
    }

    pub(crate) fn wants_stop(&mut self) -> bool {
        self.stop.as_mut().is_some_and(|stop| stop())
    }

    pub(crate) fn notice(&mut self, text: &str) {
        if let Some(notice) = &mut self.notice {
            notice(text);
        }
    }
}

impl core::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Watch").finish_non_exhaustive()
    }
}
