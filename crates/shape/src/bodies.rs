//! Meshes of simple bodies, as triangles wound anticlockwise seen from outside; lengths in m, about the origin.

use crate::Point;
use tumble_dem::random::Random;
use tumble_math::elementary::{exp, sin_cos};

/// The triangles of a mesh.
pub type Triangles = Vec<[Point; 3]>;

/// A cuboid with these edges along x, y and z.
pub fn cuboid([a, b, c]: [f64; 3]) -> Triangles {
    let at = |i: usize| {
        let end = |bit: usize, length: f64| if i & bit == 0 { -0.5 * length } else { 0.5 * length };
        Point::new(end(1, a), end(2, b), end(4, c))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    quads.iter().flat_map(|&[p, q, r, s]| [[at(p), at(q), at(r)], [at(p), at(r), at(s)]]).collect()
}

/// An ellipsoid with these half-axes: the unit ball of [`ball`], stretched.
pub fn ellipsoid(half_axes: [f64; 3], divisions: u32) -> Triangles {
    let stretch = Point::from_array(half_axes);
    ball(divisions).into_iter().map(|t| t.map(|corner| corner.times(stretch))).collect()
}

/// A ball of radius one: an icosahedron whose 20 faces are divided into `divisions`² triangles each, with the corners on the sphere.
pub fn ball(divisions: u32) -> Triangles {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::with_capacity(12);
    for (s, t) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        corners.extend([Point::new(0.0, s, t), Point::new(s, t, 0.0), Point::new(t, 0.0, s)]);
    }
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let [a, b, c] = [corners[i], corners[j], corners[k]];
                let edge = |p: Point, q: Point| ((p - q).norm() - 2.0).abs() < 1e-9;
                if edge(a, b) && edge(b, c) && edge(c, a) {
                    let outward = (b - a).cross(c - a).dot(a) > 0.0;
                    divide(if outward { [a, b, c] } else { [a, c, b] }, divisions.max(1), &mut triangles);
                }
            }
        }
    }
    triangles
}

/// Divides a face into a grid of triangles with corners on the unit sphere. A corner is the same bits from whichever face it is seen.
fn divide(face: [Point; 3], divisions: u32, triangles: &mut Triangles) {
    let at = |i: u32, j: u32| {
        let mut weighted = [(face[0], divisions - i - j), (face[1], i), (face[2], j)];
        weighted.sort_by(|a, b| {
            let keys = |p: Point| p.to_array();
            keys(a.0).partial_cmp(&keys(b.0)).unwrap_or(core::cmp::Ordering::Equal)
        });
        let sum = weighted
            .iter()
            .filter(|(_, w)| *w > 0)
            .fold(Point::zero(), |sum, (p, w)| sum + *p * f64::from(*w));
        sum.unit()
    };
    for i in 0..divisions {
        for j in 0..divisions - i {
            triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
            if i + j + 1 < divisions {
                triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
            }
        }
    }
}

/// A torus about the z axis: `ring` from its axis to the middle of the tube, and the radius of the `tube`.
pub fn torus(ring: f64, tube: f64, [around, across]: [u32; 2]) -> Triangles {
    let at = |i: u32, j: u32| {
        let angle = |k: u32, of: u32| core::f64::consts::TAU * f64::from(k % of) / f64::from(of);
        let ((sin_i, cos_i), (sin_j, cos_j)) = (sin_cos(angle(i, around)), sin_cos(angle(j, across)));
        let radius = ring + tube * cos_j;
        Point::new(radius * cos_i, radius * sin_i, tube * sin_j)
    };
    grid(around, across, at)
}

/// A cylinder along z, its curved face of so many flat ones.
pub fn cylinder(radius: f64, height: f64, sides: u32) -> Triangles {
    let at = |i: u32, z: f64| {
        let (sin, cos) = sin_cos(core::f64::consts::TAU * f64::from(i % sides) / f64::from(sides));
        Point::new(radius * cos, radius * sin, z)
    };
    let (low, high) = (-0.5 * height, 0.5 * height);
    let (below, above) = (Point::new(0.0, 0.0, low), Point::new(0.0, 0.0, high));
    (0..sides)
        .flat_map(|i| {
            [
                [at(i, low), at(i + 1, low), at(i + 1, high)],
                [at(i, low), at(i + 1, high), at(i, high)],
                [below, at(i + 1, low), at(i, low)],
                [above, at(i, high), at(i + 1, high)],
            ]
        })
        .collect()
}

