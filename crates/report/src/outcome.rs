//! [`Outcome`]: what a computation came out as, and how it compares.

use crate::{Figure, Finding, Table, Verdict};

/// What a table, a figure or a check came out as.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Figures, each with a file name without extension.
    pub figures: Vec<(String, Figure)>,
    /// Tables, each with a file name without extension.
    pub tables: Vec<(String, Table)>,
    /// How it compares with the publication.
    pub findings: Vec<Finding>,
}

impl Outcome {
    /// How many findings have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.findings.iter().filter(|finding| finding.verdict == verdict).count()
    }

    /// The findings outside their band.
    pub fn differences(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.verdict == Verdict::Differs)
    }
}
