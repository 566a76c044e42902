//! A scene that goes on with the bodies of another run.
//!
//! Bodies, contacts and what these remember come from a checkpoint; everything else is what the scene says. What is kept, what is
//! not and why is [told](GoingOn::told). The time goes on, unless it is to begin at zero; the scene says for how long from
//! there.

use crate::device::{self, Make};
use crate::origin::Origin;
use crate::simulation::Taken;
use crate::stages::Stages;
use crate::{Error, Flows, Simulation};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::material::Materials;
use tumble_dem::placement::{self, Names};
use tumble_dem::{
    Body, BodyState, ByName, Clock, Engine, Forgotten, Missing, SavedState, Settings, Solver, Transfer,
    World, readable,
};
use tumble_output::checkpoint::{ENGINE, SCENE, STAGES, STREAMS};
use tumble_output::{Checkpoint, Checkpoints, Part, ResultFolder, stages_to_bytes, write_stream};
use tumble_scene::keys::TimeStep;
use tumble_scene::{Built, Diagnostics, PRINCIPAL_COMMENT, Scene, SceneText};

/// What is needed to go on with a checkpoint of this scene: as [`Scene::build`], but of bodies that came from another run, only
/// some are there, without which walls would be drawn otherwise.
pub fn built_again(scene: &Scene, checkpoint: &Checkpoint, threads: Option<usize>) -> Result<Built, Error> {
    match Origin::of(checkpoint)? {
        None => Ok(scene.build(threads)?),
        Some(origin) => Ok(around(scene, threads, Some(origin.dt), |world| origin.outermost_in(world))?),
    }
}

/// A scene without bodies.
fn around_nothing(scene: &Scene, threads: Option<usize>, dt: Option<f64>) -> Result<Built, Diagnostics> {
    around(scene, threads, dt, |_| Vec::new())
}

/// A scene with other bodies than its own. A time step that its own would tell has to be given.
fn around(
    scene: &Scene,
    threads: Option<usize>,
    dt: Option<f64>,
    bodies: impl FnMut(&World) -> Vec<Body>,
) -> Result<Built, Diagnostics> {
    let mut scene = scene.clone();
    if let (Some(dt), TimeStep::Auto | TimeStep::Fraction(_)) = (dt, scene.keys.run.dt) {
        scene.keys.run.dt = TimeStep::Seconds(dt);
    }
    scene.build_around(threads, bodies)
}

/// A run to go on with, at one of its checkpoints.
#[derive(Clone, Debug)]
pub struct Predecessor {
    scene: Scene,
    checkpoint: Checkpoint,
    /// What messages call it.
    name: PathBuf,
}

