//! Contact laws: what two touching bodies do to each other, as pure functions of one contact.
//!
//! A model is a normal and tangential [law](ContactLaw), a [`rolling`] and a [`twisting`] resistance;
//! [`react`] puts the three together and [`ContactModel`] chooses them at run time. All of it is generic over
//! [`Real`](tumble_math::Real), free of branches, and keeps its own energy books. A new law is one file here
//! and one line below: it declares its constants, what its contacts remember and what they keep books of; if what makes it differ
//! is its springs, the rest is [`frictional`].
//!
//! ```
//! use tumble_dem::law::{Contact, ContactModel, HertzMindlin, constants, react, rolling, twisting};
//! use tumble_dem::material::{Material, Materials, PairProperties};
//! use tumble_dem::record::Record;
//! use tumble_math::LabVec;
//!
//! let mut materials = Materials::default();
//! let glass = materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
//! materials.set_default(PairProperties::new(0.9, 0.3));
//! let pair = constants::<HertzMindlin, rolling::None, twisting::None>(&materials, glass, glass)?;
//!
//! let contact = Contact {
//!     velocity: LabVec::new(0.01, 0.0, -0.1),
//!     slide: LabVec::new(1e-9, 0.0, 0.0),
//!     mass: 1e-3,
//!     ..Contact::at_rest(LabVec::new(0.0, 0.0, 1.0), 5e-3, 1e-6)
//! };
//! let new = Record::zero();
//! let reaction = react::<HertzMindlin, rolling::None, twisting::None, f64>(&pair, contact, new, 1e-7);
//! assert!(reaction.force.z > 0.0 && reaction.force.x < 0.0);
//! assert_eq!(ContactModel::default().law.name(), "hertz-mindlin");
//! # Ok::<(), tumble_dem::material::MaterialError>(())
//! ```

pub mod bridge;
mod contact;
mod contact_law;
mod energy_power;
mod entry;
mod erased;
mod frictional;
mod grip;
pub mod lubrication;
mod model;
mod registry;
pub mod restitution;
pub mod rolling;
#[cfg(feature = "trace")]
pub mod trace;
pub mod twisting;

pub use contact::{CONTACT, Contact, Reaction};
pub use contact_law::{ContactLaw, LawInfo, Range};
pub use energy_power::EnergyPower;
pub use entry::{
    ADHESION, Books, ELASTIC_NORMAL, ELASTIC_ROLLING, ELASTIC_TANGENTIAL, Entry, EntryKind, NORMAL_DAMPING,
    RESISTED, ROLLING, ROLLING_DAMPING, Resisted, SLIDING, TANGENTIAL_DAMPING,
};
pub use erased::Outside;
pub(crate) use erased::{ErasedModel, Layout};
pub use frictional::{
    DISSIPATION, Dissipation, FRICTIONAL_BOOKS, FrictionalBooks, SPRING, Spring, adhesive, attracted,
    frictional,
};
pub use model::{Constants, ContactModel, ContactVisitor, History, Reacted, constants, react};
pub use rolling::{RollingKind, RollingModel};
pub use twisting::{TwistingKind, TwistingModel};

registry::choices! {
    /// A contact law chosen at run time.
    LawKind of ContactLaw, LawInfo, LawVisitor, law:
    hertz::Hertz,
    hertz_mindlin::HertzMindlin,
    linear::Linear,
    jkr::Jkr,
    dmt::Dmt,
    van_der_waals::VanDerWaals,
    willett::Willett,
    rabinovich::Rabinovich,
    film_bridge::FilmBridge,
    luding::Luding,
    thornton::Thornton,
    thornton_ning::ThorntonNing,
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
    /// The properties of materials and pairs that it reads.
    pub needs: &'static [&'static crate::property::Property],
}

/// What carries a rolling or twisting resistance: the normal contact at this instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support<R> {
    /// What friction is limited by over its coefficient, N; never negative.
    pub normal_force: R,
    /// Normal stiffness dF/dδ now, N/m.
    pub normal_stiffness: R,
    /// Normal stiffness at the last step.
    pub normal_stiffness_before: R,
    /// Tangential stiffness now, N/m.
    pub tangential_stiffness: R,
    /// Tangential stiffness at the last step.
    pub tangential_stiffness_before: R,
    /// The tangential dashpot of the law over √(m* kₙ).
    pub damping_tangential: R,
}

/// What a rolling or twisting resistance does to i: `V` is a vector in the tangent plane, or a number about
/// the normal; `M` is what it remembers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance<R, V, M> {
    /// Couple on i, N·m.
    pub torque: V,
    /// What to remember: the part of the couple that a spring bears.
    pub memory: M,
    /// Elastic energy, and what this step dissipated.
    pub books: Resisted<R>,
}
