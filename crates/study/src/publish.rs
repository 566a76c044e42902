//! Writes a [`Report`] with its data beside it: `tumble verify` and `tumble reproduce` leave the same kind of folder.
//!
//! | file | what |
//! | --- | --- |
//! | `report.html` | the report itself |
//! | `NAME.svg`, `NAME.csv` | each figure of an outcome, and its points |
//! | `NAME.csv` | each table; `NAME-table.csv` if a figure has that name |
//! | `findings.csv` | every finding of every section |
//!
//! Names come from the outcomes, so they have to differ between sections: begin them with the id.

use std::path::{Path, PathBuf};
use tumble_report::{Against, Cell, Finding, Report, SaveError, Section, Source, Table, Verdict};
use tumble_rotation::citations::Citation;

/// The name of the table of all findings, without extension.
pub const FINDINGS: &str = "findings";

/// Writes the report and everything in it into a folder, which is made if need be, and gives the path of
/// `report.html`. The data files are added to those that the sections name already.
///
/// Files of the same name are replaced, each as a whole; others are left alone.
pub fn publish(folder: &Path, mut report: Report) -> Result<PathBuf, SaveError> {
    for section in &mut report.sections {
        for name in save_data(folder, section)? {
            if !section.data.contains(&name) {
                section.data.push(name);
            }
        }
    }
    findings(&report).save(folder, FINDINGS)?;
    report.save(folder)
}

/// Every finding of a report as one table: full precision in CSV, one row each.
pub fn findings(report: &Report) -> Table {
    let known = match report.against {
        Against::Published => "published",
        Against::Exact => "exact",
    };
    let mut table = Table::new("", &["id", "finding", known, "ours", "band", "verdict", "reason"]);
    for section in &report.sections {
        table.rows.extend(section.outcome.findings.iter().map(|finding| {
            vec![
                section.id.as_str().into(),
                finding.what.as_str().into(),
                Cell::optional(finding.published),
                Cell::Number(finding.ours),
                finding.band.to_string().into(),
                verdict(finding, report.against).into(),
                finding.reason.as_str().into(),
            ]
        }));
    }
    table
}

/// A verdict in the words that fit what the number was held against.
pub fn verdict(finding: &Finding, against: Against) -> String {
    match (against, finding.verdict) {
        (Against::Exact, Verdict::Reproduced) => "passed".into(),
        (Against::Exact, Verdict::Differs) => "failed".into(),
        (_, verdict) => verdict.to_string(),
    }
}

/// A citation as the source of a section.
pub fn source(citation: Citation) -> Source {
    Source::new(citation.full, citation.doi)
}

/// Writes figures and tables, and gives the names of the files with data, in the order of the outcome.
fn save_data(folder: &Path, section: &Section) -> Result<Vec<String>, SaveError> {
    let outcome = &section.outcome;
    let mut names = Vec::new();
    for (name, figure) in &outcome.figures {
        figure.save(folder, name)?;
        names.push(format!("{name}.csv"));
    }
    for (name, table) in &outcome.tables {
        // The points of a figure go by its name.
        let taken = outcome.figures.iter().any(|(figure, _)| figure == name);
        let name = if taken { format!("{name}-table") } else { name.clone() };
        table.save(folder, &name)?;
        names.push(format!("{name}.csv"));
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_report::{Band, Figure, Outcome};

    fn report(against: Against) -> Report {
        let findings = vec![
            Finding::new("a, b", 2.0, 2.01, Band::Relative(0.01), "round"),
            Finding::alone("c", 3.0, Band::AtMost(1.0), ""),
        ];
        let outcome = Outcome {
            figures: vec![("x".into(), Figure::default())],
            tables: vec![("x".into(), Table::new("", &["t"])), ("y".into(), Table::new("", &["u"]))],
            findings,
        };
        let section = Section { id: "one".into(), outcome, ..Section::default() };
        Report { against, sections: vec![section], ..Report::default() }
    }

    #[test]
    fn everything_is_written_and_named() {
        let folder = std::env::temp_dir().join(format!("tumble-publish-{}", std::process::id()));
        let page = publish(&folder, report(Against::Exact)).unwrap();
        assert_eq!(page.file_name().unwrap(), "report.html");
        for name in ["x.svg", "x.csv", "x-table.csv", "y.csv", "findings.csv", "report.html"] {
            assert!(folder.join(name).is_file(), "{name}");
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 6);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn findings_speak_of_what_they_were_held_against() {
        let exact = findings(&report(Against::Exact)).to_csv();
        let published = findings(&report(Against::Published)).to_csv();
        let expected = "id,finding,exact,ours,band,verdict,reason\n\
                        one,\"a, b\",2,2.01,±1 %,passed,round\none,c,,3,≤ 1,failed,\n";
        assert_eq!(exact, expected);
        let words = [("exact", "published"), ("passed", "reproduced"), ("failed", "differs")];
        let same = words.iter().fold(exact, |text, (from, to)| text.replace(from, to));
        assert_eq!(published, same);
    }
}
