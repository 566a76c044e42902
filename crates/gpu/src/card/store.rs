//! From a card to an engine.

use super::{Card, RECORD, usize_of};
use crate::device::DeviceError;
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
        let (device, tables, side) = (&*self.device, &self.tables, Self::side(self.step));
        let (memory, outcome) = (self.plan.memory, self.plan.outcome);
        let candidates = usize_of(self.world.candidates);
        let (owner, first) = {
            let spheres = tables.owner.read(device, 0, tables.owner.room())?;
            (spheres, tables.first_sphere.read(device, 0, self.rows() + 1)?)
        };
        let sphere = |sphere: u32| {
            let row = owner[sphere as usize] as usize;
            [bodies.id[row], sphere - first[row]]
        };
        let material = |sphere: u32| {
            let kind = bodies.kind[owner[sphere as usize] as usize];
            usize::from(self.plan.kinds[kind as usize].material)
        };
        let model = |a: usize, b: usize| self.plan.model_of[a * self.plan.materials + b] as usize;
        let words = tables.words.read(device, 0, 4 * candidates.div_ceil(32))?;
        let touching =
            (0..candidates).filter(|candidate| words[candidate / 32 * 4 + side] >> (candidate % 32) & 1 == 1);
        let pairs = tables.candidate.read(device, 0, 4 * candidates)?;
        let remembered = tables.memory[side].rows(device, (self.contacts, tables.stride[side], memory))?;
        let done = tables.outcome.rows(device, (self.contacts, candidates, outcome))?;
        let mut found = vec![Contacts::default(); self.plan.models.len()];
        let mut add = |model: usize, name: ContactName, memory: &[f64], outcome: &[f64]| {
            let (own, widths) = (&mut found[model], &self.plan.models[model]);
            own.names.push(name);
            own.memory.extend(&memory[..widths.memory]);
            own.outcome.extend(&outcome[..widths.outcome]);
        };
        // Their places are in the order of the lists.
        for (place, candidate) in touching.enumerate() {
            let [a, b] = [pairs[4 * candidate], pairs[4 * candidate + 1]];
            let name = ContactName { with_wall: false, a: sphere(a), b: sphere(b), feature: 0 };
            add(
                model(material(a), material(b)),
                name,
                &remembered[place * memory..(place + 1) * memory],
                &done[place * outcome..(place + 1) * outcome],
            );
        }
        let slots = usize_of(self.world.slots);
        let features = tables.slot_touching[side].read(device, 0, slots)?;
        let (of_slot, walls) =
            (tables.slot_sphere.read(device, 0, slots)?, tables.slot_wall.read(device, 0, slots)?);
        let remembered = tables.slot_memory[side].rows(device, (slots, slots, memory))?;
        let done = tables.slot_outcome.rows(device, (slots, slots, outcome))?;
        for slot in (0..slots).filter(|slot| features[*slot] != 0) {
            let (a, b, feature) = (sphere(of_slot[slot]), [walls[slot], 0], features[slot] - 1);
            let wall = usize::from(self.walls[walls[slot] as usize].material);
            add(
                model(material(of_slot[slot]), wall),
                ContactName { with_wall: true, a, b, feature },
                &remembered[slot * memory..(slot + 1) * memory],
                &done[slot * outcome..(slot + 1) * outcome],
            );
        }
        Ok(found)
    }
}
