//! What the checks of all papers share: a quick run in which nothing may differ from what was published.

use tumble_report::Outcome;
use tumble_study::papers::{Effort, find};

pub(crate) fn quick(id: &str) -> Outcome {
    let outcome = (find(id)[0].run)(Effort::Quick).unwrap();
    let differences: Vec<_> = outcome.differences().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{id}:\n{}", differences.join("\n"));
    outcome
}
