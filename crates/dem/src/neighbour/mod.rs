//! Who may touch whom: first bodies, by their bounding balls, then spheres of bodies that are near.
//!
//! The lists hold every pair of spheres closer than the skin. They stay valid until some sphere may have
//! moved by half of it; displacements are added up step by step, from the largest of any sphere
//! centre, turning included, so that a fast body or a fast wall can never be missed. The order of the lists is that of
//! the bodies ([`Order`]), whatever rows they are in, when the lists were built, the skin and the number of threads.

mod grid;
mod order;
mod parts;
mod piece;

pub(crate) use grid::wrapped;
pub(crate) use order::{Order, morton_places};
pub(crate) use parts::Part;

use crate::bodies::Bodies;
use crate::domain::{Domain, Image};
use crate::integrate::Needed;
use crate::parallel::Threads;
use crate::rows_by_id::{MOST, index32};
use crate::wall::{Pose, Wall};
use core::ops::Range;
use core::sync::atomic::AtomicBool;
use grid::{Ball, Grids, NearBodies};
use piece::{FindSpheres, ListInput, Piece};
use tumble_rotation::batch::{InstructionSet, Kernel};

/// Pairs of spheres that may touch before the lists are built again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// The sphere of the body with the lower id, and the other one.
    pub(crate) spheres: Vec<[u32; 2]>,
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
    /// The order of the bodies when the lists were built. It stays until the next ones.
    pub(crate) order: Order,
    /// Where the pairs of each rank with earlier ones begin, before they are parted by group.
    first_pair: Vec<u32>,
    /// Those of each group.
    pub(crate) parts: Vec<Part>,
    pub(crate) wall_pairs: Vec<WallPair>,
    pub(crate) triangles: Vec<u32>,
    pub(crate) needed: Needed,
    /// Distance up to which spheres are listed, beyond where contacts can be, m.
    pub(crate) skin: f64,
    /// How far beyond touch contacts can be, m.
    pub(crate) range: f64,
    /// How far any sphere may have moved since the lists were built, m.
    pub(crate) travelled: f64,
    /// How far any wall may have moved, m.
    pub(crate) wall_travelled: f64,
    /// How often the lists have been built.
    pub(crate) builds: u64,
    /// The step at which they were built.
    pub(crate) built_at: u64,
}

/// There are more pairs than numbers for them. The lists have none then, so that whatever goes by them still fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crowded;

impl Neighbours {
    /// Whether the lists miss no contact when every sphere moves by another `displacement` at most.
    pub(crate) fn stay_valid_after(&self, displacement: f64) -> bool {
        // With NaN they do not.
        let travelled = self.travelled + displacement;
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
    ) -> Result<(), Crowded> {
        self.order = Order::of(bodies);
        let skin = self.skin + self.range;
        let near = near_bodies(bodies, &self.order, domain, skin, set, threads);
        let shifts = Image::shifts(domain);
        let needed: Vec<AtomicBool> =
            core::iter::repeat_with(AtomicBool::default).take(bodies.spheres.len()).collect();
        let input = ListInput { bodies, order: &self.order, walls, poses, domain, shifts: &shifts, skin };
        let mut pieces: Vec<Piece> = near.into_iter().map(Piece::new).collect();
        threads.for_each(&mut pieces, |piece| {
            piece.sort();
            set.run(FindSpheres { input, piece });
            piece.find_walls(input);
            piece.mark(&needed);
        });
        threads.for_each(&mut pieces, |piece| piece.list_needed(bodies, &needed));
        let longest = |of: fn(&Piece) -> usize| pieces.iter().map(of).sum::<usize>();
        let fits =
            longest(|piece| piece.pairs.spheres.len()).max(longest(|piece| piece.triangles.len())) <= MOST;
        if !fits {
            pieces.iter_mut().for_each(Piece::forget_all);
        }
        self.join(pieces);
        self.travelled = 0.0;
        self.wall_travelled = 0.0;
        self.builds += 1;
        if fits { Ok(()) } else { Err(Crowded) }
    }

