//! Names of guides, written along the lines themselves where they lie farthest apart.

use super::Mark;
use super::legend::Legend;
use super::panel::Place;
use super::svg::{Anchor, Svg};

/// How far from the frame a name begins, and from its line, px.
const INSET: f64 = 10.0;
const RAISED: f64 = 4.0;

/// A stretch of a guide in the frame, from left to right.
type Stretch = [(f64, f64); 2];

/// Writes the names of all guides of a panel.
pub(super) fn name_guides(svg: &mut Svg, place: &Place<'_>, legend: &Legend) {
    let guides = place.panel.series.iter().filter(|series| series.mark == Mark::Guide);
    let guides = guides.filter(|series| !series.label.is_empty());
    let named: Vec<_> = guides
        .filter_map(|series| {
            let points: Vec<(f64, f64)> = series.points.iter().filter_map(|&(x, y)| place.at(x, y)).collect();
            Some((series, visible(&points, place.frame)?))
        })
        .collect();
    let nearest = |end: usize| {
        let mut nearest = f64::INFINITY;
        for (i, (_, a)) in named.iter().enumerate() {
            for (_, b) in &named[..i] {
                nearest = nearest.min((a[end].0 - b[end].0).hypot(a[end].1 - b[end].1));
            }
        }
        nearest
    };
    let end = usize::from(nearest(1) >= nearest(0));
    for (series, stretch) in &named {
        let [from, to] = *stretch;
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let (ux, uy) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let inwards = if end == 0 { INSET } else { -INSET };
        // Along the line, and to its upper side.
        let at = (stretch[end].0 + inwards * ux + RAISED * uy, stretch[end].1 + inwards * uy - RAISED * ux);
        let degrees = uy.atan2(ux).to_degrees();
        let key = legend.key(series);
        svg.open(&format!("class=\"{}\" color=\"{}\"", key.style.class(), key.style.colour()));
        svg.line_label(at, degrees, if end == 0 { Anchor::Start } else { Anchor::End }, &key.label);
        svg.close();
    }
}

/// The part of a line in a frame, as its two ends; none if it is too short for a name.
fn visible(points: &[(f64, f64)], frame: [f64; 4]) -> Option<Stretch> {
    let inside = points.windows(2).filter_map(|ends| clipped([ends[0], ends[1]], frame));
    let mut ends: Option<Stretch> = None;
    for piece in inside {
        ends = Some(ends.map_or(piece, |whole| [whole[0], piece[1]]));
    }
    let [mut a, mut b] = ends?;
    if a.0 > b.0 {
        (a, b) = (b, a);
    }
    ((b.0 - a.0).hypot(b.1 - a.1) > 40.0).then_some([a, b])
}

/// A straight line cut off at a frame (Liang and Barsky's rule).
fn clipped([a, b]: Stretch, [left, top, width, height]: [f64; 4]) -> Option<Stretch> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for (step, room) in
        [(-dx, a.0 - left), (dx, left + width - a.0), (-dy, a.1 - top), (dy, top + height - a.1)]
    {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            from = from.max(room / step);
        } else {
            to = to.min(room / step);
        }
    }
    let at = |part: f64| (a.0 + part * dx, a.1 + part * dy);
    (from < to).then(|| [at(from), at(to)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_off_at_the_frame() {
        let frame = [0.0, 0.0, 100.0, 50.0];
        assert_eq!(clipped([(-50.0, 25.0), (150.0, 25.0)], frame), Some([(0.0, 25.0), (100.0, 25.0)]));
        assert_eq!(clipped([(0.0, -50.0), (100.0, 50.0)], frame), Some([(50.0, 0.0), (100.0, 50.0)]));
        assert_eq!(clipped([(0.0, 60.0), (100.0, 70.0)], frame), None);
    }
}
