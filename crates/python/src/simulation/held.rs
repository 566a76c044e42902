//! Who may look at a simulation and change it, and when: one thread at a time, none that it waits for itself.

use super::Simulation;
use super::prescribed::Failures;
use super::watch::Watcher;
use crate::errors::Exception;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};
use tumble::Run;
use tumble::dem::Solver;
use tumble::scene::{Built, Scene};

/// How long a thread waits before it tries again.
const PAUSE: Duration = Duration::from_micros(50);

/// Whether results are written.
pub(super) enum Stage {
    Free(Box<tumble::Simulation>),
    Recording(Box<Run>),
    /// Only while one becomes the other.
    Between,
}

impl Simulation {
    pub(super) fn of(scene: Scene, built: Built, simulation: tumble::Simulation) -> Self {
        let (origin, step_length) = (simulation.origin(), simulation.step_length());
        let stage = Mutex::new(Stage::Free(Box::new(simulation)));
        Self {
            scene,
            built,
            stage,
            computing: AtomicBool::new(false),
            failures: Failures::default(),
            looked: Mutex::new(Instant::now()),
            origin,
            notes: Vec::new(),
            step_length,
        }
    }

    /// The step at which it went on with another run; else 0.
    pub(super) fn first_step(&self) -> u64 {
        self.origin.map_or(0, |origin| origin.step)
    }

    /// Does work that may call functions of Python, which are told so if they ask for the simulation.
    pub(super) fn compute<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
        self.computing.store(true, Ordering::Release);
        let done = py.detach(work);
        self.computing.store(false, Ordering::Release);
        done
    }

    /// Changes the simulation by hand, which may ask for forces and motions that are functions of Python. What those raise
    /// is raised here, and nothing has changed then.
    pub(super) fn edit<T: Send>(
        &self,
        py: Python<'_>,
        edit: impl FnOnce(&mut dyn Solver) -> Result<T, tumble::dem::Error> + Send,
    ) -> Result<T, Exception> {
        let mut stage = self.lock()?;
        let engine = stage.simulation_mut()?.engine_mut();
        let done = self.compute(py, || edit(engine));
        drop(stage);
        self.failures.raise()?;
        Ok(done?)
    }

    /// Waits for another thread that only looks, but not for one that computes: it may wait for this one.
    pub(super) fn lock(&self) -> Result<MutexGuard<'_, Stage>, Exception> {
        loop {
            match self.stage.try_lock() {
                Ok(stage) => return Ok(stage),
                Err(TryLockError::WouldBlock) if self.computing.load(Ordering::Acquire) => {
                    return Err(Exception::run(
                        "the simulation is computing now: a function that it calls, such as a force, gets all it \
                         needs as arguments; what looks at or changes the simulation belongs in the callback of \
                         `run`, or after it",
                    ));
                }
                // The other one needs the interpreter to let go of the lock.
                Err(TryLockError::WouldBlock) => Python::attach(|py| py.detach(|| thread::sleep(PAUSE))),
                Err(TryLockError::Poisoned(_)) => {
                    return Err(Exception::run("the simulation was left half-way by an earlier error"));
                }
            }
        }
    }
}

impl Stage {
    pub(super) fn simulation(&self) -> Result<&tumble::Simulation, Exception> {
        match self {
            Self::Free(simulation) => Ok(simulation),
            Self::Recording(run) => Ok(run.simulation()),
            Self::Between => Err(lost()),
        }
    }

    pub(super) fn simulation_mut(&mut self) -> Result<&mut tumble::Simulation, Exception> {
        match self {
            Self::Free(simulation) => Ok(simulation),
            Self::Recording(run) => Ok(run.simulation_mut()),
            Self::Between => Err(lost()),
        }
    }

    pub(super) fn go_to(&mut self, step: u64, watcher: &mut Watcher<'_>) -> Result<(), Exception> {
        match self {
            Self::Free(simulation) => {
                let end = simulation.go_to(step, watcher);
                simulation.forget_rows();
                end?;
            }
            Self::Recording(run) => run.go_to(step, watcher).map(drop)?,
            Self::Between => return Err(lost()),
        }
        Ok(())
    }
}

fn lost() -> Exception {
    Exception::run("the simulation was lost by an earlier error")
}
