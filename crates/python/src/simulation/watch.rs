//! What Python does while a simulation runs: it is shown how far it is, and hears Ctrl-C.

use super::prescribed::Failures;
use pyo3::prelude::*;
use tumble::{Progress, Watch};

/// Takes the interpreter for an instant, several times a second.
pub(super) struct Watcher<'a> {
    failures: &'a Failures,
    tick: Option<Py<PyAny>>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(failures: &'a Failures, tick: Option<Py<PyAny>>) -> Self {
        Self { failures, tick }
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
        // `KeyboardInterrupt`, unless the program has another use for the signal.
        Python::attach(|py| py.check_signals()).map_err(|error| self.failures.keep(error)).is_err()
    }
}
