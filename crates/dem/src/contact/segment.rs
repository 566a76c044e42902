//! A piece of the contact lists, worked on by one thread.

use super::block::{Block, WORKBENCH, Workbench};
use super::find::{WallTouch, touches_feature};
use super::impact::{Groups, Together, TwoByTwo};
use super::kept::{Follow, Kept};
use super::lanes::{LANES, Lane, Lanes, row, set_row};
use super::react::{EvaluateLaw, SphereGeometry};
use super::sum::Ended;
use super::{Excess, Key, Physics, SumRows, image_shift};
use crate::bodies::AtInstant;
use crate::engine::Space;
use crate::physics::contact::{Action, Clock};
use crate::physics::geometry::{Sphere, sphere_on_wall};
use crate::prefetch::prefetch;
use crate::rows_by_id::index32;
use crate::wall::Touch;
use core::ops::Range;
use std::borrow::Cow;
use std::time::{Duration, Instant};
use tumble_math::{LabVec, Quat};

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Which places of the lists.
    pub(crate) range: Range<usize>,
    /// Pairs of bodies are of rows before this one.
    pub(crate) rows: usize,
    /// Its contacts. What those between bodies do is added up block by block and not kept, since they can be evaluated
    /// again when somebody asks.
    pub(super) kept: Kept,
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
    pub(crate) fn new(range: Range<usize>, kept: Kept) -> Self {
        Self {
            range,
            rows: 0,
            kept,
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
    pub(crate) fn prefetch_first(segments: &[Self]) {
        if let [first, ..] = segments {
            prefetch(&first.found);
            first.kept.prefetch();
        }
        prefetch(segments.get(1).as_slice());
    }

    /// Evaluates the law of the contacts found, which replace those of the last step.
    ///
    /// With sums, what contacts do is added to them at once.
    pub(crate) fn react(
        &mut self,
        space: &Space,
        physics: Physics<'_>,
        with_walls: bool,
        sums: Option<&mut SumRows<'_>>,
    ) {
        let begin = Instant::now();
        WORKBENCH.with_borrow_mut(|bench| self.react_on(bench, space, physics, with_walls, sums));
        self.time_reacting += begin.elapsed();
    }

    fn react_on(
        &mut self,
        bench: &mut Workbench,
        space: &Space,
        physics: Physics<'_>,
        with_walls: bool,
        mut sums: Option<&mut SumRows<'_>>,
    ) {
        self.excess = None;
        let contacts = if with_walls { self.touched.len() } else { self.found.len() };
        // Those of walls are few, and asked for in every step.
        let widths = physics.widths(sums.is_none() || with_walls);
        // In a packing most segments have the same contacts as in the step before.
        let same = !with_walls && self.unchanged();
        let follow = self.kept.begin(contacts, widths, same, physics.observed);
        bench.clear(&physics.layout);
        bench.goes_on.clear();
        bench.goes_on.resize(if same { 0 } else { self.kept.len_before() }, false);
        let mut old = 0;
        for first in (0..contacts).step_by(LANES) {
            let range = first..contacts.min(first + LANES);
            for (lane, index) in range.clone().enumerate() {
                if same {
                    gather_pair(&mut bench.block, lane, self.kept.keys()[index], space, physics);
                    continue;
                }
                let key = if with_walls {
                    self.gather_wall(&mut bench.block, lane, index, space, physics)
                } else {
                    let key = self.key(index, space);
                    gather_pair(&mut bench.block, lane, key, space, physics);
                    key
                };
                if physics.remembers() {
                    self.recall(bench, index, key, &mut old);
                }
                self.kept.push(key);
            }
            if same {
                bench.block.known = [1.0; LANES];
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
            self.evaluate(bench, first / LANES, follow, physics);
            self.look_for_excess(&bench.block, range.clone(), physics, with_walls);
            if let Some(sums) = &mut sums {
                let kept = self.kept.has_outcomes();
                let outcome = if kept { self.kept.outcomes(first / LANES) } else { &bench.outcome };
                sums.add(&self.kept.keys()[range], outcome, space, physics, with_walls);
            }
        }
        self.ended.clear();
        if physics.remembers() {
            self.ended.extend(self.kept.ended(&bench.goes_on));
        }
        if let Some(sums) = sums {
            sums.add_ended(&self.ended);
        }
    }

    /// Puts the masses behind contacts that are two of the same bodies into their lanes.
    fn find_masses(&self, bench: &mut Workbench, block: usize, physics: Physics<'_>) {
        let pairs = self.groups.pairs.get(block).copied().unwrap_or(0);
        if pairs != 0 {
            physics.model.masses_in_lanes(TwoByTwo { block: &mut bench.block, pairs, physics });
        }
    }

    /// Which contacts there are, in the order of the lists.
    pub(crate) fn keys(&self) -> &[Key] {
        self.kept.keys()
    }

    /// Whether the contacts found are those of the step before.
    pub(super) fn unchanged(&self) -> bool {
        self.kept.is_at(&self.found)
    }

    /// What the contacts of a block do.
    pub(super) fn outcomes(&self, block: usize) -> &[Lanes] {
        self.kept.outcomes(block)
    }

    /// Evaluates the law of the contacts in the block, which are block number `block` of the tables.
    fn evaluate(&mut self, bench: &mut Workbench, block: usize, follow: Follow, physics: Physics<'_>) {
        let Workbench { block: lanes, recalled, outcome, .. } = bench;
        let (remembered, results) = self.kept.block(block, follow, recalled, outcome);
        physics.model.evaluate(EvaluateLaw {
            block: lanes,
            remembered,
            results,
            clock: Clock { dt: physics.dt, elapsed: physics.elapsed },
            set: physics.set,
        });
    }

    #[inline(always)]
    fn key(&self, index: usize, space: &Space) -> Key {
        let place = self.found[index];
        let spheres = space.neighbours.pairs.spheres[place as usize];
        let [a, b] = spheres.map(|sphere| space.bodies.owner[sphere as usize]);
        Key { place, feature: 0, a, b }
    }

    #[inline]
    fn gather_wall(
        &self,
        block: &mut Block,
        lane: usize,
        index: usize,
        space: &Space,
        physics: Physics<'_>,
    ) -> Key {
        let WallTouch { place, touch } = self.touched[index];
        let bodies = &space.bodies;
        let pair = space.neighbours.wall_pairs[place as usize];
        let a = bodies.owner[pair.sphere as usize];
        let row_a = a as usize;
        let [x, y, z, radius] = bodies.spheres[pair.sphere as usize];
        let sphere = Sphere { centre: LabVec::new(x, y, z), radius };
        let geometry = sphere_on_wall(sphere, touch.normal, touch.overlap, touch.slope);
        let point = geometry.point;
        block.set_geometry(lane, geometry);
        block.sphere_a[3][lane] = radius;
        block.sphere_b[3][lane] = radius;
        let pose = &space.poses[pair.wall as usize];
        let wall = AtInstant {
            position: point.to_array(),
            velocity: pose.velocity_at(point).to_array(),
            omega: pose.angular_velocity.to_array(),
            q: Quat::identity().to_array(),
        };
        if physics.remembers() {
            block.a.set(lane, &bodies.at_force[row_a]);
            block.a.set_kind(lane, bodies.kind[row_a], &bodies.kinds);
        } else {
            block.a.set(lane, &bodies.at_time_level(row_a));
        }
        block.b.set(lane, &wall);
        block.b.set_immovable(lane);
        let material = space.walls[pair.wall as usize].material;
        set_pair(block, lane, bodies.material[row_a], material.0, physics);
        Key { place, feature: touch.feature, a, b: pair.wall }
    }

    /// Puts what a contact remembers into its row.
    #[inline]
    fn recall(&self, bench: &mut Workbench, index: usize, key: Key, old: &mut usize) {
        let Workbench { block, goes_on, recalled, .. } = bench;
        let lane = index % LANES;
        let touched = |feature| touches_feature(&self.touched, index, feature);
        let normal = row(&block.normal, lane);
        let known = self.kept.recall(key, normal, touched, goes_on, old, (recalled, lane));
        block.known[lane] = if known { 1.0 } else { 0.0 };
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
                let key = self.kept.keys()[index];
                let point = row(&block.point, lane);
                self.excess = Some(Excess { key, with_wall, overlap, radius, point });
            }
        }
    }

    /// This segment with all outcomes: itself, or evaluated again from what it was evaluated from. Only for steps
    /// that were known to be observed.
    pub(crate) fn with_outcomes(&self, space: &Space, physics: Physics<'_>) -> Cow<'_, Self> {
        if self.kept.has_outcomes() {
            return Cow::Borrowed(self);
        }
        let mut again = self.clone();
        let rewound = again.kept.rewind();
        debug_assert!(rewound, "nobody was to look at this step");
        again.react(space, physics, false, None);
        Cow::Owned(again)
    }

    /// What a contact does to its two sides.
    #[inline(always)]
    pub(crate) fn action(&self, index: usize) -> Action<f64> {
        self.kept.action(index)
    }

    /// What a contact does, and its books.
    #[inline(always)]
    pub(crate) fn outcome(&self, index: usize) -> Lane<'_> {
        self.kept.outcome(index)
    }
}

