//! Tables of contacts in blocks of lanes: within a block each column is contiguous, so that a kernel reads and
//! writes it as vectors, and a row is in few cache lines.

use crate::record::Numbers;
use core::ops::{Deref, DerefMut};
use tumble_math::Real;

/// Contacts in a block: a multiple of every vector, few enough for a block to stay in the nearest cache.
pub(crate) const LANES: usize = 16;

/// One number of each contact of a block. Aligned, so that no vector of them lies across two lines of the cache.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Lanes<R = f64>(pub(crate) [R; LANES]);

impl<R: Copy> Lanes<R> {
    /// The same number in all lanes.
    #[inline(always)]
    pub(crate) const fn all(number: R) -> Self {
        Self([number; LANES])
    }
}

impl<R> Deref for Lanes<R> {
    type Target = [R; LANES];
    #[inline(always)]
    fn deref(&self) -> &[R; LANES] {
        &self.0
    }
}

impl<R> DerefMut for Lanes<R> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [R; LANES] {
        &mut self.0
    }
}

/// Rows of so many numbers as a contact model asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneTable {
    /// Numbers of a row.
    width: usize,
    /// The columns of one block after the other.
    columns: Vec<Lanes>,
}

impl LaneTable {
    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Makes room for this many rows; what they hold is not defined.
    pub(crate) fn make_room(&mut self, rows: usize, width: usize) {
        let columns = rows.div_ceil(LANES) * width;
        self.width = width;
        if columns == 0 {
            // Most tables are empty for good, and packings are large.
            self.columns = Vec::new();
        } else if columns > self.columns.capacity() {
            self.columns.reserve_exact(columns + columns / 8 - self.columns.len());
        }
        self.columns.resize(columns, Lanes::all(0.0));
    }

    /// Becomes a copy, in the room that it has.
    pub(crate) fn copy(&mut self, of: &Self) {
        self.width = of.width;
        self.columns.clone_from(&of.columns);
    }

    /// The columns of a block; none in a table without columns.
    #[inline(always)]
    pub(crate) fn block(&self, block: usize) -> &[Lanes] {
        self.columns.get(block * self.width..(block + 1) * self.width).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn block_mut(&mut self, block: usize) -> &mut [Lanes] {
        self.columns.get_mut(block * self.width..(block + 1) * self.width).unwrap_or_default()
    }

    /// A row, as numbers of a record.
    #[inline(always)]
    pub(crate) fn row(&self, index: usize) -> Lane<'_> {
        Lane { columns: self.block(index / LANES), lane: index % LANES }
    }

    /// The numbers of a row.
    pub(crate) fn numbers(&self, index: usize) -> impl Iterator<Item = f64> {
        self.block(index / LANES).iter().map(move |column| column[index % LANES])
    }

    /// Sets one number of a row.
    pub(crate) fn set_number(&mut self, index: usize, column: usize, value: f64) {
        if let Some(column) = self.block_mut(index / LANES).get_mut(column) {
            column[index % LANES] = value;
        }
    }

    pub(crate) fn set_row(&mut self, index: usize, values: impl Iterator<Item = f64>) {
        for (column, value) in self.block_mut(index / LANES).iter_mut().zip(values) {
            column[index % LANES] = value;
        }
    }
}

/// A lane of columns, as numbers that a record is read from.
#[derive(Clone, Copy)]
pub(crate) struct Lane<'a, R = f64> {
    pub(crate) columns: &'a [Lanes<R>],
    pub(crate) lane: usize,
}

impl<R: Real> Numbers<R> for Lane<'_, R> {
    #[inline(always)]
    fn number(&self, at: usize) -> R {
        self.columns[at][self.lane]
    }
}

/// A row of columns.
#[inline(always)]
pub(crate) fn row<R: Real, const N: usize>(columns: &[Lanes<R>; N], lane: usize) -> [R; N] {
    core::array::from_fn(|column| columns[column][lane])
}

#[inline(always)]
pub(crate) fn set_row<R: Real, const N: usize>(columns: &mut [Lanes<R>; N], lane: usize, values: [R; N]) {
    for column in 0..N {
        columns[column][lane] = values[column];
    }
}

/// Sets four rows at once, from a lane on that is a multiple of four: the numbers of a column that come from four places are
/// stored together.
///
/// `one` is 1, and the compiler may not know it. It changes no number, but is what makes vectors of four pay: without anything to
/// compute, the compiler would store one number after the other, and stores are what putting contacts into lanes waits for.
#[inline(always)]
pub(crate) fn set_four<const N: usize>(
    columns: &mut [Lanes; N],
    lane: usize,
    rows: [&[f64; N]; 4],
    one: f64,
) {
    for column in 0..N {
        // Written out: what goes through a closure would go through memory.
        let four =
            [rows[0][column] * one, rows[1][column] * one, rows[2][column] * one, rows[3][column] * one];
        columns[column][lane..lane + 4].copy_from_slice(&four);
    }
}
