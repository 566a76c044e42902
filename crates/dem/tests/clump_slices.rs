//! The closed form of the union against an integration of another kind: planar slices.
//!
//! A plane cuts spheres in discs. The moments of a union of discs follow from Green's theorem around its
//! outline, and are integrated over the height of the plane by adaptive Gauss quadrature between the heights
//! at which the outline changes its topology, with an end-point substitution for the square roots there.

use std::f64::consts::{PI, TAU};
use tumble_dem::clump::{ClumpSphere, MassModel, MassProperties};

/// 1, x, y, z, xx, yy, zz, yz, xz, xy integrated over the union.
type Moments = [f64; 10];

struct Gauss {
    nodes: Vec<(f64, f64)>,
}

impl Gauss {
    /// Legendre's nodes and weights on [−1, 1], by Newton's iteration.
    fn new(n: usize) -> Self {
        let nodes = (0..n).map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 0.0;
            for _ in 0..20 {
                let (mut p, mut before) = (1.0, 0.0);
                for k in 0..n {
                    let k = k as f64;
                    (p, before) = (((2.0 * k + 1.0) * x * p - k * before) / (k + 1.0), p);
                }
                slope = n as f64 * (x * p - before) / (x * x - 1.0);
                x -= p / slope;
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        });
        Self { nodes: nodes.collect() }
    }
}

fn slice_moments(spheres: &[[f64; 4]], z: f64, gauss: &Gauss) -> Moments {
    let discs: Vec<[f64; 3]> = spheres
        .iter()
        .filter_map(|&[x, y, zc, r]| {
            let square = (r - (z - zc)) * (r + (z - zc));
            (square > 0.0).then(|| [x, y, square.sqrt()])
        })
        .collect();
    let mut sum = [0.0; 10];
    for (i, &[x, y, r]) in discs.iter().enumerate() {
        let mut covered = Vec::new();
        let mut hidden = false;
        for (j, &[xj, yj, rj]) in discs.iter().enumerate() {
            let d = (xj - x).hypot(yj - y);
            if j == i || d >= r + rj || d + rj <= r {
                continue;
            }
            if d + r <= rj {
                hidden = true;
                break;
            }
            let middle = (yj - y).atan2(xj - x);
            let half = ((r * r + d * d - rj * rj) / (2.0 * r * d)).clamp(-1.0, 1.0).acos();
            let from = (middle - half).rem_euclid(TAU);
            covered.push((from, from + 2.0 * half));
            covered.push((from - TAU, from - TAU + 2.0 * half));
        }
        if hidden {
            continue;
        }
        covered.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let mut at = 0.0;
        for (from, to) in covered.into_iter().chain([(TAU, TAU)]) {
            if from > at {
                add_outline(&mut sum, [x, y, r], [at, from.min(TAU)], z, gauss);
            }
            at = f64::max(at, to);
        }
    }
    sum
}

