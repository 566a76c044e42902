//! A whole state: everything that a run needs to go on with the same bits.

mod bonds;
mod by_name;
mod bytes;
mod check;
mod models;
mod outline;
mod parcel;
mod stored;
mod transfer;

pub use by_name::ByName;
pub(crate) use parcel::{Luggage, Totals, Unpacked};
pub(crate) use stored::SavedColumn;
pub use transfer::{Clock, Forgotten, Missing, Transfer};

use crate::bodies::{Bodies, Sums};
use crate::clump::{ClumpTemplate, TemplateHull};
use crate::contact::{Detached, Groups, SumRows, WallLoad};
use crate::engine::{Altered, Engine, Progress};
use crate::error::{Error, Stop};
use crate::integrate;
use crate::material::Materials;
use crate::neighbour::Neighbours;
use crate::precision::Precision;
use crate::report::Exchange;
use crate::step::bond::Bonds;
use crate::step::{CellState, FreeWall, HeatBooks, LiquidBooks, Surfaces};
use crate::wall::Wall;
use models::ModelNames;
use std::sync::Arc;
use tumble_rotation::AnyScheme;

/// The state of an engine at the end of a step. An engine of the same world and settings goes on from it as
/// if nothing had happened, on any number of threads; rules that were [changed](crate::Rule) since the start are then as
/// they were.
#[derive(Clone, Debug)]
pub struct SavedState {
    pub(crate) steps: u64,
    /// The time step that the world was given.
    dt: f64,
    /// Rules as they were changed since.
    altered: Altered,
    pub(crate) bodies: Bodies,
    pub(crate) sums: Sums,
    /// Of each group.
    pub(crate) contacts: Vec<Detached>,
    /// Whether they are as they were before the last evaluation, and have to be evaluated again.
    rewound: bool,
    loads: Vec<WallLoad>,
    /// How far walls that move by themselves have come.
    free: Vec<FreeWall>,
    /// How far a cell that deforms has come.
    pub(crate) cell: Option<CellState>,
    /// What was put in of heat, where there is some.
    heat: Option<HeatBooks>,
    /// Where the liquid is, where there is some, but for films.
    liquid: Option<LiquidBooks>,
    /// What bears on triangles, where it was asked for.
    surfaces: Option<Surfaces>,
    exchange: Exchange,
    bonds: Bonds,
    /// None in a state that was read from bytes.
    lists: Option<Lists>,
    rotation: SchemeName,
    precision: Precision,
    models: ModelNames,
    materials: usize,
    /// See [`fingerprint`].
    fingerprint: u64,
}

/// The neighbour lists, and what was noted for them. They cost time and change no result; so bytes have nothing of them, and are the same
/// whatever made them, and whoever reads bytes builds lists of its own.
#[derive(Clone, Copy, Debug)]
struct Lists {
    longest: f64,
    skin: f64,
    travelled: f64,
    wall_travelled: f64,
    builds: u64,
    built_at: u64,
}

impl Lists {
    fn of(progress: &Progress, neighbours: &Neighbours) -> Self {
        Self {
            longest: progress.longest,
            skin: neighbours.skin,
            travelled: neighbours.travelled,
            wall_travelled: neighbours.wall_travelled,
            builds: neighbours.builds,
            built_at: neighbours.built_at,
        }
    }
}

/// Which rotation scheme made a state. By name: one from outside is known to no reader of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SchemeName {
    name: String,
    /// How many numbers it remembers.
    width: usize,
}

impl SchemeName {
    fn of(scheme: AnyScheme) -> Self {
        Self { name: scheme.name().to_owned(), width: scheme.memory_width() }
    }
}

impl SavedState {
    /// The time of the state, s.
    pub fn time(&self) -> f64 {
        self.altered.time_of(self.steps)
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Number of contacts.
    pub fn contact_count(&self) -> usize {
        self.contacts.iter().map(Detached::len).sum()
    }
}

impl Engine {
    /// The present state.
    pub fn save(&self) -> SavedState {
        let (bodies, sums) = (self.space.bodies.to_save(), self.sums.clone());
        SavedState { bodies, sums, contacts: self.detached(true), ..self.save_numbers() }
    }

    /// What [`SavedState::to_bytes`] gives for the present state, without a copy of all bodies on the way.
    pub(crate) fn save_as_bytes(&self) -> Vec<u8> {
        let contacts = self.detached(true);
        self.save_numbers().with_rows(&self.space.bodies, &self.sums, &contacts)
    }

    /// A state for this engine to go back to. It is kept for long, so where contacts can be evaluated again they are kept as they were
    /// before, and what they did is found when it is asked for.
    pub(crate) fn save_to_go_back(&self) -> SavedState {
        let Some(contacts) = self.rewound() else { return self.save() };
        let (bodies, sums) = (self.space.bodies.to_save(), self.sums.clone());
        SavedState { bodies, sums, contacts, rewound: true, ..self.save_numbers() }
    }

