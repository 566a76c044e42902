//! Contact laws: what two touching bodies do to each other, as pure functions of one contact.
//!
//! A model is a normal and tangential [law](ContactLaw), a [`rolling`] and a [`twisting`] resistance;
//! [`react`] puts the three together and [`ContactModel`] chooses them at run time. All of it is generic over
//! [`Real`](tumble_math::Real), free of branches, and keeps its own energy books. A new law is one file here
//! and one line below: what makes it differ is its springs, the rest ([`ContactLaw::react`]) it inherits.
//!
//! ```
//! use tumble_dem::law::{Contact, ContactModel, History, HertzMindlin, react, rolling, twisting};
//! use tumble_dem::material::{Material, Materials, PairProperties};
//! use tumble_math::LabVec;
//!
//! let mut materials = Materials::default();
//! let glass = materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
//! materials.set_default(PairProperties::new(0.9, 0.3));
//! let pair = materials.pair::<HertzMindlin>(glass, glass)?;
//!
//! let contact = Contact {
//!     overlap: 1e-6,
//!     slope: 1.0,
//!     normal: LabVec::new(0.0, 0.0, 1.0),
//!     velocity: LabVec::new(0.01, 0.0, -0.1),
//!     spin: LabVec::zero(),
//!     slide: LabVec::new(1e-9, 0.0, 0.0),
//!     turn: LabVec::zero(),
//!     radius: 5e-3,
//!     mass: 1e-3,
//!     inertia: 1e-8,
//! };
//! let new = History::new();
//! let reaction = react::<HertzMindlin, rolling::None, twisting::None, f64>(&pair, contact, new, 1e-7);
//! assert!(reaction.force.z > 0.0 && reaction.force.x < 0.0);
//! assert_eq!(ContactModel::default().law.name(), "hertz-mindlin");
//! # Ok::<(), tumble_dem::material::MaterialError>(())
//! ```

mod contact;
mod contact_law;
mod energy_power;
mod erased;
mod grip;
mod model;
mod pair;
mod registry;
pub mod restitution;
pub mod rolling;
#[cfg(feature = "trace")]
pub mod trace;
pub mod twisting;

pub use contact::{CONTACT, Contact, HISTORY, History, LOST, Lost, REACTION, Reaction, STORED, Stored};
pub use contact_law::{ContactLaw, LawInfo, Range};
pub use energy_power::EnergyPower;
pub(crate) use erased::ErasedModel;
pub use erased::Outside;
pub use model::{ContactModel, ContactVisitor, react};
pub use pair::{PAIR, Pair};
pub use rolling::{RollingKind, RollingModel};
pub use twisting::{TwistingKind, TwistingModel};

registry::choices! {
    /// A contact law chosen at run time.
    LawKind of ContactLaw, LawInfo, LawVisitor, law:
    hertz::Hertz,
    hertz_mindlin::HertzMindlin,
    linear::Linear,
}

/// The facts of a rolling or twisting resistance.
#[derive(Clone, Copy, Debug)]
pub struct ResistanceInfo {
    /// The name in scenes, on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it was published; nothing is published for doing nothing.
    pub citation: Option<crate::citations::Citation>,
    /// Whether its couple depends on the relative spin at this instant.
    pub uses_velocity: bool,
    /// Whether it has a spring, which is remembered from step to step.
    pub has_history: bool,
    /// The properties of materials and pairs that it reads.
    pub needs: &'static [&'static crate::property::Property],
}

impl ResistanceInfo {
    /// Whether it resists anything: by the spin now, or by a spring.
    pub const fn acts(&self) -> bool {
        self.uses_velocity || self.has_history
    }
}

/// What carries a rolling or twisting resistance: the normal contact at this instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support<R> {
    /// N; never negative.
    pub normal_force: R,
    /// Normal stiffness dF/dδ now, N/m.
    pub normal_stiffness: R,
    /// Normal stiffness at the last step.
    pub normal_stiffness_before: R,
    /// Tangential stiffness now, N/m.
    pub tangential_stiffness: R,
    /// Tangential stiffness at the last step.
    pub tangential_stiffness_before: R,
}

/// What a rolling or twisting resistance does to i: `V` is a vector in the tangent plane, or a number about
/// the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance<R, V> {
    /// Couple on i, N·m.
    pub torque: V,
    /// The part of it that the spring bears, to be remembered.
    pub history: V,
    /// Elastic energy now, J.
    pub stored: R,
    /// Energy dissipated in this step by slip, J.
    pub slipped: R,
    /// Energy dissipated in this step by what depends on the spin, power × Δt, J.
    pub damped: R,
}
