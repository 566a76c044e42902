//! Bodies and contacts on their way from one rank to another, in the form that saved states have, with where bodies were when lists
//! were built.
//!
//! | message | what |
//! | --- | --- |
//! | parcel | some bodies with everything that they have, contacts by name, group by group, bonds, and bridges of liquid |
//! | share | a rank's part of a state: a parcel, and its part of what is added up over all bodies |
//!
//! All shares together are a state: equal to that of an engine which did the same steps alone.

use super::bytes::{put_rows, take_rows};
use super::models::ModelNames;
use super::stored::{Input, Stored};
use super::{Lists, SavedState, SchemeName, fingerprint};
use crate::bodies::{Bodies, BookTable, Sums};
use crate::clump::ClumpTemplate;
use crate::contact::{Detached, Name, WallLoad, sum_on_walls};
use crate::engine::Engine;
use crate::error::Error;
use crate::material::Materials;
use crate::parallel::Threads;
use crate::report::Exchange;
use crate::rows_by_id::RowsById;
use crate::step::bond::{Bonds, Tie};
use crate::step::{BridgeVolume, HeatBooks, LiquidBooks, Surfaces};
use core::ops::Range;
use std::sync::Arc;
use tumble_math::ExactSum;

/// Contacts of a group, and which of them are meant.
pub(crate) type Chosen<'a> = (&'a Detached, Vec<u32>);

/// What goes along with bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Luggage<'a> {
    /// Of each group.
    pub(crate) contacts: Vec<Chosen<'a>>,
    pub(crate) ties: Vec<Tie>,
    pub(crate) bridges: Vec<BridgeVolume>,
}

/// What came along with bodies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unpacked {
    /// Of each group, if any are expected.
    pub(crate) contacts: Vec<Detached>,
    pub(crate) ties: Vec<Tie>,
    pub(crate) bridges: Vec<BridgeVolume>,
}

impl Engine {
    /// Some rows and what goes along with them as bytes.
    pub(crate) fn pack(&self, rows: &[usize], luggage: &Luggage<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        self.put_parcel(rows, luggage, &mut out);
        out
    }

    fn put_parcel(
        &self,
        rows: &[usize],
        Luggage { contacts, ties, bridges }: &Luggage<'_>,
        out: &mut Vec<u8>,
    ) {
        let width = self.rules.settings.rotation.memory_width();
        rows.len().put(out);
        let bodies = &self.space.bodies;
        put_rows(bodies, &self.sums, width, rows, out);
        // Saved states have nothing of lists; but all ranks go on with the same.
        for &row in rows {
            bodies.built[row].put(out);
        }
        contacts.len().put(out);
        for (all, which) in contacts {
            which.len().put(out);
            for index in which.iter().map(|index| *index as usize) {
                all.names[index].put(out);
                let (memory, deed) = all.numbers(index);
                memory.iter().chain(deed).for_each(|number| number.put(out));
            }
        }
        ties.put(out);
        bridges.put(out);
    }

    /// Puts the bodies of a parcel after those that are here, and what goes along with them after what others had with them. Which rows
    /// the bodies have has to be [assigned](Bodies::permute) afterwards.
    pub(crate) fn unpack(&mut self, bytes: &[u8], unpacked: &mut Unpacked) -> Result<Range<usize>, Error> {
        let mut input = Input::new(bytes);
        let (bodies, sums) = (&mut self.space.bodies, &mut self.sums);
        let width = self.rules.settings.rotation.memory_width();
        let first = bodies.len();
        let templates = bodies.shapes.templates.clone();
        let of = (&templates[..], &self.rules.materials);
        take_parcel(bodies, sums, (width, of), unpacked, &mut input)?;
        input.end()?;
        Ok(first..self.space.bodies.len())
    }

    /// No contacts of any group, each with room for what they remember, and with `deeds` for what they do.
    pub(crate) fn no_contacts(&self, deeds: bool) -> Vec<Detached> {
        let groups = 0..self.rules.groups.len();
        groups.map(|group| Detached::with_room(self.physics(group).widths(deeds), 0)).collect()
    }

    /// This rank's part of a state: the first rows, which are its own, and their contacts. A contact is told by the owner of its
    /// first body.
    pub(crate) fn share(&self, own: usize) -> Vec<u8> {
        let mut out = Vec::new();
        let detached = self.detached(true);
        let is_own = |name: &Name| self.space.bodies.by_id.row(name.a[0]).is_some_and(|row| row < own);
        let contacts: Vec<Chosen<'_>> = detached
            .iter()
            .map(|all| {
                let own = (0..).zip(&all.names).filter(|(_, name)| is_own(name)).map(|(index, _)| index);
                (all, own.collect())
            })
            .collect();
        let rows: Vec<usize> = (0..own).collect();
        let bridges = self.liquid.bridges.iter().filter(|bridge| is_own(&bridge.name)).copied();
        let luggage = Luggage { contacts, ties: Vec::new(), bridges: bridges.collect() };
        self.put_parcel(&rows, &luggage, &mut out);
        let layouts = self.rules.groups.layouts();
        for sum in sum_on_walls(self.contacts.iter().zip(layouts), &self.space).iter().flatten() {
            sum.put(&mut out);
        }
        self.exchange.removed.put(&mut out);
        self.surfaces.put(&mut out);
        self.heat.books.put(&mut out);
        self.bonds.share(own).put(&mut out);
        out
    }

