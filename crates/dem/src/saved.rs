//! A whole state: everything that a run needs to go on with the same bits.

use crate::bodies::Bodies;
use crate::contact::{Loose, WallLoad};
use crate::engine::Engine;
use crate::error::Error;
use crate::ledger::Exchange;

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
            contacts: self.contacts.loosened(&self.bodies, &self.neighbours),
            loads: self.loads.clone(),
            exchange: self.exchange,
            longest: self.longest,
            skin: self.neighbours.skin,
            travelled: self.neighbours.travelled,
            wall_travelled: self.neighbours.wall_travelled,
            builds: self.neighbours.builds,
        }
    }

    /// Goes on from a state that was saved with the same world and settings.
    pub fn restore(&mut self, state: &SavedState) -> Result<(), Error> {
        if state.loads.len() != self.walls.len() {
            return Err(Error::Mismatch { what: "it has another number of walls" });
        }
        let templates = |bodies: &Bodies| {
            bodies.shapes.templates.iter().map(|template| template.spheres().len()).collect::<Vec<_>>()
        };
        if templates(&state.bodies) != templates(&self.bodies) {
            return Err(Error::Mismatch { what: "it has other templates" });
        }
        if state.dt.to_bits() != self.settings.dt.to_bits() {
            return Err(Error::Mismatch { what: "it has another time step" });
        }
        let remembered = if self.settings.rotation.memory_width() > 0 { state.bodies.len() } else { 0 };
        if state.bodies.memory.rows() != remembered {
            return Err(Error::Mismatch { what: "it has another rotation scheme" });
        }
        self.put_back(state);
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
    }
}
