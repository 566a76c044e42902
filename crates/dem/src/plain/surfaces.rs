//! What bears on triangles of mesh walls, added up elsewhere.

use crate::engine::Engine;
use tumble_math::{ExactSum, LIMBS};

/// Sums of a triangle: pressing, rubbing along three axes, work of friction, load times distance.
pub const SURFACE_SUMS: usize = 6;

/// What was added up on a triangle that was touched.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleLimbs {
    /// The number of the wall.
    pub wall: u32,
    /// The number of the triangle in its mesh.
    pub triangle: u32,
    /// The limbs of each [sum](ExactSum), which may be larger than theirs, and negative: see [`ExactSum::of_limbs`].
    pub sums: [[i64; LIMBS]; SURFACE_SUMS],
}

impl Engine {
    /// Tells that somebody else goes on from the present state, for whom averages over triangles begin anew where that is due.
    pub fn begin_elsewhere(&mut self) {
        if let Some(interval) = self.rules.settings.surface_interval {
            self.begin_surface_interval(interval, self.steps());
        }
    }

    /// Adds what was added up elsewhere.
    pub fn add_to_surfaces(&mut self, triangles: &[TriangleLimbs]) {
        for TriangleLimbs { wall, triangle, sums } in triangles {
            let Some(surface) = self.surfaces.list.iter_mut().find(|surface| surface.wall == *wall) else {
                continue;
            };
            let own = surface.triangles.entry(*triangle).or_default();
            let [x, y, z] = &mut own.rubbed;
            let own = [&mut own.pressed, x, y, z, &mut own.work, &mut own.slid];
            for (sum, limbs) in own.into_iter().zip(sums) {
                sum.merge(&ExactSum::of_limbs(*limbs));
            }
        }
    }
}
