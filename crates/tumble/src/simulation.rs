//! An engine with its streams and measures.
//!
//! A stream is looked after at fixed steps, so that what comes in, and when, depends on the scene alone: not on
//! when results are written, nor on how often the run was interrupted. Measures look at fixed steps, after bodies have come in.

use crate::clock::Clock;
use crate::{End, Error, Progress, Watch};
use tumble_dem::placement::{Stream, StreamState};
use tumble_dem::{Engine, Settings, Solver, World};
use tumble_measure::{Measures, Spec};
use tumble_output::Checkpoint;
use tumble_output::checkpoint::{MEASURES, STREAMS};

/// Steps between two looks at the streams. Putting bodies in costs new neighbour lists.
const STREAM_STEPS: u64 = 100;

/// Bodies that move, and bodies that come in.
#[derive(Debug)]
pub struct Simulation {
    engine: Box<dyn Solver>,
    streams: Vec<Stream>,
    measures: Measures,
    clock: Clock,
}

impl Simulation {
    /// A simulation at its start.
    pub fn new(world: World, settings: Settings, streams: Vec<Stream>) -> Result<Self, Error> {
        Self::with(engine(world, settings)?, streams)
    }

    /// A simulation at its start, by an engine that is there already.
    pub fn with(engine: Box<dyn Solver>, streams: Vec<Stream>) -> Result<Self, Error> {
        let mut simulation = Self { engine, streams, measures: Measures::default(), clock: Clock::start() };
        simulation.pour()?;
        Ok(simulation)
    }

    /// A simulation that goes on from a saved state of the same world and settings.
    ///
    /// `streams` is what [`stream_bytes`](Self::stream_bytes) gave at that state.
    pub fn resume(
        world: World,
        settings: Settings,
        streams: Vec<Stream>,
        state: &[u8],
        stream_bytes: &[u8],
    ) -> Result<Self, Error> {
        Self::resume_with(engine(world, settings)?, streams, state, stream_bytes)
    }

    /// As [`resume`](Self::resume), by an engine that is there already.
    pub fn resume_with(
        mut engine: Box<dyn Solver>,
        mut streams: Vec<Stream>,
        state: &[u8],
        stream_bytes: &[u8],
    ) -> Result<Self, Error> {
        engine.restore_bytes(state)?;
        let (states, rest) = stream_bytes.as_chunks::<{ StreamState::BYTES }>();
        if states.len() != streams.len() || !rest.is_empty() {
            return Err(Error::Mismatch { what: "it has another number of streams".into() });
        }
        for (stream, bytes) in streams.iter_mut().zip(states) {
            let state = StreamState::from_bytes(bytes);
            stream.restore(state.map_err(|error| Error::Mismatch { what: error.to_string() })?);
        }
        Ok(Self { engine, streams, measures: Measures::default(), clock: Clock::start() })
    }

    /// The same with these measures, which look at the present instant if it is their step.
    pub fn measuring(mut self, specs: &[Spec]) -> Self {
        self.measures = Measures::new(specs);
        self.measures.sample(&*self.engine);
        self
    }

    /// The same with these measures, which go on with what [`measure_bytes`](Self::measure_bytes) gave at this state.
    pub fn measuring_on(mut self, specs: &[Spec], bytes: &[u8]) -> Result<Self, Error> {
        self.measures = Measures::new(specs);
        let restored = self.measures.restore(bytes);
        restored.map_err(|mismatch| Error::Mismatch { what: mismatch.to_string() })?;
        Ok(self)
    }

    /// The same with these measures: those that it has if they are the same, else new ones.
    pub(crate) fn measuring_as(self, specs: &[Spec]) -> Self {
        if self.measures.is_of(specs) { self } else { self.measuring(specs) }
    }

    /// What is measured: newest values by name, and rows that nobody has taken yet.
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    /// What is measured, to take its rows.
    pub fn measures_mut(&mut self) -> &mut Measures {
        &mut self.measures
    }

    /// Drops rows of measures that nobody writes. Those of the present step are the first of a recording that begins here.
    pub fn forget_rows(&mut self) {
        self.measures.forget_before(self.engine.steps());
    }

    /// What the measures have to remember, for [`measuring_on`](Self::measuring_on).
    pub fn measure_bytes(&self) -> Vec<u8> {
        self.measures.to_bytes()
    }

    /// The engine.
    pub fn engine(&self) -> &dyn Solver {
        &*self.engine
    }

    /// The engine, to be changed by hand.
    pub fn engine_mut(&mut self) -> &mut dyn Solver {
        &mut *self.engine
    }

    /// What comes in.
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// Moves on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        let end = self.engine.steps().saturating_add(steps);
        while self.engine.steps() < end {
            let now = self.engine.steps();
            let pour = if self.streams.is_empty() { u64::MAX } else { next_multiple(now, STREAM_STEPS) };
            let look = self.measures.next(now);
            let pause = pour.min(look).min(end);
            self.engine.advance(pause - now)?;
            if pause == pour {
                self.pour()?;
            }
            if pause == look {
                self.measures.sample(&*self.engine);
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
            self.advance(steps)?;
            self.clock.done(steps);
            watch.progress(&Progress::of(&*self.engine, step, &self.clock));
        }
    }

    /// A checkpoint of the present instant, for a scene of this [hash](tumble_output::checkpoint::scene_hash).
    pub fn checkpoint(&self, scene_hash: &str) -> Checkpoint {
        let checkpoint = Checkpoint::of(&*self.engine, scene_hash).with(STREAMS, self.stream_bytes());
        if self.measures.is_empty() { checkpoint } else { checkpoint.with(MEASURES, self.measure_bytes()) }
    }

    /// What the streams have to remember, for [`resume`](Self::resume).
    pub fn stream_bytes(&self) -> Vec<u8> {
        self.streams.iter().flat_map(|stream| stream.state().to_bytes()).collect()
    }

    /// Puts in what is due.
    fn pour(&mut self) -> Result<(), Error> {
        for stream in &mut self.streams {
            let due = stream.due(self.engine.time(), &*self.engine);
            if !due.is_empty() {
                self.engine.add_bodies(&due)?;
            }
        }
        Ok(())
    }
}

/// The engine of this machine's processors.
pub(crate) fn engine(world: World, settings: Settings) -> Result<Box<dyn Solver>, tumble_dem::Error> {
    Ok(Box::new(Engine::new(world, settings)?))
}

/// The first multiple of `interval` after `step`.
pub(crate) fn next_multiple(step: u64, interval: u64) -> u64 {
    (step / interval + 1).saturating_mul(interval)
}
