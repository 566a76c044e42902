//! Measures rotation schemes against exact solutions and against the papers they come from.
//!
//! A [`Study`] integrates a [`Problem`] with any schemes at any time steps and gives tables and figures:
//!
//! ```
//! use tumble_rotation::SchemeKind;
//! use tumble_study::{Preset, Study, time_step_range};
//! let study = Study {
//!     problem: Preset::find("dzhanibekov").unwrap().problem(),
//!     schemes: vec![SchemeKind::SpiralLeapfrog, SchemeKind::MagnusLeapfrog],
//!     time_steps: time_step_range(0.01, 0.1, 2),
//!     target: 1e-5,
//! };
//! let results = study.run()?;
//! assert!(results.summary().to_markdown().contains("magnus-leapfrog"));
//! assert!(results.work_precision().to_svg().starts_with("<svg"));
//! # Ok::<(), tumble_study::StudyError>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform"))]

pub mod cost;
mod error;
mod exact;
mod measure;
pub mod papers;
mod parallel;
mod problem;
pub mod publish;
mod report;
mod scheme_table;
mod study;
mod target;
mod time_steps;
mod torque;
pub mod verify;

pub use error::StudyError;
pub use exact::Exact;
pub use measure::{Accuracy, Run, angle_between, measure, quaternion_error, vector_error};
pub use problem::{PRESETS, Preset, Problem};
pub use scheme_table::{conserved, scheme_table};
pub use study::{SchemeResults, Study, StudyResults};
pub use target::{NeededStep, time_step_for};
pub use time_steps::{sensible_time_steps, time_step_range};
pub use torque::{Parameter, TORQUES, Torque, TorqueKind};
