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
//! δᵖ never gets below [`LEAST`]`/2` of that of the nearest point; see [`Patch::energy`].

use super::{TriangleMesh, index};
use crate::law::EnergyPower;
use crate::wall::Touch;
use core::cell::RefCell;
use tumble_math::LabVec;

/// The part of the nearest point's energy down to which the sum counts as it is.
const LEAST: f64 = 0.9;

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
    /// From the point to the centre.
    arm: LabVec<f64>,
    distance: f64,
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
    /// Σ w δᵖ, and Σ w δᵖ⁻¹ n.
    sum: f64,
    pull: LabVec<f64>,
    /// The deepest of its points, and that point's δ.
    feature: u32,
    normal: LabVec<f64>,
    deepest: f64,
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
        let height = (ball.centre - plane.point).dot(plane.normal);
        let reach = ball.radius + self.roughness;
        let across: [f64; 3] = std::array::from_fn(|k| {
            (ball.centre - self.edges[facet.edges[k] as usize].start).dot(facet.inward[k])
        });
        if !facet.is_needle && (height.abs() >= reach || across.iter().any(|&across| across < -reach)) {
            return;
        }
        let edges = facet.edges.map(|edge| self.nearest_of_edge(edge, ball.centre));
        // Neighbours in a face see the same number, with the opposite sign, so only one of them has the foot.
        let is_within = |k: usize| across[k] > 0.0 || (across[k] >= 0.0 && facet.owns_edge[k]);
        let nearest = if !facet.is_needle && (0..3).all(is_within) {
            let arm = plane.normal * height;
            Nearest { piece: triangle, feature: facet.face, arm, distance: height.abs() }
        } else {
            let [a, b, c] = edges;
            let nearer = |a: Nearest, b: Nearest| if b.distance < a.distance { b } else { a };
            nearer(nearer(a, b), c)
        };
        if nearest.distance.is_nan() || nearest.distance >= ball.radius {
            return;
        }
        search.enter(triangle);
        search.count(nearest, 1, plane.normal);
        for (k, edge) in edges.into_iter().enumerate() {
            if facet.owns_edge[k] && edge.distance < ball.radius {
                search.count(edge, self.edges[facet.edges[k] as usize].weight, plane.normal);
            }
            if facet.owns_vertex[k] {
                let vertex = self.nearest_of_vertex(facet.vertices[k], ball.centre);
                if vertex.distance < ball.radius {
                    search.count(vertex, self.vertices[facet.vertices[k] as usize].weight, plane.normal);
                }
            }
        }
    }

    fn nearest_of_edge(&self, number: u32, centre: LabVec<f64>) -> Nearest {
        let edge = &self.edges[number as usize];
        let from_start = centre - edge.start;
        let along = from_start.dot(edge.along);
        if along <= 0.0 {
            return self.nearest_of_vertex(edge.ends[0], centre);
        }
        if along >= edge.length {
            return self.nearest_of_vertex(edge.ends[1], centre);
        }
        let arm = from_start - edge.along * along;
        let piece = index(self.facets.len()) + number;
        Nearest { piece, feature: edge.feature, arm, distance: arm.norm() }
    }

    fn nearest_of_vertex(&self, number: u32, centre: LabVec<f64>) -> Nearest {
        let vertex = &self.vertices[number as usize];
        let arm = centre - vertex.point;
        let piece = index(self.facets.len() + self.edges.len()) + number;
        Nearest { piece, feature: vertex.feature, arm, distance: arm.norm() }
    }

    /// Turns what was counted into touches.
    fn tell(&self, ball: Ball, power: EnergyPower, search: &mut Search, found: &mut Vec<Touch>) {
        search.entries.retain(|entry| entry.weight != 0);
        if let [only] = search.entries[..]
            && only.weight == 1
        {
            let overlap = ball.radius - only.nearest.distance;
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
            search.patches.iter().filter(|patch| patch.deepest > 0.0).map(|patch| patch.touch(power)),
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
                if self.nearest_of_edge(facet.edges[k], ball.centre).distance < ball.radius {
                    search.join(number, self.edges[facet.edges[k] as usize].first);
                }
                if self.nearest_of_vertex(facet.vertices[k], ball.centre).distance < ball.radius {
                    search.join(number, self.vertices[facet.vertices[k] as usize].first);
                }
            }
        }
    }
}

impl Entry {
    fn normal(&self) -> LabVec<f64> {
        let Nearest { arm, distance, .. } = self.nearest;
        if distance > 0.0 { arm * (1.0 / distance) } else { self.any_normal }
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
            let overlap = radius - entry.nearest.distance;
            self.patches[place].add(&entry, overlap, power);
        }
    }
}

impl Patch {
    fn new(triangle: usize) -> Self {
        let normal = LabVec::zero();
        Self { triangle, sum: 0.0, pull: LabVec::zero(), feature: 0, normal, deepest: 0.0 }
    }

    fn add(&mut self, entry: &Entry, overlap: f64, power: EnergyPower) {
        let (normal, weight) = (entry.normal(), f64::from(entry.weight));
        let [slope, energy] = power.raise(overlap);
        self.sum += weight * energy;
        self.pull = self.pull + normal * (weight * slope);
        if entry.weight > 0 && overlap > self.deepest {
            (self.feature, self.normal, self.deepest) = (entry.nearest.feature, normal, overlap);
        }
    }

    /// δᵖ, and δᵖ⁻¹∇δ. With y the sum over the energy of the deepest point it is that energy times y from
    /// y = [`LEAST`] on, and bends from there to a constant at y = 0, with a continuous slope.
    fn energy(&self, power: EnergyPower) -> (f64, LabVec<f64>) {
        let [slope, most] = power.raise(self.deepest);
        let ratio = self.sum / most;
        if ratio >= LEAST {
            return (self.sum, self.pull);
        }
        let ratio = ratio.max(0.0);
        let (value, rate) = (0.5 * (LEAST + ratio * ratio / LEAST), ratio / LEAST);
        (most * value, self.pull * rate + self.normal * (slope * (value - ratio * rate)))
    }

    fn touch(&self, power: EnergyPower) -> Touch {
        let (energy, pull) = self.energy(power);
        let overlap = power.root(energy);
        let gradient = pull * (1.0 / power.raise(overlap)[0]);
        let slope = gradient.norm();
        let normal = if slope > 0.0 { gradient * (1.0 / slope) } else { self.normal };
        Touch { feature: self.feature, normal, overlap, slope }
    }
}
