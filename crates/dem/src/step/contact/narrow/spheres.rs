//! Two spheres, which touch at one point; and pieces that touch as two spheres of them do (`capsules`, `ellipsoids`, `features`).

use super::capsules::{FindPieces, SetNearestSpheres};
use super::ellipsoids::{FindSolids, SetFacingSpheres};
use super::features::{feature_spheres, find_features, set_feature_spheres};
use super::{NarrowPhase, has, set_pair, side};
use crate::bodies::AtInstant;
use crate::contact::block::{self, Block};
use crate::contact::lanes::{LANES, row, set_four, set_row};
use crate::contact::{Kept, Key, Physics, image_shift};
use crate::engine::Space;
use crate::law;
use crate::physics::cell::receding;
use crate::physics::contact::Side;
use crate::physics::ellipsoid::facing;
use crate::physics::geometry::{Geometry, Sphere, spheres};
use crate::physics::piece::nearest_spheres;
use crate::prefetch::prefetch_soon;
use crate::rows_by_id::index32;
use crate::wall::Wall;
use core::hint::black_box;
use core::ops::Range;
use tumble_math::LabVec;
use tumble_rotation::batch::{InstructionSet, Kernel};

/// Pairs of spheres of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spheres;

impl NarrowPhase for Spheres {
    /// The place.
    type Touch = u32;
    type Room = ();
    const WITH_WALLS: bool = false;
    const SLIDES: bool = false;
    const IN_LANES: bool = true;

    fn find(
        places: Range<usize>,
        space: &Space,
        physics: Physics<'_>,
        known: &Kept,
        (): &mut (),
        found: &mut Vec<u32>,
    ) {
        let beyond_touch = physics.pairs.beyond_touch;
        let reach = if beyond_touch { space.neighbours.range } else { 0.0 };
        let crowded = found.len().saturating_mul(physics.thresholds.pairs_per_contact) > places.len();
        if space.bodies.has_hulls() {
            find_features(space, places, reach, found);
        } else if space.bodies.has_ellipsoids() {
            physics.set.run(FindSolids { space, range: places, reach, found, one: black_box(1.0) });
        } else if space.bodies.has_pieces() {
            four_at_a_time(physics).run(FindPieces {
                space,
                range: places,
                reach,
                found,
                one: black_box(1.0),
            });
        } else {
            physics.set.run(FindPairs { space, range: places, reach, crowded, found });
        }
        if beyond_touch {
            keep_within_range(space, physics, known, found);
        }
    }

    #[inline(always)]
    fn place(touch: &u32) -> [u32; 2] {
        [*touch, 0]
    }

    fn features(_: u32, _: &[Wall]) -> u32 {
        1
    }

    #[inline(always)]
    fn rows(touch: &u32, space: &Space) -> [u32; 2] {
        let spheres = space.neighbours.pairs.spheres[*touch as usize];
        spheres.map(|sphere| space.bodies.owner[sphere as usize])
    }

    #[inline(always)]
    fn gather(block: &mut Block, _: &[u32], keys: &[Key], space: &Space, physics: Physics<'_>) {
        gather_spheres(block, keys, space, physics);
        if space.bodies.has_pieces() {
            set_touching_spheres(block, keys, space, physics);
        }
    }

    #[inline(always)]
    fn gather_places(block: &mut Block, _: &[u32], keys: &[Key], space: &Space, physics: Physics<'_>) {
        four_at_a_time(physics).run(Gather::<false> { block, keys, space, one: black_box(1.0) });
        for (lane, key) in keys.iter().enumerate().take(LANES) {
            shift_to_image(block, lane, key.place, space);
        }
        if space.bodies.has_pieces() {
            set_touching_spheres(block, keys, space, physics);
        }
    }

