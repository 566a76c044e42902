//! Which pairs of the lists touch now.

use super::segment::Segment;
use super::{Key, Physics, Sharing, image_shift};
use crate::engine::Space;
use crate::law::Range;
use crate::rows_by_id::index32;
use crate::wall::Touch;
use std::time::Instant;
use tumble_math::LabVec;
use tumble_rotation::batch::Kernel;

/// A touch of a wall, in the lab.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallTouch {
    pub(super) place: u32,
    pub(super) touch: Touch,
}

impl Segment {
    /// Finds the pairs of spheres that overlap.
    pub(crate) fn find_between(&mut self, space: &Space, physics: Physics<'_>) {
        let begin = Instant::now();
        let pairs = &space.neighbours.pairs;
        let reach = physics.pairs.range;
        let crowded =
            self.found.len().saturating_mul(physics.thresholds.pairs_per_contact) > self.range.len();
        physics.set.run(FindPairs {
            space,
            range: self.range.clone(),
            reach,
            crowded,
            found: &mut self.found,
        });
        if reach > 0.0 {
            self.keep_within_range(space, physics);
        }
        if physics.sharing == Sharing::Average {
            let owner = |sphere: u32| space.bodies.owner[sphere as usize];
            self.weights = equal_weights(&self.found, |&place| pairs.spheres[place as usize].map(owner));
        }
        self.find_together(space, physics, true);
        self.time_finding += begin.elapsed();
    }

    /// Of the pairs found, keeps those that are within their own range and, if contacts begin with a touch, have touched.
    fn keep_within_range(&mut self, space: &Space, physics: Physics<'_>) {
        let Self { found, kept, .. } = self;
        let lasting = physics.model.range() == Range::Lasting;
        found.retain(|&place| {
            let spheres = space.neighbours.pairs.spheres[place as usize];
            let [a, b] =
                spheres.map(|sphere| space.bodies.material[space.bodies.owner[sphere as usize] as usize]);
            let overlap = overlap_between(space, place as usize);
            let begun = !lasting || overlap > 0.0 || has(kept.keys(), place, 0);
            overlap > -physics.pairs.range_of(a, b) && begun
        });
    }

    /// Finds the spheres that touch walls.
    pub(crate) fn find_with_walls(&mut self, space: &Space, physics: Physics<'_>) {
        let begin = Instant::now();
        self.touched.clear();
        for place in self.range.clone() {
            touches_of_wall(space, physics, place, &mut self.touches);
            let place = index32(place);
            if physics.pairs.range > 0.0 && physics.model.range() == Range::Lasting {
                let known = self.kept.keys();
                self.touches.retain(|touch| touch.overlap > 0.0 || has(known, place, touch.feature));
            }
            self.touched.extend(self.touches.iter().map(|&touch| WallTouch { place, touch }));
        }
        if physics.sharing == Sharing::Average {
            let owner = |sphere: u32| space.bodies.owner[sphere as usize];
            self.weights = equal_weights(&self.touched, |touched| {
                let pair = space.neighbours.wall_pairs[touched.place as usize];
                [owner(pair.sphere), pair.wall]
            });
        }
        self.find_together_on_walls(space, physics);
        self.time_finding += begin.elapsed();
    }

    /// Takes out what was found and is among these.
    pub(crate) fn leave_out(&mut self, keys: &[Key]) {
        let between = self.found.iter().map(|&place| !has(keys, place, 0));
        let with_walls = self.touched.iter().map(|touched| !has(keys, touched.place, touched.touch.feature));
        let kept: Vec<bool> = between.chain(with_walls).collect();
        retain(&mut self.found, &kept);
        retain(&mut self.touched, &kept);
        retain(&mut self.weights, &kept);
        retain(&mut self.together, &kept);
    }
}

/// Whether keys have the contact at a place with a feature.
fn has(keys: &[Key], place: u32, feature: u32) -> bool {
    keys.binary_search_by_key(&(place, feature), |key| (key.place, key.feature)).is_ok()
}

/// What a sphere touches of the wall that it is listed with.
fn touches_of_wall(space: &Space, physics: Physics<'_>, place: usize, touches: &mut Vec<Touch>) {
    let pair = space.neighbours.wall_pairs[place];
    let [x, y, z, radius] = space.bodies.spheres[pair.sphere as usize];
    let (wall, pose) = (&space.walls[pair.wall as usize], &space.poses[pair.wall as usize]);
    let triangles = &space.neighbours.triangles[pair.triangles[0] as usize..pair.triangles[1] as usize];
    let centre = LabVec::new(x, y, z);
    let power = physics.power;
    let mut range = 0.0;
    if physics.pairs.range > 0.0 {
        let material = space.bodies.material[space.bodies.owner[pair.sphere as usize] as usize];
        range = physics.pairs.range_of(material, wall.material.0);
    }
    touches.clear();
    if wall.motion.is_static() {
        wall.shape.touches(centre, radius + range, power, triangles, touches);
    } else {
        wall.shape.touches(pose.to_reference(centre), radius + range, power, triangles, touches);
        for touch in touches.iter_mut() {
            touch.normal = pose.direction_to_lab(touch.normal);
        }
    }
    if range > 0.0 {
        for touch in touches.iter_mut() {
            touch.overlap -= range;
        }
    }
}

