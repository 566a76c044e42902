//! [`Report`]: sections of figures, tables and findings as one HTML file that needs nothing else.
//!
//! The file holds its own style, script and drawings and never asks the network for anything. Every field below is
//! plain text: whatever it holds is shown as it is written and never taken for markup. Texts may mark code by
//! `` `backticks` ``; nothing else is interpreted.

mod links;
mod page;
mod section;
mod tables;
mod verdicts;
mod write;

use crate::save::{SaveError, save};
use crate::{Outcome, Picture, Snapshot};
use std::path::{Path, PathBuf};

/// Everything a report shows, in order.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The heading of the page and the name of its tab.
    pub title: String,
    /// A sentence or two below the heading: what this is.
    pub subtitle: String,
    /// What made it, as names and values: `("version", "0.1.0")`, commit, machine, threads, date, duration. The
    /// report itself asks neither the clock nor the machine, so that the same data give the same bytes.
    pub made_by: Vec<(String, String)>,
    /// What the numbers of findings are held against; it decides the words of columns and verdicts.
    pub against: Against,
    /// The sections; a summary of their verdicts comes first, if they have any.
    pub sections: Vec<Section>,
}

/// What the numbers of a report are held against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// Numbers of publications: columns “published” and “ours”; verdicts as [`Verdict`](crate::Verdict) prints them.
    #[default]
    Published,
    /// Exact values: columns “exact” and “ours”; a verdict is “passed” or “failed”.
    Exact,
}

/// One entry: a table or figure of a paper, a verification case, a part of a run.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Which it is, such as `spiral/fig2`: shown, and what [`see`](Self::see) of other sections names. Unique.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Heading of the rows in the summary that it stands under, such as the paper; sections of one group follow
    /// each other. May be empty.
    pub group: String,
    /// Where it comes from.
    pub sources: Vec<Source>,
    /// The set-up, one paragraph each.
    pub setup: Vec<String>,
    /// Names and values, with units, such as `("radius", "2.5 mm")`: parameters, or facts of a run.
    pub facts: Vec<(String, String)>,
    /// The command that computes it alone; may be empty.
    pub command: String,
    /// What a shortened run left out, one sentence each.
    pub shortened: Vec<String>,
    /// What was computed. Figures are drawn, tables shown (long ones folded), findings listed with their verdicts.
    pub outcome: Outcome,
    /// A picture of bodies.
    pub snapshot: Option<Snapshot>,
    /// Other pictures, side by side.
    pub pictures: Vec<Picture>,
    /// Misprints, readings, what is underspecified, one paragraph each.
    pub notes: Vec<String>,
    /// The scene or problem as text, which is folded.
    pub scene: Option<String>,
    /// Files beside the report, as relative paths with `/`, such as `spiral-fig2.csv`. What is no such path (one
    /// that is absolute, has a scheme or leads upwards) is shown without a link.
    pub data: Vec<String>,
    /// [`id`](Self::id)s of sections to compare with. Those that are in the report are links.
    pub see: Vec<String>,
    /// How long it took to compute, s.
    pub seconds: Option<f64>,
}

/// A publication.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The full reference.
    pub text: String,
    /// The digital object identifier, which becomes a link, such as `10.1016/j.cpc.2023.109077`.
    pub doi: Option<String>,
}

impl Report {
    /// The name of the file that [`save`](Self::save) writes.
    pub const FILE: &'static str = "report.html";

    /// The whole file; the same for the same data.
    pub fn to_html(&self) -> String {
        page::page(self)
    }

    /// Writes `report.html` into a folder, which is made if need be.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, SaveError> {
        save(folder, Self::FILE, &self.to_html())
    }
}

impl Source {
    /// A publication from its reference and its DOI.
    pub fn new(text: impl Into<String>, doi: Option<&str>) -> Self {
        Self { text: text.into(), doi: doi.map(str::to_owned) }
    }
}
