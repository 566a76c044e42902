//! An engine as plain data: what somebody needs who does its steps elsewhere, such as on a graphics card, and how the engine
//! takes over what came of them.
//!
//! ```text
//! engine ── Plan: rules, shapes, kinds ──▶ elsewhere
//! engine ── Bodies, Contacts ────────────▶ elsewhere ── so many steps ──▶ Bodies, Contacts ──▶ engine
//! ```
//! Rows are in the order of all sums, and contacts come model by model, as they do in all sums. What an engine has taken over it
//! shows, saves and goes on from as if it had done the steps itself, provided that whoever did them has the same bits.

mod fields;
mod models;
mod state;
mod surfaces;
mod walls;

pub use fields::{FieldPlan, FormKind, Loads, formula_numbers};
pub use models::Model;
pub use state::Done;
pub use surfaces::{SURFACE_SUMS, TriangleLimbs};
pub use walls::{Surface, SurfaceKind};

pub use crate::clump::Role;

use crate::bodies::Book;
use crate::check::LARGEST_SKIN;
use crate::contact::Sharing;
use crate::domain::Domain;
use crate::engine::Engine;
use crate::field;
use crate::precision::Precision;
use tumble_rotation::AnyScheme;

/// What does not change from step to step.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How finely bodies and contacts are computed.
    pub precision: Precision,
    /// How far that can put a sphere from where it would be, in parts of its distance from the centre of mass.
    pub slack: f64,
    /// The step, s.
    pub dt: f64,
    /// For which first and last kicks are corrected, s.
    pub corrected: f64,
    /// m/s².
    pub gravity: [f64; 3],
    /// Open or periodic space.
    pub domain: Domain,
    /// How rotation is integrated.
    pub rotation: Rotation,
    /// What happens in contacts: one of several for each pair of materials. At least one.
    pub models: Vec<Model>,
    /// Which of them, for each pair of materials, row by row.
    pub model_of: Vec<u32>,
    /// Whether the mean of the contacts of two bodies acts.
    pub average: bool,
    /// Numbers that there is room for in the constants of a pair of materials: those of the model with the most.
    pub constants: usize,
    /// The most numbers that a contact of any model remembers.
    pub memory: usize,
    /// The most numbers that tell what a contact of any model does.
    pub outcome: usize,
    /// Columns in the books of a body.
    pub books: usize,
    /// The column for the work of walls.
    pub wall_work: usize,
    /// The column for what drag takes.
    pub drag_loss: usize,
    /// The column for the work of fields.
    pub field_work: usize,
    /// The column for the work of hands.
    pub hand_work: usize,
    /// The numbers of a [`Fluid`](crate::physics::field::Fluid) around the bodies, if there is one.
    pub drag: Option<[f64; 6]>,
    /// Prescribed fields.
    pub fields: FieldPlan,
    /// Steps of an interval over which pressure on triangles is averaged, if anybody asks for it.
    pub surface_interval: Option<u64>,
    /// Materials.
    pub materials: usize,
    /// The constants of each pair of materials for its model, row by row; NaN where the two cannot meet.
    pub pairs: Vec<f64>,
    /// Whether anything asks for the mass behind contacts of each pair.
    pub masses_matter: Vec<bool>,
    /// What bodies have in common with their like.
    pub kinds: Vec<Kind>,
    /// The spheres of each template: centre and radius.
    pub templates: Vec<Vec<[f64; 4]>>,
    /// What each of them is, where any template has other pieces than spheres; else nothing.
    pub roles: Vec<Vec<Role>>,
    /// The largest overlap, as a part of the smaller radius.
    pub max_overlap: f64,
    /// The largest turn in a step, rad.
    pub max_turn: f64,
    /// The skin that was asked for, m.
    pub skin: Option<f64>,
    /// The largest that a periodic domain allows, m.
    pub largest_skin: f64,
    /// The largest radius of a ball that holds a body, m.
    pub largest: f64,
    /// Mean radius of all spheres, m.
    pub mean_radius: f64,
    /// How far spheres and thin walls together may move in a step and no sphere can have gone through one, m.
    pub sheet_limit: f64,
}

/// How rotation is integrated, and what of it laws see.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// By which scheme.
    pub scheme: AnyScheme,
    /// Whether the orientation between steps is not the one at which torques are evaluated.
    pub staggered: bool,
    /// Whether the torque of the scheme is that of the end of its step.
    pub torque_at_end: bool,
    /// Whether laws see velocities at the instant of the force; else those of the time level.
    pub shows: bool,
}

/// What bodies of one kind have in common.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Kind {
    /// kg.
    pub mass: f64,
    /// kg m².
    pub moments: [f64; 3],
    /// Zero for a held body.
    pub inverse_mass: f64,
    /// The same of the moments.
    pub inverse: [f64; 3],
    /// A power of two that brings the moments near one: schemes have moments and torques in units of it, in single precision.
    pub unit: f64,
    /// Of the farthest sphere centre, m.
    pub arm: f64,
    /// Of the ball that holds the body, m.
    pub bounding: f64,
    /// Size, relative to the template.
    pub scale: f64,
    /// Radius of the sphere of the same volume, m.
    pub equivalent_radius: f64,
    /// Whether a hand moves it.
    pub held: bool,
    /// By number.
    pub template: u16,
    /// By number.
    pub material: u16,
}

