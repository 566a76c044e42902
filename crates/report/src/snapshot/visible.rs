//! Which discs can be seen: a picture of depths, pixel by pixel, of which each disc owns some or none.

use super::stone::Seen;
use super::view::Disc;

/// Discs that are drawn, from the farthest to the nearest, and how many could be seen.
pub(super) struct Visible {
    pub(super) discs: Vec<Disc>,
    pub(super) count: usize,
}

/// Picks the discs that own a pixel of a picture of this size; if those are more than `most`, the ones that own most.
pub(super) fn visible(discs: &[Disc], stones: &[Seen], size: (f64, f64), most: usize) -> Visible {
    let owned = pixels(discs, stones, size);
    let mut seen: Vec<usize> = (0..discs.len()).filter(|&number| owned[number] > 0).collect();
    let count = seen.len();
    if count > most {
        // The sort is stable: equal ones stay in their order, so the picture is the same each time.
        seen.sort_by_key(|&number| core::cmp::Reverse(owned[number]));
        seen.truncate(most);
        seen.sort_unstable();
    }
    let mut discs: Vec<Disc> = seen.into_iter().map(|number| discs[number]).collect();
    discs.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    Visible { discs, count }
}

/// How many pixels show each disc.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes of a picture, clamped")]
fn pixels(discs: &[Disc], stones: &[Seen], size: (f64, f64)) -> Vec<u32> {
    let (width, height) = (size.0.ceil().max(1.0) as usize, size.1.ceil().max(1.0) as usize);
    let mut nearest = vec![(f64::INFINITY, usize::MAX); width * height];
    for (number, disc) in discs.iter().enumerate() {
        // Even the smallest covers the pixel it is in.
        let reach = disc.radius.max(0.71);
        let range = |centre: f64, half: f64, end: usize| {
            let reach = reach + half.abs();
            let first = (centre - reach).floor().clamp(0.0, end as f64) as usize;
            first..((centre + reach).ceil().clamp(0.0, end as f64) as usize)
        };
        let [along_x, along_y, along] = disc.half;
        let square = along_x * along_x + along_y * along_y;
        for row in range(disc.y, along_y, height) {
            for column in range(disc.x, along_x, width) {
                let (dx, dy) = (column as f64 + 0.5 - disc.x, row as f64 + 0.5 - disc.y);
                if let Some(stone) = disc.stone {
                    let depth = stones[stone].depth([dx, dy]);
                    let is_middle = dx.abs().max(dy.abs()) <= 0.5;
                    let Some(depth) = depth.or(is_middle.then_some(0.0)) else { continue };
                    let pixel = &mut nearest[row * width + column];
                    if disc.depth + depth < pixel.0 {
                        *pixel = (disc.depth + depth, number);
                    }
                    continue;
                }
                // Where the pixel is along a part of a rod.
                let at = if square > 0.0 { (dx * along_x + dy * along_y) / square } else { 0.0 };
                let at = at.clamp(-1.0, 1.0);
                let (dx, dy) = (dx - at * along_x, dy - at * along_y);
                let left = disc.oval.map_or(reach * reach - dx * dx - dy * dy, |oval| {
                    let [xx, xy, yy] = oval.inverse;
                    1.0 - (xx * dx * dx + 2.0 * xy * dx * dy + yy * dy * dy)
                });
                // Even the smallest covers the pixel it is in.
                if left < 0.0 && dx.abs().max(dy.abs()) > 0.5 {
                    continue;
                }
                let bulge = disc.oval.map_or(1.0, |oval| oval.half_depth) * left.max(0.0).sqrt();
                let tilted = disc.oval.map_or(0.0, |oval| oval.tilt[0] * dx + oval.tilt[1] * dy);
                let depth = disc.depth + at * along + tilted - bulge;
                let pixel = &mut nearest[row * width + column];
                if depth < pixel.0 {
                    *pixel = (depth, number);
                }
            }
        }
    }
    let mut owned = vec![0; discs.len()];
    for (_, number) in nearest {
        if let Some(count) = owned.get_mut(number) {
            *count += 1;
        }
    }
    owned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_left_out_and_the_rest_is_sorted() {
        let disc = |x: f64, radius: f64, depth: f64, body| Disc {
            x,
            y: 50.0,
            half: [0.0; 3],
            radius,
            depth,
            group: 0,
            body,
            oval: None,
            stone: None,
        };
        let discs = [disc(30.0, 20.0, 0.0, 0), disc(30.0, 5.0, 40.0, 1), disc(70.0, 10.0, 90.0, 2)];
        let seen = visible(&discs, &[], (100.0, 100.0), 10);
        assert_eq!(seen.discs.iter().map(|disc| disc.body).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(seen.count, 2);
        let seen = visible(&discs, &[], (100.0, 100.0), 1);
        assert_eq!((seen.discs[0].body, seen.discs.len(), seen.count), (0, 1, 2));
    }
}
