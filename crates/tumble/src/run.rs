//! A simulation with its results: from the first step to the last, through any number of interruptions.
//!
//! At each step that has something to do, in this order: bodies come in, tables and frames are written, the state is
//! saved. A checkpoint is written only when all that came before it is safe on the disk, so a run that is resumed
//! from it ends with the same bytes in every file.

use crate::clock::Clock;
use crate::outputs::Outputs;
use crate::{Error, Progress, Simulation, Watch};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tumble_output::checkpoint::{ENGINE, STREAMS, scene_hash};
use tumble_output::{Checkpoint, Checkpoints, Ending, Mode, Model, Part, ResultFolder, Summary, Timing};
use tumble_scene::{Built, CheckpointInterval, CheckpointPlan};

/// How a run ended without an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It reached its last step.
    Finished,
    /// It was asked to stop, and saved its state.
    Interrupted,
}

/// A run of a scene, with its folder of results.
pub struct Run {
    simulation: Simulation,
    outputs: Outputs,
    folder: ResultFolder,
    checkpoints: Checkpoints,
    plan: Option<CheckpointPlan>,
    title: String,
    scene_hash: String,
    last_step: u64,
    last_checkpoint: Option<(u64, Instant)>,
    /// What earlier parts of the run took.
    earlier: Option<Timing>,
    notices: Vec<String>,
}

impl Run {
    /// Takes a folder for a scene, and puts its bodies in place, or the state of its newest checkpoint.
    ///
    /// With [`Mode::Resume`], a run that was ended before its first checkpoint starts over. A checkpoint that
    /// cannot be used is left out in favour of the one before it, with a [notice](Self::notices).
    pub fn start(built: Built, folder: impl Into<PathBuf>, mode: Mode) -> Result<Self, Error> {
        let path = folder.into();
        let hash = scene_hash(&identity(&built.effective()));
        if mode != Mode::Resume {
            return Self::fresh(built, ResultFolder::create(path, mode)?, hash);
        }
        let folder = ResultFolder::create(path, mode)?;
        let keep = built.checkpoint.map_or(1, |plan| plan.keep);
        let (newest, rejected) = Checkpoints::new(folder.part(Part::Checkpoints), keep)?.newest()?;
        let notices: Vec<String> = rejected
            .iter()
            .map(|bad| format!("{} cannot be used: {}", bad.path.display(), bad.reason))
            .collect();
        let mut run = match newest {
            Some(checkpoint) => Self::resumed(built, folder, hash, &checkpoint)?,
            None if rejected.is_empty() => {
                let path = folder.path().to_owned();
                drop(folder);
                Self::fresh(built, ResultFolder::create(path, Mode::Force)?, hash)?
            }
            None => return Err(Error::Mismatch { what: notices.join("; ") }),
        };
        run.notices = notices;
        Ok(run)
    }

    fn fresh(built: Built, folder: ResultFolder, hash: String) -> Result<Self, Error> {
        // With whole paths, since it lies elsewhere than the files it names.
        tumble_output::write_text(&folder.part(Part::Scene), &built.scene.effective_elsewhere())?;
        let model = Model::of(&built.world, &built.title);
        let names = wall_names(&built);
        let Built { world, settings, streams, output, checkpoint, title, steps, .. } = built;
        let outputs = Outputs::open(&output, &folder, &model, &names, steps, None)?;
        let checkpoints =
            Checkpoints::new(folder.part(Part::Checkpoints), checkpoint.map_or(1, |plan| plan.keep))?;
        let simulation = Simulation::new(world, settings, streams)?;
        let mut run = Self {
            simulation,
            outputs,
            folder,
            checkpoints,
            plan: checkpoint,
            title,
            scene_hash: hash,
            last_step: steps,
            last_checkpoint: None,
            earlier: None,
            notices: Vec::new(),
        };
        run.outputs.write(run.simulation.engine())?;
        Ok(run)
    }

