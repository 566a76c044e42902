//! [`Bench`]: where entries are computed: how much of it, on how many threads, who watches, what is kept.

use super::error::Error;
use super::kept::{Job, KeptRun, KeptRuns, Origin, Rows};
use super::spent::Tally;
use crate::parallel;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How much time to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Seconds to half a minute an entry. What is left out is said by
    /// [`Reproduction::shortened`](super::Reproduction).
    Quick,
    /// The published settings: minutes, and hours where they ask for thousands of runs.
    Full,
}

/// What entries are computed with.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    effort: Effort,
    threads: NonZero<usize>,
    kept: Option<&'a KeptRuns>,
    finished_only: bool,
    tally: Option<&'a Tally>,
    watch: &'a dyn Watch,
}

/// Somebody who waits.
pub trait Watch: Sync {
    /// Whether to go on. It is asked every few milliseconds, from any thread.
    fn go_on(&self) -> bool {
        true
    }

    /// A run of the present entry was finished, or some were found; told from any thread.
    fn progress(&self, _progress: RunProgress) {}
}

/// How far the runs of an entry are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunProgress {
    /// Runs that are there now.
    pub done: usize,
    /// Those of them that were kept from earlier.
    pub kept: usize,
    /// All of them.
    pub total: usize,
    /// The part of the work for what was not kept that is done, 0 to 1.
    pub fraction: f64,
}

/// Nobody: nothing is shown, nothing is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Watch for Nobody {}

impl Bench<'static> {
    /// All cores; nothing is kept, nobody watches.
    pub fn new(effort: Effort) -> Self {
        Self {
            effort,
            threads: parallel::cores(),
            kept: None,
            finished_only: false,
            tally: None,
            watch: &Nobody,
        }
    }
}

impl<'a> Bench<'a> {
    /// Computes on this many threads. It changes no result but clock times.
    pub fn on_threads(self, threads: NonZero<usize>) -> Self {
        Self { threads, ..self }
    }

    /// Takes finished runs from there, and keeps new ones.
    pub fn keeping<'b>(self, kept: &'b KeptRuns) -> Bench<'b>
    where
        'a: 'b,
    {
        Bench { kept: Some(kept), ..self }
    }

    /// Computes no runs: entries are made of those that are finished, or fail with
    /// [`NotFinished`](Error::NotFinished). Means over random starts go over those that are there.
    ///
    /// Where nothing is missing it changes nothing.
    pub fn finished_only(self) -> Self {
        Self { finished_only: true, ..self }
    }

    /// Counts what is spent.
    pub(super) fn counting<'b>(self, tally: &'b Tally) -> Bench<'b>
    where
        'a: 'b,
    {
        Bench { tally: Some(tally), ..self }
    }

    /// Tells somebody, who may stop it.
    pub fn watched_by<'b>(self, watch: &'b dyn Watch) -> Bench<'b>
    where
        'a: 'b,
    {
        Bench { watch, ..self }
    }

    /// How much to compute.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// On how many threads.
    pub fn threads(&self) -> NonZero<usize> {
        self.threads
    }

    pub(super) fn is_quick(&self) -> bool {
        self.effort == Effort::Quick
    }

    /// One of two, by the effort.
    pub(super) fn choose<T>(&self, quick: T, full: T) -> T {
        if self.is_quick() { quick } else { full }
    }

    /// Whether to go on; long runs ask it.
    pub(super) fn goes_on(&self) -> bool {
        self.watch.go_on()
    }

    /// The rows of independent runs, one for each item: found among the kept ones, or computed, several at a
    /// time.
    ///
    /// `job` says what a run depends on, and must leave nothing out.
    pub(super) fn runs<T: Sync>(
        &self,
        items: &[T],
        job: impl Fn(&T) -> Job,
        work: impl Fn(&T) -> Result<Rows, Error> + Sync,
    ) -> Result<Vec<Rows>, Error> {
        let rows = self.runs_as_far(items, job, work)?;
        let finished = rows.iter().flatten().count();
        if finished < items.len() {
            return Err(Error::NotFinished { finished, total: items.len() });
        }
        Ok(rows.into_iter().flatten().collect())
    }

    /// The same for entries that can do with some of their runs: nothing stands for one that is missing where
    /// none are to be computed.
    pub(super) fn runs_as_far<T: Sync>(
        &self,
        items: &[T],
        job: impl Fn(&T) -> Job,
        work: impl Fn(&T) -> Result<Rows, Error> + Sync,
    ) -> Result<Vec<Option<Rows>>, Error> {
        let begin = Instant::now();
        let jobs: Vec<Job> = items.iter().map(job).collect();
        let mut found: Vec<Option<KeptRun>> = jobs.iter().map(|job| self.kept?.find(job)).collect();
        let missing: Vec<usize> = (0..items.len()).filter(|&place| found[place].is_none()).collect();
        let to_do: &[usize] = if self.finished_only { &[] } else { &missing };
        let work_to_do: f64 = to_do.iter().map(|&place| jobs[place].cost).sum();
        let kept = items.len() - missing.len();
        let standing = Mutex::new((kept, 0.0));
        let tell = |cost: f64| {
            let mut standing = standing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            standing.0 += usize::from(cost > 0.0);
            standing.1 += cost;
            let fraction = if work_to_do > 0.0 { standing.1 / work_to_do } else { 1.0 };
            self.watch.progress(RunProgress { done: standing.0, kept, total: items.len(), fraction });
        };
        tell(0.0);
        let failed = AtomicBool::new(false);
        let done = parallel::map_on(self.threads, to_do, |&place| {
            if failed.load(Ordering::Relaxed) || !self.goes_on() {
                return Err(Error::Interrupted);
            }
            let run = self.timed(|| work(&items[place])).and_then(|run| {
                self.kept.map_or(Ok(()), |kept| kept.keep(&jobs[place], &run))?;
                Ok(run)
            });
            match &run {
                Ok(_) => tell(jobs[place].cost),
                Err(_) => failed.store(true, Ordering::Relaxed),
            }
            run
        });
        let mut interrupted = false;
        for (&place, run) in to_do.iter().zip(done) {
            match run {
                Ok(run) => found[place] = Some(run),
                // What went wrong comes before what was given up for it.
                Err(Error::Interrupted) => interrupted = true,
                Err(error) => return Err(error),
            }
        }
        if interrupted {
            return Err(Error::Interrupted);
        }
        if let Some(tally) = self.tally {
            let origins = jobs.iter().zip(&found).filter_map(|(job, run)| Some((job, &run.as_ref()?.origin)));
            tally.add(begin.elapsed(), origins.map(|(job, origin)| (job.inputs.clone(), origin.clone())));
        }
        Ok(found.into_iter().map(|run| Some(run?.rows)).collect())
    }

    /// Rows with the time they took.
    fn timed(&self, work: impl FnOnce() -> Result<Rows, Error>) -> Result<KeptRun, Error> {
        let begin = Instant::now();
        let rows = work()?;
        let seconds = begin.elapsed().as_secs_f64();
        let unsigned = Origin { seconds: Some(seconds), by: None };
        Ok(KeptRun { rows, origin: self.kept.map_or(unsigned, |kept| kept.origin(seconds)) })
    }
}

