//! A piece of the lists, made by one thread.

use super::features::FeatureScratch;
use super::grid::NearBodies;
use super::near::Near;
use super::{Order, Pairs, WallPair};
use crate::bodies::{Bodies, TIP};
use crate::domain::{Domain, Image};
use crate::integrate::Needed;
use crate::physics::ellipsoid::facing;
use crate::physics::piece::nearest;
use crate::rows_by_id::index32;
use crate::step::bond::Bonds;
use crate::wall::{Pose, Shape, Wall};
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use tumble_math::LabVec;
use tumble_rotation::batch::Kernel;

/// What the lists are made for.
#[derive(Clone, Copy)]
pub(super) struct ListInput<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) bonds: &'a Bonds,
    pub(super) order: &'a Order,
    pub(super) walls: &'a [Wall],
    pub(super) poses: &'a [Pose],
    pub(super) domain: &'a Domain,
    pub(super) shifts: &'a [[f64; 3]; 27],
    pub(super) skin: f64,
    /// Up to so many pairs of spheres it does not pay to ask first which of them are near the other body at all.
    pub(super) few: usize,
}

/// The lists of some bodies: of the pairs whose later one is among them, and of their spheres that may touch walls. They
/// are those of a range of ranks; only what is needed to place spheres is listed for the rows with these numbers.
#[derive(Debug, Default)]
pub(super) struct Piece {
    range: Range<usize>,
    /// Several lists until they are sorted, then one.
    near: Vec<Vec<NearBodies>>,
    pub(super) pairs: Pairs,
    /// How many of the pairs belong to ranks up to and with each.
    pub(super) pairs_up_to: Vec<u32>,
    pub(super) wall_pairs: Vec<WallPair>,
    pub(super) triangles: Vec<u32>,
    pub(super) needed: Needed,
}

impl Piece {
    pub(super) fn new((range, near): Near) -> Self {
        Self { range, near, ..Self::default() }
    }

    /// Leaves the bodies without lists.
    pub(super) fn forget_all(&mut self) {
        self.pairs = Pairs::default();
        self.pairs_up_to.fill(0);
        self.wall_pairs.clear();
        self.triangles.clear();
    }

