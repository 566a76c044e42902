//! What an engine without bodies has to know of another one to stand in for a part of it: for ranks that are other processes, which
//! have the same world but for its bodies.
//!
//! Of rules, the differences from those of the world are told, as in a saved state; and what is said there of lists as well, since
//! all ranks go on with the same.

use super::bytes::{put_numbers, take_numbers};
use super::stored::{Input, Stored};
use super::{Lists, SavedState, fingerprint};
use crate::bodies::{BookTable, Sums};
use crate::contact::Groups;
use crate::engine::Engine;
use crate::error::Error;
use crate::report::Exchange;
use crate::step::Surfaces;
use crate::wall::Region;
use crate::world::World;

impl Engine {
    /// Everything about this engine but its bodies and contacts, as bytes.
    pub(crate) fn outline(&self) -> Vec<u8> {
        let state = SavedState {
            surfaces: None,
            heat: None,
            liquid: None,
            exchange: Exchange::default(),
            ..self.save_numbers()
        };
        let mut out = Vec::new();
        self.fingerprint_as_given().put(&mut out);
        put_numbers(&state, &mut out);
        let mut materials = self.space.bodies.material.clone();
        materials.sort_unstable();
        materials.dedup();
        materials.put(&mut out);
        let Lists { longest, skin, travelled, wall_travelled, builds, built_at } =
            Lists::of(&self.progress, &self.space.neighbours);
        [longest, skin, travelled, wall_travelled].put(&mut out);
        [builds, built_at].put(&mut out);
        self.progress.wall_displacement.put(&mut out);
        self.space.region.centre.put(&mut out);
        self.space.region.radius.put(&mut out);
        self.surfaces.since.put(&mut out);
        out
    }

    /// Goes by the outline of another engine of the same world. This one has no bodies, and rules as they were given.
    pub(crate) fn follow(&mut self, outline: &[u8]) -> Result<(), Error> {
        let mut input = Input::new(outline);
        if u64::take(&mut input)? != self.fingerprint_as_given() {
            let what = "it has other templates, materials or walls: files that the scene names differ here";
            return Err(Error::Mismatch { what: what.into() });
        }
        let mut state = SavedState::blank(&World::default());
        take_numbers(&mut state, &mut input)?;
        let materials: Vec<u16> = Stored::take(&mut input)?;
        let groups = |engine: &Self, known| {
            Groups::new(known, &engine.rules.settings, materials.iter().copied(), &engine.space.walls)
        };
        // Which properties there are to be altered depends on the groups.
        self.rules.groups = groups(self, &self.rules.materials)?;
        let rules = self.rules.with(&state.altered)?;
        self.rules.groups = groups(self, &rules.materials)?;
        self.rules.set(rules);
        let books = self.rules.groups.accounts.books();
        self.sums = Sums { books: BookTable::new(books), ..Sums::default() };
        self.exchange = Exchange::new(books);
        self.loads = state.loads;
        self.space.free = state.free;

        let [longest, skin, travelled, wall_travelled] = Stored::take(&mut input)?;
        let [builds, built_at] = Stored::take(&mut input)?;
        (self.progress.steps, self.progress.since) = (state.steps, state.altered.since());
        (self.progress.longest, self.progress.made_by_hand) = (longest, false);
        self.place_walls(state.steps, |wall| wall.place);
        self.progress.wall_displacement = Stored::take(&mut input)?;
        let neighbours = &mut self.space.neighbours;
        (neighbours.skin, neighbours.travelled, neighbours.wall_travelled) =
            (skin, travelled, wall_travelled);
        (neighbours.builds, neighbours.built_at) = (builds, built_at);
        self.space.region = Region { centre: Stored::take(&mut input)?, radius: Stored::take(&mut input)? };
        self.surfaces = Surfaces::new(&self.space.walls, Stored::take(&mut input)?);
        input.end()
    }

    /// Of the world as it was given, which ranks have in common whatever was changed since.
    fn fingerprint_as_given(&self) -> u64 {
        fingerprint(&self.space.bodies.shapes.templates, &self.rules.given.materials, &self.space.walls)
    }
}
