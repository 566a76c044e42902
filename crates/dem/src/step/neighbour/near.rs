//! Pairs of near bodies, searched for by all threads.

use super::Order;
use super::grid::{Ball, Grids, NearBodies};
use crate::bodies::Bodies;
use crate::calibration::Thresholds;
use crate::domain::Domain;
use crate::parallel::Threads;
use crate::rows_by_id::index32;
use core::ops::Range;
use tumble_rotation::batch::{InstructionSet, Kernel};

/// Some ranks, and the pairs whose later body has one of them.
pub(super) type Near = (Range<usize>, Vec<Vec<NearBodies>>);

/// Pairs of bodies by rank, the one with the lower id first, for ranges of their later ranks: where rows are in order,
/// all that a row's pairs join it with has moved when it has. Each range has what was found by whoever went through its
/// ranks, and what others found for it.
pub(super) fn near_bodies(
    bodies: &Bodies,
    order: &Order,
    domain: &Domain,
    skin: f64,
    (set, thresholds): (InstructionSet, &Thresholds),
    threads: &Threads,
) -> Vec<Near> {
    let ball = |rank: u32| {
        let row = order.row(rank) as usize;
        Ball { centre: bodies.position.row(row), radius: bodies.bounding[row] }
    };
    let balls = threads.collect(bodies.len(), |rank| ball(index32(rank)));
    let grids = Grids::new(&balls, domain, skin, threads);
    let ranges = || ranges(balls.len(), thresholds, threads);
    let ends: Vec<usize> = ranges().map(|ranks| ranks.end).collect();
    let none = || vec![Vec::new(); ends.len()];
    let mut pieces: Vec<(Range<usize>, Vec<Vec<NearBodies>>)> =
        ranges().map(|ranks| (ranks, none())).collect();
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
    for (_, found) in pieces {
        for ((_, near), found) in near.iter_mut().zip(found).filter(|(_, found)| !found.is_empty()) {
            near.push(found);
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

/// Some for each thread.
fn ranges(length: usize, thresholds: &Thresholds, threads: &Threads) -> impl Iterator<Item = Range<usize>> {
    let Thresholds { pieces_per_thread, bodies_per_piece, .. } = *thresholds;
    let pieces = if threads.count() == 1 { 1 } else { pieces_per_thread * threads.count() };
    let pieces = pieces.max(length / bodies_per_piece);
    (0..pieces).map(move |piece| length * piece / pieces..length * (piece + 1) / pieces)
}
