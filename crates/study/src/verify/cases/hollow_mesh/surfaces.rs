//! The surfaces: lists of triangles, made into meshes.

use crate::verify::Error;
use core::f64::consts::{PI, TAU};
use tumble_dem::LabVec;
use tumble_dem::wall::{MeshOptions, TriangleMesh};

type Triangles = Vec<[LabVec<f64>; 3]>;

fn mesh(triangles: &Triangles) -> Result<TriangleMesh, Error> {
    Ok(TriangleMesh::new(triangles, MeshOptions::default())?)
}

/// The two triangles of a quadrangle.
fn halves([a, b, c, d]: [LabVec<f64>; 4]) -> [[LabVec<f64>; 3]; 2] {
    [[a, b, c], [a, c, d]]
}

/// A ball of 20·4ⁿ triangles: those of an icosahedron, divided so many times.
pub(super) fn ball(times: u32, radius: f64) -> Result<TriangleMesh, Error> {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for (a, b) in [(-1.0, -golden), (-1.0, golden), (1.0, -golden), (1.0, golden)] {
        corners.extend([LabVec::new(0.0, a, b), LabVec::new(a, b, 0.0), LabVec::new(b, 0.0, a)]);
    }
    let near = |a: LabVec<f64>, b: LabVec<f64>| (a - b).norm() < 2.1;
    let mut triangles = Triangles::new();
    for (i, &a) in corners.iter().enumerate() {
        for (j, &b) in corners.iter().enumerate().skip(i + 1).filter(|(_, b)| near(a, **b)) {
            let third = corners[j + 1..].iter().filter(|&&c| near(b, c) && near(c, a));
            triangles.extend(third.map(|&c| [a, b, c]));
        }
    }
    for _ in 0..times {
        let middle = |a: LabVec<f64>, b: LabVec<f64>| (a + b) * 0.5;
        let quarters = |[a, b, c]: [LabVec<f64>; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(quarters).collect();
    }
    let placed = |corner: LabVec<f64>| corner * (radius / corner.norm());
    mesh(&triangles.into_iter().map(|triangle| triangle.map(placed)).collect())
}

/// The lower half of a tube about y, of an even number of flat strips, so that there is an edge at the bottom.
pub(super) fn trough(strips: u32, radius: f64) -> Result<TriangleMesh, Error> {
    let at = |i: u32, y: f64| {
        let angle = PI * (f64::from(i) / f64::from(strips) - 1.0);
        LabVec::new(angle.cos(), y, angle.sin()) * radius
    };
    let strip = |i: u32| halves([at(i, -1.0), at(i + 1, -1.0), at(i + 1, 1.0), at(i, 1.0)]);
    mesh(&(0..strips).flat_map(strip).collect())
}

/// A closed drum about y.
pub(super) fn drum(facets: u32, radius: f64, length: f64) -> Result<TriangleMesh, Error> {
    let at = |i: u32, y: f64| {
        let angle = TAU * f64::from(i % facets) / f64::from(facets);
        LabVec::new(radius * angle.cos(), y, radius * angle.sin())
    };
    let ends = [-0.5 * length, 0.5 * length];
    let mut triangles = Triangles::new();
    for i in 0..facets {
        triangles.extend(halves([at(i, ends[0]), at(i + 1, ends[0]), at(i + 1, ends[1]), at(i, ends[1])]));
        triangles.extend(ends.map(|y| [at(i, y), at(i + 1, y), LabVec::new(0.0, y, 0.0)]));
    }
    mesh(&triangles)
}

/// A saddle over a square, of 12 × 12 cells.
pub(super) fn saddle(size: f64) -> Result<TriangleMesh, Error> {
    let at = |i: u32, j: u32| {
        let [x, y] = [i, j].map(|k| f64::from(k) / 6.0 - 1.0);
        LabVec::new(2.0 * x, 2.0 * y, x * x - y * y) * size
    };
    let cell = |(i, j): (u32, u32)| halves([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
    mesh(&(0..12).flat_map(|i| (0..12).map(move |j| (i, j))).flat_map(cell).collect())
}
