//! Which triangles share which edges and vertices.

use super::{Error, index};
use tumble_math::LabVec;

/// Triangles, edges and their neighbourhoods, before any plane is fitted.
pub(super) struct Topology {
    pub(super) points: Vec<LabVec<f64>>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) edges: Vec<[u32; 2]>,
    /// The triangles at each edge, ascending: `uses[edge_starts[e]..edge_starts[e + 1]]`.
    edge_starts: Vec<u32>,
    uses: Vec<u32>,
    /// Triangles dropped for having no area and no neighbour that has.
    pub(super) stray_needles: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Triangle {
    pub(super) vertices: [u32; 3],
    /// Edge k goes from vertex k to the next.
    pub(super) edges: [u32; 3],
    /// Whether it goes from the smaller vertex number to the larger.
    pub(super) forward: [bool; 3],
    /// Along the normal by the winding, twice the area long.
    pub(super) area: LabVec<f64>,
    /// The smallest height.
    pub(super) height: f64,
    /// Whether the corners cannot be told from points on a line, so that the normal means nothing.
    pub(super) is_needle: bool,
}

impl Topology {
    /// What triangles share, of which at most so many may be at one edge.
    pub(super) fn new(
        points: Vec<LabVec<f64>>,
        triangles: Vec<[u32; 3]>,
        coordinate_error: f64,
        most: usize,
    ) -> Result<Self, Error> {
        let triangles: Vec<_> = triangles
            .into_iter()
            .map(|vertices| Triangle::new(&points, vertices, coordinate_error))
            .collect();
        let given = triangles.len();
        let mut topology = Self::connect(points, triangles);
        topology.check_edges(most)?;
        let attached = topology.attached();
        if attached.contains(&false) {
            let Self { points, mut triangles, .. } = topology;
            let mut keep = attached.into_iter();
            triangles.retain(|_| keep.next().unwrap_or(false));
            topology = Self::connect(points, triangles);
        }
        topology.stray_needles = given - topology.triangles.len();
        Ok(topology)
    }

    fn check_edges(&self, most: usize) -> Result<(), Error> {
        for (edge, &[start, _]) in (0..).zip(&self.edges) {
            let triangles = self.at_edge(edge).len();
            if triangles > most {
                let at = self.points[start as usize].to_array();
                return Err(Error::CrowdedEdge { triangles, most, at });
            }
        }
        Ok(())
    }

    /// The triangles at an edge, ascending.
    pub(super) fn at_edge(&self, edge: u32) -> &[u32] {
        let e = edge as usize;
        &self.uses[self.edge_starts[e] as usize..self.edge_starts[e + 1] as usize]
    }

    /// The edges at each vertex, ascending, and before them where those of each vertex begin.
    pub(super) fn edges_at_vertices(&self) -> (Vec<u32>, Vec<u32>) {
        let mut starts = vec![0_u32; self.points.len() + 1];
        for end in self.edges.iter().flatten() {
            starts[*end as usize + 1] += 1;
        }
        for v in 0..self.points.len() {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut edges = vec![0; 2 * self.edges.len()];
        for (e, ends) in self.edges.iter().enumerate() {
            for &end in ends {
                edges[next[end as usize] as usize] = index(e);
                next[end as usize] += 1;
            }
        }
        (starts, edges)
    }

    fn connect(points: Vec<LabVec<f64>>, mut triangles: Vec<Triangle>) -> Self {
        let mut slots = Vec::with_capacity(3 * triangles.len());
        for (t, triangle) in triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (triangle.vertices[k], triangle.vertices[(k + 1) % 3]);
                slots.push((a.min(b), a.max(b), index(t), k));
            }
        }
        slots.sort_unstable();
        let (mut edges, mut edge_starts, mut uses) = (Vec::new(), Vec::new(), Vec::new());
        for (a, b, t, k) in slots {
            if edges.last() != Some(&[a, b]) {
                edges.push([a, b]);
                edge_starts.push(index(uses.len()));
            }
            uses.push(t);
            let triangle = &mut triangles[t as usize];
            triangle.edges[k] = index(edges.len() - 1);
            triangle.forward[k] = triangle.vertices[k] == a;
        }
        edge_starts.push(index(uses.len()));
        Self { points, triangles, edges, edge_starts, uses, stray_needles: 0 }
    }

    /// Which triangles have an area, or are joined over edges to one that has.
    fn attached(&self) -> Vec<bool> {
        let mut attached: Vec<bool> = self.triangles.iter().map(|triangle| !triangle.is_needle).collect();
        let mut waiting: Vec<u32> = (0..index(attached.len())).filter(|&t| attached[t as usize]).collect();
        while let Some(t) = waiting.pop() {
            for &edge in &self.triangles[t as usize].edges {
                for &other in self.at_edge(edge) {
                    if !attached[other as usize] {
                        attached[other as usize] = true;
                        waiting.push(other);
                    }
                }
            }
        }
        attached
    }
}

impl Triangle {
    fn new(points: &[LabVec<f64>], vertices: [u32; 3], coordinate_error: f64) -> Self {
        let [a, b, c] = vertices.map(|v| points[v as usize]);
        let sides = [b - a, c - b, a - c];
        let lengths = sides.map(LabVec::norm);
        // The two shortest sides meet at the corner where the product loses least.
        let [ab, bc, ca] = sides;
        let area = if lengths[0] >= lengths[1] && lengths[0] >= lengths[2] {
            bc.cross(ca)
        } else if lengths[1] >= lengths[2] {
            ca.cross(ab)
        } else {
            ab.cross(bc)
        };
        let longest = lengths.into_iter().fold(0.0, f64::max);
        let height = if longest > 0.0 { area.norm() / longest } else { 0.0 };
        let is_needle = height <= 8.0 * coordinate_error;
        Self { vertices, edges: [0; 3], forward: [false; 3], area, height, is_needle }
    }
}
