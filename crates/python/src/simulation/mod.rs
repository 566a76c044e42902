//! Simulations: the facade's `Simulation`, or its `Run` while results are written, behind one lock.
//!
//! Whoever computes takes the lock and releases the interpreter. A Python function that is called meanwhile, such as a
//! force, finds the lock taken and is told so; one that is called between steps finds it free.
//!
//! | where | what |
//! | --- | --- |
//! | `scene` | where a scene comes from, and what is wrong with it |
//! | `device` | what it runs on |
//! | `state` | bodies, contacts and walls as arrays; changes of them |
//! | `rules` | gravity, the time step, properties: changes of them |
//! | `watch` | Ctrl-C and progress while it runs |
//! | `prescribed` | forces and motions of walls that are functions of Python |

mod device;
mod held;
mod prescribed;
mod rules;
mod scene;
mod state;
mod watch;

pub(crate) use rules::{gravity, is_of_pairs, property_values, quantity, set_dt, set_gravity, set_property};
pub(crate) use scene::{check_scene, examples, scene_keys};
pub(crate) use state::{
    add_bodies, capsules, change_bodies, column, columns, contacts, corners, ellipsoids, flows,
    remove_bodies, spheres, surface, wall_loads,
};

use crate::errors::Exception;
use device::Means;
use held::Stage;
use prescribed::{Failures, PythonDrive, PythonForce};
use pyo3::prelude::*;
use scene::Source;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tumble::dem::Clock;
use tumble::dem::WallId;
use tumble::dem::wall::Motion;
use tumble::output::StageRecord;
use tumble::output::checkpoint::{SCENE, scene_hash};
use tumble::output::csv::energies;
use tumble::scene::{Built, Scene};
use tumble::{Mode, Origin, Predecessor, Run, StepLength};
use watch::Watcher;

/// A simulation that Python holds.
#[pyclass(frozen, module = "tumble._native")]
pub(crate) struct Simulation {
    scene: Scene,
    built: Built,
    stage: Mutex<Stage>,
    /// Whether whoever has the lock may call functions of Python.
    computing: AtomicBool,
    /// What went wrong in a function of Python.
    failures: Failures,
    /// When the interpreter was last asked for signals.
    looked: Mutex<Instant>,
    /// Where it went on with the bodies of another run.
    origin: Option<Origin>,
    /// What was kept of that one, and what was not.
    notes: Vec<String>,
    /// For functions that are called while it computes.
    step_length: StepLength,
}

/// What a simulation goes on with: another simulation as it is now, a folder of results, or a saved state.
#[derive(FromPyObject)]
enum After {
    Simulation(Py<Simulation>),
    Path(PathBuf),
}

/// A stage: name, time of the beginning, time and reason of the end, what it changes.
type StageTuple = (String, f64, Option<f64>, Option<String>, Vec<String>);

#[pymethods]
impl Simulation {
    /// The simulation of a scene at its start.
    #[staticmethod]
    fn build(py: Python<'_>, source: Source, means: Means) -> Result<Self, Exception> {
        py.detach(|| {
            let (scene, mut built) = source.build(means.0)?;
            means.put_into(&mut built)?;
            let simulation = tumble::Simulation::of(&built)?;
            Ok(Self::of(scene, built, simulation))
        })
    }

    /// The simulation of a scene that goes on with the bodies of another one, or of a run.
    #[staticmethod]
    fn build_after(
        py: Python<'_>,
        source: Source,
        means: Means,
        after: After,
        restart_clock: bool,
    ) -> Result<Self, Exception> {
        let before = match after {
            After::Simulation(other) => {
                let stage = other.get().lock()?;
                Predecessor::of(stage.simulation()?, &other.get().built)
            }
            After::Path(path) => Predecessor::read(path)?,
        };
        let clock = if restart_clock { Clock::Restarts } else { Clock::GoesOn };
        py.detach(|| {
            let (scene, mut going_on) = source.go_on(means.0, &before, clock)?;
            means.put_into(&mut going_on.built)?;
            let simulation = going_on.start()?;
            let notes = going_on.told().to_vec();
            Ok(Self { notes, ..Self::of(scene, going_on.built, simulation) })
        })
    }

