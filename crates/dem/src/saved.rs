//! A whole state: everything that a run needs to go on with the same bits.

use crate::bodies::Bodies;
use crate::contact::{Loose, PairTable, WallLoad};
use crate::engine::Engine;
use crate::error::Error;
use crate::law::ContactModel;
use crate::ledger::Exchange;
use crate::wall::Region;
use tumble_rotation::SchemeKind;

/// The state of an engine at the end of a step. An engine of the same world and settings goes on from it as
/// if nothing had happened, on any number of threads.
#[derive(Clone, Debug)]
pub struct SavedState {
    pub(crate) steps: u64,
    dt: f64,
    bodies: Bodies,
    contacts: Vec<Loose>,
    loads: Vec<WallLoad>,
    exchange: Exchange,
    longest: f64,
    skin: f64,
    travelled: f64,
    wall_travelled: f64,
    builds: u64,
    region: Region,
    rotation: SchemeKind,
    contact: ContactModel,
    materials: usize,
}

impl SavedState {
    /// The time of the state, s.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }
}

impl Engine {
    /// The present state.
    pub fn save(&self) -> SavedState {
        SavedState {
            steps: self.steps,
            dt: self.settings.dt,
            bodies: self.bodies.clone(),
            contacts: self.contacts.loosened(self.scene(), self.physics(), true),
            loads: self.loads.clone(),
            exchange: self.exchange,
            longest: self.longest,
            skin: self.neighbours.skin,
            travelled: self.neighbours.travelled,
            wall_travelled: self.neighbours.wall_travelled,
            builds: self.neighbours.builds,
            region: self.region,
            rotation: self.settings.rotation,
            contact: self.settings.contact,
            materials: self.materials.as_slice().len(),
        }
    }

    /// Goes on from a state that was saved with the same world and settings.
    pub fn restore(&mut self, state: &SavedState) -> Result<(), Error> {
        if state.loads.len() != self.walls.len() {
            return Err(Error::Mismatch { what: "it has another number of walls" });
        }
        if state.bodies.shapes.templates != self.bodies.shapes.templates {
            return Err(Error::Mismatch { what: "it has other templates" });
        }
        if state.materials != self.materials.as_slice().len() {
            return Err(Error::Mismatch { what: "it has another number of materials" });
        }
        if state.dt.to_bits() != self.settings.dt.to_bits() {
            return Err(Error::Mismatch { what: "it has another time step" });
        }
        if state.rotation != self.settings.rotation {
            return Err(Error::Mismatch { what: "it has another rotation scheme" });
        }
        if state.contact != self.settings.contact {
            return Err(Error::Mismatch { what: "it has another contact model" });
        }
        let of_bodies = state.bodies.material.iter().copied();
        self.pairs = PairTable::new(&self.materials, self.settings.contact, of_bodies, &self.walls)?;
        self.put_back(state);
        self.last_good = None;
        Ok(())
    }

    pub(crate) fn put_back(&mut self, state: &SavedState) {
        self.steps = state.steps;
        self.bodies = state.bodies.clone();
        self.loads.clone_from(&state.loads);
        self.exchange = state.exchange;
        self.longest = state.longest;
        let time = self.time();
        self.poses = self.walls.iter().map(|wall| wall.motion.at(time)).collect();
        self.neighbours.skin = state.skin;
        self.build_lists(&state.contacts);
        // The lists are new, but the next build must come when it would have come.
        self.neighbours.travelled = state.travelled;
        self.neighbours.wall_travelled = state.wall_travelled;
        self.neighbours.builds = state.builds;
        self.region = state.region;
    }
}
