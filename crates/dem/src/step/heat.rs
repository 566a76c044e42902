//! Heat in a step: what flows through contacts, what they lose, sources, surroundings; temperatures and books.
//!
//! With all contacts of tₙ₊₁ known, temperatures go from tₙ to tₙ₊₁ by Euler's rule, mc ΔT = Δt Σ H (T' − T): first order in Δt. While
//! Δt Σ H is at most mc, which is seen to, no body becomes warmer than all around it, nor colder. What a contact gives to one body it takes
//! from the other: the same number. A body adds what its contacts do in their order; totals are exact sums, without any.
//!
//! **Losses** of a contact in the step are those that go into the books of bodies, and so is what was left in its springs when it ended. All
//! of it is heat of the two bodies; of a wall whose temperature is known, a part; a wall without one is an insulator, and takes nothing.
//!
//! **Books.** A body has the temperature that it began with and the heat that it has gained since, and its temperature follows. So their sum is
//! that of all that was put in, but for the rounding of each body's own sum.

use crate::bodies::Bodies;
use crate::contact::{Ended, Kept, Key, Physics, radius_and_overlap};
use crate::engine::{Engine, Space};
use crate::error::{Stop, StopCause};
use crate::heat::{Conduction, HeatRules};
use crate::physics::heat::{divided, flow, temperature, through_area, through_constriction, through_surface};
use crate::record::Numbers;
use crate::rows_by_id::index32;
use crate::world::Body;
use std::time::Instant;
use tumble_math::ExactSum;

/// What a body has of heat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Warmth {
    /// The temperature that it began with, K.
    pub(crate) begun: f64,
    /// What it has gained since, J.
    pub(crate) gained: f64,
}

/// What a wall has given to the bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct WallHeat {
    /// Since the start, J.
    pub(crate) given: ExactSum,
    /// In the last step, W.
    pub(crate) flow: ExactSum,
}

/// Heat that was put into bodies since the start, J.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HeatBooks {
    /// Out of what contacts lost.
    pub(crate) losses: ExactSum,
    /// By sources.
    pub(crate) sources: ExactSum,
    /// By what is around the bodies.
    pub(crate) surroundings: ExactSum,
    /// By each wall.
    pub(crate) walls: Vec<WallHeat>,
}

impl HeatBooks {
    /// Nothing yet.
    pub(crate) fn new(walls: usize) -> Self {
        Self { walls: vec![WallHeat::default(); walls], ..Self::default() }
    }

    /// Adds what others have put in, beside the same walls.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.losses.merge(&other.losses);
        self.sources.merge(&other.sources);
        self.surroundings.merge(&other.surroundings);
        for (own, other) in self.walls.iter_mut().zip(&other.walls) {
            own.given.merge(&other.given);
            own.flow.merge(&other.flow);
        }
    }
}

/// A contact that ended, by the ids of its bodies, or of its body and the number of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parted {
    a: u32,
    b: u32,
    with_wall: bool,
    /// What was left in its springs, J.
    energy: f64,
}

/// The heat of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeatState {
    pub(crate) books: HeatBooks,
    /// Contacts that ended in this step and are in no list any more.
    pub(crate) parted: Vec<Parted>,
}

/// What one contact does in a step.
#[derive(Clone, Copy, Debug)]
struct Conducted {
    a: u32,
    b: u32,
    with_wall: bool,
    /// W/K.
    conductance: f64,
    /// To a, W.
    flow: f64,
    /// What of its losses is heat of a and of b, J.
    lost: [f64; 2],
}

/// The bodies of a contact: both, or one on a wall.
fn sides<T>(both: [(u32, T); 2], with_wall: bool) -> impl Iterator<Item = (u32, T)> {
    both.into_iter().take(if with_wall { 1 } else { 2 })
}

/// What a body gets in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    /// J.
    heat: f64,
    /// All that conducts it, W/K.
    conductance: f64,
}

impl Bodies {
    /// Gives the rows from one on the temperatures of these bodies.
    pub(crate) fn warm(&mut self, first: usize, bodies: &[Body]) {
        self.warmth.resize(self.len(), Warmth::default());
        for (warmth, body) in self.warmth[first..].iter_mut().zip(bodies) {
            *warmth = Warmth { begun: body.temperature, gained: 0.0 };
        }
    }

    /// mc of a row, J/K.
    pub(crate) fn heat_capacity(&self, row: usize, rules: &HeatRules) -> f64 {
        self.kind(row).mass * rules.capacities[usize::from(self.material[row])]
    }

    /// The temperature of a row, K.
    pub(crate) fn temperature(&self, row: usize, rules: &HeatRules) -> f64 {
        let Warmth { begun, gained } = self.warmth[row];
        temperature(begun, gained, self.heat_capacity(row, rules))
    }
}

/// What the contacts of a step are judged by.
struct Conductor<'a> {
    space: &'a Space,
    rules: &'a HeatRules,
    /// Of all rows at tₙ, K.
    temperatures: &'a [f64],
    /// Of walls whose temperature is known.
    walls: &'a [Option<f64>],
}

