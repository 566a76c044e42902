//! New lists, which all ranks build together: bodies go to their owners with all that they have, and ghosts come.

use super::costs::RankCosts;
use super::link::{Halt, of_bytes, to_bytes};
use super::ownership::{Cuts, Ownership, Sample, Weight};
use super::part::Part;
use crate::contact::{Detached, Name};
use crate::engine::Engine;
use crate::neighbour::place_on_curve;
use crate::report::StageTimes;
use crate::rows_by_id::index32;
use crate::saved::{Luggage, Unpacked};
use crate::step::REORDER_EVERY;
use crate::step::bond::Tie;
use core::time::Duration;
use std::time::Instant;

/// Boxes are cut anew if the busiest rank has so much more to do than the mean.
const UNEVEN: f64 = 1.15;

/// And not before lists were built so often since.
const PATIENCE: u64 = 10;

/// Bodies of all ranks together that cuts are made by, about.
const SAMPLES: usize = 20_000;

impl Part {
    /// Builds the lists for the present positions, with the skin that fits the present speeds, and hands the contacts over, but those of bodies
    /// that have just been bonded.
    pub(super) fn rebuild(&mut self, bonded: &[[u32; 2]]) -> Result<(), Halt> {
        let begin = Instant::now();
        let detached = self.engine.detach_all_but(bonded);
        let extent = self.link.around_all(self.engine.extent())?;
        self.engine.choose_skin(self.all.pairs, self.all.count);
        self.balance()?;
        let (own, contacts) = self.migrate(&detached)?;
        if self.engine.progress.steps.is_multiple_of(REORDER_EVERY) {
            let bodies = &mut self.engine.space.bodies;
            for &row in &own {
                bodies.curve[row] = place_on_curve(bodies.position.row(row), extent[0], self.all.largest);
            }
        }
        self.arrange(own, false)?;
        self.build_lists(extent, contacts)?;
        self.engine.times.update_neighbours += begin.elapsed();
        self.engine.times.builds += 1;
        self.trouble |= self.engine.check_escaped().is_err();
        Ok(())
    }

    /// Gives bodies to their owners, each with all of its contacts and bonds. Tells the rows that are this rank's now, and their contacts.
    fn migrate(&mut self, detached: &[Detached]) -> Result<(Vec<usize>, Vec<Detached>), Halt> {
        let (engine, count, here) = (&self.engine, self.link.count(), self.link.rank());
        let bodies = &engine.space.bodies;
        let builds = engine.space.neighbours.builds;
        let owner =
            |row: usize| self.ownership.owner(bodies.position.row(row), bodies.id[row], builds, count);
        let owners: Vec<usize> = (0..self.own).map(owner).collect();
        let mut rows = vec![Vec::new(); count];
        for (row, &owner) in owners.iter().enumerate() {
            rows[owner].push(row);
        }
        let mut own = core::mem::take(&mut rows[here]);
        self.given += (self.own - own.len()) as u64;

        let owner_of = |id: u32| bodies.by_id.row(id).and_then(|row| owners.get(row)).copied();
        let mut going = by_owner(engine, detached, count, owner_of);
        let staying = core::mem::take(&mut going[here]);
        let message = |(rows, luggage): (&Vec<usize>, &Luggage<'_>)| {
            if rows.is_empty() { Vec::new() } else { engine.pack(rows, luggage) }
        };
        let messages = rows.iter().zip(&going).map(message).collect();
        let received = self.link.all_to_all(messages)?;

        let mut ties: Vec<(usize, Tie)> = staying.ties.iter().map(|tie| (here, *tie)).collect();
        let stayed = staying.contacts.into_iter().map(|(all, which)| chosen(all, which.into_iter()));
        let mut unpacked =
            Unpacked { contacts: stayed.collect(), ties: Vec::new(), bridges: staying.bridges };
        let mut parcels = received.iter().enumerate().filter(|(_, message)| !message.is_empty());
        let done = parcels.try_for_each(|(rank, message)| {
            own.extend(self.engine.unpack(message, &mut unpacked)?);
            ties.extend(unpacked.ties.drain(..).map(|tie| (rank, tie)));
            Ok(())
        });
        self.link.agree(done)?;
        self.engine.bonds.replace_told(ties);
        let Unpacked { mut contacts, mut bridges, .. } = unpacked;
        bridges.sort_unstable_by_key(|bridge| bridge.name);
        bridges.dedup_by_key(|bridge| bridge.name);
        self.engine.liquid.bridges = bridges;
        if received.iter().any(|message| !message.is_empty()) {
            contacts = contacts.iter().map(each_once).collect();
        }
        Ok((own, contacts))
    }