    /// The simulation that a file holds, or a folder of results at its newest checkpoint.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, means: Means) -> Result<Self, Exception> {
        py.detach(|| {
            let saved = Predecessor::read(&path)?;
            let (scene, checkpoint) = (saved.scene(), saved.checkpoint());
            let mut built = tumble::built_again(scene, checkpoint, means.0)?;
            means.put_into(&mut built)?;
            let simulation = tumble::Simulation::at(&built, checkpoint)?;
            Ok(Self::of(scene.clone(), built, simulation))
        })
    }

    /// Writes everything that is needed to go on to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Result<(), Exception> {
        let stage = self.lock()?;
        let simulation = stage.simulation()?;
        py.detach(|| {
            let mut scene = self.built.scene.clone();
            // The name of a scene is that of its file, which is another now.
            scene.keys.title.get_or_insert_with(|| self.built.title.clone());
            let text = scene.effective_elsewhere();
            let checkpoint = simulation.checkpoint(&scene_hash(&text)).with(SCENE, text.into_bytes());
            Ok(checkpoint.write(&path)?)
        })
    }

    /// Goes on to a step. `tick` is called with the number of the step, several times a second.
    fn go_to(&self, py: Python<'_>, step: u64, tick: Option<Py<PyAny>>) -> Result<(), Exception> {
        let mut guard = self.lock()?;
        let stage = &mut *guard;
        let mut watcher = Watcher::new(&self.failures, tick, &self.looked);
        let end = self.compute(py, || stage.go_to(step, &mut watcher));
        drop(guard);
        self.failures.raise()?;
        end
    }

    /// Begins to write results, which end with `last_step`.
    fn record(&self, py: Python<'_>, folder: PathBuf, force: bool, last_step: u64) -> Result<(), Exception> {
        let mut guard = self.lock()?;
        let stage = &mut *guard;
        py.detach(|| {
            // Intervals of outputs are steps of the present length.
            let mut built = self.built.clone();
            built.settings.dt = stage.simulation()?.engine().settings().dt;
            let same_step = built.settings.dt.to_bits() == self.built.settings.dt.to_bits();
            // The length of a run that went on with another one counts from there.
            let steps = last_step.saturating_sub(self.first_step());
            if steps != self.built.steps || !same_step {
                built = self.scene.lasting(&built, steps)?;
            }
            let built = &built;
            let mode = if force { Mode::Force } else { Mode::New };
            let simulation = match core::mem::replace(stage, Stage::Between) {
                Stage::Free(simulation) => simulation,
                other => {
                    *stage = other;
                    return Err(Exception::run("the simulation is writing results already"));
                }
            };
            match Run::record(*simulation, built, folder, mode) {
                Ok(run) => {
                    *stage = Stage::Recording(Box::new(run));
                    Ok(())
                }
                Err(failed) => {
                    let (error, simulation) = *failed;
                    *stage = Stage::Free(Box::new(simulation));
                    Err(error.into())
                }
            }
        })
    }

    /// Ends what `record` began: the state is saved, and the page of the run written.
    fn end_recording(&self, py: Python<'_>) -> Result<(), Exception> {
        let mut guard = self.lock()?;
        let stage = &mut *guard;
        py.detach(|| {
            let mut run = match core::mem::replace(stage, Stage::Between) {
                Stage::Recording(run) => run,
                other => {
                    *stage = other;
                    return Ok(());
                }
            };
            let at_end = run.simulation().engine().steps() >= run.last_step();
            let stopped = if at_end { Ok(()) } else { run.stop() };
            let written = run.write_report();
            *stage = Stage::Free(Box::new(run.into_simulation()));
            stopped?;
            written?;
            Ok(())
        })
    }

    /// The energies of the ledger by name, J.
    fn energy(&self, py: Python<'_>) -> Result<Vec<(&'static str, f64)>, Exception> {
        let stage = self.lock()?;
        let engine = stage.simulation()?.engine();
        Ok(py.detach(|| energies(&engine.ledger()).collect()))
    }

    /// The newest value of each column of the measures, by name with its unit; NaN where there is none yet.
    fn measures(&self) -> Result<Vec<(String, f64)>, Exception> {
        let stage = self.lock()?;
        let measures = stage.simulation()?.measures();
        Ok(measures.headers().into_iter().zip(measures.latest().iter().copied()).collect())
    }

    /// Adds a force: `function(t, ids, positions, quaternions, velocities, spins)` gives forces and torques.
    fn add_force(&self, py: Python<'_>, function: Py<PyAny>) -> Result<(), Exception> {
        let force = Arc::new(PythonForce::new(function, self.failures.clone()));
        self.edit(py, |engine| engine.add_batch_field(force))
    }

    /// Takes all forces away that were added.
    fn clear_forces(&self, py: Python<'_>) -> Result<(), Exception> {
        self.edit(py, |engine| engine.clear_batch_fields())
    }

    /// Moves a wall: `function(t)` gives displacement, velocity, rotation about the pivot and angular velocity.
    fn drive_wall(
        &self,
        py: Python<'_>,
        wall: u32,
        pivot: [f64; 3],
        function: Py<PyAny>,
    ) -> Result<(), Exception> {
        let drive = PythonDrive::new(function, pivot, self.failures.clone());
        let motion = Motion::driven(Arc::new(drive));
        self.edit(py, |engine| engine.set_wall_motion(WallId(wall), motion))
    }

    #[getter]
    fn time(&self) -> Result<f64, Exception> {
        Ok(self.lock()?.simulation()?.engine().time())
    }

    #[getter]
    fn step_count(&self) -> Result<u64, Exception> {
        Ok(self.lock()?.simulation()?.engine().steps())
    }

    #[getter]
    fn body_count(&self) -> Result<usize, Exception> {
        Ok(self.lock()?.simulation()?.engine().body_count())
    }

    #[getter]
    fn contact_count(&self) -> Result<usize, Exception> {
        Ok(self.lock()?.simulation()?.engine().contact_count())
    }

    /// The present time step, s; while it computes, that of the step being taken.
    #[getter]
    fn dt(&self) -> Result<f64, Exception> {
        match self.lock() {
            Ok(stage) => Ok(stage.simulation()?.engine().settings().dt),
            Err(_) if self.computing.load(Ordering::Acquire) => Ok(self.step_length.get()),
            Err(error) => Err(error),
        }
    }

    /// As asked for; 0 for all cores.
    #[getter]
    fn threads(&self) -> usize {
        self.built.settings.threads
    }

    /// What it runs on, as it can be asked for.
    #[getter]
    fn device(&self) -> Result<String, Exception> {
        Ok(self.lock()?.simulation()?.place().device.to_string())
    }

    /// Which card that is, or why it is the processor; nothing where the processor was asked for.
    #[getter]
    fn place(&self) -> Result<Option<String>, Exception> {
        Ok(self.lock()?.simulation()?.place().told.clone())
    }

    #[getter]
    fn title(&self) -> &str {
        &self.built.title
    }

    /// The last step of the scene; at the most, where stages may end earlier.
    #[getter]
    fn last_step(&self) -> Result<u64, Exception> {
        let end = self.built.steps.saturating_add(self.first_step());
        let last = self.lock()?.simulation()?.last_step_of_stages();
        Ok(last.map_or(end, |last| last.min(end)))
    }

    /// Whether the last stage of the scene is over; never where it has none.
    #[getter]
    fn stages_are_over(&self) -> Result<bool, Exception> {
        Ok(self.lock()?.simulation()?.stages_are_over())
    }

    /// Stages that have begun: name, time of the beginning, time and reason of the end, what they change.
    #[getter]
    fn stages(&self) -> Result<Vec<StageTuple>, Exception> {
        let stage = self.lock()?;
        let told = |record: &StageRecord| {
            let ended = record.ended.as_ref();
            (
                record.name.clone(),
                record.time_s,
                ended.map(|end| end.time_s),
                ended.map(|end| end.why.clone()),
                record.changes.clone(),
            )
        };
        Ok(stage.simulation()?.stages().iter().map(told).collect())
    }

    /// What was kept of the run that it went on with, and what was not.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// What likely is not what was meant; empty if there is nothing.
    #[getter]
    fn warnings(&self) -> String {
        if self.built.warnings.is_empty() { String::new() } else { self.built.warnings.by_path() }
    }

    /// The scene with everything filled in, as TOML.
    #[getter]
    fn scene(&self) -> String {
        self.built.effective()
    }

    #[getter]
    fn template_names(&self) -> Vec<&str> {
        self.built.world.templates.iter().map(|template| template.name()).collect()
    }

    #[getter]
    fn material_names(&self) -> Vec<&str> {
        self.built.world.materials.as_slice().iter().map(|material| material.name.as_str()).collect()
    }

    #[getter]
    fn wall_names(&self) -> Vec<&str> {
        self.built.world.walls.iter().map(|wall| wall.name.as_str()).collect()
    }
}
