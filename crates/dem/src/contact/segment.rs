//! A piece of the contact lists, worked on by one thread.

use super::block::{Block, WORKBENCH, Workbench};
use super::find::{WallTouch, touches_feature};
use super::impact::{Groups, Together, TwoByTwo};
use super::lanes::{LANES, LaneTable, Lanes, row, set_row};
use super::react::{EvaluateLaw, Results, SphereGeometry};
use super::sum::{Done, Ended};
use super::{Excess, Key, MEMORY, OUTCOME, Outcome, Physics, Scene, Share, TURNING, Table, image_shift};
use crate::ahead::fetch;
use crate::bodies::Seen;
use crate::physics::contact::Clock;
use crate::physics::geometry::{Sphere, sphere_on_wall};
use crate::wall::Touch;
use core::ops::Range;
use std::borrow::Cow;
use std::time::{Duration, Instant};
use tumble_math::{LabVec, Quat};

/// The couples where nothing resists turning.
static NO_COUPLE: [Lanes; 3] = [[0.0; LANES]; 3];

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Which places of the lists.
    pub(crate) range: Range<usize>,
    /// Pairs of bodies are of rows before this one.
    pub(crate) rows: usize,
    pub(crate) table: Table,
    /// The contacts of the step before, if that one or this one may be looked at; room otherwise.
    pub(super) previous: Table,
    /// What the contacts do. Those between bodies are added up block by block and not kept, since they can be
    /// evaluated again when somebody asks.
    pub(super) outcomes: LaneTable<OUTCOME>,
    /// Couple on a; empty if there is no rolling or twisting resistance.
    pub(super) couples: LaneTable<3>,
    /// Whether they were kept.
    pub(super) outcomes_kept: bool,
    /// Places that touch, between bodies.
    pub(super) found: Vec<u32>,
    /// Touches of walls, and room for those of one sphere.
    pub(super) touched: Vec<WallTouch>,
    pub(super) touches: Vec<Touch>,
    /// Weight of each contact; empty if all are 1.
    pub(super) weights: Vec<f64>,
    /// Which contacts are not alone between their two bodies.
    pub(super) groups: Groups,
    /// What those of them know for whom lanes do not find it; empty if there are none.
    pub(super) together: Vec<Together>,
    /// Contacts that ended with this step.
    pub(super) ended: Vec<Ended>,
    pub(crate) excess: Option<Excess>,
    pub(crate) time_finding: Duration,
    pub(crate) time_reacting: Duration,
}

impl Segment {
    pub(crate) fn new(range: Range<usize>, table: Table) -> Self {
        Self {
            range,
            rows: 0,
            table,
            previous: Table::default(),
            outcomes: LaneTable::default(),
            couples: LaneTable::default(),
            outcomes_kept: true,
            found: Vec::new(),
            touched: Vec::new(),
            touches: Vec::new(),
            weights: Vec::new(),
            groups: Groups::default(),
            together: Vec::new(),
            ended: Vec::new(),
            excess: None,
            time_finding: Duration::ZERO,
            time_reacting: Duration::ZERO,
        }
    }

    /// Has what the first of these segments found last fetched, and where the second one has it.
    pub(crate) fn fetch_first(segments: &[Self]) {
        if let [first, ..] = segments {
            fetch(&first.found);
            fetch(&first.table.keys);
            fetch(&first.previous.keys);
        }
        fetch(segments.get(1).as_slice());
    }

    /// Evaluates the law of the contacts found, which replace those of the last step.
    ///
    /// With a share of the bodies, their forces are added to it at once.
    pub(crate) fn react(
        &mut self,
        scene: Scene<'_>,
        physics: Physics<'_>,
        with_walls: bool,
        share: Option<&mut Share<'_>>,
    ) {
        let begin = Instant::now();
        WORKBENCH.with_borrow_mut(|bench| self.react_on(bench, scene, physics, with_walls, share));
        self.time_reacting += begin.elapsed();
    }

