//! An engine with its streams, outlets, measures, fields and stages.
//!
//! A stream or an outlet is looked after at fixed steps, so that what comes in or goes out, and when, depends on the scene alone: not on
//! when results are written, nor on how often the run was interrupted. Measures and fields look after that, and then stages.

use crate::clock::{Clock, StepLength};
use crate::device;
use crate::origin::{ORIGIN, Origin};
use crate::stages::{Interval, Stages};
use crate::{End, Error, Flows, Progress, Watch};
use tumble_dem::placement::{Outlet, Stream};
use tumble_dem::{Settings, Solver, World};
use tumble_gpu::{Place, Started};
use tumble_measure::Measures;
use tumble_measure::coarse::CoarseFields;
use tumble_output::checkpoint::{ENGINE, FIELDS, MEASURES, STAGES, STREAMS};
use tumble_output::{Checkpoint, StageRecord, stages_to_bytes};
use tumble_scene::Built;

/// Steps between two looks at streams and outlets. Putting bodies in costs new neighbour lists.
const STREAM_STEPS: u64 = 100;

/// What a simulation takes over from another one, as bytes.
#[derive(Clone, Copy)]
pub(crate) struct Taken<'a> {
    pub(crate) state: &'a [u8],
    pub(crate) streams: &'a [u8],
    /// Empty where stages begin anew.
    pub(crate) stages: &'a [u8],
}

/// Bodies that move, come in and go out.
#[derive(Debug)]
pub struct Simulation {
    engine: Box<dyn Solver>,
    place: Place,
    flows: Flows,
    measures: Measures,
    coarse_fields: CoarseFields,
    stages: Stages,
    clock: Clock,
    /// Where it went on with the bodies of another one.
    origin: Option<Origin>,
}

impl Simulation {
    /// A scene at its start.
    pub fn of(built: &Built) -> Result<Self, Error> {
        Self::by(device::of(built)(built.world.clone(), built.settings.clone())?, built)
    }

    /// A scene at its start, by an engine of its world and settings. The world of what was built may be gone.
    pub fn by(engine: impl Into<Started>, built: &Built) -> Result<Self, Error> {
        let stages = Stages::of_run(built, 0.0);
        Ok(Self::begun(engine.into(), Flows::from(built), stages)?.measuring(built))
    }

    /// A scene that goes on from a checkpoint.
    pub fn at(built: &Built, checkpoint: &Checkpoint) -> Result<Self, Error> {
        let engine = device::of(built)(emptied(built.world.clone(), checkpoint), built.settings.clone())?;
        Self::at_by(engine, built, checkpoint)
    }

    /// A scene that goes on from a checkpoint, by an engine of its world and settings.
    pub(crate) fn at_by(mut engine: Started, built: &Built, checkpoint: &Checkpoint) -> Result<Self, Error> {
        let section = |name: &str| checkpoint.section(name).unwrap_or_default();
        let origin = Origin::of(checkpoint)?;
        let flows =
            origin.iter().fold(Flows::from(built), |flows, origin| origin.flows(flows, &built.stages));
        let mut stages = Stages::of_run(built, origin.map_or(0.0, |origin| origin.time));
        stages.restore(section(STAGES), checkpoint.step)?;
        stages.set_up(&mut *engine.solver)?;
        let simulation = Self::put_back(engine, flows, stages, section(ENGINE), section(STREAMS))?;
        Self { origin, ..simulation }.measuring_on(built, section(MEASURES), section(FIELDS))
    }

    /// A simulation at its start on the processor, without stages, measures and fields.
    pub fn new(world: World, settings: Settings, flows: impl Into<Flows>) -> Result<Self, Error> {
        Self::begun(device::processor(world, settings)?, flows.into(), Stages::default())
    }

    fn begun(mut engine: Started, flows: Flows, mut stages: Stages) -> Result<Self, Error> {
        stages.begin(&mut *engine.solver)?;
        let mut simulation = Self::made_of(engine, flows, stages);
        simulation.flow()?;
        Ok(simulation)
    }

    fn put_back(
        mut engine: Started,
        mut flows: Flows,
        stages: Stages,
        state: &[u8],
        stream_bytes: &[u8],
    ) -> Result<Self, Error> {
        engine.solver.restore_bytes(state)?;
        flows.restore(stream_bytes)?;
        Ok(Self::made_of(engine, flows, stages))
    }