/// Bodies, in the order of all sums, at the instants of the scheme's time level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bodies {
    /// For life.
    pub id: Vec<u32>,
    /// The place on a curve through space: with the id, what the order goes by.
    pub curve: Vec<u64>,
    /// Whether everything is at the present instant, not at those of the scheme.
    pub fresh: Vec<bool>,
    /// Number of the kind.
    pub kind: Vec<u32>,
    /// m.
    pub position: Vec<[f64; 3]>,
    /// m/s.
    pub velocity: Vec<[f64; 3]>,
    /// Orientation.
    pub q: Vec<[f64; 4]>,
    /// In the body, rad/s.
    pub omega: Vec<[f64; 3]>,
    /// What the scheme remembers; so many numbers a row as it does.
    pub memory: Vec<f64>,
    /// Force and torque.
    pub acting: Vec<[f64; 6]>,
    /// What was lost and gained since the start, so many numbers a row as there are columns, J.
    pub books: Vec<f64>,
    /// As laws see them: position, velocity, ω in the lab, q.
    pub at_force: Vec<[f64; 13]>,
    /// What fields gave that see all bodies at once: force and torque; none where there is no such field.
    pub prescribed: Vec<[f64; 6]>,
}

/// Which two things touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactName {
    /// Whether the second is a wall.
    pub with_wall: bool,
    /// Id of the body, and which of its spheres.
    pub a: [u32; 2],
    /// The other body, with the higher id, and its sphere; or the wall and 0.
    pub b: [u32; 2],
    /// Which part of the wall.
    pub feature: u32,
}

/// Contacts of a model: those between bodies, then those with walls, each in the order of all sums.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Which.
    pub names: Vec<ContactName>,
    /// What they remember, one after the other.
    pub memory: Vec<f64>,
    /// What they do, one after the other; the numbers of [`Model::outcome`]. An engine that gives contacts out leaves it empty.
    pub outcome: Vec<f64>,
}

impl Engine {
    /// The rules as plain data.
    pub fn plan(&self) -> Plan {
        let (models, model_of) = self.plain_models();
        let most = |of: fn(&Model) -> usize| models.iter().map(of).max().unwrap_or(0);
        let (constants, memory, outcome) =
            (most(|model| model.constants), most(|model| model.memory), most(|model| model.outcome));
        let (pairs, masses_matter) = self.plain_pairs(&models, &model_of, constants);
        let (bodies, settings, mover) = (&self.space.bodies, &self.rules.settings, self.mover());
        Plan {
            precision: settings.precision,
            slack: settings.precision.slack(),
            dt: settings.dt,
            corrected: settings.kicks.corrected_for(settings.dt),
            gravity: self.rules.gravity.to_array(),
            domain: self.space.domain,
            rotation: Rotation {
                scheme: settings.rotation,
                staggered: mover.staggered(),
                torque_at_end: mover.torque_at_end(),
                shows: mover.shows(),
            },
            average: settings.sharing == Sharing::Average,
            constants,
            memory,
            outcome,
            books: self.sums.books.width(),
            wall_work: Book::WallWork as usize,
            drag_loss: Book::Drag as usize,
            field_work: Book::FieldWork as usize,
            hand_work: Book::HandWork as usize,
            drag: self.rules.drag.map(|drag| {
                let field::Drag { viscosity, density, coefficient, flow } = drag;
                [viscosity, density, coefficient, flow.x, flow.y, flow.z]
            }),
            fields: self.plain_fields(),
            surface_interval: settings.surface_interval,
            materials: self.rules.materials.as_slice().len(),
            pairs,
            masses_matter,
            models,
            model_of,
            kinds: self.plain_kinds(),
            templates: bodies.shapes.each().map(<[_]>::to_vec).collect(),
            roles: if bodies.has_pieces() { bodies.shapes.each_role() } else { Vec::new() },
            max_overlap: settings.max_overlap,
            max_turn: settings.max_turn,
            skin: settings.skin,
            largest_skin: if self.space.domain.is_periodic() {
                LARGEST_SKIN * bodies.largest
            } else {
                f64::INFINITY
            },
            largest: bodies.largest,
            mean_radius: bodies.mean_radius,
            sheet_limit: self.sheet_limit(),
        }
    }

    /// Those that no body is of are blank.
    fn plain_kinds(&self) -> Vec<Kind> {
        let bodies = &self.space.bodies;
        let most = bodies.kind.iter().map(|kind| *kind as usize + 1).max().unwrap_or(0);
        let mut kinds = vec![Kind::default(); most];
        for row in 0..bodies.len() {
            let kind = bodies.kind(row);
            kinds[bodies.kind[row] as usize] = Kind {
                mass: kind.mass,
                moments: kind.moments,
                inverse_mass: kind.inverse_mass,
                inverse: kind.inverse,
                unit: kind.unit(),
                arm: kind.arm,
                bounding: kind.bounding,
                scale: kind.scale,
                equivalent_radius: bodies.equivalent_radius(row),
                held: bodies.held[row],
                template: bodies.template[row],
                material: bodies.material[row],
            };
        }
        kinds
    }
}
