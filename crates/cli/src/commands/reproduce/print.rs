//! What `tumble reproduce` prints: the list, a line for each of many entries, everything about a single one.

use crate::output::{self, Format, heading, name};
use std::fmt::Write as _;
use std::path::Path;
use tumble_report::{Cell, Finding, Outcome, Section, Table, Verdict};
use tumble_study::papers::{self, Effort};

/// Every table and figure, paper by paper.
pub(super) fn list() -> String {
    let width = papers::ALL.iter().map(|entry| entry.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut paper = "";
    for entry in papers::ALL {
        if entry.paper.short != paper {
            paper = entry.paper.short;
            let gap = if text.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{}", heading(paper));
        }
        let room = " ".repeat(width - entry.id.len());
        let _ = writeln!(text, "  {}{room}  {}", name(entry.id), entry.title);
    }
    text
}

/// One entry of many: its verdicts, and what differs.
pub(super) fn line(section: &Section) -> String {
    let mut text = format!("{:22}{}\n", section.id, counts(&section.outcome));
    for finding in section.outcome.differences() {
        let _ = writeln!(text, "  {finding}");
    }
    text
}

/// Everything about one entry.
pub(super) fn whole(section: &Section) -> String {
    let source = section.sources.first().map_or("", |source| source.text.as_str());
    let mut text = format!("{}\n{source}\n\n", heading(&format!("{}: {}", section.id, section.title)));
    for (_, table) in &section.outcome.tables {
        text.push_str(&output::table(table, Format::Text));
        text.push('\n');
    }
    let mut findings = Table::new("Findings", &["finding", "published", "ours", "band", "verdict"]);
    findings.rows.extend(section.outcome.findings.iter().map(row));
    text.push_str(&output::table(&findings, Format::Text));
    let explained = |finding: &&Finding| {
        !matches!(finding.verdict, Verdict::Reproduced | Verdict::Reported) && !finding.reason.is_empty()
    };
    for finding in section.outcome.findings.iter().filter(explained) {
        let _ = writeln!(text, "{} {}: {}", finding.what, finding.verdict, finding.reason);
    }
    for left_out in &section.shortened {
        let _ = writeln!(text, "Shortened: {left_out}");
    }
    text.push('\n');
    text
}

/// Where to look, and what else there is.
pub(super) fn closing(page: &Path, effort: Effort) -> String {
    let mut text =
        format!("Look at  {}    figures, tables and findings; data beside it as CSV\n", page.display());
    if effort == Effort::Quick {
        text.push_str("This was a quick run; --full computes everything as published, which takes hours.\n");
    }
    text
}

fn row(finding: &Finding) -> Vec<Cell> {
    vec![
        finding.what.as_str().into(),
        Cell::optional(finding.published),
        Cell::Number(finding.ours),
        finding.band.to_string().into(),
        finding.verdict.to_string().into(),
    ]
}

/// How many findings have which verdict.
fn counts(outcome: &Outcome) -> String {
    let all = [Verdict::Reproduced, Verdict::Explained, Verdict::Reported, Verdict::Differs];
    let some =
        all.into_iter().map(|verdict| (outcome.count(verdict), verdict)).filter(|(count, _)| *count > 0);
    let words: Vec<String> = some.map(|(count, verdict)| format!("{count} {verdict}")).collect();
    words.join(", ")
}
