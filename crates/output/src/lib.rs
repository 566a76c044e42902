//! What a run leaves behind: files to look at, tables, and checkpoints from which it goes on bit for bit.
//!
//! | where | what |
//! | --- | --- |
//! | [`ResultFolder`] | the folder of a run: never mixed up, never written by two |
//! | [`checkpoint`] | everything a run needs to go on, in files that appear whole or not at all |
//! | [`csv`] | `energy.csv`, `walls.csv`, `flows.csv`, `measures.csv` |
//! | [`Flow`] | what went through a stream or an outlet |
//! | [`vtk`], [`trajectory`] | what moved: for ParaView, and for a viewer |
//! | `vtkhdf` | a trajectory as one file for ParaView; with the feature of that name |
//! | [`Model`], [`Frame`], [`Background`] | what is drawn, an instant of it, the thread that writes it |
//! | [`Summary`] | the run in numbers |
//! | [`Mark`], [`plain`] | what a checkpoint says of the other files; that they are plain files |
//!
//! # Resuming
//! Each writer has `create`, for a new run, and `resume`, which cuts off what is later than the checkpoint,
//! so that an interrupted run ends up with the same bytes as one that was not. For that, whatever is written
//! up to a step must be safe before the checkpoint of that step is: first [`Background::flush`] and the
//! tables' `sync`, then [`Checkpoints::write`](checkpoint::Checkpoints::write).

mod atomic;
mod background;
mod bytes;
pub mod checkpoint;
pub mod csv;
mod error;
mod flow;
mod folder;
mod frame;
mod liquid_summary;
mod machine;
mod mark;
mod piece_counts;
pub mod plain;
mod rounded;
mod single;
mod stages;
mod summary;
mod surface;
pub mod trajectory;
pub mod vtk;
#[cfg(feature = "vtkhdf")]
pub mod vtkhdf;

pub use atomic::{write_stream, write_text};
pub use background::{Background, Receivers};
pub use checkpoint::{Checkpoint, Checkpoints, Rejected};
pub use error::Error;
pub use flow::{Direction, Flow};
pub use folder::{Mode, Part, ResultFolder};
pub use frame::{Frame, FrameSink, Model};
pub use liquid_summary::LiquidSummary;
pub use machine::Machine;
pub use mark::{Mark, marks_from_bytes, marks_to_bytes};
pub use piece_counts::PieceCounts;
pub use rounded::RoundedSurface;
pub use stages::{StageEnded, StageRecord, stages_from_bytes, stages_to_bytes};
pub use summary::{BondsSummary, ENERGY_BOUND, Ending, Method, PairMethod, Ranks, State, Summary, Timing};
pub use surface::Surface;
pub use tumble_dem::wall::SEGMENTS;
