//! A rank's part of the world: some bodies of its own, ghosts of their neighbours, and a step of them.

use super::costs::Tally;
use super::ghosts::Ghosts;
use super::link::{Halt, Link};
use super::ownership::Ownership;
use super::peers::Peers;
use crate::bodies::{Bodies, BookTable, Sums};
use crate::engine::{Engine, Progress, Space};
use crate::neighbour::Neighbours;
use crate::parallel::Threads;
use crate::report::{Exchange, StageTimes};
use crate::saved::Unpacked;
use crate::step::{HeatBooks, HeatState, LiquidBooks, Surfaces, is_resistance_due};

/// What is known of all bodies together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AllBodies {
    pub(super) count: usize,
    pub(super) mean_radius: f64,
    pub(super) smallest_radius: f64,
    pub(super) largest: f64,
    /// Pairs of spheres in all lists, each counted once.
    pub(super) pairs: usize,
}

/// How many numbers these are.
const OF_ALL: usize = 5;

impl AllBodies {
    pub(super) fn of(whole: &Engine) -> Self {
        let (bodies, neighbours) = (&whole.space.bodies, &whole.space.neighbours);
        Self {
            count: bodies.len(),
            mean_radius: bodies.mean_radius,
            smallest_radius: bodies.smallest_radius,
            largest: bodies.largest,
            pairs: neighbours.pairs.spheres.len(),
        }
    }

    pub(super) fn to_numbers(self) -> [f64; OF_ALL] {
        let counts = [self.count, self.pairs].map(|count| f64::from_bits(count as u64));
        [counts[0], self.mean_radius, self.smallest_radius, self.largest, counts[1]]
    }

    pub(super) fn of_numbers([bodies, mean_radius, smallest_radius, largest, pairs]: [f64; OF_ALL]) -> Self {
        let count = |number: f64| usize::try_from(number.to_bits()).unwrap_or(usize::MAX);
        Self { count: count(bodies), mean_radius, smallest_radius, largest, pairs: count(pairs) }
    }
}

/// What rank 0 is given when all ranks have come to the last of some steps.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Together they are the state.
    pub(super) shares: Vec<Vec<u8>>,
    pub(super) tallies: Vec<Tally>,
}

/// What a rank has of the world.
#[derive(Debug)]
pub(super) struct Part {
    /// Its own bodies first, then ghosts; each in the order of all bodies.
    pub(super) engine: Engine,
    /// How many are its own.
    pub(super) own: usize,
    pub(super) ghosts: Ghosts,
    pub(super) all: AllBodies,
    pub(super) link: Link,
    pub(super) ownership: Ownership,
    /// Something happened that no run may go on from; all ranks learn of it at the next chance.
    pub(super) trouble: bool,
    /// Bodies that were given to other ranks.
    pub(super) given: u64,
    /// How often boxes were cut anew, what the rank had done when they last were, and how often lists were built since.
    pub(super) balanced: u64,
    pub(super) worked: StageTimes,
    pub(super) builds_since: u64,
}

impl Part {
    /// A rank without bodies, by the rules of an engine.
    pub(super) fn new(
        whole: &Engine,
        peers: Box<dyn Peers>,
        threads: &Threads,
        ownership: Ownership,
    ) -> Self {
        Self {
            engine: empty_like(whole, threads),
            own: 0,
            ghosts: Ghosts::default(),
            all: AllBodies::of(whole),
            link: Link::new(peers),
            ownership,
            trouble: false,
            given: 0,
            balanced: 0,
            worked: StageTimes::default(),
            builds_since: 0,
        }
    }

    /// Begins anew, without bodies, where an engine is now.
    pub(super) fn reset(&mut self, whole: &Engine, all: AllBodies, ownership: Ownership) {
        let times = self.engine.stage_times();
        let threads = self.engine.threads.clone();
        self.engine = empty_like(whole, &threads);
        self.engine.times = times;
        self.own = 0;
        self.ghosts = Ghosts::default();
        self.all = all;
        self.ownership = ownership;
        self.trouble = false;
    }

