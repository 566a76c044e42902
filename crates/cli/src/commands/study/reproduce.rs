//! `tumble study --reproduce`: tables and figures of papers, computed again.

use super::{Options, result_folder};
use crate::failure::Failure;
use crate::output::{self, Format, heading};
use crate::values::unknown;
use std::fmt::Write as _;
use std::path::Path;
use tumble_report::{Cell, Finding, Outcome, Table, Verdict};
use tumble_study::papers::{self, Effort, Entry};

const DEFAULT_FOLDER: &str = "results/papers";

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let entries = chosen(&options.reproduce)?;
    let folder = result_folder(options, DEFAULT_FOLDER)?;
    let effort = if options.quick { Effort::Quick } else { Effort::Full };
    let mut all_findings = findings_table("");
    let mut different = 0;
    for entry in &entries {
        if !options.quiet {
            output::progress(&format!("Computing {}: {}…", entry.id, entry.title));
        }
        let outcome =
            (entry.run)(effort).map_err(|error| Failure::Failed(format!("{}: {error}", entry.id)))?;
        different += outcome.differences().count();
        save(entry, &outcome, &folder)?;
        all_findings.rows.extend(outcome.findings.iter().map(|finding| row(entry, finding)));
        if !options.quiet && options.format == Format::Text {
            output::print(&report(entry, &outcome, &folder))?;
        }
    }
    // Programs that read the output want one table.
    if !options.quiet && options.format != Format::Text {
        output::print(&output::table(&all_findings, options.format))?;
    }
    if different > 0 {
        let plural = if different == 1 { "finding lies" } else { "findings lie" };
        return Err(Failure::NotReproduced(format!("{different} {plural} outside the stated band")));
    }
    Ok(())
}

/// The entries of these ids, each once.
fn chosen(ids: &[String]) -> Result<Vec<&'static Entry>, Failure> {
    let mut entries: Vec<&Entry> = Vec::new();
    for id in ids.iter().flat_map(|ids| ids.split(',')) {
        let found = if id == "all" { papers::ALL.iter().collect() } else { papers::find(id) };
        if found.is_empty() {
            let known = papers::ALL.iter().map(|entry| entry.id);
            let hint = unknown("table or figure", id, known);
            return Err(Failure::BadInput(format!("--reproduce {id}: {hint}")));
        }
        for entry in found {
            if !entries.iter().any(|known| known.id == entry.id) {
                entries.push(entry);
            }
        }
    }
    Ok(entries)
}

fn save(entry: &Entry, outcome: &Outcome, folder: &Path) -> Result<(), Failure> {
    for (name, figure) in &outcome.figures {
        figure.save(folder, name)?;
    }
    for (name, table) in &outcome.tables {
        // The data of a figure go by its name.
        let taken = outcome.figures.iter().any(|(figure, _)| figure == name);
        table.save(folder, &if taken { format!("{name}-table") } else { name.clone() })?;
    }
    let mut findings = findings_table("");
    findings.rows.extend(outcome.findings.iter().map(|finding| row(entry, finding)));
    findings.save(folder, &format!("{}-findings", entry.id.replace('/', "-")))?;
    Ok(())
}

fn report(entry: &Entry, outcome: &Outcome, folder: &Path) -> String {
    let mut text =
        format!("{}\n{}\n\n", heading(&format!("{}: {}", entry.id, entry.title)), entry.paper.short);
    for (_, table) in &outcome.tables {
        text.push_str(&output::table(table, Format::Text));
        text.push('\n');
    }
    let mut findings = findings_table("Findings");
    // The id stands in the heading, reasons below.
    findings.columns.retain(|column| column != "id" && column != "reason");
    for finding in &outcome.findings {
        let mut cells = row(entry, finding);
        cells.pop();
        findings.rows.push(cells.split_off(1));
    }
    text.push_str(&output::table(&findings, Format::Text));
    let unmet = |finding: &&Finding| !matches!(finding.verdict, Verdict::Reproduced | Verdict::Reported);
    for finding in outcome.findings.iter().filter(unmet).filter(|finding| !finding.reason.is_empty()) {
        let _ = writeln!(text, "{} {}: {}", finding.what, finding.verdict, finding.reason);
    }
    let files: Vec<String> = outcome.figures.iter().map(|(name, _)| format!("{name}.svg")).collect();
    let files = if files.is_empty() { String::new() } else { format!(": {}", files.join(", ")) };
    let _ = write!(text, "\nWritten to {}{files}\n\n", folder.display());
    text
}

fn findings_table(title: &str) -> Table {
    Table::new(title, &["id", "finding", "published", "ours", "band", "verdict", "reason"])
}

fn row(entry: &Entry, finding: &Finding) -> Vec<Cell> {
    vec![
        entry.id.into(),
        finding.what.as_str().into(),
        Cell::optional(finding.published),
        Cell::Number(finding.ours),
        finding.band.to_string().into(),
        finding.verdict.to_string().into(),
        finding.reason.as_str().into(),
    ]
}