    fn made_of(engine: Started, flows: Flows, stages: Stages) -> Self {
        let Started { solver: engine, place } = engine;
        let (measures, clock) = (Measures::default(), Clock::start(&place, &*engine));
        stages.step_length().set(engine.settings().dt);
        let coarse_fields = CoarseFields::default();
        Self { engine, place, flows, stages, measures, coarse_fields, clock, origin: None }
    }

    /// One that goes on with the bodies of another one, which are in the state. Its measures and fields begin there, and its stages unless
    /// they are taken over.
    pub(crate) fn going_on(
        mut engine: Started,
        built: &Built,
        Taken { state, streams, stages: records }: Taken<'_>,
        origin: &Origin,
    ) -> Result<Self, Error> {
        let flows = origin.flows(Flows::from(built), &built.stages);
        let mut stages = Stages::of_run(built, origin.time);
        if !records.is_empty() {
            stages.restore(records, origin.step)?;
            stages.set_up(&mut *engine.solver)?;
        }
        let mut simulation = Self::put_back(engine, flows, stages, state, streams)?;
        simulation.origin = Some(*origin);
        simulation.stages.begin(&mut *simulation.engine)?;
        Ok(simulation.measuring(built))
    }

    /// How long its steps are, for whoever is asked while it computes.
    pub fn step_length(&self) -> StepLength {
        self.stages.step_length().clone()
    }

    /// Whether it ends at a time of its own, whatever its last stage says.
    pub(crate) fn has_own_end(&self) -> bool {
        self.stages.has_own_end()
    }

    /// Where it went on with the bodies of another run, if it did.
    pub fn origin(&self) -> Option<Origin> {
        self.origin
    }

    /// The same with the measures and fields of a scene, which look at the present instant if it is their step.
    fn measuring(mut self, built: &Built) -> Self {
        self.measures = Measures::new(&built.measures);
        self.coarse_fields = CoarseFields::new(&built.coarse_fields);
        self.measures.sample(&*self.engine);
        self.coarse_fields.sample(&*self.engine);
        self
    }

    /// The same with the measures and fields of a scene, which go on with what they remembered at this state.
    fn measuring_on(mut self, built: &Built, measures: &[u8], fields: &[u8]) -> Result<Self, Error> {
        self.measures = Measures::new(&built.measures);
        self.coarse_fields = CoarseFields::new(&built.coarse_fields);
        let restored = self.measures.restore(measures).and_then(|()| self.coarse_fields.restore(fields));
        restored.map_err(|mismatch| Error::Mismatch { what: mismatch.to_string() })?;
        Ok(self)
    }

    /// The same with the measures and fields of a scene: those that it has if they are the same, else new ones.
    pub(crate) fn measuring_as(self, built: &Built) -> Self {
        let same = self.measures.is_of(&built.measures) && self.coarse_fields.are_of(&built.coarse_fields);
        if same { self } else { self.measuring(built) }
    }

    /// What is measured: newest values by name, and rows that nobody has taken yet.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// What is measured, to take its rows.
    pub fn measures_mut(&mut self) -> &mut Measures {
        &mut self.measures
    }

    /// Coarse-grained fields: the newest frame of each.
    pub fn coarse_fields(&self) -> &CoarseFields {
        &self.coarse_fields
    }

    /// Coarse-grained fields, to take new frames.
    pub fn coarse_fields_mut(&mut self) -> &mut CoarseFields {
        &mut self.coarse_fields
    }

    /// Drops rows of measures that nobody writes. Those of the present step are the first of a recording that begins here.
    pub fn forget_rows(&mut self) {
        self.measures.forget_before(self.engine.steps());
    }

    /// The engine.
    pub fn engine(&self) -> &dyn Solver {
        &*self.engine
    }

    /// Where the engine runs.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The engine, to be changed by hand.
    pub fn engine_mut(&mut self) -> &mut dyn Solver {
        &mut *self.engine
    }

    /// What comes in.
    pub fn streams(&self) -> &[Stream] {
        &self.flows.streams
    }

    /// Where bodies go out.
    pub fn outlets(&self) -> &[Outlet] {
        &self.flows.outlets
    }

    /// Both.
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    /// The stages that have begun, the present one last; none where the scene has none.
    pub fn stages(&self) -> &[StageRecord] {
        self.stages.records()
    }

    /// How many stages there are, begun or not.
    pub fn stage_count(&self) -> usize {
        self.stages.count()
    }

    /// Whether the last of its stages is over.
    pub fn stages_are_over(&self) -> bool {
        self.stages.are_over()
    }

