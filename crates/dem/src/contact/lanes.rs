//! Tables of contacts in blocks of lanes: within a block each column is contiguous, so that a kernel reads and
//! writes it as vectors, and a row is in few cache lines.

/// Contacts in a block: a multiple of every vector, few enough for a block to stay in the nearest cache.
pub(crate) const LANES: usize = 16;

/// One number of each contact of a block.
pub(crate) type Lanes = [f64; LANES];

/// Rows of `N` numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneTable<const N: usize> {
    blocks: Vec<[Lanes; N]>,
}

impl<const N: usize> LaneTable<N> {
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Makes room for this many rows; what they hold is not defined.
    pub(crate) fn make_room(&mut self, rows: usize) {
        let blocks = rows.div_ceil(LANES);
        if blocks == 0 {
            // Most tables are empty for good, and packings are large.
            *self = Self::default();
        } else if blocks > self.blocks.capacity() {
            self.blocks.reserve_exact(blocks + blocks / 8 - self.blocks.len());
        }
        self.blocks.resize(blocks, [[0.0; LANES]; N]);
    }

    #[inline(always)]
    pub(crate) fn block(&self, block: usize) -> &[Lanes; N] {
        &self.blocks[block]
    }

    #[inline(always)]
    pub(crate) fn block_mut(&mut self, block: usize) -> &mut [Lanes; N] {
        &mut self.blocks[block]
    }

    #[inline(always)]
    pub(crate) fn row(&self, index: usize) -> [f64; N] {
        let block = &self.blocks[index / LANES];
        core::array::from_fn(|column| block[column][index % LANES])
    }

    pub(crate) fn set_row(&mut self, index: usize, values: [f64; N]) {
        set_row(&mut self.blocks[index / LANES], index % LANES, values);
    }
}

/// A row of a block.
#[inline(always)]
pub(crate) fn row<const N: usize>(columns: &[Lanes; N], lane: usize) -> [f64; N] {
    core::array::from_fn(|column| columns[column][lane])
}

#[inline(always)]
pub(crate) fn set_row<const N: usize>(columns: &mut [Lanes; N], lane: usize, values: [f64; N]) {
    for column in 0..N {
        columns[column][lane] = values[column];
    }
}
