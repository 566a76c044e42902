//! Forces on bodies that are not contacts: drag in a fluid, and fields that a program prescribes.

use crate::id::BodyId;
use crate::physics::field::{Fluid, Pushed, attraction, drag, uniform};
use core::fmt::Debug;
use tumble_math::{LabVec, Quat};

/// A body at the instant a force is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyView {
    /// The number it keeps for life.
    pub id: BodyId,
    /// kg
    pub mass: f64,
    /// Radius of the sphere of the same volume, m.
    pub equivalent_radius: f64,
    /// Centre of mass, m.
    pub position: LabVec<f64>,
    /// m/s
    pub velocity: LabVec<f64>,
    /// Takes vectors along the principal axes to the lab.
    pub orientation: Quat<f64>,
    /// In the lab frame, rad/s.
    pub angular_velocity: LabVec<f64>,
}

/// A force and a torque about the centre of mass, both in the lab frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// N
    pub force: LabVec<f64>,
    /// N m
    pub torque: LabVec<f64>,
}

impl Load {
    /// Nothing.
    pub const ZERO: Self = Self { force: LabVec::new(0.0, 0.0, 0.0), torque: LabVec::new(0.0, 0.0, 0.0) };

    /// A part of it.
    #[must_use]
    pub fn times(self, part: f64) -> Self {
        Self { force: self.force * part, torque: self.torque * part }
    }
}

impl From<crate::bodies::Wrench> for Load {
    fn from(load: crate::bodies::Wrench) -> Self {
        Self { force: LabVec::from_array(load.force), torque: LabVec::from_array(load.torque) }
    }
}

impl From<Load> for crate::bodies::Wrench {
    fn from(load: Load) -> Self {
        Self { force: load.force.to_array(), torque: load.torque.to_array() }
    }
}

/// A prescribed force on every body.
///
/// It is evaluated once per step and body, with position, orientation, velocity and spin of that instant, on
/// several threads: it must depend on its arguments alone. Its work goes into the ledger as
/// [`field_work`](crate::Ledger::field_work); whoever looks at the ledger has it evaluated once more, for the
/// present instant.
pub trait ForceField: Debug + Send + Sync {
    /// Force and torque on a body at this time.
    fn load(&self, body: &BodyView, time: f64) -> Load;

    /// The same as a [formula](Formula) at this time, where it has one, and always or never: what a graphics card can evaluate by
    /// itself. Of a field without one, such as that of a program, the host tells a card in every step what it does.
    fn formula(&self, _time: f64) -> Option<Formula> {
        None
    }
}

/// A field at one instant: an acceleration in closed form, of which parts act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    /// Which.
    pub form: Form,
    /// What the force is multiplied by, one after the other: 1 where all of it acts.
    pub parts: [f64; 2],
}

/// An acceleration in closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// The same everywhere.
    Uniform {
        /// m/s².
        acceleration: LabVec<f64>,
        /// What it is multiplied by.
        factor: f64,
    },
    /// A pull towards a point.
    Attraction {
        /// m.
        centre: LabVec<f64>,
        /// Acceleration over distance, 1/s².
        rate: f64,
    },
}

impl Formula {
    /// All of it.
    pub const fn whole(form: Form) -> Self {
        Self { form, parts: [1.0; 2] }
    }

    /// A part of it; none if it is a part of a part already.
    pub fn times(self, part: f64) -> Option<Self> {
        let [first, second] = self.parts;
        (second.to_bits() == 1.0_f64.to_bits()).then_some(Self { parts: [part, first], ..self })
    }

    /// Force and torque on a body.
    pub fn load(&self, body: &BodyView) -> Load {
        let force = match self.form {
            Form::Uniform { acceleration, factor } => uniform(acceleration, factor, body.mass),
            Form::Attraction { centre, rate } => attraction(centre, rate, body.mass, body.position),
        };
        let [second, first] = self.parts;
        Load { force: force * first * second, torque: LabVec::zero() }
    }
}

/// A prescribed force on all bodies at once, for programs that compute on arrays.
///
/// It is evaluated once per step, with all bodies of that instant in the order of their ids, and adds to loads that
/// are zero at first. Its work goes into the ledger as [`field_work`](crate::Ledger::field_work). It acts from
/// [`Engine::add_batch_field`](crate::Engine::add_batch_field) on; saved states hold what it last gave, not the field.
pub trait BatchField: Debug + Send + Sync {
    /// Adds force and torque to the load of each body at this time, or says why the run cannot go on.
    fn add_loads(&self, bodies: &[BodyView], time: f64, loads: &mut [Load]) -> Result<(), String>;
}

/// A fluid around the bodies. Each is dragged as the sphere of its volume would be.
///
/// With both a viscosity and a drag coefficient the two forces add, as in Forchheimer's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// Dynamic viscosity η, Pa s: Stokes' force −6πηR v and torque −8πηR³ ω.
    pub viscosity: f64,
    /// Density of the fluid ρ, kg/m³, for the quadratic force. There is no buoyancy.
    pub density: f64,
    /// Drag coefficient C of the quadratic force −½ρCπR² |v| v.
    pub coefficient: f64,
    /// Velocity of the fluid, m/s.
    pub flow: LabVec<f64>,
}

impl Drag {
    /// Linear drag in a fluid at rest.
    pub fn linear(viscosity: f64) -> Self {
        Self { viscosity, density: 0.0, coefficient: 0.0, flow: LabVec::zero() }
    }

    /// Quadratic drag in a fluid at rest.
    pub fn quadratic(density: f64, coefficient: f64) -> Self {
        Self { viscosity: 0.0, density, coefficient, flow: LabVec::zero() }
    }

    /// Force and torque on a body.
    pub fn load(&self, body: &BodyView) -> Load {
        let Self { viscosity, density, coefficient, flow } = *self;
        let fluid = Fluid { viscosity, density, coefficient, flow };
        let Pushed { force, torque } =
            drag(&fluid, body.equivalent_radius, body.velocity, body.angular_velocity);
        Load { force, torque }
    }
}
