//! What an engine tells of itself, at the instant between two steps.

mod bonds;
mod cell;
mod contacts;
pub mod fingerprint;
mod ledger;
mod liquid;
mod look;
mod membranes;
mod surface;
mod timing;

pub use bonds::{BondCounts, BondState};
pub use cell::CellReport;
pub use contacts::{ContactState, Touching};
pub(crate) use ledger::Exchange;
pub use ledger::{HeatLedger, Ledger};
pub use liquid::LiquidReport;
pub(crate) use look::in_parts;
pub use look::{BodyState, WallReport};
pub use surface::SurfaceState;
pub use timing::StageTimes;
pub(crate) use timing::Stopwatch;