    fn react_on(
        &mut self,
        bench: &mut Workbench,
        scene: Scene<'_>,
        physics: Physics<'_>,
        with_walls: bool,
        mut share: Option<&mut Share<'_>>,
    ) {
        self.excess = None;
        let contacts = if with_walls { self.touched.len() } else { self.found.len() };
        // Those of walls are few, and asked for in every step.
        self.outcomes_kept = share.is_none() || with_walls;
        // In a packing most segments have the same contacts as in the step before.
        let unchanged = !with_walls && self.unchanged();
        // What they remembered is written over, unless somebody may ask for it.
        let in_place = unchanged && !physics.observed;
        if !in_place {
            core::mem::swap(&mut self.table, &mut self.previous);
        }
        self.make_room(contacts, physics, in_place);
        if unchanged && !in_place {
            self.table.keys.extend_from_slice(&self.previous.keys);
        }
        // It may have served another engine.
        bench.block.forget();
        bench.block.weight = [1.0; LANES];
        bench.block.slope = [1.0; LANES];
        bench.goes_on.clear();
        bench.goes_on.resize(if unchanged { 0 } else { self.previous.keys.len() }, false);
        let mut old = 0;
        for first in (0..contacts).step_by(LANES) {
            let range = first..contacts.min(first + LANES);
            for (lane, index) in range.clone().enumerate() {
                if unchanged {
                    gather_pair(&mut bench.block, lane, self.table.keys[index], scene, physics);
                    continue;
                }
                let key = if with_walls {
                    self.gather_wall(&mut bench.block, lane, index, scene, physics)
                } else {
                    let key = self.key(index, scene);
                    gather_pair(&mut bench.block, lane, key, scene, physics);
                    key
                };
                if physics.remembers() {
                    self.recall(bench, index, key, &mut old);
                }
                self.table.keys.push(key);
            }
            if unchanged {
                bench.block.known = [1.0; LANES];
                if !in_place {
                    self.table.recall_block(&self.previous, first / LANES);
                }
            }
            for (lane, &weight) in self.weights.iter().skip(first).take(LANES).enumerate() {
                bench.block.weight[lane] = weight;
            }
            bench.block.shared_mass = [0.0; LANES];
            bench.block.part = [1.0; LANES];
            for (lane, &Together { mass, part }) in self.together.iter().skip(first).take(LANES).enumerate() {
                bench.block.shared_mass[lane] = mass;
                bench.block.part[lane] = part;
            }
            if !with_walls {
                physics.set.run(SphereGeometry(&mut bench.block));
                self.find_masses(bench, first / LANES, physics);
            }
            self.evaluate(bench, first / LANES, physics);
            self.look_for_excess(&bench.block, range.clone(), physics, with_walls);
            if let Some(share) = &mut share {
                let done = if self.outcomes_kept { self.done(first / LANES) } else { bench.done() };
                share.add(&self.table.keys[range], done, scene, physics, with_walls);
            }
        }
        self.ended.clear();
        if physics.remembers() {
            self.find_ended(&bench.goes_on);
        }
        if let Some(share) = share {
            share.add_ended(&self.ended);
        }
    }

    /// Puts the masses behind contacts that are two of the same bodies into their lanes.
    fn find_masses(&self, bench: &mut Workbench, block: usize, physics: Physics<'_>) {
        let pairs = self.groups.pairs.get(block).copied().unwrap_or(0);
        if pairs != 0 {
            physics.model.masses_in_lanes(TwoByTwo { block: &mut bench.block, pairs, physics });
        }
    }

    /// Finds the contacts of the last step that do not go on.
    fn find_ended(&mut self, goes_on: &[bool]) {
        for (index, _) in goes_on.iter().enumerate().filter(|(_, goes_on)| !**goes_on) {
            let [.., energy] = self.previous.memory.row(index);
            self.ended.push(Ended { row: self.previous.keys[index].a, energy });
        }
    }

