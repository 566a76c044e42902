//! What the engine tells of its membranes.

use crate::engine::Engine;
use crate::id::BodyId;
use crate::membrane::MembraneReport;
use tumble_math::LabVec;

impl Engine {
    /// All membranes at the present instant, in the order of the world.
    pub fn membranes(&self) -> Vec<MembraneReport> {
        let bodies = &self.space.bodies;
        let place = |id: BodyId| {
            bodies.row(id).map_or(LabVec::new(f64::NAN, f64::NAN, f64::NAN), |row| bodies.pose(row).0)
        };
        let all = self.rules.membranes.iter();
        all.map(|(membrane, at_start)| membrane.report(self.time(), place, *at_start)).collect()
    }

    /// Whether there are any.
    pub(crate) fn has_membranes(&self) -> bool {
        !self.rules.membranes.is_empty()
    }
}
