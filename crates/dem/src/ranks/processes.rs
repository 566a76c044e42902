//! Other processes, before an engine is spread over them.

use super::peers::{Lost, Peers};
use std::sync::{Mutex, PoisonError};

/// The other processes that wait for rank 0, until an engine [takes](Self::take) them.
#[derive(Debug)]
pub struct Processes {
    peers: Mutex<Option<Box<dyn Peers>>>,
    told: String,
}

impl Processes {
    /// These, and what a person is told of them, to follow "runs on".
    pub fn new(peers: Box<dyn Peers>, told: String) -> Self {
        Self { peers: Mutex::new(Some(peers)), told }
    }

    /// What a person is told of them.
    pub fn told(&self) -> &str {
        &self.told
    }

    /// The processes, for the one engine that is spread over them.
    pub fn take(&self) -> Option<Box<dyn Peers>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Whether all ranks are ready, which all of them have to ask at the same time. Else rank 0 is told who is not, and why; the others,
/// that somebody is not.
pub fn all_ready(peers: &mut dyn Peers, ready: Result<(), String>) -> Result<Result<(), String>, Lost> {
    let mut unready = [u64::from(ready.is_err())];
    peers.maxima(&mut unready)?;
    if unready[0] == 0 {
        return Ok(Ok(()));
    }
    let reasons = peers.gather(ready.err().unwrap_or_default().into_bytes())?;
    let first = reasons.iter().enumerate().find(|(_, reason)| !reason.is_empty());
    Ok(Err(first.map_or_else(String::new, |(rank, reason)| {
        format!("rank {rank} cannot take part: {}", String::from_utf8_lossy(reason))
    })))
}