    fn resumed(
        built: Built,
        folder: ResultFolder,
        hash: String,
        checkpoint: &Checkpoint,
    ) -> Result<Self, Error> {
        if checkpoint.scene_hash != hash {
            let as_run = folder.part(Part::Scene);
            let what = format!("the scene has changed since then; compare it with {}", as_run.display());
            return Err(Error::Mismatch { what });
        }
        let model = Model::of(&built.world, &built.title);
        let names = wall_names(&built);
        let Built { world, settings, streams, output, checkpoint: plan, title, steps, .. } = built;
        let section = |name: &str| checkpoint.section(name).unwrap_or_default();
        let simulation = Simulation::resume(world, settings, streams, section(ENGINE), section(STREAMS))?;
        let outputs = Outputs::open(&output, &folder, &model, &names, steps, Some(checkpoint.step))?;
        let checkpoints = Checkpoints::new(folder.part(Part::Checkpoints), plan.map_or(1, |plan| plan.keep))?;
        let earlier = Summary::read(&folder.part(Part::Summary)).ok().map(|summary| summary.timing);
        Ok(Self {
            simulation,
            outputs,
            folder,
            checkpoints,
            plan,
            title,
            scene_hash: hash,
            last_step: steps,
            last_checkpoint: Some((checkpoint.step, Instant::now())),
            earlier,
            notices: Vec::new(),
        })
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Where the results are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The number of the last step.
    pub fn last_step(&self) -> u64 {
        self.last_step
    }

    /// What a person should know about how it started.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Goes on until the last step, or until somebody asks it to stop.
    ///
    /// Either way, and also if something goes wrong, the summary tells how it ended, and results written so far
    /// stay.
    pub fn go(&mut self, watch: &mut dyn Watch) -> Result<End, Error> {
        let begin = Instant::now();
        let result = self.steps(watch);
        let ending = match &result {
            Ok(End::Finished) => Ending::Finished,
            Ok(End::Interrupted) => Ending::Interrupted,
            Err(error) => Ending::Failed { reason: error.to_string() },
        };
        let summary = self.summarise(begin.elapsed().as_secs_f64(), ending);
        let end = result?;
        summary?;
        Ok(end)
    }

    fn steps(&mut self, watch: &mut dyn Watch) -> Result<End, Error> {
        if self.last_checkpoint.is_none() {
            self.save()?;
        }
        let mut clock = Clock::start();
        loop {
            let now = self.simulation.engine().steps();
            if now >= self.last_step {
                self.save_unless_saved()?;
                self.tell_waiting(watch);
                return Ok(End::Finished);
            }
            if watch.wants_stop() {
                self.save_unless_saved()?;
                return Ok(End::Interrupted);
            }
            let output = self.outputs.next(now);
            let target = output.min(self.next_checkpoint(now)).min(now + clock.steps());
            self.simulation.advance(target - now)?;
            if target == output {
                self.outputs.write(self.simulation.engine())?;
            }
            if self.is_checkpoint_due() {
                self.save()?;
            }
            clock.done(target - now);
            watch.progress(&self.progress(&clock));
        }
    }

    fn progress(&self, clock: &Clock) -> Progress {
        let engine = self.simulation.engine();
        Progress {
            time: engine.time(),
            end: self.last_step as f64 * engine.settings().dt,
            step: engine.steps(),
            steps_per_second: clock.steps_per_second(),
            energy_error: self.outputs.energy_error(),
            contacts: engine.contact_count(),
            bodies: engine.body_count(),
        }
    }

    /// The step of the next checkpoint, where steps say when it is due.
    fn next_checkpoint(&self, now: u64) -> u64 {
        match self.plan.map(|plan| plan.every) {
            Some(CheckpointInterval::Steps(every)) => crate::simulation::next_multiple(now, every.max(1)),
            _ => u64::MAX,
        }
    }

    fn is_checkpoint_due(&self) -> bool {
        match self.plan.map(|plan| plan.every) {
            None => false,
            Some(CheckpointInterval::Steps(every)) => {
                self.simulation.engine().steps().is_multiple_of(every.max(1))
            }
            Some(CheckpointInterval::WallClock(interval)) => {
                self.last_checkpoint.is_none_or(|(_, when)| when.elapsed() >= interval)
            }
        }
    }

    fn save_unless_saved(&mut self) -> Result<(), Error> {
        let step = self.simulation.engine().steps();
        if self.last_checkpoint.is_some_and(|(saved, _)| saved == step) { Ok(()) } else { self.save() }
    }

    /// Writes a checkpoint, when everything before it is safe.
    fn save(&mut self) -> Result<(), Error> {
        self.outputs.sync()?;
        let engine = self.simulation.engine();
        let checkpoint =
            Checkpoint::of(engine, &self.scene_hash).with(STREAMS, self.simulation.stream_bytes());
        self.checkpoints.write(&checkpoint)?;
        self.last_checkpoint = Some((engine.steps(), Instant::now()));
        Ok(())
    }

    fn summarise(&self, wall_s: f64, ending: Ending) -> Result<(), Error> {
        let engine = self.simulation.engine();
        let mut timing = Timing::of(&engine.stage_times(), wall_s);
        if let Some(earlier) = &self.earlier {
            timing = timing.and(earlier);
        }
        let summary = Summary::of(engine, &self.title, &self.scene_hash, timing, ending);
        Ok(summary.write(&self.folder.part(Part::Summary))?)
    }

    /// Bodies of streams that found no room.
    fn tell_waiting(&self, watch: &mut dyn Watch) {
        let time = self.simulation.engine().time();
        for (number, stream) in self.simulation.streams().iter().enumerate() {
            let waiting = stream.waiting(time);
            if waiting > 0 {
                let came = stream.inserted();
                watch.notice(&format!(
                    "stream {}: {came} bodies came in, {waiting} more found no room in its region",
                    number + 1
                ));
            }
        }
    }
}

impl core::fmt::Debug for Run {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Run")
            .field("folder", &self.folder)
            .field("title", &self.title)
            .finish_non_exhaustive()
    }
}

fn wall_names(built: &Built) -> Vec<String> {
    built.world.walls.iter().map(|wall| wall.name.clone()).collect()
}

/// What of a scene a checkpoint depends on: all but where results go, and how many threads there are, which changes
/// no bit.
fn identity(effective: &str) -> String {
    let free = |line: &&str| line.starts_with("threads = ") || line.starts_with("folder = ");
    effective.lines().filter(|line| !free(line)).flat_map(|line| [line, "\n"]).collect()
}
