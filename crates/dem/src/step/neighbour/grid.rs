//! Bodies near each other: bounding balls on a hierarchy of grids.
//!
//! Bodies of similar size share a grid whose cells are as large as the largest of them; each level has balls
//! up to twice as large as the one before. A body looks for partners on its own level and on all coarser
//! ones, so that a pair is found once, and a boulder among sand does not blow up the cells of the sand
//! (Ogarko & Luding, Comput. Phys. Commun. 183 (2012) 931).

mod layers;

use super::extent::{Extent, middle_part};
use super::fold::{fold, spread, wrapped};
use crate::domain::{Domain, Image, Tilt};
use crate::parallel::Threads;
use crate::rows_by_id::{MOST, index32};
use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};
use layers::{nearest_image, nearest_image_in_layers};

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
    /// Where each row is.
    places: Vec<Place>,
    /// Lengths of the periodic axes; infinite where they are open.
    lengths: [f64; 3],
    periodic: bool,
    tilt: Option<Tilt>,
    skin: f64,
}

/// Where a ball is.
#[derive(Debug)]
struct Place {
    level: u8,
    /// The cell of that level.
    cell: u32,
    /// Which of the balls of its block it is.
    slot: AtomicU32,
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
    /// Where layers are displaced: how, and the length along the flow.
    tilt: Option<Tilt>,
    along_flow: f64,
    /// Whether periodic axes have more cells than there are places for them: those that are so many apart share one.
    folded: bool,
    /// Lines of cells along x, so many of them together in a block: two to this power.
    power: u32,
    blocks: Vec<Block>,
}

/// The cells along each axis, up to one length beyond the ends.
type Ranges = [(i64, i64); 3];

