//! Values as little-endian bytes, both ways from one list of fields.
//!
//! Reading trusts nothing: no length is believed before that many bytes are there, and every number is
//! finite.

use super::SchemeName;
use super::models::{ModelName, ModelNames};
use crate::bodies::{AtInstant, BookTable, Built, Wrench};
use crate::columns::Columns;
use crate::contact::{Name, WallLoad};
use crate::engine::{Altered, AlteredProperty};
use crate::error::Error;
use crate::precision::Precision;
use crate::report::Exchange;
use crate::step::{
    BridgeVolume, CellState, FreeWall, HeatBooks, LiquidBooks, Slid, SurfaceSums, Surfaces, TriangleSums,
    WallHeat, Warmth,
};
use std::collections::BTreeMap;
use tumble_math::{ExactSum, LIMBS, LabVec};

/// Bytes that are being read.
pub(crate) struct Input<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, length: bytes.len() }
    }

    /// The error that these bytes cannot be a state, because of what was read last.
    pub(super) fn broken(&self, what: impl Into<String>) -> Error {
        Error::SavedBytes { at: self.length - self.rest.len(), what: what.into() }
    }

    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or_else(|| {
            self.broken(format!("it ends here, {count} more bytes are needed, {} are left", self.rest.len()))
        })?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn chunk<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut chunk = [0; N];
        chunk.copy_from_slice(self.bytes(N)?);
        Ok(chunk)
    }

    /// How many of something follow, each of which takes `size` bytes at least.
    pub(super) fn count(&mut self, size: usize) -> Result<usize, Error> {
        let count = u64::take(self)?;
        let fits = usize::try_from(count).ok().filter(|n| n.saturating_mul(size) <= self.rest.len());
        fits.ok_or_else(|| {
            let left = self.rest.len();
            self.broken(format!("{count} things of {size} bytes should follow, but {left} bytes are left"))
        })
    }

    /// So many values, for which the bytes are there or nothing is taken.
    pub(super) fn several<T: Stored>(&mut self, count: usize) -> Result<Vec<T>, Error> {
        if count.saturating_mul(T::SIZE) > self.rest.len() {
            let left = self.rest.len();
            return Err(self.broken(format!("{count} numbers should follow, but {left} bytes are left")));
        }
        (0..count).map(|_| T::take(self)).collect()
    }

    pub(super) fn end(&self) -> Result<(), Error> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.broken(format!("it should end here, but {} bytes follow", self.rest.len())))
        }
    }
}

/// A value with a form in bytes.
pub(super) trait Stored: Sized {
    /// The fewest bytes it takes.
    const SIZE: usize;
    fn put(&self, out: &mut Vec<u8>);
    fn take(input: &mut Input<'_>) -> Result<Self, Error>;
}

/// A column of the bodies: as many values as there are rows, which is known already.
pub(crate) trait SavedColumn {
    /// Bytes of a row.
    fn row_size(&self) -> usize;
    fn put_row(&self, row: usize, out: &mut Vec<u8>);
    fn take_row(&mut self, row: usize, input: &mut Input<'_>) -> Result<(), Error>;
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl Stored for $type {
            const SIZE: usize = size_of::<$type>();
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn take(input: &mut Input<'_>) -> Result<Self, Error> {
                Ok(Self::from_le_bytes(input.chunk()?))
            }
        }
    )+};
}
integers!(u16, u32, u64);

impl Stored for usize {
    const SIZE: usize = u64::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        (*self as u64).put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let value = u64::take(input)?;
        Self::try_from(value).map_err(|_| input.broken(format!("the number {value} is too large")))
    }
}

impl Stored for f64 {
    const SIZE: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let value = Self::from_le_bytes(input.chunk()?);
        if value.is_finite() { Ok(value) } else { Err(input.broken(format!("a number is {value}"))) }
    }
}

impl Stored for bool {
    const SIZE: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        match input.chunk()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(input.broken(format!("expected 0 or 1, found {other}"))),
        }
    }
}

impl<T: Stored + Copy + Default, const N: usize> Stored for [T; N] {
    const SIZE: usize = N * T::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        for value in self {
            value.put(out);
        }
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = T::take(input)?;
        }
        Ok(values)
    }
}

