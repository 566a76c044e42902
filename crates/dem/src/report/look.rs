//! What is seen of bodies and walls.

use super::Touching;
use crate::clump::ClumpTemplate;
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
    /// K; none in a world without heat.
    pub temperature: Option<f64>,
    /// Liquid on it, m³; none in a world without liquid.
    pub film: Option<f64>,
}

impl BodyState {
    /// The centre of the sphere by which one of its pieces touches something at a point, m: that of the sphere, or, where a capsule
    /// touches another body, the point of its core that is nearest, as of an edge or a core of a polyhedron; of an ellipsoid that of the sphere behind the point. From there to the point is along the normal of the contact.
    /// None if the `template`, which must be that of the body, has no such sphere.
    pub fn touching_centre(
        &self,
        template: &ClumpTemplate,
        sphere: u32,
        with: Touching,
        point: LabVec<f64>,
    ) -> Option<LabVec<f64>> {
        let sphere = sphere as usize;
        let centre = match with {
            _ if sphere >= template.touching_spheres()
                || matches!(with, Touching::Body(..)) && template.capsules().len() > 0 =>
            {
                let arm = self.orientation.to_body(point - self.position) * (1.0 / self.scale);
                template.nearest_on_core(sphere, arm)?
            }
            _ => template.spheres().get(sphere)?.centre,
        };
        Some(self.position + self.orientation.to_lab(centre * self.scale))
    }
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
    /// How far along its way a wall that moves by itself has come, m or rad; zero of any other one.
    pub moved: f64,
    /// How fast it goes along its way, m/s or rad/s.
    pub speed: f64,
    /// What flows from it to the bodies, W, and what has since the start, J; none in a world without heat.
    pub heat: Option<[f64; 2]>,
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
