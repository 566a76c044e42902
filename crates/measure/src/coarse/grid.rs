//! Cells along three axes, and which share of something at a point, or along a line, each of them gets.

use super::kernel::{GAUSS, REACH, spline};
use core::ops::Range;
use tumble_dem::LabVec;

/// Cells in a box along the axes. A field has its values at their centres.
///
/// Along an axis with one cell nothing is resolved: fields are means over the whole length of the box there. So a grid can be of three
/// dimensions, a plane, a line, or one box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    axes: [Axis; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    low: f64,
    high: f64,
    cells: usize,
    /// The distance of two knots of the smoothing function, in cells.
    smoothing: f64,
}

impl Grid {
    /// So many cells along x, y and z between two corners. The smoothing function has its knots so many cells apart, and reaches twice
    /// as far.
    pub fn new(low: LabVec<f64>, high: LabVec<f64>, cells: [usize; 3], smoothing: u32) -> Self {
        let (low, high, smoothing) = (low.to_array(), high.to_array(), f64::from(smoothing.max(1)));
        let axis = |i: usize| Axis { low: low[i], high: high[i], cells: cells[i].max(1), smoothing };
        Self { axes: core::array::from_fn(axis) }
    }

    /// How many cells there are along x, y and z.
    pub fn cells(&self) -> [usize; 3] {
        self.axes.map(|axis| axis.cells)
    }

    /// How many there are in all.
    pub fn len(&self) -> usize {
        self.cells().into_iter().product()
    }

    /// Whether there are none, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lower corner, m.
    pub fn low(&self) -> [f64; 3] {
        self.axes.map(|axis| axis.low)
    }

    /// The sides of a cell, m.
    pub fn sides(&self) -> [f64; 3] {
        self.axes.map(|axis| axis.side())
    }

    /// m³
    pub fn cell_volume(&self) -> f64 {
        self.sides().into_iter().product()
    }

    /// Whether there is more than one cell along an axis.
    pub fn resolves(&self, axis: usize) -> bool {
        self.axes[axis].is_resolved()
    }

    /// The axes with more than one cell.
    pub fn resolved(&self) -> Vec<usize> {
        (0..3).filter(|&axis| self.resolves(axis)).collect()
    }

    /// The place of a cell in lists; x goes fastest.
    pub fn place(&self, [i, j, k]: [usize; 3]) -> usize {
        let [nx, ny, _] = self.cells();
        i + nx * (j + ny * k)
    }

    /// The centre of a cell by its place in lists, m.
    pub fn centre(&self, place: usize) -> [f64; 3] {
        let [nx, ny, _] = self.cells();
        let at = [place % nx, place / nx % ny, place / nx / ny];
        core::array::from_fn(|i| self.axes[i].low + (at[i] as f64 + 0.5) * self.axes[i].side())
    }
}

impl Axis {
    fn is_resolved(&self) -> bool {
        self.cells > 1
    }

    fn side(&self) -> f64 {
        (self.high - self.low) / self.cells as f64
    }

    /// Where a point is, in cells: centres are at whole numbers where there are several, and the one that is not resolved
    /// reaches from 0 to 1.
    fn place(&self, x: f64) -> f64 {
        (x - self.low) / self.side() - if self.is_resolved() { 0.5 } else { 0.0 }
    }

    /// The cells that what lies between two places can reach.
    fn reached(&self, from: f64, to: f64) -> Range<usize> {
        let (from, to) = if from <= to { (from, to) } else { (to, from) };
        if !self.is_resolved() {
            return 0..usize::from(from < 1.0 && to >= 0.0);
        }
        let reach = REACH * self.smoothing;
        let whole = |place: f64| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
            let whole = place.clamp(0.0, self.cells as f64) as usize;
            whole
        };
        whole((from - reach).ceil())..whole((to + reach).floor() + 1.0)
    }

    /// The share of a cell in what is at a place, 1/m.
    fn share(&self, cell: usize, place: f64) -> f64 {
        if self.is_resolved() {
            spline((cell as f64 - place) / self.smoothing) / (self.smoothing * self.side())
        } else if (0.0..1.0).contains(&place) {
            1.0 / self.side()
        } else {
            0.0
        }
    }

    /// Where on the way between two places a piece of the shares ends and the next begins, as parts of the way.
    fn cut(&self, from: f64, to: f64, cuts: &mut Vec<f64>) {
        let way = to - from;
        let (first, last) = (from.min(to).ceil(), from.max(to).floor());
        // What is not resolved is cut where the box ends.
        let (first, last) = if self.is_resolved() { (first, last) } else { (first.max(0.0), last.min(1.0)) };
        let mut knot = first;
        while knot <= last {
            let part = (knot - from) / way;
            if part > 0.0 && part < 1.0 {
                cuts.push(part);
            }
            knot += 1.0;
        }
    }
}

