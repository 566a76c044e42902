//! [`Entry`]: a table or figure with all that its section of the report says.

use super::bench::{Bench, Effort};
use super::error::Error;
use super::spent::{Spent, Tally};
use crate::publish;
use std::time::Instant;
use tumble_report::{Outcome, Section, Snapshot};
use tumble_rotation::citations::Citation;

/// One table or figure of a paper, or an experiment past the papers.
///
/// Texts are plain; code in them is marked by backticks.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// `paper/figure`, such as `spiral/fig2`.
    pub id: &'static str,
    /// The paper.
    pub paper: Citation,
    /// What the table or figure shows.
    pub title: &'static str,
    /// What is computed, one paragraph each.
    pub setup: &'static [&'static str],
    /// Misprints, readings and what the paper leaves open, one paragraph each.
    pub notes: &'static [&'static str],
    /// Entries to compare with.
    pub see: &'static [&'static str],
    /// The scene file or the problem.
    pub scene: Option<&'static str>,
    /// Computes it.
    pub run: fn(&Bench<'_>) -> Result<Reproduction, Error>,
}

/// What an entry came out as.
#[derive(Clone, Debug, Default)]
pub struct Reproduction {
    /// Figures, tables and findings.
    pub outcome: Outcome,
    /// What was left out of the published settings, a sentence each.
    pub shortened: Vec<String>,
    /// A picture of the bodies.
    pub snapshot: Option<Snapshot>,
}

impl Entry {
    /// The part of the id before the slash: `spiral`.
    pub fn key(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// The command that computes this entry alone.
    pub fn command(&self, effort: Effort) -> String {
        format!("tumble reproduce {}{}", self.id, if effort == Effort::Full { " --full" } else { "" })
    }

    /// Computes the entry and writes up all there is to say about it.
    pub fn section(&self, bench: &Bench<'_>) -> Result<Section, Error> {
        self.section_and_cost(bench).map(|(section, _)| section)
    }

    /// The same, and what was spent on it.
    pub fn section_and_cost(&self, bench: &Bench<'_>) -> Result<(Section, Spent), Error> {
        let begin = Instant::now();
        let tally = Tally::default();
        let Reproduction { outcome, shortened, snapshot } = (self.run)(&bench.counting(&tally))?;
        let spent = tally.spent(begin.elapsed());
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let section = Section {
            id: self.id.to_owned(),
            title: self.title.to_owned(),
            group: self.paper.short.to_owned(),
            sources: vec![publish::source(self.paper)],
            setup: owned(self.setup),
            command: self.command(bench.effort()),
            shortened,
            outcome,
            snapshot,
            notes: owned(self.notes),
            scene: self.scene.map(str::to_owned),
            see: owned(self.see),
            seconds: spent.seconds(),
            ..Section::default()
        };
        Ok((section, spent))
    }
}

impl Reproduction {
    /// Says what was left out.
    pub(super) fn leaving_out(mut self, what: impl Into<String>) -> Self {
        self.shortened.push(what.into());
        self
    }

    /// The same if this is a quick run.
    pub(super) fn if_quick_leaving_out(self, bench: &Bench<'_>, what: impl Into<String>) -> Self {
        if bench.is_quick() { self.leaving_out(what) } else { self }
    }
}

impl From<Outcome> for Reproduction {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, shortened: Vec::new(), snapshot: None }
    }
}
