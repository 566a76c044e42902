//! The engine whose steps are done by ranks.

use super::build::by_owner;
use super::costs::{RankCosts, Tally, mean_times};
use super::crew::{Crew, Went};
use super::ownership::{Cuts, Ownership, Sample, Weight};
use super::peers::Peers;
use crate::engine::{Engine, Settings};
use crate::error::Error;
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

/// An engine whose bodies are spread over ranks: threads of this process, or processes of which this is the first.
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
    crew: Mutex<Crew>,
    /// Sums over all bodies when ranks were given the state; nothing if the engine has changed since.
    given: Option<Totals>,
    giving: Giving,
    stepped: Duration,
    /// What ranks told when they were last asked.
    costs: RankCosts,
    /// How long their stages took until then, and of that what somebody has been told.
    times: StageTimes,
    taken: StageTimes,
}

/// By what bodies are given to ranks.
#[derive(Clone, Copy, Debug)]
enum Giving {
    ByTime,
    ByCount,
    AtRandom(u64),
}

impl RankedEngine {
    /// Spreads an engine over so many ranks of this process, each with as many threads as its settings say; with 0 there, as many as the machine has
    /// for each.
    pub fn new(whole: Engine, ranks: usize) -> Result<Self, Error> {
        check_known(&whole)?;
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
        let crew = Crew::here(&whole, ranks, threads)?;
        Ok(Self::of(whole, crew, ranks, threads))
    }

    /// Spreads an engine over ranks that are processes, of which this is the first, each with its threads. In the others a
    /// [`Worker`](super::Worker) has to serve, until the engine is dropped.
    pub fn across(whole: Engine, peers: Box<dyn Peers>) -> Self {
        let (ranks, threads) = (peers.count(), whole.threads.count());
        let crew = Crew::across(&whole, peers);
        Self::of(whole, crew, ranks, threads)
    }

    fn of(whole: Engine, crew: Crew, ranks: usize, threads: usize) -> Self {
        let nobody = || vec![0; ranks];
        let mut engine = Self {
            whole,
            crew: Mutex::new(crew),
            given: None,
            giving: Giving::ByTime,
            stepped: Duration::ZERO,
            costs: RankCosts { threads, bodies: nobody(), ghosts: nobody(), ..RankCosts::default() },
            times: StageTimes::default(),
            taken: StageTimes::default(),
        };
        engine.foresee();
        engine
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
        self.giving = Giving::AtRandom(seed);
        self.given = None;
    }

    /// Balances ranks by [what is counted](RankCosts::counted_cost) and not by the time that it takes: then ghosts, messages and all
    /// else that [`costs`](Self::costs) counts are the same whenever and wherever a run is repeated. Results are the same anyhow.
    pub fn balance_by_count(&mut self) {
        self.giving = Giving::ByCount;
        self.given = None;
    }

