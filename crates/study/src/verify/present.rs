//! Cases for people: the table of all, and a case as a section of a report.

use super::{CASES, Case};
use crate::publish::source;
use tumble_report::{Outcome, Section, Table};

/// Every case in a line, for the book: cells are Markdown.
pub fn table() -> Table {
    let mut table = Table::new("Verification cases", &["case", "what happens", "exact", "source"]);
    for case in CASES {
        let sources: Vec<String> = case
            .sources
            .iter()
            .map(|source| match source.doi {
                Some(doi) => format!("[{}](https://doi.org/{doi})", source.short),
                None => source.short.to_owned(),
            })
            .collect();
        let cells = [
            format!("`{}`", case.id),
            case.title.to_owned(),
            case.exact.replace('*', "\\*"),
            sources.join(", "),
        ];
        table.rows.push(cells.map(Into::into).to_vec());
    }
    table
}

impl Case {
    /// The case and what came of it as a section of a report.
    pub fn section(&self, outcome: Outcome) -> Section {
        let facts = self.parameters.iter().map(|parameter| {
            let space = if parameter.unit.is_empty() { "" } else { " " };
            (parameter.meaning.to_owned(), format!("{}{space}{}", compact(parameter.value), parameter.unit))
        });
        Section {
            id: self.id.to_owned(),
            title: self.title.to_owned(),
            group: self.group.to_string(),
            sources: self.sources.iter().copied().map(source).collect(),
            setup: vec![self.setup.to_owned(), format!("Exact: {}", self.exact)],
            facts: facts.collect(),
            command: format!("tumble verify {}", self.id),
            outcome,
            ..Section::default()
        }
    }
}

/// A number as people write it: `0.01`, `4.8e10`.
fn compact(x: f64) -> String {
    let size = x.abs();
    if size == 0.0 || !size.is_finite() || (1e-4..1e5).contains(&size) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}
