//! What bodies lost and gained since the start, J: a row for each.

use crate::columns::Column;
use crate::parallel::Threads;
use crate::prefetch::prefetch_soon;
use crate::rows_by_id::index32;

/// The books that every body has: what contacts have no part in, or all of them have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Book {
    Separation,
    Drag,
    WallWork,
    FieldWork,
    HandWork,
}

/// How many they are. Those of the entries of contact laws follow.
pub(crate) const OWN_BOOKS: usize = 5;

/// A table with so many columns as the contact laws of a world have entries, and those of [`Book`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BookTable {
    width: usize,
    numbers: Vec<f64>,
}

impl Default for BookTable {
    fn default() -> Self {
        Self::new(OWN_BOOKS)
    }
}

impl BookTable {
    /// A table without rows.
    pub(crate) fn new(width: usize) -> Self {
        Self { width, numbers: Vec::new() }
    }

    /// As many rows of zeros as another table has.
    pub(crate) fn like(other: &Self) -> Self {
        Self { width: other.width, numbers: vec![0.0; other.numbers.len()] }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.numbers[row * self.width..(row + 1) * self.width]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.numbers[row * self.width..(row + 1) * self.width]
    }

    /// All rows in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.numbers.chunks_exact(self.width)
    }

    /// All numbers.
    pub(crate) fn numbers_mut(&mut self) -> &mut [f64] {
        &mut self.numbers
    }

    pub(crate) fn rows_mut(&mut self) -> BookRows<'_> {
        BookRows { width: self.width, numbers: &mut self.numbers }
    }
}

impl Column for BookTable {
    fn rows(&self) -> usize {
        self.numbers.len() / self.width
    }

    fn resize(&mut self, rows: usize) {
        self.numbers.resize(rows * self.width, 0.0);
    }

    fn permute(&mut self, order: &[u32], threads: &Threads) {
        let width = self.width;
        let number = |k: usize| self.row(order[k / width] as usize)[k % width];
        self.numbers = threads.collect(order.len() * width, number);
    }
}

/// Some rows of the books.
pub(crate) struct BookRows<'a> {
    width: usize,
    numbers: &'a mut [f64],
}

impl<'a> BookRows<'a> {
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.numbers[row * self.width..][..self.width]
    }

    /// Has the processor fetch what contacts write in a row.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: u32) {
        let next = (row + 1).wrapping_mul(index32(self.width));
        prefetch_soon(self.numbers, next - index32(self.width - OWN_BOOKS));
        prefetch_soon(self.numbers, next - 1);
    }

    /// All of them in order.
    pub(crate) fn into_iter(self) -> impl Iterator<Item = &'a mut [f64]> {
        self.numbers.chunks_exact_mut(self.width)
    }

    pub(crate) fn split_at(self, row: usize) -> (Self, Self) {
        let (left, right) = self.numbers.split_at_mut(row * self.width);
        (Self { width: self.width, numbers: left }, Self { width: self.width, numbers: right })
    }

    /// The same rows for a while.
    pub(crate) fn reborrow(&mut self) -> BookRows<'_> {
        BookRows { width: self.width, numbers: self.numbers }
    }
}
