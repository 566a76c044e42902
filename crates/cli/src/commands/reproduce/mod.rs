//! `tumble reproduce`: tables and figures of papers computed again, with a report.
//!
//! Whatever takes long is kept run by run in the folder of results, so that the same command goes on after an
//! interruption, and comes back with the same report at once when everything is there.

mod folder;
mod maker;
mod options;
mod print;
mod publication;
mod standing;

pub(crate) use options::Options;

use crate::failure::Failure;
use crate::output::{self, Format};
use crate::progress::Progress;
use crate::signals::Interrupt;
use crate::terminal_plot::Letters;
use crate::values::unknown;
use folder::Folder;
use maker::Maker;
use publication::Publication;
use standing::Standings;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::time::Instant;
use tumble_report::{Against, Report, Section, Verdict};
use tumble_study::papers::{self, Bench, Effort, Entry, Error, KeptRuns, Spent};
use tumble_study::publish;

/// What the options say: which entries, and how much of them.
struct Plan {
    entries: Vec<&'static Entry>,
    effort: Effort,
    /// Nothing is computed that runs are kept of.
    finished_only: bool,
    threads: NonZero<usize>,
    /// The command without folders, which are nobody else's.
    command: String,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.list {
        return output::print(&print::list());
    }
    let plan = Plan {
        entries: chosen(&options.ids)?,
        effort: if options.full { Effort::Full } else { Effort::Quick },
        finished_only: options.finished,
        threads: NonZero::new(usize::from(options.threads)).unwrap_or_else(cores),
        command: options.command(),
    };
    let publication = options.publish.as_deref().map(Publication::in_folder).transpose()?;
    let maker = Maker::this();
    let kept = KeptRuns::new(folder::runs_in(&options.folder())).signed(&maker.signature);
    if plan.finished_only && kept.is_empty() {
        return Err(Failure::BadInput(format!(
            "--finished: there are no finished runs in {}; the same command without --finished computes them",
            kept.folder().display()
        )));
    }
    // Whoever only reads runs may do so while another command computes them.
    let reads_only = plan.finished_only && publication.is_some();
    let folder = (!reads_only).then(|| Folder::take(&options.folder(), options.force)).transpose()?;
    let interrupt = Interrupt::catch()?;
    let progress = Progress::on_stderr(options.quiet, Letters::from_environment() == Letters::Unicode);
    let begin = Instant::now();
    let done = compute(&plan, options, &kept, &interrupt, progress)?;
    if done.sections.is_empty()
        && let [first, ..] = done.unfinished.as_slice()
    {
        return Err(Failure::BadInput(format!(
            "--finished: nothing can be reported on; {first} (the same command without --finished goes on with \
             them)"
        )));
    }

    let mut spent = Spent::default();
    done.spent.values().for_each(|of_entry| spent.add(of_entry));
    let report = Report {
        title: "The papers, computed again".into(),
        subtitle: subtitle(&plan),
        made_by: maker.facts(&plan, &spent, begin.elapsed()),
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
    let whole = !done.interrupted && done.failures.is_empty();
    let page = match (&publication, &folder) {
        (Some(publication), _) if whole => Some(publication.write(report, &done.spent, &done.unfinished)?),
        // What was published stays, rather than give way to less.
        (_, Some(folder)) => Some(publish::publish(folder.path(), report)?),
        (_, None) => None,
    };
    if let Some(page) = page
        && !options.quiet
        && options.format == Format::Text
        && count > 0
    {
        output::print(&print::closing(&page, plan.effort))?;
    }
    if done.interrupted {
        return Err(Failure::Interrupted(format!(
            "{count} of {} entries are finished; finished runs are kept in {}, and the same command goes on \
             from there",
            plan.entries.len(),
            kept.folder().display()
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
    /// What was spent on them, by id.
    spent: BTreeMap<String, Spent>,
    failures: Vec<String>,
    /// Entries of which too few runs are finished, a sentence each.
    unfinished: Vec<String>,
    interrupted: bool,
}

/// Computes one entry after the other, and tells about each.
fn compute(
    plan: &Plan,
    options: &Options,
    kept: &KeptRuns,
    interrupt: &Interrupt,
    progress: Progress,
) -> Result<Done, Failure> {
    let standings = Standings::new(progress, interrupt.clone(), plan.entries.len());
    let bench = Bench::new(plan.effort).on_threads(plan.threads).keeping(kept).watched_by(&standings);
    let bench = if plan.finished_only { bench.finished_only() } else { bench };
    let mut done = Done::default();
    for entry in &plan.entries {
        standings.begin(entry.id);
        match entry.section_and_cost(&bench) {
            Ok((section, spent)) => {
                if !options.quiet && options.format == Format::Text {
                    let text =
                        if plan.entries.len() == 1 { print::whole(&section) } else { print::line(&section) };
                    output::print(&text)?;
                }
                done.spent.insert(section.id.clone(), spent);
                done.sections.push(section);
            }
            Err(Error::Interrupted) => {
                done.interrupted = true;
                break;
            }
            Err(error @ Error::NotFinished { .. }) => {
                output::warn(&format!("{} is left out: {error}", entry.id));
                done.unfinished.push(format!("`{}`: {error}", entry.id));
            }
            // One that cannot be computed is no reason to lose the others.
            Err(error) => {
                output::warn(&format!("{}: {error}", entry.id));
                done.failures.push(format!("{}: {error}", entry.id));
            }
        }
        let tried = done.sections.len() + done.failures.len() + done.unfinished.len();
        if interrupt.requested() && tried < plan.entries.len() {
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

fn subtitle(plan: &Plan) -> String {
    let settings = match (plan.effort, plan.finished_only) {
        (Effort::Quick, _) => {
            "A quick run: each section says what it left out. `tumble reproduce --full` leaves out nothing."
        }
        (Effort::Full, false) => "Computed with the published settings.",
        (Effort::Full, true) => {
            "Computed with the published settings, as far as runs are finished: each section says what is missing."
        }
    };
    format!("Tables and figures of five papers beside ours, and experiments past them. {settings}")
}

#[cfg(test)]
mod tests {
    use super::*;

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
