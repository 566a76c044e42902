//! Bodies, contacts and their memory in another world: what is found there again, and what is not.
//!
//! Things are known again by their names. Where nothing is different, the state goes on with the same bits; elsewhere
//! every body is brought to the present instant, and starts from it by the rules of the new world:
//!
//! | what | kept if | else |
//! | --- | --- | --- |
//! | a body, with its number | its template and its material are there | left behind |
//! | the memory of a contact | it has the same contact model, its bodies the same spheres, its wall the same shape | the contact begins anew |
//! | the books | nothing is different | they begin anew |
//! | the time | always, unless it is to begin anew | |

use super::ByName;
use super::models::ModelName;
use crate::bodies::BookTable;
use crate::check;
use crate::clump::ClumpTemplate;
use crate::contact::{Contacts, Detached, Groups, Name, Physics, SumRows};
use crate::engine::{Engine, Since};
use crate::error::Error;
use crate::id::TemplateId;
use crate::integrate;
use crate::neighbour::morton_places;
use crate::report::Exchange;
use crate::rows_by_id::RowsById;
use crate::step::{FreeWall, HeatBooks};
use crate::wall::Motion;
use crate::world::BodyId;
use std::sync::Arc;
use tumble_math::LabVec;

/// What becomes of the time of a run whose bodies are taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Clock {
    /// It goes on.
    #[default]
    GoesOn,
    /// It is zero again, and so is the number of steps.
    Restarts,
}

/// What was taken over from another world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfer {
    /// Whether nothing was different, so that it goes on with the same bits.
    pub unchanged: bool,
    /// How many bodies were kept.
    pub bodies: usize,
    /// How many were left behind, and why: the template or the material that is gone.
    pub left: Vec<(Missing, usize)>,
    /// How many contacts kept their memory.
    pub contacts: usize,
    /// How many bonds were kept: those whose bodies are both there. Bonds of the world that they come into are not made.
    pub bonds: usize,
    /// How many contacts of bodies that are there begin anew, and why.
    pub forgotten: Vec<(Forgotten, usize)>,
    /// Walls that are elsewhere than those of the same name were: by how much the point that was their origin is off, m.
    pub moved_walls: Vec<(String, f64)>,
    /// Walls that were there, and are no more.
    pub gone_walls: Vec<String>,
    /// Walls that were not there.
    pub new_walls: Vec<String>,
    /// Whether rules had been changed by hand, and are now what this world says.
    pub set_back: bool,
}

/// Why a body was left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is no template of this name.
    Template(String),
    /// There is no material of this name.
    Material(String),
}

/// Why a contact begins anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// The template of this name has other spheres.
    OtherSpheres(String),
    /// The wall of this name has another shape, or is gone.
    OtherWall(String),
    /// It has another contact model.
    OtherModel,
}

