//! What bears on the triangles of a mesh wall.

use crate::id::WallId;
use crate::step::SurfaceSums;
use crate::wall::{Pose, TriangleMesh};
use tumble_math::LabVec;

/// What bears on the triangles of a mesh wall, in the order of [`TriangleMesh::triangles`].
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceState {
    /// Which wall.
    pub wall: WallId,
    /// Over how long pressure and traction are means, s: since the interval began.
    pub duration: f64,
    /// Area of each triangle, m².
    pub area: Vec<f64>,
    /// Mean normal force over the area, Pa.
    pub pressure: Vec<f64>,
    /// Mean tangential force on the wall over the area, Pa, as the wall now stands in the lab.
    pub traction: Vec<LabVec<f64>>,
    /// What friction has taken since the start, over the area, J/m².
    pub friction_work: Vec<f64>,
    /// Normal force times sliding distance since the start, over the area, N/m: what Archard's law makes the worn depth
    /// proportional to.
    pub sliding_load: Vec<f64>,
}

impl SurfaceState {
    pub(crate) fn of(sums: &SurfaceSums, mesh: &TriangleMesh, pose: &Pose, duration: f64) -> Self {
        let area: Vec<f64> = mesh.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).norm()).collect();
        let mut state = Self {
            wall: WallId(sums.wall),
            duration,
            pressure: vec![0.0; area.len()],
            traction: vec![LabVec::zero(); area.len()],
            friction_work: vec![0.0; area.len()],
            sliding_load: vec![0.0; area.len()],
            area,
        };
        for (&number, sums) in &sums.triangles {
            let number = number as usize;
            let per_area = if state.area[number] > 0.0 { 1.0 / state.area[number] } else { 0.0 };
            let mean = if duration > 0.0 { per_area / duration } else { 0.0 };
            state.pressure[number] = sums.pressed.value() * mean;
            let traction = LabVec::from_array(sums.rubbed.map(|sum| sum.value())) * mean;
            state.traction[number] = pose.direction_to_lab(traction);
            state.friction_work[number] = sums.work.value() * per_area;
            state.sliding_load[number] = sums.slid.value() * per_area;
        }
        state
    }
}
