//! The person in front of a run: sees how far it is, and can ask it to stop.

use super::stop::{Stop, Why};
use crate::number::readable;
use crate::output;
use crate::progress::Progress;
use crate::terminal_plot::Letters;
use tumble::dem::ranks::RankCosts;
use tumble::output::PieceCounts;
use tumble::{Run, Watch};

/// Shows progress, and says when it is time to stop.
pub(super) struct Onlooker {
    progress: Progress,
    stop: Stop,
    last: Option<tumble::Progress>,
    quiet: bool,
}

impl Onlooker {
    pub(super) fn new(quiet: bool, stop: Stop) -> Self {
        let unicode = Letters::from_environment() == Letters::Unicode;
        Self { progress: Progress::on_stderr(quiet, unicode), stop, last: None, quiet }
    }

    /// What begins; `dt` in s.
    pub(super) fn begin(&mut self, run: &Run, title: &str, dt: f64) {
        if self.quiet {
            return;
        }
        run.notices().iter().for_each(|notice| output::warn(notice));
        run.told().iter().for_each(|text| self.progress.say(&format!("note: {text}")));
        let engine = run.simulation().engine();
        if let Some(place) = &run.simulation().place().told {
            self.progress.say(&format!("runs on {place}{}", shares(engine.ranks())));
        }
        let (now, last) = (engine.steps(), run.last_step());
        let from = if now > 0 { format!("from step {now} on, ") } else { String::new() };
        self.progress.say(&format!(
            "{title}: {} bodies of {}, {from}{last} steps of {} s, results in {}",
            engine.body_count(),
            PieceCounts::now(engine),
            readable(dt),
            run.folder().display(),
        ));
    }

    /// Why the run had to stop.
    pub(super) fn why(&self) -> Why {
        self.stop.why()
    }

    /// Leaves the terminal to others.
    pub(super) fn end(&mut self) {
        if let Some(last) = self.last.take() {
            self.progress.finish(&last);
        }
    }
}

/// How many bodies each rank has.
fn shares(ranks: Option<&RankCosts>) -> String {
    let Some(costs) = ranks else { return String::new() };
    let [least, most] =
        [costs.bodies.iter().min(), costs.bodies.iter().max()].map(|count| *count.unwrap_or(&0));
    if least == most { format!(" and {most} bodies") } else { format!(" and {least} to {most} bodies") }
}

impl Watch for Onlooker {
    fn progress(&mut self, progress: &tumble::Progress) {
        self.stop.has_advanced();
        // The first time a single step has been done, which says nothing about the speed.
        if self.last.replace(*progress).is_some() {
            self.progress.update(progress);
        }
    }

    fn wants_stop(&mut self) -> bool {
        self.stop.is_due()
    }

    fn notice(&mut self, text: &str) {
        self.progress.say(&format!("note: {text}"));
    }
}
