//! Bodies near each other: bounding balls on a hierarchy of grids.
//!
//! Bodies of similar size share a grid whose cells are as large as the largest of them; each level has balls
//! up to twice as large as the one before. A body looks for partners on its own level and on all coarser
//! ones, so that a pair is found once, and a boulder among sand does not blow up the cells of the sand
//! (Ogarko & Luding, Comput. Phys. Commun. 183 (2012) 931).

use super::extent::{Extent, middle_part};
use super::fold::{fold, spread, wrapped};
use crate::domain::{Domain, Image};
use crate::parallel::Threads;
use crate::rows_by_id::{MOST, index32};
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

/// A bounding ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) centre: [f64; 3],
    pub(crate) radius: f64,
}

/// Two bodies whose balls come near each other, by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NearBodies {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Which image of `b` is near `a`.
    pub(crate) image: Image,
}

impl NearBodies {
    /// The later rank of the two.
    pub(crate) fn later(&self) -> usize {
        self.a.max(self.b) as usize
    }

    /// The same pair from the other side.
    pub(crate) fn reversed(self) -> Self {
        Self { a: self.b, b: self.a, image: Image(26 - self.image.0) }
    }
}

/// Balls sorted into cells.
#[derive(Debug, Default)]
pub(crate) struct Grids {
    levels: Vec<Grid>,
    /// The level of each row, and its place among the balls of that level.
    level_of: Vec<u8>,
    slot_of: Vec<AtomicU32>,
    /// Lengths of the periodic axes; infinite where they are open.
    lengths: [f64; 3],
    periodic: bool,
    skin: f64,
}

/// The cells of one level.
#[derive(Debug)]
struct Grid {
    largest: f64,
    low: [f64; 3],
    /// Cells per length; zero for an axis with one cell.
    density: [f64; 3],
    cells: [i64; 3],
    periodic: [bool; 3],
    /// Whether periodic axes have more cells than there are places for them: those that are so many apart share one.
    folded: bool,
    /// Where the balls of each cell begin; one more than there are cells.
    first: Vec<u32>,
    /// Balls by cell, and by row within a cell.
    balls: Vec<(u32, Ball)>,
}

impl Grids {
    pub(crate) fn new(balls: &[Ball], domain: &Domain, skin: f64, threads: &Threads) -> Self {
        let most = |a: f64, b: f64| a.max(b);
        let radii = |rows: Range<usize>| balls[rows].iter().map(|ball| ball.radius).fold(0.0, most);
        let largest = threads.split_range(balls.len(), radii).into_iter().fold(0.0, most);
        let level_of = threads.collect(balls.len(), |row| level(balls[row].radius, largest));
        let members = threads.split_range(balls.len(), |rows| {
            let mut members = vec![Vec::new(); LEVELS];
            for row in rows {
                members[usize::from(level_of[row])].push(index32(row));
            }
            members
        });
        let slot_of = threads.collect(balls.len(), |_| AtomicU32::new(0));
        let mut levels = Vec::new();
        let is_met = |level: &usize| members.iter().any(|members| !members[*level].is_empty());
        let deepest = (0..LEVELS).rfind(is_met).unwrap_or(0);
        for level in 0..=deepest {
            let of_level: Vec<&[u32]> = members.iter().map(|members| members[level].as_slice()).collect();
            let mut rows = Vec::new();
            threads.join(&of_level, &mut rows, |_, row| row);
            levels.push(Grid::new(&rows, balls, domain, skin, &slot_of, threads));
        }
        Self { levels, level_of, slot_of, lengths: domain.lengths(), periodic: domain.is_periodic(), skin }
    }

    /// Finds the partners of a row that have not found, and will not find, this row.
    #[inline(always)]
    pub(crate) fn partners(&self, row: usize, ball: &Ball, found: &mut Vec<NearBodies>) {
        let level = usize::from(self.level_of[row]);
        let row32 = index32(row);
        for (other, grid) in self.levels.iter().enumerate().take(level + 1) {
            let reach = ball.radius + grid.largest + self.skin;
            // On the level of its own, a ball looks at those that come after it.
            let after = if other == level { self.slot_of[row].load(Ordering::Relaxed) + 1 } else { 0 };
            grid.for_each_near(ball.centre, reach, after, |others| {
                // Whether a ball is near is hard to foresee: each is written down, and counted if it is.
                let mut count = found.len();
                found.resize(count + others.len(), NearBodies { a: row32, b: row32, image: Image::SELF });
                for (partner, other_ball) in others {
                    let near = ball.radius + other_ball.radius + self.skin;
                    let (distance_squared, image) = if self.periodic {
                        nearest_image(&self.lengths, ball.centre, other_ball.centre)
                    } else {
                        let [x, y, z] = core::array::from_fn(|k| other_ball.centre[k] - ball.centre[k]);
                        (x * x + y * y + z * z, Image::SELF)
                    };
                    found[count] = NearBodies { a: row32, b: *partner, image };
                    count += usize::from(distance_squared < near * near);
                }
                found.truncate(count);
            });
        }
    }
}

