//! `--publish`: report, data and a README in a folder that is meant to be committed.
//!
//! No number in the README is typed by hand. Figures are inside the report, and runs stay where they are, so
//! that the folder is small.

use super::folder::SOMETHING_ELSE;
use crate::failure::Failure;
use crate::progress::Clock;
use crate::results::check_writable;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tumble_report::{Report, Section, Verdict, save};
use tumble_study::papers::Spent;
use tumble_study::publish;

const README: &str = "README.md";
/// The first line of a README of ours: the folder is then ours to write to.
const MARK: &str =
    "<!-- Written by `tumble reproduce --publish`, which replaces the files of this folder. -->";

/// A folder to publish in.
pub(super) struct Publication {
    folder: PathBuf,
}

impl Publication {
    /// A folder that is new, empty, or has an earlier publication.
    pub(super) fn in_folder(folder: &Path) -> Result<Self, Failure> {
        check_writable("--publish", folder, || is_ours(folder), SOMETHING_ELSE)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes everything, takes away data of earlier publications that are not part of this one, and gives the
    /// path of the report.
    pub(super) fn write(
        &self,
        mut report: Report,
        spent: &BTreeMap<String, Spent>,
        left_out: &[String],
    ) -> Result<PathBuf, Failure> {
        // The README comes first: a folder that is half written is still known as ours.
        save(&self.folder, README, &format!("{MARK}\n"))?;
        let written = publish::publish_compact(&self.folder, &mut report)?;
        save(&self.folder, README, &readme(&report, spent, left_out))?;
        for entry in self.folder.read_dir().into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_data = entry.path().extension().is_some_and(|end| end == "csv");
            if is_data && !written.contains(&name) {
                let cannot =
                    |error| Failure::Failed(format!("cannot remove {}: {error}", entry.path().display()));
                fs::remove_file(entry.path()).map_err(cannot)?;
            }
        }
        Ok(self.folder.join(Report::FILE))
    }
}

fn is_ours(folder: &Path) -> bool {
    fs::read_to_string(folder.join(README)).is_ok_and(|text| text.lines().next() == Some(MARK))
}

fn readme(report: &Report, spent: &BTreeMap<String, Spent>, left_out: &[String]) -> String {
    let mut text = format!(
        "{MARK}\n\n# {}\n\n{} [`{page}`](./{page}) is the report: one file, to be opened in a browser. Beside it \
         are the data of its figures, to {digits} digits, those of its tables, and all comparisons in \
         [`{findings}.csv`](./{findings}.csv).\n",
        report.title,
        report.subtitle,
        page = Report::FILE,
        findings = publish::FINDINGS,
        digits = publish::DIGITS,
    );
    text.push_str("\n## How it was made\n\n| | |\n| --- | --- |\n");
    for (name, value) in &report.made_by {
        let value = if name == "command" { format!("`{value}`") } else { cell(value) };
        let _ = writeln!(text, "| {name} | {value} |");
    }
    text.push_str(
        "\n*computing* adds up the times of all runs, each on one thread and whenever it was computed, and of what \
         is computed besides; runs that several entries share count once.\n",
    );
    text.push_str("\n## What was left out\n\n");
    let shortened = report
        .sections
        .iter()
        .flat_map(|section| section.shortened.iter().map(|sentence| format!("`{}`: {sentence}", section.id)));
    let sentences: Vec<String> = shortened.chain(left_out.iter().cloned()).collect();
    for sentence in &sentences {
        let _ = writeln!(text, "- {sentence}");
    }
    if sentences.is_empty() {
        text.push_str("Nothing.\n");
    }
    text.push_str("\n## Entries\n\n| entry | what | verdicts | runs | on one core | data |\n");
    text.push_str("| --- | --- | --- | --: | --: | --- |\n");
    for section in &report.sections {
        let data: Vec<String> = section.data.iter().map(|name| format!("[{name}](./{name})")).collect();
        let spent = spent.get(&section.id);
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            section.id,
            cell(&section.title),
            verdicts(section),
            spent.map_or(0, |spent| spent.runs.len()),
            spent.map_or(String::new(), time),
            data.join(", ")
        );
    }
    text
}

fn verdicts(section: &Section) -> String {
    let all = [Verdict::Reproduced, Verdict::Explained, Verdict::Reported, Verdict::Differs];
    let counts = all.map(|verdict| (section.outcome.count(verdict), verdict));
    let some =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, verdict)| format!("{count} {verdict}"));
    some.collect::<Vec<_>>().join(", ")
}

fn time(spent: &Spent) -> String {
    let seconds = spent.seconds().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match seconds {
        Some(seconds) if seconds.as_secs() < 1 => "< 1 s".into(),
        Some(seconds) => Clock(seconds).to_string(),
        None => "not recorded".into(),
    }
}

/// Text that does not end a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