/// A body turned on a lathe about the z axis: a line of points, each a distance from the axis and a height, from a point on the axis to another with
/// the body on its left.
pub fn turned(line: &[[f64; 2]], sides: u32) -> Triangles {
    let at = |[radius, z]: [f64; 2], i: u32| {
        let (sin, cos) = sin_cos(core::f64::consts::TAU * f64::from(i % sides) / f64::from(sides));
        Point::new(radius * cos, radius * sin, z)
    };
    let mut triangles = Vec::new();
    for pair in line.windows(2) {
        for i in 0..sides {
            let [p, q, r, s] = [at(pair[0], i), at(pair[0], i + 1), at(pair[1], i + 1), at(pair[1], i)];
            if pair[0][0] > 0.0 {
                triangles.push([p, q, r]);
            }
            if pair[1][0] > 0.0 {
                triangles.push([p, r, s]);
            }
        }
    }
    triangles
}

/// A pawn of chess, so high: a foot, a waist, a collar and a head.
pub fn pawn(height: f64, sides: u32) -> Triangles {
    let mut line = vec![[0.0, 0.0], [0.30, 0.0], [0.30, 0.09]];
    // The body between foot and collar narrows as a cosine does.
    line.extend((0..=12).map(|i| {
        let part = f64::from(i) / 12.0;
        let waist = 0.5 * (1.0 + sin_cos(core::f64::consts::PI * part).1);
        [0.11 + 0.14 * waist, 0.13 + 0.43 * part]
    }));
    line.extend([[0.19, 0.58], [0.19, 0.62]]);
    // The head is a part of a ball that begins where it is as wide as the neck.
    let (radius, middle) = (0.19, 0.81);
    line.extend((0..=16).map(|i| {
        let angle = core::f64::consts::PI * (0.20 + 0.80 * f64::from(i) / 16.0);
        let (sin, cos) = sin_cos(angle);
        [if i == 16 { 0.0 } else { radius * sin }, middle - radius * cos]
    }));
    turned(&line.iter().map(|point| point.map(|x| x * height)).collect::<Vec<_>>(), sides)
}

/// A grain of sand about `size` across, the same for the same seed: a ball with bumps whose heights fall off with how many go round it.
/// 20 `divisions`² triangles.
pub fn grain(size: f64, seed: u64, divisions: u32) -> Triangles {
    let mut random = Random::new(seed);
    let stretch = Point::new(1.0, random.between(0.75, 0.95), random.between(0.6, 0.8));
    let waves: Vec<(Point, f64, f64)> = (0..40)
        .map(|number| {
            let wave = 2.0 + 0.3 * f64::from(number);
            let height = 0.16 / (wave * wave.sqrt());
            (random.direction() * wave, random.between(0.0, core::f64::consts::TAU), height)
        })
        .collect();
    let bumps =
        |u: Point| waves.iter().map(|(k, phase, height)| height * sin_cos(u.dot(*k) + phase).0).sum::<f64>();
    ball(divisions)
        .into_iter()
        .map(|t| t.map(|u| u.times(stretch) * (0.5 * size * (1.0 + bumps(u)))))
        .collect()
}

/// A rock about `size` across, the same for the same seed: a ball cut by random planes, whose edges are worn, with bumps of several
/// sizes. 20 `divisions`² triangles.
pub fn rock(size: f64, seed: u64, divisions: u32) -> Triangles {
    /// The soft minimum of the cuts: edges are worn over a few percent of the size.
    const WEAR: f64 = 0.035;
    let mut random = Random::new(seed);
    let stretch = Point::new(random.between(0.85, 1.0), random.between(0.7, 0.9), random.between(0.55, 0.75));
    let cuts: Vec<(Point, f64)> = (0..14).map(|_| (random.direction(), random.between(0.62, 0.95))).collect();
    let waves: Vec<(Point, f64, f64)> = (0..24)
        .map(|number| {
            let wave = 3.0 + 0.6 * f64::from(number);
            (random.direction() * wave, random.between(0.0, core::f64::consts::TAU), 0.06 / wave)
        })
        .collect();
    let height = |u: Point| {
        let sum: f64 = cuts
            .iter()
            .map(|(normal, depth)| u.dot(*normal).max(1e-3) / depth)
            .chain([1.0])
            .map(|inverse| exp((1.0 - 1.0 / inverse.max(0.4)) / WEAR))
            .sum();
        let flat = 1.0 - WEAR * tumble_math::elementary::ln(sum);
        let bumps: f64 = waves.iter().map(|(k, phase, height)| height * sin_cos(u.dot(*k) + phase).0).sum();
        flat * (1.0 + bumps)
    };
    ball(divisions).into_iter().map(|t| t.map(|u| u.times(stretch) * (0.62 * size * height(u)))).collect()
}

/// A surface that closes in both directions.
fn grid(rows: u32, columns: u32, at: impl Fn(u32, u32) -> Point) -> Triangles {
    (0..rows)
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[p, q, r], [p, r, s]]
        })
        .collect()
}
