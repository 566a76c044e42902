//! How far a point of the mesh can be from the surface of the spheres.
//!
//! For all points of a triangle at once:
//! - outside the union, the distance from one sphere is convex, so its largest value over the triangle is at a corner; any sphere gives a bound;
//! - inside, if the whole triangle shifted by t along its normal lies outside all spheres, every point of it is within t of the surface;
//! - everywhere, the distance changes no faster than the place: that of the middle plus the farthest corner's from it.

use super::{Bound, skin::Skin};
use crate::{Point, Solid};
use std::rc::Rc;

struct Piece {
    corners: [Point; 3],
    triangle: usize,
    /// Spheres that matter to this piece.
    near: Rc<Vec<u32>>,
    /// Up to shifts of this length.
    reach: f64,
    halvings: u32,
}

/// Pieces are not halved more often: the bound then stands as it is.
const MOST_HALVINGS: u32 = 60;

pub(super) fn bound(solid: &Solid, skin: &Skin, gap: f64, floor: f64) -> Bound {
    let mut found = Bound { upper: 0.0, lower: 0.0, at: solid.points()[0] };
    let all = Rc::new((0..).zip(skin.spheres).map(|(i, _)| i).collect::<Vec<u32>>());
    let raise = |found: &mut Bound, point: Point, distance: f64| {
        if distance > found.lower {
            *found = Bound { lower: distance, at: point, ..*found };
        }
    };
    // Corners first: a large value found early saves work everywhere else.
    for &point in solid.points() {
        raise(&mut found, point, skin.signed_distance(point));
    }
    let mut waiting = Vec::new();
    for triangle in 0..solid.triangles().len() {
        let corners = solid.corners(triangle);
        waiting.push(Piece { corners, triangle, near: all.clone(), reach: f64::INFINITY, halvings: 0 });
        while let Some(piece) = waiting.pop() {
            let allowed = (1.0 + gap) * found.lower + floor;
            let middle = (piece.corners[0] + piece.corners[1] + piece.corners[2]) * (1.0 / 3.0);
            let radius = piece.corners.iter().map(|&c| (c - middle).norm()).fold(0.0, f64::max);
            let outside = outside_bound(skin, &piece);
            let mut upper = f64::INFINITY;
            if outside <= allowed {
                let shift = allowed.min(piece.reach);
                if clears(skin, &piece, solid.normal(piece.triangle) * shift, middle, radius) {
                    upper = shift.max(outside);
                }
            }
            if upper > allowed {
                let signed = near_distance(skin, &piece.near, middle);
                let distance = if signed >= 0.0 { signed } else { skin.depth(middle) };
                raise(&mut found, middle, distance);
                upper = upper.min(distance + radius);
            }
            let allowed = (1.0 + gap) * found.lower + floor;
            if upper <= allowed || piece.halvings >= MOST_HALVINGS {
                found.upper = found.upper.max(upper);
                continue;
            }
            let reach = piece.reach.min(2.0 * allowed);
            let near = Rc::new(narrowed(skin, &piece, middle, radius, reach));
            waiting.extend(halves(&piece, &near, reach));
        }
    }
    found.upper = found.upper.max(found.lower) + floor;
    found
}

fn near_distance(skin: &Skin, near: &[u32], point: Point) -> f64 {
    near.iter()
        .map(|&i| {
            let s = &skin.spheres[i as usize];
            (point - s.centre).norm() - s.radius
        })
        .fold(f64::INFINITY, f64::min)
}

/// A bound of the distance from the union for all points of the piece: the best sphere's largest at a corner.
fn outside_bound(skin: &Skin, piece: &Piece) -> f64 {
    let [a, b, c] = piece.corners;
    piece
        .near
        .iter()
        .map(|&i| {
            let s = &skin.spheres[i as usize];
            let square = |p: Point| (p - s.centre).norm_squared();
            square(a).max(square(b)).max(square(c)).sqrt() - s.radius
        })
        .fold(f64::INFINITY, f64::min)
}

/// Whether the shifted triangle is outside all spheres.
fn clears(skin: &Skin, piece: &Piece, shift: Point, middle: Point, radius: f64) -> bool {
    let corners = piece.corners.map(|c| c + shift);
    piece.near.iter().all(|&i| {
        let s = &skin.spheres[i as usize];
        let far = s.radius + radius;
        (middle + shift - s.centre).norm_squared() >= far * far
            || crate::solid::distance_to_triangle(&corners, s.centre) >= s.radius
    })
}

/// The spheres that can matter to parts of a piece: those that may be nearest to a point of it, or reached by a shift.
fn narrowed(skin: &Skin, piece: &Piece, middle: Point, radius: f64, reach: f64) -> Vec<u32> {
    let nearest = near_distance(skin, &piece.near, middle);
    let limit = (nearest + 2.0 * radius).max(reach + radius);
    let away = |i: u32| {
        let s = &skin.spheres[i as usize];
        (middle - s.centre).norm() - s.radius
    };
    piece.near.iter().copied().filter(|&i| away(i) <= limit).collect()
}

/// The piece cut across its longest side.
fn halves(piece: &Piece, near: &Rc<Vec<u32>>, reach: f64) -> [Piece; 2] {
    let c = piece.corners;
    let lengths = [(c[1] - c[0]).norm(), (c[2] - c[1]).norm(), (c[0] - c[2]).norm()];
    let side = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
        0
    } else if lengths[1] >= lengths[2] {
        1
    } else {
        2
    };
    let [p, q, r] = [c[side], c[(side + 1) % 3], c[(side + 2) % 3]];
    let middle = (p + q) * 0.5;
    let (triangle, halvings) = (piece.triangle, piece.halvings + 1);
    [[p, middle, r], [middle, q, r]].map(|corners| Piece {
        corners,
        triangle,
        near: near.clone(),
        reach,
        halvings,
    })
}
