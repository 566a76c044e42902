//! What Python does while a simulation runs: it is shown how far it is, and hears Ctrl-C.

use super::prescribed::Failures;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tumble::{Progress, Watch};

/// Takes the interpreter for an instant, several times a second.
pub(super) struct Watcher<'a> {
    failures: &'a Failures,
    tick: Option<Py<PyAny>>,
    looked: &'a Mutex<Instant>,
}

/// How often the interpreter is asked for signals.
const INTERVAL: Duration = Duration::from_millis(40);

impl<'a> Watcher<'a> {
    /// `looked` is when the interpreter was last asked, for runs that are begun often.
    pub(super) fn new(failures: &'a Failures, tick: Option<Py<PyAny>>, looked: &'a Mutex<Instant>) -> Self {
        Self { failures, tick, looked }
    }
}

impl Watch for Watcher<'_> {
    fn progress(&mut self, progress: &Progress) {
        let Some(tick) = &self.tick else { return };
        Python::attach(|py| {
            if let Err(error) = tick.call1(py, (progress.step,)) {
                self.failures.keep(error);
            }
        });
    }

    fn wants_stop(&mut self) -> bool {
        if self.failures.any() {
            return true;
        }
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.elapsed() < INTERVAL {
            return false;
        }
        *looked = Instant::now();
        // `KeyboardInterrupt`, unless the program has another use for the signal.
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the method alone is for one lifetime")]
        let heard = Python::attach(|py| py.check_signals());
        heard.map_err(|error| self.failures.keep(error)).is_err()
    }
}
