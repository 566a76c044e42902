//! What it costs to be several: counted, and so known on a busy machine as well, but for the time that ranks waited.

use core::time::Duration;

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
    /// Steps that ranks did; the others were done by one engine.
    pub steps: u64,
    /// Messages between neighbours in these steps, of all ranks.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes of bodies and ghosts that were sent when lists were built.
    pub bytes_of_builds: u64,
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

    /// How many times as many bodies as the mean the rank with the most has.
    pub fn imbalance(&self) -> f64 {
        let most = self.bodies.iter().copied().max().unwrap_or(0);
        share(most as f64 * self.ranks() as f64, self.bodies.iter().sum::<usize>() as f64)
    }
}

/// A part of a whole; zero of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
