//! Rounded polyhedra: all that is within a rounding of a convex polytope, which is given by its corners.

use super::error::HullProblem;
use super::mass::LENGTHS;
use super::{ClumpError, ClumpSphere};
use crate::rows_by_id::index32;
use tumble_math::elementary::atan2;
use tumble_math::{BodyVec, LabVec, Quat};

/// One rounded polyhedron of a clump, in whatever frame the clump is described in: all points within the rounding of the convex hull of
/// some corners. Its faces are flat, its edges parts of cylinders and its corners parts of spheres.
#[derive(Clone, Debug, PartialEq)]
pub struct ClumpHull {
    /// The centres of the spheres at its corners, m. All of them are corners: none is within the hull of the others.
    pub corners: Vec<LabVec<f64>>,
    /// The radius of its edges and corners, m.
    pub rounding: f64,
}

/// The most corners of one polyhedron. Every corner that is near another polyhedron asks for its nearest point on all of that one's surface.
pub const MOST_CORNERS: usize = 128;

/// The rounding is at least this part of the longest edge.
pub const SHARPEST: f64 = 0.005;

/// Corners this near to a plane, relative to the size of the polyhedron, lie in it.
const FLAT: f64 = 1e-9;

/// What the surface of a convex polytope is made of: its corners by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HullSurface {
    /// The two ends of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The corners of each face, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
}

impl HullSurface {
    /// The faces in triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.faces.iter().flat_map(|face| {
            let sides = face.windows(2).skip(1);
            sides.map(move |side| [face[0], side[0], side[1]])
        })
    }
}

impl ClumpHull {
    /// The polyhedron with these corners (m), rounded by a radius (m).
    pub fn new(corners: &[[f64; 3]], rounding: f64) -> Self {
        Self { corners: corners.iter().map(|corner| LabVec::from_array(*corner)).collect(), rounding }
    }

    /// The box of this size (m) along x, y and z, the rounding (m) included, about the origin.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpHull, ClumpPieces, MassModel, MassProperties};
    /// let die = ClumpHull::cuboid([0.016; 3], 0.002);
    /// let body = MassProperties::of(ClumpPieces { hulls: &[die], ..ClumpPieces::default() }, MassModel::Union)?;
    /// // A cube of 12 mm, six plates, twelve quarters of cylinders, and a sphere in eight parts.
    /// let (pi, mm3) = (std::f64::consts::PI, 1e-9);
    /// let volume = 12.0 * 12.0 * 12.0 + 6.0 * 12.0 * 12.0 * 2.0 + 3.0 * pi * 4.0 * 12.0 + 4.0 / 3.0 * pi * 8.0;
    /// assert!((body.volume / (volume * mm3) - 1.0).abs() < 1e-14);
    /// # Ok::<(), tumble_dem::clump::ClumpError>(())
    /// ```
    pub fn cuboid(size: [f64; 3], rounding: f64) -> Self {
        let [a, b, c] = size.map(|size| 0.5 * size - rounding);
        let sides = |half: f64| [-half, half];
        let layer = |z: f64| sides(a).map(|x| sides(b).map(|y| LabVec::new(x, y, z)));
        let corners = sides(c).into_iter().flat_map(|z| layer(z).into_iter().flatten());
        Self { corners: corners.collect(), rounding }
    }

    /// The regular tetrahedron whose corners are this far (m) from the origin before they are rounded by a radius (m).
    pub fn tetrahedron(reach: f64, rounding: f64) -> Self {
        let part = reach / 3.0f64.sqrt();
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        Self::new(&corners.map(|corner| corner.map(|x| x * part)), rounding)
    }

    /// The same with its origin elsewhere (m).
    #[must_use]
    pub fn at(self, centre: [f64; 3]) -> Self {
        let centre = LabVec::from_array(centre);
        Self { corners: self.corners.into_iter().map(|corner| corner + centre).collect(), ..self }
    }

    /// The same turned about the origin. The quaternion is of any length but zero.
    #[must_use]
    pub fn turned(self, orientation: Quat<f64>) -> Self {
        let q = orientation.normalised();
        let turned = |corner: LabVec<f64>| q.to_lab(BodyVec::from_array(corner.to_array()));
        Self { corners: self.corners.into_iter().map(turned).collect(), ..self }
    }

    /// The spheres at its corners.
    pub(super) fn corner_spheres(&self) -> Vec<ClumpSphere> {
        self.corners.iter().map(|&centre| ClumpSphere { centre, radius: self.rounding }).collect()
    }