    #[inline(always)]
    fn prefetch(key: Key, space: &Space) {
        let Some(&[a, b]) = space.neighbours.pairs.spheres.get(key.place as usize) else { return };
        prefetch_soon(&space.bodies.spheres, a);
        prefetch_soon(&space.bodies.spheres, b);
        prefetch_soon(&space.bodies.at_force, key.a);
        prefetch_soon(&space.bodies.at_force, key.b);
    }

    #[inline(always)]
    fn compute(block: &mut Block, set: InstructionSet) {
        set.run(SphereGeometry(block));
    }

    fn geometry(touch: &u32, space: &Space) -> Geometry<f64> {
        let [a, b] = touching_spheres(space, *touch);
        spheres(a, b)
    }

    fn sides(touch: &u32, space: &Space) -> [Side<f64>; 2] {
        let [a, b] = Self::rows(touch, space).map(|row| side(&space.bodies, row as usize));
        [a, Side { position: Self::position_b(touch, space), ..b }]
    }

    fn position_b(touch: &u32, space: &Space) -> LabVec<f64> {
        let [_, b] = Self::rows(touch, space);
        let shift = LabVec::from_array(image_shift(space, *touch as usize));
        LabVec::from_array(space.bodies.at_force[b as usize].position) + shift
    }

    fn overlap(key: Key, space: &Space, _: Physics<'_>) -> f64 {
        overlap_at(space, key.place)
    }

    fn smaller_radius(key: Key, space: &Space) -> f64 {
        let [a, b] = space.neighbours.pairs.spheres[key.place as usize]
            .map(|sphere| space.bodies.spheres[sphere as usize][3]);
        if a < b { a } else { b }
    }
}

/// Puts placed spheres and their bodies into lanes.
#[inline(always)]
fn gather_spheres(block: &mut Block, keys: &[Key], space: &Space, physics: Physics<'_>) {
    if physics.remembers() {
        four_at_a_time(physics).run(Gather::<true> { block, keys, space, one: black_box(1.0) });
    } else {
        // Which image or which spheres touch is not known here, so neither is how deep.
        let depth_is_known = !(space.periods.any || space.bodies.has_pieces());
        for (lane, key) in keys.iter().enumerate().take(LANES) {
            gather_at_time_level(block, lane, *key, space, (physics, depth_is_known));
        }
    }
    if block.one_kind && block.one_material && !space.periods.any {
        return;
    }
    let bodies = &space.bodies;
    for (lane, key) in keys.iter().enumerate().take(LANES) {
        let [a, b] = [key.a as usize, key.b as usize];
        if physics.remembers() {
            block.a.set_kind(lane, bodies.kind[a], &bodies.kinds);
            block.b.set_kind(lane, bodies.kind[b], &bodies.kinds);
        }
        set_pair(block, lane, [bodies.material[a], bodies.material[b]], physics);
        shift_to_image(block, lane, key.place, space);
    }
}