    /// Puts what the pieces found one after the other.
    fn join(&mut self, pieces: Vec<Piece>) {
        self.pairs = Pairs::default();
        self.first_pair.clear();
        self.first_pair.push(0);
        self.wall_pairs.clear();
        self.triangles.clear();
        self.needed.clear();
        for mut piece in pieces {
            let before = index32(self.pairs.spheres.len());
            self.first_pair.extend(piece.pairs_up_to.iter().map(|count| before + count));
            append(&mut self.pairs.spheres, &mut piece.pairs.spheres);
            let before = index32(self.triangles.len());
            let shifted =
                |pair: &WallPair| WallPair { triangles: pair.triangles.map(|t| t + before), ..*pair };
            self.wall_pairs.extend(piece.wall_pairs.iter().map(shifted));
            self.triangles.append(&mut piece.triangles);
            self.needed.append(&piece.needed);
        }
    }
}

/// Moves a list to the end of another. The only one, which may be long, is not copied.
fn append<T>(list: &mut Vec<T>, other: &mut Vec<T>) {
    if list.is_empty() {
        core::mem::swap(list, other);
    } else {
        list.append(other);
    }
}

/// Pairs of bodies by rank, the one with the lower id first, for ranges of their later ranks: where rows are in order,
/// all that a row's pairs join it with has moved when it has.
fn near_bodies(
    bodies: &Bodies,
    order: &Order,
    domain: &Domain,
    skin: f64,
    set: InstructionSet,
    threads: &Threads,
) -> Vec<(Range<usize>, Vec<NearBodies>)> {
    let ball = |rank: u32| {
        let row = order.row(rank) as usize;
        Ball { centre: bodies.position.row(row), radius: bodies.bounding[row] }
    };
    let balls: Vec<Ball> = (0..index32(bodies.len())).map(ball).collect();
    let grids = Grids::new(&balls, domain, skin);
    let ends: Vec<usize> = ranges(balls.len(), threads.count()).map(|ranks| ranks.end).collect();
    let none = || vec![Vec::new(); ends.len()];
    let mut pieces: Vec<(Range<usize>, Vec<Vec<NearBodies>>)> =
        ranges(balls.len(), threads.count()).map(|ranks| (ranks, none())).collect();
    threads.for_each(&mut pieces, |(ranks, found)| {
        set.run(FindPartners {
            bodies,
            order,
            grids: &grids,
            balls: &balls,
            ranks: ranks.clone(),
            ends: &ends,
            found,
        });
    });
    let mut near: Vec<_> = pieces.iter().map(|(ranks, _)| (ranks.clone(), Vec::new())).collect();
    for (_, found) in &mut pieces {
        for ((_, near), found) in near.iter_mut().zip(found) {
            near.append(found);
        }
    }
    near
}

/// The search for near bodies, compiled for each instruction set.
struct FindPartners<'a> {
    bodies: &'a Bodies,
    order: &'a Order,
    grids: &'a Grids,
    balls: &'a [Ball],
    ranks: Range<usize>,
    /// Where the ranges of later ranks end.
    ends: &'a [usize],
    /// For each of them.
    found: &'a mut [Vec<NearBodies>],
}

impl Kernel for FindPartners<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { bodies, order, grids, balls, ranks, ends, found } = self;
        let id = |rank: u32| bodies.id[order.row(rank) as usize];
        let mut partners = Vec::new();
        for rank in ranks {
            partners.clear();
            grids.partners(rank, &balls[rank], &mut partners);
            for pair in &partners {
                let in_order = id(pair.a) < id(pair.b);
                let pair = if in_order { *pair } else { pair.reversed() };
                let range = ends.partition_point(|&end| end <= pair.later());
                found[range].push(pair);
            }
        }
    }
}

/// As many ranges as there are threads.
fn ranges(length: usize, pieces: usize) -> impl Iterator<Item = Range<usize>> {
    (0..pieces).map(move |piece| length * piece / pieces..length * (piece + 1) / pieces)
}
