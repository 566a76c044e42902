//! A piece of the contact lists, worked on by one thread.

use super::block::{Block, LANES, row, set_row};
use super::react::{EvaluateLaw, SphereGeometry};
use super::{Excess, Key, Memory, Outcome, Physics, Scene, Table, Turning, image_shift};
use crate::bodies::Seen;
use crate::wall::Touch;
use core::ops::Range;
use std::time::{Duration, Instant};
use tumble_math::{LabVec, Quat};

/// A touch of a wall, in the lab.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallTouch {
    pub(super) place: u32,
    pub(super) touch: Touch,
}

#[derive(Debug)]
pub(crate) struct Segment {
    /// Which places of the lists.
    pub(crate) range: Range<usize>,
    pub(crate) table: Table,
    /// The contacts of the last step.
    pub(super) previous: Table,
    /// Places that touch, between bodies.
    pub(super) found: Vec<u32>,
    /// Touches of walls, and room for those of one sphere.
    pub(super) touched: Vec<WallTouch>,
    pub(super) touches: Vec<Touch>,
    /// Weight of each contact; empty if all are 1.
    pub(super) weights: Vec<f64>,
    block: Box<Block>,
    pub(crate) excess: Option<Excess>,
    pub(crate) time_finding: Duration,
    pub(crate) time_reacting: Duration,
}

impl Segment {
    pub(crate) fn new(range: Range<usize>, table: Table) -> Self {
        Self {
            range,
            table,
            previous: Table::default(),
            found: Vec::new(),
            touched: Vec::new(),
            touches: Vec::new(),
            weights: Vec::new(),
            block: Box::new(Block::new()),
            excess: None,
            time_finding: Duration::ZERO,
            time_reacting: Duration::ZERO,
        }
    }

    /// Evaluates the law of the contacts found, which replace those of the last step.
    pub(crate) fn react(&mut self, scene: Scene<'_>, physics: Physics<'_>, with_walls: bool) {
        let begin = Instant::now();
        core::mem::swap(&mut self.table, &mut self.previous);
        self.table.clear();
        self.excess = None;
        let contacts = if with_walls { self.touched.len() } else { self.found.len() };
        let mut old = 0;
        for first in (0..contacts).step_by(LANES) {
            let range = first..contacts.min(first + LANES);
            for (lane, index) in range.clone().enumerate() {
                let key = if with_walls {
                    self.gather_wall(lane, index, scene, physics)
                } else {
                    self.gather_pair(lane, index, scene, physics)
                };
                self.block.weight[lane] = self.weights.get(index).copied().unwrap_or(1.0);
                if physics.remembers() {
                    self.recall(lane, index, key, &mut old);
                }
                self.table.keys.push(key);
            }
            if !with_walls {
                physics.set.run(SphereGeometry(&mut self.block));
            }
            let evaluate = EvaluateLaw { block: &mut self.block, dt: physics.dt, set: physics.set };
            physics.model.visit(evaluate);
            for lane in 0..range.len() {
                self.store(lane, physics, with_walls);
            }
        }
        self.time_reacting += begin.elapsed();
    }

    #[inline]
    fn gather_pair(&mut self, lane: usize, index: usize, scene: Scene<'_>, physics: Physics<'_>) -> Key {
        let bodies = scene.bodies;
        let place = self.found[index];
        let [sphere_a, sphere_b] = scene.neighbours.pairs.spheres[place as usize];
        let [a, b] = [sphere_a, sphere_b].map(|sphere| bodies.owner[sphere as usize]);
        let shift = image_shift(&scene, place as usize);
        let [x, y, z, radius] = bodies.spheres[sphere_b as usize];
        let block = &mut *self.block;
        set_row(&mut block.sphere_a, lane, bodies.spheres[sphere_a as usize]);
        set_row(&mut block.sphere_b, lane, [x + shift[0], y + shift[1], z + shift[2], radius]);
        let (row_a, row_b) = (a as usize, b as usize);
        if physics.remembers() {
            block.a.set(lane, &bodies.seen[row_a]);
            block.b.set(lane, &bodies.seen[row_b]);
            for axis in 0..3 {
                block.b.position[axis][lane] += shift[axis];
            }
        }
        self.set_pair(lane, bodies.material[row_a], bodies.material[row_b], physics);
        Key { place, feature: 0, a, b }
    }

    #[inline]
    fn gather_wall(&mut self, lane: usize, index: usize, scene: Scene<'_>, physics: Physics<'_>) -> Key {
        let WallTouch { place, touch } = self.touched[index];
        let bodies = scene.bodies;
        let pair = scene.neighbours.wall_pairs[place as usize];
        let a = bodies.owner[pair.sphere as usize];
        let row_a = a as usize;
        let [x, y, z, radius] = bodies.spheres[pair.sphere as usize];
        // The wall is the limit of an infinite radius: the point is half-way through the overlap, as ever.
        let point = LabVec::new(x, y, z) - touch.normal * (radius - 0.5 * touch.overlap);
        let block = &mut *self.block;
        block.overlap[lane] = touch.overlap;
        block.radius[lane] = radius;
        block.sphere_a[3][lane] = radius;
        block.sphere_b[3][lane] = radius;
        set_row(&mut block.normal, lane, touch.normal.to_array());
        set_row(&mut block.point, lane, point.to_array());
        if physics.remembers() {
            let pose = &scene.poses[pair.wall as usize];
            let wall = Seen {
                position: point.to_array(),
                velocity: pose.velocity_at(point).to_array(),
                omega: pose.angular_velocity.to_array(),
                q: Quat::identity().to_array(),
                inverse: [0.0; 3],
                inverse_mass: 0.0,
            };
            block.a.set(lane, &bodies.seen[row_a]);
            block.b.set(lane, &wall);
        }
        let material = scene.walls[pair.wall as usize].material;
        self.set_pair(lane, bodies.material[row_a], material, physics);
        Key { place, feature: touch.feature, a, b: pair.wall }
    }

