//! From a card to an engine.

use super::{Card, RECORD, usize_of};
use crate::device::DeviceError;
use rayon::prelude::*;
use tumble_dem::plain::{Bodies, ContactName, Contacts, Done};
use tumble_dem::{Engine, Error};

impl Card {
    /// Gives an engine the present state: that of the end of the last step.
    pub(crate) fn store(&self, engine: &mut Engine) -> Result<(), Error> {
        let failed = |error: DeviceError| Error::Device { reason: error.to_string() };
        let bodies = self.bodies().map_err(failed)?;
        let contacts = self.contacts(&bodies).map_err(failed)?;
        engine.add_to_surfaces(&self.take_surfaces().map_err(failed)?);
        engine.take_back(Done { steps: self.step, longest: self.longest }, &bodies, &contacts)
    }

    fn bodies(&self) -> Result<Bodies, DeviceError> {
        let (device, tables, rows) = (&*self.device, &self.tables, self.rows());
        let width = self.plan.rotation.scheme.memory_width();
        Ok(Bodies {
            id: tables.id.clone(),
            curve: tables.curve.clone(),
            fresh: tables.fresh.read(device, 0, rows)?.into_iter().map(|fresh| fresh != 0).collect(),
            kind: tables.kind_of_row.clone(),
            position: tables.position.columns(device, rows)?,
            velocity: tables.velocity.columns(device, rows)?,
            q: tables.q.columns(device, rows)?,
            omega: tables.omega.columns(device, rows)?,
            memory: tables.scheme_memory.rows(device, (rows, rows, width))?,
            acting: tables.acting.columns(device, rows)?,
            books: tables.books.rows(device, (rows, rows, self.plan.books))?,
            at_force: self.at_force()?,
            prescribed: self.prescribed.clone(),
        })
    }

    /// Bodies as laws see them.
    pub(super) fn at_force(&self) -> Result<Vec<[f64; 13]>, DeviceError> {
        let record = self.tables.record.read(&*self.device, 0, RECORD * self.rows())?;
        Ok(record.chunks_exact(RECORD).map(|body| core::array::from_fn(|k| body[k])).collect())
    }

    /// The contacts of each model.
    fn contacts(&self, bodies: &Bodies) -> Result<Vec<Contacts>, DeviceError> {
        let whose = self.spheres(bodies)?;
        let mut found = self.contacts_between(&whose)?;
        let with_walls = self.contacts_with_walls(&whose)?;
        for (own, more) in found.iter_mut().zip(with_walls) {
            own.names.extend(more.names);
            own.memory.extend(more.memory);
            own.outcome.extend(more.outcome);
        }
        Ok(found)
    }

