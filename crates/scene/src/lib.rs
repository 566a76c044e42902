//! Scene files: from a text to a world that can be run.
//!
//! # Map
//! | where | what |
//! | --- | --- |
//! | [`SceneText`] | a TOML file, and keys set from outside |
//! | [`Scene`], [`keys`] | what it says, with defaults filled in; every key is declared there, once |
//! | [`Shape`] | a built-in shape with parameters, without a scene |
//! | [`Built`] | the world, the settings, and what to write when |
//! | [`Plain`] | the same as plain data, for programs that change it |
//! | [`EXAMPLES`] | scenes to begin with |
//! | [`Diagnostics`] | everything that is wrong, in the manner of a compiler |
//! | [`schema`], [`reference_markdown`] | for editors and for people, made from the same declarations |
//!
//! # What holds
//! - All problems of a file are reported at once, each with its place and what was expected.
//! - No text makes the reader panic, hang, or take memory out of proportion.
//! - [`Scene::effective`] reads back to the same scene.

mod build;
mod by_path;
mod diagnostic;
mod examples;
mod fill;
mod form;
pub mod keys;
mod measure_table;
mod place;
mod plain;
mod reference;
mod scene;
mod schema;
mod set;
mod shapes;
mod suggest;
mod text;
mod tree;
mod units;
mod written;

pub use build::{
    Built, CheckpointInterval, CheckpointPlan, Condition, FieldPlan, FluidChange, OutputPlan,
    PRINCIPAL_COMMENT, Population, Series, StageEnd, StagePlan, VtkPlan, WallChange, fading,
};
pub use diagnostic::{Diagnostics, Problem, Severity};
pub use examples::{EXAMPLES, Example};
pub use form::tolerance;
pub use measure_table::{coarse_fields_markdown, measures_markdown};
pub use place::{Place, Places};
pub use plain::Plain;
pub use reference::reference_markdown;
pub use scene::Scene;
pub use schema::schema;
pub use shapes::Shape;
pub use text::{MAX_FILE_BYTES, SceneText};
pub use units::quantity_in;
