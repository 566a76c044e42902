//! Capsules: spheres swept along a segment. Mass properties in closed form, and unions with other pieces.

use super::error::CapsuleProblem;
use super::mass::{LENGTHS, MassProperties, dyad};
use super::{ClumpError, ClumpSphere, MassModel};
use crate::physics::piece::{Core, nearest};
use std::f64::consts::PI;
use tumble_math::{LabVec, SymTensor};

/// One capsule of a clump, in whatever frame the clump is described in: all points within its radius of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClumpCapsule {
    /// The centres of the half spheres at its two ends, m.
    pub ends: [LabVec<f64>; 2],
    /// The radius, m.
    pub radius: f64,
}

/// A piece that sticks out of another by less than this, relative to its radius, counts as inside; and one that reaches as
/// little into another touches it.
const SLIGHT: f64 = 1e-12;

impl ClumpCapsule {
    /// The capsule between these centres of its half spheres (m), of this radius (m).
    pub const fn new(first: [f64; 3], second: [f64; 3], radius: f64) -> Self {
        Self { ends: [LabVec::from_array(first), LabVec::from_array(second)], radius }
    }

    /// The spheres at its ends.
    pub(super) fn end_spheres(&self) -> [ClumpSphere; 2] {
        self.ends.map(|centre| ClumpSphere { centre, radius: self.radius })
    }

    fn core(&self) -> Core<f64> {
        Core::between(self.ends)
    }

    pub(super) fn problem(&self) -> Option<CapsuleProblem> {
        let length = (self.ends[1] - self.ends[0]).norm();
        let places = self.ends.iter().flat_map(|end| end.to_array());
        if !(self.radius.is_finite() && places.clone().all(f64::is_finite)) {
            Some(CapsuleProblem::NotFinite)
        } else if self.radius <= 0.0 {
            Some(CapsuleProblem::Radius)
        } else if length == 0.0 {
            Some(CapsuleProblem::SameEnds)
        } else if [self.radius, length].iter().any(|length| !LENGTHS.contains(length))
            || places.clone().any(|x| x.abs() > *LENGTHS.end())
        {
            Some(CapsuleProblem::OutOfRange)
        } else {
            None
        }
    }

    /// Its properties: those of a cylinder, and of a sphere whose halves are apart.
    pub(super) fn properties(&self) -> MassProperties {
        let (between, radius) = (self.ends[1] - self.ends[0], self.radius);
        let (length, square) = (between.norm(), radius * radius);
        let (cylinder, sphere) = (PI * square * length, 4.0 / 3.0 * PI * (square * radius));
        let volume = cylinder + sphere;
        // ∫z² dV along the axis and ∫x² dV across it, about the middle. The centre of a half sphere is ⅜ of the radius from
        // its flat side.
        let half = 0.5 * length;
        let along = cylinder * (length * length) / 12.0
            + sphere * (square / 5.0 + half * half + 2.0 * half * (0.375 * radius));
        let across = cylinder * square / 4.0 + sphere * square / 5.0;
        let axis = between * (1.0 / length);
        let round = SymTensor::from_diagonal(LabVec::new(across, across, across));
        let second = round + dyad(axis, axis) * (along - across);
        MassProperties::from_moments(self.core().middle, volume, LabVec::zero(), second)
    }
}

