//! Tables in the memory of a device, which grow.

use crate::device::{Buffer, Device, DeviceError};
use crate::world::{Address, Real};
use bytemuck::Pod;
use core::marker::PhantomData;
use rayon::prelude::*;
use tumble_dem::Precision;

/// Numbers of one type. Growing loses them.
#[derive(Debug)]
pub(crate) struct Table<T> {
    buffer: Option<Buffer>,
    of: PhantomData<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { buffer: None, of: PhantomData }
    }
}

impl<T: Pod + Send + Sync> Table<T> {
    /// How many numbers there is room for.
    pub(crate) fn room(&self) -> usize {
        self.buffer.as_ref().map_or(0, Buffer::len) / size_of::<T>()
    }

    /// Where kernels find it.
    pub(crate) fn address(&self) -> Address<T> {
        Address::new(self.buffer.as_ref().map_or(0, Buffer::address))
    }

    /// Room for so many numbers; a little more where it was too small, since it may grow again.
    pub(crate) fn reserve(&mut self, device: &dyn Device, count: usize) -> Result<(), DeviceError> {
        if self.room() < count.max(1) {
            let grown = if self.buffer.is_some() { count + count / 8 } else { count };
            // Both at once would be a lot of memory.
            self.buffer = None;
            self.buffer = Some(device.allocate(grown.max(1) * size_of::<T>())?);
        }
        Ok(())
    }

    /// Becomes these numbers.
    pub(crate) fn set(&mut self, device: &dyn Device, numbers: &[T]) -> Result<(), DeviceError> {
        self.reserve(device, numbers.len())?;
        self.write(device, 0, numbers)
    }

    /// Writes some numbers, for which there is room.
    pub(crate) fn write(&self, device: &dyn Device, first: usize, numbers: &[T]) -> Result<(), DeviceError> {
        match &self.buffer {
            Some(buffer) if !numbers.is_empty() => {
                device.write(buffer, first * size_of::<T>(), bytemuck::cast_slice(numbers))
            }
            _ => Ok(()),
        }
    }

    /// So many numbers from the first on.
    pub(crate) fn read(
        &self,
        device: &dyn Device,
        first: usize,
        count: usize,
    ) -> Result<Vec<T>, DeviceError> {
        let mut numbers = vec![T::zeroed(); count];
        if let (Some(buffer), false) = (&self.buffer, numbers.is_empty()) {
            device.read(buffer, first * size_of::<T>(), bytemuck::cast_slice_mut(&mut numbers))?;
        }
        Ok(numbers)
    }

    /// One of them.
    pub(crate) fn get(&self, device: &dyn Device, index: usize) -> Result<T, DeviceError> {
        Ok(self.read(device, index, 1)?.first().copied().unwrap_or_else(T::zeroed))
    }

    /// Sets the first ones to zero.
    pub(crate) fn clear(&self, device: &dyn Device, count: usize) -> Result<(), DeviceError> {
        match &self.buffer {
            Some(buffer) if count > 0 => device.clear(buffer, 0, count * size_of::<T>()),
            _ => Ok(()),
        }
    }

    /// Becomes a copy of the first numbers of another table.
    pub(crate) fn copy(&mut self, device: &dyn Device, of: &Self, count: usize) -> Result<(), DeviceError> {
        self.reserve(device, count)?;
        match (&of.buffer, &self.buffer) {
            (Some(from), Some(to)) if count > 0 => device.copy(from, to, count * size_of::<T>()),
            _ => Ok(()),
        }
    }

    /// Numbers of rows, one column after the other, from rows of `N` numbers.
    pub(crate) fn set_columns<const N: usize>(
        &mut self,
        device: &dyn Device,
        rows: &[[T; N]],
    ) -> Result<(), DeviceError> {
        let columns: Vec<T> = (0..N).flat_map(|column| rows.iter().map(move |row| row[column])).collect();
        self.set(device, &columns)
    }

    /// The inverse.
    pub(crate) fn columns<const N: usize>(
        &self,
        device: &dyn Device,
        rows: usize,
    ) -> Result<Vec<[T; N]>, DeviceError> {
        let columns = self.read(device, 0, N * rows)?;
        Ok((0..rows).map(|row| core::array::from_fn(|column| columns[column * rows + row])).collect())
    }

