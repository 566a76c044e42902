//! How far a point of the surface of the spheres can be from the mesh.
//!
//! Each sphere is cut into spherical triangles, halved where need be. A cell is done with if another sphere covers it whole, or if
//! - it lies outside the mesh: from a centre at the depth φ inside, the straight way to any point of a sphere of radius r crosses the mesh at φ or later, so no
//!   point outside is farther than r − φ; or
//! - the distance at its middle, plus the farthest corner's from there, is small enough, as distances change no faster than places.

use super::{Bound, skin::Skin};
use crate::{Point, Solid};

/// Cells are not halved more often: the bound then stands as it is.
const MOST_HALVINGS: u32 = 60;

pub(super) fn bound(solid: &Solid, skin: &Skin, gap: f64, floor: f64) -> Bound {
    let mut found = Bound { upper: 0.0, lower: 0.0, at: skin.spheres[0].centre };
    // Spheres in the order of how far they stick out: a large value found early saves work.
    let mut order: Vec<(f64, usize)> =
        skin.spheres.iter().enumerate().map(|(i, s)| (s.radius - solid.depth(s.centre), i)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for &(sticks_out, i) in &order {
        let sphere = &skin.spheres[i];
        let around = &skin.neighbours[i];
        // The point that sticks out farthest, and one on the other side.
        let (nearest, _) = solid.nearest(sphere.centre);
        for out in [(nearest - sphere.centre).unit(), -(nearest - sphere.centre).unit()] {
            let tip = sphere.centre + out * sphere.radius;
            if skin.is_exposed(tip, around) {
                raise(&mut found, tip, solid.depth(tip).abs());
            }
        }
        let mut waiting: Vec<([Point; 3], u32)> = octants().map(|cell| (cell, 0)).to_vec();
        while let Some((cell, halvings)) = waiting.pop() {
            let out = (cell[0] + cell[1] + cell[2]).unit();
            let middle = sphere.centre + out * sphere.radius;
            let radius = sphere.radius * cell.iter().map(|&c| (c - out).norm()).fold(0.0, f64::max);
            let is_covered = around.iter().any(|&j| {
                let other = &skin.spheres[j as usize];
                (middle - other.centre).norm() + radius <= other.radius
            });
            if is_covered {
                continue;
            }
            let depth = solid.depth(middle);
            if depth.abs() > found.lower && skin.is_exposed(middle, around) {
                raise(&mut found, middle, depth.abs());
            }
            let allowed = (1.0 + gap) * found.lower + floor;
            let upper = if depth < -radius {
                sticks_out.min(radius - depth)
            } else {
                (depth.max(0.0) + radius).max(sticks_out.min(radius - depth))
            };
            if upper <= allowed || halvings >= MOST_HALVINGS {
                found.upper = found.upper.max(upper);
                continue;
            }
            waiting.extend(halves(cell).map(|half| (half, halvings + 1)));
        }
    }
    found.upper = found.upper.max(found.lower) + floor;
    found
}

fn raise(found: &mut Bound, point: Point, distance: f64) {
    if distance > found.lower {
        *found = Bound { lower: distance, at: point, ..*found };
    }
}

/// The eight right-angled triangles of the unit sphere.
fn octants() -> [[Point; 3]; 8] {
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i & bit == 0 { 1.0 } else { -1.0 };
        [Point::new(sign(1), 0.0, 0.0), Point::new(0.0, sign(2), 0.0), Point::new(0.0, 0.0, sign(4))]
    })
}

/// A spherical triangle cut across its longest side.
fn halves([a, b, c]: [Point; 3]) -> [[Point; 3]; 2] {
    let lengths = [(b - a).norm_squared(), (c - b).norm_squared(), (a - c).norm_squared()];
    let [p, q, r] = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
        [a, b, c]
    } else if lengths[1] >= lengths[2] {
        [b, c, a]
    } else {
        [c, a, b]
    };
    let middle = (p + q).unit();
    [[p, middle, r], [middle, q, r]]
}
