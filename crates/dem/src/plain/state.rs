//! The state of an engine as plain data, out and in.

use super::{Bodies, ContactName, Contacts};
use crate::bodies::{AtInstant, Wrench};
use crate::contact::{Detached, Name, load_walls};
use crate::engine::Engine;
use crate::error::Error;
use crate::neighbour::places_on_curve;
use crate::physics::contact::TORQUES;
use crate::rows_by_id::index32;
use crate::step::{REORDER_EVERY, SKIN_RANGE, is_resistance_due};
use crate::wall::Pose;
use crate::world::BodyId;

/// What an engine is told of steps that were done elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// Steps since the start.
    pub steps: u64,
    /// The longest displacement of any sphere in the last one, m.
    pub longest: f64,
}

impl Engine {
    /// All bodies, in the order of all sums.
    pub fn plain_bodies(&self) -> Bodies {
        let (bodies, sums) = (&self.space.bodies, &self.sums);
        let rows = bodies.rows_in_order(&self.threads);
        let rows = || rows.iter().map(|row| *row as usize);
        let width = self.rules.settings.rotation.memory_width();
        let remembered = |row: usize| {
            let known = (width > 0).then(|| bodies.memory.row(row));
            known.unwrap_or([0.0; 14]).into_iter().take(width)
        };
        let acting = |row: usize| {
            let Wrench { force: [fx, fy, fz], torque: [tx, ty, tz] } = sums.acting[row];
            [fx, fy, fz, tx, ty, tz]
        };
        Bodies {
            id: rows().map(|row| bodies.id[row]).collect(),
            curve: rows().map(|row| bodies.curve[row]).collect(),
            fresh: rows().map(|row| bodies.fresh[row]).collect(),
            kind: rows().map(|row| bodies.kind[row]).collect(),
            position: rows().map(|row| bodies.position.row(row)).collect(),
            velocity: rows().map(|row| bodies.velocity.row(row)).collect(),
            q: rows().map(|row| bodies.q.row(row)).collect(),
            omega: rows().map(|row| bodies.omega.row(row)).collect(),
            memory: rows().flat_map(remembered).collect(),
            acting: rows().map(acting).collect(),
            books: rows().flat_map(|row| sums.books.row(row).iter().copied()).collect(),
            at_force: rows().map(|row| bodies.at_force[row].to_numbers()).collect(),
            prescribed: Vec::new(),
        }
    }

    /// All contacts of each model of the [plan](Self::plan), with what they remember. What they do is in the forces of bodies
    /// already.
    pub fn plain_contacts(&self) -> Vec<Contacts> {
        let detached = self.detached(false);
        let of_group = |group: usize| {
            let mut found = Contacts::default();
            if let Some(detached) = detached.get(group) {
                found.names.extend(detached.names.iter().map(|name| {
                    let Name { with_wall, a, b, feature } = *name;
                    ContactName { with_wall, a, b, feature }
                }));
                found.memory = detached.all_numbers().collect();
            }
            found
        };
        self.plain_groups().into_iter().map(of_group).collect()
    }

    /// Takes over what came of steps that were done elsewhere, from what this engine gave out: the same bodies, whatever order
    /// they are in. Contacts are those of each model.
    pub fn take_back(&mut self, done: Done, plain: &Bodies, contacts: &[Contacts]) -> Result<(), Error> {
        let row = |id: &u32| {
            let row = self.space.bodies.row(BodyId(*id)).and_then(|row| u32::try_from(row).ok());
            row.ok_or_else(|| Error::Mismatch { what: format!("there is no body {id}").into() })
        };
        let order = plain.id.iter().map(row).collect::<Result<Vec<u32>, Error>>()?;
        if order.len() != self.space.bodies.len() {
            return Err(Error::Mismatch { what: "bodies are missing".into() });
        }
        self.progress.steps = done.steps;
        self.progress.longest = done.longest;
        self.progress.observed = true;
        self.progress.made_by_hand = false;
        self.last_good = None;
        if !order.iter().enumerate().all(|(row, old)| row == *old as usize) {
            self.space.bodies.permute(&mut self.sums, &order, &self.threads);
        }
        self.fill_columns(plain);
        self.space.bodies.prescribed = plain.prescribed.iter().map(wrench).collect();
        let time = self.time();
        for (wall, pose) in self.space.walls.iter().zip(&mut self.space.poses) {
            *pose = Pose { present: pose.present, ..wall.motion.at(time) };
        }
        // Whoever touches has to be in the lists, and little more: they may not be needed for a step.
        let least = SKIN_RANGE[0] * self.space.bodies.mean_radius;
        self.space.neighbours.skin = self.rules.settings.skin.unwrap_or(least);
        let detached = self.detached_from(contacts);
        let built = self.build_lists(detached);
        load_walls(self.contacts.iter().zip(self.rules.groups.layouts()), &self.space, &mut self.loads);
        built.map_err(Error::Stopped)
    }

