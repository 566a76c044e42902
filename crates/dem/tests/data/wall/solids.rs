//! Triangulated shapes for the tests of meshes.

use crate::sampling::Random;
use std::f64::consts::{PI, TAU};
use tumble_dem::law::EnergyPower;
use tumble_dem::wall::{MeshOptions, Touch, TriangleMesh};
use tumble_math::{BodyVec, LabVec, Quat};

pub(crate) type Triangles = Vec<[LabVec<f64>; 3]>;

pub(crate) fn v(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

/// A rotation and a shift, from coordinates of a drawing to those of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) q: Quat<f64>,
    pub(crate) shift: LabVec<f64>,
}

impl Placed {
    pub(crate) fn random(random: &mut Random) -> Self {
        Self { q: Quat::from_array(random.unit_quaternion()), shift: LabVec::from_array(random.vector(1.0)) }
    }

    pub(crate) fn identity() -> Self {
        Self { q: Quat::identity(), shift: LabVec::zero() }
    }

    pub(crate) fn direction(&self, p: LabVec<f64>) -> LabVec<f64> {
        self.q.to_lab(BodyVec::new(p.x, p.y, p.z))
    }

    pub(crate) fn point(&self, p: LabVec<f64>) -> LabVec<f64> {
        self.direction(p) + self.shift
    }

    pub(crate) fn all(&self, triangles: &Triangles) -> Triangles {
        triangles.iter().map(|corners| corners.map(|corner| self.point(corner))).collect()
    }
}

/// A sheet over the square [0, size]² with n × n cells, corners displaced by `jitter` cells, diagonals and
/// windings at random, and heights from a function.
pub(crate) fn sheet(
    n: u32,
    size: f64,
    jitter: f64,
    random: &mut Random,
    mut height: impl FnMut(&mut Random) -> f64,
) -> Triangles {
    let mut corners = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            let mut move_by = |k: u32| if k == 0 || k == n { 0.0 } else { random.between(-jitter, jitter) };
            let (x, y) = (f64::from(i) + move_by(i), f64::from(j) + move_by(j));
            let cell = size / f64::from(n);
            corners.push(v(x * cell, y * cell, height(random)));
        }
    }
    let at = |i: u32, j: u32| corners[(j * (n + 1) + i) as usize];
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let halves = [[[a, b, c], [a, c, d]], [[a, b, d], [b, c, d]]];
            // Of a cell that is not convex only one diagonal is inside.
            let left = |[a, b, c]: [LabVec<f64>; 3]| (b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x);
            let either = usize::from(random.between(0.0, 1.0) < 0.5);
            let halves = halves[if halves[either].into_iter().all(left) { either } else { 1 - either }];
            for [a, b, c] in halves {
                triangles.push(if random.between(0.0, 1.0) < 0.5 { [a, b, c] } else { [a, c, b] });
            }
        }
    }
    triangles
}

/// The cube [−1, 1]³ with n × n cells on each side.
pub(crate) fn cube(n: u32) -> Triangles {
    let mut triangles = Vec::new();
    for side in 0..6 {
        let place = |i: u32, j: u32| {
            let [a, b] = [i, j].map(|k| 2.0 * f64::from(k) / f64::from(n) - 1.0);
            let w = if side % 2 == 0 { 1.0 } else { -1.0 };
            match side / 2 {
                0 => v(w, a, b),
                1 => v(b, w, a),
                _ => v(a, b, w),
            }
        };
        for i in 0..n {
            for j in 0..n {
                let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    triangles
}

/// The curved surface of a cylinder of radius 1 and height 2 about z, with corners on it: n facets around.
pub(crate) fn tube(n: u32) -> Triangles {
    let rows = n / 3 + 1;
    let place = |i: u32, j: u32| {
        let angle = TAU * f64::from(i % n) / f64::from(n);
        v(angle.cos(), angle.sin(), 2.0 * f64::from(j) / f64::from(rows) - 1.0)
    };
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..rows {
            let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// A unit sphere of meridians and parallels.
pub(crate) fn ball(n: u32) -> Triangles {
    let place = |i: u32, j: u32| {
        let (phi, theta) =
            (TAU * f64::from(i % (2 * n)) / f64::from(2 * n), PI * f64::from(j) / f64::from(n));
        // The poles must be the same from all meridians.
        let rho = if j == 0 || j == n { 0.0 } else { theta.sin() };
        v(rho * phi.cos(), rho * phi.sin(), theta.cos())
    };
    let mut triangles = Vec::new();
    for i in 0..2 * n {
        for j in 0..n {
            let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// A number from 0 to `count` − 1, or 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn below(count: usize, random: &mut Random) -> usize {
    (random.between(0.0, 1.0) * count as f64) as usize
}

pub(crate) fn mesh(triangles: &Triangles) -> TriangleMesh {
    TriangleMesh::new(triangles, MeshOptions::default()).unwrap()
}

/// The touches of a sphere, the same whether the candidates are just enough or many more.
pub(crate) fn touches(mesh: &TriangleMesh, centre: LabVec<f64>, radius: f64) -> Vec<Touch> {
    let (mut few, mut many, mut found, mut again) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    mesh.candidates(centre, radius, &mut few);
    mesh.candidates(centre, 1.4 * radius, &mut many);
    mesh.touches(centre, radius, EnergyPower::FiveHalves, &few, &mut found);
    mesh.touches(centre, radius, EnergyPower::FiveHalves, &many, &mut again);
    assert_eq!(found, again);
    found
}
