//! The engine whose steps are done by ranks.

use super::build::by_owner;
use super::channels::Channels;
use super::costs::RankCosts;
use super::link::Halt;
use super::ownership::{Cuts, Ownership, Sample};
use super::part::Part;
use crate::engine::{Engine, Settings};
use crate::error::Error;
use crate::parallel::Threads;
use crate::report::{BodyState, ContactState, Ledger, StageTimes, SurfaceState, WallReport};
use crate::saved::Totals;
use crate::solver::{Counts, Edit, Scenery, Solver};
use crate::step::KEEP_EVERY;
use crate::world::BodyId;
use core::time::Duration;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// More would be a mistake: each is a thread or several, with bodies of its own.
const MOST_RANKS: usize = 1024;

/// An engine whose bodies are spread over ranks, which are threads of this process.
///
/// It gives the same bits as [`Engine`], and each goes on from what the other saved, with any number of ranks. Between calls of
/// [`advance`](Solver::advance) the state of all bodies is in one place, as it has to be for whoever looks; so it pays to
/// advance by many steps at a time.
///
/// ```
/// use tumble_dem::ranks::RankedEngine;
/// use tumble_dem::{Engine, Settings, Solver, scenes};
///
/// let scene = scenes::bouncing_rods(1)?;
/// let settings = Settings { contact: scene.contact, ..Settings::new(scene.dt) };
/// let mut one = Engine::new(scene.world.clone(), settings.clone())?;
/// let mut three = RankedEngine::new(Engine::new(scene.world, settings)?, 3)?;
/// one.advance(200)?;
/// three.advance(200)?;
/// assert_eq!(one.save().to_bytes(), three.save_bytes()); // every bit
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RankedEngine {
    /// Has the state of all bodies whenever nobody advances.
    whole: Engine,
    ranks: Mutex<Vec<Part>>,
    /// Sums over all bodies when ranks were given the state; nothing if the engine has changed since.
    given: Option<Totals>,
    /// Gives bodies away at random, for tests.
    random: Option<u64>,
    stepped: Duration,
    /// What ranks told when they were last asked.
    costs: RankCosts,
}

impl RankedEngine {
    /// Spreads an engine over so many ranks, each with as many threads as its settings say; with 0 there, as many as the machine has
    /// for each.
    pub fn new(whole: Engine, ranks: usize) -> Result<Self, Error> {
        if ranks == 0 || ranks > MOST_RANKS {
            return Err(Error::Invalid {
                of: "the engine".into(),
                what: "number of ranks",
                value: ranks.to_string(),
                expected: "a number from 1 to 1024",
            });
        }
        let threads = match whole.settings().threads {
            0 => (std::thread::available_parallelism().map_or(1, usize::from) / ranks).max(1),
            several => several,
        };
        let parts = parts(&whole, ranks, threads)?;
        let mut engine = Self {
            whole,
            ranks: Mutex::new(parts),
            given: None,
            random: None,
            stepped: Duration::ZERO,
            costs: RankCosts {
                threads,
                bodies: vec![0; ranks],
                ghosts: vec![0; ranks],
                ..RankCosts::default()
            },
        };
        engine.foresee();
        Ok(engine)
    }

    /// Counts the bodies that each rank will get.
    fn foresee(&mut self) {
        self.costs.bodies.fill(0);
        for owner in self.owners(&self.ownership()) {
            self.costs.bodies[owner] += 1;
        }
        self.costs.contacts = self.whole.contact_count();
    }

    /// The engine with the state after the last step.
    pub fn engine(&self) -> &Engine {
        &self.whole
    }

    /// What it costs that there are several ranks.
    pub fn costs(&self) -> &RankCosts {
        &self.costs
    }

    /// Gives every body to a rank at random, whenever lists are built. Nothing but the time it takes may change by it, which is
    /// what it is for: a test that no result depends on who owns what.
    #[doc(hidden)]
    pub fn give_away_at_random(&mut self, seed: u64) {
        self.random = Some(seed);
        self.given = None;
    }

    /// Boxes that hold about as many spheres each.
    fn ownership(&self) -> Ownership {
        if let Some(seed) = self.random {
            return Ownership::Random(seed);
        }
        let bodies = &self.whole.space.bodies;
        let sample = |row: usize| Sample {
            position: bodies.built[row].position,
            cost: bodies.sphere_range(row).len() as f64,
        };
        let mut samples: Vec<Sample> = (0..bodies.len()).map(sample).collect();
        Ownership::Boxes(Cuts::new(&mut samples, self.costs.ranks()))
    }

    /// The rank of each row.
    fn owners(&self, ownership: &Ownership) -> Vec<usize> {
        let ranks = self.costs.ranks();
        let (bodies, builds) = (&self.whole.space.bodies, self.whole.space.neighbours.builds);
        let owner = |row: usize| ownership.owner(bodies.built[row].position, bodies.id[row], builds, ranks);
        (0..bodies.len()).map(owner).collect()
    }