impl Conductor<'_> {
    fn materials(&self, a: u32, b: u32, with_wall: bool) -> [u16; 2] {
        let bodies = &self.space.bodies;
        let other =
            if with_wall { self.space.walls[b as usize].material.0 } else { bodies.material[b as usize] };
        [bodies.material[a as usize], other]
    }

    /// What of a loss is heat of each side.
    fn divided(&self, lost: f64, (a, b, with_wall): (u32, u32, bool)) -> [f64; 2] {
        if !self.rules.heat.dissipation {
            return [0.0; 2];
        }
        if !with_wall {
            return divided(lost, 0.5);
        }
        let [body, wall] = self.materials(a, b, true);
        let part = self.walls[b as usize].map_or(1.0, |_| self.rules.keeps(body, wall));
        [divided(lost, part)[0], 0.0]
    }

    /// H of a contact, W/K.
    fn conductance(&self, key: Key, with_wall: bool, physics: Physics<'_>) -> f64 {
        let [a, b] = self.materials(key.a, key.b, with_wall);
        let [radius, overlap] = radius_and_overlap(self.space, physics, key, with_wall);
        let contact_radius = physics.model.contact_radius(physics.pairs.of(a, b), radius, overlap);
        let conduct = self.rules.conduct(a, b);
        match self.rules.heat.conduction {
            Conduction::Radius => through_constriction(conduct, contact_radius),
            Conduction::Area => through_area(conduct, contact_radius),
        }
    }

    /// The contacts of a segment, in their order.
    fn conduct(&self, kept: &Kept, with_wall: bool, physics: Physics<'_>) -> Vec<Conducted> {
        let lost_in = |index: usize| {
            let outcome = kept.outcome(index);
            let lost = physics.pairs.postings.lost.iter().map(|posting| outcome.number(posting.from));
            lost.fold(0.0, |sum: f64, lost: f64| sum + lost)
        };
        let conduct = |(index, key): (usize, &Key)| {
            let Key { a, b, .. } = *key;
            let own = self.temperatures[a as usize];
            let other = if with_wall { self.walls[b as usize] } else { Some(self.temperatures[b as usize]) };
            // Nothing goes through an insulator.
            let conductance = other.map_or(0.0, |_| self.conductance(*key, with_wall, physics));
            Conducted {
                a,
                b,
                with_wall,
                conductance,
                flow: other.map_or(0.0, |other| flow(conductance, own, other)),
                lost: self.divided(lost_in(index), (a, b, with_wall)),
            }
        };
        kept.keys().iter().enumerate().map(conduct).collect()
    }
}

impl Engine {
    /// Whether there are temperatures.
    pub(crate) fn has_heat(&self) -> bool {
        self.rules.heat.is_some()
    }

