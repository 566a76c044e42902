//! The touches of a sphere with a mesh: one for each connected part of the surface within it.
//!
//! The elastic energy of the contact of a ball B of radius r about c with a surface S is
//!
//! U(c) = Σ w U(r − d),
//!
//! summed over the triangles, edges and corners of S that are nearer than r, each with the distance d of its
//! nearest point and a weight w that makes every point of the surface count once: 1 for a triangle, 1 − k for an edge
//! of k triangles, 1 + k − e for a corner of k triangles and e edges (inclusion and exclusion). It is
//! ∫ F(r − t) χ(S ∩ Bₜ) dt with Euler's number χ of the part of the surface within a ball of radius t. So
//!
//! - it is a *potential*, and its force −∇U is continuous, since the distance to a convex set is smooth: elastic
//!   contacts keep their energy whatever the triangles;
//! - where S ∩ B is one patch, however finely divided, U = U(r − d) with the distance d of the surface: a load
//!   counts once, and the contact is that of the smooth wall as the mesh gets finer;
//! - parts that are apart, as the sides of a groove, add up, as they do for two planes.
//!
//! What is nearest to most edges and corners is also nearest to a triangle, and cancels: terms are collected by the
//! nearest *piece* (the inside of a triangle or of an edge, or a corner) with whole numbers, and on flat and on convex
//! parts of a surface a single one remains. If there are more, those of a connected part make one touch, whose
//! overlap δ and gradient are those of δᵖ = Σ w δᵢᵖ, with the power p of the law's energy.
//!
//! Around a hole or up against a ring χ is 0, and a ball would fall through what holds it on all sides. So
//! δᵖ never gets below 0.45 of that of the nearest point; see [`patch::Patch::energy`].
//!
//! Here is which parts count how often and which belong together, all in whole numbers; their nearest points and what they make
//! together are in [`patch`].

use super::{TriangleMesh, index};
use crate::law::EnergyPower;
use crate::physics::patch::{self, Border, Foot, PatchTouch};
use crate::wall::{Touch, whole};
use core::cell::RefCell;
use tumble_math::LabVec;

thread_local! {
    static SEARCH: RefCell<Search> = RefCell::new(Search::default());
}

/// The ball that touches.
#[derive(Clone, Copy)]
struct Ball {
    centre: LabVec<f64>,
    radius: f64,
}

/// The nearest point of a triangle, an edge or a corner.
#[derive(Clone, Copy)]
struct Nearest {
    /// The piece that it is in: triangles first, then edges, then corners.
    piece: u32,
    feature: u32,
    foot: Foot<f64>,
}

/// A piece that is the nearest one of something.
#[derive(Clone, Copy)]
struct Entry {
    nearest: Nearest,
    weight: i32,
    /// The number, among those within the ball, of a triangle that it belongs to.
    triangle: usize,
    /// For a centre on the surface itself.
    any_normal: LabVec<f64>,
}

/// What one search needs, kept from one to the next.
#[derive(Default)]
struct Search {
    entries: Vec<Entry>,
    /// The triangles within the ball, ascending, and for each one that it is joined with.
    triangles: Vec<u32>,
    joined: Vec<usize>,
    /// For each piece the round in which it was last met, and its entry then.
    met: Vec<(u64, usize)>,
    round: u64,
    patches: Vec<Patch>,
}

/// A connected part of the surface within the ball.
#[derive(Clone, Copy)]
struct Patch {
    triangle: usize,
    /// Of the deepest of its points.
    feature: u32,
    sums: patch::Patch<f64>,
}

impl TriangleMesh {
    /// Appends the touches of a sphere with the triangles `candidates`; see
    /// [`Shape::touches`](crate::wall::Shape::touches).
    ///
    /// # Panics
    /// If a candidate is not a triangle of the mesh.
    pub fn touches(
        &self,
        centre: LabVec<f64>,
        radius: f64,
        power: EnergyPower,
        candidates: &[u32],
        found: &mut Vec<Touch>,
    ) {
        let ball = Ball { centre, radius };
        SEARCH.with_borrow_mut(|search| {
            search.begin(self.facets.len() + self.edges.len() + self.vertices.len());
            for &triangle in candidates {
                self.look_at(triangle, ball, search);
            }
            self.tell(ball, power, search, found);
        });
    }

