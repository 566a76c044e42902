//! What ranks need of each other, whatever carries their messages.
//!
//! All ranks call the same methods in the same order, with the exception of [`Peers::exchange`], in which a rank takes part that has
//! something to say or to hear. Nothing is ever added up in floating point on the way: maxima and sums are those of integers, which
//! have no order, so that no result depends on who meets whom first.

use core::fmt;

/// The other ranks, as one of them sees them.
pub trait Peers: fmt::Debug + Send {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn count(&self) -> usize;

    /// Sends messages to some ranks, and gives those that these others send, in the order in which they are named.
    fn exchange(&mut self, to: Vec<(usize, Vec<u8>)>, from: &[usize]) -> Result<Vec<Vec<u8>>, Lost>;

    /// Makes each number the largest that any rank gave.
    fn maxima(&mut self, numbers: &mut [u64]) -> Result<(), Lost>;

    /// Makes each number the sum of what all ranks gave, which has to fit.
    fn sums(&mut self, numbers: &mut [u64]) -> Result<(), Lost>;

    /// Gives rank 0 the message of each, in their order, and the others nothing.
    fn gather(&mut self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost>;

    /// Gives everybody the message of rank 0.
    fn broadcast(&mut self, message: Vec<u8>) -> Result<Vec<u8>, Lost>;

    /// Sends a message to each rank, in their order, this one included, and gives those that it gets.
    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost>;
}

/// A rank does not answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Which.
    pub rank: usize,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} does not answer any more", self.rank)
    }
}

impl std::error::Error for Lost {}

/// A rank without others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Peers for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn exchange(&mut self, to: Vec<(usize, Vec<u8>)>, _: &[usize]) -> Result<Vec<Vec<u8>>, Lost> {
        Ok(to.into_iter().map(|(_, message)| message).collect())
    }

    fn maxima(&mut self, _: &mut [u64]) -> Result<(), Lost> {
        Ok(())
    }

    fn sums(&mut self, _: &mut [u64]) -> Result<(), Lost> {
        Ok(())
    }

    fn gather(&mut self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        Ok(vec![message])
    }

    fn broadcast(&mut self, message: Vec<u8>) -> Result<Vec<u8>, Lost> {
        Ok(message)
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        Ok(messages)
    }
}