impl Stored for LabVec<f64> {
    const SIZE: usize = <[f64; 3]>::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.to_array().put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        Stored::take(input).map(Self::from_array)
    }
}

impl<T: Stored> Stored for Vec<T> {
    const SIZE: usize = u64::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for value in self {
            value.put(out);
        }
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let count = input.count(T::SIZE)?;
        input.several(count)
    }
}

impl<T: Stored> Stored for Option<T> {
    const SIZE: usize = bool::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        if bool::take(input)? { T::take(input).map(Some) } else { Ok(None) }
    }
}

impl<T: Stored> SavedColumn for Vec<T> {
    fn row_size(&self) -> usize {
        T::SIZE
    }
    fn put_row(&self, row: usize, out: &mut Vec<u8>) {
        self[row].put(out);
    }
    fn take_row(&mut self, row: usize, input: &mut Input<'_>) -> Result<(), Error> {
        self[row] = T::take(input)?;
        Ok(())
    }
}

impl<const N: usize> SavedColumn for Columns<N> {
    fn row_size(&self) -> usize {
        <[f64; N]>::SIZE
    }
    fn put_row(&self, row: usize, out: &mut Vec<u8>) {
        self.row(row).put(out);
    }
    fn take_row(&mut self, row: usize, input: &mut Input<'_>) -> Result<(), Error> {
        self.set_row(row, Stored::take(input)?);
        Ok(())
    }
}

impl SavedColumn for BookTable {
    fn row_size(&self) -> usize {
        self.width() * f64::SIZE
    }
    fn put_row(&self, row: usize, out: &mut Vec<u8>) {
        self.row(row).iter().for_each(|number| number.put(out));
    }
    fn take_row(&mut self, row: usize, input: &mut Input<'_>) -> Result<(), Error> {
        for number in self.row_mut(row) {
            *number = Stored::take(input)?;
        }
        Ok(())
    }
}

/// Only the limbs between the first and the last that are not zero, since most sums have few.
impl Stored for ExactSum {
    const SIZE: usize = 2;
    fn put(&self, out: &mut Vec<u8>) {
        // Numbers that are not finite stop a run before they get into the books.
        let (limbs, _) = self.to_limbs();
        let first = limbs.iter().position(|limb| *limb != 0).unwrap_or(0);
        let end = limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
        let short = |place: usize| u8::try_from(place).unwrap_or(u8::MAX);
        out.extend([short(first), short(end)]);
        limbs[first..end].iter().for_each(|limb| out.extend_from_slice(&limb.to_le_bytes()));
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let [first, end] = input.chunk::<2>()?.map(usize::from);
        let mut limbs = [0; LIMBS];
        let Some(used) = limbs.get_mut(first..end) else {
            return Err(input.broken(format!("a sum has parts {first} to {end} of {LIMBS}")));
        };
        for limb in used {
            *limb = i64::from_le_bytes(input.chunk()?);
        }
        let sum = Self::from_limbs(limbs, 0.0).filter(|sum| sum.value().is_finite());
        sum.ok_or_else(|| input.broken("a sum has a part that is too large"))
    }
}

/// The size of a field, for the sum over a list of fields.
const fn size_of_field<S, F: Stored>(_: fn(&S) -> &F) -> usize {
    F::SIZE
}

/// Without where it was when lists were built, of which bytes have nothing.
impl Stored for FreeWall {
    const SIZE: usize = 6 * f64::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        let Self { place, speed, seen, work, damped, stopped, built: _ } = *self;
        [place, speed, seen, work, damped, stopped].put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let [place, speed, seen, work, damped, stopped] = Stored::take(input)?;
        Ok(Self { place, speed, seen, work, damped, stopped, built: place })
    }
}

