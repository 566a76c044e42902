//! A simulation with its results: from the first step to the last, through any number of interruptions.
//!
//! At each step that has something to do, in this order: bodies go out and come in, tables and frames are written, the state is
//! saved. A checkpoint is written only when all that came before it is safe on the disk, so a run that is resumed
//! from it ends with the same bytes in every file.

mod safe;
mod telling;

use crate::clock::Clock;
use crate::device::{self, Make};
use crate::going_on::{GoingOn, write_bodies_of};
use crate::origin::Origin;
use crate::outputs::Outputs;
use crate::plan::{self, Plan};
use crate::report::{self, LastState};
use crate::simulation;
use crate::{Error, Output, Simulation, Watch};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tumble_dem::{Settings, Solver, World};
use tumble_output::{Checkpoints, Ending, Mode, Part, ResultFolder, Summary, Timing};
use tumble_scene::Built;

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
    plan: Plan,
    last_checkpoint: (u64, Instant),
    clock: Clock,
    /// Seconds since the last summary.
    unsummarised: f64,
    /// What earlier parts of the run took.
    earlier: Option<Timing>,
    /// The error that ended it: something may be missing in the results that follow.
    failure: Option<String>,
    notices: Vec<String>,
    /// What became of the bodies of another run, and how long the last stage lasts.
    told: Vec<String>,
    /// The step from which it was resumed.
    resumed: Option<u64>,
    /// How many stages had begun when somebody was last told of them.
    stages_told: usize,
    /// Which streams were said to be behind.
    told_waiting: Vec<bool>,
    /// Whether the last stage was over before it began.
    past_stages: bool,
}

/// Where a run writes.
struct Writers {
    outputs: Outputs,
    folder: ResultFolder,
    checkpoints: Checkpoints,
}

impl Writers {
    fn open(
        plan: &Plan,
        folder: ResultFolder,
        simulation: &Simulation,
        resumed: bool,
    ) -> Result<Self, Error> {
        let outputs = Outputs::open(plan, &folder, simulation, resumed)?;
        Ok(Self { checkpoints: plan.checkpoints(&folder)?, outputs, folder })
    }
}

impl Run {
    /// Takes a folder for a scene, and puts its bodies in place, or the state of its newest checkpoint.
    ///
    /// With [`Mode::Resume`], a run that was ended before its first checkpoint starts over. A checkpoint that
    /// cannot be used is left out in favour of the one before it, with a [notice](Self::notices).
    pub fn start(built: Built, folder: impl Into<PathBuf>, mode: Mode) -> Result<Self, Error> {
        let make = device::of(&built);
        Self::start_by(built, folder, mode, &make)
    }

    /// As [`start`](Self::start), with an engine that `make` makes of the world and its settings.
    pub fn start_with(
        built: Built,
        folder: impl Into<PathBuf>,
        mode: Mode,
        make: &dyn Fn(World, Settings) -> Result<Box<dyn Solver>, tumble_dem::Error>,
    ) -> Result<Self, Error> {
        Self::start_by(built, folder, mode, &device::as_by(make))
    }

    fn start_by(
        mut built: Built,
        folder: impl Into<PathBuf>,
        mode: Mode,
        make: Make<'_>,
    ) -> Result<Self, Error> {
        let plan = Plan::of(&built);
        // Not copied, since there may be many bodies.
        let (world, settings) = (core::mem::take(&mut built.world), built.settings.clone());
        if mode != Mode::Resume {
            // Before anything is removed by force.
            let simulation = Simulation::by(make(world, settings)?, &built)?;
            let mut run = Self::begin(plan, simulation, ResultFolder::create(folder, mode)?)?;
            run.tell_own_end(&built);
            return Ok(run);
        }
        let folder = ResultFolder::create(folder, mode)?;
        let Some((checkpoint, notices)) = plan.newest(&folder)? else {
            let simulation = Simulation::by(make(world, settings)?, &built)?;
            folder.clear()?;
            return Self::begin(plan, simulation, folder);
        };
        let origin = Origin::of(&checkpoint)?;
        let mut plan = origin.iter().fold(plan.long_as_in(&folder), Plan::after);
        if !built.stages.is_empty() {
            let longer = plan::own_end(&folder).into_iter().chain(built.ends).reduce(f64::max);
            built.ends = longer;
        }
        let engine = make(simulation::emptied(world, &checkpoint), settings)?;
        let simulation = Simulation::at_by(engine, &built, &checkpoint)?;
        if let Some(last) = simulation.last_step_of_stages().filter(|_| simulation.has_own_end()) {
            plan.last_step = last;
        }
        if checkpoint.step > plan.last_step {
            return Err(Error::Past { step: checkpoint.step, last: plan.last_step });
        }
        let mut run = Self::go_on(plan, simulation, folder, notices)?;
        run.tell_own_end(&built);
        Ok(run)
    }

