//! The papers' own tables and figures, computed again and set beside the published values; and experiments
//! past the papers.
//!
//! [`ALL`] is the one list. An [`Entry`] declares all that a report says about it, in one place, beside the
//! code that computes it: figures and tables as data, and [`Finding`](tumble_report::Finding)s that say how
//! near our numbers come to the published ones, within which band, and why.
//!
//! ```
//! use tumble_study::papers::{self, Bench, Effort};
//! let entry = papers::find("pcdm/table2")[0];
//! let section = entry.section(&Bench::new(Effort::Quick))?;
//! assert!(section.outcome.differences().next().is_none());
//! # Ok::<(), papers::Error>(())
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "for errors, orders and figures, which are compared within bands"
)]

mod bench;
mod chess;
mod entry;
mod error;
mod forced;
mod kept;
mod past;
mod pcdm;
mod picture;
mod published;
mod review;
mod rock;
mod seelen;
mod spent;
mod spiral;

pub use bench::{Bench, Effort, Nobody, RunProgress, Watch};
pub use entry::{Entry, Reproduction};
pub use error::Error;
pub use kept::{KeptRuns, Origin};
pub use spent::Spent;
pub use spiral::{COMPARED as SPIRAL_SCHEMES, readings};

use tumble_report::{Axis, Figure, Mark, Panel, Series, Table};
use tumble_rotation::SchemeKind;

/// Every table and figure, in the order of the papers, then what is past them.
pub const ALL: &[Entry] = &[
    spiral::table1::TABLE1,
    spiral::motion::FIG1,
    spiral::accuracy::FIG2,
    spiral::motion::FIG3,
    spiral::cost::FIG4,
    spiral::speed::FIG5,
    spiral::table2::TABLE2,
    spiral::box_of_pieces::FIG6,
    spiral::box_of_pieces::FIG7,
    spiral::accuracy::FIG_A8,
    spiral::motion::FIG_A9,
    review::FIG1,
    review::rods::FIG2,
    pcdm::fibres::FIG2,
    pcdm::fibres::FIG3,
    pcdm::fibres::FIG4,
    pcdm::fibres::FIG5,
    pcdm::TABLE2,
    pcdm::FIG6,
    pcdm::FIG7,
    seelen::top::FIG1,
    seelen::sphere::TABLE1,
    seelen::sphere::FIG2,
    seelen::cylinder::FIG3,
    seelen::rubbing::FIG5,
    rock::compression::COMPRESSION,
    rock::brazilian::BRAZILIAN,
    past::heavy_top::HEAVY_TOP,
    past::dzhanibekov::DZHANIBEKOV,
    past::frozen_torque::FROZEN_TORQUE,
    past::friction_order::FRICTION_ORDER,
    past::chess_cost::CHESS_COST,
    past::impact::IMPACT,
];

/// Our own schemes, which are shown beside those of every paper.
const OWN: [SchemeKind; 2] = [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick];

/// The entries whose id is `id` or begins with it up to a slash: `spiral/fig2`, or `spiral` for the whole
/// paper.
pub fn find(id: &str) -> Vec<&'static Entry> {
    let exact = |entry: &&Entry| entry.id == id;
    let below = |entry: &&Entry| entry.id.strip_prefix(id).is_some_and(|rest| rest.starts_with('/'));
    ALL.iter().filter(|entry| exact(entry) || below(entry)).collect()
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

/// A linear axis.
fn linear(label: &str) -> Axis {
    Axis::linear(label)
}

/// A logarithmic axis.
fn log(label: &str) -> Axis {
    Axis::log(label)
}

/// A table without rows yet.
fn table(title: &str, columns: &[&str]) -> Table {
    Table::new(title, columns)
}

/// The largest number, or NaN if there is one.
fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_found_by_themselves_and_by_paper() {
        for entry in ALL {
            assert_eq!(find(entry.id).len(), 1, "{}", entry.id);
        }
        let of = |key: &str| find(key).len();
        assert_eq!(["spiral", "review", "pcdm", "seelen", "rock", "tumble"].map(of), [11, 2, 7, 5, 2, 6]);
        assert!(find("spir").is_empty() && find("spiral/fig").is_empty() && find("").is_empty());
    }

    #[test]
    fn entries_say_what_they_do_and_name_others_that_exist() {
        for entry in ALL {
            assert!(!entry.title.is_empty() && !entry.setup.is_empty(), "{}", entry.id);
            for id in entry.see {
                assert!(*id != entry.id && find(id).len() == 1, "{} names {id}", entry.id);
            }
            let texts = entry.setup.iter().chain(entry.notes);
            assert!(texts.clone().all(|text| text.ends_with(['.', '?'])), "{}", entry.id);
            assert_eq!(texts.filter(|text| text.matches('`').count() % 2 == 1).count(), 0, "{}", entry.id);
        }
    }
}
