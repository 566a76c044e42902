//! Who may touch whom: first bodies, by their bounding balls, then spheres of bodies that are near.
//!
//! The lists hold every pair of spheres closer than the skin. They stay valid until some sphere may have
//! moved by half of it; the way is added up step by step from the largest displacement of any sphere centre,
//! turning included, so that a fast body or a fast wall can never be missed. The order of the lists depends on the rows of
//! the bodies alone, not on when they were built, nor on the skin or the number of threads.

mod grid;
mod order;

pub(crate) use grid::wrapped;
pub(crate) use order::morton_order;

use crate::bodies::Bodies;
use crate::domain::{Domain, Image};
use crate::integrate::Needed;
use crate::parallel::Threads;
use crate::wall::{Pose, Shape, Wall};
use core::ops::Range;
use grid::{Ball, Grids, NearBodies};
use tumble_math::LabVec;
use tumble_rotation::batch::{InstructionSet, Kernel};

/// Pairs of spheres that may touch before the lists are built again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// The sphere of the body with the lower id, and the other one.
    pub(crate) spheres: Vec<[u32; 2]>,
    /// Which image of the second body is meant. Empty if no axis is periodic.
    pub(crate) images: Vec<Image>,
}

impl Pairs {
    fn append(&mut self, mut other: Self) {
        self.spheres.append(&mut other.spheres);
        self.images.append(&mut other.images);
    }
}

/// A sphere that may touch a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WallPair {
    pub(crate) sphere: u32,
    pub(crate) wall: u32,
    /// The triangles of a mesh that may be touched: a range of `Neighbours::triangles`.
    pub(crate) triangles: [u32; 2],
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    pub(crate) pairs: Pairs,
    /// Where the pairs of each row with earlier rows begin; one more than there are rows.
    pub(crate) first_pair: Vec<u32>,
    pub(crate) wall_pairs: Vec<WallPair>,
    pub(crate) triangles: Vec<u32>,
    pub(crate) needed: Needed,
    /// Distance up to which spheres are listed, beyond touching, m.
    pub(crate) skin: f64,
    /// How far any sphere may have moved since the lists were built, m.
    pub(crate) travelled: f64,
    /// How far any wall may have moved, m.
    pub(crate) wall_travelled: f64,
    /// How often the lists have been built.
    pub(crate) builds: u64,
    /// The step at which they were built.
    pub(crate) built_at: u64,
}

impl Neighbours {
    /// Whether the lists miss no contact when every sphere moves by another `way` at most.
    pub(crate) fn last(&self, way: f64) -> bool {
        // With NaN they do not.
        let travelled = self.travelled + way;
        travelled + travelled.max(self.wall_travelled) <= self.skin
    }

    /// Builds the lists for the present positions, whose spheres must all be placed.
    pub(crate) fn build(
        &mut self,
        bodies: &Bodies,
        domain: &Domain,
        walls: &[Wall],
        poses: &[Pose],
        set: InstructionSet,
        threads: &Threads,
    ) {
        let skin = self.skin;
        let near = near_bodies(bodies, domain, skin, set, threads);
        let shifts = Image::shifts(domain);
        let periodic = domain.is_periodic();
        let mut pieces: Vec<(&[NearBodies], Pairs)> =
            ranges(near.len(), threads.count()).map(|piece| (&near[piece], Pairs::default())).collect();
        threads.for_each(&mut pieces, |(near, pairs)| {
            set.run(FindSpheres { bodies, near, shifts: &shifts, periodic, skin, pairs });
        });
        self.pairs = Pairs::default();
        for (_, pairs) in pieces {
            self.pairs.append(pairs);
        }
        self.first_pair.clear();
        self.first_pair.resize(bodies.len() + 1, 0);
        for &[a, b] in &self.pairs.spheres {
            let [a, b] = [a, b].map(|sphere| bodies.owner[sphere as usize]);
            self.first_pair[a.max(b) as usize + 1] += 1;
        }
        for row in 0..bodies.len() {
            self.first_pair[row + 1] += self.first_pair[row];
        }
        self.find_walls(bodies, walls, poses, threads);
        self.find_needed(bodies);
        self.travelled = 0.0;
        self.wall_travelled = 0.0;
        self.builds += 1;
    }