/// Puts the two spheres and bodies of a contact into a lane.
#[inline(always)]
fn gather_pair(block: &mut Block, lane: usize, key: Key, space: &Space, physics: Physics<'_>) {
    let Key { place, a, b, .. } = key;
    let bodies = &space.bodies;
    let [sphere_a, sphere_b] = space.neighbours.pairs.spheres[place as usize];
    set_row(&mut block.sphere_a, lane, bodies.spheres[sphere_a as usize]);
    set_row(&mut block.sphere_b, lane, bodies.spheres[sphere_b as usize]);
    let (row_a, row_b) = (a as usize, b as usize);
    if physics.remembers() {
        block.a.set(lane, &bodies.at_force[row_a]);
        block.b.set(lane, &bodies.at_force[row_b]);
        block.a.set_kind(lane, bodies.kind[row_a], &bodies.kinds);
        block.b.set_kind(lane, bodies.kind[row_b], &bodies.kinds);
    } else {
        let (a, b) = (bodies.spheres[sphere_a as usize], bodies.spheres[sphere_b as usize]);
        // A contact this deep neither began in this step nor ends in it, and nobody asks for its velocity.
        let deep = a[3] + b[3] - 2.0 * physics.longest;
        let (dx, dy, dz) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        let is_deep = deep > 0.0 && dx * dx + dy * dy + dz * dz < deep * deep;
        let shallow = !is_deep || space.periods.any;
        if shallow {
            block.a.set(lane, &bodies.at_time_level(row_a));
            block.b.set(lane, &bodies.at_time_level(row_b));
        } else {
            block.a.set_place(lane, bodies.position.row(row_a));
            block.b.set_place(lane, bodies.position.row(row_b));
        }
    }
    if space.periods.any {
        for (axis, shift) in image_shift(space, place as usize).into_iter().enumerate() {
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
    // Of at most 65 535 materials.
    let number = index32(index);
    if block.pair_of[lane] != number {
        block.pair_of[lane] = number;
        for (column, constant) in block.constants.iter_mut().zip(physics.pairs.row(index)) {
            column[lane] = *constant;
        }
    }
}
