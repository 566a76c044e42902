//! Constants that were measured. They decide what a run costs; its bits depend on them only where
//! [`Settings::skin`](crate::Settings::skin) says so.
//!
//! `cargo xtask bench --calibrate` measures them again on your machine, and prints them beside these.

use crate::engine::Engine;

/// What building the lists costs per body, in pairs of spheres looked through: the time of a build per body, over
/// the time that a step spends on finding contacts per pair in the lists.
pub const BUILD_COST: f64 = 400.0;

/// Steps that the first neighbour lists should last at the present speeds: about what lists last whose skin makes
/// steps cheapest.
pub const STEPS_PER_BUILD: f64 = 45.0;

impl Engine {
    /// The distance up to which spheres are in the neighbour lists, m: chosen from the speeds, or as the settings have it.
    pub fn skin(&self) -> f64 {
        self.space.neighbours.skin
    }

    /// How many pairs of spheres are in the neighbour lists, touching or not.
    pub fn listed_pairs(&self) -> usize {
        self.space.neighbours.pairs.spheres.len()
    }
}