impl std::fmt::Debug for Bench<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { effort, threads, kept, finished_only, .. } = self;
        f.debug_struct("Bench")
            .field("effort", effort)
            .field("threads", threads)
            .field("kept", kept)
            .field("finished_only", finished_only)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "items come by reference")]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    fn job(n: &f64) -> Job {
        Job::new(format!("squares n={n}"), "n,square", 1.0)
    }

    #[expect(clippy::unnecessary_wraps, reason = "as work is")]
    fn square(n: &f64) -> Result<Rows, Error> {
        Ok(vec![vec![*n, n * n]])
    }

    fn items() -> Vec<f64> {
        (0..10).map(f64::from).collect()
    }

    #[test]
    fn finished_runs_are_not_run_again() {
        let folder = std::env::temp_dir().join(format!("tumble-bench-{}", std::process::id()));
        let kept = KeptRuns::new(&folder);
        let bench = Bench::new(Effort::Quick).keeping(&kept);
        let fails = |n: &f64| if (6.5..7.5).contains(n) { Err(Error::Interrupted) } else { square(n) };
        let one = NonZero::<usize>::MIN;
        let items = items();
        let first = bench.on_threads(one).runs(&items, job, fails);
        assert!(matches!(first, Err(Error::Interrupted)));
        let computed = AtomicUsize::new(0);
        let count = |n: &f64| {
            computed.fetch_add(1, Ordering::Relaxed);
            square(n)
        };
        let rows = bench.runs(&items, job, count).unwrap();
        assert_eq!(computed.into_inner(), 3, "7, 8 and 9");
        assert!(items.iter().zip(&rows).all(|(n, rows)| *rows == square(n).unwrap()));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_not_finished_is_not_computed() {
        let folder = std::env::temp_dir().join(format!("tumble-bench-finished-{}", std::process::id()));
        let kept = KeptRuns::new(&folder);
        let bench = Bench::new(Effort::Quick).keeping(&kept);
        let none = |_: &f64| -> Result<Rows, Error> { panic!("nothing is computed") };
        let items = items();
        let rows = bench.runs(&items[..4], job, square).unwrap();
        let lacking = bench.finished_only().runs(&items, job, none);
        assert!(matches!(lacking, Err(Error::NotFinished { finished: 4, total: 10 })), "{lacking:?}");
        let some = bench.finished_only().runs_as_far(&items, job, none).unwrap();
        assert_eq!(
            some.iter().map(Option::is_some).collect::<Vec<_>>(),
            [[true; 4].as_slice(), &[false; 6]].concat()
        );
        assert_eq!(bench.finished_only().runs(&items[..4], job, none).unwrap(), rows);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_went_wrong_comes_before_what_was_given_up() {
        struct Stop;
        impl Watch for Stop {
            fn go_on(&self) -> bool {
                false
            }
        }
        let items = items();
        let stopped = Bench::new(Effort::Quick).watched_by(&Stop).runs(&items, job, square);
        assert!(matches!(stopped, Err(Error::Interrupted)));
        let bad = |n: &f64| {
            if (2.5..3.5).contains(n) {
                Err(tumble_rotation::Error::ZeroQuaternion.into())
            } else {
                square(n)
            }
        };
        let failed = Bench::new(Effort::Quick).runs(&items, job, bad);
        assert!(matches!(failed, Err(Error::Rotation(tumble_rotation::Error::ZeroQuaternion))));
    }

    #[test]
    fn progress_reaches_one() {
        #[derive(Default)]
        struct Last(Mutex<Option<RunProgress>>);
        impl Watch for Last {
            fn progress(&self, progress: RunProgress) {
                *self.0.lock().unwrap() = Some(progress);
            }
        }
        let last = Last::default();
        Bench::new(Effort::Quick).watched_by(&last).runs(&[1.0, 2.0, 3.0], job, square).unwrap();
        let end = RunProgress { done: 3, kept: 0, total: 3, fraction: 1.0 };
        assert_eq!(last.0.into_inner().unwrap(), Some(end));
    }
}
