//! The walls of a world as triangles, for pictures. Each shape draws itself; what has no end, a plane or a cylinder, is
//! shown where the bodies and the other walls are at the start, and a little beyond.

use tumble_dem::domain::Axis;
use tumble_dem::wall::{Drawing, Motion, Seen, Wall};
use tumble_dem::{LabVec, MaterialId, World};

/// The surface of a wall in its reference frame, and how that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The name of the wall.
    pub name: String,
    /// Number of its material.
    pub material: MaterialId,
    /// Where it is at which time.
    pub motion: Motion,
    /// Corners, m.
    pub points: Vec<LabVec<f64>>,
    /// Three corners each, by their numbers.
    pub triangles: Vec<[u32; 3]>,
    /// Directions along which it has no end, see [`Drawing::endless`].
    pub endless: Vec<LabVec<f64>>,
}

impl Surface {
    /// The surfaces of all walls of a world, in its order.
    pub fn all(world: &World) -> Vec<Self> {
        let seen = seen(world);
        world.walls.iter().map(|wall| Self::new(wall, &seen)).collect()
    }

    fn new(wall: &Wall, seen: &Seen) -> Self {
        let Drawing { points, triangles, endless } = wall.shape.draw(seen);
        let (name, motion) = (wall.name.clone(), wall.motion.clone());
        Self { name, material: wall.material, motion, points, triangles, endless }
    }
}

/// A box around all bodies and walls that have an end.
fn seen(world: &World) -> Seen {
    let mut seen = Seen::NOTHING;
    for body in &world.bodies {
        let template = world.templates.get(body.template.index());
        seen.add(body.position, template.map_or(0.0, |template| template.bounding_radius() * body.scale));
    }
    for (centre, radius) in world.walls.iter().flat_map(|wall| wall.shape.extent()) {
        seen.add(centre, radius);
    }
    for (axis, kind) in world.domain.axes.iter().enumerate() {
        if let Axis::Periodic { low, high } = *kind {
            (seen.low[axis], seen.high[axis]) = (low, high);
        }
        // Nothing is there, so anything will do.
        let nothing = seen.low[axis] >= seen.high[axis];
        if nothing {
            (seen.low[axis], seen.high[axis]) = (-0.5, 0.5);
        }
    }
    seen
}