    fn fill_columns(&mut self, plain: &Bodies) {
        // Where nobody asks for velocities, this engine leaves what laws see as it is.
        let shows = self.mover().shows();
        let (bodies, sums) = (&mut self.space.bodies, &mut self.sums);
        let width = self.rules.settings.rotation.memory_width();
        bodies.curve.clone_from(&plain.curve);
        bodies.fresh.clone_from(&plain.fresh);
        for row in 0..bodies.len() {
            bodies.position.set_row(row, plain.position[row]);
            bodies.velocity.set_row(row, plain.velocity[row]);
            bodies.q.set_row(row, plain.q[row]);
            bodies.omega.set_row(row, plain.omega[row]);
            if width > 0 {
                let mut numbers = bodies.memory.row(row);
                numbers[..width].copy_from_slice(&plain.memory[row * width..(row + 1) * width]);
                bodies.memory.set_row(row, numbers);
            }
            sums.acting[row] = wrench(&plain.acting[row]);
            let books = sums.books.row_mut(row);
            books.copy_from_slice(&plain.books[row * books.len()..(row + 1) * books.len()]);
            if shows {
                bodies.at_force[row] = AtInstant::from_numbers(plain.at_force[row]);
            }
        }
    }

    /// Contacts of each model by name; groups in which nothing meets have none.
    fn detached_from(&self, contacts: &[Contacts]) -> Vec<Detached> {
        let groups = self.plain_groups();
        let group = |group: usize| {
            let physics = self.physics(group);
            let widths = physics.widths(true);
            let own = groups.iter().position(|known| *known == group).and_then(|model| contacts.get(model));
            let Some(contacts) = own else { return Detached::with_room(widths, 0) };
            let (remembered, outcome) = (widths.memory, physics.layout.outcome());
            let deed: Vec<usize> = (0..outcome).filter(|column| !TORQUES.contains(column)).collect();
            let name = |name: &ContactName| {
                let ContactName { with_wall, a, b, feature } = *name;
                Name { with_wall, a, b, feature }
            };
            let names = contacts.names.iter().map(name).collect();
            Detached::of(widths, names, &self.threads, |index, memory, done| {
                memory.copy_from_slice(&contacts.memory[index * remembered..(index + 1) * remembered]);
                for (number, column) in done.iter_mut().zip(&deed) {
                    *number = contacts.outcome[index * outcome + column];
                }
            })
        };
        (0..self.rules.groups.len()).map(group).collect()
    }

    /// Checks whether a run may begin from the present state, where it was made by hand.
    pub fn check_begin(&mut self) -> Result<(), Error> {
        if self.progress.made_by_hand {
            self.check_nobody_is_held()?;
            self.check_in_cell()?;
            self.check_present().map_err(Error::Stopped)?;
            self.progress.made_by_hand = false;
        }
        Ok(())
    }

    /// Whether the engine itself has to do a step, since something happens in it that is no motion: a wall comes or goes, gravity
    /// turns, what resists turning is looked at.
    pub fn is_own_step(&self, step: u64) -> bool {
        let resists = self.rules.groups.iter().any(|group| group.model.resists_turning());
        let gravity = |step: u64| {
            self.rules.gravity_table.as_ref().map_or(self.rules.gravity, |table| table.at(self.time_at(step)))
        };
        self.is_wall_due(step)
            || (resists && is_resistance_due(step.saturating_sub(1)))
            || gravity(step) != gravity(step.saturating_sub(1))
    }

    /// Whether bodies are put in order along a curve in a step.
    pub fn is_reordering(step: u64) -> bool {
        step.is_multiple_of(REORDER_EVERY)
    }

    /// Where bodies at these positions are on the curve through space, and the order that all of them have then: the rows of old,
    /// one after the other.
    pub fn new_order(&self, positions: &[[f64; 3]], ids: &[u32]) -> (Vec<u64>, Vec<u32>) {
        let largest = self.space.bodies.largest;
        let curve = places_on_curve(positions.len(), |row| positions[row], largest, &self.threads);
        let mut order: Vec<u32> = (0..index32(positions.len())).collect();
        self.threads.sort_by_key(&mut order, |&row| (curve[row as usize], ids[row as usize]));
        (curve, order)
    }

    /// The poses of all walls at a step, if whoever prescribes them can tell.
    pub fn poses_at(&self, step: u64) -> Result<Vec<Pose>, String> {
        let time = self.time_at(step);
        let walls = self.space.walls.iter().zip(&self.space.poses);
        walls.map(|(wall, pose)| Ok(Pose { present: pose.present, ..wall.motion.try_at(time)? })).collect()
    }

    /// What of this engine nobody else can do steps of, by name.
    pub fn beyond_motion(&self) -> Option<String> {
        if self.bonds.any() {
            return Some("bonds between bodies".into());
        }
        if self.has_membranes() {
            return Some("membranes".into());
        }
        if self.space.bodies.has_hulls() {
            return Some("templates with boxes or hulls".into());
        }
        if self.has_free_walls() {
            return Some("walls that move by themselves".into());
        }
        if self.has_cell() {
            return Some("a periodic cell that deforms".into());
        }
        if self.has_heat() {
            return Some("temperatures and heat".into());
        }
        if self.has_liquid() {
            return Some("films of liquid".into());
        }
        let wall = self.plain_walls().err()?;
        Some(format!("the shape of the wall '{wall}', which is a program's own"))
    }
}

fn wrench([a, b, c, d, e, f]: &[f64; 6]) -> Wrench {
    Wrench { force: [*a, *b, *c], torque: [*d, *e, *f] }
}