    /// Takes a folder for a scene that goes on with the bodies of another run. The mode is not [`Mode::Resume`]: what is in
    /// the folder then goes on by itself.
    pub fn start_from(going_on: &GoingOn, folder: impl Into<PathBuf>, mode: Mode) -> Result<Self, Error> {
        let plan = Plan::of(&going_on.built).after(&going_on.origin());
        // Before anything is removed by force.
        let simulation = going_on.start()?;
        let mut run = Self::begin(plan, simulation, ResultFolder::create(folder, mode)?)?;
        run.told = going_on.told().to_vec();
        run.tell_own_end(&going_on.built);
        Ok(run)
    }

    /// Takes a folder for a simulation of a scene, wherever it stands: results begin with the present step, and end
    /// with the last one of the scene. If that fails, the simulation comes back with the error. The mode is not [`Mode::Resume`], which knows where to begin by itself.
    pub fn record(
        simulation: Simulation,
        built: &Built,
        folder: impl Into<PathBuf>,
        mode: Mode,
    ) -> Result<Self, Box<(Error, Simulation)>> {
        let plan = simulation.origin().iter().fold(Plan::of(built), Plan::after);
        let simulation = simulation.measuring_as(built);
        let past_stages = simulation.stages_are_over();
        let writers = ResultFolder::create(folder, mode)
            .map_err(Error::from)
            .and_then(|folder| Writers::open(&plan, folder, &simulation, false));
        let mut run = match writers {
            Ok(writers) => Self::new(plan, simulation, writers, past_stages),
            Err(error) => return Err(Box::new((error, simulation))),
        };
        match run.write_first() {
            Ok(()) => Ok(run),
            Err(error) => Err(Box::new((error, run.simulation))),
        }
    }

    fn begin(plan: Plan, simulation: Simulation, folder: ResultFolder) -> Result<Self, Error> {
        let writers = Writers::open(&plan, folder, &simulation, false)?;
        let mut run = Self::new(plan, simulation, writers, false);
        run.write_first()?;
        Ok(run)
    }

    fn go_on(
        plan: Plan,
        simulation: Simulation,
        folder: ResultFolder,
        notices: Vec<String>,
    ) -> Result<Self, Error> {
        let step = simulation.engine().steps();
        let writers = Writers::open(&plan, folder, &simulation, true)?;
        let mut run = Self::new(plan, simulation, writers, false);
        run.earlier = Summary::read(&run.folder.part(Part::Summary)).ok().map(|summary| summary.timing);
        run.notices = notices;
        run.resumed = Some(step);
        if !run.plan.is_written(&run.folder) {
            run.write_scene()?;
        }
        Ok(run)
    }

    /// Goes on after the last stage if the run is recorded `past_stages`.
    fn new(plan: Plan, simulation: Simulation, writers: Writers, past_stages: bool) -> Self {
        let Writers { outputs, folder, checkpoints } = writers;
        let stages_told = simulation.stages().len();
        let mut run = Self {
            checkpoints,
            stages_told,
            last_checkpoint: (simulation.engine().steps(), Instant::now()),
            clock: Clock::start(simulation.place(), simulation.engine()),
            unsummarised: 0.0,
            simulation,
            outputs,
            folder,
            plan,
            earlier: None,
            failure: None,
            notices: Vec::new(),
            told: Vec::new(),
            resumed: None,
            told_waiting: Vec::new(),
            past_stages,
        };
        run.follow_stages();
        run
    }

    /// The last step comes earlier when a stage ends before it has to. Where the run has an end of its own, the number of steps to it
    /// depends on how long the steps of the stages on the way are.
    fn follow_stages(&mut self) {
        if let Some(last) = self.simulation.last_step_of_stages().filter(|_| !self.past_stages) {
            let own_end = self.simulation.has_own_end();
            self.plan.last_step = if own_end { last } else { self.plan.last_step.min(last) };
            self.outputs.end_with(self.plan.last_step);
        }
    }