    /// Takes bodies, with the lists that they had.
    pub(super) fn begin(&mut self, parcel: &[u8]) -> Result<(), Halt> {
        let mut unpacked = Unpacked {
            contacts: self.engine.no_contacts(self.engine.is_asked_what_contacts_do()),
            ..Unpacked::default()
        };
        let rows = self.engine.unpack(parcel, &mut unpacked);
        let rows = self.link.agree(rows)?;
        let Unpacked { contacts, ties, bridges } = unpacked;
        self.engine.bonds.replace(ties);
        self.engine.liquid.bridges = bridges;
        let cell = self.engine.space.cell;
        self.engine.show_cell_as_built();
        self.arrange(rows.collect(), true)?;
        // As in `Engine::put_back`: lists of where bodies were when they were built, so that the next ones come when they would
        // have come anyhow.
        let (steps, known) = (self.engine.progress.steps, self.engine.space.neighbours.clone());
        let poses = self.engine.space.bodies.show_as_built();
        self.engine.place_walls(known.built_at, |wall| wall.built);
        let extent = self.link.around_all(self.engine.extent())?;
        self.build_lists(extent, contacts)?;
        let Space { bodies, .. } = &mut self.engine.space;
        bodies.show(poses);
        self.engine.put_cell_back(cell.as_ref());
        let Space { neighbours, .. } = &mut self.engine.space;
        neighbours.travelled = known.travelled;
        neighbours.wall_travelled = known.wall_travelled;
        neighbours.builds = known.builds;
        neighbours.built_at = known.built_at;
        self.engine.place_walls(steps, |wall| wall.place);
        self.engine.recall_bridges();
        self.engine.evaluate_bonds();
        Ok(())
    }

    /// Does all steps up to and with the last one, or tells a step by which something has gone wrong. The state before the first of
    /// them has been looked at.
    pub(super) fn advance(&mut self, last: u64) -> Result<Option<u64>, Halt> {
        let (threads, first) = (self.engine.threads.clone(), self.engine.progress.steps);
        threads.install(|| {
            while self.engine.progress.steps < last {
                if self.engine.progress.steps > first {
                    self.trouble |= self.engine.check_before_step().is_err();
                }
                let next = self.engine.progress.steps + 1;
                self.engine.progress.observed = next == last
                    || is_resistance_due(next)
                    || self.engine.may_bond_after(next)
                    || self.engine.has_free_walls()
                    || self.engine.has_cell();
                if !self.step()? {
                    return Ok(Some(next));
                }
            }
            let (_, [trouble]) = self.link.longest(0.0, [self.trouble])?;
            Ok(trouble.then_some(last))
        })
    }

    /// From tₙ to tₙ₊₁, as [`Engine::step`] does it. False if a rank is in trouble.
    fn step(&mut self) -> Result<bool, Halt> {
        let engine = &mut self.engine;
        let (pushed, strained) = (engine.push_free_walls(), engine.push_cell());
        engine.progress.steps += 1;
        engine.times.steps += 1;
        engine.begin_heat();
        let mut released = engine.drop_broken_bonds();
        let bonded = engine.bond_touching();
        self.trouble |= bonded.is_err();
        let bonded = bonded.unwrap_or_default();
        let turned = engine.turn_gravity();
        self.trouble |= engine.move_walls(&pushed).is_err() || engine.check_cell().is_err();
        let valid = engine.lists_will_stay_valid();
        let longest = engine.move_rows(self.own);
        self.show_ghosts()?;
        let (longest, [trouble, parted]) =
            self.link.longest(longest, [self.trouble, !(released.is_empty() && bonded.is_empty())])?;
        if self.engine.note_displacement(longest).is_err() || trouble {
            return Ok(false);
        }
        if parted {
            // What begins to touch by that is in the list of nobody yet, and whose it is then is seen when lists are built.
            released = self.link.all_pairs(&released)?;
            self.engine.space.neighbours.travelled = f64::INFINITY;
            // Whoever owns them then is asked what they have stored.
            self.engine.progress.observed = true;
        }
        if !valid || !self.engine.space.neighbours.stay_valid_after(0.0) {
            self.rebuild(&bonded)?;
        } else {
            self.place_ghosts();
        }
        let engine = &mut self.engine;
        self.trouble |= engine.find_and_evaluate_contacts().is_err() || engine.check_sheets().is_err();
        self.engine.book_released(&released);
        self.engine.add_bonds();
        self.ask_batch_fields()?;
        let engine = &mut self.engine;
        engine.add_fields();
        engine.add_surface_loads();
        self.load_free_walls()?;
        self.engine.settle_free_walls(&pushed);
        self.load_cell()?;
        let engine = &mut self.engine;
        engine.settle_measured_cell(strained.as_ref());
        self.trouble |= engine.add_heat().is_err();
        if let Some(change) = turned {
            engine.book_gravity(change);
        }
        self.settle_liquid()?;
        Ok(true)
    }

