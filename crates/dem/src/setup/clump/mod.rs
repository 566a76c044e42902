//! Rigid multi-sphere particles ("clumps") as shared templates.
//!
//! A [`ClumpTemplate`] holds what all copies of a shape have in common: its spheres in the principal frame
//! about the centre of mass, its volume and its principal moments of inertia. Both are per unit density and
//! scale exactly, mass ∝ s³ and inertia ∝ s⁵, so one template serves bodies of any size and material.
//!
//! Where spheres overlap, mass counts once: [`MassModel::Union`], the default, integrates over the union of
//! the spheres in closed form. [`MassModel::SumOfSpheres`] counts overlaps twice, as LIGGGHTS and LAMMPS do.
//!
//! Beside spheres a template may have capsules ([`ClumpCapsule`]), spheres swept along a segment: rods and fibres without bumps, each as
//! one piece. A template keeps the two ends of each among its spheres. Ellipsoids ([`ClumpEllipsoid`]) are pieces as well; of each a template keeps
//! the centre and the ends of the semi-axes. Rounded polyhedra ([`ClumpHull`]) are boxes, tetrahedra, any convex shapes with flat faces; of each a template keeps its
//! corners, a point for each edge, and four that tell where its core is.
//!
//! Spheres come from a file ([`read_clump`]), from the built-in [`shapes`], or from the user's own list.

mod capsule;
mod convex;
mod ellipsoid;
mod error;
mod hull;
mod hull_mass;
mod mass;
mod read;
pub mod shapes;
mod template;
mod template_hull;
mod union;

pub use capsule::ClumpCapsule;
pub(crate) use convex::Convex;
pub use ellipsoid::ClumpEllipsoid;
pub use error::{CapsuleProblem, ClumpError, EllipsoidProblem, HullProblem};
pub use hull::{ClumpHull, HullSurface, MOST_CORNERS, SHARPEST};
pub use mass::{MassModel, MassProperties};
pub use read::{
    ClumpFileError, ClumpFormat, LineProblem, MAX_FILE_BYTES, MAX_LINE_BYTES, MAX_SPHERES, parse_clump,
    parse_clump_as, read_clump, read_clump_as,
};
pub(crate) use template::Covering;
pub use template::Role;
pub use template::{ClumpTemplate, TemplateSphere};
pub use template_hull::TemplateHull;
pub use union::{UnionMoments, is_integrable};

use tumble_math::LabVec;

/// One sphere of a clump, in whatever frame the clump is described in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClumpSphere {
    /// The centre, m.
    pub centre: LabVec<f64>,
    /// The radius, m.
    pub radius: f64,
}

/// The pieces of a clump, in whatever frame it is described in.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClumpPieces<'a> {
    /// Its spheres.
    pub spheres: &'a [ClumpSphere],
    /// Its capsules.
    pub capsules: &'a [ClumpCapsule],
    /// Its ellipsoids.
    pub ellipsoids: &'a [ClumpEllipsoid],
    /// Its rounded polyhedra.
    pub hulls: &'a [ClumpHull],
}

impl ClumpSphere {
    /// The sphere with this centre (m) and radius (m).
    pub const fn new(centre: [f64; 3], radius: f64) -> Self {
        Self { centre: LabVec::from_array(centre), radius }
    }
}
