//! Ranks that are threads of one process, joined by channels: as many as one likes on any machine, without anything to install.
//!
//! There is a channel for each rank and each other one, which keeps the order of its messages. As all ranks call the same methods in
//! the same order, a message needs no name. A rank that ends, however it does, takes its ends of the channels along, so that nobody
//! waits for it for ever.

use super::peers::{Lost, Peers};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A rank that is a thread of this process.
#[derive(Debug)]
pub struct Channels {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

impl Channels {
    /// So many ranks, each of which knows all others.
    ///
    /// ```
    /// use tumble_dem::ranks::{Channels, Peers};
    /// let ranks = Channels::join(3);
    /// std::thread::scope(|scope| {
    ///     for mut peers in ranks {
    ///         scope.spawn(move || {
    ///             let mut numbers = [peers.rank() as u64, 7];
    ///             peers.maxima(&mut numbers).unwrap();
    ///             assert_eq!(numbers, [2, 7]);
    ///         });
    ///     }
    /// });
    /// ```
    pub fn join(count: usize) -> Vec<Self> {
        let new = |rank| Self { rank, to: Vec::with_capacity(count), from: Vec::with_capacity(count) };
        let mut ranks: Vec<Self> = (0..count).map(new).collect();
        for sender in 0..count {
            for receiver in 0..count {
                let (to, from) = channel();
                ranks[sender].to.push(to);
                ranks[receiver].from.push(from);
            }
        }
        ranks
    }

    fn send(&self, rank: usize, message: Vec<u8>) -> Result<(), Lost> {
        self.to[rank].send(message).map_err(|_| Lost { rank })
    }

    fn receive(&self, rank: usize) -> Result<Vec<u8>, Lost> {
        self.from[rank].recv().map_err(|_| Lost { rank })
    }

    /// Who is next to rank 0 on the way from here. Messages for all go along these ways, as many steps as the logarithm of the
    /// number of ranks.
    fn above(&self) -> Option<usize> {
        (self.rank > 0).then(|| (self.rank - 1) / 2)
    }

    /// Those for whom this rank is that.
    fn below(&self) -> impl Iterator<Item = usize> + use<> {
        let count = self.count();
        (2 * self.rank + 1..2 * self.rank + 3).filter(move |rank| *rank < count)
    }

    fn reduce(&mut self, numbers: &mut [u64], both: fn(u64, u64) -> u64) -> Result<(), Lost> {
        for rank in self.below() {
            let theirs = self.receive(rank)?;
            for (number, other) in numbers.iter_mut().zip(of_bytes(&theirs)) {
                *number = both(*number, other);
            }
        }
        if let Some(rank) = self.above() {
            self.send(rank, to_bytes(numbers))?;
        }
        let all = self.broadcast(to_bytes(numbers))?;
        for (number, reduced) in numbers.iter_mut().zip(of_bytes(&all)) {
            *number = reduced;
        }
        Ok(())
    }
}

impl Peers for Channels {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn exchange(&mut self, to: Vec<(usize, Vec<u8>)>, from: &[usize]) -> Result<Vec<Vec<u8>>, Lost> {
        to.into_iter().try_for_each(|(rank, message)| self.send(rank, message))?;
        from.iter().map(|rank| self.receive(*rank)).collect()
    }

    fn maxima(&mut self, numbers: &mut [u64]) -> Result<(), Lost> {
        self.reduce(numbers, u64::max)
    }

    fn sums(&mut self, numbers: &mut [u64]) -> Result<(), Lost> {
        self.reduce(numbers, u64::wrapping_add)
    }

    fn gather(&mut self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        self.send(0, message)?;
        if self.rank > 0 {
            return Ok(Vec::new());
        }
        (0..self.count()).map(|rank| self.receive(rank)).collect()
    }

    fn broadcast(&mut self, message: Vec<u8>) -> Result<Vec<u8>, Lost> {
        let message = match self.above() {
            Some(rank) => self.receive(rank)?,
            None => message,
        };
        self.below().try_for_each(|rank| self.send(rank, message.clone()))?;
        Ok(message)
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        messages.into_iter().enumerate().try_for_each(|(rank, message)| self.send(rank, message))?;
        (0..self.count()).map(|rank| self.receive(rank)).collect()
    }
}

fn to_bytes(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn of_bytes(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks().0.iter().map(|chunk| u64::from_le_bytes(*chunk))
}
