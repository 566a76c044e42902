//! Those who do the steps of an engine that is spread over ranks: threads of this process, or processes of which this is the first.
//!
//! Ranks in other processes wait for [orders](Order) of rank 0. With the first one, and whenever something but steps has changed the
//! state, they are told all that they have to know beside their bodies; what can only be found by asking the program that set the
//! engine up, such as motions of walls, each finds for itself from what that program [passed on](crate::Solver::pass_on).

use super::channels::Channels;
use super::link::{Halt, Link};
use super::order::{Beginning, Order};
use super::ownership::Ownership;
use super::part::{AllBodies, Gathered, Part};
use super::peers::Peers;
use crate::engine::Engine;
use crate::error::Error;
use crate::parallel::Threads;

/// What became of some steps.
pub(super) enum Went {
    /// They are done.
    Done(Gathered),
    /// By this step something was wrong.
    Wrong(u64),
    /// Ranks could not go on together.
    Halted,
}

impl From<Result<(Option<u64>, Gathered), Halt>> for Went {
    fn from(outcome: Result<(Option<u64>, Gathered), Halt>) -> Self {
        match outcome {
            Ok((None, gathered)) => Self::Done(gathered),
            Ok((Some(suspect), _)) => Self::Wrong(suspect),
            Err(Halt) => Self::Halted,
        }
    }
}

/// Who does the steps.
#[derive(Debug)]
pub(super) enum Crew {
    /// Ranks that are threads of this process.
    Here(Vec<Part>),
    /// Ranks that are processes, of which this is the first.
    Across(Box<First>),
}

impl Crew {
    /// So many ranks of this process, without bodies.
    pub(super) fn here(whole: &Engine, ranks: usize, threads: usize) -> Result<Self, Error> {
        let part = |peers: Channels| {
            Ok(Part::new(whole, Box::new(peers), &Threads::new(threads)?, Ownership::none()))
        };
        Ok(Self::Here(Channels::join(ranks).into_iter().map(part).collect::<Result<_, Error>>()?))
    }

    /// The first of several processes, without bodies.
    pub(super) fn across(whole: &Engine, peers: Box<dyn Peers>) -> Self {
        let part = Part::new(whole, peers, &whole.threads, Ownership::none());
        Self::Across(Box::new(First { part, note: Vec::new(), untold: None }))
    }

    /// Whether some have left the others, so that there have to be new ones.
    pub(super) fn is_broken(&self, ranks: usize) -> bool {
        match self {
            Self::Here(parts) => parts.iter().any(|part| part.link.count() != ranks),
            Self::Across(_) => false,
        }
    }

    /// The rank that knows how far all have come.
    pub(super) fn first(&self) -> Option<&Part> {
        match self {
            Self::Here(parts) => parts.first(),
            Self::Across(first) => Some(&first.part),
        }
    }

    /// Does all steps up to and with the last one: with the bodies that ranks have, or with others where an engine is now.
    pub(super) fn go(
        &mut self,
        begin: Option<(&Engine, Ownership, Vec<Vec<u8>>)>,
        last: u64,
    ) -> Result<Went, Error> {
        match self {
            Self::Here(parts) => {
                let mut parcels = vec![None; parts.len()];
                if let Some((whole, ownership, new)) = begin {
                    for part in &mut *parts {
                        part.reset(whole, AllBodies::of(whole), ownership.clone());
                    }
                    parcels = new.into_iter().map(Some).collect();
                }
                Ok(together(parts, parcels, last).into())
            }
            Self::Across(first) => first.go(begin, last),
        }
    }
}

/// Has threads do steps, and gives what the first of them tells.
fn together(
    parts: &mut [Part],
    parcels: Vec<Option<Vec<u8>>>,
    last: u64,
) -> Result<(Option<u64>, Gathered), Halt> {
    let outcomes: Vec<Result<_, Halt>> = std::thread::scope(|scope| {
        let attempt =
            |part, parcel: Option<Vec<u8>>| move || Attempt { part, done: false }.go(parcel.as_deref(), last);
        let given = parts.iter_mut().zip(parcels);
        let threads: Vec<_> = given.map(|(part, parcel)| scope.spawn(attempt(part, parcel))).collect();
        let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|outcome| outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut outcomes = outcomes.into_iter().collect::<Result<Vec<_>, Halt>>()?;
    Ok(outcomes.swap_remove(0))
}

/// A rank on its way. If it does not come to its end, however that may be, it leaves the others, so that nobody waits for it.
struct Attempt<'a> {
    part: &'a mut Part,
    done: bool,
}

impl Attempt<'_> {
    fn go(mut self, parcel: Option<&[u8]>, last: u64) -> Result<(Option<u64>, Gathered), Halt> {
        let outcome = self.part.go(parcel, last);
        self.done = outcome.is_ok();
        outcome
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.part.link.leave();
        }
    }
}

/// The first of several processes, who tells the others what to do.
#[derive(Debug)]
pub(super) struct First {
    part: Part,
    /// What was passed on by whoever set the engine up.
    note: Vec<u8>,
    /// What was changed since.
    untold: Option<&'static str>,
}

impl First {
    /// What others have to know to set up engines like this one.
    pub(super) fn pass_on(&mut self, note: &[u8]) {
        self.note = note.to_vec();
        self.untold = None;
    }

    /// Something that cannot be sent was changed.
    pub(super) fn has_changed(&mut self, what: &'static str) {
        self.untold = Some(what);
    }

    fn go(&mut self, begin: Option<(&Engine, Ownership, Vec<Vec<u8>>)>, last: u64) -> Result<Went, Error> {
        if let (Some(what), true) = (self.untold, begin.is_some()) {
            let reason = format!("{what} changed by hand, which ranks in other processes cannot be told");
            return Err(Error::Device { reason });
        }
        let lost = |lost: super::Lost| Error::Device { reason: lost.to_string() };
        let Some((whole, ownership, parcels)) = begin else {
            self.part.link.broadcast(Order { last, begin: None }.to_bytes()).map_err(lost)?;
            return Ok(self.part.go(None, last).into());
        };
        let all = AllBodies::of(whole);
        let beginning = Beginning {
            note: self.note.clone(),
            outline: whole.outline(),
            ownership: ownership.clone(),
            all,
        };
        self.part.reset(whole, all, ownership);
        let link: &mut Link = &mut self.part.link;
        link.broadcast(Order { last, begin: Some(beginning) }.to_bytes()).map_err(lost)?;
        link.all_ready(Ok(())).map_err(lost)?.map_err(|reason| Error::Device { reason })?;
        let parcel = link.scatter(parcels).map_err(lost)?;
        Ok(self.part.go(Some(&parcel), last).into())
    }
}

impl Drop for First {
    /// There is nothing more to do. Where something went so wrong that all processes will be ended, nobody is told any more.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = self.part.link.broadcast(Order::END.to_vec());
        }
    }
}
