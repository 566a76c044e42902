//! The order of bodies: those that are close in space follow each other.

use crate::bodies::Bodies;
use crate::parallel::Threads;
use crate::rows_by_id::index32;

/// Which row comes when in the order of the bodies: their ranks. All that is compared or sorted goes by ranks; a row is
/// only where a body lies. In an ordinary run rows lie in order, and nothing is looked up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// By rank, and by row. Empty where they are the same.
    rows: Vec<u32>,
    ranks: Vec<u32>,
}

impl Order {
    pub(crate) fn of(bodies: &Bodies, threads: &Threads) -> Self {
        if bodies.is_in_order(threads) {
            return Self::default();
        }
        let rows = bodies.rows_in_order(threads);
        let mut ranks = vec![0; rows.len()];
        for (rank, &row) in rows.iter().enumerate() {
            ranks[row as usize] = index32(rank);
        }
        Self { rows, ranks }
    }

    /// Whether every row is its own rank.
    pub(crate) fn is_that_of_rows(&self) -> bool {
        self.rows.is_empty()
    }

    #[inline(always)]
    pub(crate) fn row(&self, rank: u32) -> u32 {
        if self.rows.is_empty() { rank } else { self.rows[rank as usize] }
    }

    #[inline(always)]
    pub(crate) fn rank(&self, row: u32) -> u32 {
        if self.ranks.is_empty() { row } else { self.ranks[row as usize] }
    }
}

/// Where each row is on a Morton curve.
pub(crate) fn morton_places(bodies: &Bodies, threads: &Threads) -> Vec<u64> {
    places_on_curve(bodies.len(), |row| bodies.position.row(row), bodies.largest, threads)
}

/// Where positions are on a Morton curve through cells of the size of the largest body. The cells begin at the least
/// coordinates of all, which like the largest body do not depend on the rows.
pub(crate) fn places_on_curve(
    count: usize,
    position: impl Fn(usize) -> [f64; 3] + Sync + Send,
    largest: f64,
    threads: &Threads,
) -> Vec<u64> {
    let lower = |a: [f64; 3], b: [f64; 3]| core::array::from_fn(|axis| a[axis].min(b[axis]));
    let none = [f64::INFINITY; 3];
    let lows = threads.split_range(count, |rows| rows.into_iter().map(&position).fold(none, lower));
    let low = lows.into_iter().fold(none, lower);
    threads.collect(count, |row| place_on_curve(position(row), low, largest))
}

/// Where a position is on that curve.
pub(crate) fn place_on_curve(position: [f64; 3], low: [f64; 3], largest: f64) -> u64 {
    let [x, y, z] = core::array::from_fn(|axis| {
        let distance = position[axis] - low[axis];
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        {
            (distance / (2.0 * largest)).clamp(0.0, 2_097_151.0) as u64
        }
    });
    spread(x) | spread(y) << 1 | spread(z) << 2
}

/// Two zero bits after each of the lowest 21 bits.
fn spread(bits: u64) -> u64 {
    let mut x = bits & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn bits_are_spread_by_three() {
        for bit in 0..21 {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread(u64::MAX).count_ones(), 21);
    }
}