    /// The bodies of each rank, with their contacts, as bytes.
    fn parcels(&self, ownership: &Ownership) -> Vec<Vec<u8>> {
        let (ranks, owners) = (self.costs.ranks(), self.owners(ownership));
        let detached = self.whole.detached(false);
        let mut rows = vec![Vec::new(); ranks];
        owners.iter().enumerate().for_each(|(row, owner)| rows[*owner].push(row));
        let owner = |id: u32| self.whole.space.bodies.row(BodyId(id)).map(|row| owners[row]);
        let contacts = by_owner(&detached, ranks, owner);
        rows.iter().zip(&contacts).map(|(rows, contacts)| self.whole.pack(rows, contacts)).collect()
    }

    fn advance_to(&mut self, last: u64) -> Result<(), Error> {
        while self.whole.steps() < last {
            let next = self.whole.steps() + 1;
            // More happens in such a step than motion.
            let empty = self.whole.body_count() == 0;
            if empty || self.whole.is_wall_due(next) || self.whole.check_before_step().is_err() {
                self.given = None;
                self.whole.advance(if empty { last + 1 - next } else { 1 })?;
                continue;
            }
            self.whole.keep_good_state();
            let kept = self.whole.last_good.as_ref().map_or(next, |good| good.steps());
            let until = last.min(kept + KEEP_EVERY);
            let until =
                (next..=until).find(|step| self.whole.is_wall_due(*step)).map_or(until, |due| due - 1);
            match self.go(until) {
                Ok(None) => {}
                // One engine goes the same way and sees for itself; if it finds nothing wrong, ranks go on from there.
                Ok(Some(suspect)) => self.whole.advance(suspect - self.whole.steps())?,
                Err(Halt) => self.whole.advance(until - self.whole.steps())?,
            }
        }
        Ok(())
    }

    fn parts(&mut self) -> &mut Vec<Part> {
        self.ranks.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has ranks do all steps up to and with the last one, and takes the state over; or gives a step by which something went wrong.
    fn go(&mut self, last: u64) -> Result<Option<u64>, Halt> {
        let begin = Instant::now();
        let first = self.whole.steps();
        // They have it again when all have come to their end.
        let (parcels, given) = match self.given.take() {
            Some(given) => (vec![None; self.costs.ranks()], given),
            None => (self.give()?.into_iter().map(Some).collect(), self.totals()),
        };
        let outcomes: Vec<Result<_, Halt>> = std::thread::scope(|scope| {
            let given = self.parts().iter_mut().zip(parcels);
            let attempt = |part, parcel| move || Attempt { part, done: false }.go(parcel, last);
            let threads: Vec<_> = given.map(|(part, parcel)| scope.spawn(attempt(part, parcel))).collect();
            let joined = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
            joined.map(|outcome| outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        });
        let mut outcomes = outcomes.into_iter().collect::<Result<Vec<_>, Halt>>()?;
        let (suspect, shares) = outcomes.swap_remove(0);
        if suspect.is_none() {
            self.take_over(&shares, &given)?;
            self.given = Some(given);
            self.costs.steps += last - first;
            self.stepped += begin.elapsed();
            self.count();
        }
        Ok(suspect)
    }

    /// Has ranks begin anew with the present state: the bodies that each will get, as bytes.
    fn give(&mut self) -> Result<Vec<Vec<u8>>, Error> {
        let (ranks, threads, ownership) = (self.costs.ranks(), self.costs.threads, self.ownership());
        if self.parts().iter().any(|part| part.link.count() != ranks) {
            // Some have left the others.
            *self.parts() = parts(&self.whole, ranks, threads)?;
        }
        let parts = self.ranks.get_mut().unwrap_or_else(PoisonError::into_inner);
        for part in parts {
            part.reset(&self.whole, ownership.clone());
        }
        Ok(self.parcels(&ownership))
    }

    /// What is added up over all bodies, now.
    fn totals(&self) -> Totals {
        Totals { exchange: self.whole.exchange.clone(), surfaces: self.whole.surfaces.clone() }
    }

    /// Makes the state of all ranks that of the engine.
    fn take_over(&mut self, shares: &[Vec<u8>], given: &Totals) -> Result<(), Error> {
        let next_id = self.whole.space.bodies.by_id.next();
        let parts = self.ranks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(part) = parts.first() else { return Ok(()) };
        let state = part.engine.state_of_shares(shares, next_id, given)?;
        self.whole.put_back(state).map_err(Error::Stopped)?;
        self.whole.progress.observed = true;
        Ok(())
    }

    /// What it has cost so far.
    fn count(&mut self) {
        let parts = self.ranks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let sum = |of: fn(&Part) -> u64| parts.iter().map(of).sum::<u64>();
        self.costs = RankCosts {
            bodies: parts.iter().map(|part| part.own).collect(),
            ghosts: parts.iter().map(|part| part.ghosts.count()).collect(),
            contacts: self.whole.contact_count(),
            doubled: parts.iter().map(Part::doubled).sum::<usize>() / 2,
            messages: sum(|part| part.link.messages),
            bytes: sum(|part| part.link.bytes),
            bytes_of_builds: sum(|part| part.link.bytes_of_builds),
            given: sum(|part| part.given),
            balanced: parts.first().map_or(0, |part| part.balanced),
            stepped: self.stepped * u32::try_from(parts.len()).unwrap_or(1),
            waited: parts.iter().map(|part| part.link.waited).sum(),
            ..self.costs
        };
    }
}

/// A rank on its way. If it does not come to its end, however that may be, it leaves the others, so that nobody waits for it.
struct Attempt<'a> {
    part: &'a mut Part,
    done: bool,
}

impl Attempt<'_> {
    /// Takes bodies if there are any to be taken, and does all steps up to and with the last one. Tells a step by which something
    /// went wrong, or else, on rank 0, the shares of all ranks.
    fn go(mut self, parcel: Option<Vec<u8>>, last: u64) -> Result<(Option<u64>, Vec<Vec<u8>>), Halt> {
        if let Some(parcel) = parcel {
            self.part.begin(&parcel)?;
        }
        let suspect = self.part.advance(last)?;
        let share = if suspect.is_none() { self.part.engine.share(self.part.own) } else { Vec::new() };
        let shares = self.part.link.gather(share)?;
        self.done = true;
        Ok((suspect, shares))
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.part.link.leave();
        }
    }
}

