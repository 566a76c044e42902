//! What a run tells whoever looks on.

use super::Run;
use crate::{Progress, Watch, stages};
use tumble_dem::readable;
use tumble_scene::Built;

/// A stream is behind when so many bodies wait, and one for so many that came.
const FEW_WAITING: u64 = 10;
const PART_WAITING: u64 = 10;

impl Run {
    /// Where it stands.
    pub(super) fn progress(&self) -> Progress {
        let (energy_error, left) = (self.outputs.energy_error(), self.outputs.left());
        let now = Progress::of(&self.simulation, self.plan.last_step, &self.clock);
        Progress { energy_error, left, ..now }
    }

    /// That the last stage lasts as long as the run, where somebody said how long that is.
    pub(super) fn tell_own_end(&mut self, built: &Built) {
        if let (Some(ends), Some(last)) = (built.ends, built.stages.last()) {
            let from = if self.simulation.origin().is_some() { " from where it goes on" } else { "" };
            self.told.push(format!(
                "the run lasts {} s{from}: its last stage, `{}`, ends then, and not as it says itself",
                readable(ends),
                last.name,
            ));
        }
    }

    /// Stages that ended, why, and which began.
    pub(super) fn tell_stages(&mut self, watch: &mut dyn Watch) {
        let stages = self.simulation.stages();
        let over = self.simulation.stages_are_over();
        if stages.len() == self.stages_told && !over {
            return;
        }
        for record in &stages[self.stages_told.saturating_sub(1)..] {
            if let Some(ended) = &record.ended {
                let warning = if stages::took_too_long(record) { "warning: " } else { "" };
                let time = ended.time_s;
                watch
                    .notice(&format!("{warning}stage `{}` ended at {time:.6} s: {}", record.name, ended.why));
            }
        }
        self.stages_told = stages.len();
    }

    /// Says once of each stream that it cannot keep its rate; how far behind it was in the end, the summary says.
    pub(super) fn tell_waiting(&mut self, watch: &mut dyn Watch) {
        let flows = self.simulation.flows();
        self.told_waiting.resize(flows.streams.len(), false);
        let streams = flows.streams.iter().zip(flows.waiting());
        for ((number, (stream, &waiting)), told) in streams.enumerate().zip(&mut self.told_waiting) {
            let came = stream.inserted();
            if !*told && waiting >= FEW_WAITING && waiting >= came / PART_WAITING {
                *told = true;
                watch.notice(&format!(
                    "`streams.{number}` cannot keep its rate: {came} bodies came in so far, {waiting} more found no \
                     room in its region"
                ));
            }
        }
    }
}

impl core::fmt::Debug for Run {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Run")
            .field("folder", &self.folder)
            .field("title", &self.plan.title)
            .finish_non_exhaustive()
    }
}
