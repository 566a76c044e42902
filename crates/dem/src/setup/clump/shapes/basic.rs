//! Sphere, rods and what is made of them: T-handle, crosses, tetrahedron. Lengths in metres.

use super::super::ClumpSphere;

/// One sphere about the origin.
pub fn sphere(radius: f64) -> Vec<ClumpSphere> {
    vec![ClumpSphere::new([0.0; 3], radius)]
}

/// `count` spheres in a row along x, `spacing` between centres, about the origin.
///
/// Spheres touch at a spacing of 2 radii and leave ridges of 13 % of their radius at one radius.
pub fn rod(count: u32, radius: f64, spacing: f64) -> Vec<ClumpSphere> {
    let middle = 0.5 * f64::from(count.saturating_sub(1));
    (0..count).map(|i| ClumpSphere::new([(f64::from(i) - middle) * spacing, 0.0, 0.0], radius)).collect()
}

/// A T: a bar of length `width` along x and a stem of half that length along −z from its middle, both of
/// rods of this radius with spheres about a radius apart.
///
/// Its three principal moments differ, so that a free one turns over and over (Dzhanibekov's effect).
pub fn t_handle(width: f64, radius: f64) -> Vec<ClumpSphere> {
    let reach = 0.5 * width - radius;
    let steps = steps_along(reach, radius);
    let step = reach / f64::from(steps);
    let mut spheres = rod(2 * steps + 1, radius, step);
    spheres.extend((1..=steps).map(|i| ClumpSphere::new([0.0, 0.0, -step * f64::from(i)], radius)));
    spheres
}

/// Four spheres whose centres are the corners of a regular tetrahedron with this edge, about the origin.
pub fn tetrahedron(radius: f64, edge: f64) -> Vec<ClumpSphere> {
    // Every other corner of a cube.
    let half = edge / 8.0_f64.sqrt();
    let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0_f64]];
    corners.map(|corner| ClumpSphere::new(corner.map(|x| half * x), radius)).to_vec()
}

/// Three rods crossed at right angles: a sphere at the origin and `arm` more along ±x, ±y and ±z.
pub fn cross(arm: u32, radius: f64, spacing: f64) -> Vec<ClumpSphere> {
    crossed_rods(3, arm, radius, spacing)
}

/// Two rods crossed at right angles in the xz plane.
pub fn planar_cross(arm: u32, radius: f64, spacing: f64) -> Vec<ClumpSphere> {
    crossed_rods(2, arm, radius, spacing)
}

fn crossed_rods(rods: usize, arm: u32, radius: f64, spacing: f64) -> Vec<ClumpSphere> {
    let mut spheres = sphere(radius);
    for axis in [0, 2, 1].into_iter().take(rods) {
        for i in 1..=arm {
            for side in [-1.0, 1.0] {
                let mut centre = [0.0; 3];
                centre[axis] = side * f64::from(i) * spacing;
                spheres.push(ClumpSphere::new(centre, radius));
            }
        }
    }
    spheres
}

/// How many steps of about `step` make up `length`: at least one, and no more than a rod needs.
fn steps_along(length: f64, step: f64) -> u32 {
    const MOST: u32 = 1000;
    (1..MOST).find(|&steps| f64::from(steps) * step >= length * (1.0 - 1e-9)).unwrap_or(MOST)
}
