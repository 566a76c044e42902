//! What a run does with its simulation, and from which checkpoint it can go on.

use crate::origin::{ORIGIN, Origin};
use crate::place::Place;
use crate::report::Drawn;
use crate::{Error, identity};
use std::path::Path;
use std::sync::Arc;
use tumble_dem::material::Materials;
use tumble_output::checkpoint::OUTPUTS;
use tumble_output::{Checkpoint, Checkpoints, Model, Part, ResultFolder, marks_from_bytes};
use tumble_scene::{Built, CheckpointPlan, OutputPlan, Scene};

/// What a run does with its simulation.
pub(crate) struct Plan {
    pub(crate) title: String,
    pub(crate) scene: Scene,
    pub(crate) scene_hash: String,
    /// As that of a run whose bodies came from another one.
    hash_without_bodies: String,
    pub(crate) model: Arc<Model>,
    pub(crate) materials: Materials,
    pub(crate) wall_names: Vec<String>,
    pub(crate) output: OutputPlan,
    pub(crate) checkpoint: Option<CheckpointPlan>,
    pub(crate) last_step: u64,
    /// How many steps the scene says.
    own_steps: u64,
    /// Where the scene is, if bodies can leave it.
    pub(crate) place: Option<Place>,
    /// Sizes that were drawn.
    pub(crate) drawn: Drawn,
    /// Whether anything comes in or goes out.
    pub(crate) flows: bool,
}

impl Plan {
    pub(crate) fn of(built: &Built) -> Self {
        let model = Model::of(&built.world, &built.title);
        Self {
            title: built.title.clone(),
            scene: built.scene.clone(),
            scene_hash: identity::hash(built, &model, true),
            hash_without_bodies: identity::hash(built, &model, false),
            place: Place::of(&built.world, &model, &built.streams),
            drawn: Drawn::of(built),
            flows: !built.streams.is_empty() || !built.outlets.is_empty(),
            model,
            materials: built.world.materials.clone(),
            wall_names: built.world.walls.iter().map(|wall| wall.name.clone()).collect(),
            output: built.output.clone(),
            checkpoint: built.checkpoint,
            last_step: built.steps,
            own_steps: built.steps,
        }
    }

    /// The plan of a run that went on with the bodies of another one from there.
    pub(crate) fn after(mut self, origin: &Origin) -> Self {
        self.scene_hash.clone_from(&self.hash_without_bodies);
        self.last_step = self.last_step.saturating_add(origin.step);
        self
    }

    /// At least as long as the run in a folder was to be when it was last gone on with.
    pub(crate) fn long_as_in(mut self, folder: &ResultFolder) -> Self {
        self.last_step = self.last_step.max(length(folder).unwrap_or(0));
        self
    }

    /// Whether the scene in a folder is there, and that of a run as long as this one.
    pub(crate) fn is_written(&self, folder: &ResultFolder) -> bool {
        let same_end =
            self.scene.keys.run.ends.is_none_or(|ends| own_end(folder).is_some_and(|there| ends <= there));
        folder.part(Part::Scene).exists()
            && length(folder).is_none_or(|there| self.own_steps <= there)
            && same_end
    }

    /// Whether a checkpoint is one of this scene.
    fn is_ours(&self, checkpoint: &Checkpoint) -> bool {
        let own = match checkpoint.section(ORIGIN) {
            Some(_) => &self.hash_without_bodies,
            None => &self.scene_hash,
        };
        checkpoint.scene_hash == *own
    }

    pub(crate) fn checkpoints(&self, folder: &ResultFolder) -> Result<Checkpoints, Error> {
        let keep = self.checkpoint.map_or(1, |plan| plan.keep);
        Ok(Checkpoints::new(folder.part(Part::Checkpoints), keep)?)
    }

    /// The newest checkpoint that can be used, with what a person should know about it; none if the run was ended
    /// before there was one.
    pub(crate) fn newest(&self, folder: &ResultFolder) -> Result<Option<(Checkpoint, Vec<String>)>, Error> {
        // One of another scene is told apart below.
        let usable = |checkpoint: &Checkpoint| {
            if self.is_ours(checkpoint) { check_outputs(checkpoint, folder.path()) } else { Ok(()) }
        };
        let (newest, rejected) = self.checkpoints(folder)?.newest_of(usable)?;
        let rejected: Vec<String> = rejected.iter().map(ToString::to_string).collect();
        let as_run = folder.part(Part::Scene);
        let Some(checkpoint) = newest else {
            if rejected.is_empty() && !as_run.exists() {
                return Ok(None);
            }
            return Err(Error::NoCheckpoint { folder: folder.part(Part::Checkpoints), rejected });
        };
        if !self.is_ours(&checkpoint) {
            let difference = identity::difference(&as_run, &self.scene);
            return Err(Error::Mismatch { what: format!("the scene has changed since then; {difference}") });
        }
        let step = checkpoint.step;
        let mut notices: Vec<String> =
            rejected.into_iter().map(|bad| format!("{bad}; the run goes on from step {step}")).collect();
        let (then, now) = (&checkpoint.tumble_version, env!("CARGO_PKG_VERSION"));
        if then != now {
            notices.push(format!(
                "the run was begun with version {then} of Tumble and goes on with {now}: its results may differ \
                 from those of either"
            ));
        }
        Ok(Some((checkpoint, notices)))
    }
}

/// When the run in a folder is to end, s from its beginning, where its last stage does not say that.
pub(crate) fn own_end(folder: &ResultFolder) -> Option<f64> {
    Scene::read(folder.part(Part::Scene)).ok()?.keys.run.ends
}

/// How many steps the scene in a folder says.
fn length(folder: &ResultFolder) -> Option<u64> {
    Scene::read(folder.part(Part::Scene)).ok()?.steps_as_run()
}

/// Whether the results before a checkpoint are as they were; else what happened to them.
fn check_outputs(checkpoint: &Checkpoint, folder: &Path) -> Result<(), String> {
    let Some(section) = checkpoint.section(OUTPUTS) else { return Ok(()) };
    let marks = marks_from_bytes(section).ok_or("what it says of the results cannot be read")?;
    let damage: Vec<String> =
        marks.iter().filter_map(|mark| mark.check(folder).err()).map(|error| error.to_string()).collect();
    match damage.len() {
        0 => Ok(()),
        count if count > DAMAGE_SHOWN => {
            Err(format!("{}; and {} files more", damage[..DAMAGE_SHOWN].join("; "), count - DAMAGE_SHOWN))
        }
        _ => Err(damage.join("; ")),
    }
}

/// Damaged files that are named.
const DAMAGE_SHOWN: usize = 3;