impl Predecessor {
    /// A run at the newest checkpoint of its folder, or at the one in a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let none = |reason: &str| Error::NoState { path: path.to_owned(), reason: reason.into() };
        if path.is_dir() {
            return Self::newest(path);
        }
        if !path.exists() {
            return Err(none("there is no such file or folder"));
        }
        let checkpoint = Checkpoint::read(path)?;
        let scene = if let Some(text) = checkpoint.section(SCENE) {
            let text = core::str::from_utf8(text).map_err(|_| none("the scene in it is no text"))?;
            Scene::parse(SceneText::new(path.display().to_string(), text))?
        } else {
            // In a folder of results, the scene lies beside the folder of checkpoints.
            let results = path.parent().and_then(Path::parent).map(|folder| folder.join(Part::Scene.name()));
            let file = results.filter(|file| file.exists());
            Scene::read(file.ok_or_else(|| none("it has no scene in it, nor beside it"))?)?
        };
        Ok(Self { scene, checkpoint, name: path.to_owned() })
    }

    fn newest(folder: &Path) -> Result<Self, Error> {
        let part = |part: Part| folder.join(part.name());
        if !ResultFolder::is_one(folder) || !part(Part::Checkpoints).is_dir() {
            return Err(Error::NoResults { folder: folder.to_owned() });
        }
        let (newest, rejected) = Checkpoints::new(part(Part::Checkpoints), 1)?.newest()?;
        let rejected = rejected.iter().map(ToString::to_string).collect();
        let no_checkpoint = || Error::NoCheckpoint { folder: part(Part::Checkpoints), rejected };
        let checkpoint = newest.ok_or_else(no_checkpoint)?;
        Ok(Self { scene: Scene::read(part(Part::Scene))?, checkpoint, name: folder.to_owned() })
    }

    /// A simulation as it is now.
    pub fn of(simulation: &Simulation, built: &Built) -> Self {
        Self {
            scene: built.scene.clone(),
            checkpoint: simulation.checkpoint(""),
            name: PathBuf::from(&built.title),
        }
    }

    /// Its scene as it was run.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The step at which it went on with yet another run; else 0.
    pub fn first_step(&self) -> Result<u64, Error> {
        Ok(Origin::of(&self.checkpoint)?.map_or(0, |origin| origin.step))
    }

    /// The state to go on with.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// All bodies at that instant, with the names of templates and materials; for a [table](write_bodies) that a scene reads.
    pub fn bodies(&self) -> Result<(Names, Vec<BodyState>), Error> {
        let dt = Origin::of(&self.checkpoint)?.map(|origin| origin.dt);
        let built = around_nothing(&self.scene, Some(1), dt)?;
        Ok((names(&built.world.templates, &built.world.materials), self.engine(&built)?.bodies()))
    }

    fn engine(&self, built: &Built) -> Result<Engine, Error> {
        let mut engine = Engine::new(built.world.clone(), Settings { threads: 1, ..built.settings.clone() })?;
        let mut stages = Stages::new(built);
        stages.restore(self.checkpoint.section(STAGES).unwrap_or_default(), self.checkpoint.step)?;
        stages.set_up(&mut engine)?;
        let bytes = self.checkpoint.section(ENGINE).unwrap_or_default();
        let state = SavedState::from_bytes(bytes, &built.world).and_then(|state| engine.restore(&state));
        state.map_err(|error| Error::NoState { path: self.name.clone(), reason: error.to_string() })?;
        Ok(engine)
    }
}

/// A scene with the bodies of another run, ready to go on.
#[derive(Debug)]
pub struct GoingOn {
    /// The scene. Its bodies are those of the other run.
    pub built: Built,
    origin: Origin,
    state: Vec<u8>,
    streams: Vec<u8>,
    /// Empty where stages begin anew.
    stages: Vec<u8>,
    told: Vec<String>,
    transfer: Transfer,
}

impl GoingOn {
    /// Takes the bodies, contacts and memory of a run into a scene.
    ///
    /// `threads` overrides what the scene says; 0 for all cores.
    pub fn new(
        scene: &Scene,
        threads: Option<usize>,
        from: &Predecessor,
        clock: Clock,
    ) -> Result<Self, Error> {
        let before = Origin::of(&from.checkpoint)?;
        let old = around_nothing(&from.scene, Some(1), before.map(|origin| origin.dt))?;
        let engine = from.engine(&old)?;
        let bodies = engine.bodies();
        let built = scene.build_around(threads, |world| in_world(&bodies, &old.world, world))?;
        let world = World { bodies: Vec::new(), bonds: Vec::new(), ..built.world.clone() };
        let mut next = Engine::new(world, built.settings.clone())?;
        let flows = Flows::from(&built);
        let same_flows = Flows::from(&old) == flows && clock == Clock::GoesOn && old.stages == built.stages;
        let stages = if same_flows { present_stage(&built, from)? } else { None };
        let same_streams = same_flows && (built.stages.is_empty() || stages.is_some());
        let transfer = in_its_stage(&mut next, &engine, clock, stages.as_ref())?;
        let streams_from = match before {
            _ if clock == Clock::Restarts => 0.0,
            Some(origin) if same_streams => origin.streams_from,
            None if same_streams => 0.0,
            _ => next.time(),
        };
        let origin = Origin::new(&next, &built, streams_from);
        let streams = if same_streams {
            from.checkpoint.section(STREAMS).unwrap_or_default().to_vec()
        } else {
            origin.flows(flows.clone(), &built.stages).to_bytes()
        };
        let mut told = told(&transfer, from, clock, &origin);
        told.extend(jumps(&engine, &next));
        if !same_streams && !flows.is_empty() {
            told.push("the streams of the scene begin now: their times count from here".into());
        }
        match stages.as_ref().and_then(|stages| stages.records().last()) {
            Some(record) => told.push(format!("the stages go on: it is in `{}`", record.name)),
            None if built.stages.is_empty() => {}
            None => told.push("the stages of the scene begin now, with the first".into()),
        }
        let stages = stages.map_or(Vec::new(), |stages| stages_to_bytes(stages.records()));
        if !scene.keys.bodies.is_empty() {
            told.push("the bodies that the scene itself would place are not placed".into());
        }
        Ok(Self { origin, state: next.save().to_bytes(), streams, stages, built, told, transfer })
    }

