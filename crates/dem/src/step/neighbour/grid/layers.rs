//! Which image of a ball is nearest to another one, also where layers of the domain are displaced; and in which cells others are near it then.

use super::{Grid, Ranges};
use crate::domain::{Image, Tilt};

/// The squared distance to the nearest image, and which image that is.
#[inline(always)]
pub(super) fn nearest_image(lengths: &[f64; 3], from: [f64; 3], to: [f64; 3]) -> (f64, Image) {
    let mut steps = [0; 3];
    let mut sum = 0.0;
    for axis in 0..3 {
        let mut d = to[axis] - from[axis];
        if lengths[axis].is_finite() {
            let turns = (d / lengths[axis]).round();
            d -= turns * lengths[axis];
            #[allow(
                clippy::cast_possible_truncation,
                reason = "positions are within one length of the domain"
            )]
            {
                steps[axis] = -(turns as i8);
            }
        }
        sum += d * d;
    }
    (sum, Image::new(steps))
}

/// The same where layers are displaced: the layer first, then the image in it.
#[inline(always)]
pub(super) fn nearest_image_in_layers(
    lengths: &[f64; 3],
    tilt: &Tilt,
    from: [f64; 3],
    mut to: [f64; 3],
) -> (f64, Image) {
    let turns = ((to[tilt.gradient] - from[tilt.gradient]) / lengths[tilt.gradient]).round();
    to[tilt.flow] -= turns * tilt.by;
    // Less than one and a half lengths away, but for rounding: one image more than there are would be the nearest one then.
    let most = (1.5 - 1e-12) * lengths[tilt.flow];
    to[tilt.flow] = from[tilt.flow] + (to[tilt.flow] - from[tilt.flow]).clamp(-most, most);
    nearest_image(lengths, from, to)
}

impl Grid {
    /// Where layers are displaced: the cells in that of the ball and in those beside it, none of them twice, and in how many layers.
    pub(super) fn layers(&self, tilt: &Tilt, at: f64, reach: f64, ranges: Ranges) -> ([Ranges; 3], usize) {
        let (flow, gradient) = (tilt.flow, tilt.gradient);
        let (n, (from, to)) = (self.cells[gradient], ranges[gradient]);
        let (mut layers, mut count) = ([ranges; 3], 0);
        if to - from + 1 >= n {
            // Each cell counts to several layers.
            layers[0][flow] = (0, self.cells[flow] - 1);
            return (layers, 1);
        }
        let parts = [(-1.0, from, to.min(-1)), (0.0, from.max(0), to.min(n - 1)), (1.0, from.max(n), to)];
        for (turns, from, to) in parts.into_iter().filter(|(_, from, to)| from <= to) {
            let seen = self.low[flow] + (at - turns * tilt.by - self.low[flow]).rem_euclid(self.along_flow);
            layers[count][gradient] = (from, to);
            layers[count][flow] = self.range(flow, seen, reach);
            count += 1;
        }
        (layers, count)
    }
}