    /// A counting sort by the later rank, then by the earlier ones.
    pub(super) fn sort(&mut self) {
        let slot = |pair: &NearBodies| pair.later() - self.range.start;
        let mut first = vec![0u32; self.range.len() + 1];
        for pair in self.near.iter().flatten() {
            first[slot(pair) + 1] += 1;
        }
        for rank in 0..self.range.len() {
            first[rank + 1] += first[rank];
        }
        let mut next = first.clone();
        let count = self.near.iter().map(Vec::len).sum();
        let mut sorted = vec![NearBodies { a: 0, b: 0, image: Image::SELF }; count];
        for pair in self.near.iter().flatten() {
            let place = &mut next[slot(pair)];
            sorted[*place as usize] = *pair;
            *place += 1;
        }
        for ends in first.windows(2) {
            sorted[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
        self.near = vec![sorted];
    }

    pub(super) fn find_walls(&mut self, input: ListInput<'_>) {
        for rank in self.range.clone() {
            let row = input.order.row(index32(rank)) as usize;
            for index in (0..input.walls.len()).filter(|&index| input.poses[index].present) {
                self.find_wall(input, row, index);
            }
        }
    }

    /// The spheres of a body that may touch a wall, here or where the body comes in again if it leaves a periodic domain
    /// before the next build.
    fn find_wall(&mut self, input: ListInput<'_>, row: usize, index: usize) {
        let ListInput { bodies, domain, walls, poses, skin, .. } = input;
        // Of two things that nothing moves, neither gives way; and of a ghost its owner sees to it.
        if bodies.held[row] || bodies.ghost[row] {
            return;
        }
        let (wall, pose) = (&walls[index], &poses[index]);
        let fixed = wall.motion.is_static();
        let seen_by_wall = |point: LabVec<f64>| if fixed { point } else { pose.to_reference(point) };
        let position = bodies.position.row(row);
        let shifts = domain.shifts_near(position, skin);
        let centre = LabVec::from_array(position);
        let near = |shift| wall.shape.near(seen_by_wall(centre + shift), bodies.bounding[row] + skin);
        if !shifts.clone().any(near) {
            return;
        }
        for sphere in bodies.sphere_range(row) {
            let [x, y, z, mut radius] = bodies.spheres[sphere];
            if !bodies.touches_walls(index32(sphere)) {
                continue;
            }
            if bodies.has_ellipsoids() {
                radius = bodies.reach_of(index32(sphere));
            }
            let first = self.triangles.len();
            let mut times = 0;
            for shift in shifts.clone() {
                let centre = seen_by_wall(LabVec::new(x, y, z) + shift);
                if wall.shape.near(centre, radius + skin) {
                    times += 1;
                    if let Shape::Mesh(mesh) = &wall.shape {
                        mesh.candidates(centre, radius + skin, &mut self.triangles);
                    }
                }
            }
            if times > 1 {
                sort_from(&mut self.triangles, first);
            }
            if times > 0 {
                let triangles = [first, self.triangles.len()].map(index32);
                self.wall_pairs.push(WallPair { sphere: index32(sphere), wall: index32(index), triangles });
            }
        }
    }

    /// Marks all spheres in the lists. Those of other rows may be marked by other threads as well.
    pub(super) fn mark(&self, bodies: &Bodies, needed: &[AtomicBool]) {
        let set = |sphere: u32| needed[sphere as usize].store(true, Ordering::Relaxed);
        let mark = |sphere: u32| {
            if bodies.has_hulls() {
                return bodies.marks_of(sphere).for_each(set);
            }
            set(sphere);
            match bodies.last_point.get(sphere as usize) {
                Some(&last) if last < TIP => (sphere + 1..=last).for_each(set),
                _ => {}
            }
        };
        for &[a, b] in &self.pairs.spheres {
            mark(a);
            mark(b);
        }
        self.wall_pairs.iter().for_each(|pair| mark(pair.sphere));
    }

    /// The marked spheres of the rows of this range.
    pub(super) fn list_needed(&mut self, bodies: &Bodies, needed: &[AtomicBool]) {
        self.needed.clear();
        for row in self.range.clone() {
            let marks = &needed[bodies.sphere_range(row)];
            self.needed
                .push((0..).zip(marks).filter(|(_, mark)| mark.load(Ordering::Relaxed)).map(|(k, _)| k));
        }
    }
}

/// Puts the end of a list in ascending order, each number once.
fn sort_from(list: &mut Vec<u32>, first: usize) {
    let mut end = list.split_off(first);
    end.sort_unstable();
    end.dedup();
    list.append(&mut end);
}

/// The search for near spheres in pairs of near bodies.
pub(super) struct FindSpheres<'a> {
    pub(super) input: ListInput<'a>,
    pub(super) piece: &'a mut Piece,
}

impl Kernel for FindSpheres<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let ListInput { bodies, bonds, order, shifts, skin, few, .. } = self.input;
        let Piece { range, near, pairs, pairs_up_to, .. } = self.piece;
        let (mut scratch, mut features) = (Scratch::default(), FeatureScratch::default());
        let mut rest = near.iter().flatten().peekable();
        for rank in range.clone() {
            while let Some(pair) = rest.next_if(|pair| pair.later() == rank) {
                // From here on by row.
                let pair = NearBodies { a: order.row(pair.a), b: order.row(pair.b), image: pair.image };
                let [a, b] = [pair.a as usize, pair.b as usize];
                let together = bodies.held[a] && bodies.held[b] || bodies.ghost[a] && bodies.ghost[b];
                if together || bonds.part(a, b) {
                    continue;
                }
                let shift = shifts[usize::from(pair.image.0)];
                if bodies.has_hulls() {
                    features.pairs(bodies, pair, shift, skin, &mut pairs.spheres);
                } else if bodies.has_pieces() {
                    piece_pairs(bodies, pair, shift, skin, &mut pairs.spheres);
                } else {
                    scratch.sphere_pairs(bodies, pair, shift, (skin, few), &mut pairs.spheres);
                }
            }
            pairs_up_to.push(index32(pairs.spheres.len()));
        }
        // Nobody asks for them again, and there may be many.
        *near = Vec::new();
    }
}

/// The pairs of pieces of two bodies that are near each other, where some may be capsules.
fn piece_pairs(bodies: &Bodies, pair: NearBodies, shift: [f64; 3], skin: f64, found: &mut Vec<[u32; 2]>) {
    for (own, a) in bodies.pieces(pair.a as usize, [0.0; 3]) {
        for (other, b) in bodies.pieces(pair.b as usize, shift) {
            if bodies.is_ellipsoid(own) || bodies.is_ellipsoid(other) {
                if near_solids(bodies, [own, other], shift, skin) {
                    found.push([own, other]);
                }
                continue;
            }
            let [on_a, on_b] = nearest(&a.core, &b.core);
            let reach = a.radius + b.radius + skin;
            if (on_a - on_b).norm_squared() < reach * reach {
                found.push([own, other]);
            }
        }
    }
}

