//! Puts faces, edges and vertices into the form that contacts are found with, and numbers them.

use super::flat::Faces;
use super::topology::Topology;
use super::tree::Tree;
use super::{Edge, Facet, MeshReport, TriangleMesh, Vertex, index};
use tumble_math::LabVec;

/// Triangles lower than this part of the longest edge have no inside: they are touched at their edges.
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
        let firsts = parts.first_triangles();
        let facets = parts.facets(longest_edge, &firsts);
        let edges = parts.edges(&mut chains);
        let vertices = parts.vertices(&mut chains, &firsts);
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
            vertices,
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
            Line { start, along: (end - start).unit(), length: (end - start).norm() }
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

    /// The first triangle at each vertex.
    fn first_triangles(&self) -> Vec<u32> {
        let mut firsts = vec![u32::MAX; self.topology.points.len()];
        for (t, triangle) in (0..).zip(&self.topology.triangles) {
            for &v in &triangle.vertices {
                firsts[v as usize] = firsts[v as usize].min(t);
            }
        }
        firsts
    }

    fn facets(&self, longest_edge: f64, firsts: &[u32]) -> Vec<Facet> {
        let Self { topology, faces, .. } = *self;
        let facet = |(t, triangle): (usize, &super::topology::Triangle)| Facet {
            corners: triangle.vertices.map(|v| topology.points[v as usize]),
            inward: std::array::from_fn(|k| {
                let normal = faces.planes[faces.of_triangle[t] as usize].normal;
                let across = normal.cross(self.lines[triangle.edges[k] as usize].along).unit();
                // Left of an edge is inside, unless it is walked backwards or the triangle is upside down.
                across * if triangle.forward[k] == faces.flipped[t] { -1.0 } else { 1.0 }
            }),
            vertices: triangle.vertices,
            edges: triangle.edges,
            face: faces.of_triangle[t],
            owns_edge: triangle.edges.map(|e| topology.at_edge(e)[0] == index(t)),
            owns_vertex: triangle.vertices.map(|v| firsts[v as usize] == index(t)),
            is_needle: triangle.height <= NEEDLE * longest_edge,
        };
        topology.triangles.iter().enumerate().map(facet).collect()
    }

    fn edges(&self, chains: &mut Chains) -> Vec<Edge> {
        let edge = |(e, &Line { start, along, length }): (u32, &Line)| {
            let triangles = self.topology.at_edge(e);
            let first = triangles[0];
            Edge {
                start,
                along,
                length,
                ends: self.topology.edges[e as usize],
                first,
                weight: 1 - count(triangles.len()),
                feature: if self.is_real[e as usize] {
                    self.first_edge() + chains.first(e)
                } else {
                    self.faces.of_triangle[first as usize]
                },
            }
        };
        (0..).zip(&self.lines).map(edge).collect()
    }

    fn vertices(&self, chains: &mut Chains, firsts: &[u32]) -> Vec<Vertex> {
        let mut triangles_at = vec![0; self.topology.points.len()];
        for v in self.topology.triangles.iter().flat_map(|triangle| triangle.vertices) {
            triangles_at[v as usize] += 1;
        }
        let first_vertex = self.first_edge() + index(self.lines.len());
        let vertex = |(v, &point): (usize, &LabVec<f64>)| {
            let on_edge = chains.through[v].map(|e| self.first_edge() + chains.first(e));
            let in_face = || self.real_at_vertex(v).next().is_none() && firsts[v] != u32::MAX;
            let feature = match on_edge {
                Some(feature) => feature,
                None if in_face() => self.faces.of_triangle[firsts[v] as usize],
                None => first_vertex + index(v),
            };
            let weight = 1 + count(triangles_at[v]) - count(self.at_vertex(v).len());
            Vertex { point, first: firsts[v], weight, feature }
        };
        self.topology.points.iter().enumerate().map(vertex).collect()
    }

    /// Edges are numbered after the faces.
    fn first_edge(&self) -> u32 {
        index(self.faces.planes.len())
    }
}

/// How many there are at an edge or a vertex: of at most `MOST_TRIANGLES`, far below 2³¹.
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
fn count(n: usize) -> i32 {
    debug_assert!(i32::try_from(n).is_ok());
    n as i32
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
