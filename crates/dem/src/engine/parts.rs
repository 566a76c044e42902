//! The parts of an engine: each can be looked at while another one changes.

use super::Settings;
use super::alterable::Alterable;
use crate::bodies::Bodies;
use crate::calibration::Thresholds;
use crate::cell::Cell;
use crate::contact::{Group, Groups, Physics};
use crate::domain::{Domain, Periods};
use crate::field::{BatchField, Drag, ForceField};
use crate::heat::HeatRules;
use crate::integrate::Mover;
use crate::liquid::Liquid;
use crate::material::Materials;
use crate::membrane::Membrane;
use crate::neighbour::Neighbours;
use crate::setup::gravity::GravityTable;
use crate::step::{CellState, Deformation, FreeWall};
use crate::wall::{Pose, Region, Wall};
use std::sync::Arc;
use tumble_math::LabVec;
use tumble_rotation::batch::InstructionSet;

/// What is where: bodies, walls, and who is near whom.
#[derive(Debug)]
pub(crate) struct Space {
    pub(crate) domain: Domain,
    pub(crate) periods: Periods,
    /// Where the space deforms, how far it has come, and what it does in the present step.
    pub(crate) cell: Option<CellState>,
    pub(crate) deformation: Option<Deformation>,
    pub(crate) bodies: Bodies,
    pub(crate) walls: Vec<Wall>,
    pub(crate) poses: Vec<Pose>,
    /// How far walls that move by themselves have come; one for each wall.
    pub(crate) free: Vec<FreeWall>,
    pub(crate) neighbours: Neighbours,
    /// The ball that held all bodies when the lists were built.
    pub(crate) region: Region,
}

/// By what rules everything moves. They stay as they are, unless they are changed by hand.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) settings: Settings,
    pub(crate) materials: Materials,
    /// Which model the contacts of which materials have.
    pub(crate) groups: Groups,
    /// At the present instant.
    pub(crate) gravity: LabVec<f64>,
    pub(crate) gravity_table: Option<GravityTable>,
    pub(crate) drag: Option<Drag>,
    pub(crate) cell: Option<Cell>,
    pub(crate) heat: Option<Arc<HeatRules>>,
    pub(crate) liquid: Option<Liquid>,
    pub(crate) fields: Vec<Arc<dyn ForceField>>,
    /// Those of membranes come first.
    pub(crate) batch_fields: Vec<Arc<dyn BatchField>>,
    /// Membranes, with what was inside each at the start, m³.
    pub(crate) membranes: Vec<(Arc<Membrane>, f64)>,
    /// Whether there are bonds, or were.
    pub(crate) bonded: bool,
    pub(crate) set: InstructionSet,
    pub(crate) thresholds: Thresholds,
    /// What of these can be changed, as the world had it.
    pub(crate) given: Box<Alterable>,
}

impl Rules {
    /// How bodies move.
    pub(crate) fn mover(&self, domain: Domain, deformation: Option<Deformation>) -> Mover {
        Mover {
            scheme: self.settings.rotation,
            precision: self.settings.precision,
            dt: self.settings.dt,
            gravity: self.gravity,
            domain,
            deformation,
            set: self.set,
            needs_velocities: self.groups.iter().any(|group| group.model.remembers())
                || self.drag.is_some()
                || !self.fields.is_empty()
                || !self.batch_fields.is_empty()
                || self.bonded,
            thresholds: self.thresholds,
        }
    }

    /// How the contacts of a group are evaluated.
    pub(crate) fn physics(&self, group: usize, progress: &Progress) -> Physics<'_> {
        let Group { model, erased, pairs, .. } = self.groups.get(group);
        Physics {
            model: *erased,
            power: model.law.info().energy_power,
            layout: erased.layout(),
            sharing: self.settings.sharing,
            pairs,
            dt: self.settings.dt,
            elapsed: if progress.steps == 0 { 0.0 } else { self.settings.dt },
            kicks: self.settings.kicks,
            set: self.set,
            precision: self.settings.precision,
            thresholds: self.thresholds,
            observed: progress.observed,
            asked: self.heat.is_some(),
            longest: progress.longest,
            max_overlap: self.settings.max_overlap,
        }
    }
}

/// How far a run has come.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    pub(crate) steps: u64,
    /// From when on steps have been as long as they are.
    pub(crate) since: Since,
    /// The longest displacement of any sphere in the last step, m.
    pub(crate) longest: f64,
    /// How far any wall moved in the last step, at most, m.
    pub(crate) wall_displacement: f64,
    /// Whether anybody may look at the engine after the present step.
    pub(crate) observed: bool,
    /// Whether the present state was made by hand, at the start or by a change, and not by a step.
    pub(crate) made_by_hand: bool,
}

impl Progress {
    /// Nothing has happened yet.
    pub(crate) const START: Self = Self {
        steps: 0,
        since: Since::START,
        longest: 0.0,
        wall_displacement: 0.0,
        observed: true,
        made_by_hand: true,
    };
}

/// An instant from which on all steps are equally long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Since {
    pub(crate) step: u64,
    /// s
    pub(crate) time: f64,
}

impl Since {
    /// All steps so far.
    pub(crate) const START: Self = Self { step: 0, time: 0.0 };

    /// The time of a step that is not before it, s.
    pub(crate) fn time_of(self, step: u64, dt: f64) -> f64 {
        self.time + step.saturating_sub(self.step) as f64 * dt
    }
}