    /// The state of all shares, which were taken when this engine, a rank as any other, had done its steps. Before them, the sums
    /// over all bodies were those of `before`.
    pub(crate) fn state_of_shares(
        &self,
        shares: &[Vec<u8>],
        next_id: u32,
        before: &Totals,
    ) -> Result<SavedState, Error> {
        let shapes = self.space.bodies.shapes.clone();
        let templates = shapes.templates.clone();
        let mut bodies = Bodies::new(shapes);
        let mut sums = Sums { books: BookTable::new(self.sums.books.width()), ..Sums::default() };
        let mut unpacked = Unpacked { contacts: self.no_contacts(true), ..Unpacked::default() };
        let mut loads = vec![[ExactSum::ZERO; 7]; self.space.walls.len()];
        let Totals { mut exchange, mut surfaces, mut heat, mut bonds, mut liquid } = before.clone();
        heat.walls.iter_mut().for_each(|wall| wall.flow = ExactSum::ZERO);
        surfaces.go_on(self.surfaces.since);
        let width = self.rules.settings.rotation.memory_width();
        for share in shares {
            let mut input = Input::new(share);
            let of = (&templates[..], &self.rules.materials);
            take_parcel(&mut bodies, &mut sums, (width, of), &mut unpacked, &mut input)?;
            for sum in loads.iter_mut().flatten() {
                sum.merge(&Stored::take(&mut input)?);
            }
            let removed: Vec<ExactSum> = Stored::take(&mut input)?;
            exchange.removed.iter_mut().zip(&removed).for_each(|(sum, part)| sum.merge(part));
            surfaces.merge(&Stored::take(&mut input)?);
            heat.merge(&Stored::take(&mut input)?);
            bonds.merge(Stored::take(&mut input)?);
            input.end()?;
        }
        liquid.bridges = unpacked.bridges;
        liquid.bridges.sort_unstable_by_key(|bridge| bridge.name);
        let twice = || Error::Mismatch { what: "two ranks have the same body".into() };
        bodies.by_id = RowsById::of(&bodies.id, next_id).ok_or_else(twice)?;
        bodies.sort_rows(&mut sums, &Threads::ONE);
        let (progress, neighbours) = (&self.progress, &self.space.neighbours);
        Ok(SavedState {
            steps: progress.steps,
            dt: self.rules.given.dt,
            altered: self.rules.altered(progress.since),
            bodies,
            sums,
            contacts: unpacked.contacts,
            rewound: false,
            loads: loads.iter().map(WallLoad::of).collect(),
            cell: self.space.cell,
            heat: self.has_heat().then_some(heat),
            liquid: self.has_liquid().then_some(liquid),
            free: self.space.free.clone(),
            surfaces: self.rules.settings.surface_interval.map(|_| surfaces),
            exchange,
            bonds: bonds.sorted(),
            lists: Some(Lists::of(progress, neighbours)),
            rotation: SchemeName::of(self.rules.settings.rotation),
            precision: self.rules.settings.precision,
            models: ModelNames::of(&self.rules.groups),
            materials: self.rules.materials.as_slice().len(),
            fingerprint: fingerprint(&templates, &self.rules.materials, &self.space.walls),
        })
    }
}

/// What is added up over all bodies from step to step.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    pub(crate) exchange: Exchange,
    pub(crate) surfaces: Surfaces,
    pub(crate) heat: HeatBooks,
    /// Without the bonds that there are.
    pub(crate) bonds: Bonds,
    /// Without the bridges that there are.
    pub(crate) liquid: LiquidBooks,
}

/// How a parcel is to be read: what rotation remembers, and what bodies are made of.
type Reading<'a> = (usize, (&'a [Arc<ClumpTemplate>], &'a Materials));

fn take_parcel(
    bodies: &mut Bodies,
    sums: &mut Sums,
    (width, of): Reading<'_>,
    Unpacked { contacts, ties, bridges }: &mut Unpacked,
    input: &mut Input<'_>,
) -> Result<(), Error> {
    let rows = input.count(1)?;
    let first = bodies.len();
    take_rows(bodies, sums, width, of, rows, input)?;
    for built in &mut bodies.built[first..] {
        *built = Stored::take(input)?;
    }
    let groups = input.count(1)?;
    if groups > contacts.len() {
        return Err(input.broken("there are contacts of more models"));
    }
    for all in contacts.iter_mut().take(groups) {
        for _ in 0..input.count(1)? {
            let name = Stored::take(input)?;
            let numbers: Vec<f64> = input.several(all.widths.memory + all.widths.deed)?;
            let (memory, deed) = numbers.split_at(all.widths.memory);
            all.push(name, memory.iter().copied(), deed.iter().copied());
        }
    }
    let told: Vec<Tie> = Stored::take(input)?;
    ties.extend(told);
    let told: Vec<BridgeVolume> = Stored::take(input)?;
    bridges.extend(told);
    Ok(())
}
