//! Tumble in one crate: a scene becomes a simulation, a simulation leaves results, and results can be resumed.
//!
//! | where | what |
//! | --- | --- |
//! | [`Simulation`] | an engine, the streams and outlets through which bodies come in and go out, stages, and what is measured |
//! | [`Run`] | a simulation with its folder of results: tables, frames, checkpoints, summary |
//! | [`GoingOn`] | a scene that goes on with the bodies of another run |
//! | [`Output`] | something of one's own that a run writes as well |
//! | [`report`] | a folder of results as a page to look at |
//! | [`scene`], [`dem`], [`gpu`], [`measure`], [`output`] | the crates behind it |
//!
//! ```no_run
//! use tumble::{Mode, Run};
//! use tumble::scene::Scene;
//!
//! let built = Scene::read("chess.toml")?.build(None)?;
//! let mut run = Run::start(built, "results/chess", Mode::New)?;
//! run.go(&mut ())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod device;
mod error;
mod fields;
mod flows;
mod going_on;
mod identity;
mod origin;
mod outputs;
mod own;
mod place;
mod plan;
pub mod report;
mod run;
mod serving;
mod simulation;
mod stages;
mod watch;

pub use clock::StepLength;
pub use error::Error;
pub use flows::Flows;
pub use going_on::{GoingOn, Predecessor, built_again, write_bodies};
pub use identity::Contents;
pub use origin::Origin;
pub use own::{Output, Trouble};
pub use run::{End, Run};
pub use serving::Serving;
pub use simulation::Simulation;
#[doc(inline)]
pub use tumble_dem as dem;
#[doc(inline)]
pub use tumble_gpu as gpu;
#[doc(inline)]
pub use tumble_measure as measure;
#[doc(inline)]
pub use tumble_output as output;
pub use tumble_output::Mode;
#[doc(inline)]
pub use tumble_scene as scene;
pub use watch::{Progress, Ranks, Watch};

/// The examples of the book, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/book/src/graphics-card.md")]
struct GraphicsCard;