impl Engine {
    /// Takes bodies, contacts and their memory over from an engine of another world. Bodies that are there already give way.
    ///
    /// If it cannot be, the error says why, and this engine is of no use any more.
    ///
    /// ```
    /// use tumble_dem::clump::ClumpTemplate;
    /// use tumble_dem::material::{Material, Materials, PairProperties};
    /// use tumble_dem::{Body, Clock, Engine, LabVec, Settings, World};
    ///
    /// let world = |friction: f64| -> Result<World, Box<dyn std::error::Error>> {
    ///     let glass = Material::new("glass", 2500.0, 48e9, 0.2);
    ///     let mut world =
    ///         World { materials: Materials::of(glass, PairProperties::new(0.9, friction)), ..World::default() };
    ///     let ball = world.add_template(ClumpTemplate::sphere("ball", 0.01)?)?;
    ///     world.add_body(Body::at(ball, LabVec::zero()).moving(LabVec::new(1.0, 0.0, 0.0)));
    ///     Ok(world)
    /// };
    /// let mut first = Engine::new(world(0.3)?, Settings::new(1e-3))?;
    /// first.advance(100)?;
    /// let mut next = Engine::new(world(0.1)?, Settings::new(1e-4))?;
    /// let taken = next.take_over(&first, Clock::GoesOn)?;
    /// assert!(taken.bodies == 1 && !taken.unchanged);
    /// assert_eq!(next.time(), first.time());
    /// assert_eq!(next.bodies()[0].position, first.bodies()[0].position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_over(&mut self, from: &Self, clock: Clock) -> Result<Transfer, Error> {
        if clock == Clock::GoesOn && self.has_world_of(from) {
            self.restore(&from.save())?;
            let (bodies, contacts) = (self.body_count(), self.contact_count());
            let bonds = self.bonds.ties.len();
            return Ok(Transfer { unchanged: true, bodies, contacts, bonds, ..Transfer::default() });
        }
        let set_back = from.rules.alterable() != *from.rules.given;
        let mut taken = Transfer { set_back, ..Transfer::default() };
        let names = Names::new(self, from);
        self.take_bodies(from, &names, &mut taken)?;
        self.bonds = from.bonds.taken_over(&self.space.bodies);
        self.rules.bonded = self.has_or_gets_bonds();
        taken.bonds = self.bonds.ties.len();
        match clock {
            Clock::GoesOn => {
                self.progress.steps = from.progress.steps;
                self.progress.since = Since { step: from.progress.steps, time: from.time() };
            }
            Clock::Restarts => {
                self.progress.steps = 0;
                self.progress.since = Since::START;
            }
        }
        self.take_cell(from)?;
        let since = self.time();
        self.surfaces.begin_anew(since);
        self.take_walls(from, &names, &mut taken)?;
        let contacts = self.take_contacts(from, &names, &mut taken);
        self.begin_with(contacts)?;
        self.measure_cell();
        Ok(taken)
    }

    /// Whether nothing that moves anything is different. What was changed by hand since the start does not count: whoever
    /// goes on has it changed, too.
    fn has_world_of(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|engine| {
            let mut settings = engine.rules.settings.clone();
            (settings.dt, settings.threads, settings.instruction_set) = (engine.rules.given.dt, 1, None);
            settings.surface_interval = None;
            let fields = format!("{:?}", engine.rules.fields);
            let domain = engine.given_domain();
            let heat = engine.rules.heat.as_ref().map(|rules| rules.heat);
            (settings, engine.rules.drag, fields, domain, engine.rules.cell, (heat, engine.rules.liquid))
        });
        own == others
            && self.rules.given == other.rules.given
            && self.space.walls == other.space.walls
            && self.space.bodies.shapes.templates == other.space.bodies.shapes.templates
    }

    fn take_bodies(&mut self, from: &Self, names: &Names, taken: &mut Transfer) -> Result<(), Error> {
        let everybody: Vec<u32> = Vec::new();
        self.space.bodies.permute(&mut self.sums, &everybody, &self.threads);
        let (mut bodies, mut ids) = (Vec::new(), Vec::new());
        for state in from.bodies() {
            match names.sorts.body(&state) {
                Ok(body) => {
                    let of = format!("body {}", state.id.0);
                    let (templates, materials) = (&self.space.bodies.shapes.templates, &self.rules.materials);
                    check::body(&body, &of, templates.len(), materials.as_slice().len())?;
                    check::size(&body, &of, templates, materials, self.rules.settings.precision)?;
                    check::roundness(&body, &of, templates, &self.space.walls)?;
                    bodies.push(body);
                    ids.push(state.id.0);
                }
                Err(missing) => count(&mut taken.left, missing),
            }
        }
        taken.bodies = bodies.len();
        let of_bodies = bodies.iter().map(|body| body.material.0);
        self.rules.groups =
            Groups::new(&self.rules.materials, &self.rules.settings, of_bodies, &self.space.walls)?;
        self.space.bodies.by_id = RowsById::default();
        self.space.bodies.check_room(&bodies)?;
        let densities = |material: u16| self.rules.materials.as_slice()[usize::from(material)].density;
        self.space.bodies.append(&mut self.sums, &bodies, densities);
        self.warm_bodies(0, &bodies);
        self.moisten_bodies(0, &bodies);
        // They keep their numbers, and those that were given are not used again.
        let next = from.space.bodies.by_id.next();
        self.space.bodies.id.clone_from(&ids);
        self.space.bodies.by_id = RowsById::of(&ids, next).unwrap_or_default();
        let largest = self.space.bodies.largest;
        let largest = largest + 0.5 * self.rules.groups.range(largest);
        check::domain(&self.space.domain, largest, self.rules.settings.skin)
    }

    fn take_walls(&mut self, from: &Self, names: &Names, taken: &mut Transfer) -> Result<(), Error> {
        let time = self.time();
        for (number, was) in names.walls.iter().enumerate().filter_map(|(was, now)| Some(((*now)?, was))) {
            // One that moves by itself, and did so along the same way, goes on from where it has come to.
            let motions = [&self.space.walls[number].motion, &from.space.walls[was].motion];
            if let [Some(now), Some(before)] = motions.map(Motion::freedom)
                && now.way() == before.way()
            {
                let FreeWall { place, speed, seen, .. } = from.space.free[was];
                self.space.free[number] = FreeWall { place, speed, seen, ..FreeWall::default() };
            }
        }
        for (number, wall) in self.space.walls.iter().enumerate() {
            let free = &self.space.free[number];
            self.space.poses[number] = match wall.motion.freedom() {
                Some(_) => free.pose(&wall.motion, free.place, time),
                None => wall.motion.try_at(time).map_err(|reason| Error::Prescribed { reason })?,
            };
        }
        for (number, (was, old)) in from.space.walls.iter().zip(&from.space.poses).enumerate() {
            let Some(now) = names.walls[number] else {
                taken.gone_walls.push(was.name.clone());
                continue;
            };
            let [before, after] = [old, &self.space.poses[now]].map(|pose| pose.to_lab(LabVec::zero()));
            let off = (after - before).norm();
            if off > 1e-12 * (1.0 + before.norm()) {
                taken.moved_walls.push((was.name.clone(), off));
            }
        }
        let known = |number: usize| names.walls.contains(&Some(number));
        let new = self.space.walls.iter().enumerate().filter(|(number, _)| !known(*number));
        taken.new_walls.extend(new.map(|(_, wall)| wall.name.clone()));
        Ok(())
    }

    /// What contacts remember, by the groups of this engine.
    fn take_contacts(&self, from: &Self, names: &Names, taken: &mut Transfer) -> Vec<Detached> {
        let groups = &self.rules.groups;
        let widths = (0..groups.len()).map(|group| self.physics(group).widths(false));
        let mut contacts: Vec<Detached> = widths.map(|widths| Detached::with_room(widths, 0)).collect();
        let row = |id: u32| self.space.bodies.row(BodyId(id));
        for (group, old) in from.detached(false).iter().enumerate() {
            let model = ModelName::of(from.rules.groups.get(group).model);
            for (index, name) in old.names.iter().enumerate() {
                let Some(a) = row(name.a[0]) else { continue };
                let b = if name.with_wall { None } else { row(name.b[0]) };
                if !name.with_wall && b.is_none() {
                    continue;
                }
                let material = |row: usize| self.space.bodies.material[row];
                let wall = names.walls.get(name.b[0] as usize).copied().flatten().filter(|_| name.with_wall);
                let forgotten = self.other_shape(from, [Some(a), b], names).or_else(|| {
                    let number = name.b[0] as usize;
                    let other = name.with_wall && !names.same_walls[number];
                    other.then(|| Forgotten::OtherWall(from.space.walls[number].name.clone()))
                });
                let other = b.map(material).or(wall.map(|wall| self.space.walls[wall].material.0));
                let group = groups.number(material(a), other.unwrap_or(0));
                let forgotten = forgotten.or_else(|| {
                    (ModelName::of(groups.get(group).model) != model).then_some(Forgotten::OtherModel)
                });
                if let Some(reason) = forgotten {
                    count(&mut taken.forgotten, reason);
                    continue;
                }
                let number = |wall: usize| u32::try_from(wall).unwrap_or(u32::MAX);
                let b = wall.map_or(name.b, |wall| [number(wall), 0]);
                let (memory, _) = old.numbers(index);
                contacts[group].push(Name { b, ..*name }, memory.iter().copied(), core::iter::empty());
                taken.contacts += 1;
            }
        }
        contacts
    }

    /// Whether one of these bodies has other spheres than it had.
    fn other_shape(&self, from: &Self, rows: [Option<usize>; 2], names: &Names) -> Option<Forgotten> {
        let templates = &self.space.bodies.shapes.templates;
        rows.into_iter().flatten().find_map(|row| {
            let id = BodyId(self.space.bodies.id[row]);
            let was = from.space.bodies.row(id).map(|row| from.space.bodies.template[row])?;
            let name = || templates[usize::from(self.space.bodies.template[row])].name().to_owned();
            (!names.same_shapes[usize::from(was)]).then(|| Forgotten::OtherSpheres(name()))
        })
    }

    /// Evaluates all forces of bodies that have just been put in, whose contacts remember something. No time has gone by.
    fn begin_with(&mut self, contacts: Vec<Detached>) -> Result<(), Error> {
        self.exchange = Exchange::new(self.rules.groups.accounts.books());
        self.heat.books = HeatBooks::new(self.space.walls.len());
        self.sums.books = BookTable::like(&self.sums.books);
        self.last_good = None;
        self.progress.made_by_hand = true;
        self.progress.observed = true;
        self.progress.longest = self.longest_to_come();
        self.wrap_positions();
        integrate::show_fresh(&mut self.space.bodies, self.rules.settings.precision);
        self.space.bodies.curve = morton_places(&self.space.bodies, &self.threads);
        self.space.bodies.sort_rows(&mut self.sums, &self.threads);
        self.build_neighbours(contacts).map_err(Error::Stopped)?;
        self.set_weights();
        for (group, contacts) in self.contacts.iter_mut().enumerate() {
            let mut physics = self.rules.physics(group, &self.progress);
            physics.elapsed = 0.0;
            contacts.evaluate(&self.space, physics, &self.threads, SumRows::all(&mut self.sums));
        }
        let excess = self.contacts.iter().find_map(Contacts::excess);
        // With what they do: evaluated again, they would take a step to have gone by.
        let all: Vec<Detached> = self
            .groups()
            .map(|(contacts, physics)| {
                contacts.detached(&self.space, Physics { elapsed: 0.0, ..physics }, true)
            })
            .collect();
        (self.contacts, _) = self.attach(all);
        excess.map_or(Ok(()), |excess| Err(Error::Stopped(self.overlapping(excess))))?;
        self.check_escaped().map_err(Error::Stopped)?;
        self.add_bonds();
        self.ask_batch_fields().map_err(Error::Stopped)?;
        self.add_fields();
        let mover = self.mover();
        integrate::start(&mut self.space.bodies, &mut self.sums, &mover);
        // What ended or slid on the way belongs to nobody's books; by the trapezoid rule, the first instant counts half.
        self.sums.books = BookTable::like(&self.sums.books);
        self.bonds.count_half_of_the_present(self.rules.settings.dt);
        let mut rates = Vec::new();
        self.each_rate(|_, _| {}, |row, book, value| rates.push((row, book, value)));
        for (row, book, value) in rates {
            self.sums.books.row_mut(row)[book] += 0.5 * value;
        }
        self.begin_liquid_anew();
        Ok(())
    }
}

