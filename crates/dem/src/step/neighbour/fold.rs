//! How many cells an axis has, and which of them share a place.

/// However long an axis is.
const MOST_ALONG_AXIS: f64 = 1e9;

/// Cells along each axis, and cells per length: none where an axis has one cell.
pub(crate) type Laid = ([i64; 3], [f64; 3]);

/// Cells of at least this size, larger ones if there would be more than `most`.
pub(crate) fn spread(lengths: [f64; 3], mut size: f64, most: f64) -> Laid {
    let mut cells = lengths.map(|length| whole(length / size));
    while cells.iter().map(|&n| n as f64).product::<f64>() > most {
        size *= 1.26;
        cells = lengths.map(|length| whole(length / size));
    }
    let density = |axis: usize| if cells[axis] > 1 { cells[axis] as f64 / lengths[axis] } else { 0.0 };
    (cells, core::array::from_fn(density))
}

/// A number of cells, of which there is at least one: also where a length is infinite.
fn whole(count: f64) -> i64 {
    #[allow(clippy::cast_possible_truncation, reason = "clamped")]
    if count > 1.0 { count.min(MOST_ALONG_AXIS) as i64 } else { 1 }
}

/// Cells of at least this size for a periodic domain that is large for its bodies, as many along each axis as may be in all.
///
/// Larger cells would have all bodies in a few of them, if bodies are together in a corner of the domain. So cells keep
/// their size along periodic axes, and those that are `n` apart share one of `n` places: an axis has a multiple of `n` cells,
/// so that they do so beyond its end, too.
pub(crate) fn fold(lengths: [f64; 3], size: f64, periodic: [bool; 3], most: f64) -> Laid {
    let needed =
        lengths.map(|length| if length > size { (length / size).min(MOST_ALONG_AXIS).floor() } else { 1.0 });
    let mut along = needed.into_iter().fold(1.0, f64::max);
    while needed.iter().map(|needed| needed.min(along).floor()).product::<f64>() > most {
        along = (along / 1.26).max(1.0);
    }
    let mut cells = [1; 3];
    let density = core::array::from_fn(|axis| {
        let places = needed[axis].min(along).floor();
        #[allow(clippy::cast_possible_truncation, reason = "at most as many as there are in all")]
        {
            cells[axis] = places as i64;
        }
        let there = if periodic[axis] { places * (needed[axis] / places).floor() } else { places };
        if places > 1.0 { there / lengths[axis] } else { 0.0 }
    });
    (cells, density)
}

/// The index of a cell that may lie one length beyond either end.
#[inline(always)]
pub(crate) fn wrapped(index: i64, count: i64) -> i64 {
    if index < 0 {
        index + count
    } else if index >= count {
        index - count
    } else {
        index
    }
}
