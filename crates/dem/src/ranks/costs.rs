//! What it costs to be several: counted, and so known on a busy machine as well, but for the time that ranks waited.

use crate::report::StageTimes;
use core::time::Duration;

/// What it costs to move a body, in units of what it costs to look at a listed pair of spheres and to evaluate its contact if there is
/// one: a round number, by which work is counted where it is not timed. It moves borders, and no result.
const BODY_IN_PAIRS: f64 = 6.0;

/// What ranks had to do beside what one process would have had, since the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankCosts {
    /// Threads of each rank.
    pub threads: usize,
    /// Bodies of each rank now.
    pub bodies: Vec<usize>,
    /// Copies of bodies of other ranks that each is told of in every step now.
    pub ghosts: Vec<usize>,
    /// Contacts now, each counted once.
    pub contacts: usize,
    /// Contacts that two ranks evaluate now.
    pub doubled: usize,
    /// Pairs of spheres in the lists of each rank now; those across a border are in two of them.
    pub listed: Vec<usize>,
    /// Steps that ranks did; the others were done by one engine.
    pub steps: u64,
    /// Messages between neighbours in these steps, of all ranks.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes of bodies and ghosts that were sent when lists were built.
    pub bytes_of_builds: u64,
    /// How often lists were built in these steps.
    pub builds: u64,
    /// Bodies that got another owner.
    pub given: u64,
    /// How often boxes were cut anew, since some ranks had more to do than others.
    pub balanced: u64,
    /// How long ranks stepped, all of them together.
    pub stepped: Duration,
    /// How long they waited for each other meanwhile.
    pub waited: Duration,
}

impl RankCosts {
    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.bodies.len()
    }

    /// Ghosts for each body.
    pub fn ghosts_per_body(&self) -> f64 {
        share(self.ghosts.iter().sum::<usize>() as f64, self.bodies.iter().sum::<usize>() as f64)
    }

    /// Bytes that a rank sends in a step, on average.
    pub fn bytes_per_step(&self) -> f64 {
        share(self.bytes as f64, self.steps as f64 * self.ranks() as f64)
    }

    /// Messages that a rank sends in a step, on average.
    pub fn messages_per_step(&self) -> f64 {
        share(self.messages as f64, self.steps as f64 * self.ranks() as f64)
    }

    /// The part of contacts that two ranks evaluate.
    pub fn doubled_share(&self) -> f64 {
        share(self.doubled as f64, self.contacts as f64)
    }

    /// The part of the time that ranks waited for each other.
    pub fn waited_share(&self) -> f64 {
        share(self.waited.as_secs_f64(), self.stepped.as_secs_f64())
    }

    /// Bytes of bodies and ghosts that a rank sends in a build of the lists, on average.
    pub fn bytes_per_build(&self) -> f64 {
        share(self.bytes_of_builds as f64, self.builds as f64 * self.ranks() as f64)
    }

    /// How many times as much as the mean the busiest rank has to do, by [`counted_cost`](Self::counted_cost).
    pub fn imbalance_of_work(&self) -> f64 {
        let works =
            || self.bodies.iter().zip(&self.listed).map(|(&own, &pairs)| Self::counted_cost(own, pairs));
        share(works().fold(0.0, f64::max) * self.ranks() as f64, works().sum())
    }

    /// What a step of so many bodies costs that have so many pairs of spheres in the lists, in units of a pair.
    pub fn counted_cost(bodies: usize, listed: usize) -> f64 {
        BODY_IN_PAIRS * bodies as f64 + listed as f64
    }

    /// How many times as many bodies as the mean the rank with the most has.
    pub fn imbalance(&self) -> f64 {
        let most = self.bodies.iter().copied().max().unwrap_or(0);
        share(most as f64 * self.ranks() as f64, self.bodies.iter().sum::<usize>() as f64)
    }
}

/// What one rank has, and did since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    pub(super) bodies: u64,
    pub(super) ghosts: u64,
    /// Contacts that it and another rank evaluate.
    pub(super) doubled: u64,
    /// Pairs of spheres in its lists.
    pub(super) listed: u64,
    pub(super) messages: u64,
    pub(super) bytes: u64,
    pub(super) bytes_of_builds: u64,
    pub(super) given: u64,
    pub(super) balanced: u64,
    pub(super) waited: Duration,
    pub(super) times: StageTimes,
}

impl Tally {
    /// As integers, durations in ns.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let counts = [
            self.bodies,
            self.ghosts,
            self.doubled,
            self.listed,
            self.messages,
            self.bytes,
            self.bytes_of_builds,
            self.given,
            self.balanced,
            ns(self.waited),
        ];
        let stages = self.times.stages().map(|(_, time)| ns(time));
        let numbers = counts.into_iter().chain(stages).chain([self.times.steps, self.times.builds]);
        numbers.flat_map(u64::to_le_bytes).collect()
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let mut numbers = bytes.as_chunks().0.iter().map(|chunk| u64::from_le_bytes(*chunk));
        let mut next = || numbers.next().unwrap_or(0);
        // In the order in which they are written here, which is that of the bytes.
        Self {
            bodies: next(),
            ghosts: next(),
            doubled: next(),
            listed: next(),
            messages: next(),
            bytes: next(),
            bytes_of_builds: next(),
            given: next(),
            balanced: next(),
            waited: Duration::from_nanos(next()),
            times: {
                let stages = StageTimes::of_stages(|_| Duration::from_nanos(next()));
                StageTimes { steps: next(), builds: next(), ..stages }
            },
        }
    }
}

/// The mean of the times of ranks, and the steps and builds of the first, which all did.
pub(super) fn mean_times(tallies: &[Tally]) -> StageTimes {
    let ranks = u32::try_from(tallies.len().max(1)).unwrap_or(u32::MAX);
    let mean = |of: fn(&StageTimes) -> Duration| {
        tallies.iter().map(|tally| of(&tally.times)).sum::<Duration>() / ranks
    };
    let (steps, builds) = tallies.first().map_or((0, 0), |tally| (tally.times.steps, tally.times.builds));
    StageTimes { steps, builds, ..StageTimes::of_stages(mean) }
}

/// A part of a whole; zero of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_arrives_as_it_was_sent() {
        let mut bytes: Vec<u8> = Vec::new();
        (1..=17_u64).for_each(|number| bytes.extend(number.to_le_bytes()));
        let tally = Tally::of_bytes(&bytes);
        assert_eq!((tally.bodies, tally.waited, tally.times.builds), (1, Duration::from_nanos(10), 17));
        assert_eq!(tally.to_bytes(), bytes);
    }
}