/// Ranks without bodies.
fn parts(whole: &Engine, ranks: usize, threads: usize) -> Result<Vec<Part>, Error> {
    let part = |peers: Channels| {
        let ownership = Ownership::Boxes(Cuts::default());
        Ok(Part::new(whole, Box::new(peers), &Threads::new(threads)?, ownership))
    };
    Channels::join(ranks).into_iter().map(part).collect()
}

impl Solver for RankedEngine {
    fn advance(&mut self, steps: u64) -> Result<(), Error> {
        if steps > 0 {
            self.whole.check_begin()?;
        }
        self.advance_to(self.whole.steps() + steps)
    }

    fn settings(&self) -> &Settings {
        self.whole.settings()
    }

    fn time(&self) -> f64 {
        self.whole.time()
    }

    fn counts(&self) -> Counts {
        Solver::counts(&self.whole)
    }

    fn scenery(&self) -> Scenery<'_> {
        self.whole.scenery()
    }

    fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState])) {
        self.whole.visit_bodies(visit);
    }

    fn visit_contacts(&self, visit: &mut dyn FnMut(&[ContactState])) {
        self.whole.visit_contacts(visit);
    }

    fn walls(&self) -> Vec<WallReport> {
        self.whole.walls()
    }

    fn surfaces(&self) -> Vec<SurfaceState> {
        self.whole.surfaces()
    }

    fn ledger(&self) -> Ledger {
        self.whole.ledger()
    }

    /// Durations are the mean of all ranks.
    fn take_stage_times(&mut self) -> StageTimes {
        let whole = self.whole.take_stage_times();
        let parts = self.parts();
        let of_ranks: Vec<StageTimes> = parts.iter_mut().map(Part::take_times).collect();
        let mean = |of: fn(&StageTimes) -> Duration| {
            let sum: Duration = of_ranks.iter().map(of).sum();
            of(&whole) + sum / u32::try_from(of_ranks.len().max(1)).unwrap_or(u32::MAX)
        };
        let count = |of: fn(&StageTimes) -> u64| of(&whole) + of_ranks.first().map_or(0, of);
        StageTimes {
            move_bodies: mean(|times| times.move_bodies),
            update_neighbours: mean(|times| times.update_neighbours),
            find_contacts: mean(|times| times.find_contacts),
            apply_laws: mean(|times| times.apply_laws),
            add_fields: mean(|times| times.add_fields),
            steps: count(|times| times.steps),
            builds: count(|times| times.builds),
        }
    }

    fn edit(&mut self, edit: Edit<'_>) -> Result<Vec<BodyId>, Error> {
        self.given = None;
        self.whole.edit(edit)
    }

    fn save_bytes(&self) -> Vec<u8> {
        self.whole.save_bytes()
    }

    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.given = None;
        self.whole.restore_bytes(bytes)?;
        self.foresee();
        Ok(())
    }

    fn ranks(&self) -> Option<&RankCosts> {
        Some(&self.costs)
    }
}