    /// Whose the spheres are.
    fn spheres<'a>(&self, bodies: &'a Bodies) -> Result<Spheres<'a>, DeviceError> {
        let (device, tables) = (&*self.device, &self.tables);
        let owner = tables.owner.read(device, 0, tables.owner.room())?;
        let first = tables.first_sphere.read(device, 0, self.rows() + 1)?;
        let material_of_kind = self.plan.kinds.iter().map(|kind| usize::from(kind.material)).collect();
        Ok(Spheres { bodies, owner, first, material_of_kind })
    }

    fn contacts_between(&self, whose: &Spheres<'_>) -> Result<Vec<Contacts>, DeviceError> {
        let (device, tables, side) = (&*self.device, &self.tables, Self::side(self.step));
        let candidates = usize_of(self.world.candidates);
        let words = tables.words.read(device, 0, 4 * candidates.div_ceil(32))?;
        let spheres = tables.candidate.read(device, 0, 4 * candidates)?;
        // Their places are in the order of the lists.
        let touching = words.par_chunks(4).enumerate().flat_map_iter(|(word, known)| {
            let bits = known[side];
            (0..32).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 32 * word + bit)
        });
        let pairs: Vec<[u32; 2]> = touching.map(|c| [spheres[4 * c], spheres[4 * c + 1]]).collect();
        drop((words, spheres));
        let name = |[a, b]: &[u32; 2]| {
            let (a, b) = (whose.name(*a), whose.name(*b));
            ContactName { with_wall: false, a, b, feature: 0 }
        };
        let (memory, outcome) = (self.plan.memory, self.plan.outcome);
        let all = Contacts {
            names: pairs.par_iter().map(name).collect(),
            memory: tables.memory[side].rows(device, (self.contacts, tables.stride[side], memory))?,
            outcome: tables.outcome.rows(device, (self.contacts, candidates, outcome))?,
        };
        Ok(self.by_model(all, |place| {
            let [a, b] = pairs[place].map(|sphere| whose.material(sphere));
            self.model_of(a, b)
        }))
    }

    fn contacts_with_walls(&self, whose: &Spheres<'_>) -> Result<Vec<Contacts>, DeviceError> {
        let (device, tables, side) = (&*self.device, &self.tables, Self::side(self.step));
        let (memory, outcome, slots) = (self.plan.memory, self.plan.outcome, usize_of(self.world.slots));
        let features = tables.slot_touching[side].read(device, 0, slots)?;
        let (of_slot, walls) =
            (tables.slot_sphere.read(device, 0, slots)?, tables.slot_wall.read(device, 0, slots)?);
        let remembered = tables.slot_memory[side].rows(device, (slots, slots, memory))?;
        let done = tables.slot_outcome.rows(device, (slots, slots, outcome))?;
        let touching: Vec<usize> = (0..slots).filter(|slot| features[*slot] != 0).collect();
        let mut all = Contacts::default();
        for &slot in &touching {
            let (a, b, feature) = (whose.name(of_slot[slot]), [walls[slot], 0], features[slot] - 1);
            all.names.push(ContactName { with_wall: true, a, b, feature });
            all.memory.extend(&remembered[slot * memory..(slot + 1) * memory]);
            all.outcome.extend(&done[slot * outcome..(slot + 1) * outcome]);
        }
        Ok(self.by_model(all, |place| {
            let slot = touching[place];
            let wall = usize::from(self.walls[walls[slot] as usize].material);
            self.model_of(whose.material(of_slot[slot]), wall)
        }))
    }

    /// Which model two materials have.
    fn model_of(&self, a: usize, b: usize) -> usize {
        self.plan.model_of[a * self.plan.materials + b] as usize
    }

    /// Contacts whose rows are as wide as the widest model asks for, apart by the models of those at each place.
    fn by_model(&self, all: Contacts, model: impl Fn(usize) -> usize) -> Vec<Contacts> {
        if self.plan.models.len() == 1 {
            return vec![all];
        }
        let (memory, outcome) = (self.plan.memory, self.plan.outcome);
        let mut found = vec![Contacts::default(); self.plan.models.len()];
        for (place, name) in all.names.into_iter().enumerate() {
            let model = model(place);
            let (own, widths) = (&mut found[model], &self.plan.models[model]);
            own.names.push(name);
            own.memory.extend(&all.memory[place * memory..][..widths.memory]);
            own.outcome.extend(&all.outcome[place * outcome..][..widths.outcome]);
        }
        found
    }
}

/// Whose the spheres on a card are.
struct Spheres<'a> {
    bodies: &'a Bodies,
    owner: Vec<u32>,
    /// The first one of each row.
    first: Vec<u32>,
    material_of_kind: Vec<usize>,
}

impl Spheres<'_> {
    fn row(&self, sphere: u32) -> usize {
        self.owner[sphere as usize] as usize
    }

    /// The id of its body, and its number among those of the body.
    fn name(&self, sphere: u32) -> [u32; 2] {
        let row = self.row(sphere);
        [self.bodies.id[row], sphere - self.first[row]]
    }

    fn material(&self, sphere: u32) -> usize {
        self.material_of_kind[self.bodies.kind[self.row(sphere)] as usize]
    }
}