/// The shares of some cells in something, 1/m³; kept from one use to the next for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    cells: [Range<usize>; 3],
    /// One for each of these cells; x goes fastest.
    values: Vec<f64>,
    /// Along a line: the shares in what falls evenly from its first point to nothing at its last.
    falling: Vec<f64>,
    along: [Vec<f64>; 3],
    cuts: Vec<f64>,
}

impl Shares {
    /// Those in what is at a point: φ there.
    pub(super) fn at(&mut self, grid: &Grid, point: LabVec<f64>) -> &Self {
        let place = place(grid, point);
        self.falling.clear();
        if self.open(grid, place, place) {
            self.add(grid, place, 1.0, 0.0);
        }
        self
    }

    /// Those in what is spread along a straight line: evenly, ∫₀¹ φ(… − s arm) ds, and [falling](Self::falling), ∫₀¹ (1 − s) φ ds.
    pub(super) fn along(&mut self, grid: &Grid, from: LabVec<f64>, arm: LabVec<f64>) -> &Self {
        let (from, to) = (place(grid, from), place(grid, from + arm));
        self.falling.clear();
        if !self.open(grid, from, to) {
            return self;
        }
        self.falling.resize(self.values.len(), 0.0);
        let mut cuts = core::mem::take(&mut self.cuts);
        cuts.clear();
        cuts.extend([0.0, 1.0]);
        for (axis, (from, to)) in grid.axes.iter().zip(from.into_iter().zip(to)) {
            axis.cut(from, to, &mut cuts);
        }
        cuts.sort_unstable_by(f64::total_cmp);
        for piece in cuts.windows(2) {
            let length = piece[1] - piece[0];
            for (part, weight) in GAUSS.into_iter().filter(|_| length > 0.0) {
                let part = piece[0] + part * length;
                let at = core::array::from_fn(|i| from[i] + part * (to[i] - from[i]));
                self.add(grid, at, weight * length, 1.0 - part);
            }
        }
        self.cuts = cuts;
        self
    }

    /// Shares of zero for all cells that a line can reach; whether there are any.
    fn open(&mut self, grid: &Grid, from: [f64; 3], to: [f64; 3]) -> bool {
        self.cells = core::array::from_fn(|i| grid.axes[i].reached(from[i], to[i]));
        self.values.clear();
        self.values.resize(self.cells.iter().map(ExactSizeIterator::len).product(), 0.0);
        !self.values.is_empty()
    }

    /// Adds what comes from one place, and the part of it that is left there of what falls.
    fn add(&mut self, grid: &Grid, place: [f64; 3], weight: f64, left: f64) {
        let Self { cells, values, falling, along, .. } = self;
        for (i, along) in along.iter_mut().enumerate() {
            along.clear();
            along.extend(cells[i].clone().map(|cell| grid.axes[i].share(cell, place[i])));
        }
        let [x, y, z] = &*along;
        for (shares, part) in [(values, 1.0), (falling, left)] {
            let mut rows = shares.chunks_exact_mut(x.len());
            for z in z {
                for y in y {
                    let of_row = part * (weight * z * y);
                    let row = rows.next().into_iter().flatten();
                    row.zip(x).for_each(|(share, x)| *share += of_row * x);
                }
            }
        }
    }

    /// Gives the cells their shares in some numbers: those of a row of `width` numbers each that begin with the one at `first`.
    pub(super) fn spread(&self, grid: &Grid, values: &[f64], first: usize, width: usize, sums: &mut [f64]) {
        self.give(&self.values, grid, values, first, width, sums);
    }

    /// As [`spread`](Self::spread), of what falls along a line.
    pub(super) fn spread_falling(
        &self,
        grid: &Grid,
        values: &[f64],
        first: usize,
        width: usize,
        sums: &mut [f64],
    ) {
        self.give(&self.falling, grid, values, first, width, sums);
    }

    fn give(
        &self,
        shares: &[f64],
        grid: &Grid,
        values: &[f64],
        first: usize,
        width: usize,
        sums: &mut [f64],
    ) {
        let mut shares = shares.iter();
        for k in self.cells[2].clone() {
            for j in self.cells[1].clone() {
                for i in self.cells[0].clone() {
                    let begin = grid.place([i, j, k]) * width + first;
                    let Some(share) = shares.next() else { return };
                    let cell = &mut sums[begin..begin + values.len()];
                    cell.iter_mut().zip(values).for_each(|(sum, value)| *sum += share * value);
                }
            }
        }
    }
}

fn place(grid: &Grid, point: LabVec<f64>) -> [f64; 3] {
    let point = point.to_array();
    core::array::from_fn(|i| grid.axes[i].place(point[i]))
}
