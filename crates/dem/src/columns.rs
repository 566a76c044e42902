//! Struct-of-arrays storage: a fixed number of columns in one allocation.
//!
//! Columns that begin at the same place in their pages compete for the same few cache lines: a loop over
//! twenty of them runs at half speed. So each column, and each table, begins a little further on.

/// Numbers between the beginnings of neighbouring columns, beyond their length: 320 bytes.
const STAGGER: usize = 40;

/// `N` columns of equal length.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const N: usize> {
    data: Vec<f64>,
    lead: usize,
    stride: usize,
    rows: usize,
}

impl<const N: usize> Columns<N> {
    /// Columns without rows. Tables that are read in the same loop should have different places.
    pub(crate) fn new(place: usize) -> Self {
        Self { data: Vec::new(), lead: place * STAGGER, stride: 0, rows: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Changes the number of rows; new ones are zero.
    pub(crate) fn resize(&mut self, rows: usize) {
        let stride = rows.next_multiple_of(8) + STAGGER;
        let mut data = vec![0.0; self.lead + N * stride];
        let kept = rows.min(self.rows);
        for column in 0..N {
            let (from, to) = (self.lead + column * self.stride, self.lead + column * stride);
            if kept > 0 {
                data[to..to + kept].copy_from_slice(&self.data[from..from + kept]);
            }
        }
        *self = Self { data, lead: self.lead, stride, rows };
    }

    pub(crate) fn all(&self) -> [&[f64]; N] {
        core::array::from_fn(|column| {
            self.data.get(self.start(column)..).and_then(|rest| rest.get(..self.rows)).unwrap_or_default()
        })
    }

    pub(crate) fn all_mut(&mut self) -> [&mut [f64]; N] {
        let (rows, stride) = (self.rows, self.stride);
        let mut rest = self.data.get_mut(self.lead..).unwrap_or_default();
        core::array::from_fn(|_| {
            let (column, others) = core::mem::take(&mut rest).split_at_mut(stride);
            rest = others;
            &mut column[..rows]
        })
    }

    pub(crate) fn row(&self, row: usize) -> [f64; N] {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        core::array::from_fn(|column| self.data[self.start(column) + row])
    }

    pub(crate) fn set_row(&mut self, row: usize, values: [f64; N]) {
        assert!(row < self.rows, "row {row} of {}", self.rows);
        for (column, value) in values.into_iter().enumerate() {
            let at = self.start(column) + row;
            self.data[at] = value;
        }
    }

    /// Reorders the rows: the new row k is the old row `order[k]`; others are dropped.
    pub(crate) fn permute(&mut self, order: &[u32]) {
        let old = self.clone();
        self.resize(order.len());
        for (new, old) in self.all_mut().into_iter().zip(old.all()) {
            for (value, &row) in new.iter_mut().zip(order) {
                *value = old[row as usize];
            }
        }
    }

    fn start(&self, column: usize) -> usize {
        self.lead + column * self.stride
    }
}

/// Splits each column at a row, for two threads.
pub(crate) fn split<const N: usize>(
    columns: [&mut [f64]; N],
    row: usize,
) -> ([&mut [f64]; N], [&mut [f64]; N]) {
    let mut columns = columns.map(|column| {
        let (left, right) = column.split_at_mut(row);
        (left, right)
    });
    let left = columns.each_mut().map(|(left, _)| core::mem::take(left));
    let right = columns.map(|(_, right)| right);
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_growing_shrinking_and_reordering() {
        let mut table = Columns::<2>::new(3);
        table.resize(3);
        for row in 0..3 {
            table.set_row(row, [row as f64, -(row as f64)]);
        }
        table.resize(5);
        assert_eq!((table.rows(), table.row(2), table.row(4)), (5, [2.0, -2.0], [0.0, 0.0]));
        table.permute(&[2, 0]);
        assert_eq!((table.rows(), table.row(0), table.row(1)), (2, [2.0, -2.0], [0.0, 0.0]));
        assert_eq!(table.all()[1], [-2.0, 0.0]);
        assert_eq!(table.all_mut()[0], [2.0, 0.0]);
        assert!(Columns::<3>::new(1).all_mut().iter().all(|column| column.is_empty()));
    }
}
