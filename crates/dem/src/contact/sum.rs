//! From contacts to bodies: forces, torques and books, added in the order of the contacts.
//!
//! Every thread goes through the contacts in the same order and keeps to its own rows, so a sum does not
//! depend on the number of threads.

use super::{Contacts, Outcome, Scene, Table, image_shift};
use crate::bodies::{BOOKS, Book};
use crate::columns::{Columns, split};
use crate::parallel::Threads;
use tumble_math::LabVec;

/// What the bodies do to a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WallLoad {
    pub(crate) force: LabVec<f64>,
    /// About the origin of the lab.
    pub(crate) torque: LabVec<f64>,
    /// What the wall spends on moving the bodies, W.
    pub(crate) power: f64,
}

impl WallLoad {
    pub(crate) const ZERO: Self = Self { force: LabVec::new(0.0, 0.0, 0.0), torque: LabVec::new(0.0, 0.0, 0.0), power: 0.0 };
}

/// The columns that contacts are added to.
pub(crate) struct Sums<'a> {
    pub(crate) force: &'a mut Columns<3>,
    pub(crate) torque: &'a mut Columns<3>,
    pub(crate) books: &'a mut Columns<BOOKS>,
}

/// Some of the rows of the sums.
struct Share<'a> {
    first: u32,
    force: [&'a mut [f64]; 3],
    torque: [&'a mut [f64]; 3],
    books: [&'a mut [f64]; BOOKS],
}

/// Adds all contacts to their bodies, and fills in what acts on each wall.
pub(crate) fn add_to_bodies(
    sums: Sums<'_>,
    contacts: &Contacts,
    scene: Scene<'_>,
    dt: f64,
    loads: &mut [WallLoad],
    threads: &Threads,
) {
    let share = Share {
        first: 0,
        force: sums.force.all_mut(),
        torque: sums.torque.all_mut(),
        books: sums.books.all_mut(),
    };
    let few = contacts.len() < 512;
    if few || threads.count() == 1 {
        let mut share = share;
        share.add_all(contacts, scene, dt);
    } else {
        threads.split_rows(share, |s| s.force[0].len(), Share::split_at, |mut share| {
            share.add_all(contacts, scene, dt);
        });
    }
    loads.fill(WallLoad::ZERO);
    for segment in &contacts.with_walls {
        load_walls(&segment.table, scene, loads);
    }
}

impl<'a> Share<'a> {
    fn split_at(self, row: usize) -> (Self, Self) {
        let (force, force2) = split(self.force, row);
        let (torque, torque2) = split(self.torque, row);
        let (books, books2) = split(self.books, row);
        let left = Self { first: self.first, force, torque, books };
        let first = self.first + u32::try_from(row).unwrap_or(u32::MAX);
        (left, Self { first, force: force2, torque: torque2, books: books2 })
    }

    /// The place of a row in this share, if it has one.
    #[inline(always)]
    fn slot(&self, row: u32) -> Option<usize> {
        let slot = row.wrapping_sub(self.first) as usize;
        (slot < self.force[0].len()).then_some(slot)
    }

    fn add_all(&mut self, contacts: &Contacts, scene: Scene<'_>, dt: f64) {
        for segment in &contacts.between {
            let table = &segment.table;
            for (index, key) in table.keys.iter().enumerate() {
                let (a, b) = (self.slot(key.a), self.slot(key.b));
                if a.is_none() && b.is_none() {
                    continue;
                }
                let outcome = &table.outcomes[index];
                let force = LabVec::from_array(outcome.force);
                let point = LabVec::from_array(outcome.point);
                let couple = table.couples.get(index).map_or(LabVec::zero(), |c| LabVec::from_array(*c));
                if let Some(slot) = a {
                    self.push(slot, scene.centre(key.a), force, point, couple);
                    self.book(slot, outcome);
                }
                if let Some(slot) = b {
                    let shift = LabVec::from_array(image_shift(&scene, key.place as usize));
                    self.push(slot, scene.centre(key.b) + shift, -force, point, -couple);
                }
            }
        }
        for segment in &contacts.with_walls {
            let table = &segment.table;
            for (index, key) in table.keys.iter().enumerate() {
                let Some(slot) = self.slot(key.a) else { continue };
                let outcome = &table.outcomes[index];
                let force = LabVec::from_array(outcome.force);
                let point = LabVec::from_array(outcome.point);
                let couple = table.couples.get(index).map_or(LabVec::zero(), |c| LabVec::from_array(*c));
                self.push(slot, scene.centre(key.a), force, point, couple);
                self.book(slot, outcome);
                let power = wall_power(scene, key.b, force, point, couple);
                self.books[Book::WallWork as usize][slot] += power * dt;
            }
        }
    }

    #[inline(always)]
    fn push(
        &mut self,
        slot: usize,
        centre: LabVec<f64>,
        force: LabVec<f64>,
        point: LabVec<f64>,
        couple: LabVec<f64>,
    ) {
        let torque = (point - centre).cross(force) + couple;
        for (column, value) in self.force.iter_mut().zip(force.to_array()) {
            column[slot] += value;
        }
        for (column, value) in self.torque.iter_mut().zip(torque.to_array()) {
            column[slot] += value;
        }
    }

    #[inline(always)]
    fn book(&mut self, slot: usize, outcome: &Outcome) {
        for (column, value) in self.books.iter_mut().zip(outcome.lost) {
            column[slot] += value;
        }
    }
}

impl Scene<'_> {
    #[inline(always)]
    pub(crate) fn centre(&self, row: u32) -> LabVec<f64> {
        let row = row as usize;
        let [x, y, z] = self.bodies.position.all();
        LabVec::new(x[row], y[row], z[row])
    }
}

/// What a wall spends on moving a body that it pushes with `force` and `couple`.
pub(crate) fn wall_power(
    scene: Scene<'_>,
    wall: u32,
    force: LabVec<f64>,
    point: LabVec<f64>,
    couple: LabVec<f64>,
) -> f64 {
    if scene.walls[wall as usize].motion.is_static() {
        return 0.0;
    }
    let pose = &scene.poses[wall as usize];
    force.dot(pose.velocity_at(point)) + couple.dot(pose.angular_velocity)
}

fn load_walls(table: &Table, scene: Scene<'_>, loads: &mut [WallLoad]) {
    for (index, key) in table.keys.iter().enumerate() {
        let outcome = &table.outcomes[index];
        let (force, point) = (LabVec::from_array(outcome.force), LabVec::from_array(outcome.point));
        let couple = table.couples.get(index).map_or(LabVec::zero(), |c| LabVec::from_array(*c));
        let load = &mut loads[key.b as usize];
        load.force = load.force - force;
        load.torque = load.torque - point.cross(force) - couple;
        load.power += wall_power(scene, key.b, force, point, couple);
    }
}