    /// Its faces and edges, or what is wrong with it.
    pub fn surface(&self) -> Result<HullSurface, HullProblem> {
        let places = || self.corners.iter().flat_map(|corner| corner.to_array());
        if !(self.rounding.is_finite() && places().all(f64::is_finite)) {
            return Err(HullProblem::NotFinite);
        }
        if self.rounding <= 0.0 {
            return Err(HullProblem::Rounding);
        }
        if self.corners.len() < 4 {
            return Err(HullProblem::TooFew);
        }
        if self.corners.len() > MOST_CORNERS {
            return Err(HullProblem::TooMany { corners: self.corners.len() });
        }
        let size = self.corners.iter().map(|corner| (*corner - self.corners[0]).norm()).fold(0.0, f64::max);
        if [self.rounding, size].iter().any(|length| !LENGTHS.contains(length))
            || places().any(|x| x.abs() > *LENGTHS.end())
        {
            return Err(HullProblem::OutOfRange);
        }
        let near = |a: usize, b: usize| (self.corners[a] - self.corners[b]).norm() <= FLAT * size;
        if let Some(corner) =
            (1..self.corners.len()).find(|&corner| (0..corner).any(|other| near(corner, other)))
        {
            return Err(HullProblem::Twice { corner });
        }
        let surface = HullSurface::of(&self.corners, FLAT * size)?;
        let on_surface =
            |corner: &usize| surface.edges.as_flattened().iter().any(|&end| end as usize == *corner);
        if let Some(corner) = (0..self.corners.len()).find(|corner| !on_surface(corner)) {
            return Err(HullProblem::Inside { corner });
        }
        let length = |&[a, b]: &[u32; 2]| (self.corners[a as usize] - self.corners[b as usize]).norm();
        let longest = surface.edges.iter().map(length).fold(0.0, f64::max);
        if self.rounding < SHARPEST * longest * (1.0 - 1e-12) {
            return Err(HullProblem::Sharp);
        }
        Ok(surface)
    }
}

/// The surfaces of all, or what is wrong with one.
pub(super) fn surfaces(hulls: &[ClumpHull]) -> Result<Vec<HullSurface>, ClumpError> {
    let surface = |(hull, each): (usize, &ClumpHull)| {
        each.surface().map_err(|problem| ClumpError::Hull { hull, problem })
    };
    hulls.iter().enumerate().map(surface).collect()
}

impl HullSurface {
    /// The surface of the convex hull of points, of which those within this distance of a plane of others lie in it.
    fn of(corners: &[LabVec<f64>], flat: f64) -> Result<Self, HullProblem> {
        let mut faces: Vec<Vec<u32>> = Vec::new();
        let count = corners.len();
        for a in 0..count {
            for b in a + 1..count {
                for c in b + 1..count {
                    // Any three corners of a face find it.
                    if let Some(face) = face(corners, [a, b, c], flat)
                        && !faces.contains(&face)
                    {
                        faces.push(face);
                    }
                }
            }
        }
        let mut edges = Vec::new();
        for face in &faces {
            let next = face.iter().cycle().skip(1);
            edges.extend(face.iter().zip(next).filter(|(a, b)| a < b).map(|(a, b)| [*a, *b]));
        }
        // Euler: what is flat, or has faces that do not fit together, has other numbers.
        let used = corners.len()
            - (0..index32(count)).filter(|corner| !edges.as_flattened().contains(corner)).count();
        if faces.len() < 4 || used + faces.len() != edges.len() + 2 {
            return Err(HullProblem::Flat);
        }
        edges.sort_unstable();
        Ok(Self { edges, faces })
    }
}

/// The face in the plane of three corners, if all others are behind it.
fn face(corners: &[LabVec<f64>], [a, b, c]: [usize; 3], flat: f64) -> Option<Vec<u32>> {
    let (first, along) = (corners[a], corners[b] - corners[a]);
    let normal = along.cross(corners[c] - first);
    // Three in a line have no plane.
    if normal.norm() <= flat * along.norm().max((corners[c] - first).norm()) {
        return None;
    }
    let mut normal = normal * (1.0 / normal.norm());
    let height = |normal: LabVec<f64>, corner: usize| normal.dot(corners[corner] - first);
    let above = |normal: LabVec<f64>| (0..corners.len()).any(|corner| height(normal, corner) > flat);
    if above(normal) {
        normal = -normal;
        if above(normal) {
            return None;
        }
    }
    let within: Vec<usize> =
        (0..corners.len()).filter(|&corner| height(normal, corner).abs() <= flat).collect();
    if within.len() == corners.len() {
        return None;
    }
    outline(corners, within, normal, flat)
}

/// The corners of the convex outline of points in a plane, counter-clockwise about its normal.
fn outline(corners: &[LabVec<f64>], within: Vec<usize>, normal: LabVec<f64>, flat: f64) -> Option<Vec<u32>> {
    let middle = within.iter().fold(LabVec::zero(), |sum, &corner| sum + corners[corner])
        * (1.0 / within.len() as f64);
    let across = corners[within[0]] - middle;
    let up = normal.cross(across);
    let mut round: Vec<(f64, usize)> = within
        .into_iter()
        .map(|corner| (atan2(up.dot(corners[corner] - middle), across.dot(corners[corner] - middle)), corner))
        .collect();
    round.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut kept: Vec<usize> = round.into_iter().map(|(_, corner)| corner).collect();
    // Those that do not stick out are no corners.
    let mut at = 0;
    let mut looked_at = 0;
    while kept.len() > 2 && looked_at < kept.len() {
        let (before, after) = (kept[(at + kept.len() - 1) % kept.len()], kept[(at + 1) % kept.len()]);
        let side = corners[after] - corners[before];
        let out = side.cross(normal).dot(corners[kept[at % kept.len()]] - corners[before]);
        if out <= flat * side.norm() {
            kept.remove(at % kept.len());
            (at, looked_at) = ((at + kept.len() - 1) % kept.len(), 0);
        } else {
            (at, looked_at) = ((at + 1) % kept.len(), looked_at + 1);
        }
    }
    let first = kept.iter().enumerate().min_by_key(|(_, corner)| **corner)?.0;
    kept.rotate_left(first);
    (kept.len() > 2).then(|| kept.into_iter().map(index32).collect())
}