    /// The scene is written last: where it is, there was a checkpoint, and there may be results worth keeping.
    fn write_first(&mut self) -> Result<(), Error> {
        // Those of earlier steps belong to what nobody recorded.
        let now = self.simulation.engine().steps();
        let rows = self.simulation.measures_mut().take_rows();
        self.outputs.write_measures(rows.iter().filter(|row| row.step == now))?;
        self.outputs.write_fields(self.simulation.coarse_fields_mut(), now)?;
        let engine = self.simulation.engine();
        // Results of a run that goes on with another one begin with the instant at which it does.
        if self.simulation.origin().is_some_and(|origin| origin.step == engine.steps()) {
            self.outputs.write_all(engine)?;
        } else {
            self.outputs.write(engine)?;
        }
        self.outputs.write_flows(&self.simulation)?;
        self.save()?;
        self.write_scene()
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, to be changed by hand: the results are then no longer those of the scene alone.
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// The simulation, which may go on without leaving results.
    pub fn into_simulation(self) -> Simulation {
        self.simulation
    }

    /// Where the results are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The number of the last step.
    pub fn last_step(&self) -> u64 {
        self.plan.last_step
    }

    /// Writes [`report.html`](crate::report) into the folder, from the results so far and the present state, and
    /// gives its path.
    pub fn write_report(&self) -> Result<PathBuf, Error> {
        self.folder.check()?;
        let last = LastState {
            engine: self.simulation.engine(),
            model: &self.plan.model,
            materials: &self.plan.materials,
            place: self.plan.place,
            flows: self.simulation.flows(),
            drawn: &self.plan.drawn,
            coarse_fields: self.simulation.coarse_fields(),
        };
        report::write_with(self.folder.path(), last)
    }

    /// Adds an output of one's own, before the first step. A run that is [resumed](Mode::Resume) has to be given the
    /// outputs that it had.
    pub fn add_output(&mut self, output: impl Output + 'static) -> Result<(), Error> {
        let engine = self.simulation.engine();
        let resumed = self.resumed.filter(|step| *step == engine.steps());
        self.outputs.add(Box::new(output), self.folder.path(), resumed, engine)
    }

    /// What a person should know about how it started.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// What was kept of the run that it [goes on](Self::start_from) with, and what was not; and how long its last stage lasts, where
    /// that does not say it.
    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// Goes on until the last step, or until somebody asks it to stop; then it can be called again.
    ///
    /// Either way, and also if something goes wrong, the summary tells how it ended, and results written so far
    /// stay. After an error the run can only be resumed from its folder.
    pub fn go(&mut self, watch: &mut dyn Watch) -> Result<End, Error> {
        Ok(self.go_to(self.plan.last_step, watch)?.unwrap_or(End::Finished))
    }

    /// As [`go`](Self::go), but only to a step. There nothing is saved and no summary written unless it is the last:
    /// go on, or [`stop`](Self::stop); there is no end yet.
    pub fn go_to(&mut self, step: u64, watch: &mut dyn Watch) -> Result<Option<End>, Error> {
        if let Some(reason) = self.failure.clone() {
            return Err(Error::Over { reason });
        }
        let begin = Instant::now();
        let result = self.steps(step, watch);
        self.unsummarised += begin.elapsed().as_secs_f64();
        let ending = match &result {
            Ok(None) => return Ok(None),
            Ok(Some(End::Finished)) => Ending::Finished,
            Ok(Some(End::Interrupted)) => Ending::Interrupted,
            Err(error) => Ending::Failed { reason: error.to_string() },
        };
        if let Err(error) = &result {
            self.failure = Some(error.to_string());
            // Frames that were handed over are written all the same. The first error is the one that tells.
            let _ = self.outputs.sync();
        }
        let summary = self.summarise(ending);
        let end = result?;
        summary?;
        Ok(end)
    }

    /// Ends a run that is paused as if it had been asked to stop: the state is saved and the summary written.
    pub fn stop(&mut self) -> Result<(), Error> {
        if let Some(reason) = self.failure.clone() {
            return Err(Error::Over { reason });
        }
        self.save_unless_saved()?;
        self.summarise(Ending::Interrupted)
    }

    /// None if it has to pause before the end.
    fn steps(&mut self, step: u64, watch: &mut dyn Watch) -> Result<Option<End>, Error> {
        self.clock.go_on();
        loop {
            let now = self.simulation.engine().steps();
            if now >= self.plan.last_step {
                self.save_unless_saved()?;
                if self.plan.output.bodies {
                    write_bodies_of(&self.folder.part(Part::Bodies), self.simulation.engine())?;
                }
                return Ok(Some(End::Finished));
            }
            if now >= step {
                return Ok(None);
            }
            if watch.wants_stop() {
                self.save_unless_saved()?;
                return Ok(Some(End::Interrupted));
            }
            let output = self.outputs.next(now);
            let fields = self.simulation.coarse_fields().next_frame(now);
            let target = output
                .min(fields)
                .min(self.next_checkpoint(now))
                .min(now.saturating_add(self.clock.steps()))
                .min(step);
            self.simulation.advance_to_other_outputs(target - now)?;
            let other_outputs = self.outputs.follow_stages(&self.simulation);
            self.follow_stages();
            self.tell_stages(watch);
            // Earlier than that, where the last stage is over.
            let reached = self.simulation.engine().steps();
            let due = reached == output || reached == self.plan.last_step || other_outputs;
            let rows = self.simulation.measures_mut().take_rows();
            if due || !rows.is_empty() || reached == fields {
                self.folder.check()?;
            }
            self.outputs.write_measures(rows.iter())?;
            self.outputs.write_broken(self.simulation.engine())?;
            self.outputs.write_fields(self.simulation.coarse_fields_mut(), 0)?;
            if due {
                self.outputs.write(self.simulation.engine())?;
                self.outputs.write_flows(&self.simulation)?;
            }
            if self.is_checkpoint_due() {
                self.save()?;
            }
            self.clock.done(reached - now);
            self.tell_waiting(watch);
            watch.progress(&self.progress());
        }
    }
}
