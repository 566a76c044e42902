//! `tumble verify`: published benchmarks and closed forms against the engine, with a table, a report and an exit code.

mod device;

use crate::failure::Failure;
use crate::output::{self, Format, bad, good, heading};
use crate::results::out_folder;
use crate::values::{self, plain, unknown};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tumble::gpu::Choice as Device;
use tumble::output::Machine;
use tumble_report::{Against, Cell, Finding, Report, Section, Table, Verdict};
use tumble_study::publish::{self, publish};
use tumble_study::verify::{self, CASES, Case, Error};

const DEFAULT_FOLDER: &str = "results/verify";
/// What was spoilt must not take the place of what was not.
const SPOILT_FOLDER: &str = "results/verify-spoilt";

const EXAMPLES: &str = "\
Examples:
  tumble verify                                      every case: a table, and a report
  tumble verify hertz-impact rod-on-wall             two of them
  tumble verify --list                               which there are
  tumble verify --format json > verify.json          for programs; exit code 3 if any fails
  tumble verify heavy-top --spoil gravity=9.80665    would it notice? It fails, as it should
  tumble verify --device gpu                         are the bits of a card those of the processor?";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Cases, as --list names them [default: all]
    #[arg(value_name = "ID", value_parser = values::named(case, ids), hide_possible_values = true)]
    cases: Vec<&'static Case>,

    /// List the cases
    #[arg(long)]
    list: bool,

    /// Give the simulation of one case another number than theory: the case must fail
    #[arg(long, value_name = "PARAMETER=VALUE", value_parser = spoilt)]
    spoil: Option<Spoilt>,

    /// Have something else do the steps of the scenes of `pinned-bits`, and compare their bits with those written down
    #[arg(
        long,
        value_name = "DEVICE",
        value_parser = values::named(values::device, values::device_names),
        conflicts_with_all = ["cases", "list", "spoil", "out", "force"]
    )]
    device: Option<Device>,

    /// Folder for report, figures and data [default: results/verify]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write into --out even if there is something in it; files of the same name are replaced
    #[arg(long)]
    force: bool,

    /// How the table is printed
    #[arg(long, value_enum, default_value_t)]
    format: VerifyFormat,

    /// Write the files, print nothing
    #[arg(long, short)]
    quiet: bool,
}

/// A parameter and its wrong value.
#[derive(Clone, Debug)]
struct Spoilt {
    parameter: String,
    value: f64,
}

/// How the table is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum VerifyFormat {
    /// Aligned columns
    #[default]
    Text,
    /// Comma-separated values, every digit
    Csv,
    /// A Markdown table
    Markdown,
    /// A list of objects
    Json,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.list {
        return output::print(&list());
    }
    if let Some(device) = options.device {
        return device::run(device, options);
    }
    let default = if options.spoil.is_some() { SPOILT_FOLDER } else { DEFAULT_FOLDER };
    let folder = out_folder(options.out.as_deref(), default, options.force)?;
    let cases = chosen(&options.cases);
    if !options.quiet {
        let plural = if cases.len() == 1 { "case" } else { "cases" };
        output::progress(&format!("Computing {} {plural}…", cases.len()));
    }
    let report = match &options.spoil {
        None => {
            report(cases.iter().zip(verify::run_all(&cases)).map(|(case, outcome)| case.section(outcome)))
        }
        Some(spoilt) => report([spoilt_section(&cases, spoilt)?]),
    };
    if !options.quiet {
        let rows = rows(&report);
        output::print(&match options.format {
            VerifyFormat::Text => text(&rows),
            VerifyFormat::Csv => output::table(&table(&rows), Format::Csv),
            VerifyFormat::Markdown => output::table(&table(&rows), Format::Markdown),
            VerifyFormat::Json => format!("{:#}\n", json(&rows)),
        })?;
    }
    let failed = report.sections.iter().flat_map(|section| section.outcome.differences()).count();
    let page = publish(&folder, report)?;
    if failed > 0 {
        let plural = if failed == 1 { "number is" } else { "numbers are" };
        let told = format!("{failed} {plural} outside the stated band; see {}", page.display());
        return Err(Failure::NotReproduced(told));
    }
    if !options.quiet && options.format == VerifyFormat::Text {
        output::print(&closing_words(&cases, &page))?;
    }
    Ok(())
}

/// The cases as a report. Nothing of it depends on the clock: the same machine writes the same bytes.
fn report(sections: impl IntoIterator<Item = Section>) -> Report {
    let machine = Machine::this();
    let made_by = [
        ("program", format!("tumble {}", env!("CARGO_PKG_VERSION"))),
        ("machine", format!("{}, {}", machine.processor, machine.system)),
    ];
    Report {
        title: "Verification of Tumble".into(),
        subtitle: "The engine and its rotation schemes against published benchmarks and closed forms. Every number is \
                   held against an exact one, within a band that is stated with its reason."
            .into(),
        made_by: made_by.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        against: Against::Exact,
        sections: sections.into_iter().collect(),
    }
}

