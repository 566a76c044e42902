//! A piece of the contact lists, worked on by one thread.

use super::block::Block;
use super::lanes::{LANES, LaneTable, Lanes, row, set_row};
use super::react::{EvaluateLaw, SphereGeometry};
use super::{Excess, Key, Outcome, Physics, Scene, Share, Table, image_shift};
use crate::bodies::Seen;
use crate::wall::Touch;
use core::cell::RefCell;
use core::ops::Range;
use std::borrow::Cow;
use std::time::{Duration, Instant};
use tumble_math::{LabVec, Quat};

/// A touch of a wall, in the lab.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallTouch {
    pub(super) place: u32,
    pub(super) touch: Touch,
}

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Which places of the lists.
    pub(crate) range: Range<usize>,
    pub(crate) table: Table,
    /// The contacts of the last step.
    pub(super) previous: Table,
    /// What the contacts do. One thread adds them up block by block and keeps only the last block, since they
    /// can be evaluated again when somebody asks.
    pub(super) outcomes: LaneTable<20>,
    /// Couple on a; empty if there is no rolling or twisting resistance.
    pub(super) couples: LaneTable<3>,
    /// Whether all of them were kept.
    pub(super) outcomes_kept: bool,
    /// Places that touch, between bodies.
    pub(super) found: Vec<u32>,
    /// Touches of walls, and room for those of one sphere.
    pub(super) touched: Vec<WallTouch>,
    pub(super) touches: Vec<Touch>,
    /// Weight of each contact; empty if all are 1.
    pub(super) weights: Vec<f64>,
    block: Box<Block>,
    /// Where a law without memory writes it.
    spare: Box<Spare>,
    pub(crate) excess: Option<Excess>,
    pub(crate) time_finding: Duration,
    pub(crate) time_reacting: Duration,
}

thread_local! {
    static BLOCK: RefCell<Box<Block>> = RefCell::new(Box::new(Block::new()));
}

#[derive(Clone, Debug)]
struct Spare {
    memory: [Lanes; 10],
    turning: [Lanes; 7],
    couple: [Lanes; 3],
}

impl Segment {
    pub(crate) fn new(range: Range<usize>, table: Table) -> Self {
        let zero = [0.0; LANES];
        Self {
            range,
            table,
            previous: Table::default(),
            outcomes: LaneTable::default(),
            couples: LaneTable::default(),
            outcomes_kept: true,
            found: Vec::new(),
            touched: Vec::new(),
            touches: Vec::new(),
            weights: Vec::new(),
            block: Box::new(Block::new()),
            spare: Box::new(Spare { memory: [zero; 10], turning: [zero; 7], couple: [zero; 3] }),
            excess: None,
            time_finding: Duration::ZERO,
            time_reacting: Duration::ZERO,
        }
    }

    /// Evaluates the law of the contacts found, which replace those of the last step.
    ///
    /// With a share of the bodies, their forces are added to it at once.
    pub(crate) fn react(
        &mut self,
        scene: Scene<'_>,
        physics: Physics<'_>,
        with_walls: bool,
        mut share: Option<&mut Share<'_>>,
    ) {
        let begin = Instant::now();
        core::mem::swap(&mut self.table, &mut self.previous);
        self.excess = None;
        let contacts = if with_walls { self.touched.len() } else { self.found.len() };
        // Those of walls are few, and asked for in every step.
        self.outcomes_kept = share.is_none() || with_walls;
        self.share_block();
        self.make_room(contacts, physics);
        // In a packing most segments have the same contacts as in the step before.
        let unchanged = !with_walls && self.unchanged();
        if unchanged {
            self.table.keys.clone_from(&self.previous.keys);
        }
        let mut old = 0;
        for first in (0..contacts).step_by(LANES) {
            let range = first..contacts.min(first + LANES);
            for (lane, index) in range.clone().enumerate() {
                if unchanged {
                    self.gather_pair(lane, self.previous.keys[index], scene, physics);
                    continue;
                }
                let key = if with_walls {
                    self.gather_wall(lane, index, scene, physics)
                } else {
                    let key = self.key(index, scene);
                    self.gather_pair(lane, key, scene, physics);
                    key
                };
                if physics.remembers() {
                    self.recall(lane, index, key, &mut old);
                }
                self.table.keys.push(key);
            }
            if unchanged && physics.remembers() {
                self.recall_block(first / LANES);
            }
            for (lane, &weight) in self.weights.iter().skip(first).take(LANES).enumerate() {
                self.block.weight[lane] = weight;
            }
            if !with_walls {
                physics.set.run(SphereGeometry(&mut self.block));
            }
            self.evaluate(first / LANES, physics);
            self.look_for_excess(range.clone(), physics, with_walls);
            if let Some(share) = &mut share {
                let kept = if self.outcomes_kept { first } else { 0 };
                share.add(self, range, kept, scene, physics.dt, with_walls);
            }
        }
        self.share_block();
        self.time_reacting += begin.elapsed();
    }

