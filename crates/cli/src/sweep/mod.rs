//! Parameter studies: every combination of some settings and seeds, each run once, all results in one CSV.
//!
//! | part | what |
//! | --- | --- |
//! | [`Parameter`], [`Seeds`] | what is varied, as typed: `dt=log:1e-6..1e-5:5`, `50` |
//! | [`Plan`], [`Case`] | all combinations, in a fixed order, each with an id that depends on its settings alone |
//! | [`Ledger`] | the CSV: a row for each finished case; what is finished need not be run again |
//! | [`run`] | works through a plan on several threads |
//! | [`Others`], `processes` | whoever works on cases beside them: processes that were launched together |
//!
//! A study that was killed, by whatever, goes on where it was; at the end the rows are in the order of the plan.

mod csv;
mod ledger;
mod parameter;
mod plan;
#[cfg(feature = "mpi")]
pub(crate) mod processes;
mod run;

pub use ledger::{Ledger, LedgerError};
pub use parameter::{Parameter, ParameterError, Seeds};
pub use plan::{Case, Plan, PlanError};
pub use run::{Finished, Others, Row, Summary, run, run_beside};