/// A piece of either kind.
#[derive(Clone, Copy)]
enum Part<'a> {
    Sphere(usize, &'a ClumpSphere),
    Capsule(usize, &'a ClumpCapsule),
}

impl Part<'_> {
    fn core(&self) -> (Core<f64>, f64) {
        match self {
            Self::Sphere(_, sphere) => (Core::between([sphere.centre; 2]), sphere.radius),
            Self::Capsule(_, capsule) => (capsule.core(), capsule.radius),
        }
    }

    /// Whether it is within another. Pieces are convex: a capsule is where its ends are.
    fn is_in(&self, other: &Self) -> bool {
        let (core, radius) = other.core();
        let within = |sphere: &ClumpSphere| {
            let [a, b] = nearest(&core, &Core::between([sphere.centre; 2]));
            (a - b).norm() + sphere.radius - radius <= SLIGHT * sphere.radius
        };
        match self {
            Self::Sphere(_, sphere) => within(sphere),
            Self::Capsule(_, capsule) => capsule.end_spheres().iter().all(within),
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let ((a, radius_a), (b, radius_b)) = (self.core(), other.core());
        let [on_a, on_b] = nearest(&a, &b);
        (on_a - on_b).norm() < (radius_a + radius_b) * (1.0 - SLIGHT)
    }
}

/// The properties of spheres and capsules, of which there is at least one, under a model.
pub(super) fn properties(
    spheres: &[ClumpSphere],
    capsules: &[ClumpCapsule],
    model: MassModel,
) -> Result<MassProperties, ClumpError> {
    for (capsule, each) in capsules.iter().enumerate() {
        if let Some(problem) = each.problem() {
            return Err(ClumpError::Capsule { capsule, problem });
        }
    }
    let own: Vec<MassProperties> = match model {
        MassModel::Given { .. } => return MassProperties::new(&capsules[0].end_spheres(), model),
        MassModel::SumOfSpheres => capsules.iter().map(ClumpCapsule::properties).collect(),
        MassModel::Union => {
            let (spheres, capsules) = outermost(spheres, capsules)?;
            let of_spheres = (!spheres.is_empty()).then(|| MassProperties::new(&spheres, model));
            let own = of_spheres.into_iter().chain(capsules.iter().map(|capsule| Ok(capsule.properties())));
            return Ok(together(&own.collect::<Result<Vec<_>, _>>()?));
        }
    };
    let of_spheres = (!spheres.is_empty()).then(|| MassProperties::new(spheres, model)).transpose()?;
    Ok(together(&of_spheres.into_iter().chain(own).collect::<Vec<_>>()))
}

/// The pieces that are not within others, if no capsule among them overlaps another piece.
fn outermost(
    spheres: &[ClumpSphere],
    capsules: &[ClumpCapsule],
) -> Result<(Vec<ClumpSphere>, Vec<ClumpCapsule>), ClumpError> {
    let parts: Vec<Part<'_>> =
        (capsules.iter().enumerate().map(|(number, capsule)| Part::Capsule(number, capsule)))
            .chain(spheres.iter().enumerate().map(|(number, sphere)| Part::Sphere(number, sphere)))
            .collect();
    // Of pieces that are within each other, the first counts.
    let hidden = |number: usize| {
        let own = &parts[number];
        let hides = |(other, part): (usize, &Part<'_>)| {
            other != number && own.is_in(part) && (other < number || !part.is_in(own))
        };
        // Among spheres alone their union sees to it.
        let by = if matches!(own, Part::Sphere(..)) { &parts[..capsules.len()] } else { &parts[..] };
        by.iter().enumerate().any(hides)
    };
    let outer: Vec<Part<'_>> =
        (0..parts.len()).filter(|&number| !hidden(number)).map(|number| parts[number]).collect();
    for (number, part) in outer.iter().enumerate() {
        let Part::Capsule(capsule, _) = *part else { break };
        if let Some(other) = outer[number + 1..].iter().find(|other| part.overlaps(other)) {
            let (other, both) = match *other {
                Part::Sphere(number, _) => (number, false),
                Part::Capsule(number, _) => (number, true),
            };
            return Err(ClumpError::OverlappingCapsule { capsule, other, both });
        }
    }
    let mut kept = (Vec::new(), Vec::new());
    for part in outer {
        match part {
            Part::Sphere(_, sphere) => kept.0.push(*sphere),
            Part::Capsule(_, capsule) => kept.1.push(*capsule),
        }
    }
    Ok(kept)
}

/// The properties of several bodies as one.
pub(super) fn together(parts: &[MassProperties]) -> MassProperties {
    if let [only] = parts {
        return *only;
    }
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    let first = parts.iter().fold(LabVec::zero(), |sum, part| sum + part.centre * part.volume);
    let centre = first * (1.0 / volume);
    let mut inertia = dyad(LabVec::zero(), LabVec::zero());
    for part in parts {
        // Steiner.
        let away = part.centre - centre;
        let square = away.norm_squared();
        let isotropic = SymTensor::from_diagonal(LabVec::new(square, square, square));
        inertia = inertia + part.inertia + (isotropic - dyad(away, away)) * part.volume;
    }
    MassProperties { volume, centre, inertia }
}