    /// The present state without bodies and contacts.
    fn save_numbers(&self) -> SavedState {
        SavedState {
            steps: self.progress.steps,
            dt: self.rules.given.dt,
            altered: self.rules.altered(self.progress.since),
            bodies: Bodies::default(),
            sums: Sums::default(),
            contacts: Vec::new(),
            rewound: false,
            loads: self.loads.clone(),
            free: self.space.free.clone(),
            cell: self.space.cell,
            heat: self.has_heat().then(|| self.heat.books.clone()),
            liquid: self.has_liquid().then(|| self.liquid.clone()),
            surfaces: self.rules.settings.surface_interval.map(|_| self.surfaces.clone()),
            exchange: self.exchange.clone(),
            bonds: self.bonds.clone(),
            lists: Some(Lists::of(&self.progress, &self.space.neighbours)),
            rotation: SchemeName::of(self.rules.settings.rotation),
            precision: self.rules.settings.precision,
            models: ModelNames::of(&self.rules.groups),
            materials: self.rules.materials.as_slice().len(),
            fingerprint: fingerprint(
                &self.space.bodies.shapes.templates,
                &self.rules.materials,
                &self.space.walls,
            ),
        }
    }

    /// Goes on from a state that was saved with the same world and settings.
    pub fn restore(&mut self, state: &SavedState) -> Result<(), Error> {
        self.restore_from(state.clone())
    }

    pub(crate) fn restore_from(&mut self, state: SavedState) -> Result<(), Error> {
        if state.loads.len() != self.space.walls.len() {
            return Err(Error::Mismatch { what: "it has another number of walls".into() });
        }
        if state.cell.is_some() != self.has_cell() {
            return Err(Error::Mismatch { what: "only one of both has a cell that deforms".into() });
        }
        if state.heat.is_some() != self.has_heat() {
            return Err(Error::Mismatch { what: "only one of both has temperatures".into() });
        }
        if state.liquid.is_some() != self.has_liquid() {
            return Err(Error::Mismatch { what: "only one of both has films of liquid".into() });
        }
        let plane = self.rules.cell.and_then(|cell| cell.shear).map(|shear| [shear.flow, shear.gradient]);
        if plane.is_some() && state.cell.and_then(|cell| cell.slid).map(|slid| slid.plane) != plane {
            return Err(Error::Mismatch { what: "its cell is not sheared along the same axes".into() });
        }
        if state.bodies.shapes.templates != self.space.bodies.shapes.templates {
            return Err(Error::Mismatch { what: "it has other templates".into() });
        }
        if state.materials != self.rules.materials.as_slice().len() {
            return Err(Error::Mismatch { what: "it has another number of materials".into() });
        }
        // Of the world, or as it was changed to since: either way it is known how long steps are.
        let own_dt = self.rules.given.dt.to_bits();
        if state.dt.to_bits() != own_dt && state.altered.dt.to_bits() != own_dt {
            return Err(Error::Mismatch { what: "it has another time step".into() });
        }
        let own = SchemeName::of(self.rules.settings.rotation);
        if state.rotation != own {
            let what = format!(
                "it has another rotation scheme, '{}', and this engine has '{}'",
                state.rotation.name.escape_debug(),
                own.name
            );
            return Err(Error::Mismatch { what: what.into() });
        }
        let [theirs, own] = [state.precision, self.rules.settings.precision].map(Precision::name);
        if theirs != own {
            let what =
                format!("it was computed in {theirs} precision, and this engine computes in {own} precision");
            return Err(Error::Mismatch { what: what.into() });
        }
        state.models.check(&ModelNames::of(&self.rules.groups), &self.rules.materials)?;
        let of_bodies = state.bodies.material.iter().copied();
        let rules = self.rules.with(&state.altered)?;
        self.rules.groups =
            Groups::new(&rules.materials, &self.rules.settings, of_bodies, &self.space.walls)?;
        self.rules.set(rules);
        self.progress.since = state.altered.since();
        let done = self.put_back(state);
        self.last_good = None;
        self.progress.made_by_hand = false;
        done.map_err(Error::Stopped)
    }

