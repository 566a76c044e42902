//! Works through a plan on several threads; one of them keeps the ledger.

use super::{Case, Ledger, LedgerError, Plan};
use crate::signals::Interrupt;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{sync::mpsc, thread};
use tumble_report::Cell;

/// What a case gives: a cell for each column of results.
pub type Row = Vec<Cell>;

/// A case that has just been finished.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    /// The case.
    pub case: &'a Case,
    /// Why it failed, if it did.
    pub error: Option<&'a str>,
    /// Finished cases of the plan, this one and those of earlier runs included.
    pub done: usize,
    /// All cases of the plan.
    pub total: usize,
}

/// How a study went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cases finished in this run.
    pub finished: usize,
    /// Those of them that failed.
    pub failed: usize,
    /// Cases that were finished before.
    pub skipped: usize,
    /// Cases not run, because of an interrupt.
    pub left: usize,
}

/// Others that work on cases beside the threads of this process.
pub trait Others: Send {
    /// Works on the cases, by their places in the plan, that `next` gives, until it gives none; then comes back when all of these are
    /// done. `done` is told what came of each, and is false where nobody wants to know any more.
    fn work(&mut self, next: &dyn Fn() -> Option<usize>, done: &dyn Fn(usize, Result<Row, String>) -> bool);
}

/// Runs every case of the plan that the ledger does not have yet, on so many threads, and puts the rows in the
/// order of the plan when all are there.
///
/// After an interrupt no case is begun, and one that then fails is not recorded: it was probably interrupted
/// itself, and will be run again. A case that panics has failed.
pub fn run(
    plan: &Plan,
    ledger: &mut Ledger,
    workers: usize,
    interrupt: &Interrupt,
    work: impl Fn(&Case) -> Result<Row, String> + Sync,
    report: impl FnMut(Finished),
) -> Result<Summary, LedgerError> {
    run_beside(None, plan, ledger, workers, interrupt, work, report)
}

/// The same, with others that work on cases as well.
pub fn run_beside(
    others: Option<&mut dyn Others>,
    plan: &Plan,
    ledger: &mut Ledger,
    workers: usize,
    interrupt: &Interrupt,
    work: impl Fn(&Case) -> Result<Row, String> + Sync,
    mut report: impl FnMut(Finished),
) -> Result<Summary, LedgerError> {
    let todo: Vec<&Case> = plan.cases().iter().filter(|case| !ledger.is_finished(case)).collect();
    let total = plan.cases().len();
    let mut summary = Summary { skipped: total - todo.len(), ..Summary::default() };
    let (taken, ledger_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    // Without room in between: workers wait until their results are taken, so that few are ever unwritten.
    let (sender, results) = mpsc::sync_channel(0);
    let next = || {
        let goes_on = !interrupt.requested() && !ledger_failed.load(Ordering::Relaxed);
        todo.get(taken.fetch_add(1, Ordering::Relaxed)).copied().filter(|_| goes_on)
    };
    let worker = |sender: mpsc::SyncSender<(usize, Result<Row, String>)>| {
        while let Some(case) = next() {
            if sender.send((case.index, attempt(&work, case))).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, todo.len().max(1)) {
            let sender = sender.clone();
            scope.spawn(|| worker(sender));
        }
        if let Some(others) = others {
            let sender = sender.clone();
            let next = &next;
            scope.spawn(move || {
                others.work(&|| next().map(|case| case.index), &|case, result| {
                    sender.send((case, result)).is_ok()
                });
            });
        }
        drop(sender);
        for (case, result) in results {
            let case = &plan.cases()[case];
            if result.is_err() && interrupt.requested() {
                continue;
            }
            if let Err(error) = ledger.append(case, &result) {
                ledger_failed.store(true, Ordering::Relaxed);
                return Err(error);
            }
            summary.finished += 1;
            summary.failed += usize::from(result.is_err());
            let done = summary.skipped + summary.finished;
            report(Finished { case, error: result.as_ref().err().map(String::as_str), done, total });
        }
        Ok(())
    })?;
    summary.left = todo.len() - summary.finished;
    if summary.left == 0 {
        ledger.sort(plan)?;
    }
    Ok(summary)
}

/// What a case gives; one that panics has failed.
pub(super) fn attempt(work: impl Fn(&Case) -> Result<Row, String>, case: &Case) -> Result<Row, String> {
    catch_unwind(AssertUnwindSafe(|| work(case)))
        .unwrap_or_else(|panic| Err(format!("panicked: {}", message(&*panic))))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
