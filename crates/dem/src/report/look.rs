//! What is seen of bodies and walls.

use crate::id::{BodyId, MaterialId, TemplateId};
use tumble_math::{BodyVec, LabVec, Quat};

/// A body at the present instant: position, velocity, orientation and spin all at the same time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Its number.
    pub id: BodyId,
    /// Its template.
    pub template: TemplateId,
    /// Its material.
    pub material: MaterialId,
    /// Size relative to the template.
    pub scale: f64,
    /// Centre of mass, m.
    pub position: LabVec<f64>,
    /// m/s
    pub velocity: LabVec<f64>,
    /// Takes vectors along the principal axes to the lab.
    pub orientation: Quat<f64>,
    /// In the lab frame, rad/s.
    pub angular_velocity: LabVec<f64>,
    /// Force on it, N.
    pub force: LabVec<f64>,
    /// Torque about its centre of mass in the lab frame, N m.
    pub torque: LabVec<f64>,
    /// kg
    pub mass: f64,
    /// Principal moments of inertia, kg m².
    pub moments: BodyVec<f64>,
    /// Whether it is fixed or moved by hand.
    pub held: bool,
}

/// What a wall feels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallReport {
    /// Force of the bodies on the wall, N.
    pub force: LabVec<f64>,
    /// Torque of the bodies on the wall about the point `about`, N m.
    pub torque: LabVec<f64>,
    /// Where the wall's origin is now, m.
    pub about: LabVec<f64>,
    /// What the wall spends on moving the bodies, W.
    pub power: f64,
}

/// How many states are shown at a time: enough that a call costs nothing, and few enough to stay in the cache.
const PART: usize = 512;

/// Shows states some at a time.
pub(crate) fn in_parts<T>(states: impl Iterator<Item = T>, visit: &mut dyn FnMut(&[T])) {
    let mut part = Vec::with_capacity(PART);
    for state in states {
        part.push(state);
        if part.len() == PART {
            visit(&part);
            part.clear();
        }
    }
    if !part.is_empty() {
        visit(&part);
    }
}
