//! Forces of bodies that overlap each other, bodies that stay, walls, or the ends of the box.

use super::super::region::Tube;
use super::super::room::Room;
use super::contacts::{Lists, Spheres};
use super::relax::Screw;
use crate::law::EnergyPower;
use crate::wall::Touch;
use tumble_math::LabVec;

/// A sphere this far in a wall, as a part of its radius, may come out on the other side.
pub(super) const HOPELESS: f64 = 0.85;

/// Force and torque on all bodies for placed spheres of this size. Returns the largest overlap as a part of
/// the smaller radius; one with a body counts for no more than is hopeful, since that cannot be got through.
pub(super) fn forces(
    room: &Room<'_>,
    spheres: &Spheres,
    lists: &Lists,
    size: f64,
    forces: &mut [Screw],
) -> f64 {
    forces.fill(Screw::ZERO);
    let mut act = |sphere: usize, force: LabVec<f64>| {
        let load = &mut forces[spheres.body[sphere] as usize];
        load.along = load.along + force;
        load.about = load.about + spheres.arm[sphere].cross(force);
    };
    let Spheres { radius, place, .. } = spheres;
    let periodic = room.domain.is_periodic();
    let between = |from: LabVec<f64>, to: LabVec<f64>| {
        if periodic { room.domain.nearest(from, to) } else { to - from }
    };
    let mut worst: f64 = 0.0;

    for &[a, b] in &lists.pairs {
        let (a, b) = (a as usize, b as usize);
        let radii = [radius[a] * size, radius[b] * size];
        if let Some((force, part)) = apart(between(place[a], place[b]), radii) {
            worst = worst.max(part.min(HOPELESS));
            act(a, -force);
            act(b, force);
        }
    }
    for &(a, other, other_radius) in &lists.fixed {
        let a = a as usize;
        if let Some((force, part)) = apart(between(other, place[a]), [radius[a] * size, other_radius]) {
            worst = worst.max(part.min(HOPELESS));
            act(a, force);
        }
    }
    let mut touches: Vec<Touch> = Vec::new();
    for (a, wall, triangles) in &lists.walls {
        let (a, (wall, pose)) = (*a as usize, &room.walls[*wall as usize]);
        touches.clear();
        wall.shape.touches(
            pose.to_reference(place[a]),
            radius[a] * size,
            EnergyPower::Square,
            triangles,
            &mut touches,
        );
        for touch in &touches {
            worst = worst.max(touch.overlap / (radius[a] * size));
            act(a, pose.direction_to_lab(touch.normal) * touch.overlap);
        }
    }
    if let Some(tube) = room.region.tube() {
        return worst.max(into_tube(tube, spheres, size, act));
    }
    let (low, high) = (room.low.to_array(), room.high.to_array());
    for (a, place) in place.iter().enumerate() {
        let (radius, place) = (radius[a] * size, place.to_array());
        for axis in (0..3).filter(|&axis| !room.endless[axis]) {
            let (below, above) = (low[axis] + radius - place[axis], place[axis] + radius - high[axis]);
            if below > 0.0 || above > 0.0 {
                worst = worst.max((below.max(above) / radius).min(HOPELESS));
                let mut force = [0.0; 3];
                force[axis] = below.max(0.0) - above.max(0.0);
                act(a, LabVec::from_array(force));
            }
        }
    }
    worst
}

/// Pushes spheres back into a tube with two ends; returns the largest overlap, as above.
fn into_tube(tube: Tube, spheres: &Spheres, size: f64, mut act: impl FnMut(usize, LabVec<f64>)) -> f64 {
    let mut worst: f64 = 0.0;
    for (a, &place) in spheres.place.iter().enumerate() {
        let radius = spheres.radius[a] * size;
        let (along, across) = tube.parts(place);
        let ends = (radius - along).max(0.0) - (along + radius - tube.length).max(0.0);
        let distance = across.norm();
        let side = distance + radius - tube.radius;
        if side > 0.0 && distance > 0.0 {
            act(a, across * (-side / distance));
        }
        if ends != 0.0 {
            act(a, tube.axis * ends);
        }
        worst = worst.max((side.max(ends.abs()) / radius).min(HOPELESS));
    }
    worst
}

/// The force on the second of two spheres this far apart, and their overlap as a part of the smaller radius.
#[inline]
fn apart(between: LabVec<f64>, [a, b]: [f64; 2]) -> Option<(LabVec<f64>, f64)> {
    let square = between.norm_squared();
    if square >= (a + b) * (a + b) {
        return None;
    }
    let distance = square.sqrt();
    let overlap = a + b - distance;
    // Of two at the same place, the second goes along x.
    let normal = if distance > 0.0 { between * (1.0 / distance) } else { LabVec::new(1.0, 0.0, 0.0) };
    Some((normal * overlap, overlap / a.min(b)))
}
