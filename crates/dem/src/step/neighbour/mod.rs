//! Who may touch whom: first bodies, by their bounding balls, then spheres of bodies that are near.
//!
//! The lists hold every pair of spheres closer than the skin; where there are capsules, every pair of pieces, each known by its
//! first sphere. They stay valid until some sphere may have moved by half of it; displacements are added up step by step, from the largest of any sphere
//! centre, turning included, so that a fast body or a fast wall can never be missed. The order of the lists is that of
//! the bodies ([`Order`]), whatever rows they are in, when the lists were built, the skin and the number of threads.

mod extent;
mod features;
mod fold;
mod grid;
mod join;
mod near;
mod order;
mod parts;
mod piece;

pub(crate) use fold::{fold, spread, wrapped};
pub(crate) use order::{Order, morton_places, place_on_curve, places_on_curve};
pub(crate) use parts::Part;

use crate::bodies::Bodies;
use crate::calibration::Thresholds;
use crate::domain::{Domain, Image};
use crate::integrate::Needed;
use crate::parallel::Threads;
use crate::rows_by_id::MOST;
use crate::step::bond::Bonds;
use crate::wall::{Pose, Wall};
use core::sync::atomic::AtomicBool;
use near::near_bodies;
use piece::{FindSpheres, ListInput, Piece};
use tumble_rotation::batch::InstructionSet;

/// Pairs of spheres that may touch before the lists are built again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    /// The sphere of the body with the lower id, and the other one.
    pub(crate) spheres: Vec<[u32; 2]>,
}

/// A sphere that may touch a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
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
        (bodies, bonds): (&Bodies, &Bonds),
        domain: &Domain,
        walls: &[Wall],
        poses: &[Pose],
        (set, thresholds): (InstructionSet, &Thresholds),
        threads: &Threads,
    ) -> Result<(), Crowded> {
        if threads.count() == 1 {
            // New ones take as much memory again while they are made. Several threads write over the old ones at once, where it
            // would take one of them longer to clear new memory.
            (self.pairs, self.parts, self.wall_pairs) = (Pairs::default(), Vec::new(), Vec::new());
            (self.triangles, self.needed) = (Vec::new(), Needed::default());
        }
        self.order = Order::of(bodies, threads);
        let skin = self.skin + self.range;
        let near = near_bodies(bodies, &self.order, domain, skin, (set, thresholds), threads);
        let shifts = Image::shifts(domain);
        // Where all bodies have few spheres, all of them are placed.
        let by_need = bodies.shapes.most_spheres() > thresholds.spheres_to_place;
        let marks = if by_need { bodies.spheres.len() } else { 0 };
        let needed = threads.collect(marks, |_| AtomicBool::default());
        let (order, shifts, few) = (&self.order, &shifts, thresholds.sphere_pairs);
        let input = ListInput { bodies, bonds, order, walls, poses, domain, shifts, skin, few };
        let mut pieces: Vec<Piece> = near.into_iter().map(Piece::new).collect();
        threads.for_each(&mut pieces, |piece| {
            piece.sort();
            set.run(FindSpheres { input, piece });
            piece.find_walls(input);
            if by_need {
                piece.mark(bodies, &needed);
            }
        });
        if by_need {
            threads.for_each(&mut pieces, |piece| piece.list_needed(bodies, &needed));
        }
        let longest = |of: fn(&Piece) -> usize| pieces.iter().map(of).sum::<usize>();
        let fits =
            longest(|piece| piece.pairs.spheres.len()).max(longest(|piece| piece.triangles.len())) <= MOST;
        if !fits {
            pieces.iter_mut().for_each(Piece::forget_all);
        }
        self.join(pieces, threads);
        self.travelled = 0.0;
        self.wall_travelled = 0.0;
        self.builds += 1;
        if fits { Ok(()) } else { Err(Crowded) }
    }
}
