//! Verdicts as signs and words, and how many there are of each.

use super::Against;
use super::write::Html;
use crate::{Outcome, Verdict};

/// All verdicts, in the order in which they are counted.
pub(super) const ALL: [Verdict; 4] =
    [Verdict::Reproduced, Verdict::Explained, Verdict::Differs, Verdict::Reported];

/// How a verdict is shown: a class for its colour, a sign for those who see none, and a word.
pub(super) fn shown(verdict: Verdict, against: Against) -> (&'static str, &'static str, &'static str) {
    match (verdict, against) {
        (Verdict::Reproduced, Against::Published) => ("reproduced", "✓", "reproduced"),
        (Verdict::Reproduced, Against::Exact) => ("reproduced", "✓", "passed"),
        (Verdict::Explained, _) => ("explained", "≈", "explained"),
        (Verdict::Differs, Against::Published) => ("differs", "✗", "differs"),
        (Verdict::Differs, Against::Exact) => ("differs", "✗", "failed"),
        (Verdict::Reported, _) => ("reported", "·", "reported"),
    }
}

/// Sign, number and word of each verdict that there is.
pub(super) fn push_counts(html: &mut Html, outcome: &Outcome, against: Against) {
    for verdict in ALL {
        let count = outcome.count(verdict);
        if count > 0 {
            let (class, sign, word) = shown(verdict, against);
            html.raw("<span class=\"verdict ").raw(class).raw("\"><span aria-hidden=\"true\">").raw(sign);
            html.raw("</span> ").text(&count.to_string()).raw(" ").raw(word).raw("</span> ");
        }
    }
}