    pub(crate) fn put_back(&mut self, state: SavedState) -> Result<(), Stop> {
        self.progress.steps = state.steps;
        if let Some(table) = &self.rules.gravity_table {
            self.rules.gravity = table.at(self.time());
        }
        self.space.bodies = state.bodies;
        self.sums = state.sums;
        self.space.bodies.lay_out_spheres();
        self.loads = state.loads;
        self.space.free = state.free;
        self.space.cell = state.cell;
        self.show_cell();
        self.put_surfaces_back(state.surfaces);
        self.exchange = state.exchange;
        if let Some(heat) = state.heat {
            self.heat.books = heat;
        }
        if let Some(liquid) = state.liquid {
            self.liquid = liquid;
        }
        self.bonds = state.bonds;
        self.rules.bonded = self.has_or_gets_bonds();
        let Some(lists) = state.lists else {
            self.progress.longest = self.longest_to_come();
            self.progress.wall_displacement = 0.0;
            self.place_walls(state.steps, |wall| wall.place);
            self.choose_skin(self.space.neighbours.pairs.spheres.len(), self.space.bodies.len());
            let built = self.build_lists(state.contacts);
            self.recall_bridges();
            self.evaluate_bonds();
            return built;
        };
        self.progress.longest = lists.longest;
        self.space.neighbours.skin = lists.skin;
        // The same lists as before, with what was in them where it was when they were built, so that a run that is tried again goes
        // the same way.
        let poses = self.space.bodies.show_as_built();
        self.show_cell_as_built();
        self.place_walls(lists.built_at, |wall| wall.built);
        let sums = state.rewound.then(|| self.sums.clone());
        let built = self.build_lists(state.contacts);
        self.space.bodies.show(poses);
        self.put_cell_back(state.cell.as_ref());
        self.place_walls(state.steps, |wall| wall.place);
        let mover = self.mover();
        integrate::place_all(&mut self.space.bodies, &mut self.sums, &mover, &self.threads);
        if let Some(sums) = sums {
            self.progress.observed = true;
            for (group, contacts) in self.contacts.iter_mut().enumerate() {
                let physics = self.rules.physics(group, &self.progress);
                contacts.evaluate(&self.space, physics, &self.threads, SumRows::all(&mut self.sums));
            }
            self.sums = sums;
        }
        self.recall_bridges();
        self.evaluate_bonds();
        self.space.neighbours.travelled = lists.travelled;
        self.space.neighbours.wall_travelled = lists.wall_travelled;
        self.space.neighbours.builds = lists.builds;
        self.space.neighbours.built_at = lists.built_at;
        built
    }
}

impl Engine {
    /// What bears on triangles as it was; of a state that nobody asked for it in, it begins now.
    fn put_surfaces_back(&mut self, saved: Option<Surfaces>) {
        if self.rules.settings.surface_interval.is_some() {
            self.surfaces = saved.unwrap_or_else(|| Surfaces::new(&self.space.walls, self.time()));
        }
    }

    /// Puts all walls where they are at a step; those that move by themselves where they were along their ways.
    pub(crate) fn place_walls(&mut self, step: u64, along: fn(&FreeWall) -> f64) {
        let time = self.time_at(step);
        let pose = |(wall, free): (&Wall, &FreeWall)| match wall.motion.freedom() {
            Some(_) => free.pose(&wall.motion, along(free), time),
            None => wall.motion.at(time),
        };
        self.space.poses = self.space.walls.iter().zip(&self.space.free).map(pose).collect();
    }
}

/// A number that tells worlds apart in which the bytes of a state would mean something else: by their shapes,
/// densities, and parts of walls.
fn fingerprint(templates: &[Arc<ClumpTemplate>], materials: &Materials, walls: &[Wall]) -> u64 {
    let shapes = templates.iter().flat_map(|template| {
        let spheres = template.spheres().iter().map(|sphere| (sphere.centre, sphere.radius));
        let numbers = spheres.chain([(template.moments_per_density(), template.volume())]);
        numbers.flat_map(|(vector, number)| [vector.x, vector.y, vector.z, number]).map(f64::to_bits)
    });
    let ellipsoids = templates.iter().map(|template| template.ellipsoids().len() as u64).enumerate();
    let ellipsoids =
        ellipsoids.filter(|(_, count)| *count > 0).flat_map(|(number, count)| [!(number as u64), count]);
    let edges = |hull: &TemplateHull| {
        let ends = hull.edges().flat_map(|(_, ends)| ends).chain([u32::from(hull.is_box())]).map(u64::from);
        ends.collect::<Vec<_>>()
    };
    let hulls = templates.iter().flat_map(|template| template.hulls()).flat_map(edges);
    // Where there are none, nothing is added.
    let capsules = templates.iter().map(|template| template.capsules().len() as u64).enumerate();
    let capsules =
        capsules.filter(|(_, count)| *count > 0).flat_map(|(number, count)| [number as u64, count]);
    let densities = materials.as_slice().iter().map(|material| material.density.to_bits());
    let features = walls.iter().map(|wall| u64::from(wall.shape.features()));
    let stir = |hash: u64, bits: u64| {
        let product = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    };
    shapes.chain(capsules).chain(ellipsoids).chain(hulls).chain(densities).chain(features).fold(1, stir)
}
