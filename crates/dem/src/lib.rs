//! A discrete element engine for spheres and rigid clumps of spheres.
//!
//! # Map
//! | where | what |
//! | --- | --- |
//! | [`World`], [`Body`] | what is simulated: plain data |
//! | [`clump`] | shapes made of spheres, their exact mass properties, files, built-in shapes |
//! | [`material`], [`law`] | materials, pairs of them, contact laws, rolling and twisting resistance |
//! | [`bond`] | bonds between bodies, and what breaks them |
//! | [`membrane`] | nets of bodies that a pressure pushes |
//! | [`wall`] | planes, boxes, cylinders, cones, triangle meshes, and how they move |
//! | [`domain`], [`field`] | open or periodic space, drag, prescribed forces |
//! | [`Engine`], [`Settings`] | the simulation: states, contacts, walls, saving and going on |
//! | [`ranks`] | the same, spread over ranks |
//! | [`Solver`] | how outputs, checkpoints and programs see an engine, whichever it is |
//! | [`Ledger`] | where the energy is and where it went |
//! | [`fingerprint`] | a state as one number, the same on every machine |
//! | [`advice`] | which time step |
//!
//! # What holds
//! - The same bits for any number of threads and ranks, any instruction set, and a run continued from a saved state.
//! - Contact laws see positions, velocities and spins of one instant, whatever the rotation scheme.
//! - The centre, mass and inertia of a clump are those of the union of its spheres.
//! - Contacts pass on momentum and angular momentum without making any; a cluster keeps both to round-off with
//!   schemes that [conserve](tumble_rotation::Conserves) momentum, angular momentum to their order with others.
//! - The energy left after an elastic collision does not depend on how the steps fall on its beginning.
//! - A run that goes wrong stops with an error that says where, and leaves a good state behind.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform"))]

mod bodies;
pub mod calibration;
pub mod citations;
mod columns;
pub mod domain;
mod edit;
mod engine;
mod error;
mod id;
mod kind;
pub mod law;
mod parallel;
pub mod physics;
pub mod plain;
mod precision;
mod prefetch;
pub mod random;
pub mod ranks;
pub mod record;
mod report;
mod rows_by_id;
mod saved;
mod setup;
mod solver;
mod step;
pub mod wall;

pub use contact::Sharing;
pub use edit::{Change, PropertyOf, Rule};
pub use engine::{Engine, Settings};
pub use error::{Error, Stop, StopCause, readable};
pub use id::{BodyId, MaterialId, TemplateId, WallId};
pub use physics::kicks::Kicks;
pub use precision::Precision;
pub use report::fingerprint;
pub use report::{
    BodyState, BondCounts, BondState, CellReport, ContactState, HeatLedger, Ledger, LiquidReport, StageTimes,
    SurfaceState, Touching, WallReport,
};
pub use saved::{ByName, Clock, Forgotten, Missing, SavedState, Transfer};
pub use setup::cell::{Cell, Control, Shear, ShearDrive};
pub use setup::gravity::GravityTable;
pub use setup::{advice, bond, clump, heat, liquid, material, membrane, placement, property, scenes};
pub use solver::{Counts, Edit, Scenery, Solver};
pub use step::bond::Breakage;
pub use step::field;
pub use world::{Body, World};

pub(crate) use setup::{cell, check, world};
pub(crate) use step::{contact, integrate, neighbour};

pub use tumble_math::{BodyVec, LabVec, Quat, Real};
pub use tumble_rotation::batch::InstructionSet;
pub use tumble_rotation::{AnyScheme, SchemeKind};

/// The examples of the book, compiled and run.
#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($name:ident: $path:literal),+) => {
            $(#[doc = include_str!(concat!("../../../", $path))] struct $name;)+
        };
    }
    pages! {
        Dem: "docs/book/src/dem.md",
        Clumps: "docs/book/src/clumps.md",
        Walls: "docs/book/src/walls.md",
        Energy: "docs/book/src/energy.md",
        Determinism: "docs/book/src/determinism.md",
        TimeStep: "docs/book/src/time-step.md",
        Ranks: "docs/book/src/ranks.md",
        SinglePrecision: "docs/book/src/single-precision.md"
    }
}
