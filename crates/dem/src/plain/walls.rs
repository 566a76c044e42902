//! Walls as plain data.

use crate::engine::Engine;
use crate::record::to_numbers;
use crate::wall::{Shape, Side, Wall};

/// Where a wall is touched: which of the [recorded kernels](crate::physics::trace::WallKernel) tells, and its numbers after the
/// centre of the sphere.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Which.
    pub kind: SurfaceKind,
    /// What the kernel takes beside the centre.
    pub numbers: Vec<f64>,
    /// Whether there is a solid behind it, so that a centre may be on the wrong side.
    pub solid: bool,
    /// Of the wall, by number.
    pub material: u16,
    /// Whether it never moves.
    pub fixed: bool,
}

/// A surface with few parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceKind {
    /// One part.
    Plane,
    /// Six faces, each of which may be touched.
    Box,
    /// A cylinder without ends, with the spheres on this side: one part.
    Cylinder(Side),
    /// A cylinder or a cone with ends; one touch, on whichever part.
    Frustum(Side),
}

impl SurfaceKind {
    /// How often a sphere may touch it.
    pub const fn touches(self) -> u32 {
        match self {
            Self::Box => 6,
            _ => 1,
        }
    }
}

impl Surface {
    /// That of a wall, if it has few parts.
    pub(crate) fn of(wall: &Wall) -> Option<Self> {
        let (kind, numbers) = match &wall.shape {
            Shape::Plane(plane) => {
                (SurfaceKind::Plane, [plane.point(), plane.normal()].map(to_numbers).concat())
            }
            Shape::Box(cuboid) => (SurfaceKind::Box, [cuboid.low(), cuboid.high()].map(to_numbers).concat()),
            Shape::Cylinder(cylinder) => cylinder.as_surface(),
            Shape::Cone(cone) => cone.as_surface(),
            Shape::Mesh(_) | Shape::Other(_) => return None,
        };
        let (solid, fixed) = (!wall.shape.is_sheet(), wall.motion.is_static());
        Some(Self { kind, numbers, solid, material: wall.material.0, fixed })
    }
}

impl Engine {
    /// The surfaces of all walls, or the name of the first that has many parts.
    pub fn plain_walls(&self) -> Result<Vec<Surface>, String> {
        let surface = |wall: &Wall| Surface::of(wall).ok_or_else(|| wall.name.clone());
        self.space.walls.iter().map(surface).collect()
    }
}
