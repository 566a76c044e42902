//! Puts faces, edges and vertices into the form that contacts are found with, and numbers them.

use super::flat::Faces;
use super::topology::Topology;
use super::tree::Tree;
use super::{Edge, Facet, MeshReport, TriangleMesh, Vertex, index};
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
        let lines: Vec<Line> = topology.edges.iter().map(|&ends| Line::new(topology, ends)).collect();
        let longest_edge = lines.iter().fold(0.0, |longest: f64, line| longest.max(line.length));
        let is_real: Vec<bool> = (0..lines.len()).map(|e| is_real(topology, faces, index(e))).collect();
        let (way_starts, edges_at) = topology.edges_at_vertices();
        let at_vertex = |v: usize| &edges_at[way_starts[v] as usize..way_starts[v + 1] as usize];

        // The pieces of a straight edge get the number of the first of them.
        let mut chain: Vec<u32> = (0..index(lines.len())).collect();
        let mut chain_of_vertex = vec![None; topology.points.len()];
        let straight = Straight { topology, faces, lines: &lines, flat_angle, coordinate_error };
        for (v, chain_of) in chain_of_vertex.iter_mut().enumerate() {
            let mut real = at_vertex(v).iter().copied().filter(|&e| is_real[e as usize]);
            if let (Some(a), Some(b), None) = (real.next(), real.next(), real.next())
                && straight.continues(index(v), a, b)
            {
                let (first, second) = (root(&chain, a), root(&chain, b));
                chain[first.max(second) as usize] = first.min(second);
                *chain_of = Some(a);
            }
        }

        let (first_edge, first_vertex) = (index(faces.planes.len()), index(faces.planes.len() + lines.len()));
        let mut facets = Vec::with_capacity(topology.triangles.len());
        let mut vertex_taken: Vec<bool> =
            (0..topology.points.len()).map(|v| !at_vertex(v).iter().any(|&e| is_real[e as usize])).collect();
        let mut roughness = 0.0_f64;
        for (t, triangle) in topology.triangles.iter().enumerate() {
            let plane = &faces.planes[faces.of_triangle[t] as usize];
            let corners = triangle.vertices.map(|v| topology.points[v as usize]);
            for corner in corners {
                roughness = roughness.max((corner - plane.point).dot(plane.normal).abs());
            }
            facets.push(Facet {
                corners,
                inward: std::array::from_fn(|k| {
                    let across = unit(plane.normal.cross(lines[triangle.edges[k] as usize].along));
                    // Left of an edge is inside, unless it is walked backwards or the triangle is upside down.
                    across * if triangle.forward[k] == faces.flipped[t] { -1.0 } else { 1.0 }
                }),
                vertices: triangle.vertices,
                edges: triangle.edges,
                face: faces.of_triangle[t],
                owns_edge: triangle.edges.map(|e| is_real[e as usize] && topology.at_edge(e)[0] == index(t)),
                owns_vertex: triangle
                    .vertices
                    .map(|v| !std::mem::replace(&mut vertex_taken[v as usize], true)),
                is_needle: triangle.height <= NEEDLE * longest_edge,
            });
        }

        let mut sides = Vec::with_capacity(3 * facets.len());
        let mut edges = Vec::with_capacity(lines.len());
        for (e, line) in lines.iter().enumerate() {
            let from = index(sides.len());
            for &t in topology.at_edge(index(e)) {
                let facet: &Facet = &facets[t as usize];
                sides.extend((0..3).filter(|&k| facet.edges[k] == index(e)).map(|k| facet.inward[k]));
            }
            let feature = first_edge + root(&chain, index(e));
            let Line { start, along, length } = *line;
            edges.push(Edge { start, along, length, sides: [from, index(sides.len())], feature });
        }

        let mut ways = Vec::with_capacity(edges_at.len());
        let mut vertices = Vec::with_capacity(topology.points.len());
        for (v, &point) in topology.points.iter().enumerate() {
            let from = index(ways.len());
            for &e in at_vertex(v) {
                let along = lines[e as usize].along;
                ways.push(if topology.edges[e as usize][0] == index(v) { along } else { -along });
            }
            let feature =
                chain_of_vertex[v].map_or(first_vertex + index(v), |e| first_edge + root(&chain, e));
            vertices.push(Vertex { point, ways: [from, index(ways.len())], feature });
        }

        let used = |count: fn(usize) -> bool| {
            (0..index(edges.len())).filter(|&e| count(topology.at_edge(e).len())).count()
        };
        let report = MeshReport {
            triangles: facets.len(),
            degenerate: 0,
            duplicate: 0,
            vertices: (0..vertices.len()).filter(|&v| !at_vertex(v).is_empty()).count(),
            edges: edges.len(),
            open_edges: used(|triangles| triangles == 1),
            branching_edges: used(|triangles| triangles > 2),
            faces: faces.planes.len(),
        };
        let corners: Vec<_> = facets.iter().map(|facet| facet.corners).collect();
        let tree = Tree::new(&corners);
        let planes = faces.planes.clone();
        Self { facets, planes, edges, sides, vertices, ways, tree, longest_edge, roughness, report }
    }
}

