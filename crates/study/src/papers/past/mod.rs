//! What the papers lack and users need to know, a file each: torques that change, friction, long times,
//! cost, and breakage.

pub(super) mod chess_cost;
pub(super) mod dzhanibekov;
pub(super) mod friction_order;
pub(super) mod frozen_torque;
pub(super) mod heavy_top;
pub(super) mod impact;

use crate::{Preset, Problem};
use tumble_rotation::citations::Citation;

/// What stands where other entries have their paper.
const PAST: Citation =
    Citation { short: "Past the papers", full: "An experiment of this project, not of a paper", doi: None };

/// A problem of the list.
fn preset(name: &str) -> Problem {
    Preset::find(name).expect("a built-in problem").problem()
}
