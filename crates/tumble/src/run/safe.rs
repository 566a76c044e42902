//! What makes a run safe: checkpoints, and the summary of how it ended.

use super::Run;
use crate::Error;
use crate::simulation::next_multiple;
use std::time::Instant;
use tumble_output::checkpoint::OUTPUTS;
use tumble_output::{Ending, Part, Summary, Timing, marks_to_bytes};
use tumble_scene::CheckpointInterval;

impl Run {
    /// The step of the next checkpoint, where steps say when it is due.
    pub(super) fn next_checkpoint(&self, now: u64) -> u64 {
        match self.plan.checkpoint.map(|plan| plan.every) {
            Some(CheckpointInterval::Steps(every)) => next_multiple(now, every),
            Some(CheckpointInterval::WallClock(_)) | None => u64::MAX,
        }
    }

    pub(super) fn is_checkpoint_due(&self) -> bool {
        match self.plan.checkpoint.map(|plan| plan.every) {
            None => false,
            Some(CheckpointInterval::Steps(every)) => self.simulation.engine().steps().is_multiple_of(every),
            Some(CheckpointInterval::WallClock(interval)) => self.last_checkpoint.1.elapsed() >= interval,
        }
    }

    pub(super) fn save_unless_saved(&mut self) -> Result<(), Error> {
        let step = self.simulation.engine().steps();
        if self.last_checkpoint.0 != step {
            return self.save();
        }
        // It may have been killed between writing the checkpoint and removing an old one.
        Ok(self.checkpoints.remove_others(step)?)
    }

    /// Writes a checkpoint, when everything before it is safe.
    pub(super) fn save(&mut self) -> Result<(), Error> {
        self.folder.check()?;
        self.outputs.sync()?;
        let engine = self.simulation.engine();
        let marks = marks_to_bytes(&self.outputs.marks());
        let checkpoint = self.simulation.checkpoint(&self.plan.scene_hash).with(OUTPUTS, marks);
        self.checkpoints.write(&checkpoint)?;
        self.last_checkpoint = (engine.steps(), Instant::now());
        Ok(())
    }

    pub(super) fn write_scene(&self) -> Result<(), Error> {
        // With whole paths, since it lies elsewhere than the files it names.
        let text = self.plan.scene.effective_elsewhere();
        Ok(tumble_output::write_text(&self.folder.part(Part::Scene), &text)?)
    }

    pub(super) fn summarise(&mut self, ending: Ending) -> Result<(), Error> {
        let wall_s = core::mem::take(&mut self.unsummarised);
        let mut timing = Timing::of(&self.simulation.engine_mut().take_stage_times(), wall_s);
        if let Some(earlier) = &self.earlier {
            timing = timing.and(earlier);
        }
        self.earlier = Some(timing.clone());
        let engine = self.simulation.engine();
        let summary = Summary::of(engine, &self.plan.title, &self.plan.scene_hash, timing, ending)
            .with_device(self.simulation.place().card.as_deref())
            .with_pairs(engine.scenery().materials)
            .with_stages(self.simulation.stages())
            .with_flows(self.simulation.flows().report())
            .with_troubles(
                self.plan.place.map_or(0, |place| place.count_left(engine)),
                Some(self.outputs.energy_error()).filter(|error| error.is_finite()),
            );
        self.folder.check()?;
        Ok(summary.write(&self.folder.part(Part::Summary))?)
    }
}