    /// Where it begins.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// What was kept and what was not, in words.
    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// What was kept and what was not, in numbers.
    pub fn transfer(&self) -> &Transfer {
        &self.transfer
    }

    /// The simulation.
    pub fn start(&self) -> Result<Simulation, Error> {
        self.start_by(&device::of(&self.built))
    }

    /// As [`start`](Self::start), with an engine that `make` makes of the world and its settings.
    pub fn start_with(
        &self,
        make: &dyn Fn(World, Settings) -> Result<Box<dyn Solver>, tumble_dem::Error>,
    ) -> Result<Simulation, Error> {
        self.start_by(&device::as_by(make))
    }

    fn start_by(&self, make: Make<'_>) -> Result<Simulation, Error> {
        let Built { world, settings, .. } = &self.built;
        let world = World { bodies: Vec::new(), bonds: Vec::new(), ..world.clone() };
        let taken = Taken { state: &self.state, streams: &self.streams, stages: &self.stages };
        Simulation::going_on(make(world, settings.clone())?, &self.built, taken, &self.origin)
    }
}

/// The stages of a scene in the midst of which a run with the same stages was; none if it had been through all of them.
fn present_stage(built: &Built, from: &Predecessor) -> Result<Option<Stages>, Error> {
    let mut stages = Stages::new(built);
    stages.restore(from.checkpoint.section(STAGES).unwrap_or_default(), from.checkpoint.step)?;
    Ok(Some(stages).filter(|stages| stages.count() > 0 && !stages.are_over()))
}

/// Takes bodies over into an engine, which is in a stage already if there is one.
fn in_its_stage(
    next: &mut Engine,
    engine: &Engine,
    clock: Clock,
    stages: Option<&Stages>,
) -> Result<Transfer, Error> {
    let Some(stages) = stages else { return Ok(next.take_over(engine, clock)?) };
    stages.clone().set_up(next)?;
    let mut transfer = next.take_over(engine, clock)?;
    if !transfer.unchanged {
        // What stages changed of the rules of the scene is no change by hand.
        stages.change_rules(next)?;
        transfer.set_back = false;
    }
    Ok(transfer)
}

/// What templates and materials are called.
fn names(templates: &[Arc<ClumpTemplate>], materials: &Materials) -> Names {
    Names {
        templates: templates.iter().map(|template| template.name().to_owned()).collect(),
        materials: materials.as_slice().iter().map(|material| material.name.clone()).collect(),
    }
}

/// Writes all bodies of an engine into a file that a scene reads.
pub(crate) fn write_bodies_of(path: &Path, engine: &dyn Solver) -> Result<(), Error> {
    let scenery = engine.scenery();
    let names = names(scenery.templates, scenery.materials);
    let bodies = engine.bodies();
    Ok(write_stream(path, |out| write_bodies(out, &names, &bodies))?)
}

