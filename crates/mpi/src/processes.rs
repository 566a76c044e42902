//! The processes of a program that was launched by `mpirun`, `srun` or their like.

use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{
    Communicator as _, CommunicatorCollectives as _, Destination as _, Root as _, Source as _,
};
use mpi::{Rank, Threading};
use tumble_dem::ranks::{Lost, Peers};

/// The most bytes that are sent at once.
const PIECE: usize = 1 << 30;

/// All processes, as long as it is there. A process that panics ends all of them.
pub struct World {
    _universe: Universe,
}

impl World {
    /// Joins the other processes; to be called once, by each of them. An error says what the MPI library cannot do.
    pub fn join() -> Result<Self, String> {
        // Steps are done by whichever thread of a pool is free, one at a time.
        let (universe, threading) =
            mpi::initialize_with_threading(Threading::Serialized).ok_or("MPI was started already")?;
        if threading < Threading::Serialized {
            return Err("this MPI library cannot be called by several threads, one after the other".into());
        }
        Ok(Self { _universe: universe })
    }

    /// The others, as this process sees them. All that are given out are the same, and are to be used one after the other.
    pub fn peers(&self) -> Processes {
        let world = SimpleCommunicator::world();
        Processes { rank: number(world.rank()), count: number(world.size()) }
    }

    /// What the machine of this process is called.
    pub fn node(&self) -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }

    /// The MPI library, in a few words.
    pub fn library(&self) -> String {
        let whole = mpi::environment::library_version().unwrap_or_default();
        let line = whole.lines().next().unwrap_or_default();
        line.split(", ").next().unwrap_or(line).trim_end_matches('\0').trim().to_owned()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The others wait for this process, and would do so for ever.
            SimpleCommunicator::world().abort(101);
        }
    }
}

/// A rank that is a process.
#[derive(Clone, Debug)]
pub struct Processes {
    rank: usize,
    count: usize,
}

impl Processes {
    /// Sends a message to a rank, which may look for it whenever it wants.
    pub fn post(&self, to: usize, message: &[u8]) {
        send_and_receive(&[(to, message)], &[]);
    }

    /// A message that somebody posted, and who, if there is one.
    pub fn arrived(&self) -> Option<(usize, Vec<u8>)> {
        let world = SimpleCommunicator::world();
        let rank = number(world.any_process().immediate_probe()?.source_rank());
        Some((rank, receive(&world, rank)))
    }
}

impl Peers for Processes {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn exchange(&mut self, to: Vec<(usize, Vec<u8>)>, from: &[usize]) -> Result<Vec<Vec<u8>>, Lost> {
        let to: Vec<(usize, &[u8])> = to.iter().map(|(rank, message)| (*rank, &message[..])).collect();
        Ok(send_and_receive(&to, from))
    }

    fn maxima(&mut self, numbers: &mut [u64]) -> Result<(), Lost> {
        reduce(numbers, SystemOperation::max());
        Ok(())
    }

    fn sums(&mut self, numbers: &mut [u64]) -> Result<(), Lost> {
        reduce(numbers, SystemOperation::sum());
        Ok(())
    }

    fn gather(&mut self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, Lost> {
        if self.rank > 0 {
            send_and_receive(&[(0, &message)], &[]);
            return Ok(Vec::new());
        }
        let others: Vec<usize> = (1..self.count).collect();
        let mut all = send_and_receive(&[], &others);
        all.insert(0, message);
        Ok(all)
    }

    fn broadcast(&mut self, mut message: Vec<u8>) -> Result<Vec<u8>, Lost> {
        let world = SimpleCommunicator::world();
        let first = world.process_at_rank(0);
        let mut length = message.len() as u64;
        first.broadcast_into(&mut length);
        message.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
        message.chunks_mut(PIECE).for_each(|piece| first.broadcast_into(piece));
        Ok(message)
    }

    fn all_to_all(&mut self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        let lengths: Vec<u64> = messages.iter().map(|message| message.len() as u64).collect();
        let mut coming = vec![0_u64; self.count];
        SimpleCommunicator::world().all_to_all_into(&lengths[..], &mut coming[..]);
        let others = |rank: &usize| *rank != self.rank;
        let to: Vec<(usize, &[u8])> = (0..self.count)
            .filter(|rank| others(rank) && lengths[*rank] > 0)
            .map(|rank| (rank, &messages[rank][..]))
            .collect();
        let from: Vec<usize> = (0..self.count).filter(|rank| others(rank) && coming[*rank] > 0).collect();
        let received = send_and_receive(&to, &from);
        let mut all = vec![Vec::new(); self.count];
        for (rank, message) in from.into_iter().zip(received) {
            all[rank] = message;
        }
        let own = self.rank;
        all[own] = messages.into_iter().nth(own).unwrap_or_default();
        Ok(all)
    }
}

/// Sends messages without waiting for anybody, receives those of some ranks, and waits until all are on their way.
fn send_and_receive(to: &[(usize, &[u8])], from: &[usize]) -> Vec<Vec<u8>> {
    let world = SimpleCommunicator::world();
    let pieces: Vec<(usize, &[u8])> =
        to.iter().flat_map(|(rank, message)| in_pieces(message).map(move |piece| (*rank, piece))).collect();
    mpi::request::multiple_scope(pieces.len(), |scope, requests| {
        for (rank, piece) in pieces {
            requests.add(world.process_at_rank(mpi_rank(rank)).immediate_send(scope, piece));
        }
        let received = from.iter().map(|rank| receive(&world, *rank)).collect();
        let mut done = Vec::new();
        requests.wait_all(&mut done);
        received
    })
}

fn reduce(numbers: &mut [u64], operation: SystemOperation) {
    let own = numbers.to_vec();
    SimpleCommunicator::world().all_reduce_into(&own[..], numbers, operation);
}

/// A message in pieces, of which all but the last are full; that may be empty.
fn in_pieces(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    let full = message.len() / PIECE;
    (0..=full).map(move |number| &message[number * PIECE..message.len().min((number + 1) * PIECE)])
}

fn receive(world: &SimpleCommunicator, rank: usize) -> Vec<u8> {
    let source = world.process_at_rank(mpi_rank(rank));
    let mut message = Vec::new();
    loop {
        let (piece, _) = source.receive_vec::<u8>();
        let last = piece.len() < PIECE;
        if message.is_empty() {
            message = piece;
        } else {
            message.extend(piece);
        }
        if last {
            return message;
        }
    }
}

fn number(rank: Rank) -> usize {
    usize::try_from(rank).unwrap_or(0)
}

fn mpi_rank(rank: usize) -> Rank {
    Rank::try_from(rank).unwrap_or(Rank::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_piece_is_not_full() {
        let lengths = |length: usize| -> Vec<usize> {
            // Nobody looks at what is in it.
            let message = vec![0; length];
            in_pieces(&message).map(<[u8]>::len).collect()
        };
        assert_eq!(lengths(0), [0]);
        assert_eq!(lengths(5), [5]);
        assert_eq!(lengths(PIECE), [PIECE, 0]);
        assert_eq!(lengths(PIECE + 1), [PIECE, 1]);
    }
}
