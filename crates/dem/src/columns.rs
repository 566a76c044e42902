//! Struct-of-arrays storage in chunks: a few rows of all columns of a table lie side by side in memory.
//!
//! A loop over a chunk reads and writes whole vectors, as in any struct of arrays. But the table is a single stream
//! through memory instead of one per column, which the processor can foresee; with dozens of streams it cannot.

use crate::parallel::Threads;
use core::ops::Range;

/// Rows of a chunk: a multiple of every vector, few enough for all tables of a chunk to stay in the nearest caches.
pub(crate) const ROWS: usize = 128;

/// Columns that begin at the same place in their pages compete for the same few cache lines; so each is longer by
/// a line than its rows.
const STRIDE: usize = ROWS + 8;

/// The rows of a chunk, by column.
pub(crate) type Chunk<const N: usize> = [[f64; STRIDE]; N];

/// A column of a table, or several that lie side by side: what a table asks of all of them.
pub(crate) trait Column {
    fn rows(&self) -> usize;

    /// Changes the number of rows; new ones are zero.
    fn resize(&mut self, rows: usize);

    /// Reorders the rows: the new row k is the old row `order[k]`; others are dropped.
    fn permute(&mut self, order: &[u32], threads: &Threads);
}

impl<T: Copy + Default + Send + Sync> Column for Vec<T> {
    fn rows(&self) -> usize {
        self.len()
    }

    fn resize(&mut self, rows: usize) {
        self.resize(rows, T::default());
    }

    fn permute(&mut self, order: &[u32], threads: &Threads) {
        *self = threads.collect(order.len(), |new| self[order[new] as usize]);
    }
}