    /// Builds the lists of own bodies and ghosts as they are placed, of which `extent` is the box of all centres.
    pub(super) fn build_lists(&mut self, extent: [[f64; 3]; 2], contacts: Vec<Detached>) -> Result<(), Halt> {
        let engine = &mut self.engine;
        let centre = engine.region_centre(extent);
        let (reach, _) = self.link.longest(engine.reach_from(centre), [])?;
        let region = engine.region(centre, reach);
        // A contact that ends before it can be looked for in the new lists is for whoever knows the order of all.
        let here = |id: u32| engine.space.bodies.by_id.row(id).is_some();
        let is_here = |name: &Name| here(name.a[0]) && (name.with_wall || here(name.b[0]));
        let all_here = contacts.iter().flat_map(|all| &all.names).all(is_here);
        let (ended, built) = engine.build_lists_within(region, contacts);
        self.trouble |= !all_here || !ended.is_empty() || built.is_err();
        let bodies = &engine.space.bodies;
        let is_own = |[a, _]: &&[u32; 2]| (bodies.owner[*a as usize] as usize) < self.own;
        let mut pairs = [engine.space.neighbours.pairs.spheres.iter().filter(is_own).count() as u64];
        self.link.sums(&mut pairs)?;
        self.all.pairs = usize::try_from(pairs[0]).unwrap_or(usize::MAX);
        self.subscribe()
    }

    /// Cuts boxes anew where some ranks have more to do than others.
    fn balance(&mut self) -> Result<(), Halt> {
        self.builds_since += 1;
        let Ownership::Boxes(weight, _) = self.ownership else { return Ok(()) };
        if self.builds_since < PATIENCE {
            return Ok(());
        }
        let [of_body, of_pair] = match weight {
            Weight::Time => self.measured_costs(),
            Weight::Count => [RankCosts::counted_cost(1, 0), RankCosts::counted_cost(0, 1)],
        };
        let pairs = self.engine.space.neighbours.pairs.spheres.len();
        let work = whole(of_body * self.own as f64 + of_pair * pairs as f64);
        let (mut most, mut sum) = ([work], [work]);
        self.link.maxima(&mut most)?;
        self.link.sums(&mut sum)?;
        if most[0] as f64 * self.link.count() as f64 > UNEVEN * sum[0] as f64 {
            let all = self.link.gather(to_bytes(self.samples(of_body, of_pair)))?;
            let mut all: Vec<Sample> = all.iter().flat_map(|some| samples_of(some)).collect();
            let cuts = Cuts::new(&mut all, self.link.count());
            let told = self.link.broadcast(to_bytes(cuts.to_numbers()))?;
            let told: Vec<f64> = of_bytes(&told).collect();
            self.ownership = Ownership::Boxes(weight, Cuts::of_numbers(&told));
            self.balanced += 1;
        }
        self.builds_since = 0;
        self.worked = self.engine.stage_times();
        Ok(())
    }

    /// How long it took to move a body since boxes were looked at, and to look at a pair in the lists, ns.
    fn measured_costs(&self) -> [f64; 2] {
        let StageTimes { move_bodies, find_contacts, apply_laws, .. } = self.engine.stage_times();
        let moving = move_bodies.saturating_sub(self.worked.move_bodies);
        let touched = self.worked.find_contacts + self.worked.apply_laws;
        let touching = (find_contacts + apply_laws).saturating_sub(touched);
        let pairs = self.engine.space.neighbours.pairs.spheres.len();
        let each = |time: Duration, count: usize| 1e9 * time.as_secs_f64() / count.max(1) as f64;
        [each(moving, self.own), each(touching, pairs)]
    }

