//! A mesh as plain tables of numbers, for those who look for touches elsewhere: as `contact` and `tree` use it.

use super::{Edge, Facet, TriangleMesh, Vertex};
use crate::physics::patch::{BORDER, EDGE};

/// Numbers of a triangle: point and normal of its face, three borders, which of them it owns, whether it is wide, three corners.
pub const FACET_NUMBERS: usize = 6 + 3 * BORDER + 4 + 9;
/// Whole numbers of a triangle: corners, edges, face; from the lowest bit on which edges and which corners are looked at with it,
/// and whether it is a needle.
pub const FACET_INDICES: usize = 8;
/// Whole numbers of an edge: its two ends, the first triangle, how often it counts (of 32 bits, with a sign), the feature.
pub const EDGE_INDICES: usize = 5;
/// Whole numbers of a corner: the first triangle, how often it counts, the feature.
pub const VERTEX_INDICES: usize = 3;

/// The tables of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshTables {
    /// [`FACET_NUMBERS`] each.
    pub facets: Vec<f64>,
    /// [`FACET_INDICES`] each.
    pub facet_indices: Vec<u32>,
    /// Numbers of an [`Edge`](crate::physics::patch::Edge) each.
    pub edges: Vec<f64>,
    /// [`EDGE_INDICES`] each.
    pub edge_indices: Vec<u32>,
    /// Three each.
    pub vertices: Vec<f64>,
    /// [`VERTEX_INDICES`] each.
    pub vertex_indices: Vec<u32>,
    /// The tree of boxes: low and high corner of each.
    pub boxes: Vec<f64>,
    /// Of each box where its triangles begin in `order` and how many they are; where they are none, its right half, the left one
    /// being the next box.
    pub box_indices: Vec<u32>,
    /// The triangles of the leaves.
    pub order: Vec<u32>,
    /// How far a corner is from the plane of its face at most, m.
    pub roughness: f64,
    /// m.
    pub longest_edge: f64,
}

impl TriangleMesh {
    /// All of it as tables.
    pub fn tables(&self) -> MeshTables {
        let (boxes, box_indices, order) = self.tree.tables();
        MeshTables {
            facets: self.facets.iter().flat_map(|facet| self.facet_numbers(facet)).collect(),
            facet_indices: self.facets.iter().flat_map(facet_indices).collect(),
            edges: self.edges.iter().flat_map(|edge| self.edge_numbers(edge)).collect(),
            edge_indices: self.edges.iter().flat_map(edge_indices).collect(),
            vertices: self.vertices.iter().flat_map(|vertex| vertex.point.to_array()).collect(),
            vertex_indices: self.vertices.iter().flat_map(vertex_indices).collect(),
            boxes,
            box_indices,
            order,
            roughness: self.roughness,
            longest_edge: self.longest_edge,
        }
    }

    fn facet_numbers(&self, facet: &Facet) -> [f64; FACET_NUMBERS] {
        let plane = &self.planes[facet.face as usize];
        let borders = (0..3).map(|k| [self.edges[facet.edges[k] as usize].start, facet.inward[k]]);
        let owned = facet.owns_edge.map(|owned| f64::from(u8::from(owned)));
        let wide = if facet.is_needle { 0.0 } else { 1.0 };
        let vectors = |vectors: &[tumble_math::LabVec<f64>]| -> Vec<f64> {
            vectors.iter().flat_map(|vector| vector.to_array()).collect()
        };
        let mut all = vectors(&[plane.point, plane.normal]);
        all.extend(vectors(&borders.flatten().collect::<Vec<_>>()));
        all.extend(owned);
        all.push(wide);
        all.extend(vectors(&facet.corners));
        core::array::from_fn(|k| all[k])
    }

    fn edge_numbers(&self, edge: &Edge) -> [f64; EDGE] {
        let [first, last] = edge.ends.map(|vertex| self.vertices[vertex as usize].point.to_array());
        let parts = [&edge.start.to_array()[..], &edge.along.to_array(), &[edge.length], &first, &last];
        let all = parts.concat();
        core::array::from_fn(|k| all[k])
    }
}

fn facet_indices(facet: &Facet) -> [u32; FACET_INDICES] {
    let ([a, b, c], [d, e, f]) = (facet.vertices, facet.edges);
    let flags = facet.owns_edge.into_iter().chain(facet.owns_vertex).chain([facet.is_needle]);
    let bits = flags.enumerate().fold(0, |bits, (k, flag)| bits | u32::from(flag) << k);
    [a, b, c, d, e, f, facet.face, bits]
}

fn edge_indices(edge: &Edge) -> [u32; EDGE_INDICES] {
    let [first, last] = edge.ends;
    [first, last, edge.first, edge.weight.cast_unsigned(), edge.feature]
}

fn vertex_indices(vertex: &Vertex) -> [u32; VERTEX_INDICES] {
    [vertex.first, vertex.weight.cast_unsigned(), vertex.feature]
}
