//! Struct-of-arrays storage in chunks: a few rows of all columns of a table lie side by side in memory.
//!
//! A loop over a chunk reads and writes whole vectors, as in any struct of arrays. But the table is a single stream
//! through memory instead of one per column, which the processor can foresee; with dozens of streams it cannot.

/// Rows of a chunk: a multiple of every vector, few enough for all tables of a chunk to stay in the nearest caches.
pub(crate) const ROWS: usize = 128;

/// Columns that begin at the same place in their pages compete for the same few cache lines; so each is longer by
/// a line than its rows.
const STRIDE: usize = ROWS + 8;

/// The rows of a chunk, by column.
pub(crate) type Chunk<const N: usize> = [[f64; STRIDE]; N];

/// `N` columns of equal length.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const N: usize> {
    chunks: Vec<Chunk<N>>,
    rows: usize,
}

impl<const N: usize> Columns<N> {
    /// Columns without rows.
    pub(crate) fn new() -> Self {
        Self { chunks: Vec::new(), rows: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Changes the number of rows; new ones are zero.
    pub(crate) fn resize(&mut self, rows: usize) {
        // What is left in the last chunk from rows that were dropped must not come back.
        for row in rows..self.rows.min(rows.next_multiple_of(ROWS)) {
            self.set_row(row, [0.0; N]);
        }
        self.chunks.resize(rows.div_ceil(ROWS), [[0.0; STRIDE]; N]);
        self.rows = rows;
    }

    pub(crate) fn chunks_mut(&mut self) -> &mut [Chunk<N>] {
        &mut self.chunks
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> [f64; N] {
        let chunk = &self.chunks[row / ROWS];
        core::array::from_fn(|column| chunk[column][row % ROWS])
    }

    #[inline(always)]
    pub(crate) fn set_row(&mut self, row: usize, values: [f64; N]) {
        set_row(&mut self.chunks[row / ROWS], row % ROWS, values);
    }

    /// All rows in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = [f64; N]> {
        (0..self.rows).map(|row| self.row(row))
    }

    /// Reorders the rows: the new row k is the old row `order[k]`; others are dropped.
    pub(crate) fn permute(&mut self, order: &[u32]) {
        let old = self.clone();
        self.resize(order.len());
        for (new, &row) in order.iter().enumerate() {
            self.set_row(new, old.row(row as usize));
        }
    }
}

/// Sets a row of a chunk.
#[inline(always)]
pub(crate) fn set_row<const N: usize>(chunk: &mut Chunk<N>, row: usize, values: [f64; N]) {
    for (column, value) in chunk.iter_mut().zip(values) {
        column[row] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_growing_shrinking_and_reordering() {
        let mut table = Columns::<2>::new();
        table.resize(3);
        for row in 0..3 {
            table.set_row(row, [row as f64, -(row as f64)]);
        }
        table.resize(ROWS + 5);
        assert_eq!((table.rows(), table.row(2), table.row(ROWS + 4)), (ROWS + 5, [2.0, -2.0], [0.0, 0.0]));
        table.set_row(ROWS + 4, [7.0, 8.0]);
        table.permute(&[2, 0, 132]);
        assert_eq!(table.iter().collect::<Vec<_>>(), [[2.0, -2.0], [0.0, 0.0], [7.0, 8.0]]);
        table.resize(1);
        table.resize(3);
        assert_eq!(table.iter().collect::<Vec<_>>(), [[2.0, -2.0], [0.0, 0.0], [0.0, 0.0]]);
        table.resize(0);
        assert!(table.chunks_mut().is_empty());
    }
}
