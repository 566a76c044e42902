//! How many steps fit between two looks at the clock, and how long they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A run looks up this often: soon enough for whoever asks it to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// Measures how fast a run is.
#[derive(Debug)]
pub(crate) struct Clock {
    last: Instant,
    steps_per_second: f64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { last: Instant::now(), steps_per_second: 0.0 }
    }

    /// Begins anew, with the speed that is known.
    pub(crate) fn go_on(&mut self) {
        self.last = Instant::now();
    }

    /// Steps that can be done before the next look; one until something is known.
    pub(crate) fn steps(&self) -> u64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; positive")]
        let steps = (self.steps_per_second * INTERVAL.as_secs_f64()) as u64;
        steps.max(1)
    }

    /// So many steps have been done since the last look.
    pub(crate) fn done(&mut self, steps: u64) {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64().max(1e-9);
        self.last = now;
        let measured = steps as f64 / seconds;
        // Steady, but quick to notice that steps have become slow: contacts may come all at once.
        let known = self.steps_per_second;
        self.steps_per_second =
            if known == 0.0 || measured < 0.5 * known { measured } else { 0.8 * known + 0.2 * measured };
    }

    pub(crate) fn steps_per_second(&self) -> f64 {
        self.steps_per_second
    }
}

/// How long the step is that a simulation takes, s: known to forces and motions that it asks while it computes, and that so cannot
/// ask it.
#[derive(Clone, Debug, Default)]
pub struct StepLength(Arc<AtomicU64>);

impl StepLength {
    /// s; 0 before there is one.
    pub fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn set(&self, dt: f64) {
        self.0.store(dt.to_bits(), Ordering::Relaxed);
    }
}
