//! The rods of other scenes as one piece each: capsules, ellipsoids and cubes.

use super::scenes::{GAS_RADIUS, SETTLING_RADIUS, STEPS_TO_REST, Scene, falling, gas};
use std::error::Error;
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpError, ClumpHull, ClumpPieces, ClumpTemplate, MassModel,
};
use tumble_rotation::math::elementary::cbrt;

/// Capsules as long and wide as the rods of three spheres, in as large a cube.
pub(super) fn capsules(count: usize) -> Result<Scene, Box<dyn Error>> {
    let volume = 4.0 * core::f64::consts::PI * GAS_RADIUS * GAS_RADIUS * GAS_RADIUS;
    gas(count, capsule(GAS_RADIUS)?, cbrt(count as f64 * volume / 0.15))
}

/// A capsule as long and wide as a rod of three touching spheres.
fn capsule(radius: f64) -> Result<ClumpTemplate, ClumpError> {
    let capsule = ClumpCapsule::new([-2.0 * radius, 0.0, 0.0], [2.0 * radius, 0.0, 0.0], radius);
    ClumpTemplate::with_capsules("capsule", &[], &[capsule], MassModel::Union)
}

/// Ellipsoids as long and wide as the rods of three spheres, whose volume they have, in as large a cube.
pub(super) fn ellipsoids(count: usize) -> Result<Scene, Box<dyn Error>> {
    let ellipsoid = ellipsoid(GAS_RADIUS)?;
    let volume = ellipsoid.volume();
    gas(count, ellipsoid, cbrt(count as f64 * volume / 0.15))
}

/// An ellipsoid as long and wide as a rod of three touching spheres.
fn ellipsoid(radius: f64) -> Result<ClumpTemplate, ClumpError> {
    let ellipsoids = &[ClumpEllipsoid::new([3.0 * radius, radius, radius])];
    let pieces = ClumpPieces { ellipsoids, ..ClumpPieces::default() };
    ClumpTemplate::of("ellipsoid", pieces, MassModel::Union)
}

/// Cubes with the volume of the rods of three spheres, in as large a cube.
pub(super) fn cubes(count: usize) -> Result<Scene, Box<dyn Error>> {
    let cube = cube(GAS_RADIUS)?;
    let volume = cube.volume();
    gas(count, cube, cbrt(count as f64 * volume / 0.15))
}

/// A cube with the volume of a rod of three touching spheres, rounded by a tenth of its side.
fn cube(radius: f64) -> Result<ClumpTemplate, ClumpError> {
    let make = |side: f64| {
        let hulls = &[ClumpHull::cuboid([side; 3], 0.1 * side)];
        ClumpTemplate::of("cube", ClumpPieces { hulls, ..ClumpPieces::default() }, MassModel::Union)
    };
    let volume = 4.0 * core::f64::consts::PI * radius * radius * radius;
    make(cbrt(volume / make(1.0)?.volume()))
}

/// Capsules that have done so.
pub(super) fn packed_capsules(count: usize) -> Result<Scene, Box<dyn Error>> {
    packed(count, capsule(SETTLING_RADIUS)?)
}

/// Ellipsoids that have done so.
pub(super) fn packed_ellipsoids(count: usize) -> Result<Scene, Box<dyn Error>> {
    packed(count, ellipsoid(SETTLING_RADIUS)?)
}

/// Cubes that have done so.
pub(super) fn packed_cubes(count: usize) -> Result<Scene, Box<dyn Error>> {
    packed(count, cube(SETTLING_RADIUS)?)
}

fn packed(count: usize, rod: ClumpTemplate) -> Result<Scene, Box<dyn Error>> {
    Ok(Scene { preparation: STEPS_TO_REST, ..falling(count, rod)? })
}