    /// The last step, if every stage takes as long as it may; none where the scene has none.
    pub fn last_step_of_stages(&self) -> Option<u64> {
        self.stages.last_step()
    }

    /// How often things are written from the stage with this number on, with its first step; none before it has begun.
    pub(crate) fn output_of_stage(&self, number: usize) -> Option<(u64, &[Interval])> {
        self.stages.output(number)
    }

    /// Moves on by so many steps; by fewer, if the last stage ends before. After that it goes on as the last stage left it.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        self.advance_while(steps, |_| true)
    }

    /// The same, but it stops where a stage begins that has things written more or less often.
    pub(crate) fn advance_to_other_outputs(&mut self, steps: u64) -> Result<(), Error> {
        self.advance_while(steps, |stages| stages.newest_output().is_empty())
    }

    /// Moves on, after the beginning of a stage only if `on` says so.
    fn advance_while(&mut self, steps: u64, on: impl Fn(&Stages) -> bool) -> Result<(), Error> {
        let end = self.engine.steps().saturating_add(steps);
        while self.engine.steps() < end {
            let now = self.engine.steps();
            // It may have been changed by hand.
            self.stages.step_length().set(self.engine.settings().dt);
            let pour = if self.flows.is_empty() { u64::MAX } else { next_multiple(now, STREAM_STEPS) };
            let (measure, look) = (self.measures.next(now), self.stages.next_look(now));
            let field = self.coarse_fields.next(now);
            self.engine.advance(pour.min(measure).min(field).min(look).min(end) - now)?;
            let now = self.engine.steps();
            if now == pour {
                self.flow()?;
            }
            if now == measure {
                self.measures.sample(&*self.engine);
            }
            if now == field {
                self.coarse_fields.sample(&*self.engine);
            }
            if now == look {
                let ended = self.stages.look(&mut *self.engine, &self.measures)?;
                if self.stages.are_over() || ended && !on(&self.stages) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Moves on to a step, while somebody looks on several times a second and may ask it to stop. It can go on in
    /// any way after that.
    pub fn go_to(&mut self, step: u64, watch: &mut dyn Watch) -> Result<End, Error> {
        self.clock.go_on();
        loop {
            let now = self.engine.steps();
            if now >= step {
                return Ok(End::Finished);
            }
            if watch.wants_stop() {
                return Ok(End::Interrupted);
            }
            let steps = self.clock.steps().min(step - now);
            let over = self.stages.are_over();
            self.advance(steps)?;
            self.clock.done(steps);
            watch.progress(&Progress::of(self, step, &self.clock));
            if self.stages.are_over() && !over {
                return Ok(End::Finished);
            }
        }
    }

    /// A checkpoint of the present instant, for a scene of this [hash](tumble_output::checkpoint::scene_hash).
    pub fn checkpoint(&self, scene_hash: &str) -> Checkpoint {
        let checkpoint = Checkpoint::of(&*self.engine, scene_hash).with(STREAMS, self.stream_bytes());
        let origin = self.origin.map(|origin| (ORIGIN, origin.to_bytes()));
        let measures = (!self.measures.is_empty()).then(|| (MEASURES, self.measures.to_bytes()));
        let fields = (!self.coarse_fields.is_empty()).then(|| (FIELDS, self.coarse_fields.to_bytes()));
        let records = self.stages.records();
        let stages = (!records.is_empty()).then(|| (STAGES, stages_to_bytes(records)));
        let others = origin.into_iter().chain(measures).chain(fields).chain(stages);
        others.fold(checkpoint, |checkpoint, (name, bytes)| checkpoint.with(name, bytes))
    }

    /// What streams and outlets have to remember.
    pub fn stream_bytes(&self) -> Vec<u8> {
        self.flows.to_bytes()
    }

    /// Takes out and puts in what is due.
    fn flow(&mut self) -> Result<(), Error> {
        let (stages, time) = (&self.stages, self.engine.time());
        self.flows.flow(&mut *self.engine, &|stream| stages.stream_time(stream, time))
    }
}

/// A world to put the state of a checkpoint into. Of bodies that came from another run some are there for the sake of what is drawn,
/// where they may not fit.
pub(crate) fn emptied(mut world: World, checkpoint: &Checkpoint) -> World {
    if checkpoint.section(ORIGIN).is_some() {
        world.bodies.clear();
        world.bonds.clear();
    }
    world
}

/// The first multiple of `interval` after `step`.
pub(crate) fn next_multiple(step: u64, interval: u64) -> u64 {
    (step / interval + 1).saturating_mul(interval)
}