/// Green: ∫xᵃ dA = ∮ xᵃ⁺¹/(a+1) dy, and the like for y.
fn add_outline(sum: &mut Moments, [cx, cy, r]: [f64; 3], [from, to]: [f64; 2], z: f64, gauss: &Gauss) {
    let pieces = ((to - from) / 1.6).ceil().max(1.0);
    let half = 0.5 * (to - from) / pieces;
    let mut piece = 0.0;
    while piece < pieces {
        let middle = from + (2.0 * piece + 1.0) * half;
        for &(node, weight) in &gauss.nodes {
            let (sin, cos) = (middle + half * node).sin_cos();
            let (x, y) = (cx + r * cos, cy + r * sin);
            let (dx, dy) = (-r * sin * half * weight, r * cos * half * weight);
            let area = 0.5 * (x * dy - y * dx);
            let (mx, my) = (0.5 * x * x * dy, -0.5 * y * y * dx);
            let terms = [
                area,
                mx,
                my,
                z * area,
                x * x * x / 3.0 * dy,
                -y * y * y / 3.0 * dx,
                z * z * area,
                z * my,
                z * mx,
                0.5 * x * x * y * dy,
            ];
            sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        piece += 1.0;
    }
}

fn adaptive(
    spheres: &[[f64; 4]],
    [a, b]: [f64; 2],
    tolerance: f64,
    depth: u32,
    rules: &[Gauss; 3],
) -> Moments {
    let integrate = |rule: &Gauss| {
        let mut sum = [0.0; 10];
        for &(node, weight) in &rule.nodes {
            let theta = 0.5 * PI * (1.0 + node);
            let z = 0.5 * (a + b) - 0.5 * (b - a) * theta.cos();
            let weight = weight * 0.5 * PI * 0.5 * (b - a) * theta.sin();
            let slice = slice_moments(spheres, z, &rules[0]);
            sum.iter_mut().zip(slice).for_each(|(sum, term)| *sum += weight * term);
        }
        sum
    };
    let (coarse, fine) = (integrate(&rules[1]), integrate(&rules[2]));
    let agree = coarse.iter().zip(&fine).all(|(c, f)| (c - f).abs() <= tolerance);
    if agree || depth == 0 {
        return fine;
    }
    let middle = 0.5 * (a + b);
    let (low, high) = (
        adaptive(spheres, [a, middle], tolerance, depth - 1, rules),
        adaptive(spheres, [middle, b], tolerance, depth - 1, rules),
    );
    std::array::from_fn(|i| low[i] + high[i])
}

fn sub(a: [f64; 4], b: [f64; 4]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Heights at which the outline of the slice can change: tops of spheres and circles, and corners.
fn events(spheres: &[[f64; 4]]) -> Vec<f64> {
    let n = spheres.len();
    let mut points: Vec<[f64; 3]> = Vec::new();
    for (i, &a @ [x, y, z, r]) in spheres.iter().enumerate() {
        points.extend([[x, y, z - r], [x, y, z + r]]);
        for j in i + 1..n {
            let b = spheres[j];
            // The plane of the circle: x·u = h, relative to the centre of a.
            let u = sub(b, a);
            let h = 0.5 * (dot(u, u) + r * r - b[3] * b[3]);
            let t = h / dot(u, u);
            let rho2 = r * r - t * h;
            if rho2 > 0.0 {
                let reach = (rho2 * (1.0 - u[2] * u[2] / dot(u, u))).max(0.0).sqrt();
                let flat = u[0] * u[0] + u[1] * u[1];
                for sign in [-1.0, 1.0] {
                    let dz = sign * reach;
                    let s = if flat > 0.0 { -dz * u[2] / flat } else { 0.0 };
                    points.push([x + (t + s) * u[0], y + (t + s) * u[1], z + t * u[2] + dz]);
                }
            }
            for &c in &spheres[j + 1..] {
                let v = sub(c, a);
                let k = 0.5 * (dot(v, v) + r * r - c[3] * c[3]);
                let w = cross(u, v);
                let ww = dot(w, w);
                if ww < 1e-20 {
                    continue;
                }
                let (p, q) = (cross(v, w), cross(w, u));
                let base: [f64; 3] = std::array::from_fn(|i| (h * p[i] + k * q[i]) / ww);
                let s2 = (r * r - dot(base, base)) / ww;
                if s2 >= 0.0 {
                    for s in [-s2.sqrt(), s2.sqrt()] {
                        points.push(std::array::from_fn(|i| a[i] + base[i] + s * w[i]));
                    }
                }
            }
        }
    }
    let exposed = |p: &[f64; 3]| {
        spheres.iter().all(|&s| {
            dot(sub(s, [p[0], p[1], p[2], 0.0]), sub(s, [p[0], p[1], p[2], 0.0])).sqrt() > s[3] - 1e-8
        })
    };
    let mut heights: Vec<f64> = points.into_iter().filter(exposed).map(|p| p[2]).collect();
    heights.sort_by(f64::total_cmp);
    heights.dedup_by(|a, b| (*a - *b).abs() < 1e-13);
    heights
}

fn by_slices(spheres: &[[f64; 4]]) -> Moments {
    let rules = [Gauss::new(12), Gauss::new(16), Gauss::new(24)];
    let heights = events(spheres);
    let mut sum = [0.0; 10];
    for window in heights.windows(2) {
        let part = adaptive(spheres, [window[0], window[1]], 2e-14, 12, &rules);
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

/// The largest deviation of the closed form, in units of V, of V times the size and of the largest moment.
fn deviation(spheres: &[[f64; 4]]) -> f64 {
    let [v, x, y, z, xx, yy, zz, yz, xz, xy] = by_slices(spheres);
    let list: Vec<_> = spheres.iter().map(|&[x, y, z, r]| ClumpSphere::new([x, y, z], r)).collect();
    let body = MassProperties::new(&list, MassModel::Union).unwrap();
    let (cx, cy, cz) = (x / v, y / v, z / v);
    let (sx, sy, sz) = (xx - v * cx * cx, yy - v * cy * cy, zz - v * cz * cz);
    let inertia = [sy + sz, sx + sz, sx + sy, -(yz - v * cy * cz), -(xz - v * cx * cz), -(xy - v * cx * cy)];
    let (diagonal, products) = (body.inertia.diagonal.to_array(), body.inertia.off_diagonal.to_array());
    let largest = inertia[0].max(inertia[1]).max(inertia[2]);
    let deviations = [body.volume / v - 1.0, body.centre.x - cx, body.centre.y - cy, body.centre.z - cz]
        .into_iter()
        .chain(diagonal.into_iter().chain(products).zip(inertia).map(|(a, b)| (a - b) / largest));
    deviations.map(f64::abs).fold(0.0, |worst, d| if d <= worst { worst } else { d })
}

/// Numbers in [0, 1) by a linear congruential generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[test]
fn random_clumps_agree_with_their_slices() {
    let mut dice = Dice(2024);
    let mut worst = 0.0;
    for clump in 0..24 {
        let n = 3 + (clump * 27) / 23;
        // From loose heaps to dense ones, with radii that differ by up to ten.
        let spread = 0.5 + dice.roll();
        let spheres: Vec<[f64; 4]> = (0..n)
            .map(|_| {
                let centre = [0; 3].map(|_| spread * (2.0 * dice.roll() - 1.0));
                [centre[0], centre[1], centre[2], 0.1 + 0.9 * dice.roll() * dice.roll()]
            })
            .collect();
        let found = deviation(&spheres);
        worst = if found <= worst { worst } else { found };
    }
    assert!(worst < 3e-14, "{worst:e}");
}

#[test]
fn symmetric_clumps_agree_with_their_slices() {
    // Turned out of the coordinate planes: where the outline changes at a height all at once, the events of
    // the slices are as degenerate as those of the closed form.
    let turn = |[x, y, z]: [f64; 3]| {
        let (x, y) = (0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y);
        let (y, z) = (5.0 / 13.0 * y - 12.0 / 13.0 * z, 12.0 / 13.0 * y + 5.0 / 13.0 * z);
        [x, y, z]
    };
    let at = |points: &[[f64; 3]], r: f64| -> Vec<[f64; 4]> {
        points.iter().map(|&p| turn(p)).map(|[x, y, z]| [x, y, z, r]).collect()
    };
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) - 0.5)).collect();
    let axes: Vec<[f64; 3]> = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .into_iter()
        .flat_map(|axis: [f64; 3]| [axis, axis.map(|x| -x)])
        .collect();
    let tetrahedron = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0_f64]];
    let with_core = |mut spheres: Vec<[f64; 4]>, r: f64| {
        spheres.push([0.0, 0.0, 0.0, r]);
        spheres
    };
    let cases = [
        ("cube", at(&corners, 0.6)),
        ("cube with all spheres through its centre", at(&corners, 0.75_f64.sqrt())),
        ("cube whose spheres meet at the face centres", at(&corners, 0.5_f64.sqrt())),
        ("octahedron", at(&axes, 0.9)),
        ("octahedron with all spheres through its centre", at(&axes, 1.0)),
        ("octahedron and core with circles that touch", with_core(at(&axes, 1.0), 2.0_f64.sqrt())),
        ("tetrahedron with all spheres through its centre", at(&tetrahedron, 3.0_f64.sqrt())),
        ("tetrahedron with spheres that meet at the face centres", at(&tetrahedron, (8.0_f64 / 3.0).sqrt())),
        ("tetrahedron and core", with_core(at(&tetrahedron, 1.5), 1.5)),
        (
            "three spheres through one circle",
            vec![
                [0.0, 0.0, 0.0, 1.0],
                [0.3, 0.0, 0.0, 1.0_f64.hypot(0.3)],
                [1.2, 0.0, 0.0, 1.0_f64.hypot(1.2)],
            ],
        ),
        ("chain with a repeated circle", at(&[[0.0; 3], [0.6, 0.0, 0.0], [1.2, 0.0, 0.0]], 1.0)),
    ];
    for (name, spheres) in cases {
        let found = deviation(&spheres);
        assert!(found < 1e-12, "{name}: {found:e}");
    }
}

