//! Mass properties of rounded polyhedra in closed form.
//!
//! A rounded polyhedron is its core, a plate on each face, at each edge a wedge of a cylinder, and at each corner a sector of a ball. What is needed of
//! each is V = ∫dV, ∫x dV and ∫x xᵀ dV. The sector at a corner is that of the outward directions of all planes that touch the core there alone, a
//! spherical polygon P whose sides are the arcs between the normals of two faces that share an edge. With u the unit vector along such an edge away from the corner, and θ the length of its arc,
//!
//! > ∫dΩ = 2π − Σ angles of the faces,  ∫n dΩ = −½ Σ u θ,  ∫(n nᵀ − 1/3) dΩ = −⅙ Σ ∫(u nᵀ + n uᵀ) ds,
//!
//! the first by Gauss and Bonnet, the others since spherical harmonics of order l are −1/(l(l + 1)) times their own Laplacian on the sphere, by the theorem of
//! Gauss: u is the outward normal of P along the arc, and does not change on it. ∫n ds = tan(θ/2) (p + q) over the arc from p to q.

use super::hull::{ClumpHull, HullSurface};
use super::mass::{MassProperties, dyad};
use core::f64::consts::TAU;
use tumble_math::elementary::atan2;
use tumble_math::{Lab, LabVec, SymTensor};

/// ∫dV, ∫x dV and ∫x xᵀ dV.
struct Sums {
    volume: f64,
    first: LabVec<f64>,
    second: SymTensor<f64, Lab>,
}

impl Sums {
    fn add(&mut self, volume: f64, first: LabVec<f64>, second: SymTensor<f64, Lab>) {
        self.volume += volume;
        self.first = self.first + first;
        self.second = self.second + second;
    }
}

fn angle(a: LabVec<f64>, b: LabVec<f64>) -> f64 {
    atan2(a.cross(b).norm(), a.dot(b))
}

impl ClumpHull {
    /// Its properties, with the surface that was found for it.
    pub(super) fn properties(&self, surface: &HullSurface) -> MassProperties {
        let count = self.corners.len() as f64;
        let origin = self.corners.iter().fold(LabVec::zero(), |sum, corner| sum + *corner) * (1.0 / count);
        let corners: Vec<LabVec<f64>> = self.corners.iter().map(|corner| *corner - origin).collect();
        let zero = dyad(LabVec::zero(), LabVec::zero());
        let mut sums = Sums { volume: 0.0, first: LabVec::zero(), second: zero };
        for triangle in surface.triangles() {
            core_and_plate(triangle.map(|corner| corners[corner as usize]), self.rounding, &mut sums);
        }
        let normals: Vec<LabVec<f64>> = surface.faces.iter().map(|face| normal_of(face, &corners)).collect();
        let mut sectors: Vec<Sector> = corners.iter().map(|_| Sector::new()).collect();
        for face in &surface.faces {
            let around = face.len();
            for at in 0..around {
                let [before, corner, after] =
                    [at + around - 1, at, at + 1].map(|at| face[at % around] as usize);
                sectors[corner].solid_angle -=
                    angle(corners[before] - corners[corner], corners[after] - corners[corner]);
            }
        }
        for &ends in &surface.edges {
            let of_edge = |face: &Vec<u32>| ends.iter().all(|end| face.contains(end));
            let mut beside = surface
                .faces
                .iter()
                .zip(&normals)
                .filter(|(face, _)| of_edge(face))
                .map(|(_, normal)| *normal);
            let (Some(p), Some(q)) = (beside.next(), beside.next()) else { continue };
            wedge(ends.map(|end| corners[end as usize]), [p, q], self.rounding, &mut sums);
            let [a, b] = ends.map(|end| end as usize);
            let along = corners[b] - corners[a];
            let along = along * (1.0 / along.norm());
            sectors[a].add_side(along, [p, q]);
            sectors[b].add_side(-along, [p, q]);
        }
        for (corner, sector) in corners.iter().zip(&sectors) {
            sector.sum(*corner, self.rounding, &mut sums);
        }
        MassProperties::from_moments(origin, sums.volume, sums.first, sums.second)
    }
}