    /// Boxes that hold about as many spheres each.
    fn ownership(&self) -> Ownership {
        let weight = match self.giving {
            Giving::AtRandom(seed) => return Ownership::Random(seed),
            Giving::ByTime => Weight::Time,
            Giving::ByCount => Weight::Count,
        };
        let bodies = &self.whole.space.bodies;
        let sample = |row: usize| Sample {
            position: bodies.built[row].position,
            cost: bodies.sphere_range(row).len() as f64,
        };
        let mut samples: Vec<Sample> = (0..bodies.len()).map(sample).collect();
        Ownership::Boxes(weight, Cuts::new(&mut samples, self.costs.ranks()))
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
            match self.go(until)? {
                Went::Done(_) => {}
                // One engine goes the same way and sees for itself; if it finds nothing wrong, ranks go on from there.
                Went::Wrong(suspect) => self.whole.advance(suspect - self.whole.steps())?,
                Went::Halted => self.whole.advance(until - self.whole.steps())?,
            }
        }
        Ok(())
    }

    fn crew(&mut self) -> &mut Crew {
        self.crew.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has ranks do all steps up to and with the last one, and takes the state over.
    fn go(&mut self, last: u64) -> Result<Went, Error> {
        let begin = Instant::now();
        let first = self.whole.steps();
        // They have it again when all have come to their end.
        let (parcels, given) = if let Some(given) = self.given.take() {
            (None, given)
        } else {
            let ownership = self.ownership();
            let parcels = self.parcels(&ownership);
            (Some((ownership, parcels)), self.totals())
        };
        let (ranks, threads) = (self.costs.ranks(), self.costs.threads);
        if self.crew().is_broken(ranks) {
            *self.crew() = Crew::here(&self.whole, ranks, threads)?;
            self.taken = StageTimes::default();
        }
        let crew = self.crew.get_mut().unwrap_or_else(PoisonError::into_inner);
        let from = parcels.map(|(ownership, parcels)| (&self.whole, ownership, parcels));
        let went = crew.go(from, last)?;
        if let Went::Done(gathered) = &went {
            if self.take_over(&gathered.shares, &given).is_err() {
                return Ok(Went::Halted);
            }
            self.given = Some(given);
            self.costs.steps += last - first;
            self.stepped += begin.elapsed();
            self.count(&gathered.tallies);
        }
        Ok(went)
    }

    /// What is added up over all bodies, now.
    fn totals(&self) -> Totals {
        Totals {
            exchange: self.whole.exchange.clone(),
            surfaces: self.whole.surfaces.clone(),
            heat: self.whole.heat.books.clone(),
        }
    }

    /// Makes the state of all ranks that of the engine.
    fn take_over(&mut self, shares: &[Vec<u8>], given: &Totals) -> Result<(), Error> {
        let next_id = self.whole.space.bodies.by_id.next();
        let crew = self.crew.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(part) = crew.first() else { return Ok(()) };
        let state = part.engine.state_of_shares(shares, next_id, given)?;
        self.whole.put_back(state).map_err(Error::Stopped)?;
        self.whole.progress.observed = true;
        Ok(())
    }

    /// What it has cost so far.
    fn count(&mut self, tallies: &[Tally]) {
        let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum::<u64>();
        let each = |of: fn(&Tally) -> u64| {
            tallies.iter().map(|tally| usize::try_from(of(tally)).unwrap_or(usize::MAX)).collect()
        };
        self.costs = RankCosts {
            bodies: each(|tally| tally.bodies),
            ghosts: each(|tally| tally.ghosts),
            contacts: self.whole.contact_count(),
            doubled: usize::try_from(sum(|tally| tally.doubled) / 2).unwrap_or(usize::MAX),
            listed: each(|tally| tally.listed),
            messages: sum(|tally| tally.messages),
            bytes: sum(|tally| tally.bytes),
            bytes_of_builds: sum(|tally| tally.bytes_of_builds),
            builds: tallies.first().map_or(0, |tally| tally.times.builds),
            given: sum(|tally| tally.given),
            balanced: tallies.first().map_or(0, |tally| tally.balanced),
            stepped: self.stepped * u32::try_from(tallies.len()).unwrap_or(1),
            waited: tallies.iter().map(|tally| tally.waited).sum(),
            ..self.costs
        };
        self.times = mean_times(tallies);
    }
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
        let (now, taken) = (self.times, core::mem::replace(&mut self.taken, self.times));
        let since = |of: fn(&StageTimes) -> Duration| of(&whole) + of(&now).saturating_sub(of(&taken));
        StageTimes {
            steps: whole.steps + now.steps.saturating_sub(taken.steps),
            builds: whole.builds + now.builds.saturating_sub(taken.builds),
            ..StageTimes::of_stages(since)
        }
    }

    fn edit(&mut self, edit: Edit<'_>) -> Result<Vec<BodyId>, Error> {
        self.given = None;
        if let Crew::Across(first) = self.crew() {
            match &edit {
                Edit::AddField(_) => {
                    let reason = "forces that are asked for all bodies at once need all ranks in one process";
                    return Err(Error::Device { reason: reason.into() });
                }
                Edit::WallMotion(..) => first.has_changed("the motion of a wall was"),
                Edit::Drag(_) => first.has_changed("the fluid was"),
                Edit::Fields(_) => first.has_changed("fields were"),
                _ => {}
            }
        }
        self.whole.edit(edit)
    }

    fn pass_on(&mut self, note: &[u8]) {
        self.given = None;
        if let Crew::Across(first) = self.crew() {
            first.pass_on(note);
        }
    }

    fn save_bytes(&self) -> Vec<u8> {
        self.whole.save_bytes()
    }

    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.given = None;
        self.whole.restore_bytes(bytes)?;
        check_known(&self.whole)?;
        self.foresee();
        Ok(())
    }

    fn ranks(&self) -> Option<&RankCosts> {
        Some(&self.costs)
    }
}

/// Checks that ranks know all that there is: they do neither of walls that move by themselves nor of bonds nor of membranes, nor of cells that deform, nor of films of liquid.
pub fn check_known(engine: &Engine) -> Result<(), Error> {
    if let Some(wall) = engine.wall_list().iter().find(|wall| wall.motion.freedom().is_some()) {
        return Err(Error::Invalid {
            of: format!("the wall '{}'", wall.name),
            what: "motion",
            value: "that of a wall that moves by itself".into(),
            expected: "one that is prescribed where ranks share the bodies; one engine runs it, on as many threads",
        });
    }
    if engine.has_liquid() {
        return Err(Error::Invalid {
            of: "the world".into(),
            what: "liquid",
            value: "films on bodies".into(),
            expected: "none where ranks share the bodies; one engine runs it, on as many threads",
        });
    }
    if engine.has_membranes() {
        return Err(Error::Invalid {
            of: "the world".into(),
            what: "membranes",
            value: engine.membranes().len().to_string(),
            expected: "none where ranks share the bodies; one engine runs it, on as many threads",
        });
    }
    if engine.has_cell() {
        return Err(Error::Invalid {
            of: "the world".into(),
            what: "cell",
            value: "one that deforms".into(),
            expected: "none where ranks share the bodies; one engine runs it, on as many threads",
        });
    }
    let made = engine.bond_counts().made;
    if made == 0 {
        return Ok(());
    }
    Err(Error::Invalid {
        of: "the world".into(),
        what: "number of bonds",
        value: made.to_string(),
        expected: "none where ranks share the bodies; one engine runs it, on as many threads",
    })
}
