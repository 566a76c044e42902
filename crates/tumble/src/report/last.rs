//! The last state of a run: the one at hand when it ends, or that of its newest checkpoint.

use super::{Drawn, part};
use crate::place::Place;
use crate::{Flows, Simulation};
use std::path::Path;
use std::sync::Arc;
use tumble_dem::Solver;
use tumble_dem::material::Materials;
use tumble_measure::coarse::CoarseFields;
use tumble_output::{Checkpoints, Model, Part};
use tumble_scene::Scene;

/// A state, and what its numbers mean.
#[derive(Clone, Copy)]
pub(crate) struct LastState<'a> {
    pub(crate) engine: &'a dyn Solver,
    pub(crate) model: &'a Model,
    pub(crate) materials: &'a Materials,
    pub(crate) place: Option<Place>,
    pub(crate) flows: &'a Flows,
    pub(crate) drawn: &'a Drawn,
    pub(crate) coarse_fields: &'a CoarseFields,
}

/// A state that was read.
pub(super) struct Restored {
    simulation: Simulation,
    model: Arc<Model>,
    materials: Materials,
    place: Option<Place>,
    drawn: Drawn,
}

impl Restored {
    /// Builds the scene as it was run, and puts it into the state of the newest checkpoint; or a reason why not.
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let saved = part(folder, Part::Checkpoints);
        if !saved.is_dir() {
            return Err("there is no checkpoint".into());
        }
        let newest = Checkpoints::new(saved, 1).and_then(|saved| saved.newest());
        let checkpoint =
            newest.map_err(|error| error.to_string())?.0.ok_or("there is no whole checkpoint")?;
        let scene = Scene::read(part(folder, Part::Scene));
        let built = scene.and_then(|scene| scene.build(Some(1)));
        let built = built.map_err(|_| "the scene in the folder cannot be built again".to_owned())?;
        let model = Model::of(&built.world, &built.title);
        let materials = built.world.materials.clone();
        let place = Place::of(&built.world, &model, &built.streams);
        let drawn = Drawn::of(&built);
        let simulation = Simulation::at(&built, &checkpoint).map_err(|error| error.to_string())?;
        Ok(Self { simulation, model, materials, place, drawn })
    }

    pub(super) fn last_state(&self) -> LastState<'_> {
        let Self { simulation, model, materials, place, drawn } = self;
        let (flows, coarse_fields) = (simulation.flows(), simulation.coarse_fields());
        LastState {
            engine: simulation.engine(),
            model,
            materials,
            place: *place,
            flows,
            drawn,
            coarse_fields,
        }
    }
}
