//! The binary form: 80 bytes of header, the number of triangles, and for each 12 single-precision numbers
//! (normal and corners) and two bytes of attributes, all little-endian.

use super::{Stl, StlFault, StlForm, normal};
use std::io::{self, Write};
use tumble_math::LabVec;

const HEADER: usize = 80;
const START: usize = 84;
const RECORD: usize = 50;
/// Where the corners begin in a record, after the normal.
const CORNERS: usize = 12;

/// The number of triangles that the header announces.
fn announced(bytes: &[u8]) -> Option<u32> {
    bytes.get(HEADER..START)?.try_into().ok().map(u32::from_le_bytes)
}

/// Whether the file is as long as its header says.
pub(super) fn has_its_length(bytes: &[u8]) -> bool {
    announced(bytes)
        .is_some_and(|count| bytes.len() as u64 == START as u64 + RECORD as u64 * u64::from(count))
}

/// Why a file that is not text is not binary either.
pub(super) fn wrong_length(bytes: &[u8]) -> StlFault {
    let length = bytes.len();
    announced(bytes)
        .map_or(StlFault::NotStl { length }, |triangles| StlFault::WrongLength { triangles, length })
}

/// Reads a file that [`has_its_length`].
pub(super) fn parse(bytes: &[u8]) -> Result<Stl, StlFault> {
    let (header, records) = bytes.split_at(START.min(bytes.len()));
    let mut triangles = Vec::with_capacity(records.len() / RECORD);
    for (triangle, record) in records.chunks_exact(RECORD).enumerate() {
        let mut numbers = [0.0; 9];
        for (i, (number, four)) in numbers.iter_mut().zip(record[CORNERS..].chunks_exact(4)).enumerate() {
            *number = f64::from(f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            if !number.is_finite() {
                let byte = START + RECORD * triangle + CORNERS + 4 * i;
                return Err(StlFault::BadNumber { byte, triangle });
            }
        }
        let [a, b, c, d, e, f, g, h, i] = numbers;
        triangles.push([LabVec::new(a, b, c), LabVec::new(d, e, f), LabVec::new(g, h, i)]);
    }
    let name = header[..HEADER.min(header.len())].split(|&byte| byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name).trim().to_owned();
    Ok(Stl { name, form: StlForm::Binary, triangles })
}

pub(super) fn write(mut out: impl Write, name: &str, triangles: &[[LabVec<f64>; 3]]) -> io::Result<()> {
    let beyond = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what.to_owned());
    let count = u32::try_from(triangles.len()).map_err(|_| beyond("more than 2³² − 1 triangles"))?;
    let mut header = [0; HEADER];
    for (place, byte) in header.iter_mut().zip(name.bytes()) {
        *place = byte;
    }
    out.write_all(&header)?;
    out.write_all(&count.to_le_bytes())?;
    for &triangle in triangles {
        let mut record = [0; RECORD];
        let [a, b, c] = triangle;
        let numbers = [normal(triangle), a, b, c].into_iter().flat_map(LabVec::to_array);
        for (place, number) in record.chunks_exact_mut(4).zip(numbers) {
            #[allow(clippy::cast_possible_truncation)]
            let single = number as f32;
            if !single.is_finite() {
                return Err(beyond("a coordinate is beyond the range of single precision"));
            }
            place.copy_from_slice(&single.to_le_bytes());
        }
        out.write_all(&record)?;
    }
    out.flush()
}
