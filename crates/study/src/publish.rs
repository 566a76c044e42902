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
use tumble_report::{
    Against, Cell, Figure, Finding, Outcome, Report, SaveError, Section, Source, Table, Verdict, save,
};
use tumble_rotation::citations::Citation;

/// The name of the table of all findings, without extension.
pub const FINDINGS: &str = "findings";
/// Digits of the points of figures in folders that are committed; tables and findings have all.
pub const DIGITS: usize = 6;

/// Writes the report and everything in it into a folder, which is made if need be, and gives the path of
/// `report.html`. The data files are added to those that the sections name already.
///
/// Files of the same name are replaced, each as a whole; others are left alone.
pub fn publish(folder: &Path, mut report: Report) -> Result<PathBuf, SaveError> {
    for section in &report.sections {
        for (name, figure) in &section.outcome.figures {
            save(folder, &format!("{name}.svg"), &figure.to_svg())?;
        }
    }
    write(folder, &mut report, Figure::to_csv)?;
    Ok(folder.join(Report::FILE))
}

/// The same for folders that are committed: without pictures of their own, since figures are in the report, and
/// with the points of figures to [`DIGITS`] digits. Gives the names of all files it wrote.
pub fn publish_compact(folder: &Path, report: &mut Report) -> Result<Vec<String>, SaveError> {
    write(folder, report, |figure| rounded(figure).to_csv())
}

/// Writes the report and its data; figures become data as told.
fn write(
    folder: &Path,
    report: &mut Report,
    points: impl Fn(&Figure) -> String,
) -> Result<Vec<String>, SaveError> {
    let mut written = vec![format!("{FINDINGS}.csv"), Report::FILE.to_owned()];
    for section in &mut report.sections {
        for (name, text) in data(section, &points) {
            save(folder, &name, &text)?;
            if !section.data.contains(&name) {
                section.data.push(name.clone());
            }
            written.push(name);
        }
    }
    findings(report).save(folder, FINDINGS)?;
    report.save(folder)?;
    Ok(written)
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

/// The files with data, names and texts, in the order of the outcome.
fn data(section: &Section, points: impl Fn(&Figure) -> String) -> Vec<(String, String)> {
    let Outcome { figures, tables, .. } = &section.outcome;
    let of_figures = figures.iter().map(|(name, figure)| (format!("{name}.csv"), points(figure)));
    let of_tables = tables.iter().map(|(name, table)| {
        // The points of a figure go by its name.
        let taken = figures.iter().any(|(figure, _)| figure == name);
        (format!("{name}{}.csv", if taken { "-table" } else { "" }), table.to_csv())
    });
    of_figures.chain(of_tables).collect()
}

/// A figure whose points have fewer digits, which are more than anybody can see.
fn rounded(figure: &Figure) -> Figure {
    let round = |x: f64| format!("{x:.*e}", DIGITS - 1).parse().unwrap_or(x);
    let pair = |(x, y): &mut (f64, f64)| (*x, *y) = (round(*x), round(*y));
    let mut figure = figure.clone();
    for series in figure.panels.iter_mut().flat_map(|panel| &mut panel.series) {
        series.points.iter_mut().chain(&mut series.spread).for_each(pair);
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_report::{Axis, Band, Mark, Panel, Series};

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

        let mut compact = report(Against::Exact);
        let mut names = publish_compact(&folder, &mut compact).unwrap();
        assert_eq!(compact.sections[0].data, ["x.csv", "x-table.csv", "y.csv"]);
        let files =
            std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut files: Vec<String> = files.collect();
        names.sort();
        files.sort();
        assert_eq!(names, files, "all but the pictures");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn committed_points_are_short() {
        let points = vec![(0.1 + 0.2, -2.0 / 3.0e9), (f64::INFINITY, f64::NAN)];
        let series = Series::new("s", points, Mark::Line).with_spread(vec![(1.0 / 3.0, 1e300), (0.0, 1.0)]);
        let panel =
            Panel { title: "p".into(), x: Axis::linear("x"), y: Axis::linear("y"), series: vec![series] };
        let csv = rounded(&Figure { title: String::new(), panels: vec![panel] }).to_csv();
        let first = csv.lines().nth(1).unwrap();
        assert_eq!(first, "p,s,0.3,-6.66667e-10,0.333333,1e300");
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