/// Level 0 has the largest balls; beyond so many halvings the skin decides the cells anyway.
const LEVELS: usize = 31;

/// Each level has balls up to half as large as the one before.
fn level(radius: f64, largest: f64) -> u8 {
    let mut level = 0;
    let mut upper = 0.5 * largest;
    while radius <= upper && usize::from(level) < LEVELS - 1 {
        upper *= 0.5;
        level += 1;
    }
    level
}

/// The squared distance to the nearest image, and which image that is.
#[inline(always)]
fn nearest_image(lengths: &[f64; 3], from: [f64; 3], to: [f64; 3]) -> (f64, Image) {
    let mut steps = [0; 3];
    let mut sum = 0.0;
    for axis in 0..3 {
        let mut d = to[axis] - from[axis];
        if lengths[axis].is_finite() {
            let turns = (d / lengths[axis]).round();
            d -= turns * lengths[axis];
            #[allow(
                clippy::cast_possible_truncation,
                reason = "positions are within one length of the domain"
            )]
            {
                steps[axis] = -(turns as i8);
            }
        }
        sum += d * d;
    }
    (sum, Image::new(steps))
}

impl Grid {
    fn new(
        rows: &[u32],
        balls: &[Ball],
        domain: &Domain,
        skin: f64,
        slot_of: &[AtomicU32],
        threads: &Threads,
    ) -> Self {
        let extents = threads.split_range(rows.len(), |part| Extent::of(&rows[part], balls));
        let Extent { mut low, mut high, largest } = extents.into_iter().fold(Extent::NONE, Extent::with);
        let mut periodic = [false; 3];
        for (axis, kind) in domain.axes.iter().enumerate() {
            if let crate::domain::Axis::Periodic { low: from, high: to } = *kind {
                (low[axis], high[axis], periodic[axis]) = (from, to, true);
            }
        }
        let size = 2.0 * largest + skin;
        // A few bodies far away must neither make a million empty cells, nor put all others into one: the cells are
        // laid over where most bodies are, and what lies beyond belongs to the outermost cell.
        let most = (4 * rows.len() + 64).min(MOST);
        let needed = |axis: usize| ((high[axis] - low[axis]) / size).max(1.0);
        let few = (0..3).map(needed).product::<f64>() <= most as f64;
        if !few && !rows.is_empty() {
            for axis in (0..3).filter(|&axis| !periodic[axis]) {
                (low[axis], high[axis]) = middle_part(rows, balls, axis);
            }
        }
        let folded = !few && periodic.contains(&true);
        let lengths: [f64; 3] = core::array::from_fn(|axis| high[axis] - low[axis]);
        let most = most as f64;
        let (cells, density) =
            if folded { fold(lengths, size, periodic, most) } else { spread(lengths, size, most) };
        let (first, balls_by_cell) = (Vec::new(), Vec::new());
        let mut grid = Self { largest, low, density, cells, periodic, folded, first, balls: balls_by_cell };
        grid.sort(rows, balls, slot_of, threads);
        grid
    }

