//! An engine with its streams and outlets.
//!
//! A stream or an outlet is looked after at fixed steps, so that what comes in or goes out, and when, depends on the scene alone: not on
//! when results are written, nor on how often the run was interrupted.

use crate::clock::Clock;
use crate::{End, Error, Flows, Progress, Watch};
use tumble_dem::placement::{Outlet, Stream};
use tumble_dem::{Engine, Settings, Solver, World};
use tumble_output::Checkpoint;
use tumble_output::checkpoint::STREAMS;

/// Steps between two looks at streams and outlets. Putting bodies in costs new neighbour lists.
const STREAM_STEPS: u64 = 100;

/// Bodies that move, come in and go out.
#[derive(Debug)]
pub struct Simulation {
    engine: Box<dyn Solver>,
    flows: Flows,
    clock: Clock,
}

impl Simulation {
    /// A simulation at its start.
    pub fn new(world: World, settings: Settings, flows: impl Into<Flows>) -> Result<Self, Error> {
        Self::with(engine(world, settings)?, flows)
    }

    /// A simulation at its start, by an engine that is there already.
    pub fn with(engine: Box<dyn Solver>, flows: impl Into<Flows>) -> Result<Self, Error> {
        let mut simulation = Self { engine, flows: flows.into(), clock: Clock::start() };
        simulation.flow()?;
        Ok(simulation)
    }

    /// A simulation that goes on from a saved state of the same world and settings.
    ///
    /// `stream_bytes` is what [`stream_bytes`](Self::stream_bytes) gave at that state.
    pub fn resume(
        world: World,
        settings: Settings,
        flows: impl Into<Flows>,
        state: &[u8],
        stream_bytes: &[u8],
    ) -> Result<Self, Error> {
        Self::resume_with(engine(world, settings)?, flows, state, stream_bytes)
    }

    /// As [`resume`](Self::resume), by an engine that is there already.
    pub fn resume_with(
        mut engine: Box<dyn Solver>,
        flows: impl Into<Flows>,
        state: &[u8],
        stream_bytes: &[u8],
    ) -> Result<Self, Error> {
        engine.restore_bytes(state)?;
        let mut flows = flows.into();
        flows.restore(stream_bytes)?;
        Ok(Self { engine, flows, clock: Clock::start() })
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

    /// Moves on by so many steps.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        let end = self.engine.steps().saturating_add(steps);
        while self.engine.steps() < end {
            let now = self.engine.steps();
            let pause = if self.flows.is_empty() { end } else { next_multiple(now, STREAM_STEPS) };
            self.engine.advance(pause.min(end) - now)?;
            if self.engine.steps() == pause {
                self.flow()?;
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
            let waiting = self.flows.waiting().iter().sum();
            watch.progress(&Progress { waiting, ..Progress::of(&*self.engine, step, &self.clock) });
        }
    }

    /// A checkpoint of the present instant, for a scene of this [hash](tumble_output::checkpoint::scene_hash).
    pub fn checkpoint(&self, scene_hash: &str) -> Checkpoint {
        Checkpoint::of(&*self.engine, scene_hash).with(STREAMS, self.stream_bytes())
    }

    /// What streams and outlets have to remember, for [`resume`](Self::resume).
    pub fn stream_bytes(&self) -> Vec<u8> {
        self.flows.to_bytes()
    }

    /// Takes out and puts in what is due.
    fn flow(&mut self) -> Result<(), Error> {
        self.flows.flow(&mut *self.engine)
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
