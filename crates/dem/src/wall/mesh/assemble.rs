//! Puts faces, edges and vertices into the form that contacts are found with, and numbers them.

use super::flat::Faces;
use super::topology::Topology;
use super::tree::Tree;
use super::{Edge, Facet, MeshReport, TriangleMesh, Vertex, index, unit};
use tumble_math::LabVec;

/// Triangles lower than this part of the longest edge are covered by the slack of their neighbours; see
/// `contact`.
const NEEDLE: f64 = 1e-12;

impl TriangleMesh {
    pub(super) fn assemble(
        topology: &Topology,
        faces: &Faces,
        flat_angle: f64,
        coordinate_error: f64,
    ) -> Self {
        let parts = Parts::new(topology, faces);
        let mut chains = parts.chains(flat_angle, coordinate_error);
        let longest_edge = parts.lines.iter().fold(0.0, |longest: f64, line| longest.max(line.length));
        let facets = parts.facets(longest_edge);
        let (edges, sides) = parts.edges(&facets, &mut chains);
        let (vertices, ways) = parts.vertices(&mut chains);
        let corners: Vec<_> = facets.iter().map(|facet| facet.corners).collect();
        let roughness = facets.iter().fold(0.0_f64, |roughness, facet| {
            let plane = &faces.planes[facet.face as usize];
            let off = facet.corners.map(|corner| (corner - plane.point).dot(plane.normal).abs());
            off.into_iter().fold(roughness, f64::max)
        });
        let edges_with = |count: fn(usize) -> bool| {
            (0..index(edges.len())).filter(|&e| count(topology.at_edge(e).len())).count()
        };
        let report = MeshReport {
            triangles: facets.len(),
            degenerate: 0,
            duplicate: 0,
            vertices: (0..vertices.len()).filter(|&v| !parts.at_vertex(v).is_empty()).count(),
            edges: edges.len(),
            open_edges: edges_with(|triangles| triangles == 1),
            branching_edges: edges_with(|triangles| triangles > 2),
            faces: faces.planes.len(),
        };
        Self {
            facets,
            planes: faces.planes.clone(),
            edges,
            sides,
            vertices,
            ways,
            tree: Tree::new(&corners),
            longest_edge,
            roughness,
            report,
        }
    }
}

/// What is known of a surface once its faces are.
struct Parts<'a> {
    topology: &'a Topology,
    faces: &'a Faces,
    lines: Vec<Line>,
    /// Whether each edge can be felt.
    is_real: Vec<bool>,
    edge_starts: Vec<u32>,
    edges_at: Vec<u32>,
}

/// An edge from its smaller vertex number to its larger, so that all its triangles see the same one.
#[derive(Clone, Copy)]
struct Line {
    start: LabVec<f64>,
    along: LabVec<f64>,
    length: f64,
}

/// Which edges are pieces of one straight edge.
struct Chains {
    /// Another piece of the same straight edge, with a smaller number; its own for the first.
    earlier: Vec<u32>,
    /// An edge that goes straight on through a vertex.
    through: Vec<Option<u32>>,
}

impl<'a> Parts<'a> {
    fn new(topology: &'a Topology, faces: &'a Faces) -> Self {
        let line = |ends: &[u32; 2]| {
            let [start, end] = ends.map(|v| topology.points[v as usize]);
            Line { start, along: unit(end - start), length: (end - start).norm() }
        };
        let (edge_starts, edges_at) = topology.edges_at_vertices();
        Self {
            topology,
            faces,
            lines: topology.edges.iter().map(line).collect(),
            is_real: (0..index(topology.edges.len())).map(|edge| is_real(topology, faces, edge)).collect(),
            edge_starts,
            edges_at,
        }
    }

    fn at_vertex(&self, vertex: usize) -> &[u32] {
        &self.edges_at[self.edge_starts[vertex] as usize..self.edge_starts[vertex + 1] as usize]
    }

    fn real_at_vertex(&self, vertex: usize) -> impl Iterator<Item = u32> {
        self.at_vertex(vertex).iter().copied().filter(|&e| self.is_real[e as usize])
    }

    /// The direction of an edge away from one of its ends.
    fn away(&self, vertex: u32, edge: u32) -> LabVec<f64> {
        let along = self.lines[edge as usize].along;
        if self.topology.edges[edge as usize][0] == vertex { along } else { -along }
    }

