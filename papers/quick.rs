//! What the checks of all papers share: a quick run in which nothing may differ from what was published.

use tumble_report::Outcome;
use tumble_study::papers::{Bench, Effort, find};

pub(crate) fn quick(id: &str) -> Outcome {
    let section = find(id)[0].section(&Bench::new(Effort::Quick)).unwrap();
    let differences: Vec<_> = section.outcome.differences().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{id}:\n{}", differences.join("\n"));
    section.outcome
}