    /// Exchanges the block with the one of this thread, which is in its cache. Called before and after its use.
    fn share_block(&mut self) {
        BLOCK.with_borrow_mut(|block| core::mem::swap(block, &mut self.block));
        // It may have served another engine.
        self.block.pair_of = [u32::MAX; LANES];
    }

    /// Whether the contacts found are those of the step before.
    fn unchanged(&self) -> bool {
        let places = self.previous.keys.iter().map(|key| key.place);
        self.found.len() == self.previous.keys.len() && self.found.iter().copied().eq(places)
    }

    fn make_room(&mut self, contacts: usize, physics: Physics<'_>) {
        self.table.keys.clear();
        self.table.memory.make_room(if physics.remembers() { contacts } else { 0 });
        self.table.turning.make_room(if physics.turns() { contacts } else { 0 });
        let kept = if self.outcomes_kept { contacts } else { contacts.min(LANES) };
        self.couples.make_room(if physics.turns() { kept } else { 0 });
        self.outcomes.make_room(kept);
        if self.weights.is_empty() {
            self.block.weight = [1.0; LANES];
        }
    }

    /// Evaluates the law of the contacts in the block, which become block number `block` of the tables.
    fn evaluate(&mut self, block: usize, physics: Physics<'_>) {
        let Spare { memory, turning, couple } = &mut *self.spare;
        let remembers = physics.remembers();
        let turns = physics.turns();
        let kept = if self.outcomes_kept { block } else { 0 };
        physics.model.visit(EvaluateLaw {
            block: &self.block,
            memory: if remembers { self.table.memory.block_mut(block) } else { memory },
            turning: if turns { self.table.turning.block_mut(block) } else { turning },
            outcome: self.outcomes.block_mut(kept),
            couple: if turns { self.couples.block_mut(kept) } else { couple },
            dt: physics.dt,
            at_most: physics.at_most,
            set: physics.set,
        });
    }

    #[inline(always)]
    fn key(&self, index: usize, scene: Scene<'_>) -> Key {
        let place = self.found[index];
        let spheres = scene.neighbours.pairs.spheres[place as usize];
        let [a, b] = spheres.map(|sphere| scene.bodies.owner[sphere as usize]);
        Key { place, feature: 0, a, b }
    }

    #[inline(always)]
    fn gather_pair(&mut self, lane: usize, key: Key, scene: Scene<'_>, physics: Physics<'_>) {
        let Key { place, a, b, .. } = key;
        let bodies = scene.bodies;
        let [sphere_a, sphere_b] = scene.neighbours.pairs.spheres[place as usize];
        let block = &mut *self.block;
        set_row(&mut block.sphere_a, lane, bodies.spheres[sphere_a as usize]);
        set_row(&mut block.sphere_b, lane, bodies.spheres[sphere_b as usize]);
        let (row_a, row_b) = (a as usize, b as usize);
        if physics.remembers() {
            block.a.set(lane, &bodies.seen[row_a]);
            block.b.set(lane, &bodies.seen[row_b]);
        } else {
            let (a, b) = (bodies.spheres[sphere_a as usize], bodies.spheres[sphere_b as usize]);
            // A contact this deep neither began in this step nor ends in it, and nobody asks for its velocity.
            let deep = a[3] + b[3] - 2.0 * physics.longest;
            let (dx, dy, dz) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
            let is_deep = dx * dx + dy * dy + dz * dz < deep * deep;
            let shallow = !is_deep || !scene.neighbours.pairs.images.is_empty();
            block.a.set(lane, &bodies.glimpse(row_a, shallow));
            block.b.set(lane, &bodies.glimpse(row_b, shallow));
        }
        if !scene.neighbours.pairs.images.is_empty() {
            for (axis, shift) in image_shift(&scene, place as usize).into_iter().enumerate() {
                block.sphere_b[axis][lane] += shift;
                block.b.position[axis][lane] += shift;
            }
        }
        self.set_pair(lane, bodies.material[row_a], bodies.material[row_b], physics);
    }