    /// A counting sort by cell; within a cell by row, since rows come in ascending order. Threads hand each other the balls
    /// of blocks of cells, and then sort a block each.
    fn sort(&mut self, rows: &[u32], balls: &[Ball], slot_of: &[AtomicU32], threads: &Threads) {
        let cells = usize::try_from(self.cells.iter().product::<i64>()).unwrap_or(1);
        let blocks = threads.count();
        let each = cells.div_ceil(blocks);
        let handed = threads.split_range(rows.len(), |part| {
            let mut handed = vec![Vec::new(); blocks];
            if let [only] = &mut *handed {
                only.reserve_exact(part.len());
            }
            for &row in &rows[part] {
                let cell = self.cell(balls[row as usize].centre);
                handed[cell / each].push((index32(cell % each), row));
            }
            handed
        });
        self.first = vec![0; cells + 1];
        self.balls = vec![(0, Ball { centre: [0.0; 3], radius: 0.0 }); rows.len()];
        let (mut first, mut slots, mut before) = (&mut self.first[1..], self.balls.as_mut_slice(), 0);
        let mut work = Vec::with_capacity(blocks);
        for block in 0..blocks {
            let of_block = |handed: &Vec<Vec<(u32, u32)>>| handed[block].len();
            let count = handed.iter().map(of_block).sum::<usize>();
            let (own_first, other_cells) = first.split_at_mut(each.min(first.len()));
            let (own_slots, other_slots) = slots.split_at_mut(count);
            (first, slots) = (other_cells, other_slots);
            work.push((block, before, own_first, own_slots));
            before += index32(count);
        }
        threads.for_each(&mut work, |(block, before, first, slots)| {
            let own = || handed.iter().flat_map(|handed| &handed[*block]);
            // Where each cell begins; each of its balls moves that on, so that it ends up where the cell ends.
            for &(cell, _) in own() {
                if let Some(count) = first.get_mut(cell as usize + 1) {
                    *count += 1;
                }
            }
            let mut next = *before;
            for first in first.iter_mut() {
                next += *first;
                *first = next;
            }
            for &(cell, row) in own() {
                let slot = &mut first[cell as usize];
                slots[(*slot - *before) as usize] = (row, balls[row as usize]);
                slot_of[row as usize].store(*slot, Ordering::Relaxed);
                *slot += 1;
            }
        });
    }

    fn cell(&self, centre: [f64; 3]) -> usize {
        let [x, y, z] = core::array::from_fn(|axis| {
            let (index, n) = (self.index(axis, centre[axis]), self.cells[axis]);
            if self.folded && self.periodic[axis] { index.rem_euclid(n) } else { index.clamp(0, n - 1) }
        });
        usize::try_from(x + self.cells[0] * (y + self.cells[1] * z)).unwrap_or(0)
    }

    /// The cell along one axis; beyond the grid if the coordinate is.
    #[inline(always)]
    fn index(&self, axis: usize, coordinate: f64) -> i64 {
        #[allow(clippy::cast_possible_truncation, reason = "saturates")]
        {
            ((coordinate - self.low[axis]) * self.density[axis]).floor() as i64
        }
    }

    /// Visits the balls from slot `after` on, in cells that come within `reach`, several cells at a time.
    #[inline(always)]
    fn for_each_near(&self, centre: [f64; 3], reach: f64, after: u32, mut visit: impl FnMut(&[(u32, Ball)])) {
        let ranges: [(i64, i64); 3] = core::array::from_fn(|axis| {
            let n = self.cells[axis];
            let (from, to) = (self.index(axis, centre[axis] - reach), self.index(axis, centre[axis] + reach));
            if !self.periodic[axis] {
                // A ball on the upper end counts to the last cell.
                (from.clamp(0, n - 1), to.clamp(0, n - 1))
            } else if to - from + 1 >= n {
                (0, n - 1)
            } else if self.folded {
                let first = from.rem_euclid(n);
                (first, first + (to - from))
            } else {
                (from, to)
            }
        });
        let [nx, ny, nz] = self.cells;
        // Neighbouring cells along x lie one after the other, but for those that are so across the ends of the domain.
        let (from, to) = ranges[0];
        let (along_x, pieces) = if from < 0 {
            ([(0, to), (from + nx, nx - 1)], 2)
        } else if to >= nx {
            ([(0, to - nx), (from, nx - 1)], 2)
        } else {
            ([(from, to); 2], 1)
        };
        for z in ranges[2].0..=ranges[2].1 {
            let z = wrapped(z, nz);
            for y in ranges[1].0..=ranges[1].1 {
                let row = nx * (wrapped(y, ny) + ny * z);
                for (from, to) in along_x.into_iter().take(pieces) {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "cells of this grid"
                    )]
                    let (from, to) = (
                        self.first[(row + from) as usize].max(after) as usize,
                        self.first[(row + to) as usize + 1] as usize,
                    );
                    if from < to {
                        visit(&self.balls[from..to]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
