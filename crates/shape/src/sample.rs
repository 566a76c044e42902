//! Points that stand for a solid: evenly spread over its faces, on its sharp edges and corners, where errors are largest, and in its core.

use crate::{Point, Solid};
use std::collections::HashMap;
use tumble_dem::random::Random;

/// A point of the surface, or of the core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) at: Point,
    /// Outwards; zero in the core.
    pub(crate) normal: Point,
    /// The area it stands for, m²; nothing for points on edges and at corners, which have none.
    pub(crate) area: f64,
    /// Zero on the surface. In the core, the error that is allowed: what lies deeper than that has to be inside the spheres, or their surface would
    /// have a point that is too far from the mesh.
    pub(crate) core: f64,
}

/// Edges bend by more than 30° where the mean of two unit normals is shorter than this; corners likewise.
const SHARP: f64 = 0.966;

/// About this many points; another seed gives others.
pub(crate) fn samples(solid: &Solid, about: usize, seed: u64) -> Vec<Sample> {
    let start = Random::new(seed).uniform();
    let area: f64 = (0..solid.triangles().len()).map(|t| area_of(solid.corners(t))).sum();
    let each = area / about as f64;
    let spacing = each.sqrt();
    let mut samples = Vec::with_capacity(2 * about);
    on_faces(solid, each, start, &mut samples);
    on_edges(solid, spacing, start, &mut samples);
    at_corners(solid, spacing, &mut samples);
    samples
}

fn area_of([a, b, c]: [Point; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).norm()
}

/// Long triangles are halved until they are as short as the spacing; then points are set so that each stands for as much area.
fn on_faces(solid: &Solid, each: f64, start: f64, samples: &mut Vec<Sample>) {
    let longest = 1.6 * each.sqrt();
    let mut open = 0.75 * each * start;
    let mut waiting = Vec::new();
    for triangle in 0..solid.triangles().len() {
        let normal = solid.normal(triangle);
        waiting.push(solid.corners(triangle));
        while let Some(corners) = waiting.pop() {
            let [a, b, c] = corners;
            let lengths = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
            let side = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
                0
            } else if lengths[1] >= lengths[2] {
                1
            } else {
                2
            };
            if lengths[side] > longest {
                let [p, q, r] = [corners[side], corners[(side + 1) % 3], corners[(side + 2) % 3]];
                let middle = (p + q) * 0.5;
                waiting.push([p, middle, r]);
                waiting.push([middle, q, r]);
                continue;
            }
            open += area_of(corners);
            if open >= 0.75 * each {
                samples.push(Sample { at: (a + b + c) * (1.0 / 3.0), normal, area: open, core: 0.0 });
                open = 0.0;
            }
        }
    }
}

fn on_edges(solid: &Solid, spacing: f64, start: f64, samples: &mut Vec<Sample>) {
    let mut open = spacing * start;
    for (triangle, corners) in solid.triangles().iter().enumerate() {
        for edge in 0..3 {
            let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
            let normal = solid.edge_normal(triangle, edge);
            if from > to || 0.5 * normal.norm() > SHARP {
                continue;
            }
            let (start, end) = (solid.points()[from as usize], solid.points()[to as usize]);
            let length = (end - start).norm();
            open += length;
            let mut count = 0.0;
            while open >= spacing {
                open -= spacing;
                count += 1.0;
            }
            let mut step = 0.5;
            while step < count {
                let at = start + (end - start) * (step / count);
                samples.push(Sample { at, normal: normal.unit(), area: 0.0, core: 0.0 });
                step += 1.0;
            }
        }
    }
}

/// Sharp corners, of those nearer than half the spacing the sharpest.
#[allow(clippy::cast_possible_truncation, reason = "cells of a mesh whose size is much more than a spacing")]
fn at_corners(solid: &Solid, spacing: f64, samples: &mut Vec<Sample>) {
    let points = solid.points();
    // How even the normals of the faces at a corner are: the shortest sum of two neighbours'.
    let mut flatness = vec![1.0_f64; points.len()];
    for (triangle, corners) in solid.triangles().iter().enumerate() {
        for (edge, &corner) in corners.iter().enumerate() {
            let flat = 0.5 * solid.edge_normal(triangle, edge).norm();
            for end in [corner, corners[(edge + 1) % 3]] {
                flatness[end as usize] = flatness[end as usize].min(flat);
            }
        }
    }
    let cell = |point: Point| point.to_array().map(|x| (x / (0.5 * spacing)).floor() as i64);
    let mut sharpest: HashMap<[i64; 3], usize> = HashMap::new();
    for (number, &point) in points.iter().enumerate().filter(|(number, _)| flatness[*number] < SHARP) {
        let best = sharpest.entry(cell(point)).or_insert(number);
        if flatness[number] < flatness[*best] {
            *best = number;
        }
    }
    let mut kept: Vec<usize> = sharpest.into_values().collect();
    kept.sort_unstable();
    samples.extend(kept.into_iter().map(|number| Sample {
        at: points[number],
        normal: solid.point_normal(number),
        area: 0.0,
        core: 0.0,
    }));
}

/// Points that lie deeper than an error: just below the points of the surface, and all through the inside.
pub(crate) fn core(solid: &Solid, surface: &[Sample], error: f64) -> Vec<Sample> {
    /// Points of the inside along each axis.
    const ACROSS: u32 = 12;
    let mut samples = Vec::with_capacity(surface.len());
    let mut push = |at: Point, normal: Point| {
        if solid.depth(at) >= 0.98 * error {
            samples.push(Sample { at, normal, area: 0.0, core: error });
        }
    };
    for sample in surface.iter().step_by(2) {
        push(sample.at - sample.normal * error, sample.normal);
    }
    let [low, high] = solid.bounds();
    let steps = |from: f64, to: f64| {
        (0..ACROSS).map(move |i| from + (to - from) * (f64::from(i) + 0.5) / f64::from(ACROSS))
    };
    for x in steps(low.x, high.x) {
        for y in steps(low.y, high.y) {
            for z in steps(low.z, high.z) {
                push(Point::new(x, y, z), Point::zero());
            }
        }
    }
    samples
}