/// Puts spheres and bodies into a lane for a law that asks only how fast they are about to move, if for that.
#[inline(always)]
fn gather_at_time_level(
    block: &mut Block,
    lane: usize,
    key: Key,
    space: &Space,
    (physics, depth_is_known): (Physics<'_>, bool),
) {
    let bodies = &space.bodies;
    let pair = space.neighbours.pairs.spheres[key.place as usize];
    let [a, b] = pair.map(|sphere| bodies.spheres[sphere as usize]);
    set_row(&mut block.sphere_a, lane, a);
    set_row(&mut block.sphere_b, lane, b);
    let (row_a, row_b) = (key.a as usize, key.b as usize);
    // A contact this deep neither began in this step nor ends in it, and nobody asks for its velocity.
    let deep = a[3] + b[3] - 2.0 * physics.longest;
    let (dx, dy, dz) = (a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    let is_deep = deep > 0.0 && dx * dx + dy * dy + dz * dz < deep * deep;
    if is_deep && depth_is_known {
        block.a.set_place(lane, bodies.position.row(row_a));
        block.b.set_place(lane, bodies.position.row(row_b));
    } else {
        block.a.set(lane, &bodies.at_time_level(row_a));
        block.b.set(lane, &bodies.at_time_level(row_b));
    }
}

/// Puts the spheres by which the pieces touch into lanes.
#[inline(always)]
fn set_touching_spheres(block: &mut Block, keys: &[Key], space: &Space, physics: Physics<'_>) {
    if space.bodies.has_hulls() {
        set_feature_spheres(block, keys, space);
    } else if space.bodies.has_ellipsoids() {
        physics.set.run(SetFacingSpheres { block, keys, space, one: black_box(1.0) });
    } else {
        four_at_a_time(physics).run(SetNearestSpheres { block, keys, space, one: black_box(1.0) });
    }
}

/// For wider vectors the compiler does not find that storing four numbers together pays.
fn four_at_a_time(physics: Physics<'_>) -> InstructionSet {
    physics.set.min(InstructionSet::Avx2)
}

/// Puts spheres and bodies into the first lanes; of bodies without `MOTION` only their places.
struct Gather<'a, const MOTION: bool> {
    block: &'a mut Block,
    keys: &'a [Key],
    space: &'a Space,
    /// See [`set_four`].
    one: f64,
}

impl<const MOTION: bool> Kernel for Gather<'_, MOTION> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { block, keys, space, one } = self;
        let pairs = &space.neighbours.pairs.spheres[..];
        let (spheres, bodies) = (&space.bodies.spheres[..], &space.bodies.at_force[..]);
        let Some(last) = keys.len().checked_sub(1) else { return };
        for group in 0..LANES / 4 {
            let lane = 4 * group;
            if lane > last {
                break;
            }
            // Lanes that are not used hold the last contact once more.
            let [k, l, m, n] =
                [keys[lane], keys[last.min(lane + 1)], keys[last.min(lane + 2)], keys[last.min(lane + 3)]];
            let pair = |key: Key| pairs[key.place as usize];
            let ([ka, kb], [la, lb], [ma, mb], [na, nb]) = (pair(k), pair(l), pair(m), pair(n));
            set_four(&mut block.sphere_a, lane, at(spheres, [ka, la, ma, na]), one);
            set_four(&mut block.sphere_b, lane, at(spheres, [kb, lb, mb, nb]), one);
            set_side::<MOTION>(&mut block.a, lane, at(bodies, [k.a, l.a, m.a, n.a]), one);
            set_side::<MOTION>(&mut block.b, lane, at(bodies, [k.b, l.b, m.b, n.b]), one);
        }
    }
}

#[inline(always)]
fn at<T>(values: &[T], [k, l, m, n]: [u32; 4]) -> [&T; 4] {
    [&values[k as usize], &values[l as usize], &values[m as usize], &values[n as usize]]
}

#[inline(always)]
fn set_side<const MOTION: bool>(
    side: &mut block::Side,
    lane: usize,
    [k, l, m, n]: [&AtInstant; 4],
    one: f64,
) {
    set_four(&mut side.position, lane, [&k.position, &l.position, &m.position, &n.position], one);
    if MOTION {
        set_four(&mut side.velocity, lane, [&k.velocity, &l.velocity, &m.velocity, &n.velocity], one);
        set_four(&mut side.omega, lane, [&k.omega, &l.omega, &m.omega, &n.omega], one);
        set_four(&mut side.q, lane, [&k.q, &l.q, &m.q, &n.q], one);
    }
}

/// Puts the second sphere and its body where its image is that is near the first.
#[inline(always)]
fn shift_to_image(block: &mut Block, lane: usize, place: u32, space: &Space) {
    if space.periods.any {
        for (axis, shift) in image_shift(space, place as usize).into_iter().enumerate() {
            block.sphere_b[axis][lane] += shift;
            block.b.position[axis][lane] += shift;
        }
        if let Some(rates) = space.periods.rates {
            let places =
                |block: &Block, axis: usize| [&block.a, &block.b].map(|side| side.position[axis][lane]);
            for (axis, rate) in rates.growth.into_iter().enumerate() {
                let [own, other] = places(block, axis);
                block.b.velocity[axis][lane] += receding(own, other, rate);
            }
            if let Some((flow, gradient, rate)) = rates.shear {
                let [own, other] = places(block, gradient);
                block.b.velocity[flow][lane] += receding(own, other, rate);
            }
        }
    }
}

