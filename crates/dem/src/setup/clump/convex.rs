//! Convex pieces that are no ellipsoids, by their cores: how far two overlap, and bodies of several pieces of which one is a rounded polyhedron.

use super::capsule;
use super::hull::{ClumpHull, HullSurface};
use super::mass::MassProperties;
use super::{ClumpError, ClumpPieces, MassModel};
use crate::physics::piece::{Core, nearest};
use crate::physics::polytope::nearest_of_triangles;
use tumble_math::LabVec;

/// A ball swept over a convex core: a point, a segment or a polytope.
#[derive(Clone, Debug)]
pub(crate) struct Convex {
    corners: Vec<LabVec<f64>>,
    /// By the numbers of the corners. A point has one from itself to itself.
    edges: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    radius: f64,
}

/// Pieces that reach into each other by less than this part of the smaller radius touch.
const SLIGHT: f64 = 1e-9;

impl Convex {
    /// The ball about a segment, or about a point given twice.
    pub(crate) fn round([first, second]: [LabVec<f64>; 2], radius: f64) -> Self {
        Self { corners: vec![first, second], edges: vec![[0, 1]], triangles: Vec::new(), radius }
    }

    /// The ball about a polytope.
    pub(crate) fn polytope(corners: Vec<LabVec<f64>>, surface: &HullSurface, radius: f64) -> Self {
        Self { corners, edges: surface.edges.clone(), triangles: surface.triangles().collect(), radius }
    }

    /// The same elsewhere.
    pub(crate) fn moved(mut self, by: LabVec<f64>) -> Self {
        self.corners.iter_mut().for_each(|corner| *corner = *corner + by);
        self
    }

    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    fn corner(&self, number: u32) -> LabVec<f64> {
        self.corners[number as usize]
    }

    fn triangles(&self) -> impl Iterator<Item = [LabVec<f64>; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|corner| self.corner(corner)))
    }

    fn edges(&self) -> impl Iterator<Item = [LabVec<f64>; 2]> {
        self.edges.iter().map(|edge| edge.map(|end| self.corner(end)))
    }

    /// The nearest distance of a corner of this one to the core of another one that has faces.
    fn of_corners(&self, other: &Self) -> f64 {
        let distance =
            |corner: &LabVec<f64>| (nearest_of_triangles(other.triangles(), *corner) - *corner).norm();
        let all = if other.triangles.is_empty() { &[][..] } else { &self.corners[..] };
        all.iter().map(distance).fold(f64::INFINITY, f64::min)
    }

    /// Whether some of an edge of this one is within the core of another one that has faces.
    fn pierces(&self, other: &Self) -> bool {
        let within = |[from, to]: [LabVec<f64>; 2]| {
            // What of the edge is behind all planes.
            let (mut first, mut last) = (0.0_f64, 1.0_f64);
            for [a, b, c] in other.triangles() {
                let normal = (b - a).cross(c - a);
                let (start, rise) = (normal.dot(from - a), normal.dot(to - from));
                if rise > 0.0 {
                    last = last.min(-start / rise);
                } else if rise < 0.0 {
                    first = first.max(-start / rise);
                } else if start > 0.0 {
                    return false;
                }
            }
            first <= last
        };
        !other.triangles.is_empty() && self.edges().any(within)
    }

    /// How far two reach into each other, m; infinite where their cores do.
    pub(crate) fn overlap(&self, other: &Self) -> f64 {
        if self.pierces(other) || other.pierces(self) {
            return f64::INFINITY;
        }
        let mut distance = self.of_corners(other).min(other.of_corners(self));
        for own in self.edges() {
            let own = Core::between(own);
            for their in other.edges() {
                let [a, b] = nearest(&own, &Core::between(their));
                distance = distance.min((a - b).norm());
            }
        }
        self.radius + other.radius - distance
    }
}

/// The properties of pieces of which at least one is a rounded polyhedron, under a model.
pub(super) fn properties(
    pieces: ClumpPieces<'_>,
    surfaces: &[HullSurface],
    model: MassModel,
) -> Result<MassProperties, ClumpError> {
    if !pieces.ellipsoids.is_empty() {
        return Err(ClumpError::HullsAndEllipsoids);
    }
    let rest = if pieces.spheres.is_empty() && pieces.capsules.is_empty() {
        None
    } else {
        Some(MassProperties::of(ClumpPieces { hulls: &[], ..pieces }, model)?)
    };
    if let MassModel::Given { .. } = model {
        return match rest {
            Some(given) => Ok(given),
            None => MassProperties::new(&pieces.hulls[0].corner_spheres()[..1], model),
        };
    }
    if model == MassModel::Union {
        check_apart(pieces, surfaces)?;
    }
    let own = pieces.hulls.iter().zip(surfaces).map(|(hull, surface)| hull.properties(surface));
    Ok(capsule::together(&rest.into_iter().chain(own).collect::<Vec<_>>()))
}

/// Of the union of overlapping pieces there is no closed form.
fn check_apart(pieces: ClumpPieces<'_>, surfaces: &[HullSurface]) -> Result<(), ClumpError> {
    let convex = |(hull, surface): (&ClumpHull, &HullSurface)| {
        Convex::polytope(hull.corners.clone(), surface, hull.rounding)
    };
    let hulls: Vec<Convex> = pieces.hulls.iter().zip(surfaces).map(convex).collect();
    for (hull, own) in hulls.iter().enumerate() {
        let over = |other: &Convex| own.overlap(other) > SLIGHT * own.radius.min(other.radius);
        let fails = |other: usize, what: &'static str| Err(ClumpError::OverlappingHull { hull, other, what });
        if let Some(other) = hulls[..hull].iter().position(over) {
            return fails(other, "polyhedron");
        }
        if let Some(other) =
            pieces.capsules.iter().position(|each| over(&Convex::round(each.ends, each.radius)))
        {
            return fails(other, "capsule");
        }
        let sphere = |each: &super::ClumpSphere| over(&Convex::round([each.centre; 2], each.radius));
        if let Some(other) = pieces.spheres.iter().position(sphere) {
            return fails(other, "sphere");
        }
    }
    Ok(())
}
