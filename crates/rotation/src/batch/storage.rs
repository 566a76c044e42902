//! Where a batch keeps its columns: in one allocation, each column a little further into its page.
//!
//! Large allocations begin at the same place in a page. Twenty of them read side by side would then fall on
//! the same few cache sets, and the processor would take a store to one for a store to another; that makes
//! a step twice as slow (`cargo bench -p tumble-rotation --features trace,threads -- batch` shows it).

use super::columns::{Columns, MAX_MEMORY, Seen};
use tumble_math::Real;

/// Columns q (4), ω (3), torque (3), moments (3), inverse (3), seen (7), then the memory.
const FIXED: usize = 23;

/// Five cache lines from one column's place in its page to the next one's.
const STAGGER_BYTES: usize = 320;
const PAGE_BYTES: usize = 4096;

#[derive(Clone, Debug)]
pub(super) struct Storage<R> {
    rows: usize,
    stride: usize,
    numbers: Vec<R>,
}

impl<R: Real> Storage<R> {
    pub(super) fn new(rows: usize, memory_width: usize) -> Self {
        let size = size_of::<R>();
        let stride = rows.next_multiple_of(PAGE_BYTES / size) + STAGGER_BYTES / size;
        Self { rows, stride, numbers: vec![R::lit(0.0); stride * (FIXED + memory_width)] }
    }

    /// Room for rows with the same columns.
    pub(super) fn blank(&self, rows: usize) -> Self {
        Self::new(rows, self.numbers.len() / self.stride - FIXED)
    }

    /// Takes over as many rows as there is room for, or fewer at the end.
    pub(super) fn copy_rows(&mut self, from: &Self, first: usize) {
        self.rows = self.rows.min(from.rows - first);
        let columns = self.numbers.chunks_exact_mut(self.stride).zip(from.numbers.chunks_exact(from.stride));
        for (column, theirs) in columns {
            column[..self.rows].copy_from_slice(&theirs[first..first + self.rows]);
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// All columns, borrowed.
    pub(super) fn columns(&mut self) -> Columns<'_, R> {
        let rows = self.rows;
        let mut columns = self.numbers.chunks_exact_mut(self.stride).map(|c| &mut c[..rows]);
        // There are at least FIXED columns; the memory columns beyond the scheme's width are empty.
        let mut next = || columns.next().unwrap_or_default();
        Columns {
            q: [next(), next(), next(), next()],
            omega: [next(), next(), next()],
            torque: [next(), next(), next()],
            moments: [next(), next(), next()],
            inverse: [next(), next(), next()],
            seen: [next(), next(), next(), next(), next(), next(), next()],
            memory: core::array::from_fn::<_, MAX_MEMORY, _>(|_| next()),
        }
    }

    /// What the torque sees, and where it goes.
    pub(super) fn seen_and_torques(&mut self) -> (Seen<'_, R>, [&mut [R]; 3]) {
        let rows = self.rows;
        let mut columns = self.numbers.chunks_exact_mut(self.stride).map(|c| &mut c[..rows]);
        let mut columns = columns.by_ref().skip(Field::Torque as usize);
        let torques = core::array::from_fn(|_| columns.next().unwrap_or_default());
        let mut columns = columns.skip(Field::Seen as usize - Field::Moments as usize);
        let mut next = || -> &[R] { columns.next().unwrap_or_default() };
        (Seen { q: [next(), next(), next(), next()], omega: [next(), next(), next()] }, torques)
    }

    /// Numbers `first`, `first + 1` … of a row, in the order of the columns.
    pub(super) fn row<const N: usize>(&self, first: Field, row: usize) -> [R; N] {
        core::array::from_fn(|i| self.numbers[(first as usize + i) * self.stride..][row])
    }

    pub(super) fn set_row<const N: usize>(&mut self, first: Field, row: usize, values: [R; N]) {
        for (i, value) in values.into_iter().enumerate() {
            self.numbers[(first as usize + i) * self.stride..][row] = value;
        }
    }
}

/// The first column of a field.
#[derive(Clone, Copy)]
pub(super) enum Field {
    /// Orientation, then angular velocity.
    Spin = 0,
    Torque = 7,
    Moments = 10,
    Inverse = 13,
    /// What the torque sees: orientation, then angular velocity.
    Seen = 16,
}