/// Without what it was when lists were built.
impl Stored for CellState {
    const SIZE: usize = 29 * f64::SIZE + bool::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        let Self { centre, begun, switched, reference, lengths, speeds, rates, .. } = *self;
        let Self { virial, kinetic, work, damped, slid, .. } = *self;
        [centre, begun, switched, reference, lengths, speeds, rates, virial, kinetic].put(out);
        [work, damped].put(out);
        slid.put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let [centre, begun, switched, reference, lengths, speeds, rates, virial, kinetic] =
            <[[f64; 3]; 9]>::take(input)?;
        let [work, damped] = Stored::take(input)?;
        let slid = Stored::take(input)?;
        let sound = lengths.iter().chain(&begun).chain(&reference).all(|length| *length > 0.0)
            && switched.iter().all(|length| *length >= 0.0);
        let built = (lengths, None);
        let mut cell = Self {
            centre,
            begun,
            switched,
            reference,
            lengths,
            speeds,
            rates,
            virial,
            kinetic,
            work,
            damped,
            slid,
            built,
        };
        cell.built.1 = cell.tilt();
        if sound { Ok(cell) } else { Err(input.broken("a cell has a length that is not positive")) }
    }
}

impl Stored for Slid {
    const SIZE: usize = 2 * usize::SIZE + 7 * f64::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        let Self { plane, strain, begun, rate, speed, turns, virial, kinetic } = *self;
        plane.put(out);
        [strain, begun, rate, speed, turns, virial, kinetic].put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let plane = <[usize; 2]>::take(input)?;
        let [strain, begun, rate, speed, turns, virial, kinetic] = <[f64; 7]>::take(input)?;
        let [flow, gradient] = plane;
        let sound = flow < 3 && gradient < 3 && flow != gradient && turns.abs() <= 0.5;
        let slid = Self { plane, strain, begun, rate, speed, turns, virial, kinetic };
        if sound { Ok(slid) } else { Err(input.broken("a cell is sheared along axes that there are not")) }
    }
}

macro_rules! structs {
    ($($type:ident { $($field:ident),+ })+) => {$(
        impl Stored for $type {
            const SIZE: usize = 0 $(+ size_of_field(|value: &Self| &value.$field))+;
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)+
            }
            fn take(input: &mut Input<'_>) -> Result<Self, Error> {
                Ok(Self { $($field: Stored::take(input)?),+ })
            }
        }
    )+};
}
structs! {
    Wrench { force, torque }
    AtInstant { position, velocity, omega, q }
    Built { position, q }
    WallLoad { force, torque, power }
    Name { with_wall, a, b, feature }
    Exchange { removed, brought }
    TriangleSums { pressed, rubbed, work, slid }
    SurfaceSums { wall, triangles }
    Surfaces { since, list }
    Warmth { begun, gained }
    WallHeat { given, flow }
    HeatBooks { losses, sources, surroundings, walls }
    BridgeVolume { name, volume }
    LiquidBooks { put_in, taken_out, bridges }
    SchemeName { name, width }
    ModelName { law, rolling, twisting, memory, deed }
    ModelNames { list, of, books }
    Altered { dt, since, since_time, gravity, properties }
    AlteredProperty { a, b, key, bits }
}

/// In the order of the numbers.
impl Stored for BTreeMap<u32, Box<TriangleSums>> {
    const SIZE: usize = u64::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for (number, sums) in self {
            number.put(out);
            sums.put(out);
        }
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let count = input.count(u32::SIZE + TriangleSums::SIZE)?;
        (0..count).map(|_| Ok((u32::take(input)?, Box::new(TriangleSums::take(input)?)))).collect()
    }
}

/// A name; what is beyond 255 bytes is left out.
impl Stored for String {
    const SIZE: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        let length = u8::try_from(self.len()).unwrap_or(u8::MAX);
        out.push(length);
        out.extend_from_slice(&self.as_bytes()[..usize::from(length)]);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let [length] = input.chunk()?;
        Ok(Self::from_utf8_lossy(input.bytes(usize::from(length))?).into_owned())
    }
}

/// By its name.
impl Stored for Precision {
    const SIZE: usize = String::SIZE;
    fn put(&self, out: &mut Vec<u8>) {
        self.name().to_owned().put(out);
    }
    fn take(input: &mut Input<'_>) -> Result<Self, Error> {
        let name = String::take(input)?;
        Self::from_name(&name)
            .ok_or_else(|| input.broken(format!("there is no precision '{}'", name.escape_debug())))
    }
}