    fn find_walls(&mut self, bodies: &Bodies, walls: &[Wall], poses: &[Pose], threads: &Threads) {
        let mut pieces: Vec<(Range<usize>, Vec<WallPair>, Vec<u32>)> =
            ranges(bodies.len(), threads.count()).map(|rows| (rows, Vec::new(), Vec::new())).collect();
        let skin = self.skin;
        threads.for_each(&mut pieces, |(rows, pairs, triangles)| {
            for row in rows.clone() {
                for (index, wall) in walls.iter().enumerate() {
                    walls_of_body(bodies, row, index, wall, &poses[index], skin, pairs, triangles);
                }
            }
        });
        self.wall_pairs.clear();
        self.triangles.clear();
        for (_, pairs, triangles) in pieces {
            let before = index32(self.triangles.len());
            let shifted = |pair: WallPair| WallPair { triangles: pair.triangles.map(|t| t + before), ..pair };
            self.wall_pairs.extend(pairs.into_iter().map(shifted));
            self.triangles.extend(triangles);
        }
    }

    fn find_needed(&mut self, bodies: &Bodies) {
        let mut needed = vec![false; bodies.spheres.len()];
        for &[a, b] in &self.pairs.spheres {
            needed[a as usize] = true;
            needed[b as usize] = true;
        }
        for pair in &self.wall_pairs {
            needed[pair.sphere as usize] = true;
        }
        self.needed.first.clear();
        self.needed.first.push(0);
        self.needed.spheres.clear();
        for row in 0..bodies.len() {
            let range = bodies.sphere_range(row);
            let spheres = (0..).zip(&needed[range]).filter(|(_, needed)| **needed).map(|(k, _)| k);
            self.needed.spheres.extend(spheres);
            self.needed.first.push(u32::try_from(self.needed.spheres.len()).unwrap_or(u32::MAX));
        }
    }
}

/// The spheres of a body that may touch a wall.
#[allow(clippy::too_many_arguments, reason = "a body, a wall, and where to put what is found")]
fn walls_of_body(
    bodies: &Bodies,
    row: usize,
    index: usize,
    wall: &Wall,
    pose: &Pose,
    skin: f64,
    pairs: &mut Vec<WallPair>,
    triangles: &mut Vec<u32>,
) {
    // Of two things that nothing moves, neither gives way.
    if bodies.held[row] {
        return;
    }
    let fixed = wall.motion.is_static();
    let seen_by_wall = |point: LabVec<f64>| if fixed { point } else { pose.to_reference(point) };
    let centre = seen_by_wall(LabVec::from_array(bodies.position.row(row)));
    if !wall.shape.near(centre, bodies.bounding[row] + skin) {
        return;
    }
    for sphere in bodies.sphere_range(row) {
        let [x, y, z, radius] = bodies.spheres[sphere];
        let centre = seen_by_wall(LabVec::new(x, y, z));
        if wall.shape.near(centre, radius + skin) {
            let first = index32(triangles.len());
            if let Shape::Mesh(mesh) = &wall.shape {
                mesh.candidates(centre, radius + skin, triangles);
            }
            pairs.push(WallPair {
                sphere: index32(sphere),
                wall: index32(index),
                triangles: [first, index32(triangles.len())],
            });
        }
    }
}

/// An index of a list that is never longer than 2³².
fn index32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Pairs of bodies, the one with the lower id first, in the order of their later rows: when a row has moved, so
/// have all that its pairs join it with.
fn near_bodies(
    bodies: &Bodies,
    domain: &Domain,
    skin: f64,
    set: InstructionSet,
    threads: &Threads,
) -> Vec<NearBodies> {
    let radii = bodies.bounding.iter();
    let balls: Vec<Ball> =
        bodies.position.iter().zip(radii).map(|(centre, &radius)| Ball { centre, radius }).collect();
    let grids = Grids::new(&balls, domain, skin);
    let mut pieces: Vec<(Range<usize>, Vec<NearBodies>)> =
        ranges(balls.len(), threads.count()).map(|rows| (rows, Vec::new())).collect();
    threads.for_each(&mut pieces, |(rows, found)| {
        set.run(FindPartners { bodies, grids: &grids, balls: &balls, rows: rows.clone(), found });
    });
    sorted_by_row(pieces.into_iter().map(|(_, found)| found).collect(), bodies.len())
}