/// The balls of some lines of cells, sorted by one thread.
#[derive(Debug, Default)]
struct Block {
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
        let level_of = |row: usize| level(balls[row].radius, largest);
        let extents = threads.split_range(balls.len(), |rows| {
            let mut extents = Vec::new();
            for row in rows {
                let level = usize::from(level_of(row));
                if level >= extents.len() {
                    extents.resize(level + 1, Extent::NONE);
                }
                extents[level] = extents[level].with(Extent::of(&balls[row]));
            }
            extents
        });
        let deepest = extents.iter().map(Vec::len).max().unwrap_or(0);
        let mut levels: Vec<Grid> = (0..deepest)
            .map(|level| {
                let of_level = extents.iter().filter_map(|extents| extents.get(level));
                let extent = of_level.fold(Extent::NONE, |all, part| all.with(*part));
                let own = || (0..balls.len()).filter(|&row| usize::from(level_of(row)) == level);
                Grid::new(extent, || own().map(|row| balls[row]).collect(), domain, skin, threads)
            })
            .collect();
        let places = threads.collect(balls.len(), |row| {
            let level = level_of(row);
            let cell = index32(levels[usize::from(level)].cell(balls[row].centre));
            Place { level, cell, slot: AtomicU32::new(0) }
        });
        let mut blocks: Vec<(Range<u32>, usize, &mut Block)> = Vec::new();
        for (level, grid) in levels.iter_mut().enumerate() {
            let cells = grid.cells_of_blocks();
            blocks.extend(cells.zip(&mut grid.blocks).map(|(cells, block)| (cells, level, block)));
        }
        threads.for_each(&mut blocks, |(cells, level, block)| block.sort(cells, *level, &places, balls));
        let (lengths, periodic, tilt) = (domain.lengths(), domain.is_periodic(), domain.tilt());
        Self { levels, places, lengths, periodic, tilt, skin }
    }

    /// Finds the partners of a row that have not found, and will not find, this row.
    #[inline(always)]
    pub(crate) fn partners(&self, row: usize, ball: &Ball, found: &mut Vec<NearBodies>) {
        let place = &self.places[row];
        let (level, row32) = (usize::from(place.level), index32(row));
        for (other, grid) in self.levels.iter().enumerate().take(level + 1) {
            let reach = ball.radius + grid.largest + self.skin;
            // On the level of its own, a ball looks at those that come after it.
            let after = if other == level {
                (grid.block(place.cell), place.slot.load(Ordering::Relaxed) + 1)
            } else {
                (0, 0)
            };
            grid.for_each_near(ball.centre, reach, after, |others| {
                // Whether a ball is near is hard to foresee: each is written down, and counted if it is.
                let mut count = found.len();
                found.resize(count + others.len(), NearBodies { a: row32, b: row32, image: Image::SELF });
                for (partner, other_ball) in others {
                    let near = ball.radius + other_ball.radius + self.skin;
                    let (distance_squared, image) = if let Some(tilt) = &self.tilt {
                        nearest_image_in_layers(&self.lengths, tilt, ball.centre, other_ball.centre)
                    } else if self.periodic {
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

impl Grid {
    /// Without any balls yet; `members` gives those that it is for, which is seldom asked for.
    fn new(
        extent: Extent,
        members: impl Fn() -> Vec<Ball>,
        domain: &Domain,
        skin: f64,
        threads: &Threads,
    ) -> Self {
        let Extent { mut low, mut high, largest, count } = extent;
        let mut periodic = [false; 3];
        for (axis, kind) in domain.axes.iter().enumerate() {
            if let crate::domain::Axis::Periodic { low: from, high: to } = *kind {
                (low[axis], high[axis], periodic[axis]) = (from, to, true);
            }
        }
        let size = 2.0 * largest + skin;
        // A few bodies far away must neither make a million empty cells, nor put all others into one: the cells are
        // laid over where most bodies are, and what lies beyond belongs to the outermost cell.
        let most = (4 * count + 64).min(MOST);
        let needed = |axis: usize| ((high[axis] - low[axis]) / size).max(1.0);
        let few = (0..3).map(needed).product::<f64>() <= most as f64;
        if !few && count > 0 {
            let members = members();
            for axis in (0..3).filter(|&axis| !periodic[axis]) {
                (low[axis], high[axis]) = middle_part(&members, axis);
            }
        }
        let tilt = domain.tilt();
        // Layers that are displaced do not share places.
        let folded = !few && periodic.contains(&true) && tilt.is_none();
        let lengths: [f64; 3] = core::array::from_fn(|axis| high[axis] - low[axis]);
        let most = most as f64;
        let (cells, density) =
            if folded { fold(lengths, size, periodic, most) } else { spread(lengths, size, most) };
        let along_flow = tilt.map_or(0.0, |tilt| lengths[tilt.flow]);
        // A block for each thread, or up to two.
        let lines = usize::try_from(cells[1] * cells[2]).unwrap_or(1);
        let (power, blocks) = match threads.count() {
            1 => (lines.next_power_of_two().ilog2(), 1),
            count => {
                let power = (lines / count).max(1).ilog2();
                (power, lines.div_ceil(1 << power))
            }
        };
        let blocks = (0..blocks).map(|_| Block::default()).collect();
        Self { largest, low, density, cells, periodic, tilt, along_flow, folded, power, blocks }
    }

    /// The cells of each block.
    fn cells_of_blocks(&self) -> impl Iterator<Item = Range<u32>> + use<> {
        let [along, across, up] = self.cells.map(|n| usize::try_from(n).unwrap_or(1));
        let (each, power) = (1 << self.power, self.power);
        let lines = (0..across * up).step_by(each).map(move |first| first..(across * up).min(first + each));
        debug_assert_eq!(lines.len(), (across * up).div_ceil(1 << power));
        lines.map(move |lines| index32(lines.start * along)..index32(lines.end * along))
    }

    /// The block of a cell.
    #[inline(always)]
    fn block(&self, cell: u32) -> usize {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at least 1, at most MOST"
        )]
        let line = cell / self.cells[0] as u32;
        (line >> self.power) as usize
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

    /// Visits the balls from a block and a slot in it on, in cells that come within `reach`, several cells at a time.
    #[inline(always)]
    fn for_each_near(
        &self,
        centre: [f64; 3],
        reach: f64,
        (first_block, after): (usize, u32),
        mut visit: impl FnMut(&[(u32, Ball)]),
    ) {
        let ranges = core::array::from_fn(|axis| self.range(axis, centre[axis], reach));
        let (layers, count) = match &self.tilt {
            Some(tilt) => self.layers(tilt, centre[tilt.flow], reach, ranges),
            None => ([ranges; 3], 1),
        };
        for ranges in &layers[..count] {
            self.for_each_within(ranges, (first_block, after), &mut visit);
        }
    }

    /// The cells along an axis that come within `reach` of a coordinate: all, or up to one length beyond the ends.
    #[inline(always)]
    fn range(&self, axis: usize, at: f64, reach: f64) -> (i64, i64) {
        let n = self.cells[axis];
        let (from, to) = (self.index(axis, at - reach), self.index(axis, at + reach));
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
    }

    /// Visits the balls from a block and a slot in it on, in these cells, several cells at a time.
    #[inline(always)]
    fn for_each_within(
        &self,
        ranges: &Ranges,
        (first_block, after): (usize, u32),
        visit: &mut impl FnMut(&[(u32, Ball)]),
    ) {
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
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "lines of this grid"
                )]
                let line = (wrapped(y, ny) + ny * z) as usize;
                let number = line >> self.power;
                if number < first_block {
                    continue;
                }
                let after = if number == first_block { after } else { 0 };
                let Block { first, balls } = &self.blocks[number];
                let line = line - (number << self.power);
                for (from, to) in along_x.into_iter().take(pieces) {
                    #[allow(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "cells of this grid"
                    )]
                    let [from, to] = [from, to + 1].map(|cell| first[line * nx as usize + cell as usize]);
                    let from = from.max(after);
                    if from < to {
                        visit(&balls[from as usize..to as usize]);
                    }
                }
            }
        }
    }
}

impl Block {
    /// A counting sort of the balls in these cells; within a cell by row, since rows come in ascending order.
    fn sort(&mut self, cells: &Range<u32>, level: usize, places: &[Place], balls: &[Ball]) {
        let is_own = |place: &Place| usize::from(place.level) == level && cells.contains(&place.cell);
        let own = || (0..).zip(places).filter(|(_, place)| is_own(place));
        self.first = vec![0; cells.len() + 1];
        let mut count = 0;
        for (_, Place { cell, .. }) in own() {
            self.first[(cell - cells.start) as usize + 1] += 1;
            count += 1;
        }
        for cell in 0..cells.len() {
            self.first[cell + 1] += self.first[cell];
        }
        self.balls = vec![(0, Ball { centre: [0.0; 3], radius: 0.0 }); count];
        let mut next = self.first.clone();
        for (row, Place { cell, slot, .. }) in own() {
            let place = &mut next[(cell - cells.start) as usize];
            slot.store(*place, Ordering::Relaxed);
            self.balls[*place as usize] = (row, balls[row as usize]);
            *place += 1;
        }
    }
}

#[cfg(test)]
mod tests;
