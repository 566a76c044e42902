//! The order of rows in memory: bodies that are close in space lie close to each other.

use crate::bodies::Bodies;

/// Rows along a Morton curve through cells of the size of the largest body; within a cell by id.
pub(crate) fn morton_order(bodies: &Bodies) -> Vec<u32> {
    let largest = bodies.bounding.iter().fold(0.0, |a: f64, &b| a.max(b));
    let low = bodies
        .position
        .iter()
        .fold([f64::INFINITY; 3], |low, position| core::array::from_fn(|axis| low[axis].min(position[axis])));
    let key = |row: usize| {
        let [x, y, z] = bodies.position.row(row);
        let cells = [x - low[0], y - low[1], z - low[2]].map(|distance| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            {
                (distance / (2.0 * largest)).clamp(0.0, 2_097_151.0) as u64
            }
        });
        spread(cells[0]) | spread(cells[1]) << 1 | spread(cells[2]) << 2
    };
    let mut keys: Vec<(u64, u32, u32)> =
        (0u32..).zip(&bodies.id).map(|(row, &id)| (key(row as usize), id, row)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, _, row)| row).collect()
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