/// One case with one wrong number in its simulation.
fn spoilt_section(cases: &[&Case], spoilt: &Spoilt) -> Result<Section, Failure> {
    let Spoilt { parameter, value } = spoilt;
    let &[case] = cases else {
        return Err(Failure::BadInput(
            "--spoil takes one case, such as `heavy-top --spoil gravity=9.80665`".into(),
        ));
    };
    let outcome = match case.run_spoilt(parameter, *value) {
        Err(Error::NoParameter { .. }) => {
            let names = case.parameters.iter().map(|known| known.name);
            return Err(Failure::BadInput(format!("--spoil: {}", unknown("parameter", parameter, names))));
        }
        result => result.unwrap_or_else(|error| verify::failed(&error)),
    };
    let mut section = case.section(outcome);
    section.notes.push(format!("Spoilt on purpose: the simulation had {parameter} = {value}."));
    section.command = format!("{} --spoil {parameter}={value}", section.command);
    Ok(section)
}

/// A finding and the case it belongs to.
struct Row<'a> {
    case: &'a str,
    finding: &'a Finding,
}

impl Row<'_> {
    /// |ours/exact − 1|, where there is a number to compare with.
    fn error(&self) -> Option<f64> {
        self.finding.published.map(|exact| (self.finding.ours / exact - 1.0).abs())
    }

    fn verdict(&self) -> String {
        publish::verdict(self.finding, Against::Exact)
    }

    fn failed(&self) -> bool {
        self.finding.verdict == Verdict::Differs
    }
}

fn rows(report: &Report) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for section in &report.sections {
        rows.extend(section.outcome.findings.iter().map(|finding| Row { case: &section.id, finding }));
    }
    rows
}

const COLUMNS: [&str; 7] = ["case", "quantity", "exact", "ours", "error", "band", "verdict"];

fn table(rows: &[Row<'_>]) -> Table {
    let mut table = Table::new("", &COLUMNS);
    table.rows = rows
        .iter()
        .map(|row| {
            vec![
                row.case.into(),
                row.finding.what.as_str().into(),
                Cell::optional(row.finding.published),
                Cell::Number(row.finding.ours),
                Cell::optional(row.error()),
                row.finding.band.to_string().into(),
                row.verdict().into(),
            ]
        })
        .collect();
    table
}

/// The table with each case named once and verdicts in colour; then the reasons of what failed.
fn text(rows: &[Row<'_>]) -> String {
    let mut table = table(rows);
    for place in (1..rows.len()).rev() {
        if rows[place].case == rows[place - 1].case {
            table.rows[place][0] = "".into();
        }
    }
    let mut text = String::new();
    for line in output::table(&table, Format::Text).lines() {
        let coloured = [("passed", good as fn(&str) -> String), ("failed", bad)]
            .into_iter()
            .find_map(|(word, colour)| Some(format!("{}{}", line.strip_suffix(word)?, colour(word))));
        let _ = writeln!(text, "{}", coloured.unwrap_or_else(|| line.to_owned()));
    }
    for row in rows.iter().filter(|row| row.failed()) {
        let _ = write!(text, "\n{} {}: {}", bad("failed"), row.case, row.finding);
    }
    if rows.iter().any(Row::failed) {
        text.push('\n');
    }
    text
}

fn json(rows: &[Row<'_>]) -> Value {
    let object = |row: &Row<'_>| {
        json!({
            "case": row.case,
            "quantity": row.finding.what,
            "exact": row.finding.published,
            "ours": row.finding.ours,
            "error": row.error(),
            "band": row.finding.band.to_string(),
            "verdict": row.verdict(),
            "reason": row.finding.reason,
        })
    };
    rows.iter().map(object).collect()
}

fn closing_words(cases: &[&Case], page: &Path) -> String {
    let plural = if cases.len() == 1 { "case" } else { "cases" };
    format!("\n{} {plural}, all passed. Sources, figures and reasons: {}\n", cases.len(), page.display())
}

fn list() -> String {
    let width = CASES.iter().map(|case| case.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut group = None;
    for case in CASES {
        if group != Some(case.group) {
            let gap = if group.is_some() { "\n" } else { "" };
            let _ = writeln!(text, "{gap}{}", heading(&case.group.to_string()));
            group = Some(case.group);
        }
        let source = case.sources.first().map_or("", |source| source.short);
        let _ = writeln!(text, "  {:width$}  {} ({source})", case.id, case.title);
    }
    text
}

/// The cases asked for, each once; all of them if none is.
fn chosen(wanted: &[&'static Case]) -> Vec<&'static Case> {
    let is_wanted = |case: &&Case| wanted.is_empty() || wanted.iter().any(|other| other.id == case.id);
    CASES.iter().filter(is_wanted).collect()
}

fn case(text: &str) -> Result<&'static Case, String> {
    verify::find(&plain(text)).ok_or_else(|| unknown("verification case", text, ids().into_iter()))
}

fn spoilt(text: &str) -> Result<Spoilt, String> {
    let expected = || format!("expected a parameter and a number such as gravity=9.80665, found {text:?}");
    let (parameter, value) = text.split_once('=').ok_or_else(expected)?;
    let value = value.trim().parse().map_err(|_| expected())?;
    Ok(Spoilt { parameter: parameter.trim().to_owned(), value })
}

fn ids() -> Vec<&'static str> {
    CASES.iter().map(|case| case.id).collect()
}
