//! How far the entries are, told from whichever thread finishes a run.

use crate::progress::{Clock, Progress, Standing};
use crate::signals::Interrupt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tumble_study::papers::{RunProgress, Watch};

/// Shows where the work stands, and stops it when asked to.
pub(super) struct Standings {
    shown: Mutex<Shown>,
    interrupt: Interrupt,
}

struct Shown {
    progress: Progress,
    present: Present,
}

/// The entry in work.
struct Present {
    /// Counted from one.
    entry: usize,
    entries: usize,
    id: &'static str,
    runs: Option<(RunProgress, Instant)>,
}

impl Standings {
    pub(super) fn new(progress: Progress, interrupt: Interrupt, entries: usize) -> Self {
        let present = Present { entry: 0, entries, id: "", runs: None };
        Self { shown: Mutex::new(Shown { progress, present }), interrupt }
    }

    /// The next entry begins.
    pub(super) fn begin(&self, id: &'static str) {
        let mut shown = self.lock();
        let entry = shown.present.entry + 1;
        shown.present = Present { entry, id, runs: None, ..shown.present };
        shown.update();
    }

    /// Everything is done, or given up.
    pub(super) fn finish(&self) {
        let shown = &mut *self.lock();
        shown.progress.finish(&shown.present);
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shown {
    fn update(&mut self) {
        self.progress.update(&self.present);
    }
}

impl Watch for Standings {
    fn go_on(&self) -> bool {
        !self.interrupt.requested()
    }

    fn progress(&self, runs: RunProgress) {
        let mut shown = self.lock();
        let begin = match shown.present.runs {
            // Some entries have several lots of runs, each with a clock of its own.
            Some((before, begin)) if before.fraction <= runs.fraction => begin,
            _ => Instant::now(),
        };
        shown.present.runs = Some((runs, begin));
        shown.update();
    }
}

impl Present {
    /// Real time until the runs of this entry are done, once some are.
    fn left(&self) -> Option<Duration> {
        let (runs, begin) = self.runs?;
        let elapsed = begin.elapsed().as_secs_f64();
        let left = elapsed * (1.0 - runs.fraction) / runs.fraction;
        Duration::try_from_secs_f64(left).ok().filter(|_| runs.fraction < 1.0)
    }

    fn text(&self) -> String {
        let Self { entry, entries, id, .. } = self;
        let runs = match self.runs {
            Some((RunProgress { done, kept, total, .. }, _)) if kept > 0 => {
                format!(", {done} of {total} runs, {kept} of them kept")
            }
            Some((RunProgress { done, total, .. }, _)) => format!(", {done} of {total} runs"),
            None => String::new(),
        };
        let left = self.left().map_or(String::new(), |left| format!(", {} left of it", Clock(left)));
        format!("{id} ({entry} of {entries}){runs}{left}")
    }
}

impl Standing for Present {
    fn fraction(&self) -> f64 {
        let of_entry = self.runs.map_or(0.0, |(runs, _)| runs.fraction);
        (self.entry as f64 - 1.0 + of_entry) / self.entries.max(1) as f64
    }

    fn beside_bar(&self) -> String {
        self.text()
    }

    fn line(&self) -> String {
        self.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_is_left() {
        let runs = RunProgress { done: 3, kept: 1, total: 9, fraction: 0.25 };
        let begin = Instant::now().checked_sub(Duration::from_secs(100)).unwrap();
        let present = Present { entry: 2, entries: 4, id: "spiral/fig7", runs: Some((runs, begin)) };
        assert!((present.fraction() - 1.25 / 4.0).abs() < 1e-12);
        let text = present.text();
        assert!(text.starts_with("spiral/fig7 (2 of 4), 3 of 9 runs, 1 of them kept, 5 min 0"), "{text}");
        let present = Present { runs: None, ..present };
        assert_eq!(present.text(), "spiral/fig7 (2 of 4)");
    }
}
