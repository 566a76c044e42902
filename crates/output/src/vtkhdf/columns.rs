//! Data sets of an HDF5 file that grow, and what is put into them: rows of one number, or of several.

use hdf5_metno::{Dataset, Extent, Group, H5Type, Result};

/// A row of a data set.
pub(super) trait Row: Copy {
    type Number: H5Type;
    /// Numbers in a row; nothing for a plain list of numbers.
    const WIDTH: Option<usize>;
    /// Writes rows from a place on. There must be room for them.
    fn write(rows: &[Self], to: &Dataset, at: usize) -> Result<()>;
}

macro_rules! numbers {
    ($($type:ty),+) => {$(
        impl Row for $type {
            type Number = Self;
            const WIDTH: Option<usize> = None;
            fn write(rows: &[Self], to: &Dataset, at: usize) -> Result<()> {
                to.write_slice::<_, Self, _, _>(rows, at..at + rows.len())
            }
        }
    )+};
}
numbers!(u16, u32, i64, f32, f64);

impl<T: H5Type + Copy, const N: usize> Row for [T; N] {
    type Number = T;
    const WIDTH: Option<usize> = Some(N);
    fn write(rows: &[Self], to: &Dataset, at: usize) -> Result<()> {
        to.write_slice::<_, T, _, _>(rows, (at..at + rows.len(), ..))
    }
}

/// The shape of a data set of so many rows.
fn shape<R: Row>(rows: usize) -> Vec<usize> {
    core::iter::once(rows).chain(R::WIDTH).collect()
}

/// Rows of any one kind.
pub(super) trait Rows {
    fn count(&self) -> usize;
    /// Makes an empty data set for such rows, in chunks of so many.
    fn create(&self, group: &Group, name: &str, chunk: usize) -> Result<Dataset>;
    /// Appends the rows to a data set that ends at this place.
    fn append(&self, to: &Dataset, at: usize) -> Result<()>;
}

impl<R: Row> Rows for Vec<R> {
    fn count(&self) -> usize {
        self.len()
    }

    fn create(&self, group: &Group, name: &str, chunk: usize) -> Result<Dataset> {
        let extents: Vec<Extent> = core::iter::once((0..).into()).chain(R::WIDTH.map(Extent::from)).collect();
        group.new_dataset::<R::Number>().chunk(shape::<R>(chunk)).shape(extents).create(name)
    }

    fn append(&self, to: &Dataset, at: usize) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        to.resize(shape::<R>(at + self.len()))?;
        R::write(self, to, at)
    }
}

/// Writes a data set that is complete.
pub(super) fn table<R: Row>(group: &Group, name: &str, rows: &[R]) -> Result<()> {
    let data = group.new_dataset::<R::Number>().shape(shape::<R>(rows.len())).create(name)?;
    R::write(rows, &data, 0)
}

/// A data set with rows of all frames.
pub(super) struct Column {
    data: Dataset,
    rows: usize,
    /// Where the rows begin that were added last.
    begin: usize,
    /// Where the rows of each frame begin.
    starts: Vec<i64>,
}

impl Column {
    /// An empty one for rows like these, in chunks of so many.
    pub(super) fn create(group: &Group, name: &str, like: &dyn Rows, chunk: usize) -> Result<Self> {
        Ok(Self { data: like.create(group, name, chunk)?, rows: 0, begin: 0, starts: Vec::new() })
    }

    /// Appends rows that are not those of a frame.
    pub(super) fn append(&mut self, rows: &dyn Rows) -> Result<()> {
        rows.append(&self.data, self.rows)?;
        self.begin = self.rows;
        self.rows += rows.count();
        Ok(())
    }

    /// Adds a frame: with rows of its own, or with those that were added last.
    pub(super) fn add_frame(&mut self, rows: Option<&dyn Rows>) -> Result<()> {
        if let Some(rows) = rows {
            self.append(rows)?;
        }
        self.starts.push(whole(self.begin));
        Ok(())
    }

    /// Where the rows of each frame begin.
    pub(super) fn starts(&self) -> &[i64] {
        &self.starts
    }
}

/// A number as VTK counts.
pub(super) fn whole(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