/// How far the two of a contact reach into each other, m.
pub(crate) fn overlap(space: &Space, physics: Physics<'_>, key: Key, with_wall: bool) -> f64 {
    let place = key.place as usize;
    if with_wall {
        let mut touches = Vec::new();
        touches_of_wall(space, physics, place, &mut touches);
        let touch = touches.iter().find(|touch| touch.feature == key.feature);
        return touch.map_or(0.0, |touch| touch.overlap);
    }
    overlap_between(space, place)
}

fn overlap_between(space: &Space, place: usize) -> f64 {
    let spheres = &space.bodies.spheres;
    let [a, b] = space.neighbours.pairs.spheres[place].map(|sphere| spheres[sphere as usize]);
    let [x, y, z] = image_shift(space, place);
    let apart: LabVec<f64> = LabVec::new(a[0] - (b[0] + x), a[1] - (b[1] + y), a[2] - (b[2] + z));
    a[3] + b[3] - apart.norm()
}

/// Keeps what is marked. A segment has pairs of bodies or touches of walls, not both.
fn retain<T>(values: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    values.retain(|_| kept.next().copied().unwrap_or(false));
}

/// The search for pairs that touch.
struct FindPairs<'a> {
    space: &'a Space,
    range: core::ops::Range<usize>,
    /// How far beyond touch contacts are looked for, m.
    reach: f64,
    /// Whether a good part touches, as in the step before.
    crowded: bool,
    found: &'a mut Vec<u32>,
}

impl Kernel for FindPairs<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { space, range, reach, crowded, found } = self;
        let pairs = &space.neighbours.pairs;
        let spheres = &space.bodies.spheres[..];
        let first = index32(range.start);
        found.clear();
        // A branch would often be mispredicted then: every place is written, and counted if it touches.
        if crowded {
            found.resize(range.len(), 0);
            let mut count = 0;
            for (place, pair) in (first..).zip(&pairs.spheres[range]) {
                found[count] = place;
                count += usize::from(touching(space, spheres, *pair, reach));
            }
            found.truncate(count);
        } else {
            for (place, pair) in (first..).zip(&pairs.spheres[range]) {
                if touching(space, spheres, *pair, reach) {
                    found.push(place);
                }
            }
        }
    }
}

#[inline(always)]
fn touching(space: &Space, spheres: &[[f64; 4]], [a, b]: [u32; 2], beyond: f64) -> bool {
    let ([ax, ay, az, ar], [mut bx, mut by, mut bz, br]) = (spheres[a as usize], spheres[b as usize]);
    if space.periods.any {
        let [x, y, z] = space.periods.shift(&spheres[a as usize], &spheres[b as usize]);
        (bx, by, bz) = (bx + x, by + y, bz + z);
    }
    let (dx, dy, dz) = (ax - bx, ay - by, az - bz);
    let reach = ar + br + beyond;
    dx * dx + dy * dy + dz * dz < reach * reach
}

/// One over the number of contacts between the same two bodies. Contacts of a body with one wall need not
/// follow each other, but those of one body do.
fn equal_weights<T>(contacts: &[T], who: impl Fn(&T) -> [u32; 2]) -> Vec<f64> {
    let mut weights = vec![1.0; contacts.len()];
    let mut start = 0;
    while start < contacts.len() {
        let first = who(&contacts[start])[0];
        let end =
            contacts[start..].iter().position(|c| who(c)[0] != first).map_or(contacts.len(), |n| start + n);
        for index in start..end {
            let same = contacts[start..end].iter().filter(|c| who(c) == who(&contacts[index])).count();
            weights[index] = 1.0 / same as f64;
        }
        start = end;
    }
    weights
}

/// Whether the sphere of the wall touch at `index` touches this feature as well.
pub(super) fn touches_feature(touched: &[WallTouch], index: usize, feature: u32) -> bool {
    let place = touched[index].place;
    let before = touched[..index].iter().rev().take_while(|other| other.place == place);
    let after = touched[index..].iter().take_while(|other| other.place == place);
    before.chain(after).any(|other| other.touch.feature == feature)
}