/// An edge from its smaller vertex number to its larger, so that all its triangles see the same one.
#[derive(Clone, Copy)]
struct Line {
    start: LabVec<f64>,
    along: LabVec<f64>,
    length: f64,
}

impl Line {
    fn new(topology: &Topology, ends: [u32; 2]) -> Self {
        let [start, end] = ends.map(|v| topology.points[v as usize]);
        Self { start, along: unit(end - start), length: (end - start).norm() }
    }
}

/// Whether an edge can be felt: not if it joins two triangles of one face, one the right way up for the other.
fn is_real(topology: &Topology, faces: &Faces, edge: u32) -> bool {
    let &[a, b] = topology.at_edge(edge) else { return true };
    let upright = |t: u32| {
        let triangle = &topology.triangles[t as usize];
        let forward = (0..3).any(|k| triangle.edges[k] == edge && triangle.forward[k]);
        forward != faces.flipped[t as usize]
    };
    faces.of_triangle[a as usize] != faces.of_triangle[b as usize] || upright(a) == upright(b)
}

struct Straight<'a> {
    topology: &'a Topology,
    faces: &'a Faces,
    lines: &'a [Line],
    flat_angle: f64,
    coordinate_error: f64,
}

impl Straight<'_> {
    /// Whether two edges at a vertex are pieces of one straight edge, between the same faces.
    fn continues(&self, vertex: u32, a: u32, b: u32) -> bool {
        let away = |e: u32| {
            let along = self.lines[e as usize].along;
            if self.topology.edges[e as usize][0] == vertex { along } else { -along }
        };
        let shortest = self.lines[a as usize].length.min(self.lines[b as usize].length);
        let tolerance = (self.flat_angle + 4.0 * self.coordinate_error / shortest).min(0.25);
        (away(a) + away(b)).norm() <= tolerance && self.faces_at(a) == self.faces_at(b)
    }

    fn faces_at(&self, edge: u32) -> Vec<u32> {
        let of_triangle = &self.faces.of_triangle;
        let mut faces: Vec<u32> =
            self.topology.at_edge(edge).iter().map(|&t| of_triangle[t as usize]).collect();
        faces.sort_unstable();
        faces
    }
}

/// The first piece of the straight edge that `edge` belongs to.
fn root(chain: &[u32], mut edge: u32) -> u32 {
    while chain[edge as usize] != edge {
        edge = chain[edge as usize];
    }
    edge
}

fn unit(v: LabVec<f64>) -> LabVec<f64> {
    let length = v.norm();
    if length > 0.0 { v * (1.0 / length) } else { LabVec::zero() }
}
