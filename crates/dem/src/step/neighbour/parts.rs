//! The lists in parts, one for each group of contacts.

use super::{Neighbours, WallPair};
use crate::bodies::Bodies;
use crate::contact::Groups;
use crate::parallel::Threads;
use crate::rows_by_id::index32;
use crate::wall::Wall;
use core::ops::Range;

/// Where the pairs of a group are: they follow each other, in the order of the lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Places among the pairs of spheres.
    pub(crate) pairs: Range<usize>,
    /// Where those of each rank with earlier ones begin; one more than there are bodies.
    pub(crate) first_pair: Vec<u32>,
    /// Places among the spheres that may touch walls.
    pub(crate) walls: Range<usize>,
}

/// The pairs of one group, on their way to their places.
#[derive(Default)]
struct Own {
    group: usize,
    pairs: Vec<[u32; 2]>,
    first_pair: Vec<u32>,
    walls: Vec<WallPair>,
}

impl Neighbours {
    /// Puts the pairs of each group together, which leaves them in their order within it. A single group has them all,
    /// and nothing is moved.
    pub(crate) fn part_by_group(
        &mut self,
        bodies: &Bodies,
        walls: &[Wall],
        groups: &Groups,
        threads: &Threads,
    ) {
        let first_pair = core::mem::take(&mut self.first_pair);
        self.parts.clear();
        self.parts.resize_with(groups.len(), Part::default);
        if let Some(only) = groups.only() {
            let (pairs, walls) = (0..self.pairs.spheres.len(), 0..self.wall_pairs.len());
            self.parts[only] = Part { pairs, first_pair, walls };
            return;
        }
        let material = |sphere: u32| bodies.material[bodies.owner[sphere as usize] as usize];
        let mut own: Vec<Own> = (0..groups.len()).map(|group| Own { group, ..Own::default() }).collect();
        let Self { pairs, wall_pairs, .. } = &*self;
        threads.for_each(&mut own, |own| {
            let mut start = 0;
            for &end in &first_pair {
                let of_rank = &pairs.spheres[start..end as usize];
                let is_own = |&&[a, b]: &&[u32; 2]| groups.number(material(a), material(b)) == own.group;
                own.pairs.extend(of_rank.iter().filter(is_own));
                own.first_pair.push(index32(own.pairs.len()));
                start = end as usize;
            }
            let is_own = |pair: &&WallPair| {
                groups.number(material(pair.sphere), walls[pair.wall as usize].material.0) == own.group
            };
            own.walls.extend(wall_pairs.iter().filter(is_own));
        });
        self.pairs.spheres.clear();
        self.wall_pairs.clear();
        for (part, mut own) in self.parts.iter_mut().zip(own) {
            let (pairs, walls) = (self.pairs.spheres.len(), self.wall_pairs.len());
            self.pairs.spheres.append(&mut own.pairs);
            self.wall_pairs.append(&mut own.walls);
            part.pairs = pairs..self.pairs.spheres.len();
            part.walls = walls..self.wall_pairs.len();
            part.first_pair = own.first_pair;
            part.first_pair.iter_mut().for_each(|place| *place += index32(pairs));
        }
    }
}
