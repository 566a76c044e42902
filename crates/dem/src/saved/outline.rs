//! What an engine without bodies has to know of another one to stand in for a part of it: for ranks that are other processes, which
//! have the same world but for its bodies.
//!
//! Of rules, the differences from those of the world are told, as in a saved state; and what is said there of lists as well, since
//! all ranks go on with the same.

use super::bytes::{put_numbers, take_numbers};
use super::stored::{Input, Stored};
use super::{Lists, SavedState, fingerprint};
use crate::bodies::{BookTable, Sums};
use crate::bond::TouchBonds;
use crate::contact::Groups;
use crate::domain::Tilt;
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
        self.rules.bonded.put(&mut out);
        // What follows from all bodies, which others do not have.
        let among = |own: &TouchBonds| {
            own.among.as_ref().map(|all| all.iter().map(|some| [some.start, some.end]).collect::<Vec<_>>())
        };
        self.rules.touch_bonds.iter().map(among).collect::<Vec<_>>().put(&mut out);
        self.rules.cell.map_or(0.0, |cell| cell.mass).put(&mut out);
        // Where walls that move by themselves and the cell were when lists were built.
        self.space.free.iter().map(|wall| wall.built).collect::<Vec<_>>().put(&mut out);
        let built = self.space.cell.map(|cell| cell.built);
        built.map(|(lengths, _)| lengths).put(&mut out);
        built.and_then(|(_, tilt)| tilt).map(|tilt| tilt.by).put(&mut out);
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
        self.put_cell_back(state.cell.as_ref());

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
        self.rules.bonded = Stored::take(&mut input)?;
        let among: Vec<Option<Vec<[u32; 2]>>> = Stored::take(&mut input)?;
        if among.len() != self.rules.touch_bonds.len() {
            return Err(Error::Mismatch { what: "it has other bonds by touch".into() });
        }
        let rules = self.rules.touch_bonds.iter().zip(among);
        let told = rules.map(|(own, among)| TouchBonds {
            among: among.map(|all| all.into_iter().map(|[start, end]| start..end).collect()),
            ..own.clone()
        });
        self.rules.touch_bonds = told.collect();
        let mass = f64::take(&mut input)?;
        if let Some(cell) = &mut self.rules.cell {
            cell.mass = mass;
        }
        let built: Vec<f64> = Stored::take(&mut input)?;
        self.space.free.iter_mut().zip(built).for_each(|(wall, built)| wall.built = built);
        let (lengths, by): (Option<[f64; 3]>, Option<f64>) =
            (Stored::take(&mut input)?, Stored::take(&mut input)?);
        if let (Some(cell), Some(lengths)) = (&mut self.space.cell, lengths) {
            let tilt = |([flow, gradient], by): ([usize; 2], f64)| Tilt { flow, gradient, by };
            cell.built = (lengths, cell.slid.map(|slid| slid.plane).zip(by).map(tilt));
        }
        input.end()
    }

    /// Of the world as it was given, which ranks have in common whatever was changed since.
    fn fingerprint_as_given(&self) -> u64 {
        fingerprint(&self.space.bodies.shapes.templates, &self.rules.given.materials, &self.space.walls)
    }
}
