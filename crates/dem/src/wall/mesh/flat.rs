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
    let mut spread = Spread {
        topology,
        flat_angle,
        coordinate_error,
        seed_of: vec![None; count],
        flipped: vec![false; count],
        waiting: Vec::new(),
    };
    for seed in by_size {
        if spread.seed_of[seed as usize].is_none() {
            spread.from(seed);
        }
    }
    numbered(topology, &spread.seed_of, spread.flipped)
}

/// Faces on their way over a surface.
struct Spread<'a> {
    topology: &'a Topology,
    flat_angle: f64,
    coordinate_error: f64,
    /// The triangle that the face of each started from.
    seed_of: Vec<Option<u32>>,
    flipped: Vec<bool>,
    waiting: Vec<u32>,
}

impl Spread<'_> {
    fn from(&mut self, seed: u32) {
        self.seed_of[seed as usize] = Some(seed);
        self.waiting.push(seed);
        while let Some(t) = self.waiting.pop() {
            for k in 0..3 {
                self.over_edge(seed, t, k);
            }
        }
    }

    /// Takes the neighbours over edge k of triangle t into the face of the seed, if they are in its plane.
    fn over_edge(&mut self, seed: u32, t: u32, k: usize) {
        let topology = self.topology;
        let (first, triangle) = (&topology.triangles[seed as usize], &topology.triangles[t as usize]);
        let edge = triangle.edges[k];
        for &other in topology.at_edge(edge) {
            let neighbour = &topology.triangles[other as usize];
            let place = neighbour.edges.iter().position(|&its| its == edge);
            let (None, Some(j)) = (self.seed_of[other as usize], place) else { continue };
            // Neighbours the same way up walk their common edge in opposite directions.
            let flip = self.flipped[t as usize] != (triangle.forward[k] == neighbour.forward[j]);
            let normal = neighbour.area.unit() * if flip { -1.0 } else { 1.0 };
            let tolerance = self.flat_angle + self.doubt(first.height) + self.doubt(neighbour.height);
            let apart = (normal - first.area.unit()).norm();
            if neighbour.is_needle || apart <= tolerance.min(LARGEST_FLAT_ANGLE) {
                self.seed_of[other as usize] = Some(seed);
                self.flipped[other as usize] = flip;
                self.waiting.push(other);
            }
        }
    }

    /// How far the normal of a triangle may be off for the error of its corners, rad.
    fn doubt(&self, height: f64) -> f64 {
        if height > 0.0 { 4.0 * self.coordinate_error / height } else { 1.0 }
    }
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
    let mut sums = vec![FaceSums::default(); count];
    for (t, triangle) in topology.triangles.iter().enumerate() {
        let sums = &mut sums[of_triangle[t] as usize];
        let [a, b, c] = triangle.vertices.map(|v| topology.points[v as usize]);
        // From a point of the face, so that a face far from the origin loses nothing.
        let origin = *sums.origin.get_or_insert(a);
        let size = triangle.area.norm();
        sums.area.add(triangle.area * if flipped[t] { -1.0 } else { 1.0 });
        sums.moment.add(((a - origin) + (b - origin) + (c - origin)) * (size / 3.0));
        sums.size += size;
    }
    let plane = |sums: FaceSums| {
        let centre = if sums.size > 0.0 { sums.moment.total() * (1.0 / sums.size) } else { LabVec::zero() };
        FacePlane { point: sums.origin.unwrap_or(LabVec::zero()) + centre, normal: sums.area.total().unit() }
    };
    sums.into_iter().map(plane).collect()
}

#[derive(Clone, Copy, Default)]
struct FaceSums {
    origin: Option<LabVec<f64>>,
    size: f64,
    area: Sum,
    moment: Sum,
}

/// A sum that keeps what rounding takes off (Kahan): thousands of equal triangles would tilt their plane.
#[derive(Clone, Copy, Default)]
struct Sum {
    rounded: [f64; 3],
    excess: [f64; 3],
}

impl Sum {
    fn add(&mut self, v: LabVec<f64>) {
        for ((sum, excess), x) in self.rounded.iter_mut().zip(&mut self.excess).zip(v.to_array()) {
            let missing = x - *excess;
            let next = *sum + missing;
            *excess = (next - *sum) - missing;
            *sum = next;
        }
    }

    fn total(self) -> LabVec<f64> {
        LabVec::from_array(self.rounded)
    }
}
