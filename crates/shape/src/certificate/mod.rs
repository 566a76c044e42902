//! How well spheres stand for a solid, with a proof.
//!
//! The surface error is the Hausdorff distance of two surfaces: that of the mesh, S, and that of the union of the spheres, ∂U. It is the
//! larger of how far a point of S can be from ∂U (`from_mesh`) and a point of ∂U from S (`from_spheres`). Both maxima are enclosed by
//! bisection: a piece of surface is done with when a bound for all its points is below what some point has been shown to
//! reach, give or take a given part. So `upper` is proved, and `lower` is reached at a point that is named.

mod from_mesh;
mod from_spheres;
mod skin;

use crate::{Point, Solid};
pub(crate) use skin::Skin;
use tumble_dem::clump::{ClumpSphere, MassProperties};

/// A distance between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// No point is farther, m.
    pub upper: f64,
    /// Some point is as far, m.
    pub lower: f64,
    /// That point.
    pub at: Point,
}

/// How well spheres stand for a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// The Hausdorff distance of the two surfaces.
    pub surface: Bound,
    /// How far the surface of the mesh is from that of the spheres.
    pub mesh_to_spheres: Bound,
    /// How far the surface of the spheres is from that of the mesh.
    pub spheres_to_mesh: Bound,
    /// Mean distance of the mesh's surface from the spheres, m; from points spread over it.
    pub mean: f64,
    /// Volume, centre and inertia of the union of the spheres.
    pub union: MassProperties,
    /// Difference of the volumes over that of the mesh.
    pub volume_error: f64,
    /// Distance of the centres of mass over the size of the mesh.
    pub centre_error: f64,
    /// Largest difference of two entries of the tensors of inertia, over the largest entry of the mesh's.
    pub inertia_error: f64,
    /// Connected parts of the union: one, unless something is wrong.
    pub parts: usize,
}

/// How wide the gap between the bounds may be, over the bound itself.
const GAP: f64 = 0.01;
/// Distances below this part of the size are rounding errors.
const ROUNDING: f64 = 1e-12;

impl Certificate {
    /// The certificate of these spheres.
    ///
    /// ```
    /// use tumble_dem::clump::ClumpSphere;
    /// use tumble_shape::{Bodies, Certificate, Solid, bodies};
    /// let cube = Solid::new(&bodies::cuboid([2.0, 2.0, 2.0]), Bodies::One)?;
    /// let ball = Certificate::of(&cube, &[ClumpSphere::new([0.0, 0.0, 0.0], 1.0)]);
    /// let exact = 3.0_f64.sqrt() - 1.0;
    /// assert!(ball.surface.lower <= exact * (1.0 + 1e-12) && exact <= ball.surface.upper);
    /// assert!(ball.surface.upper < 1.011 * exact);
    /// # Ok::<(), tumble_shape::MeshError>(())
    /// ```
    ///
    /// # Panics
    /// If there is no sphere, or one without a positive radius.
    pub fn of(solid: &Solid, spheres: &[ClumpSphere]) -> Self {
        let skin = Skin::new(spheres);
        let floor = ROUNDING * solid.size();
        let spheres_to_mesh = from_spheres::bound(solid, &skin, GAP, floor);
        let mesh_to_spheres = from_mesh::bound(solid, &skin, GAP, floor);
        let wider = |a: Bound, b: Bound| {
            let far = if a.lower >= b.lower { a } else { b };
            Bound { upper: a.upper.max(b.upper), ..far }
        };
        let union = union_of(spheres);
        let own = solid.mass();
        let entries = |mass: &MassProperties| {
            let ([a, b, c], [d, e, f]) =
                (mass.inertia.diagonal.to_array(), mass.inertia.off_diagonal.to_array());
            [a, b, c, d, e, f]
        };
        let largest = entries(own).into_iter().map(f64::abs).fold(0.0, f64::max);
        let apart =
            entries(own).into_iter().zip(entries(&union)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        Self {
            surface: wider(mesh_to_spheres, spheres_to_mesh),
            mesh_to_spheres,
            spheres_to_mesh,
            mean: mean(solid, &skin),
            union,
            volume_error: (union.volume / own.volume - 1.0).abs(),
            centre_error: (union.centre - own.centre).norm() / solid.size(),
            inertia_error: apart / largest,
            parts: parts(spheres),
        }
    }
}

/// The exact properties, or those of the sum where so many overlap that the union would take minutes.
fn union_of(spheres: &[ClumpSphere]) -> MassProperties {
    use tumble_dem::clump::MassModel::{SumOfSpheres, Union};
    MassProperties::new(spheres, Union)
        .or_else(|_| MassProperties::new(spheres, SumOfSpheres))
        .expect("spheres have positive radii")
}

/// Mean distance, over points that each stand for the same area.
fn mean(solid: &Solid, skin: &Skin) -> f64 {
    let samples = crate::sample::samples(solid, 4000, 1);
    let (sum, area) = samples
        .iter()
        .fold((0.0, 0.0), |(sum, area), s| (sum + s.area * skin.signed_distance(s.at).abs(), area + s.area));
    sum / area
}

/// How many connected parts spheres have.
fn parts(spheres: &[ClumpSphere]) -> usize {
    let mut seen = vec![false; spheres.len()];
    let mut count = 0;
    for start in 0..spheres.len() {
        if core::mem::replace(&mut seen[start], true) {
            continue;
        }
        count += 1;
        let mut waiting = vec![start];
        while let Some(i) = waiting.pop() {
            for j in 0..spheres.len() {
                let reach = spheres[i].radius + spheres[j].radius;
                if !seen[j] && (spheres[i].centre - spheres[j].centre).norm() <= reach * (1.0 + 1e-9) {
                    seen[j] = true;
                    waiting.push(j);
                }
            }
        }
    }
    count
}