/// Whether two pieces, one of which is an ellipsoid, are near each other: first by the balls that hold them.
fn near_solids(bodies: &Bodies, [own, other]: [u32; 2], shift: [f64; 3], skin: f64) -> bool {
    let (a, b) = (bodies.solid(own, [0.0; 3]), bodies.solid(other, shift));
    let reach = bodies.reach_of(own) + a.half.norm() + bodies.reach_of(other) + b.half.norm() + skin;
    let near = (a.centre - b.centre).norm_squared() < reach * reach;
    // They are at least so far apart, whether the search has ended or not.
    let may_touch = || {
        let overlap = facing(&a, &b, bodies.shapes.has_capsules).overlap;
        overlap.is_nan() || overlap > -skin
    };
    near && may_touch()
}

/// What is found of a pair of bodies.
#[derive(Default)]
struct Scratch {
    /// Pairs of spheres, where those are few.
    near: Vec<[u32; 2]>,
    // Spheres that are near the other body at all.
    a: Vec<(u32, [f64; 4])>,
    b: Vec<(u32, [f64; 4])>,
}

impl Scratch {
    #[inline(always)]
    fn sphere_pairs(
        &mut self,
        bodies: &Bodies,
        pair: NearBodies,
        shift: [f64; 3],
        (skin, few): (f64, usize),
        found: &mut Vec<[u32; 2]>,
    ) {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let (range_a, range_b) = (bodies.sphere_range(a), bodies.sphere_range(b));
        let pairs = range_a.len() * range_b.len();
        if pairs <= few {
            let all_b = || (bodies.first_sphere[b]..).zip(&bodies.spheres[range_b.clone()]);
            // Whether two are near is hard to foresee: each pair is written down, and counted if it is.
            if self.near.len() <= pairs {
                self.near.resize(pairs + 1, [0; 2]);
            }
            let (near, mut count) = (&mut self.near[..=pairs], 0);
            for (sphere_a, &[ax, ay, az, ar]) in (bodies.first_sphere[a]..).zip(&bodies.spheres[range_a]) {
                for (sphere_b, &[bx, by, bz, br]) in all_b() {
                    let (dx, dy, dz) = (ax - (bx + shift[0]), ay - (by + shift[1]), az - (bz + shift[2]));
                    let reach = ar + br + skin;
                    near[count] = [sphere_a, sphere_b];
                    count += usize::from(dx * dx + dy * dy + dz * dz < reach * reach);
                }
            }
            found.extend_from_slice(&near[..count]);
            return;
        }
        let centre_a = bodies.position.row(a);
        let centre_b = bodies.position.row(b);
        let centre_b = core::array::from_fn(|k| centre_b[k] + shift[k]);
        near_ball(bodies, a, [0.0; 3], centre_b, bodies.bounding[b] + skin, &mut self.a);
        near_ball(bodies, b, shift, centre_a, bodies.bounding[a] + skin, &mut self.b);
        for &(sphere_a, [ax, ay, az, ar]) in &self.a {
            for &(sphere_b, [bx, by, bz, br]) in &self.b {
                let (dx, dy, dz) = (ax - bx, ay - by, az - bz);
                let reach = ar + br + skin;
                if dx * dx + dy * dy + dz * dz < reach * reach {
                    found.push([sphere_a, sphere_b]);
                }
            }
        }
    }
}

/// The spheres of a body, shifted, that come within `reach` of a point.
#[inline(always)]
fn near_ball(
    bodies: &Bodies,
    row: usize,
    shift: [f64; 3],
    point: [f64; 3],
    reach: f64,
    found: &mut Vec<(u32, [f64; 4])>,
) {
    found.clear();
    let range = bodies.sphere_range(row);
    for (index, &[x, y, z, radius]) in (bodies.first_sphere[row]..).zip(&bodies.spheres[range]) {
        let place = [x + shift[0], y + shift[1], z + shift[2]];
        let (dx, dy, dz) = (place[0] - point[0], place[1] - point[1], place[2] - point[2]);
        let reach = reach + radius;
        if dx * dx + dy * dy + dz * dz < reach * reach {
            found.push((index, [place[0], place[1], place[2], radius]));
        }
    }
}
