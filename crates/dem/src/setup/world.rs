//! What a simulation is made of, before it starts: materials, templates, bodies, walls, the space and the
//! fields in it. Plain data; [`Engine::new`](crate::Engine::new) checks it.

use crate::bond::Bond;
use crate::cell::Cell;
use crate::clump::ClumpTemplate;
use crate::domain::Domain;
use crate::error::Error;
use crate::field::{Drag, ForceField};
use crate::heat::{Heat, ROOM};
use crate::id::MaterialId;
pub(crate) use crate::id::{BodyId, TemplateId};
use crate::liquid::Liquid;
use crate::material::Materials;
use crate::membrane::Membrane;
use crate::setup::gravity::GravityTable;
use crate::wall::Wall;
use std::sync::Arc;
use tumble_math::{LabVec, Quat};

/// A rigid body as it is put into the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its shape.
    pub template: TemplateId,
    /// Its material.
    pub material: MaterialId,
    /// Its size relative to the template.
    pub scale: f64,
    /// Centre of mass, m.
    pub position: LabVec<f64>,
    /// Velocity of the centre of mass, m/s.
    pub velocity: LabVec<f64>,
    /// Takes vectors along the template's principal axes to the lab.
    pub orientation: Quat<f64>,
    /// Angular velocity in the lab frame, rad/s.
    pub angular_velocity: LabVec<f64>,
    /// Whether the body keeps its velocity and angular velocity whatever pushes it: it is fixed (both zero)
    /// or moved by hand.
    pub held: bool,
    /// K; of no meaning in a world without [heat](World::heat).
    pub temperature: f64,
    /// Liquid on it, m³; none in a world without [liquid](World::liquid).
    pub film: f64,
}

impl Body {
    /// A body of the first material at rest and at 20 °C, its principal axes along those of the lab.
    pub fn at(template: TemplateId, position: LabVec<f64>) -> Self {
        Self {
            template,
            material: MaterialId(0),
            scale: 1.0,
            position,
            velocity: LabVec::zero(),
            orientation: Quat::identity(),
            angular_velocity: LabVec::zero(),
            held: false,
            temperature: ROOM,
            film: 0.0,
        }
    }

    /// With this velocity.
    pub fn moving(self, velocity: LabVec<f64>) -> Self {
        Self { velocity, ..self }
    }

    /// With this orientation.
    pub fn turned(self, orientation: Quat<f64>) -> Self {
        Self { orientation, ..self }
    }

    /// With this angular velocity in the lab frame.
    pub fn spinning(self, angular_velocity: LabVec<f64>) -> Self {
        Self { angular_velocity, ..self }
    }

    /// Of this material.
    pub fn made_of(self, material: MaterialId) -> Self {
        Self { material, ..self }
    }

    /// Of this size relative to its template.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Held: fixed if it is at rest, else moved by hand.
    pub fn held(self) -> Self {
        Self { held: true, ..self }
    }

    /// At this temperature, K.
    pub fn at_temperature(self, temperature: f64) -> Self {
        Self { temperature, ..self }
    }

    /// With so much liquid on it, m³.
    pub fn with_film(self, film: f64) -> Self {
        Self { film, ..self }
    }
}

/// Everything there is.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Materials and what happens between each two of them.
    pub materials: Materials,
    /// Shapes, shared by bodies.
    pub templates: Vec<Arc<ClumpTemplate>>,
    /// Bodies; the number of a body in this list is its [`BodyId`].
    pub bodies: Vec<Body>,
    /// Bonds between bodies, as these are at the start.
    pub bonds: Vec<Bond>,
    /// Nets of bodies that a pressure pushes.
    pub membranes: Vec<Arc<Membrane>>,
    /// Walls.
    pub walls: Vec<Wall>,
    /// Open or periodic space.
    pub domain: Domain,
    /// How the periodic space deforms, if it does.
    pub cell: Option<Cell>,
    /// Acceleration of gravity, m/s²; at time 0, where it changes.
    pub gravity: LabVec<f64>,
    /// How gravity changes, if it does.
    pub gravity_table: Option<GravityTable>,
    /// The fluid that bodies move in.
    pub drag: Option<Drag>,
    /// Prescribed forces and torques.
    pub fields: Vec<Arc<dyn ForceField>>,
    /// Temperatures and heat, if there are any.
    pub heat: Option<Heat>,
    /// Liquid on bodies, if there is any.
    pub liquid: Option<Liquid>,
}

impl World {
    /// How many templates there can be.
    pub const MOST_TEMPLATES: usize = u16::MAX as usize;

    /// How many bodies there can be.
    pub const MOST_BODIES: usize = u32::MAX as usize;

    /// Adds a shape.
    ///
    /// # Errors
    /// If there are [`MOST_TEMPLATES`](Self::MOST_TEMPLATES) already.
    pub fn add_template(&mut self, template: impl Into<Arc<ClumpTemplate>>) -> Result<TemplateId, Error> {
        match u16::try_from(self.templates.len()) {
            Ok(number) if self.templates.len() < Self::MOST_TEMPLATES => {
                self.templates.push(template.into());
                Ok(TemplateId(number))
            }
            _ => Err(Error::TooMany { what: "templates", most: Self::MOST_TEMPLATES }),
        }
    }

    /// Adds a body. A world of more than [`MOST_BODIES`](Self::MOST_BODIES) is refused by
    /// [`Engine::new`](crate::Engine::new); those beyond get the one number that no body of an engine has.
    pub fn add_body(&mut self, body: Body) -> BodyId {
        let id = u32::try_from(self.bodies.len()).map_or(NOBODY, BodyId);
        self.bodies.push(body);
        id
    }
}

/// Bodies of an engine have numbers below [`World::MOST_BODIES`].
const NOBODY: BodyId = BodyId(u32::MAX);
