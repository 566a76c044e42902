//! Boxes that walls take up: nothing can be put into them.

use std::sync::Arc;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::placement::overlaps;
use tumble_dem::{Body, LabVec, TemplateId, Touching, World};

/// Where a box is looked at along each axis, as parts of its length.
const PARTS: [f64; 3] = [1.0 / 6.0, 0.5, 5.0 / 6.0];

/// How much of a box is in the wall that takes up most of it, or outside if it is closed: the number of the wall, and the
/// part. None if no wall does.
pub(super) fn worst_wall(world: &World, low: LabVec<f64>, high: LabVec<f64>) -> Option<(usize, f64)> {
    let size = high - low;
    let points: Vec<LabVec<f64>> = PARTS
        .iter()
        .flat_map(|&z| PARTS.iter().flat_map(move |&y| PARTS.iter().map(move |&x| LabVec::new(x, y, z))))
        .map(|part| low + part.times(size))
        .collect();
    // Next to nothing beside the box, so that none of them touches another.
    let speck =
        ClumpTemplate::sphere("speck", 1e-6 * size.to_array().into_iter().fold(f64::INFINITY, f64::min));
    let mut probe = World { walls: world.walls.clone(), domain: world.domain, ..World::default() };
    probe.templates.push(Arc::new(speck.ok()?));
    probe.bodies.extend(points.iter().map(|&point| Body::at(TemplateId(0), point)));
    let found = overlaps(&probe, 0.0, points.len() * (1 + world.walls.len())).found;
    let in_wall = |number: usize| {
        let wall = &world.walls[number];
        let pose = wall.motion.at(0.0);
        let is_in = |(body, &point): (u32, &LabVec<f64>)| {
            (pose.present && wall.shape.escaped(pose.to_reference(point)))
                || found.iter().any(|overlap| {
                    overlap.body.0.0 == body
                        && matches!(overlap.with, Touching::Wall(wall) if wall.index() == number)
                })
        };
        (0..).zip(&points).filter(|&point| is_in(point)).count()
    };
    let worst =
        (0..world.walls.len()).map(|number| (number, in_wall(number))).max_by_key(|(_, count)| *count);
    worst.filter(|(_, count)| *count > 0).map(|(number, count)| (number, count as f64 / points.len() as f64))
}