/// What things of an old world are in a new one, by their numbers.
struct Names<'a> {
    sorts: ByName<'a>,
    /// Whether the template of the same name has the same pieces.
    same_shapes: Vec<bool>,
    walls: Vec<Option<usize>>,
    same_walls: Vec<bool>,
}

impl<'a> Names<'a> {
    fn new(new: &Engine, old: &'a Engine) -> Self {
        let (now, was) = (&new.space.bodies.shapes.templates, &old.space.bodies.shapes.templates);
        let sorts = ByName::new((was, &old.rules.materials), (now, &new.rules.materials));
        let same_shape = |(was, id): (&Arc<ClumpTemplate>, &Option<TemplateId>)| {
            id.map(|id| &now[usize::from(id.0)]).is_some_and(|now| {
                let same = now.spheres() == was.spheres() && now.capsules().eq(was.capsules());
                same && now.ellipsoids().eq(was.ellipsoids()) && now.hulls() == was.hulls()
            })
        };
        let walls = &new.space.walls;
        let wall = |name: &str| walls.iter().position(|wall| wall.name == name);
        let of_walls: Vec<Option<usize>> = old.space.walls.iter().map(|was| wall(&was.name)).collect();
        let same_wall = |(was, now): (&crate::wall::Wall, &Option<usize>)| {
            now.is_some_and(|now| walls[now].shape == was.shape)
        };
        Self {
            same_shapes: was.iter().zip(&sorts.templates).map(same_shape).collect(),
            sorts,
            same_walls: old.space.walls.iter().zip(&of_walls).map(same_wall).collect(),
            walls: of_walls,
        }
    }
}

/// Counts one more of a reason.
fn count<T: PartialEq>(list: &mut Vec<(T, usize)>, reason: T) {
    match list.iter_mut().find(|(known, _)| *known == reason) {
        Some((_, number)) => *number += 1,
        None => list.push((reason, 1)),
    }
}
