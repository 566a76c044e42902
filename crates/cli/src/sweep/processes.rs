//! Other processes that work on cases: the first one hands them out, and keeps the ledger.
//!
//! The first process tells another one the place of a case in the plan, which all have made for themselves; it is told what came of it, as
//! bytes. A process has as many cases at a time as it has threads, and gets the next one when one is done, so that none waits for others
//! that have longer ones.

use super::run::{Others, Row, attempt};
use super::{Case, Plan};
use crate::failure::Failure;
use crate::signals::Interrupt;
use crate::team::Team;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;
use tumble::dem::ranks::Peers as _;
use tumble_mpi::Processes;
use tumble_report::Cell;

/// What the first process says that is no case: whatever is begun need not be finished; there is nothing more to do.
const STOP: u64 = u64::MAX - 1;
const END: u64 = u64::MAX;

/// How long a process sleeps that has nothing to do; cases take much longer.
const NAP: Duration = Duration::from_millis(1);

/// The other processes, on the first one.
pub(crate) struct Hands {
    peers: Processes,
    /// Ranks that can take a case, as often as they can.
    idle: VecDeque<usize>,
    interrupt: Interrupt,
}

impl Hands {
    /// All others, who have been told of the plan.
    pub(crate) fn of(team: &Team, interrupt: &Interrupt) -> Result<Self, Failure> {
        // They wait for cases from now on, and for nothing else.
        team.processes().take();
        let mut peers = team.peers();
        let threads = peers.gather(Vec::new()).map_err(|lost| Failure::Failed(lost.to_string()))?;
        let of_rank = |(rank, threads): (usize, &Vec<u8>)| vec![rank; threads.len()];
        // One each before anybody gets a second one.
        let mut idle: Vec<(usize, usize)> =
            threads.iter().enumerate().flat_map(of_rank).enumerate().collect();
        let first = |rank: usize| threads[..rank].iter().map(Vec::len).sum::<usize>();
        idle.sort_by_key(|&(place, rank)| (place - first(rank), rank));
        Ok(Self {
            peers,
            idle: idle.into_iter().map(|(_, rank)| rank).collect(),
            interrupt: interrupt.clone(),
        })
    }

    fn tell_all(&self, what: u64) {
        (1..self.peers.count()).for_each(|rank| self.peers.post(rank, &what.to_le_bytes()));
    }
}

impl Others for Hands {
    fn work(&mut self, next: &dyn Fn() -> Option<usize>, done: &dyn Fn(usize, Result<Row, String>) -> bool) {
        let (mut begun, mut more, mut stopped) = (0_usize, true, false);
        while more || begun > 0 {
            while more && let Some(rank) = self.idle.pop_front() {
                match next() {
                    Some(case) => {
                        self.peers.post(rank, &(case as u64).to_le_bytes());
                        begun += 1;
                    }
                    None => more = false,
                }
            }
            if self.interrupt.requested() && !stopped {
                (more, stopped) = (false, true);
                self.tell_all(STOP);
            }
            let Some((rank, answer)) = self.peers.arrived() else {
                thread::sleep(NAP);
                continue;
            };
            begun -= 1;
            self.idle.push_back(rank);
            let wanted = result_of(&answer).is_some_and(|(case, result)| done(case, result));
            if !wanted && !stopped {
                (more, stopped) = (false, true);
                self.tell_all(STOP);
            }
        }
    }
}

impl Drop for Hands {
    /// Where something went so wrong that all processes will be ended, nobody is told any more.
    fn drop(&mut self) {
        if !thread::panicking() {
            self.tell_all(END);
        }
    }
}

/// Another process: works on the cases that the first one hands out, on its threads.
pub(crate) fn help(
    team: &Team,
    plan: &Plan,
    work: impl Fn(&Case, &Interrupt) -> Result<Row, String> + Sync,
) -> Result<(), Failure> {
    let mut peers = team.peers();
    // As many bytes as threads.
    peers.gather(vec![0; team.threads()]).map_err(|lost| Failure::Failed(lost.to_string()))?;
    let stop = Interrupt::never();
    let (hand_on, cases) = mpsc::channel::<&Case>();
    let cases = Mutex::new(cases);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..team.threads() {
            let sender = sender.clone();
            let (cases, work, stop) = (&cases, &work, &stop);
            scope.spawn(move || {
                let take = || cases.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok(case) = take() {
                    let _ = sender.send((case.index, attempt(|case| work(case, stop), case)));
                }
            });
        }
        loop {
            if let Some((_, order)) = peers.arrived() {
                match order.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)) {
                    None | Some(END) => break,
                    Some(STOP) => stop.request(),
                    Some(number) => {
                        let case = usize::try_from(number).ok().and_then(|number| plan.cases().get(number));
                        if let Some(case) = case {
                            let _ = hand_on.send(case);
                        }
                    }
                }
            } else if let Ok((case, result)) = results.try_recv() {
                peers.post(0, &bytes_of(case, &result));
            } else {
                thread::sleep(NAP);
            }
        }
        drop(hand_on);
    });
    Ok(())
}

/// The place of a case, and what came of it: each cell with its kind, every bit of its numbers.
fn bytes_of(case: usize, result: &Result<Row, String>) -> Vec<u8> {
    let mut bytes = (case as u64).to_le_bytes().to_vec();
    let mut put = |kind: u8, content: &[u8]| {
        bytes.push(kind);
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
    };
    match result {
        Err(error) => put(b'!', error.as_bytes()),
        Ok(row) => row.iter().for_each(|cell| match cell {
            Cell::Text(text) => put(b't', text.as_bytes()),
            Cell::Number(number) => put(b'n', &number.to_le_bytes()),
            Cell::Count(count) => put(b'c', &count.to_le_bytes()),
            Cell::Empty => put(b'e', &[]),
        }),
    }
    bytes
}

fn result_of(bytes: &[u8]) -> Option<(usize, Result<Row, String>)> {
    let (case, mut rest) = bytes.split_first_chunk()?;
    let case = usize::try_from(u64::from_le_bytes(*case)).ok()?;
    let mut row = Vec::new();
    while let Some((kind, after)) = rest.split_first() {
        let (length, after) = after.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (content, after) = after.split_at_checked(length)?;
        rest = after;
        row.push(match kind {
            b'!' => return Some((case, Err(String::from_utf8_lossy(content).into_owned()))),
            b't' => Cell::Text(String::from_utf8_lossy(content).into_owned()),
            b'n' => Cell::Number(f64::from_le_bytes(content.try_into().ok()?)),
            b'c' => Cell::Count(u64::from_le_bytes(content.try_into().ok()?)),
            _ => Cell::Empty,
        });
    }
    Some((case, Ok(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_arrive_as_they_were_sent() {
        let row = vec![Cell::Text("µ, |".into()), Cell::Number(-0.1), Cell::Count(u64::MAX), Cell::Empty];
        for result in [Ok(row), Ok(Vec::new()), Err("no room".to_owned()), Err(String::new())] {
            assert_eq!(result_of(&bytes_of(7, &result)), Some((7, result)));
        }
        assert_eq!(result_of(&[1, 2]), None);
        assert_eq!(result_of(&bytes_of(7, &Err("cut".into()))[..18]), None);
    }
}