    /// Some own bodies, with their parts of what the rank did: positions and costs, one after the other.
    fn samples(&self, of_body: f64, of_pair: f64) -> Vec<f64> {
        let bodies = &self.engine.space.bodies;
        let mut listed = vec![0_u32; bodies.len()];
        for &[a, b] in &self.engine.space.neighbours.pairs.spheres {
            listed[bodies.owner[a as usize] as usize] += 1;
            listed[bodies.owner[b as usize] as usize] += 1;
        }
        let every = (self.all.count / SAMPLES).max(1);
        let sample = |row: usize| {
            let [x, y, z] = bodies.position.row(row);
            // Half of each pair is the other body's.
            [x, y, z, every as f64 * (of_body + 0.5 * of_pair * f64::from(listed[row]))]
        };
        (0..self.own).step_by(every).flat_map(sample).collect()
    }
}

/// A cost that can be added up in any order.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "costs are positive, and far from the limit"
)]
fn whole(cost: f64) -> u64 {
    cost.min(1e15) as u64
}

/// The contacts that each rank gets, group by group, with the bonds and bridges of an engine: those of two bodies with different owners go
/// to both.
pub(super) fn by_owner<'a>(
    engine: &Engine,
    detached: &'a [Detached],
    ranks: usize,
    owner: impl Fn(u32) -> Option<usize>,
) -> Vec<Luggage<'a>> {
    let none = |_| Luggage {
        contacts: detached.iter().map(|all| (all, Vec::new())).collect(),
        ..Luggage::default()
    };
    let mut luggage: Vec<Luggage<'_>> = (0..ranks).map(none).collect();
    let owners = |first: Option<usize>, second: Option<usize>| {
        first.into_iter().chain(second.filter(move |_| first != second))
    };
    let of_name = |name: &Name| {
        let second = if name.with_wall { None } else { owner(name.b[0]) };
        owners(owner(name.a[0]), second)
    };
    for (group, all) in detached.iter().enumerate() {
        for (index, name) in (0..).zip(&all.names) {
            for rank in of_name(name) {
                luggage[rank].contacts[group].1.push(index);
            }
        }
    }
    for bridge in &engine.liquid.bridges {
        of_name(&bridge.name).for_each(|rank| luggage[rank].bridges.push(*bridge));
    }
    for tie in &engine.bonds.ties {
        let [first, second] = tie.bodies.map(&owner);
        owners(first, second).for_each(|rank| luggage[rank].ties.push(*tie));
    }
    luggage
}

fn samples_of(bytes: &[u8]) -> impl Iterator<Item = Sample> {
    let numbers: Vec<f64> = of_bytes(bytes).collect();
    let (samples, _) = numbers.as_chunks();
    let sample = |[x, y, z, cost]: &[f64; 4]| Sample { position: [*x, *y, *z], cost: *cost };
    samples.iter().map(sample).collect::<Vec<_>>().into_iter()
}

/// Some contacts of a list.
fn chosen(all: &Detached, which: impl Iterator<Item = u32>) -> Detached {
    let mut some = Detached::with_room(all.widths, 0);
    for index in which.map(|index| index as usize) {
        let (memory, deed) = all.numbers(index);
        some.push(all.names[index], memory.iter().copied(), deed.iter().copied());
    }
    some
}

/// Contacts of which two owners may have sent the same.
fn each_once(all: &Detached) -> Detached {
    let mut order: Vec<u32> = (0..index32(all.len())).collect();
    let name = |index: &u32| all.names[*index as usize];
    order.sort_unstable_by_key(name);
    order.dedup_by_key(|index| name(index));
    chosen(all, order.into_iter())
}
