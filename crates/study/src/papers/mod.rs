//! The papers' own tables and figures, computed again and set beside the published values.
//!
//! [`ALL`] is the one list. Each [`Entry`] gives an [`Outcome`]: figures and tables as data, and [`Finding`]s
//! that say how near our numbers come to the published ones, within which band, and why. The set-ups,
//! readings and misprints are told in `papers/<key>/README.md`, beside the published numbers.
//!
//! ```
//! use tumble_study::papers::{self, Effort};
//! let entry = papers::find("pcdm/table2")[0];
//! let outcome = (entry.run)(Effort::Quick)?;
//! assert!(outcome.differences().next().is_none());
//! # Ok::<(), tumble_rotation::Error>(())
//! ```

mod forced;
mod pcdm;
mod published;
mod seelen;
mod spiral;

pub use spiral::{COMPARED as SPIRAL_SCHEMES, readings};

use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series, Table};
use tumble_rotation::Error;
use tumble_rotation::citations::{Citation, DEL_VALLE_2024, SEELEN_2016, ZHAO_2013};

/// How much time to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Seconds: the smallest time steps and the longest runs are left out, which the findings say.
    Quick,
    /// The published settings, minutes where they ask for 10⁸ steps.
    Full,
}

/// One table or figure of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// `paper/figure`, such as `spiral/fig2`.
    pub id: &'static str,
    /// The paper.
    pub paper: Citation,
    /// What the table or figure shows.
    pub title: &'static str,
    /// Computes it.
    pub run: fn(Effort) -> Result<Outcome, Error>,
}

/// del Valle et al. 2025, the conference paper that reviews SPIRAL.
const DEL_VALLE_2025: Citation = Citation {
    short: "del Valle et al. 2025",
    full: "C. A. del Valle, V. Angelidakis, S. Roy, J. D. Muñoz, T. Pöschel, Efficient numerical integration of rigid body dynamics, Powders & Grains (2025)",
    doi: None,
};

macro_rules! entries {
    ($($id:literal, $paper:expr, $title:literal, $run:path;)+) => {
        /// Every table and figure, in the order of the papers.
        pub const ALL: &[Entry] = &[$(Entry { id: $id, paper: $paper, title: $title, run: $run }),+];
    };
}

entries! {
    "spiral/fig1", DEL_VALLE_2024, "exact motion of a cylinder under an axial torque", spiral::motion::fig1;
    "spiral/fig2", DEL_VALLE_2024, "errors after 1 s against the time step", spiral::accuracy::fig2;
    "spiral/fig3", DEL_VALLE_2024, "errors against time at Δt = 10⁻⁵ s", spiral::motion::fig3;
    "spiral/fig4", DEL_VALLE_2024, "time for one step relative to Direct Euler", spiral::cost::fig4;
    "spiral/fig5", DEL_VALLE_2024, "speed-up over Direct Euler at equal error", spiral::cost::fig5;
    "spiral/table2", DEL_VALLE_2024, "time step that reaches a given error", spiral::table2::table2;
    "spiral/figA8", DEL_VALLE_2024, "both forms of SPIRAL, against the time step", spiral::accuracy::fig_a8;
    "spiral/figA9", DEL_VALLE_2024, "both forms of SPIRAL, against time", spiral::motion::fig_a9;
    "review/fig1", DEL_VALLE_2025, "speed-up of SPIRAL at the error 10⁻⁵", spiral::cost::review_fig1;
    "pcdm/table2", ZHAO_2013, "arrow on a sphere after 1 s of exponential torque", pcdm::table2;
    "pcdm/fig6", ZHAO_2013, "angle error of that arrow against time", pcdm::fig6;
    "pcdm/fig7", ZHAO_2013, "orientation error of a fibre against the time step", pcdm::fig7;
    "seelen/fig1", SEELEN_2016, "free symmetric top for 10 000 s", seelen::fig1;
    "seelen/table1", SEELEN_2016, "arrow on a sphere after 1 s of exponential torque", seelen::table1;
    "seelen/fig2", SEELEN_2016, "errors of that sphere against time", seelen::fig2;
    "seelen/fig3", SEELEN_2016, "orientation error of a cylinder against the time step", seelen::fig3;
    "seelen/fig5", SEELEN_2016, "two rubbing cylinders", seelen::fig5;
}

/// The entries whose id is `id` or begins with it up to a slash: `spiral/fig2`, or `spiral` for the whole
/// paper.
pub fn find(id: &str) -> Vec<&'static Entry> {
    let exact = |entry: &&Entry| entry.id == id;
    let below = |entry: &&Entry| entry.id.strip_prefix(id).is_some_and(|rest| rest.starts_with('/'));
    ALL.iter().filter(|entry| exact(entry) || below(entry)).collect()
}

/// A linear axis.
fn linear(label: &str) -> Axis {
    Axis::linear(label)
}

/// A logarithmic axis.
fn log(label: &str) -> Axis {
    Axis::log(label)
}

/// A panel without curves yet.
fn panel(title: &str, x: Axis, y: Axis) -> Panel {
    Panel { title: title.to_owned(), x, y, series: Vec::new() }
}

/// A curve.
fn series(label: &str, mark: Mark, points: Vec<(f64, f64)>) -> Series {
    Series::new(label, points, mark)
}

/// A figure of panels.
fn figure(title: &str, panels: Vec<Panel>) -> Figure {
    Figure { title: title.to_owned(), panels }
}

/// A table without rows yet.
fn table(title: &str, columns: &[&str]) -> Table {
    Table {
        title: title.to_owned(),
        columns: columns.iter().map(|&column| column.to_owned()).collect(),
        rows: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_found_by_themselves_and_by_paper() {
        for entry in ALL {
            assert_eq!(find(entry.id).len(), 1, "{}", entry.id);
        }
        assert_eq!(find("spiral").len(), 8);
        assert_eq!(find("seelen").len(), 5);
        assert!(find("spir").is_empty() && find("spiral/fig").is_empty() && find("").is_empty());
    }
}