    #[inline]
    fn gather_wall(&mut self, lane: usize, index: usize, scene: Scene<'_>, physics: Physics<'_>) -> Key {
        let WallTouch { place, touch } = self.touched[index];
        let bodies = scene.bodies;
        let pair = scene.neighbours.wall_pairs[place as usize];
        let a = bodies.owner[pair.sphere as usize];
        let row_a = a as usize;
        let [x, y, z, radius] = bodies.spheres[pair.sphere as usize];
        // The limit of an infinite radius on the other side: see `SphereGeometry`.
        let point = LabVec::new(x, y, z) - touch.normal * radius;
        let block = &mut *self.block;
        block.overlap[lane] = touch.overlap;
        block.radius[lane] = radius;
        block.sphere_a[3][lane] = radius;
        block.sphere_b[3][lane] = radius;
        set_row(&mut block.normal, lane, touch.normal.to_array());
        set_row(&mut block.point, lane, point.to_array());
        let pose = &scene.poses[pair.wall as usize];
        let wall = Seen {
            position: point.to_array(),
            velocity: pose.velocity_at(point).to_array(),
            omega: pose.angular_velocity.to_array(),
            q: Quat::identity().to_array(),
            inverse: [0.0; 3],
            inverse_mass: 0.0,
        };
        if physics.remembers() {
            block.a.set(lane, &bodies.seen[row_a]);
        } else {
            block.a.set(lane, &bodies.glimpse(row_a, true));
        }
        block.b.set(lane, &wall);
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

    /// Puts what the contacts of a block remember into their lanes, if they are those of the step before.
    fn recall_block(&mut self, block: usize) {
        self.block.known = [1.0; LANES];
        self.block.memory = *self.previous.memory.block(block);
        if !self.previous.turning.is_empty() {
            self.block.turning = *self.previous.turning.block(block);
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
            set_row(&mut block.memory, lane, [0.0; 10]);
            set_row(&mut block.turning, lane, [0.0; 7]);
            return;
        };
        block.known[lane] = 1.0;
        set_row(&mut block.memory, lane, self.previous.memory.row(index));
        if !self.previous.turning.is_empty() {
            set_row(&mut block.turning, lane, self.previous.turning.row(index));
        }
    }

    /// Notes the first contact of the segment whose overlap is too large.
    fn look_for_excess(&mut self, range: Range<usize>, physics: Physics<'_>, with_wall: bool) {
        let block = &*self.block;
        for (lane, index) in range.enumerate() {
            let overlap = block.overlap[lane];
            let (radius_a, radius_b) = (block.sphere_a[3][lane], block.sphere_b[3][lane]);
            let radius = if radius_a < radius_b { radius_a } else { radius_b };
            let fine = overlap <= physics.max_overlap * radius;
            // NaN is not fine.
            if !fine && self.excess.is_none() {
                let key = self.table.keys[index];
                let point = row(&block.point, lane);
                self.excess = Some(Excess { key, with_wall, overlap, radius, point });
            }
        }
    }

    /// This segment with all outcomes: itself, or evaluated again from what it was evaluated from.
    pub(crate) fn with_outcomes(&self, scene: Scene<'_>, physics: Physics<'_>) -> Cow<'_, Self> {
        if self.outcomes_kept {
            return Cow::Borrowed(self);
        }
        let mut again = self.clone();
        again.table = self.previous.clone();
        again.react(scene, physics, false, None);
        Cow::Owned(again)
    }

    /// What a contact does.
    #[inline(always)]
    pub(crate) fn outcome(&self, index: usize) -> Outcome {
        self.outcomes.row(index).into()
    }

    /// The couple on a.
    #[inline(always)]
    pub(crate) fn couple(&self, index: usize) -> [f64; 3] {
        if self.couples.is_empty() { [0.0; 3] } else { self.couples.row(index) }
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
            let [x, y, z, ..] = self.memory.row(index);
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