/// The search for near bodies, compiled for each instruction set.
struct FindPartners<'a> {
    bodies: &'a Bodies,
    grids: &'a Grids,
    balls: &'a [Ball],
    rows: Range<usize>,
    found: &'a mut Vec<NearBodies>,
}

impl Kernel for FindPartners<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { bodies, grids, balls, rows, found } = self;
        for row in rows {
            let first = found.len();
            grids.partners(row, &balls[row], found);
            for pair in &mut found[first..] {
                if bodies.id[pair.a as usize] > bodies.id[pair.b as usize] {
                    *pair = NearBodies { a: pair.b, b: pair.a, image: Image(26 - pair.image.0) };
                }
            }
        }
    }
}

/// The search for near spheres in pairs of near bodies.
struct FindSpheres<'a> {
    bodies: &'a Bodies,
    near: &'a [NearBodies],
    shifts: &'a [[f64; 3]; 27],
    periodic: bool,
    skin: f64,
    pairs: &'a mut Pairs,
}

impl Kernel for FindSpheres<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let mut scratch = Scratch::default();
        let held = &self.bodies.held;
        for pair in self.near {
            if held[pair.a as usize] && held[pair.b as usize] {
                continue;
            }
            let shift = self.shifts[usize::from(pair.image.0)];
            scratch.sphere_pairs(self.bodies, *pair, shift, self.skin, &mut self.pairs.spheres);
            if self.periodic {
                self.pairs.images.resize(self.pairs.spheres.len(), pair.image);
            }
        }
    }
}

/// A counting sort by the later row, then the earlier ones by row.
fn sorted_by_row(found: Vec<Vec<NearBodies>>, rows: usize) -> Vec<NearBodies> {
    let mut first = vec![0u32; rows + 1];
    for pair in found.iter().flatten() {
        first[pair.later() + 1] += 1;
    }
    for row in 0..rows {
        first[row + 1] += first[row];
    }
    let mut next = first.clone();
    let mut sorted = vec![NearBodies { a: 0, b: 0, image: Image::SELF }; first[rows] as usize];
    for pair in found.into_iter().flatten() {
        let slot = &mut next[pair.later()];
        sorted[*slot as usize] = pair;
        *slot += 1;
    }
    for row in 0..rows {
        sorted[first[row] as usize..first[row + 1] as usize].sort_unstable();
    }
    sorted
}

/// Up to so many pairs of spheres it does not pay to ask first which of them are near the other body at all.
const FEW_PAIRS: usize = 32;

/// Spheres of a pair of bodies that are near the other body at all.
#[derive(Default)]
struct Scratch {
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
        skin: f64,
        found: &mut Vec<[u32; 2]>,
    ) {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let (range_a, range_b) = (bodies.sphere_range(a), bodies.sphere_range(b));
        if range_a.len() * range_b.len() <= FEW_PAIRS {
            let all_b = || (bodies.first_sphere[b]..).zip(&bodies.spheres[range_b.clone()]);
            for (sphere_a, &[ax, ay, az, ar]) in (bodies.first_sphere[a]..).zip(&bodies.spheres[range_a]) {
                for (sphere_b, &[bx, by, bz, br]) in all_b() {
                    let (dx, dy, dz) = (ax - (bx + shift[0]), ay - (by + shift[1]), az - (bz + shift[2]));
                    let reach = ar + br + skin;
                    if dx * dx + dy * dy + dz * dz < reach * reach {
                        found.push([sphere_a, sphere_b]);
                    }
                }
            }
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

/// As many ranges as there are threads.
fn ranges(length: usize, pieces: usize) -> impl Iterator<Item = Range<usize>> {
    (0..pieces).map(move |piece| length * piece / pieces..length * (piece + 1) / pieces)
}