/// The outward normal of a face.
fn normal_of(face: &[u32], corners: &[LabVec<f64>]) -> LabVec<f64> {
    let [first, rest @ ..] = face else { return LabVec::zero() };
    let arm = |corner: u32| corners[corner as usize] - corners[*first as usize];
    let area = rest.windows(2).fold(LabVec::zero(), |sum, side| sum + arm(side[0]).cross(arm(side[1])));
    area * (1.0 / area.norm())
}

/// The tetrahedron between the origin and a triangle of the surface, and the plate on that.
fn core_and_plate([a, b, c]: [LabVec<f64>; 3], rounding: f64, sums: &mut Sums) {
    let sum = a + b + c;
    let squares = dyad(a, a) + dyad(b, b) + dyad(c, c) + dyad(sum, sum);
    let volume = a.dot(b.cross(c)) / 6.0;
    sums.add(volume, sum * (volume / 4.0), squares * (volume / 20.0));
    let normal = (b - a).cross(c - a);
    let (area, n) = (0.5 * normal.norm(), normal * (1.0 / normal.norm()));
    let (first, second) = (sum * (area / 3.0), squares * (area / 12.0));
    let square = rounding * rounding;
    sums.add(
        area * rounding,
        first * rounding + n * (0.5 * square * area),
        second * rounding + dyad(first, n) * square + dyad(n, n) * (square * rounding / 3.0 * area),
    );
}

/// The wedge at an edge, between the normals of its faces.
fn wedge([a, b]: [LabVec<f64>; 2], [p, q]: [LabVec<f64>; 2], rounding: f64, sums: &mut Sums) {
    let (middle, between) = ((a + b) * 0.5, b - a);
    let (length, theta) = (between.norm(), angle(p, q));
    let square = rounding * rounding;
    let both = p + q;
    let (sine, tangent) = (p.cross(q).norm(), half_tangent(p, q));
    let bisector = both * (1.0 / both.norm());
    let across = q - p;
    let across = across * (1.0 / across.norm());
    // Over the sector of a disc: the area, ∫y dA, and ∫y yᵀ dA.
    let area = 0.5 * theta * square;
    let first = both * (square * rounding / 3.0 * tangent);
    let second = (dyad(bisector, bisector) * (theta + sine) + dyad(across, across) * (theta - sine))
        * (0.125 * square * square);
    let of_middle = dyad(middle, middle) * area + dyad(middle, first) * 2.0;
    let of_length = dyad(between, between) * (area / 12.0);
    sums.add(area * length, (middle * area + first) * length, (of_middle + of_length + second) * length);
}

/// tan(θ/2) of two unit vectors.
fn half_tangent(p: LabVec<f64>, q: LabVec<f64>) -> f64 {
    (q - p).norm() / (q + p).norm()
}

/// The directions about a corner: ∫dΩ, Σ u θ, and Σ u tan(θ/2) (p + q)ᵀ made symmetric.
struct Sector {
    solid_angle: f64,
    sides: LabVec<f64>,
    dyads: SymTensor<f64, Lab>,
}

impl Sector {
    fn new() -> Self {
        Self { solid_angle: TAU, sides: LabVec::zero(), dyads: dyad(LabVec::zero(), LabVec::zero()) }
    }

    fn add_side(&mut self, along: LabVec<f64>, [p, q]: [LabVec<f64>; 2]) {
        self.sides = self.sides + along * angle(p, q);
        self.dyads = self.dyads + dyad(along, (p + q) * half_tangent(p, q));
    }

    fn sum(&self, corner: LabVec<f64>, rounding: f64, sums: &mut Sums) {
        let cube = rounding * rounding * rounding;
        let third = self.solid_angle / 3.0;
        let first = self.sides * -0.5;
        let second = SymTensor::from_diagonal(LabVec::new(third, third, third)) + self.dyads * (-1.0 / 3.0);
        let volume = third * cube;
        let first = first * (0.25 * cube * rounding);
        sums.add(
            volume,
            corner * volume + first,
            dyad(corner, corner) * volume
                + dyad(corner, first) * 2.0
                + second * (0.2 * cube * rounding * rounding),
        );
    }
}
