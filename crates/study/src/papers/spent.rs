//! [`Spent`]: what an entry cost, whenever its runs were computed.

use super::kept::Origin;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The computing behind an entry, or behind several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spent {
    /// Its runs, by what they depend on; entries may share some.
    pub runs: BTreeMap<String, Origin>,
    /// Real time of what is no such run and is computed each time, s.
    pub besides: f64,
}

impl Spent {
    /// How long it takes on one core, s; nothing if some of the runs do not say.
    pub fn seconds(&self) -> Option<f64> {
        (self.unrecorded() == 0).then(|| self.recorded())
    }

    /// What is known of that, s.
    pub fn recorded(&self) -> f64 {
        self.besides + self.runs.values().filter_map(|origin| origin.seconds).sum::<f64>()
    }

    /// Runs that do not say how long they took.
    pub fn unrecorded(&self) -> usize {
        self.runs.values().filter(|origin| origin.seconds.is_none()).count()
    }

    /// How many runs were computed by whom; by nobody where that is not written down.
    pub fn by(&self) -> BTreeMap<Option<&str>, usize> {
        let mut counts = BTreeMap::new();
        for origin in self.runs.values() {
            *counts.entry(origin.by.as_deref()).or_default() += 1;
        }
        counts
    }

    /// Adds the computing of another entry; runs of both count once.
    pub fn add(&mut self, other: &Self) {
        self.runs.extend(other.runs.iter().map(|(inputs, origin)| (inputs.clone(), origin.clone())));
        self.besides += other.besides;
    }
}

/// Counts while an entry is computed.
#[derive(Debug, Default)]
pub(super) struct Tally(Mutex<Counted>);

#[derive(Debug, Default)]
struct Counted {
    runs: BTreeMap<String, Origin>,
    elapsed: Duration,
}

impl Tally {
    /// Runs that were found or computed, in this time.
    pub(super) fn add(&self, elapsed: Duration, runs: impl Iterator<Item = (String, Origin)>) {
        let mut counted = self.lock();
        counted.runs.extend(runs);
        counted.elapsed += elapsed;
    }

    /// All of it, for an entry that took this long from beginning to end.
    pub(super) fn spent(&self, elapsed: Duration) -> Spent {
        let counted = self.lock();
        let besides = elapsed.saturating_sub(counted.elapsed).as_secs_f64();
        Spent { runs: counted.runs.clone(), besides }
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(runs: &[(&str, Option<f64>, Option<&str>)]) -> Spent {
        let origin = |seconds, by: Option<&str>| Origin { seconds, by: by.map(str::to_owned) };
        let runs = runs.iter().map(|&(inputs, seconds, by)| (inputs.to_owned(), origin(seconds, by)));
        Spent { runs: runs.collect(), besides: 0.5 }
    }

    #[test]
    fn shared_runs_count_once() {
        let mut sum = spent(&[("a", Some(1.0), Some("x")), ("b", Some(2.0), Some("x"))]);
        sum.add(&spent(&[("b", Some(2.0), Some("x")), ("c", Some(4.0), Some("y"))]));
        assert_eq!(sum.seconds(), Some(8.0));
        assert_eq!(sum.by(), [(Some("x"), 2), (Some("y"), 1)].into());
    }

    #[test]
    fn a_run_that_does_not_say_leaves_the_sum_open() {
        let some = spent(&[("a", Some(1.0), Some("x")), ("b", None, None)]);
        assert_eq!((some.seconds(), some.recorded(), some.unrecorded()), (None, 1.5, 1));
        assert_eq!(some.by(), [(None, 1), (Some("x"), 1)].into());
    }

    #[test]
    fn what_is_no_run_is_the_rest_of_the_time() {
        let tally = Tally::default();
        tally.add(Duration::from_secs(3), std::iter::once(("a".to_owned(), Origin::default())));
        tally.add(Duration::from_secs(1), std::iter::empty());
        let spent = tally.spent(Duration::from_secs(6));
        assert_eq!((spent.runs.len(), spent.besides), (1, 2.0));
    }
}