/// Spheres on a lattice, or off it by as little as rounding: circles shared by three spheres, spheres that
/// touch from within and without, four and more through one point, near-duplicates. The union is smooth in
/// the radii where its topology is not, so the mean over radii a little larger and smaller must agree.
#[test]
fn ties_and_near_ties_change_nothing() {
    const CHANGE: f64 = 2e-7;
    let mut dice = Dice(7);
    let mut worst = 0.0;
    for trial in 0..8000 {
        let n = 3 + trial % 12;
        let points = 2.0 + (dice.roll() * 3.0).floor();
        let spacing = if trial % 2 == 0 { 1.0 } else { 2.0 };
        let spheres: Vec<[f64; 4]> = (0..n)
            .map(|_| {
                let noise = if trial % 4 < 2 { 0.0 } else { 10_f64.powf(-6.0 - 10.0 * dice.roll()) };
                let mut jitter = || noise * (dice.roll() - 0.5);
                let jitters = [0; 4].map(|_| jitter());
                let centre = [0, 1, 2].map(|i| spacing * (dice.roll() * points).floor() + jitters[i]);
                [centre[0], centre[1], centre[2], (1.0 + (dice.roll() * 6.0).floor()).sqrt() + jitters[3]]
            })
            .collect();
        let union = |change: f64| {
            let list: Vec<_> = spheres
                .iter()
                .map(|&[x, y, z, r]| {
                    let factor = 1.0 + 0.211 * x - 0.131 * y + 0.173 * z + 0.3 * r;
                    ClumpSphere::new([x, y, z], r * (1.0 + change * factor))
                })
                .collect();
            let body = MassProperties::new(&list, MassModel::Union).unwrap();
            [body.volume, body.inertia.trace()]
        };
        let (smaller, exact, larger) = (union(-CHANGE), union(0.0), union(CHANGE));
        for i in 0..2 {
            let found = (0.5 * (smaller[i] + larger[i]) / exact[i] - 1.0).abs();
            worst = if found <= worst { worst } else { found };
        }
    }
    assert!(worst < 1e-10, "{worst:e}");
}
