//! A rank's side of all messages: what the engine asks of others, in its own terms, with what that costs.

use super::peers::{Alone, Lost, Peers};
use super::processes::all_ready;
use crate::error::Error;
use core::time::Duration;
use std::time::Instant;

/// Ranks cannot go on together: one is gone, or was sent what makes no sense, as where numbers are not finite any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Halt;

impl From<Lost> for Halt {
    fn from(_: Lost) -> Self {
        Self
    }
}

/// The other ranks, and what was sent to them.
#[derive(Debug)]
pub(super) struct Link {
    peers: Box<dyn Peers>,
    /// Messages in steps, their bytes, and those of builds.
    pub(super) messages: u64,
    pub(super) bytes: u64,
    pub(super) bytes_of_builds: u64,
    /// How long it took to be answered in steps, mostly by ranks that had more to do.
    pub(super) waited: Duration,
}

impl Link {
    pub(super) fn new(peers: Box<dyn Peers>) -> Self {
        Self { peers, messages: 0, bytes: 0, bytes_of_builds: 0, waited: Duration::ZERO }
    }

    /// Whoever waits for this rank is told that it is gone.
    pub(super) fn leave(&mut self) {
        self.peers = Box::new(Alone);
    }

    pub(super) fn rank(&self) -> usize {
        self.peers.rank()
    }

    pub(super) fn count(&self) -> usize {
        self.peers.count()
    }

    /// What neighbours tell each other in a step.
    pub(super) fn exchange(
        &mut self,
        to: Vec<(usize, Vec<u8>)>,
        from: &[usize],
    ) -> Result<Vec<Vec<u8>>, Lost> {
        self.messages += to.len() as u64;
        self.bytes += to.iter().map(|(_, message)| message.len() as u64).sum::<u64>();
        let begin = Instant::now();
        let received = self.peers.exchange(to, from);
        self.waited += begin.elapsed();
        received
    }

    /// The largest displacement of any rank, and of each question whether any says yes to it.
    pub(super) fn longest<const N: usize>(
        &mut self,
        displacement: f64,
        any: [bool; N],
    ) -> Result<(f64, [bool; N]), Lost> {
        // Of numbers that are not negative the larger one has the larger bits, and NaN has larger ones than any.
        let questions = any.into_iter().map(u64::from);
        let mut numbers: Vec<u64> = [displacement.abs().to_bits()].into_iter().chain(questions).collect();
        let begin = Instant::now();
        self.peers.maxima(&mut numbers)?;
        self.waited += begin.elapsed();
        Ok((f64::from_bits(numbers[0]), core::array::from_fn(|question| numbers[question + 1] > 0)))
    }

    /// The largest of each number.
    pub(super) fn maxima(&mut self, numbers: &mut [u64]) -> Result<(), Lost> {
        self.peers.maxima(numbers)
    }

    /// The sum of each number.
    pub(super) fn sums(&mut self, numbers: &mut [u64]) -> Result<(), Lost> {
        self.peers.sums(numbers)
    }

    /// What a rank found, if no rank found anything wrong. All of them ask at the same time, so that they halt together and none waits
    /// for another one.
    pub(super) fn agree<T>(&mut self, found: Result<T, Error>) -> Result<T, Halt> {
        let mut wrong = [u64::from(found.is_err())];
        self.peers.maxima(&mut wrong)?;
        found.ok().filter(|_| wrong[0] == 0).ok_or(Halt)
    }

    /// Whether [all are ready](all_ready).
    pub(super) fn all_ready(&mut self, ready: Result<(), String>) -> Result<Result<(), String>, Lost> {
        all_ready(&mut *self.peers, ready)
    }

    /// The message that rank 0 has for this one; the others give none.
    pub(super) fn scatter(&mut self, mut messages: Vec<Vec<u8>>) -> Result<Vec<u8>, Lost> {
        messages.resize(self.count(), Vec::new());
        Ok(self.peers.all_to_all(messages)?.swap_remove(0))
    }

    /// The box that holds the boxes of all ranks: its low and its high corner.
    pub(super) fn around_all(&mut self, [low, high]: [[f64; 3]; 2]) -> Result<[[f64; 3]; 2], Lost> {
        let mut numbers: Vec<u64> =
            low.map(|x| !ascending(x)).into_iter().chain(high.map(ascending)).collect();
        self.peers.maxima(&mut numbers)?;
        let [a, b, c, d, e, f] = core::array::from_fn(|k| numbers[k]);
        Ok([[a, b, c].map(|bits| of_ascending(!bits)), [d, e, f].map(of_ascending)])
    }

    /// Gives everybody the message of each.
    pub(super) fn tell_all(&mut self, message: &[u8]) -> Result<Vec<Vec<u8>>, Lost> {
        self.all_to_all(vec![message.to_vec(); self.count()])
    }

    /// The pairs of bodies that any rank names, in their order.
    pub(super) fn all_pairs(&mut self, pairs: &[[u32; 2]]) -> Result<Vec<[u32; 2]>, Lost> {
        let message: Vec<u8> = pairs.iter().flatten().flat_map(|id| id.to_le_bytes()).collect();
        let told = self.tell_all(&message)?;
        let ids = |bytes: &[u8; 8]| {
            let [a, b, c, d, e, f, g, h] = *bytes;
            [[a, b, c, d], [e, f, g, h]].map(u32::from_le_bytes)
        };
        let mut all: Vec<[u32; 2]> =
            told.iter().flat_map(|bytes| bytes.as_chunks().0.iter().map(ids)).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// A message to each rank.
    pub(super) fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        let own = self.rank();
        let others = messages.iter().enumerate().filter(|(rank, _)| *rank != own);
        self.bytes_of_builds += others.map(|(_, message)| message.len() as u64).sum::<u64>();
        self.peers.all_to_all(messages)
    }

    /// What rank 0 says.
    pub(super) fn broadcast(&mut self, message: Vec<u8>) -> Result<Vec<u8>, Lost> {
        self.peers.broadcast(message)
    }

    /// For rank 0 what all say.
    pub(super) fn gather(&mut self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        self.peers.gather(message)
    }
}

/// Bits that are the larger the larger a number is, with its sign.
fn ascending(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

fn of_ascending(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits & !(1 << 63) } else { !bits })
}

/// Numbers as bytes.
pub(super) fn to_bytes(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(f64::to_le_bytes).collect()
}

/// The numbers of bytes.
pub(super) fn of_bytes(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(|chunk| f64::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::{ascending, of_ascending};

    #[test]
    #[allow(clippy::float_cmp, reason = "copies")]
    fn bits_ascend_with_their_numbers() {
        let numbers = [f64::NEG_INFINITY, -2.0, -1e-310, -0.0, 0.0, 3e-320, 1.0, f64::INFINITY];
        assert!(numbers.is_sorted_by_key(|x| ascending(*x)));
        assert_eq!(numbers.map(|x| of_ascending(ascending(x))), numbers);
    }
}
