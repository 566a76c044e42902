//! From a scene to something that can be run: world, settings, and what to write when.

mod bonds;
mod cell;
mod coarse;
mod fields;
mod files;
mod heat;
mod initial;
mod liquid;
mod materials;
mod measures;
mod membranes;
mod plan;
mod populate;
mod region;
mod sizes;
mod stage_words;
mod stages;
mod streams;
mod templates;
mod time_step;
mod unlikely;
mod walls;

pub use fields::{FieldPlan, fading};
pub use plan::{CheckpointInterval, CheckpointPlan, OutputPlan, VtkPlan};
pub use populate::PRINCIPAL_COMMENT;
pub use stages::{Condition, FluidChange, Series, StageEnd, StagePlan, WallChange};

use crate::diagnostic::{Diagnostics, Problem, Severity};
use crate::keys::{SceneKeys, TimeStep};
use crate::scene::Scene;
use crate::text::SceneText;
use core::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tumble_dem::advice::Advice;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::material::Materials;
use tumble_dem::placement::{Outlet, Sizes, Stream};
use tumble_dem::ranks::Processes;
use tumble_dem::wall::Wall;
use tumble_dem::{Body, LabVec, Settings, World};
use tumble_gpu::Choice as Device;
use tumble_measure::Spec;
use tumble_measure::coarse::CoarseSpec;

/// A scene that is ready to run.
#[derive(Clone, Debug)]
pub struct Built {
    /// The name of the scene.
    pub name: String,
    /// Its title, or else its name.
    pub title: String,
    /// What is simulated.
    pub world: World,
    /// How.
    pub settings: Settings,
    /// What does its steps.
    pub device: Device,
    /// Where compiled kernels are kept for devices that need some; nowhere unless somebody says so.
    pub kernels: Option<PathBuf>,
    /// How many ranks share its bodies; none where one engine has them all.
    pub ranks: Option<usize>,
    /// Other processes that share its bodies, where the program was launched in several.
    pub processes: Option<Arc<Processes>>,
    /// Number of steps; at the most, where stages may end earlier.
    pub steps: u64,
    /// The bodies that each of the scene's populations has.
    pub populations: Vec<Population>,
    /// What is put in during the run.
    pub streams: Vec<Stream>,
    /// What happens one after the other; nothing but the run itself where it is empty.
    pub stages: Vec<StagePlan>,
    /// When the run ends, s from its beginning, whatever the last stage says.
    pub ends: Option<f64>,
    /// Where bodies are taken out during the run.
    pub outlets: Vec<Outlet>,
    /// What is measured.
    pub measures: Vec<Spec>,
    /// Coarse-grained fields.
    pub coarse_fields: Vec<CoarseSpec>,
    /// What is written.
    pub output: OutputPlan,
    /// When the state is saved, if it is.
    pub checkpoint: Option<CheckpointPlan>,
    /// What limits the time step at the start.
    pub advice: Advice,
    /// The scene as it is run: time step and intervals in numbers.
    pub scene: Scene,
    /// What likely is not what was meant.
    pub warnings: Diagnostics,
}

/// A population as it was drawn.
#[derive(Clone, Debug)]
pub struct Population {
    /// Its bodies: a range of those of the world.
    pub bodies: Range<usize>,
    /// The sizes that they were drawn from, if from a distribution.
    pub sizes: Option<Arc<Sizes>>,
    /// How long placing them took.
    pub placed_in: Duration,
    /// Of a cloud, which part of its region they fill.
    pub fraction: Option<f64>,
}

impl Built {
    /// The scene as it is run, as TOML that reads back to the same scene.
    pub fn effective(&self) -> String {
        self.scene.effective()
    }

    /// How long the run lasts, s, if every stage takes as long as it may.
    pub fn longest_time(&self) -> f64 {
        let mut left = self.steps;
        let mut time = 0.0;
        for stage in &self.stages {
            let steps = left.min(stage.steps);
            time += steps as f64 * stage.dt;
            left -= steps;
        }
        time + left as f64 * self.stages.last().map_or(self.settings.dt, |stage| stage.dt)
    }

    /// How long a stream has had to pour at a time of the run, s, if every stage takes as long as it may.
    pub fn stream_time(&self, stream: usize, time: f64) -> f64 {
        let pours = |stage: &StagePlan| stage.pours.get(stream).copied().unwrap_or(true);
        if self.stages.iter().all(pours) {
            return time;
        }
        let (mut begin, mut poured) = (0.0, 0.0);
        for stage in &self.stages {
            let length = stage.steps as f64 * stage.dt;
            if pours(stage) {
                poured += (time - begin).clamp(0.0, length);
            }
            begin += length;
        }
        poured
    }
}

