//! Walls as plain data.

use crate::engine::Engine;
use crate::record::to_numbers;
use crate::wall::{Shape, Side, TriangleMesh, Wall};
use std::sync::Arc;

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
    /// Of a surface of triangles, which others may share.
    pub mesh: Option<Arc<TriangleMesh>>,
}

/// Which surface.
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
    /// Triangles: any number of touches, of which [`MeshKernel`](crate::physics::trace::MeshKernel)s tell.
    Mesh,
}

impl Surface {
    /// That of a wall, unless it is of a shape of one's own.
    pub(crate) fn of(wall: &Wall) -> Option<Self> {
        let (kind, numbers) = match &wall.shape {
            Shape::Plane(plane) => {
                (SurfaceKind::Plane, [plane.point(), plane.normal()].map(to_numbers).concat())
            }
            Shape::Box(cuboid) => (SurfaceKind::Box, [cuboid.low(), cuboid.high()].map(to_numbers).concat()),
            Shape::Cylinder(cylinder) => cylinder.as_surface(),
            Shape::Cone(cone) => cone.as_surface(),
            Shape::Mesh(_) => (SurfaceKind::Mesh, Vec::new()),
            Shape::Other(_) => return None,
        };
        let mesh = match &wall.shape {
            Shape::Mesh(mesh) => Some(mesh.clone()),
            _ => None,
        };
        let (solid, fixed) = (!wall.shape.is_sheet(), wall.motion.is_static());
        Some(Self { kind, numbers, solid, material: wall.material.0, fixed, mesh })
    }
}

impl Engine {
    /// The surfaces of all walls, or the name of the first of a shape of one's own.
    pub fn plain_walls(&self) -> Result<Vec<Surface>, String> {
        let surface = |wall: &Wall| Surface::of(wall).ok_or_else(|| wall.name.clone());
        self.space.walls.iter().map(surface).collect()
    }
}