    /// Whether the contacts found are those of the step before.
    pub(super) fn unchanged(&self) -> bool {
        let places = self.table.keys.iter().map(|key| key.place);
        self.found.len() == self.table.keys.len() && self.found.iter().copied().eq(places)
    }

    /// What the contacts of a block do.
    pub(super) fn done(&self, block: usize) -> Done<'_> {
        let couple = if self.couples.is_empty() { &NO_COUPLE } else { self.couples.block(block) };
        Done { outcome: self.outcomes.block(block), couple }
    }

    fn make_room(&mut self, contacts: usize, physics: Physics<'_>, in_place: bool) {
        let kept = if self.outcomes_kept { contacts } else { 0 };
        self.couples.make_room(if physics.turns() { kept } else { 0 });
        self.outcomes.make_room(kept);
        if !in_place {
            self.table.keys.clear();
            self.table.keys.reserve(contacts);
            self.table.memory.make_room(if physics.remembers() { contacts } else { 0 });
            self.table.turning.make_room(if physics.turns() { contacts } else { 0 });
        }
    }

    /// Evaluates the law of the contacts in the block, which are block number `block` of the tables.
    fn evaluate(&mut self, bench: &mut Workbench, block: usize, physics: Physics<'_>) {
        let Workbench { block: lanes, memory, turning, outcome, couple, .. } = bench;
        let (kept, turns) = (self.outcomes_kept, physics.turns());
        physics.model.evaluate(EvaluateLaw {
            block: lanes,
            results: Results {
                memory: if physics.remembers() { self.table.memory.block_mut(block) } else { memory },
                turning: if turns { self.table.turning.block_mut(block) } else { turning },
                outcome: if kept { self.outcomes.block_mut(block) } else { outcome },
                couple: if kept && turns { self.couples.block_mut(block) } else { couple },
            },
            clock: Clock { dt: physics.dt, elapsed: physics.elapsed },
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

    #[inline]
    fn gather_wall(
        &self,
        block: &mut Block,
        lane: usize,
        index: usize,
        scene: Scene<'_>,
        physics: Physics<'_>,
    ) -> Key {
        let WallTouch { place, touch } = self.touched[index];
        let bodies = scene.bodies;
        let pair = scene.neighbours.wall_pairs[place as usize];
        let a = bodies.owner[pair.sphere as usize];
        let row_a = a as usize;
        let [x, y, z, radius] = bodies.spheres[pair.sphere as usize];
        let sphere = Sphere { centre: LabVec::new(x, y, z), radius };
        let geometry = sphere_on_wall(sphere, touch.normal, touch.overlap, touch.slope);
        let point = geometry.point;
        block.set_geometry(lane, geometry);
        block.sphere_a[3][lane] = radius;
        block.sphere_b[3][lane] = radius;
        let pose = &scene.poses[pair.wall as usize];
        let wall = Seen {
            position: point.to_array(),
            velocity: pose.velocity_at(point).to_array(),
            omega: pose.angular_velocity.to_array(),
            q: Quat::identity().to_array(),
        };
        if physics.remembers() {
            block.a.set(lane, &bodies.seen[row_a]);
            block.a.set_kind(lane, bodies.kind[row_a], &bodies.kinds);
        } else {
            block.a.set(lane, &bodies.glimpse(row_a));
        }
        block.b.set(lane, &wall);
        block.b.set_immovable(lane);
        let material = scene.walls[pair.wall as usize].material;
        set_pair(block, lane, bodies.material[row_a], material.0, physics);
        Key { place, feature: touch.feature, a, b: pair.wall }
    }

    /// Puts what a contact remembers into its row. Old contacts are in the order of the new ones.
    #[inline]
    fn recall(&mut self, bench: &mut Workbench, index: usize, key: Key, old: &mut usize) {
        let Workbench { block, goes_on, .. } = bench;
        let keys = &self.previous.keys;
        while *old < keys.len() && keys[*old].place < key.place {
            *old += 1;
        }
        let lane = index % LANES;
        let touched = |feature| touches_feature(&self.touched, index, feature);
        let found = self.previous.matching(*old, key, row(&block.normal, lane), touched, goes_on);
        if let Some(found) = found {
            goes_on[found] = true;
        }
        block.known[lane] = if found.is_some() { 1.0 } else { 0.0 };
        let Table { memory, turning, .. } = &mut self.table;
        memory.set_row(index, found.map_or([0.0; MEMORY], |index| self.previous.memory.row(index)));
        if !turning.is_empty() {
            turning.set_row(index, found.map_or([0.0; TURNING], |index| self.previous.turning.row(index)));
        }
    }

    /// Notes the first contact of the segment whose overlap is too large.
    fn look_for_excess(&mut self, block: &Block, range: Range<usize>, physics: Physics<'_>, with_wall: bool) {
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

    /// This segment with all outcomes: itself, or evaluated again from what it was evaluated from. Only for steps
    /// that were known to be observed.
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
    pub(crate) fn outcome(&self, index: usize) -> Outcome<f64> {
        Outcome::from_array(self.outcomes.row(index))
    }

    /// The couple on a.
    #[inline(always)]
    pub(crate) fn couple(&self, index: usize) -> [f64; 3] {
        if self.couples.is_empty() { [0.0; 3] } else { self.couples.row(index) }
    }
}

/// Puts the two spheres and bodies of a contact into a lane.
#[inline(always)]
fn gather_pair(block: &mut Block, lane: usize, key: Key, scene: Scene<'_>, physics: Physics<'_>) {
    let Key { place, a, b, .. } = key;
    let bodies = scene.bodies;
    let [sphere_a, sphere_b] = scene.neighbours.pairs.spheres[place as usize];
    set_row(&mut block.sphere_a, lane, bodies.spheres[sphere_a as usize]);
    set_row(&mut block.sphere_b, lane, bodies.spheres[sphere_b as usize]);
    let (row_a, row_b) = (a as usize, b as usize);
    if physics.remembers() {
        block.a.set(lane, &bodies.seen[row_a]);
        block.b.set(lane, &bodies.seen[row_b]);
        block.a.set_kind(lane, bodies.kind[row_a], &bodies.kinds);
        block.b.set_kind(lane, bodies.kind[row_b], &bodies.kinds);
    } else {
        let (a, b) = (bodies.spheres[sphere_a as usize], bodies.spheres[sphere_b as usize]);
        // A contact this deep neither began in this step nor ends in it, and nobody asks for its velocity.
        let deep = a[3] + b[3] - 2.0 * physics.longest;
        let (dx, dy, dz) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        let is_deep = deep > 0.0 && dx * dx + dy * dy + dz * dz < deep * deep;
        let shallow = !is_deep || scene.periods.any;
        if shallow {
            block.a.set(lane, &bodies.glimpse(row_a));
            block.b.set(lane, &bodies.glimpse(row_b));
        } else {
            block.a.set_place(lane, bodies.position.row(row_a));
            block.b.set_place(lane, bodies.position.row(row_b));
        }
    }
    if scene.periods.any {
        for (axis, shift) in image_shift(&scene, place as usize).into_iter().enumerate() {
            block.sphere_b[axis][lane] += shift;
            block.b.position[axis][lane] += shift;
        }
    }
    set_pair(block, lane, bodies.material[row_a], bodies.material[row_b], physics);
}

/// Puts the constants of a pair of materials into a lane, if they are not there.
#[inline]
fn set_pair(block: &mut Block, lane: usize, a: u16, b: u16, physics: Physics<'_>) {
    let index = usize::from(a) * physics.pairs.materials + usize::from(b);
    let number = u32::try_from(index).unwrap_or(u32::MAX - 1);
    if block.pair_of[lane] != number {
        block.pair_of[lane] = number;
        set_row(&mut block.pair, lane, physics.pairs.pairs[index].to_array());
    }
}