/// The parts of a world that can be made one by one.
pub(crate) struct Parts {
    materials: Materials,
    /// None where something is wrong, here and below.
    templates: Vec<Option<Arc<ClumpTemplate>>>,
    walls: Vec<Option<Wall>>,
}

impl Parts {
    /// Makes what can be made, and reports what is wrong with the rest.
    pub(crate) fn new(keys: &SceneKeys, text: &SceneText, problems: &mut Vec<Problem>) -> Self {
        let materials = materials::materials(keys, problems);
        let templates = templates::templates(keys, &text.folder, problems);
        let walls = walls::walls(keys, &text.folder, problems);
        Self { materials, templates, walls }
    }
}

/// Bodies that come from elsewhere, for a world without any.
type Elsewhere<'a> = Option<&'a mut dyn FnMut(&World) -> Vec<Body>>;

impl Scene {
    /// Makes the world: reads the files that the scene names, places the bodies, chooses the time step.
    ///
    /// `threads` overrides what the scene says; 0 for all cores.
    pub fn build(&self, threads: Option<usize>) -> Result<Built, Diagnostics> {
        self.build_by(threads, None)
    }

    /// As [`build`](Self::build), but with bodies that come from elsewhere, for the world without any, in the place of those
    /// that the scene would place.
    pub fn build_around(
        &self,
        threads: Option<usize>,
        mut bodies: impl FnMut(&World) -> Vec<Body>,
    ) -> Result<Built, Diagnostics> {
        self.build_by(threads, Some(&mut bodies))
    }

    fn build_by(&self, threads: Option<usize>, bodies: Elsewhere<'_>) -> Result<Built, Diagnostics> {
        let mut problems = self.warnings.clone();
        let built = self.try_build(threads, bodies, &mut problems);
        let failed = problems.iter().any(|problem| problem.severity == Severity::Error);
        let warnings = Diagnostics::of(self.text.clone(), problems);
        match built {
            Some(built) if !failed => Ok(Built { warnings, ..built }),
            _ => Err(warnings),
        }
    }

    /// How many steps a scene has [as it is run](Built::scene); none if its time step is still to be chosen.
    pub fn steps_as_run(&self) -> Option<u64> {
        let TimeStep::Seconds(dt) = self.keys.run.dt else { return self.keys.run.steps };
        let mut known = Vec::new();
        let stages = stages::stages(&self.keys, dt, dt, &mut known);
        time_step::steps(&self.keys, dt, &stages, &mut known)
    }

    /// How many steps of what was built of a scene, which has no stages, a time takes, s.
    pub fn steps_of(built: &Built, seconds: f64) -> Option<u64> {
        let mut keys = built.scene.keys.clone();
        (keys.run.duration, keys.run.steps) = (Some(seconds), None);
        time_step::steps(&keys, built.settings.dt, &[], &mut Vec::new())
    }

    /// What was [built](Self::build) of this scene, to run up to another step. Intervals of outputs that the scene
    /// leaves open follow.
    pub fn lasting(&self, built: &Built, steps: u64) -> Result<Built, Diagnostics> {
        self.of_length(built, steps, None)
    }

    /// What was [built](Self::build) of this scene, which has stages, to end at a time, s from its beginning, whatever the last
    /// of them says.
    pub fn ending(&self, built: &Built, ends: f64) -> Result<Built, Diagnostics> {
        let mut keys = built.scene.keys.clone();
        (keys.run.duration, keys.run.steps, keys.run.ends) = (None, None, Some(ends));
        let mut problems = Vec::new();
        match time_step::steps(&keys, built.settings.dt, &built.stages, &mut problems) {
            Some(steps) => self.of_length(built, steps, Some(ends)),
            None => Err(Diagnostics::of(self.text.clone(), problems)),
        }
    }

    fn of_length(&self, built: &Built, steps: u64, ends: Option<f64>) -> Result<Built, Diagnostics> {
        let mut keys = self.keys.clone();
        // Measures look as often as before: what they have summed up depends on it.
        keys.measures.clone_from(&built.scene.keys.measures);
        keys.coarse_fields.clone_from(&built.scene.keys.coarse_fields);
        let run = &mut keys.run;
        (run.duration, run.steps, run.ends) = (None, ends.is_none().then_some(steps), ends);
        let mut problems = Vec::new();
        let (as_run, output, checkpoint) = plan::plan(&keys, built.settings.dt, steps, &mut problems);
        let problems = Diagnostics::of(self.text.clone(), problems);
        if problems.has_errors() {
            return Err(problems);
        }
        let scene = Self { keys: as_run, ..self.clone() };
        Ok(Built { steps, ends, output, checkpoint, scene, ..built.clone() })
    }

