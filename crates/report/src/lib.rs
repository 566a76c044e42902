//! What people look at: tables, figures and findings as data, apart from how they are shown.
//!
//! Nothing here knows where numbers come from; studies, verification and runs fill these types.
//!
//! ```
//! use tumble_report::{Axis, Figure, Mark, Panel, Series};
//! let curve = Series::new("error", vec![(1e-3, 1e-6), (1e-2, 1e-4)], Mark::LinePoints);
//! let panel = Panel {
//!     title: String::new(),
//!     x: Axis::log("Δt (s)"),
//!     y: Axis::log("error"),
//!     series: vec![curve],
//! };
//! let figure = Figure { title: "second order".into(), panels: vec![panel] };
//! assert!(figure.to_svg().starts_with("<svg"));
//! ```

mod csv;
mod figure;
mod finding;
mod html;
mod markup;
mod number;
mod outcome;
mod picture;
mod save;
mod snapshot;
mod table;

pub use figure::{Axis, Figure, Mark, Panel, Series};
pub use finding::{Band, Finding, Verdict};
pub use html::{Against, Report, Section, Source};
pub use number::{readable, typeset};
pub use outcome::Outcome;
pub use picture::Picture;
pub use save::{SaveError, save};
pub use snapshot::{Ball, Oval, Rod, Snapshot, Stone, Surface, Up};
pub use table::{Cell, Table};