    /// Enters a triangle that is within the ball, and those of its edges and corners that no earlier triangle has:
    /// if they are within the ball, all their triangles are.
    fn look_at(&self, triangle: u32, ball: Ball, search: &mut Search) {
        let facet = &self.facets[triangle as usize];
        let plane = &self.planes[facet.face as usize];
        let reach = ball.radius + self.roughness;
        let borders = std::array::from_fn(|k| Border {
            start: self.edges[facet.edges[k] as usize].start,
            inward: facet.inward[k],
        });
        let heights = patch::heights(ball.centre, [plane.point, plane.normal], borders);
        let (height, inside) = heights;
        if !facet.is_needle && (height.abs() >= reach || inside.iter().any(|&inside| inside < -reach)) {
            return;
        }
        let edges = facet.edges.map(|edge| self.nearest_of_edge(edge, ball.centre));
        let owned = facet.owns_edge.map(|owned| f64::from(u8::from(owned)));
        let wide = if facet.is_needle { 0.0 } else { 1.0 };
        let foot = patch::triangle(plane.normal, heights, owned, wide, edges.map(|edge| edge.foot));
        let nearest = match whole(foot.part) {
            0 => Nearest { piece: triangle, feature: facet.face, foot },
            edge => edges[edge as usize - 1],
        };
        if nearest.foot.distance.is_nan() || nearest.foot.distance >= ball.radius {
            return;
        }
        search.enter(triangle);
        search.count(nearest, 1, plane.normal);
        for (k, edge) in edges.into_iter().enumerate() {
            if facet.owns_edge[k] && edge.foot.distance < ball.radius {
                search.count(edge, self.edges[facet.edges[k] as usize].weight, plane.normal);
            }
            if facet.owns_vertex[k] {
                let vertex = self.nearest_of_vertex(facet.vertices[k], ball.centre);
                if vertex.foot.distance < ball.radius {
                    search.count(vertex, self.vertices[facet.vertices[k] as usize].weight, plane.normal);
                }
            }
        }
    }

    fn nearest_of_edge(&self, number: u32, centre: LabVec<f64>) -> Nearest {
        let edge = &self.edges[number as usize];
        let [first, last] = edge.ends.map(|vertex| self.vertices[vertex as usize].point);
        let line = patch::Edge { start: edge.start, along: edge.along, length: edge.length, first, last };
        let foot = patch::edge(centre, &line);
        let (piece, feature) = match whole(foot.part) {
            0 => self.vertex(edge.ends[0]),
            1 => (index(self.facets.len()) + number, edge.feature),
            _ => self.vertex(edge.ends[1]),
        };
        Nearest { piece, feature, foot }
    }

    fn nearest_of_vertex(&self, number: u32, centre: LabVec<f64>) -> Nearest {
        let (piece, feature) = self.vertex(number);
        Nearest { piece, feature, foot: patch::corner(centre, self.vertices[number as usize].point) }
    }

    /// The numbers of a corner as a piece and as a feature.
    fn vertex(&self, number: u32) -> (u32, u32) {
        (index(self.facets.len() + self.edges.len()) + number, self.vertices[number as usize].feature)
    }

