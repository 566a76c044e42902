//! The touches of a sphere with a mesh: local minima of the distance to the surface.
//!
//! Let c be the centre. A face is a local minimum if the foot of c is inside; an edge, if the foot is between
//! its ends and c is on the outer side of the edge for **every** triangle there, (c − a)·m ≤ 0 with m across
//! the edge into the triangle; a vertex v, if (c − v)·e ≤ 0 for **every** edge direction e from it.
//!
//! Rounding must neither lose a contact where these regions meet, nor count it twice. So every condition is
//! met with a slack much larger than the rounding of its evaluation: a true minimum then always passes. What
//! passes besides has the same point of contact within a few slacks, and of such touches only one is kept: a
//! face before an edge before a vertex, which is the order of the features' numbers. All triangles of one
//! face share its plane, so the touch is the same whichever of them finds it.

use super::{Edge, Facet, TriangleMesh, Vertex};
use crate::wall::Touch;
use tumble_math::LabVec;

/// Part of the radius plus the longest edge: a thousand times the rounding, yet nothing a sphere could feel.
const SLACK: f64 = 1e-12;

/// What one search needs.
struct Search<'a> {
    centre: LabVec<f64>,
    radius: f64,
    slack: f64,
    /// Points of contact nearer than this are one.
    same: f64,
    found: &'a mut Vec<Touch>,
    first: usize,
}

impl TriangleMesh {
    /// Appends the touches of a sphere with the triangles `candidates`; see
    /// [`Shape::touches`](crate::wall::Shape::touches).
    ///
    /// # Panics
    /// If a candidate is not a triangle of the mesh.
    pub fn touches(&self, centre: LabVec<f64>, radius: f64, candidates: &[u32], found: &mut Vec<Touch>) {
        let slack = SLACK * (radius + self.longest_edge);
        let same = 8.0 * slack + 2.0 * self.roughness;
        let first = found.len();
        let mut search = Search { centre, radius, slack, same, found, first };
        for &t in candidates {
            self.touches_of(&self.facets[t as usize], &mut search);
        }
    }

    /// The touches of a triangle's face, and of the edges and vertices that no earlier triangle has. A
    /// contact of those is near all their triangles, so the first of these is always a candidate.
    #[inline]
    fn touches_of(&self, facet: &Facet, search: &mut Search) {
        let plane = &self.planes[facet.face as usize];
        let height = (search.centre - plane.point).dot(plane.normal);
        if height.is_nan() || height.abs() >= search.radius + self.roughness {
            return;
        }
        let inside: [f64; 3] =
            std::array::from_fn(|k| (search.centre - facet.corners[k]).dot(facet.inward[k]));
        if inside.iter().any(|&f| f < -search.radius - search.slack) {
            return;
        }
        if inside.iter().all(|&f| f >= -search.slack) && !facet.is_needle {
            let normal = if height < 0.0 { -plane.normal } else { plane.normal };
            search.add(facet.face, normal, height.abs());
        }
        for (k, &f) in inside.iter().enumerate() {
            if facet.owns_edge[k] && f <= search.slack {
                self.touch_edge(&self.edges[facet.edges[k] as usize], plane.normal, search);
            }
            if facet.owns_vertex[k] {
                self.touch_vertex(&self.vertices[facet.vertices[k] as usize], plane.normal, search);
            }
        }
    }

    fn touch_edge(&self, edge: &Edge, any_normal: LabVec<f64>, search: &mut Search) {
        let from_start = search.centre - edge.start;
        let along = from_start.dot(edge.along);
        if along < -search.slack || along > edge.length + search.slack {
            return;
        }
        let sides = &self.sides[edge.sides[0] as usize..edge.sides[1] as usize];
        if sides.iter().all(|&inward| from_start.dot(inward) <= search.slack) {
            search.add_towards(edge.feature, from_start - edge.along * along, any_normal);
        }
    }

    fn touch_vertex(&self, vertex: &Vertex, any_normal: LabVec<f64>, search: &mut Search) {
        let from_vertex = search.centre - vertex.point;
        let ways = &self.ways[vertex.ways[0] as usize..vertex.ways[1] as usize];
        if ways.iter().all(|&way| from_vertex.dot(way) <= search.slack) {
            search.add_towards(vertex.feature, from_vertex, any_normal);
        }
    }
}

impl Search<'_> {
    /// A touch at a point from which the centre is seen along `arm`. `any_normal` serves a centre at the very
    /// point.
    fn add_towards(&mut self, feature: u32, arm: LabVec<f64>, any_normal: LabVec<f64>) {
        let distance = arm.norm();
        let normal = if distance > 0.0 { arm * (1.0 / distance) } else { any_normal };
        self.add(feature, normal, distance);
    }

    fn add(&mut self, feature: u32, normal: LabVec<f64>, distance: f64) {
        if distance >= self.radius {
            return;
        }
        let touch = Touch { feature, normal, overlap: self.radius - distance };
        for known in &mut self.found[self.first..] {
            let known_distance = self.radius - known.overlap;
            // One touch at a point, and one of each feature: it is the key of a history.
            if known.feature == feature
                || (known.normal * known_distance - normal * distance).norm() <= self.same
            {
                if feature < known.feature {
                    *known = touch;
                }
                return;
            }
        }
        self.found.push(touch);
    }
}