    /// None, or problems, if it cannot be done.
    fn try_build(
        &self,
        threads: Option<usize>,
        elsewhere: Elsewhere<'_>,
        problems: &mut Vec<Problem>,
    ) -> Option<Built> {
        let keys = &self.keys;
        let parts = Parts::new(keys, &self.text, problems);
        materials::check_meetings(keys, &parts.materials, problems);
        let failed =
            |problems: &[Problem]| problems.iter().any(|problem| problem.severity == Severity::Error);
        let mut world = World {
            heat: heat::heat(keys, &parts.materials, problems),
            liquid: liquid::liquid(keys, &parts.materials, problems),
            materials: parts.materials,
            templates: parts.templates.into_iter().collect::<Option<_>>()?,
            bodies: Vec::new(),
            bonds: Vec::new(),
            membranes: Vec::new(),
            walls: parts.walls.into_iter().collect::<Option<_>>()?,
            domain: fields::domain(keys),
            cell: cell::cell(keys, problems),
            gravity: LabVec::from_array(keys.gravity),
            gravity_table: fields::gravity_table(keys, problems),
            drag: fields::drag(keys.drag.as_ref()),
            fields: fields::fields(keys, problems),
        };
        walls::check_capsules(keys, &world.walls, problems);
        walls::check_ellipsoids(keys, &world.walls, problems);
        walls::check_hulls(keys, &world.walls, problems);
        walls::check_mixture(keys, problems);
        if failed(problems) {
            return None;
        }
        let taken = elsewhere.is_some();
        if taken {
            membranes::check_taken(keys, problems);
        }
        let (origins, times) = match elsewhere {
            None => populate::populate(keys, &self.text.folder, &mut world, problems),
            Some(bodies) => {
                world.bodies = bodies(&world);
                (Vec::new(), Vec::new())
            }
        };
        cell::weigh(&mut world);
        let streams = streams::streams(keys, &self.text.folder, &world, problems);
        let outlets = streams::outlets(keys, problems);
        if failed(problems) {
            return None;
        }
        if !taken {
            initial::check_places(keys, &world, &origins, problems);
            if failed(problems) {
                return None;
            }
            world.bonds = bonds::bonds(keys, &self.text.folder, &world, &origins, problems);
            world.membranes = membranes::membranes(keys, &origins, problems);
            if failed(problems) {
                return None;
            }
            unlikely::check(keys, &world, &streams, problems);
            heat::check_biot(keys, &world, &streams, problems);
        }
        streams::check_unlikely(keys, &world, &streams, &outlets, problems);
        let populations =
            origins.iter().zip(&keys.bodies).zip(times).map(|((bodies, population), placed_in)| {
                let sizes = sizes::sizes(&population.make(), &world).ok().flatten();
                let region = population.cloud.as_ref().map(|cloud| cloud.region().volume());
                let fraction = region.map(|region| populate::volume(&world, bodies) / region);
                Population { bodies: bodies.clone(), sizes, placed_in, fraction }
            });
        let populations = populations.collect();
        let mut settings = settings(keys, threads);
        let (dt, advice) = time_step::choose(keys, &world, &streams, &settings, taken, problems)?;
        settings.dt = dt;
        let stages = stages::stages(keys, dt, advice.recommended(), problems);
        if failed(problems) {
            return None;
        }
        let steps = time_step::steps(keys, dt, &stages, problems)?;
        let (mut as_run, output, checkpoint) = plan::plan(keys, dt, steps, problems);
        settings.surface_interval = output.vtk.filter(|vtk| vtk.surfaces).map(|vtk| vtk.every);
        let measures = measures::measures(&mut as_run, &self.text.folder, dt, steps, problems);
        stages::check_measures(keys, &stages, &measures, problems);
        let coarse_fields = coarse::coarse(&mut as_run, &world.domain, dt, steps, problems);
        let name = self.name();
        Some(Built {
            title: keys.title.clone().unwrap_or_else(|| name.clone()),
            name,
            world,
            settings,
            device: keys.run.device,
            kernels: None,
            ranks: None,
            processes: None,
            steps,
            populations,
            streams,
            stages,
            ends: keys.run.ends,
            outlets,
            measures,
            coarse_fields,
            output,
            checkpoint,
            advice,
            scene: Self { keys: as_run, ..self.clone() },
            warnings: Diagnostics::of(self.text.clone(), Vec::new()),
        })
    }
}

/// How the world is simulated, but for the time step.
fn settings(keys: &SceneKeys, threads: Option<usize>) -> Settings {
    let run = &keys.run;
    Settings {
        rotation: run.rotation.into(),
        precision: run.precision,
        contact: keys.contact.model(),
        sharing: keys.contact.sharing,
        kicks: keys.contact.kicks,
        max_overlap: run.max_overlap,
        max_turn: run.max_turn,
        skin: run.skin,
        threads: threads.unwrap_or_else(|| usize::try_from(run.threads).unwrap_or(1)),
        ..Settings::new(1.0)
    }
}