/// Declares a table of bodies. Each column is written down once; growing and reordering the rows follow, and so does
/// what a saved state holds of them.
///
/// | group | its columns |
/// | --- | --- |
/// | `state` | change in ways that nothing else tells: a saved state has them |
/// | `sums` | the same, in a table of their own: they can be added to while the others are looked at |
/// | `shown` | as `state`, after the sums in a saved state |
/// | `made` | follow from what a body is |
/// | `optional` | have no rows where nobody needs them |
/// | `rest` | are no columns |
macro_rules! table {
    (
        $(#[$about:meta])*
        struct $table:ident {
            state { $($(#[$state_doc:meta])* $state:ident: $state_type:ty,)+ }
            $(#[$sums_about:meta])*
            sums $sums:ident { $($(#[$sum_doc:meta])* $sum:ident: $sum_type:ty,)+ }
            shown { $($(#[$shown_doc:meta])* $shown:ident: $shown_type:ty,)+ }
            made { $($(#[$made_doc:meta])* $made:ident: $made_type:ty,)+ }
            optional { $($(#[$optional_doc:meta])* $optional:ident: $optional_type:ty,)+ }
            rest { $($(#[$rest_doc:meta])* $rest:ident: $rest_type:ty,)+ }
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default)]
        pub(crate) struct $table {
            $($(#[$state_doc])* pub(crate) $state: $state_type,)+
            $($(#[$shown_doc])* pub(crate) $shown: $shown_type,)+
            $($(#[$made_doc])* pub(crate) $made: $made_type,)+
            $($(#[$optional_doc])* pub(crate) $optional: $optional_type,)+
            $($(#[$rest_doc])* pub(crate) $rest: $rest_type,)+
        }

        $(#[$sums_about])*
        #[derive(Clone, Debug, Default)]
        pub(crate) struct $sums {
            $($(#[$sum_doc])* pub(crate) $sum: $sum_type,)+
        }

        impl $table {
            /// All columns that are there.
            fn columns<'a>(
                &'a mut self,
                sums: &'a mut $sums,
            ) -> impl Iterator<Item = &'a mut dyn $crate::columns::Column> {
                use $crate::columns::Column;
                let always: Vec<&mut dyn Column> =
                    vec![$(&mut self.$state,)+ $(&mut sums.$sum,)+ $(&mut self.$shown,)+ $(&mut self.$made,)+];
                let optional: Vec<&mut dyn Column> = vec![$(&mut self.$optional,)+];
                always.into_iter().chain(optional.into_iter().filter(|column| column.rows() > 0))
            }

            /// A copy of all columns, and of nothing else.
            fn copied(&self) -> Self {
                Self {
                    $($state: self.$state.clone(),)+
                    $($shown: self.$shown.clone(),)+
                    $($made: self.$made.clone(),)+
                    $($optional: self.$optional.clone(),)+
                    ..Self::default()
                }
            }

            /// The columns of a saved state.
            pub(crate) fn saved<'a>(&'a self, sums: &'a $sums) -> Vec<&'a dyn $crate::saved::SavedColumn> {
                vec![$(&self.$state,)+ $(&sums.$sum,)+ $(&self.$shown,)+]
            }

            /// The same, to be written over.
            pub(crate) fn saved_mut<'a>(
                &'a mut self,
                sums: &'a mut $sums,
            ) -> Vec<&'a mut dyn $crate::saved::SavedColumn> {
                vec![$(&mut self.$state,)+ $(&mut sums.$sum,)+ $(&mut self.$shown,)+]
            }
        }
    };
}
pub(crate) use table;

/// `N` columns of equal length.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns<const N: usize> {
    chunks: Vec<Chunk<N>>,
    rows: usize,
}

impl<const N: usize> Columns<N> {
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

    /// A copy of some rows, from the beginning of a chunk on; none where there are none.
    pub(crate) fn part(&self, rows: Range<usize>) -> Self {
        debug_assert!(rows.start.is_multiple_of(ROWS), "{rows:?}");
        if self.rows == 0 {
            return Self::default();
        }
        let chunks = self.chunks[rows.start / ROWS..rows.end.div_ceil(ROWS)].to_vec();
        Self { chunks, rows: rows.len() }
    }

    /// All rows in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = [f64; N]> {
        (0..self.rows).map(|row| self.row(row))
    }
}

impl<const N: usize> Column for Columns<N> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn resize(&mut self, rows: usize) {
        // The last chunk still has rows that were dropped, and what loops over whole vectors left behind its rows.
        let kept = rows.min(self.rows);
        for row in kept..kept.next_multiple_of(ROWS) {
            self.set_row(row, [0.0; N]);
        }
        self.chunks.resize(rows.div_ceil(ROWS), [[0.0; STRIDE]; N]);
        self.rows = rows;
    }

    fn permute(&mut self, order: &[u32], threads: &Threads) {
        self.chunks = threads.collect(order.len().div_ceil(ROWS), |number| {
            let mut chunk = [[0.0; STRIDE]; N];
            for (new, &row) in order[number * ROWS..].iter().take(ROWS).enumerate() {
                set_row(&mut chunk, new, self.row(row as usize));
            }
            chunk
        });
        self.rows = order.len();
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
        let mut table = Columns::<2>::default();
        table.resize(3);
        for row in 0..3 {
            table.set_row(row, [row as f64, -(row as f64)]);
        }
        table.resize(ROWS + 5);
        assert_eq!((table.rows(), table.row(2), table.row(ROWS + 4)), (ROWS + 5, [2.0, -2.0], [0.0, 0.0]));
        table.set_row(ROWS + 4, [7.0, 8.0]);
        assert_eq!(table.part(ROWS..ROWS + 5).iter().last(), Some([7.0, 8.0]));
        table.permute(&[2, 0, 132], &Threads::ONE);
        assert_eq!(table.iter().collect::<Vec<_>>(), [[2.0, -2.0], [0.0, 0.0], [7.0, 8.0]]);
        table.resize(1);
        table.resize(3);
        assert_eq!(table.iter().collect::<Vec<_>>(), [[2.0, -2.0], [0.0, 0.0], [0.0, 0.0]]);
        table.chunks_mut()[0][1][3] = f64::NAN;
        table.resize(4);
        assert_eq!(table.iter().last(), Some([0.0, 0.0]));
        table.resize(0);
        assert!(table.chunks_mut().is_empty());
    }
}