/// Of the pairs found, keeps those that are within their own range and, if contacts begin with a touch, have touched.
fn keep_within_range(space: &Space, physics: Physics<'_>, known: &Kept, found: &mut Vec<u32>) {
    let lasting = physics.model.range() == law::Range::Lasting;
    let has_films = physics.layout.liquid.is_some();
    found.retain(|&place| {
        let [a, b] = Spheres::materials(Spheres::rows(&place, space), space);
        let overlap = overlap_at(space, place);
        let begun = !lasting || overlap > 0.0 || has(known.keys(), [place, 0]);
        let [own, other] = space.neighbours.pairs.spheres[place as usize]
            .map(|sphere| space.bodies.spheres[sphere as usize][3]);
        // As `geometry::spheres` has it.
        let radius = own * (1.0 / (own + other)) * other;
        if has_films && overlap <= 0.0 {
            // As far as its own bridge goes.
            let memory = known.memory_at([place, 0]);
            return memory
                .is_some_and(|memory| overlap > -physics.pairs.range_of_contact(a, b, radius, &memory));
        }
        // Of ellipsoids that are too deep in each other no overlap is known.
        overlap.is_nan() || overlap > -physics.pairs.range_of(a, b, radius) && begun
    });
}

/// The spheres of a pair that touch, the second where its image is that is near the first: the two themselves, or, where there are
/// capsules, ellipsoids or polyhedra, those where the two pieces are nearest to each other.
pub(crate) fn touching_spheres(space: &Space, place: u32) -> [Sphere<f64>; 2] {
    let place = place as usize;
    let ([a, b], shift) = (space.neighbours.pairs.spheres[place], image_shift(space, place));
    let bodies = &space.bodies;
    if bodies.has_hulls() {
        return feature_spheres(space, [a, b], shift);
    }
    if bodies.has_ellipsoids() {
        let (a, b) = (bodies.solid(a, [0.0; 3]), bodies.solid(b, shift));
        let facing = facing(&a, &b, bodies.shapes.has_capsules);
        return [facing.first, facing.second];
    }
    if bodies.has_pieces() {
        return nearest_spheres(&bodies.piece(a, [0.0; 3]), &bodies.piece(b, shift));
    }
    let [a, mut b] = [a, b].map(|sphere| Sphere::from_array(bodies.spheres[sphere as usize]));
    b.centre = b.centre + LabVec::from_array(shift);
    [a, b]
}

fn overlap_at(space: &Space, place: u32) -> f64 {
    if space.bodies.has_pieces() {
        let [a, b] = touching_spheres(space, place);
        return a.radius + b.radius - (a.centre - b.centre).norm();
    }
    let (place, spheres) = (place as usize, &space.bodies.spheres);
    let [a, b] = space.neighbours.pairs.spheres[place].map(|sphere| spheres[sphere as usize]);
    let [x, y, z] = image_shift(space, place);
    let apart: LabVec<f64> = LabVec::new(a[0] - (b[0] + x), a[1] - (b[1] + y), a[2] - (b[2] + z));
    a[3] + b[3] - apart.norm()
}

/// The search for pairs that touch.
struct FindPairs<'a> {
    space: &'a Space,
    range: Range<usize>,
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

/// Overlap, normal and point of contacts between two spheres each.
struct SphereGeometry<'a>(&'a mut Block);

impl Kernel for SphereGeometry<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let block = self.0;
        for k in 0..LANES {
            let a = Sphere::from_array(row(&block.sphere_a, k));
            let b = Sphere::from_array(row(&block.sphere_b, k));
            block.set_geometry(k, spheres(a, b));
        }
    }
}