    /// Turns what was counted into touches.
    fn tell(&self, ball: Ball, power: EnergyPower, search: &mut Search, found: &mut Vec<Touch>) {
        search.entries.retain(|entry| entry.weight != 0);
        if let [only] = search.entries[..]
            && only.weight == 1
        {
            let overlap = ball.radius - only.nearest.foot.distance;
            found.push(Touch { feature: only.nearest.feature, normal: only.normal(), overlap, slope: 1.0 });
            return;
        }
        if search.entries.is_empty() {
            return;
        }
        self.join(ball, search);
        search.add_up(ball.radius, power);
        let first = found.len();
        found.extend(
            search.patches.iter().filter(|patch| patch.sums.deepest > 0.0).map(|patch| patch.touch(power)),
        );
        found[first..].sort_unstable_by_key(|touch| touch.feature);
    }

    /// Joins the triangles that meet at an edge or a corner within the ball.
    fn join(&self, ball: Ball, search: &mut Search) {
        search.joined.clear();
        search.joined.extend(0..search.triangles.len());
        for number in 0..search.triangles.len() {
            let facet = &self.facets[search.triangles[number] as usize];
            for k in 0..3 {
                if self.nearest_of_edge(facet.edges[k], ball.centre).foot.distance < ball.radius {
                    search.join(number, self.edges[facet.edges[k] as usize].first);
                }
                if self.nearest_of_vertex(facet.vertices[k], ball.centre).foot.distance < ball.radius {
                    search.join(number, self.vertices[facet.vertices[k] as usize].first);
                }
            }
        }
    }
}

impl Entry {
    fn normal(&self) -> LabVec<f64> {
        patch::normal(&self.nearest.foot, self.any_normal)
    }
}

impl Search {
    fn begin(&mut self, pieces: usize) {
        self.round += 1;
        self.entries.clear();
        self.triangles.clear();
        if self.met.len() < pieces {
            self.met.resize(pieces, (0, 0));
        }
    }

    fn enter(&mut self, triangle: u32) {
        self.triangles.push(triangle);
    }

    /// Counts the nearest point of something that the triangle entered last has.
    fn count(&mut self, nearest: Nearest, weight: i32, any_normal: LabVec<f64>) {
        let met = &mut self.met[nearest.piece as usize];
        if met.0 == self.round {
            self.entries[met.1].weight += weight;
        } else {
            *met = (self.round, self.entries.len());
            let triangle = self.triangles.len() - 1;
            self.entries.push(Entry { nearest, weight, triangle, any_normal });
        }
    }

    fn join(&mut self, number: usize, triangle: u32) {
        if let Ok(other) = self.triangles.binary_search(&triangle) {
            let (a, b) = (self.first_of(number), self.first_of(other));
            self.joined[a.max(b)] = a.min(b);
        }
    }

    /// The first triangle of the part that a triangle is joined with.
    fn first_of(&self, mut number: usize) -> usize {
        while self.joined[number] != number {
            number = self.joined[number];
        }
        number
    }

    fn add_up(&mut self, radius: f64, power: EnergyPower) {
        self.patches.clear();
        for number in 0..self.entries.len() {
            let entry = self.entries[number];
            let triangle = self.first_of(entry.triangle);
            let place = self.patches.iter().position(|patch| patch.triangle == triangle);
            let place = place.unwrap_or_else(|| {
                self.patches.push(Patch::new(triangle));
                self.patches.len() - 1
            });
            let overlap = radius - entry.nearest.foot.distance;
            self.patches[place].add(&entry, overlap, power);
        }
    }
}

impl Patch {
    fn new(triangle: usize) -> Self {
        Self { triangle, feature: 0, sums: patch::Patch::empty() }
    }

    fn add(&mut self, entry: &Entry, overlap: f64, power: EnergyPower) {
        let sums = self.sums.with(entry.normal(), f64::from(entry.weight), overlap, power);
        if sums.deepest > self.sums.deepest {
            self.feature = entry.nearest.feature;
        }
        self.sums = sums;
    }

    fn touch(&self, power: EnergyPower) -> Touch {
        let (energy, pull) = self.sums.energy(power);
        let PatchTouch { overlap, slope, normal } =
            self.sums.touch((energy, pull), power, power.guess(energy));
        Touch { feature: self.feature, normal, overlap, slope }
    }
}
