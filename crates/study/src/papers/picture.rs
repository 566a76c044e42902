//! Pictures of simulated bodies in a box.

use tumble_dem::{Engine, World};
use tumble_report::{Ball, Snapshot, Surface};

/// All spheres of an engine, each template of its world in a colour of its own, in a cube of this side (m).
pub(super) fn in_cube(engine: &Engine, world: &World, side: f64, caption: String) -> Snapshot {
    let mut balls = Vec::new();
    for (number, body) in engine.bodies().into_iter().enumerate() {
        let group = usize::from(body.template);
        let spheres = world.templates.get(group).map(|template| template.spheres()).unwrap_or_default();
        balls.extend(spheres.iter().map(|sphere| Ball {
            centre: (body.position + body.orientation.to_lab(sphere.centre) * body.scale).to_array(),
            radius: sphere.radius * body.scale,
            group,
            body: number,
        }));
    }
    let groups = world.templates.iter().map(|template| template.name().to_owned()).collect();
    Snapshot { caption, balls, groups, walls: vec![cube(side)], ..Snapshot::default() }
}

/// The surface of a cube with a corner at the origin.
fn cube(side: f64) -> Surface {
    // Bit by bit the number of a corner is its place along x, y and z.
    let points = (0..8_u8).map(|corner| [0, 1, 2].map(|axis| f64::from(corner >> axis & 1) * side)).collect();
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface { points, triangles }
}
