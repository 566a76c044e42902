//! New lists, which all ranks build together: bodies go to their owners with all that they have, and ghosts come.

use super::link::{Halt, of_bytes, to_bytes};
use super::ownership::{Cuts, Ownership, Sample};
use super::part::Part;
use crate::contact::{Detached, Name};
use crate::neighbour::place_on_curve;
use crate::report::StageTimes;
use crate::rows_by_id::index32;
use crate::saved::Chosen;
use crate::step::REORDER_EVERY;
use core::time::Duration;
use std::time::Instant;

/// Boxes are cut anew if the busiest rank has so much more to do than the mean.
const UNEVEN: f64 = 1.15;

/// And not before lists were built so often since.
const PATIENCE: u64 = 10;

/// Bodies of all ranks together that cuts are made by, about.
const SAMPLES: usize = 20_000;

impl Part {
    /// Builds the lists for the present positions, with the skin that fits the present speeds, and hands the contacts over.
    pub(super) fn rebuild(&mut self) -> Result<(), Halt> {
        let begin = Instant::now();
        let detached = self.engine.detach();
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

    /// Gives bodies to their owners, each with all of its contacts. Tells the rows that are this rank's now, and their contacts.
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
        let mut going = by_owner(detached, count, owner_of);
        let staying = core::mem::take(&mut going[here]);
        let message = |(rows, contacts): (&Vec<usize>, &Vec<Chosen<'_>>)| {
            if rows.is_empty() { Vec::new() } else { engine.pack(rows, contacts) }
        };
        let messages = rows.iter().zip(&going).map(message).collect();
        let received = self.link.all_to_all(messages)?;

        let mut contacts: Vec<Detached> =
            staying.into_iter().map(|(all, which)| chosen(all, which.into_iter())).collect();
        for message in received.iter().filter(|message| !message.is_empty()) {
            own.extend(self.engine.unpack(message, &mut contacts)?);
        }
        if received.iter().any(|message| !message.is_empty()) {
            contacts = contacts.iter().map(each_once).collect();
        }
        Ok((own, contacts))
    }

    /// Builds the lists of own bodies and ghosts as they are placed, of which `extent` is the box of all centres.
    pub(super) fn build_lists(&mut self, extent: [[f64; 3]; 2], contacts: Vec<Detached>) -> Result<(), Halt> {
        let engine = &mut self.engine;
        let centre = engine.region_centre(extent);
        let (reach, _) = self.link.longest(engine.reach_from(centre), false)?;
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
        if !matches!(self.ownership, Ownership::Boxes(_)) || self.builds_since < PATIENCE {
            return Ok(());
        }
        let [moving, touching] = self.work_since();
        let nanoseconds = u64::try_from((moving + touching).as_nanos()).unwrap_or(u64::MAX >> 16);
        let (mut most, mut sum) = ([nanoseconds], [nanoseconds]);
        self.link.maxima(&mut most)?;
        self.link.sums(&mut sum)?;
        if most[0] as f64 * self.link.count() as f64 > UNEVEN * sum[0] as f64 {
            let samples = self.samples(moving.as_secs_f64(), touching.as_secs_f64());
            let all = self.link.gather(to_bytes(samples))?;
            let mut all: Vec<Sample> = all.iter().flat_map(|some| samples_of(some)).collect();
            let cuts = Cuts::new(&mut all, self.link.count());
            let told = to_bytes(cuts.0.iter().flat_map(|(axis, at)| [f64::from(*axis), *at]));
            let told: Vec<f64> = of_bytes(&self.link.broadcast(told)?).collect();
            let axis = |number: f64| (0..3).find(|axis| f64::from(*axis) >= number).unwrap_or(0);
            let cuts = told.as_chunks().0.iter().map(|[number, at]| (axis(*number), *at));
            self.ownership = Ownership::Boxes(Cuts(cuts.collect()));
            self.balanced += 1;
        }
        self.builds_since = 0;
        self.worked = self.engine.stage_times();
        Ok(())
    }

    /// How long bodies were moved since boxes were looked at, and contacts evaluated.
    fn work_since(&self) -> [Duration; 2] {
        let StageTimes { move_bodies, find_contacts, apply_laws, .. } = self.engine.stage_times();
        let touched = self.worked.find_contacts + self.worked.apply_laws;
        [
            move_bodies.saturating_sub(self.worked.move_bodies),
            (find_contacts + apply_laws).saturating_sub(touched),
        ]
    }

    /// Some own bodies, with their parts of what the rank did: positions and costs, one after the other.
    fn samples(&self, moving: f64, touching: f64) -> Vec<f64> {
        let bodies = &self.engine.space.bodies;
        let pairs = &self.engine.space.neighbours.pairs.spheres;
        let mut listed = vec![0_u32; bodies.len()];
        for &[a, b] in pairs {
            listed[bodies.owner[a as usize] as usize] += 1;
            listed[bodies.owner[b as usize] as usize] += 1;
        }
        let of_body = moving / self.own.max(1) as f64;
        let of_pair = touching / (2.0 * pairs.len().max(1) as f64);
        let every = (self.all.count / SAMPLES).max(1);
        let sample = |row: usize| {
            let [x, y, z] = bodies.position.row(row);
            [x, y, z, every as f64 * (of_body + of_pair * f64::from(listed[row]))]
        };
        (0..self.own).step_by(every).flat_map(sample).collect()
    }
}

/// The contacts that each rank gets, group by group: those of two bodies with different owners go to both.
pub(super) fn by_owner(
    detached: &[Detached],
    ranks: usize,
    owner: impl Fn(u32) -> Option<usize>,
) -> Vec<Vec<Chosen<'_>>> {
    let none = |_| detached.iter().map(|all| (all, Vec::new())).collect();
    let mut contacts: Vec<Vec<Chosen<'_>>> = (0..ranks).map(none).collect();
    for (group, all) in detached.iter().enumerate() {
        for (index, name) in (0..).zip(&all.names) {
            let first = owner(name.a[0]);
            let second = if name.with_wall { None } else { owner(name.b[0]) };
            for rank in first.into_iter().chain(second.filter(|_| first != second)) {
                contacts[rank][group].1.push(index);
            }
        }
    }
    contacts
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
