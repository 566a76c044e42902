//! Equal spheres that touch each other and do not overlap, for bodies that are held together by bonds.
//!
//! The densest lattice, hexagonal close packing, is laid through the solid, and the spheres that fit stay. Many turns and offsets are tried, drawn with a seed,
//! and the one that holds most spheres wins. If a number is given, the radius is found by bisection.

use crate::{Certificate, Fitted, MassFrom, Point, Rung, Solid};
use tumble_dem::clump::ClumpSphere;
use tumble_dem::random::Random;

/// Ways to lay the lattice.
const TRIES: u64 = 12;

/// Equal spheres inside a solid, as many as fit.
///
/// They stick out by at most `sticking_out` (m). `radius` is used as it is; without it, the largest radius is taken with which `spheres_max` are not exceeded but nearly reached.
///
/// ```
/// use tumble_shape::{Bodies, Solid, bodies, equal_spheres};
/// let brick = Solid::new(&bodies::cuboid([0.03, 0.02, 0.02]), Bodies::One)?;
/// let spheres = equal_spheres(&brick, None, 60, 0.0, 1);
/// assert!((40..=60).contains(&spheres.len()));
/// assert!(spheres.iter().all(|s| s.radius == spheres[0].radius && brick.depth(s.centre) >= s.radius * (1.0 - 1e-12)));
/// # Ok::<(), tumble_shape::MeshError>(())
/// ```
pub fn equal_spheres(
    solid: &Solid,
    radius: Option<f64>,
    spheres_max: usize,
    sticking_out: f64,
    seed: u64,
) -> Vec<ClumpSphere> {
    if let Some(radius) = radius {
        return best(solid, radius, sticking_out, seed);
    }
    // Between a radius of which more fit and one of which fewer do.
    let (mut small, mut large) = (0.0, solid.size());
    let mut found = Vec::new();
    for _ in 0..18 {
        let radius = if small > 0.0 { 0.5 * (small + large) } else { 0.6 * large };
        let spheres = best(solid, radius, sticking_out, seed);
        if spheres.len() > spheres_max {
            small = radius;
        } else {
            large = radius;
            if spheres.len() > found.len() {
                found = spheres;
            }
        }
        if found.len() == spheres_max {
            break;
        }
    }
    found
}

/// The same inside the solid alone, with a certificate; none if no sphere fits. The mass is the mesh's own, since they leave gaps.
pub fn fit_equal(solid: &Solid, radius: Option<f64>, spheres_max: usize, seed: u64) -> Option<Fitted> {
    let spheres = equal_spheres(solid, radius, spheres_max, 0.0, seed);
    if spheres.is_empty() {
        return None;
    }
    let certificate = Certificate::of(solid, &spheres);
    let ladder = vec![Rung { spheres: spheres.clone(), certificate, mass: MassFrom::Mesh }];
    Some(Fitted { spheres, certificate, mass: MassFrom::Mesh, reached: true, interrupted: false, ladder })
}

/// The lattice that holds most spheres of this radius.
fn best(solid: &Solid, radius: f64, sticking_out: f64, seed: u64) -> Vec<ClumpSphere> {
    let mut best = Vec::new();
    for number in 0..TRIES {
        let mut random = Random::numbered(seed, number);
        // The first lattices lie along the axes: bodies with faces often do.
        let turn = if number < TRIES / 3 { tumble_math::Quat::identity() } else { random.orientation() };
        let offset = Point::new(random.uniform(), random.uniform(), random.uniform()) * (2.0 * radius);
        let spheres = laid(solid, radius, sticking_out, turn, offset);
        if spheres.len() > best.len() {
            best = spheres;
        }
    }
    best
}

/// The spheres of one lattice that fit.
fn laid(
    solid: &Solid,
    radius: f64,
    sticking_out: f64,
    turn: tumble_math::Quat<f64>,
    offset: Point,
) -> Vec<ClumpSphere> {
    let [low, high] = solid.bounds();
    let (middle, reach) = ((low + high) * 0.5, 0.5 * (high - low).norm() + 2.0 * radius);
    // Distances of rows in a layer, and of layers, in radii.
    let (row, layer) = (3.0_f64.sqrt(), (8.0_f64 / 3.0).sqrt());
    let count = |spacing: f64| (reach / (spacing * radius)).ceil();
    let span = |spacing: f64| {
        let most = count(spacing);
        core::iter::successors(Some(-most), move |i| (*i < most).then_some(i + 1.0))
    };
    let is_odd = |i: f64| f64::from(u8::from(i - 2.0 * (0.5 * i).floor() > 0.5));
    let mut spheres = Vec::new();
    for k in span(layer) {
        for j in span(row) {
            for i in span(2.0) {
                let place = tumble_math::BodyVec::new(
                    2.0 * i + is_odd(j) + is_odd(k),
                    row * (j + is_odd(k) / 3.0),
                    layer * k,
                ) * radius;
                let centre = middle + offset + turn.to_lab(place);
                if solid.depth(centre) >= (radius - sticking_out) * (1.0 - 1e-12) {
                    spheres.push(ClumpSphere { centre, radius });
                }
            }
        }
    }
    spheres
}