    /// Notes contacts that ended, before rows or lists are others.
    pub(crate) fn note_parted<'a>(&mut self, ended: impl Iterator<Item = &'a Ended>) {
        let bodies = &self.space.bodies;
        let parted = ended.map(|&Ended { row, other, with_wall, energy }| Parted {
            a: bodies.id[row as usize],
            b: if with_wall { other } else { bodies.id[other as usize] },
            with_wall,
            energy,
        });
        self.heat.parted.extend(parted);
    }

    /// Begins the heat of a step: nothing has ended yet.
    pub(crate) fn begin_heat(&mut self) {
        self.heat.parted.clear();
    }

    /// All that ended in this step, in an order that depends on nothing else.
    fn all_parted(&mut self) -> Vec<Parted> {
        let mut ended = Vec::new();
        for contacts in &self.contacts {
            ended.extend(contacts.between.iter().flat_map(|segment| &segment.ended).copied());
            ended.extend(contacts.with_walls.iter().flat_map(|segment| &segment.ended).copied());
        }
        self.note_parted(ended.iter());
        let mut all = core::mem::take(&mut self.heat.parted);
        all.sort_unstable_by_key(|parted| (parted.a, parted.with_wall, parted.b, parted.energy.to_bits()));
        all
    }

    /// Brings all temperatures to the end of the step, with all contacts of then.
    pub(crate) fn add_heat(&mut self) -> Result<(), Stop> {
        let Some(rules) = self.rules.heat.clone() else { return Ok(()) };
        let begin = Instant::now();
        let parted = self.all_parted();
        let mut books = core::mem::take(&mut self.heat.books);
        let bodies = &self.space.bodies;
        let temperatures = self.threads.collect(bodies.len(), |row| bodies.temperature(row, &rules));
        let mut gains = self.gains_by_contacts(&rules, &temperatures, &parted, &mut books);
        self.gain_from_around(&rules, &temperatures, &mut gains, &mut books);
        self.heat.books = books;
        self.times.add_fields += begin.elapsed();
        self.check_gains(&rules, &gains)?;
        for (warmth, gain) in self.space.bodies.warmth.iter_mut().zip(&gains) {
            warmth.gained += gain.heat;
        }
        Ok(())
    }

    /// What bodies gain by their contacts, those that ended first.
    fn gains_by_contacts(
        &self,
        rules: &HeatRules,
        temperatures: &[f64],
        parted: &[Parted],
        books: &mut HeatBooks,
    ) -> Vec<Gain> {
        let (space, dt) = (&self.space, self.rules.settings.dt);
        let before = self.time_at(self.progress.steps.saturating_sub(1));
        let walls = space.walls.iter().map(|wall| wall.temperature.as_ref().map(|own| own.at(before)));
        let walls: Vec<Option<f64>> = walls.collect();
        let conductor = Conductor { space, rules, temperatures, walls: &walls };
        let mut gains = vec![Gain::default(); space.bodies.len()];
        let mut losses = ExactSum::ZERO;
        let row = |id: u32| space.bodies.by_id.row(id).map(index32);
        for &Parted { a, b, with_wall, energy } in parted {
            let (Some(a), Some(b)) = (row(a), if with_wall { Some(b) } else { row(b) }) else { continue };
            let heat = conductor.divided(energy, (a, b, with_wall));
            for (row, heat) in sides([(a, heat[0]), (b, heat[1])], with_wall) {
                gains[row as usize].heat += heat;
                if !space.bodies.ghost[row as usize] {
                    losses += heat;
                }
            }
        }
        books.walls.iter_mut().for_each(|wall| wall.flow = ExactSum::ZERO);
        for (contacts, physics) in self.groups() {
            let all: Vec<(&Kept, bool)> = contacts.kept().collect();
            let conduct = |(kept, with_wall): &(&Kept, bool)| conductor.conduct(kept, *with_wall, physics);
            for conducted in self.threads.map(&all, conduct).into_iter().flatten() {
                let Conducted { a, b, with_wall, conductance, flow, lost } = conducted;
                let heat = flow * dt;
                for (row, (heat, lost)) in sides([(a, (heat, lost[0])), (b, (-heat, lost[1]))], with_wall) {
                    let gain = &mut gains[row as usize];
                    gain.heat += heat + lost;
                    gain.conductance += conductance;
                    if !space.bodies.ghost[row as usize] {
                        losses += lost;
                    }
                }
                if with_wall {
                    let wall = &mut books.walls[b as usize];
                    wall.given += heat;
                    wall.flow += flow;
                }
            }
        }
        books.losses.merge(&losses);
        gains
    }

    /// Adds sources, and what goes through the surfaces of bodies.
    fn gain_from_around(
        &self,
        rules: &HeatRules,
        temperatures: &[f64],
        gains: &mut [Gain],
        books: &mut HeatBooks,
    ) {
        let (bodies, dt) = (&self.space.bodies, self.rules.settings.dt);
        for (row, gain) in gains.iter_mut().enumerate().filter(|(row, _)| !bodies.ghost[*row]) {
            let source = rules.sources[usize::from(bodies.material[row])];
            if source.abs() > 0.0 {
                let heat = source * bodies.kind(row).mass * dt;
                gain.heat += heat;
                books.sources += heat;
            }
            if let Some(around) = rules.heat.surroundings {
                let conductance = through_surface(around.coefficient, bodies.equivalent_radius(row));
                let heat = flow(conductance, temperatures[row], around.temperature) * dt;
                gain.heat += heat;
                gain.conductance += conductance;
                books.surroundings += heat;
            }
        }
    }

    /// No body exchanges more than it has in the step.
    fn check_gains(&self, rules: &HeatRules, gains: &[Gain]) -> Result<(), Stop> {
        let (bodies, dt) = (&self.space.bodies, self.rules.settings.dt);
        let limit = |row: usize| bodies.heat_capacity(row, rules) / gains[row].conductance;
        // NaN is not fine.
        let too_long = |row: usize| {
            let within = dt * gains[row].conductance <= bodies.heat_capacity(row, rules);
            !(within && gains[row].heat.is_finite())
        };
        match bodies.first(&self.threads, too_long) {
            None => Ok(()),
            Some(row) => Err(self.stop(row, StopCause::Heated { limit: limit(row), dt })),
        }
    }

    /// The temperature of a row, K, if there is heat.
    pub(crate) fn temperature(&self, row: usize) -> Option<f64> {
        self.rules.heat.as_ref().map(|rules| self.space.bodies.temperature(row, rules))
    }

    /// Gives rows from one on the temperatures of these bodies, if there is heat.
    pub(crate) fn warm_bodies(&mut self, first: usize, bodies: &[Body]) {
        if self.has_heat() {
            self.space.bodies.warm(first, bodies);
        }
    }

    /// What of heat goes into the ledger: what bodies have gained, and what put it in.
    pub(crate) fn heat_entries(&self) -> Option<crate::report::HeatLedger> {
        self.rules.heat.as_ref()?;
        let (mut thermal, mut walls) = (ExactSum::ZERO, ExactSum::ZERO);
        for warmth in &self.space.bodies.warmth {
            thermal += warmth.gained;
        }
        let books = &self.heat.books;
        books.walls.iter().for_each(|wall| walls.merge(&wall.given));
        Some(crate::report::HeatLedger {
            thermal: thermal.value(),
            of_contacts: books.losses.value(),
            of_walls: walls.value(),
            of_sources: books.sources.value(),
            of_surroundings: books.surroundings.value(),
        })
    }
}