    /// Joins real edges that go straight on at a vertex, between the same faces, where no third one is.
    fn chains(&self, flat_angle: f64, coordinate_error: f64) -> Chains {
        let mut chains = Chains {
            earlier: (0..index(self.lines.len())).collect(),
            through: vec![None; self.topology.points.len()],
        };
        for v in 0..self.topology.points.len() {
            let mut real = self.real_at_vertex(v);
            let (Some(a), Some(b), None) = (real.next(), real.next(), real.next()) else { continue };
            let shortest = self.lines[a as usize].length.min(self.lines[b as usize].length);
            let tolerance = (flat_angle + 4.0 * coordinate_error / shortest).min(0.25);
            let bend = (self.away(index(v), a) + self.away(index(v), b)).norm();
            if bend <= tolerance && self.faces_at(a) == self.faces_at(b) {
                chains.join(a, b);
                chains.through[v] = Some(a);
            }
        }
        chains
    }

    fn faces_at(&self, edge: u32) -> Vec<u32> {
        let face = |&t: &u32| self.faces.of_triangle[t as usize];
        let mut faces: Vec<u32> = self.topology.at_edge(edge).iter().map(face).collect();
        faces.sort_unstable();
        faces
    }

    fn facets(&self, longest_edge: f64) -> Vec<Facet> {
        let Self { topology, faces, .. } = *self;
        let mut taken: Vec<bool> =
            (0..topology.points.len()).map(|v| self.real_at_vertex(v).next().is_none()).collect();
        let facet = |(t, triangle): (usize, &super::topology::Triangle)| Facet {
            corners: triangle.vertices.map(|v| topology.points[v as usize]),
            inward: std::array::from_fn(|k| {
                let normal = faces.planes[faces.of_triangle[t] as usize].normal;
                let across = unit(normal.cross(self.lines[triangle.edges[k] as usize].along));
                // Left of an edge is inside, unless it is walked backwards or the triangle is upside down.
                across * if triangle.forward[k] == faces.flipped[t] { -1.0 } else { 1.0 }
            }),
            vertices: triangle.vertices,
            edges: triangle.edges,
            face: faces.of_triangle[t],
            owns_edge: triangle.edges.map(|e| self.is_real[e as usize] && topology.at_edge(e)[0] == index(t)),
            owns_vertex: triangle.vertices.map(|v| !std::mem::replace(&mut taken[v as usize], true)),
            is_needle: triangle.height <= NEEDLE * longest_edge,
        };
        topology.triangles.iter().enumerate().map(facet).collect()
    }

    fn edges(&self, facets: &[Facet], chains: &mut Chains) -> (Vec<Edge>, Vec<LabVec<f64>>) {
        let mut sides = Vec::with_capacity(3 * facets.len());
        let mut edges = Vec::with_capacity(self.lines.len());
        for (e, &Line { start, along, length }) in (0..).zip(&self.lines) {
            let from = index(sides.len());
            for &t in self.topology.at_edge(e) {
                let facet = &facets[t as usize];
                sides.extend((0..3).filter(|&k| facet.edges[k] == e).map(|k| facet.inward[k]));
            }
            let feature = self.first_edge() + chains.first(e);
            edges.push(Edge { start, along, length, sides: [from, index(sides.len())], feature });
        }
        (edges, sides)
    }

    fn vertices(&self, chains: &mut Chains) -> (Vec<Vertex>, Vec<LabVec<f64>>) {
        let mut ways = Vec::with_capacity(self.edges_at.len());
        let mut vertices = Vec::with_capacity(self.topology.points.len());
        let first_vertex = self.first_edge() + index(self.lines.len());
        for (v, &point) in self.topology.points.iter().enumerate() {
            let from = index(ways.len());
            ways.extend(self.at_vertex(v).iter().map(|&e| self.away(index(v), e)));
            let on_edge = chains.through[v].map(|e| self.first_edge() + chains.first(e));
            let feature = on_edge.unwrap_or(first_vertex + index(v));
            vertices.push(Vertex { point, ways: [from, index(ways.len())], feature });
        }
        (vertices, ways)
    }

    /// Edges are numbered after the faces.
    fn first_edge(&self) -> u32 {
        index(self.faces.planes.len())
    }
}

/// Whether an edge can be felt: not if it joins two triangles of one face.
fn is_real(topology: &Topology, faces: &Faces, edge: u32) -> bool {
    let &[a, b] = topology.at_edge(edge) else { return true };
    faces.of_triangle[a as usize] != faces.of_triangle[b as usize]
}

impl Chains {
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.earlier[a.max(b) as usize] = a.min(b);
    }

    /// The first piece of the straight edge that an edge belongs to.
    fn first(&mut self, mut edge: u32) -> u32 {
        while self.earlier[edge as usize] != edge {
            let earlier = self.earlier[edge as usize];
            // Shortens the way for the next time.
            self.earlier[edge as usize] = self.earlier[earlier as usize];
            edge = earlier;
        }
        edge
    }
}