    /// Rows of so many numbers, one after the other, from columns that begin `stride` numbers apart.
    pub(crate) fn rows(
        &self,
        device: &dyn Device,
        (rows, stride, width): (usize, usize, usize),
    ) -> Result<Vec<T>, DeviceError> {
        let columns = (0..width).map(|column| self.read(device, column * stride, rows));
        let columns = columns.collect::<Result<Vec<Vec<T>>, _>>()?;
        let mut numbers = vec![T::zeroed(); rows * width];
        numbers.par_chunks_mut(ROWS * width.max(1)).enumerate().for_each(|(chunk, some)| {
            for (column, from) in columns.iter().enumerate() {
                for (row, number) in some.chunks_exact_mut(width).zip(&from[chunk * ROWS..]) {
                    row[column] = *number;
                }
            }
        });
        Ok(numbers)
    }
}

/// Numbers in the precision of the run. The host has them as `f64` either way.
#[derive(Debug)]
pub(crate) enum Reals {
    Double(Table<f64>),
    Single(Table<f32>),
}

impl Default for Reals {
    fn default() -> Self {
        Self::new(Precision::Double)
    }
}

impl Reals {
    pub(crate) fn new(precision: Precision) -> Self {
        match precision {
            Precision::Double => Self::Double(Table::default()),
            Precision::Single => Self::Single(Table::default()),
        }
    }

    /// See [`Table::room`].
    pub(crate) fn room(&self) -> usize {
        match self {
            Self::Double(table) => table.room(),
            Self::Single(table) => table.room(),
        }
    }

    /// See [`Table::address`].
    pub(crate) fn address(&self) -> Address<Real> {
        Address::new(match self {
            Self::Double(table) => table.address().at,
            Self::Single(table) => table.address().at,
        })
    }

    /// See [`Table::reserve`].
    pub(crate) fn reserve(&mut self, device: &dyn Device, count: usize) -> Result<(), DeviceError> {
        match self {
            Self::Double(table) => table.reserve(device, count),
            Self::Single(table) => table.reserve(device, count),
        }
    }

    /// See [`Table::set`]: of numbers that the precision has.
    pub(crate) fn set(&mut self, device: &dyn Device, numbers: &[f64]) -> Result<(), DeviceError> {
        match self {
            Self::Double(table) => table.set(device, numbers),
            Self::Single(table) => {
                #[allow(clippy::cast_possible_truncation, reason = "they have the digits of f32 already")]
                let numbers: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
                table.set(device, &numbers)
            }
        }
    }

    /// See [`Table::copy`]: of a table of the same precision.
    pub(crate) fn copy(&mut self, device: &dyn Device, of: &Self, count: usize) -> Result<(), DeviceError> {
        match (self, of) {
            (Self::Double(table), Self::Double(of)) => table.copy(device, of, count),
            (Self::Single(table), Self::Single(of)) => table.copy(device, of, count),
            _ => Ok(()),
        }
    }

    /// See [`Table::rows`].
    pub(crate) fn rows(
        &self,
        device: &dyn Device,
        shape: (usize, usize, usize),
    ) -> Result<Vec<f64>, DeviceError> {
        match self {
            Self::Double(table) => table.rows(device, shape),
            Self::Single(table) => Ok(table.rows(device, shape)?.into_iter().map(f64::from).collect()),
        }
    }
}

/// Rows that are turned at a time: few enough to stay in the cache.
const ROWS: usize = 1024;

/// Columns one after the other, from rows of so many numbers, with columns that begin `stride` numbers apart.
pub(crate) fn to_columns(rows: &[f64], width: usize, stride: usize) -> Vec<f64> {
    let mut columns = vec![0.0; width * stride];
    for (row, numbers) in rows.chunks_exact(width.max(1)).enumerate().take(stride) {
        for (column, number) in numbers.iter().enumerate() {
            columns[column * stride + row] = *number;
        }
    }
    columns
}
