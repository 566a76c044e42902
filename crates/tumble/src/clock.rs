//! How many steps fit between two looks at the clock, and how long they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tumble_dem::Solver;
use tumble_gpu::Place;

/// A run looks up this often: soon enough for whoever asks it to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// Measures how fast a run is.
#[derive(Debug)]
pub(crate) struct Clock {
    last: Instant,
    steps_per_second: f64,
    /// Where the steps are done elsewhere.
    stretch: Option<Stretch>,
}

/// How many steps a card or ranks do at a time. They give their state back after them, which may take longer than many steps; so there are more
/// and more of them as long as that makes steps faster.
#[derive(Debug)]
struct Stretch {
    steps: u64,
    /// What half of them were done with.
    steps_per_second: f64,
}

impl Stretch {
    /// The host has to look after the bodies so often anyhow.
    const MOST: u64 = 2000;
    /// Longer than this, nobody waits.
    const LONGEST: f64 = 60.0;
    /// Steps become so much faster, or twice as many are not worth it.
    const WORTH: f64 = 1.1;

    fn done(&mut self, steps: u64, seconds: f64) {
        let measured = steps as f64 / seconds;
        let whole = steps >= self.steps && self.steps < Self::MOST && seconds < Self::LONGEST;
        if whole && measured > Self::WORTH * self.steps_per_second {
            (self.steps, self.steps_per_second) = (2 * self.steps, measured);
        }
    }
}

impl Clock {
    /// Where a card or several ranks do the steps, many at a time.
    pub(crate) fn start(place: &Place, engine: &dyn Solver) -> Self {
        let elsewhere = place.card.is_some() || engine.ranks().is_some();
        let stretch = elsewhere.then_some(Stretch { steps: 4, steps_per_second: 0.0 });
        Self { last: Instant::now(), steps_per_second: 0.0, stretch }
    }

    /// Begins anew, with the speed that is known.
    pub(crate) fn go_on(&mut self) {
        self.last = Instant::now();
    }

    /// Steps that can be done before the next look; one until something is known.
    pub(crate) fn steps(&self) -> u64 {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; positive")]
        let steps = (self.steps_per_second * INTERVAL.as_secs_f64()) as u64;
        steps.max(self.stretch.as_ref().map_or(1, |stretch| stretch.steps))
    }

    /// So many steps have been done since the last look.
    pub(crate) fn done(&mut self, steps: u64) {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64().max(1e-9);
        self.last = now;
        if let Some(stretch) = &mut self.stretch {
            stretch.done(steps, seconds);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_does_more_steps_at_a_time_as_long_as_that_is_faster() {
        // Seconds that a step takes, and giving the state back; as many steps are then done at a time.
        for (step, back, expected) in
            [(1e-3, 0.1, 1024), (1e-3, 1e-5, 8), (1e-5, 1.0, 2048), (0.5, 0.1, 8), (0.2, 40.0, 128)]
        {
            let mut stretch = Stretch { steps: 4, steps_per_second: 0.0 };
            for _ in 0..20 {
                let steps = stretch.steps;
                stretch.done(steps, back + step * steps as f64);
            }
            assert_eq!(stretch.steps, expected, "{step} s, {back} s");
        }
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
