//! Walls as triangles, for pictures.
//!
//! Round walls become prisms of [`SEGMENTS`] sides. What has no end, a plane or a cylinder, is shown where
//! something is seen, and a little beyond.

use crate::rows_by_id::index32;
use core::f64::consts::TAU;
use std::collections::BTreeMap;
use tumble_math::LabVec;
use tumble_math::elementary::sin_cos;

/// Sides of the prism that stands for something round.
pub const SEGMENTS: u32 = 64;

/// How much farther than what is seen endless walls are shown.
const MARGIN: f64 = 0.1;

/// A surface as triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Corners, m.
    pub points: Vec<LabVec<f64>>,
    /// Three corners each, by their numbers.
    pub triangles: Vec<[u32; 3]>,
    /// Directions of length one along which the surface has no end, at right angles to each other: whoever shows it may
    /// draw it longer or shorter.
    pub endless: Vec<LabVec<f64>>,
}

impl Drawing {
    /// A rectangle of a plane, below and above all that is seen.
    pub fn patch(point: LabVec<f64>, normal: LabVec<f64>, seen: &Seen) -> Self {
        let [u, v] = across(normal);
        let ([u0, u1], [v0, v1]) = (seen.along(point, u), seen.along(point, v));
        let corners = [[u0, v0], [u1, v0], [u1, v1], [u0, v1]];
        Self {
            points: corners.map(|[a, b]| point + u * a + v * b).to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            endless: vec![u, v],
        }
    }

    /// A box between two corners, seen from inside.
    pub fn cuboid(low: LabVec<f64>, high: LabVec<f64>) -> Self {
        // Seen from inside, each face turns counter-clockwise.
        let faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Self { points: corners(low, high).to_vec(), triangles, endless: Vec::new() }
    }

    /// The mantle between two circles about an axis, and their discs if it is capped.
    pub fn frustum(ends: [LabVec<f64>; 2], radii: [f64; 2], axis: LabVec<f64>, capped: bool) -> Self {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        let [u, v] = across(axis);
        for segment in 0..SEGMENTS {
            let (sine, cosine) = sin_cos(TAU * f64::from(segment) / f64::from(SEGMENTS));
            let out = u * cosine + v * sine;
            points.extend((0..2).map(|end| ends[end] + out * radii[end]));
        }
        for segment in 0..SEGMENTS {
            let next = (segment + 1) % SEGMENTS;
            let ([a, b], [c, d]) = ([2 * segment, 2 * segment + 1], [2 * next, 2 * next + 1]);
            // At a tip the corners of one triangle fall together.
            let sides = [([a, c, b], radii[0]), ([c, d, b], radii[1])];
            triangles.extend(sides.iter().filter(|(_, radius)| *radius > 0.0).map(|(triangle, _)| triangle));
        }
        for end in (0..2).filter(|&end| capped && radii[end] > 0.0) {
            let centre = index32(points.len());
            points.push(ends[end]);
            let first = u32::from(end == 1);
            triangles.extend((0..SEGMENTS).map(|segment| {
                let (here, next) = (2 * segment + first, 2 * ((segment + 1) % SEGMENTS) + first);
                // Seen from outside, both caps turn counter-clockwise.
                if end == 0 { [centre, next, here] } else { [centre, here, next] }
            }));
        }
        Self { points, triangles, endless: Vec::new() }
    }

    /// Triangles whose equal corners become one.
    pub fn weld(triangles: impl Iterator<Item = [LabVec<f64>; 3]>) -> Self {
        let (mut points, mut welded) = (Vec::new(), Vec::new());
        let mut numbers = BTreeMap::new();
        for triangle in triangles {
            welded.push(triangle.map(|corner| {
                *numbers.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                    points.push(corner);
                    index32(points.len() - 1)
                })
            }));
        }
        Self { points, triangles: welded, endless: Vec::new() }
    }
}

/// The box that a picture shows: what is around all bodies and walls that have an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Lower corner, m.
    pub low: [f64; 3],
    /// Upper corner, m.
    pub high: [f64; 3],
}

impl Seen {
    /// Nothing yet.
    pub const NOTHING: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// Makes room for a ball.
    pub fn add(&mut self, point: LabVec<f64>, radius: f64) {
        for (axis, x) in point.to_array().into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(x - radius);
            self.high[axis] = self.high[axis].max(x + radius);
        }
    }

    /// From where to where a line through a point passes the box, as distances from the point, with a margin.
    pub fn along(&self, point: LabVec<f64>, direction: LabVec<f64>) -> [f64; 2] {
        let places = corners(LabVec::from_array(self.low), LabVec::from_array(self.high))
            .map(|corner| (corner - point).dot(direction));
        let (low, high) = places
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        let margin = MARGIN * (high - low);
        [low - margin, high + margin]
    }
}

/// The corners of a box; bit k of a number tells whether it is high along axis k.
fn corners(low: LabVec<f64>, high: LabVec<f64>) -> [LabVec<f64>; 8] {
    let (low, high) = (low.to_array(), high.to_array());
    core::array::from_fn(|corner| {
        LabVec::from_array(core::array::from_fn(
            |axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] },
        ))
    })
}

/// Two unit vectors at right angles to a third and to each other.
fn across(n: LabVec<f64>) -> [LabVec<f64>; 2] {
    let u = n.cross(n.farthest_axis());
    let u = u * (1.0 / u.norm());
    [u, n.cross(u)]
}
