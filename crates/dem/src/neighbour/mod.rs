//! Who may touch whom: first bodies, by their bounding balls, then spheres of bodies that are near.
//!
//! The lists hold every pair of spheres closer than the skin. They stay valid until some sphere may have
//! moved by half of it; the way is added up step by step from the largest displacement of any sphere centre,
//! turning included, so that a fast body or a fast wall can never be missed. The order of the lists depends on the rows of
//! the bodies alone, not on when they were built, nor on the skin or the number of threads.

mod grid;
mod order;

pub(crate) use order::morton_order;

use crate::bodies::Bodies;
use crate::domain::{Domain, Image};
use crate::integrate::Needed;
use crate::parallel::Threads;
use crate::wall::{Pose, Wall};
use grid::{Ball, Grids, NearBodies};
use tumble_math::LabVec;

/// Pairs of spheres that may touch before the lists are built again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// The sphere of the body with the lower id, and the other one.
    pub(crate) spheres: Vec<[u32; 2]>,
    /// Which image of the second body is meant. Empty if no axis is periodic.
    pub(crate) images: Vec<Image>,
}

impl Pairs {
    pub(crate) fn len(&self) -> usize {
        self.spheres.len()
    }

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
}

impl Neighbours {
    /// Whether the lists may miss a contact.
    pub(crate) fn outdated(&self) -> bool {
        // Written so that NaN counts as outdated.
        !(self.travelled + self.travelled.max(self.wall_travelled) <= self.skin)
    }

    /// Builds the lists for the present positions, whose spheres must all be placed.
    pub(crate) fn build(
        &mut self,
        bodies: &Bodies,
        domain: &Domain,
        walls: &[Wall],
        poses: &[Pose],
        threads: &Threads,
    ) {
        let skin = self.skin;
        let near = near_bodies(bodies, domain, skin, threads);
        let shifts = Image::shifts(domain);
        let periodic = domain.is_periodic();
        let mut pieces: Vec<(&[NearBodies], Pairs)> =
            chunks(&near, threads.count()).into_iter().map(|piece| (piece, Pairs::default())).collect();
        threads.for_each(&mut pieces, |_, (near, pairs)| {
            let mut scratch = Scratch::default();
            for pair in near.iter() {
                let shift = shifts[usize::from(pair.image.0)];
                scratch.sphere_pairs(bodies, *pair, shift, skin, &mut pairs.spheres);
                if periodic {
                    pairs.images.resize(pairs.spheres.len(), pair.image);
                }
            }
        });
        self.pairs = Pairs::default();
        for (_, pairs) in pieces {
            self.pairs.append(pairs);
        }
        self.find_walls(bodies, walls, poses);
        self.find_needed(bodies);
        self.travelled = 0.0;
        self.wall_travelled = 0.0;
        self.builds += 1;
    }

    fn find_walls(&mut self, bodies: &Bodies, walls: &[Wall], poses: &[Pose]) {
        self.wall_pairs.clear();
        self.triangles.clear();
        for row in 0..bodies.len() {
            for (index, (wall, pose)) in (0..).zip(walls.iter().zip(poses)) {
                let centre = pose.to_reference(LabVec::from_array(bodies.position.row(row)));
                if !wall.shape.near(centre, bodies.bounding[row] + self.skin) {
                    continue;
                }
                for sphere in bodies.sphere_range(row) {
                    let [x, y, z, radius] = bodies.spheres[sphere];
                    let centre = pose.to_reference(LabVec::new(x, y, z));
                    let reach = radius + self.skin;
                    if !wall.shape.near(centre, reach) {
                        continue;
                    }
                    let first = self.triangles.len();
                    wall.shape.candidates(centre, reach, &mut self.triangles);
                    self.wall_pairs.push(WallPair {
                        sphere: u32::try_from(sphere).unwrap_or(u32::MAX),
                        wall: index,
                        triangles: [first, self.triangles.len()].map(|n| u32::try_from(n).unwrap_or(u32::MAX)),
                    });
                }
            }
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

/// Pairs of bodies, the one with the lower id first, in the order of their rows.
fn near_bodies(bodies: &Bodies, domain: &Domain, skin: f64, threads: &Threads) -> Vec<NearBodies> {
    let balls: Vec<Ball> = (0..bodies.len())
        .map(|row| Ball { centre: bodies.position.row(row), radius: bodies.bounding[row] })
        .collect();
    let grids = Grids::new(&balls, domain, skin);
    let rows: Vec<usize> = (0..balls.len()).collect();
    let mut pieces: Vec<(&[usize], Vec<NearBodies>)> =
        chunks(&rows, threads.count()).into_iter().map(|rows| (rows, Vec::new())).collect();
    threads.for_each(&mut pieces, |_, (rows, found)| {
        for &row in rows.iter() {
            grids.partners(row, &balls[row], found);
        }
    });
    let orient = |pair: NearBodies| {
        if bodies.id[pair.a as usize] < bodies.id[pair.b as usize] {
            pair
        } else {
            NearBodies { a: pair.b, b: pair.a, image: Image(26 - pair.image.0) }
        }
    };
    let held = |row: u32| bodies.held[row as usize];
    let near = pieces.into_iter().flat_map(|(_, found)| found).filter(|pair| !(held(pair.a) && held(pair.b)));
    sorted_by_row(near.map(orient), bodies.len())
}

/// A counting sort by the first row, then each first row's partners by row.
fn sorted_by_row(pairs: impl Iterator<Item = NearBodies>, rows: usize) -> Vec<NearBodies> {
    let pairs: Vec<NearBodies> = pairs.collect();
    let mut first = vec![0u32; rows + 1];
    for pair in &pairs {
        first[pair.a as usize + 1] += 1;
    }
    for row in 0..rows {
        first[row + 1] += first[row];
    }
    let mut next = first.clone();
    let mut sorted = vec![NearBodies { a: 0, b: 0, image: Image::SELF }; pairs.len()];
    for pair in pairs {
        let slot = &mut next[pair.a as usize];
        sorted[*slot as usize] = pair;
        *slot += 1;
    }
    for row in 0..rows {
        sorted[first[row] as usize..first[row + 1] as usize].sort_unstable();
    }
    sorted
}

/// Spheres of a pair of bodies that are near the other body at all.
#[derive(Default)]
struct Scratch {
    a: Vec<(u32, [f64; 4])>,
    b: Vec<(u32, [f64; 4])>,
}

impl Scratch {
    fn sphere_pairs(
        &mut self,
        bodies: &Bodies,
        pair: NearBodies,
        shift: [f64; 3],
        skin: f64,
        found: &mut Vec<[u32; 2]>,
    ) {
        let (a, b) = (pair.a as usize, pair.b as usize);
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

/// As many pieces as there are threads, none of them empty unless all are.
fn chunks<T>(all: &[T], pieces: usize) -> Vec<&[T]> {
    all.chunks(all.len().div_ceil(pieces).max(1)).collect()
}
