//! When a run has to stop before its end: a person says so, the system does, or its time is over.

use crate::signals::Interrupt;
use std::time::{Duration, Instant};
use std::{fmt, io};

/// Whoever may stop a run.
pub(super) struct Stop {
    interrupt: Interrupt,
    /// When its time is over; how long it was.
    limit: Option<(Instant, Duration)>,
    /// A run that has done nothing yet goes on even if its time is over: one that is started again and again comes to its end.
    advanced: bool,
}

/// Why a run had to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Person,
    System,
    TimeLimit(Duration),
}

impl fmt::Display for Why {
    /// To be followed by what became of the run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person | Self::System => Ok(()),
            Self::TimeLimit(limit) => write!(f, "the time limit of {} s is over; ", limit.as_secs_f64()),
        }
    }
}

impl Stop {
    /// Catches signals from now on, and counts the time from when the program was started.
    pub(super) fn catch(limit: Option<Duration>) -> io::Result<Self> {
        // Reading the scene and placing its bodies counts, since the queue counts it.
        let limit = limit.map(|limit| (crate::started() + limit, limit));
        Ok(Self { interrupt: Interrupt::catch_to_resume()?, limit, advanced: false })
    }

    /// The run has come further.
    pub(super) fn has_advanced(&mut self) {
        self.advanced = true;
    }

    /// Whether it has to stop now.
    pub(super) fn is_due(&self) -> bool {
        self.interrupt.requested() || self.is_over()
    }

    fn is_over(&self) -> bool {
        self.advanced && self.limit.is_some_and(|(end, _)| Instant::now() >= end)
    }

    /// Why it has to.
    pub(super) fn why(&self) -> Why {
        match self.limit {
            _ if self.interrupt.by_system() => Why::System,
            _ if self.interrupt.requested() => Why::Person,
            Some((_, limit)) => Why::TimeLimit(limit),
            None => Why::Person,
        }
    }
}