    /// Takes bodies if there are any to be taken, and does all steps up to and with the last one. Tells a step by which something
    /// went wrong, or else, on rank 0, what all ranks have then.
    pub(super) fn go(&mut self, parcel: Option<&[u8]>, last: u64) -> Result<(Option<u64>, Gathered), Halt> {
        if let Some(parcel) = parcel {
            self.begin(parcel)?;
        }
        let suspect = self.advance(last)?;
        if suspect.is_some() {
            return Ok((suspect, Gathered::default()));
        }
        let share = self.engine.share(self.own);
        let tally = self.tally().to_bytes();
        let (shares, tallies) = (self.link.gather(share)?, self.link.gather(tally)?);
        Ok((None, Gathered { shares, tallies: tallies.iter().map(|bytes| Tally::of_bytes(bytes)).collect() }))
    }

    /// What it has and did so far.
    fn tally(&self) -> Tally {
        Tally {
            bodies: self.own as u64,
            ghosts: self.ghosts.count() as u64,
            doubled: self.doubled() as u64,
            listed: self.engine.space.neighbours.pairs.spheres.len() as u64,
            messages: self.link.messages,
            bytes: self.link.bytes,
            bytes_of_builds: self.link.bytes_of_builds,
            given: self.given,
            balanced: self.balanced,
            waited: self.link.waited,
            times: self.engine.stage_times(),
        }
    }

    /// Contacts that this rank and another one both evaluate.
    fn doubled(&self) -> usize {
        let doubled = |key: &&crate::contact::Key| key.a.max(key.b) as usize >= self.own;
        let between = self.engine.contacts.iter().flat_map(|contacts| &contacts.between);
        between.map(|segment| segment.keys().iter().filter(doubled).count()).sum()
    }
}

/// An engine with the rules and walls of another one, without bodies.
fn empty_like(whole: &Engine, threads: &Threads) -> Engine {
    let (space, books) = (&whole.space, whole.sums.books.width());
    let mut neighbours = Neighbours::default();
    neighbours.skin = space.neighbours.skin;
    neighbours.travelled = space.neighbours.travelled;
    neighbours.wall_travelled = space.neighbours.wall_travelled;
    neighbours.builds = space.neighbours.builds;
    neighbours.built_at = space.neighbours.built_at;
    Engine {
        rules: whole.rules.clone(),
        space: Space {
            domain: space.domain,
            periods: space.periods,
            cell: space.cell,
            deformation: space.deformation,
            bodies: Bodies::new(space.bodies.shapes.clone()),
            walls: space.walls.clone(),
            poses: space.poses.clone(),
            free: space.free.clone(),
            neighbours,
            region: space.region,
        },
        progress: Progress { made_by_hand: false, ..whole.progress.clone() },
        sums: Sums { books: BookTable::new(books), ..Sums::default() },
        contacts: Vec::new(),
        loads: whole.loads.clone(),
        surfaces: Surfaces::new(&space.walls, whole.surfaces.since),
        exchange: Exchange::new(books),
        bonds: crate::step::bond::Bonds::default(),
        liquid: LiquidBooks::default(),
        heat: HeatState { books: HeatBooks::new(space.walls.len()), ..HeatState::default() },
        threads: threads.clone(),
        times: StageTimes::default(),
        last_good: None,
        shuffled: None,
    }
}