    #[inline]
    fn set_pair(&mut self, lane: usize, a: u16, b: u16, physics: Physics<'_>) {
        let index = usize::from(a) * physics.pairs.materials + usize::from(b);
        let number = u32::try_from(index).unwrap_or(u32::MAX - 1);
        if self.block.pair_of[lane] != number {
            self.block.pair_of[lane] = number;
            set_row(&mut self.block.pair, lane, physics.pairs.pairs[index].to_array());
        }
    }

    /// Puts what a contact remembers into its lane. Old contacts are in the order of the new ones.
    #[inline]
    fn recall(&mut self, lane: usize, index: usize, key: Key, old: &mut usize) {
        let keys = &self.previous.keys;
        while *old < keys.len() && keys[*old].place < key.place {
            *old += 1;
        }
        let goes_on = |feature| touches_feature(&self.touched, index, feature);
        let block = &mut *self.block;
        let Some(index) = self.previous.matching(*old, key, row(&block.normal, lane), goes_on) else {
            block.known[lane] = 0.0;
            set_row(&mut block.history, lane, [0.0; 8]);
            return;
        };
        let Memory { normal, velocity, spring, overlap } = self.previous.memory[index];
        let Turning { spin, rolling, twist } = self.previous.turning.get(index).copied().unwrap_or_default();
        block.known[lane] = 1.0;
        set_row(&mut block.old_normal, lane, normal);
        set_row(&mut block.old_velocity, lane, velocity);
        set_row(&mut block.old_spin, lane, spin);
        let ([sx, sy, sz], [rx, ry, rz]) = (spring, rolling);
        set_row(&mut block.history, lane, [sx, sy, sz, rx, ry, rz, twist, overlap]);
    }

    #[inline]
    fn store(&mut self, lane: usize, physics: Physics<'_>, with_walls: bool) {
        let block = &*self.block;
        let table = &mut self.table;
        let index = table.outcomes.len();
        let overlap = block.overlap[lane];
        let (radius_a, radius_b) = (block.sphere_a[3][lane], block.sphere_b[3][lane]);
        let radius = if radius_a < radius_b { radius_a } else { radius_b };
        // Written so that NaN counts as too much.
        if !(overlap <= physics.max_overlap * radius) && self.excess.is_none() {
            let key = table.keys[index];
            let point = row(&block.point, lane);
            self.excess = Some(Excess { key, with_wall: with_walls, overlap, radius, point });
        }
        table.outcomes.push(Outcome {
            force: row(&block.force, lane),
            point: row(&block.point, lane),
            stored: row(&block.stored, lane),
            lost: row(&block.lost, lane),
        });
        if physics.remembers() {
            let [sx, sy, sz, rx, ry, rz, twist, overlap] = row(&block.new_history, lane);
            table.memory.push(Memory {
                normal: row(&block.normal, lane),
                velocity: row(&block.velocity, lane),
                spring: [sx, sy, sz],
                overlap,
            });
            if physics.turns() {
                table.turning.push(Turning { spin: row(&block.spin, lane), rolling: [rx, ry, rz], twist });
                table.couples.push(row(&block.couple, lane));
            }
        }
    }
}

impl Table {
    /// The old contact that goes on as this one: the same place and feature. A sphere that slides from one
    /// part of a wall, which it leaves, onto the next takes along what it remembers, if the normal has not
    /// changed much.
    #[inline]
    fn matching(
        &self,
        from: usize,
        key: Key,
        normal: [f64; 3],
        goes_on: impl Fn(u32) -> bool,
    ) -> Option<usize> {
        let mut other = None;
        for index in from..self.keys.len() {
            let old = self.keys[index];
            if old.place != key.place {
                break;
            }
            if old.feature == key.feature {
                return Some(index);
            }
            let [x, y, z] = self.memory[index].normal;
            let similar = x * normal[0] + y * normal[1] + z * normal[2] > 0.9;
            if other.is_none() && similar && !goes_on(old.feature) {
                other = Some(index);
            }
        }
        other
    }
}

/// Whether the sphere of the wall touch at `index` touches this feature as well.
fn touches_feature(touched: &[WallTouch], index: usize, feature: u32) -> bool {
    let place = touched[index].place;
    let before = touched[..index].iter().rev().take_while(|other| other.place == place);
    let after = touched[index..].iter().take_while(|other| other.place == place);
    before.chain(after).any(|other| other.touch.feature == feature)
}
