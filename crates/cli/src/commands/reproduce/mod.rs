//! `tumble reproduce`: tables and figures of papers computed again, with a report.
//!
//! Whatever takes long is kept run by run in the folder of results, so that the same command goes on after an
//! interruption, and comes back with the same report at once when everything is there.

mod folder;
mod options;
mod print;
mod standing;

pub(crate) use options::Options;

use crate::failure::Failure;
use crate::output::{self, Format};
use crate::progress::{Clock, Progress};
use crate::signals::Interrupt;
use crate::terminal_plot::Letters;
use crate::values::unknown;
use folder::Folder;
use standing::Standings;
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tumble::output::Machine;
use tumble_report::{Against, Report, Section, Verdict};
use tumble_study::papers::{self, Bench, Effort, Entry, Error, KeptRuns};
use tumble_study::publish;

/// What the options say: which entries, and how much of them.
struct Plan {
    entries: Vec<&'static Entry>,
    effort: Effort,
    threads: NonZero<usize>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.list {
        return output::print(&print::list());
    }
    let plan = Plan {
        entries: chosen(&options.ids)?,
        effort: if options.full { Effort::Full } else { Effort::Quick },
        threads: NonZero::new(usize::from(options.threads)).unwrap_or_else(cores),
    };
    let folder = Folder::take(&options.folder(), options.force)?;
    let interrupt = Interrupt::catch()?;
    let progress = Progress::on_stderr(options.quiet, Letters::from_environment() == Letters::Unicode);
    let begin = Instant::now();
    let done = compute(&plan, options, &folder, &interrupt, progress)?;

    let report = Report {
        title: "The papers, computed again".into(),
        subtitle: subtitle(plan.effort),
        made_by: made_by(&plan, begin.elapsed().as_secs_f64()),
        against: Against::Published,
        sections: done.sections,
    };
    let findings = publish::findings(&report);
    let verdicts = report.sections.iter().map(|section| section.outcome.count(Verdict::Differs));
    let different: usize = verdicts.sum();
    if !options.quiet && options.format != Format::Text {
        // Programs that read the output want one table.
        output::print(&output::table(&findings, options.format))?;
    }
    let count = report.sections.len();
    let page = publish::publish(folder.path(), report)?;
    if !options.quiet && options.format == Format::Text && count > 0 {
        output::print(&print::closing(&page, plan.effort))?;
    }
    if done.interrupted {
        return Err(Failure::Interrupted(format!(
            "{count} of {} entries are finished; finished runs are kept in {}, and the same command goes on \
             from there",
            plan.entries.len(),
            folder.runs().display()
        )));
    }
    if let [first, ..] = done.failures.as_slice() {
        return Err(Failure::Failed(format!(
            "{} of {} entries failed: {first}",
            done.failures.len(),
            plan.entries.len()
        )));
    }
    if different > 0 {
        let plural = if different == 1 { "finding lies" } else { "findings lie" };
        return Err(Failure::NotReproduced(format!("{different} {plural} outside the stated band")));
    }
    Ok(())
}

/// What became of the entries.
#[derive(Default)]
struct Done {
    sections: Vec<Section>,
    failures: Vec<String>,
    interrupted: bool,
}

/// Computes one entry after the other, and tells about each.
fn compute(
    plan: &Plan,
    options: &Options,
    folder: &Folder,
    interrupt: &Interrupt,
    progress: Progress,
) -> Result<Done, Failure> {
    let kept = KeptRuns::new(folder.runs());
    let standings = Standings::new(progress, interrupt.clone(), plan.entries.len());
    let bench = Bench::new(plan.effort).on_threads(plan.threads).keeping(&kept).watched_by(&standings);
    let mut done = Done::default();
    for entry in &plan.entries {
        standings.begin(entry.id);
        match entry.section(&bench) {
            Ok(section) => {
                if !options.quiet && options.format == Format::Text {
                    let text =
                        if plan.entries.len() == 1 { print::whole(&section) } else { print::line(&section) };
                    output::print(&text)?;
                }
                done.sections.push(section);
            }
            Err(Error::Interrupted) => {
                done.interrupted = true;
                break;
            }
            // One that cannot be computed is no reason to lose the others.
            Err(error) => {
                output::warn(&format!("{}: {error}", entry.id));
                done.failures.push(format!("{}: {error}", entry.id));
            }
        }
        if interrupt.requested() && done.sections.len() + done.failures.len() < plan.entries.len() {
            done.interrupted = true;
            break;
        }
    }
    standings.finish();
    Ok(done)
}

/// The entries of these ids, each once, in the order of the list; all if none are given.
fn chosen(ids: &[String]) -> Result<Vec<&'static Entry>, Failure> {
    if ids.is_empty() {
        return Ok(papers::ALL.iter().collect());
    }
    let mut wanted: Vec<&str> = Vec::new();
    for id in ids.iter().flat_map(|ids| ids.split(',')) {
        let found = if id == "all" { papers::ALL.iter().collect() } else { papers::find(id) };
        if found.is_empty() {
            let mut known: Vec<&str> = papers::ALL.iter().map(Entry::key).collect();
            known.dedup();
            let known = papers::ALL.iter().map(|entry| entry.id).chain(known);
            return Err(Failure::BadInput(unknown("table or figure", id, known)));
        }
        wanted.extend(found.iter().map(|entry| entry.id));
    }
    Ok(papers::ALL.iter().filter(|entry| wanted.contains(&entry.id)).collect())
}

fn cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

fn subtitle(effort: Effort) -> String {
    let settings = match effort {
        Effort::Quick => {
            "A quick run: each section says what it left out. `tumble reproduce --full` leaves out nothing."
        }
        Effort::Full => "Computed with the published settings.",
    };
    format!("Tables and figures of four papers beside ours, and experiments past them. {settings}")
}

/// What the report says about its making.
fn made_by(plan: &Plan, seconds: f64) -> Vec<(String, String)> {
    let machine = Machine::this();
    let mut facts = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];
    facts.extend(commit().map(|commit| ("commit", commit)));
    facts.extend([
        ("settings", if plan.effort == Effort::Full { "full" } else { "quick" }.to_owned()),
        ("machine", format!("{}, {} cores, {}", machine.processor, machine.cores, machine.system)),
        ("threads", plan.threads.to_string()),
        ("duration", Clock(std::time::Duration::from_secs_f64(seconds)).to_string()),
        ("date", today()),
    ]);
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The commit of the sources this program was built from, if they are still there and `git` knows.
fn commit() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty"]);
    let answer = git.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    let text = text.trim();
    (answer.status.success() && !text.is_empty()).then(|| text.to_owned())
}

/// The date in UTC, as `2026-01-31`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86400)
}

/// The date so many days after 1970-01-01, in the calendar in use.
fn date(days: u64) -> String {
    // From 0000-03-01 on a year ends with its leap day, and 400 years are 146 097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_days() {
        let dates = [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_483, "2026-01-30")];
        for (days, text) in dates {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn entries_come_once_and_in_the_order_of_the_list() {
        let ids = |ids: &[&str]| {
            let ids: Vec<String> = ids.iter().map(|&id| id.to_owned()).collect();
            chosen(&ids).unwrap().iter().map(|entry| entry.id).collect::<Vec<_>>()
        };
        assert_eq!(
            ids(&["seelen/table1", "pcdm/fig6,pcdm/table2", "pcdm/fig6"]),
            ["pcdm/table2", "pcdm/fig6", "seelen/table1"]
        );
        assert_eq!(ids(&[]).len(), papers::ALL.len());
        assert_eq!(ids(&["all"]).len(), papers::ALL.len());
    }
}
