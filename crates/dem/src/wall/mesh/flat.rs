//! Which neighbouring triangles lie in one plane, and that plane.
//!
//! Starting from the largest triangle not yet in a face, a face spreads over edges to triangles whose
//! normal is that of the first up to the flat angle and what the error of the coordinates does to it. The
//! windings along a shared edge tell which way up the neighbour is, so that a surface folded back onto
//! itself is not taken for flat. Needles, whose normal means nothing, join whichever face reaches them
//! first; so they close the gaps they were made to close.

use super::topology::Topology;
use super::{FacePlane, index};
use tumble_math::LabVec;

/// However uncertain, normals that differ by more than this are not the same, rad.
const LARGEST_FLAT_ANGLE: f64 = 0.25;

pub(super) struct Faces {
    pub(super) planes: Vec<FacePlane>,
    pub(super) of_triangle: Vec<u32>,
    /// Whether a triangle's winding is against the normal of its face.
    pub(super) flipped: Vec<bool>,
}

pub(super) fn faces(topology: &Topology, flat_angle: f64, coordinate_error: f64) -> Faces {
    let count = topology.triangles.len();
    let mut by_size: Vec<u32> = (0..index(count)).collect();
    // Needles last: all of them have been reached from a neighbour with an area by then.
    let size = |t: u32| topology.triangles[t as usize].area.norm_squared();
    let needle = |t: u32| topology.triangles[t as usize].is_needle;
    by_size.sort_by(|&a, &b| needle(a).cmp(&needle(b)).then(size(b).total_cmp(&size(a))).then(a.cmp(&b)));
    let mut seed_of = vec![None; count];
    let mut flipped = vec![false; count];
    let mut waiting = Vec::new();
    for seed in by_size {
        if seed_of[seed as usize].is_some() {
            continue;
        }
        let first = &topology.triangles[seed as usize];
        let normal = unit(first.area);
        let doubt = |height: f64| if height > 0.0 { 4.0 * coordinate_error / height } else { 1.0 };
        seed_of[seed as usize] = Some(seed);
        waiting.push(seed);
        while let Some(t) = waiting.pop() {
            let triangle = &topology.triangles[t as usize];
            for k in 0..3 {
                for &other in topology.at_edge(triangle.edges[k]) {
                    if seed_of[other as usize].is_some() {
                        continue;
                    }
                    let neighbour = &topology.triangles[other as usize];
                    let Some(j) = neighbour.edges.iter().position(|&edge| edge == triangle.edges[k]) else {
                        continue;
                    };
                    let against = triangle.forward[k] == neighbour.forward[j];
                    let flip = flipped[t as usize] != against;
                    let tolerance = flat_angle + doubt(first.height) + doubt(neighbour.height);
                    let its = unit(neighbour.area) * if flip { -1.0 } else { 1.0 };
                    if neighbour.is_needle || (its - normal).norm() <= tolerance.min(LARGEST_FLAT_ANGLE) {
                        seed_of[other as usize] = Some(seed);
                        flipped[other as usize] = flip;
                        waiting.push(other);
                    }
                }
            }
        }
    }
    numbered(topology, &seed_of, flipped)
}

/// Numbers the faces by their first triangles and fits their planes.
fn numbered(topology: &Topology, seed_of: &[Option<u32>], flipped: Vec<bool>) -> Faces {
    let mut number_of_seed = vec![None; seed_of.len()];
    let mut of_triangle = Vec::with_capacity(seed_of.len());
    let mut count = 0;
    for seed in seed_of {
        let number = seed.map_or(0, |seed| {
            *number_of_seed[seed as usize].get_or_insert_with(|| {
                count += 1;
                count - 1
            })
        });
        of_triangle.push(number);
    }
    let planes = fitted(topology, &of_triangle, &flipped, count as usize);
    Faces { planes, of_triangle, flipped }
}

/// The sum of the areas is an integral along the boundary of the face: the errors of corners within cancel,
/// and the normal is as good as the whole face is large. The point is the centre of the area.
fn fitted(topology: &Topology, of_triangle: &[u32], flipped: &[bool], count: usize) -> Vec<FacePlane> {
    let mut area = vec![LabVec::<f64>::zero(); count];
    let mut weight = vec![0.0; count];
    let mut moment = vec![LabVec::<f64>::zero(); count];
    let mut origin = vec![None; count];
    for (t, triangle) in topology.triangles.iter().enumerate() {
        let face = of_triangle[t] as usize;
        let [a, b, c] = triangle.vertices.map(|v| topology.points[v as usize]);
        // From a point of the face, so that a face far from the origin loses nothing.
        let origin = *origin[face].get_or_insert(a);
        let size = triangle.area.norm();
        area[face] = area[face] + triangle.area * if flipped[t] { -1.0 } else { 1.0 };
        moment[face] = moment[face] + ((a - origin) + (b - origin) + (c - origin)) * (size / 3.0);
        weight[face] += size;
    }
    (0..count)
        .map(|face| {
            let centre =
                if weight[face] > 0.0 { moment[face] * (1.0 / weight[face]) } else { LabVec::zero() };
            let origin = origin[face].unwrap_or(LabVec::zero());
            FacePlane { point: origin + centre, normal: unit(area[face]) }
        })
        .collect()
}

fn unit(v: LabVec<f64>) -> LabVec<f64> {
    let length = v.norm();
    if length > 0.0 { v * (1.0 / length) } else { LabVec::zero() }
}