/// Writes bodies as a table that a scene reads back to the same bits, and that says what its quaternions turn.
pub fn write_bodies(mut out: impl Write, names: &Names, bodies: &[BodyState]) -> io::Result<()> {
    writeln!(out, "{PRINCIPAL_COMMENT}")?;
    placement::write_bodies(out, names, bodies)
}

/// Bodies of one world in another, as far as they are known there.
fn in_world(bodies: &[BodyState], old: &World, new: &World) -> Vec<Body> {
    let sorts = ByName::between(old, new);
    bodies.iter().filter_map(|state| sorts.body(state).ok()).collect()
}

/// What was kept, what was not, and why.
fn told(taken: &Transfer, from: &Predecessor, clock: Clock, origin: &Origin) -> Vec<String> {
    let (step, time) = (from.checkpoint.step, from.checkpoint.time);
    let name = from.name.display();
    let mut lines = vec![format!(
        "goes on with {} of {name}, at step {step}, t = {time:.6} s; {} with what {} remember",
        some(taken.bodies, "body", "bodies"),
        some(taken.contacts, "contact", "contacts"),
        if taken.contacts == 1 { "it" } else { "they" },
    )];
    if taken.unchanged {
        lines.push(
            "nothing that moves anything is different: the bits are those of a run that was not interrupted"
                .into(),
        );
        return lines;
    }
    for (missing, count) in &taken.left {
        let reason = match missing {
            Missing::Template(name) => format!("no template '{name}'"),
            Missing::Material(name) => format!("no material '{name}'"),
        };
        let bodies = some(*count, "body is", "bodies are");
        lines.push(format!("{bodies} left behind: there is {reason} in this scene"));
    }
    for (forgotten, count) in &taken.forgotten {
        let reason = match forgotten {
            Forgotten::OtherSpheres(name) => format!("the template '{name}' has other spheres"),
            Forgotten::OtherWall(name) => format!("the wall '{name}' is gone, or has another shape"),
            Forgotten::OtherModel => "their contact model is another one".into(),
        };
        let contacts = some(*count, "contact begins", "contacts begin");
        lines.push(format!("{contacts} anew, without springs: {reason}"));
    }
    for (walls, what) in [(&taken.gone_walls, "is gone"), (&taken.new_walls, "is new")] {
        lines.extend(walls.iter().map(|wall| format!("the wall '{wall}' {what}")));
    }
    for (wall, off) in &taken.moved_walls {
        lines.push(format!("the wall '{wall}' is elsewhere than it was, by {off:.3e} m"));
    }
    if taken.set_back {
        lines.push("rules that were changed by hand are those of the scene again".into());
    }
    lines.push(match clock {
        Clock::GoesOn => format!("the clock goes on at t = {:.6} s, and walls move by it", origin.time),
        Clock::Restarts => "the clock begins at zero".into(),
    });
    lines.push("the books of energy begin anew".into());
    lines
}

/// Walls that move at once otherwise than they did: under bodies at rest, such a wall hits them.
fn jumps(before: &Engine, after: &Engine) -> Vec<String> {
    let (old, new) = (before.scenery(), after.scenery());
    let mut told = Vec::new();
    for (wall, now) in new.walls.iter().zip(&new.poses) {
        let was = old.walls.iter().position(|old| old.name == wall.name).and_then(|wall| old.poses.get(wall));
        let Some(was) = was.filter(|was| was.present && now.present) else { continue };
        let (speed, spin) =
            ((now.velocity - was.velocity).norm(), (now.angular_velocity - was.angular_velocity).norm());
        if speed > 1e-9 || spin > 1e-9 {
            told.push(format!(
                "the wall '{}' jumps to another velocity, by {} m/s at its origin and {} rad/s: give its motion a start or a ramp \
                 to begin smoothly",
                wall.name,
                readable(speed),
                readable(spin),
            ));
        }
    }
    told
}

fn some(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
