//! From a triangle mesh to a rigid clump of spheres, with a certificate.
//!
//! | where | what |
//! | --- | --- |
//! | [`Solid`] | a closed mesh: read, mended, exact distances and mass properties |
//! | [`fit`](fit()), [`Wanted`], [`Fitted`] | as few spheres as keep a surface error; a ladder of errors against numbers |
//! | [`Certificate`] | how far two surfaces are apart, proved; volume, centre and inertia side by side |
//! | [`MeshClump`] | a clump that is made once and kept beside its mesh |
//! | [`bodies`] | meshes of simple bodies and of rocks, for tests and examples |
//!
//! The volume, centre and inertia of the union of the spheres are those of the mesh, not nearly but to rounding: they are equalities of the
//! fit, whose gradients come from the exposed parts of the spheres in closed form ([`UnionMoments`](tumble_dem::clump::UnionMoments)). The surface error is the
//! Hausdorff distance of the two surfaces, and its bound is proved by bisection, not sampled. Everything is done in one order
//! by one thread with our own elementary functions: the same bits every time and everywhere.
//!
//! ```
//! use tumble_shape::{Bodies, Solid, Wanted, bodies, fit};
//! let brick = Solid::new(&bodies::cuboid([0.02, 0.01, 0.01]), Bodies::One)?;
//! let fitted = fit(&brick, &Wanted { surface: 0.1 * brick.size(), ..Wanted::default() }, |_| true);
//! assert!(fitted.certificate.surface.upper <= 0.1 * brick.size());
//! assert!(fitted.certificate.volume_error < 1e-9 && fitted.certificate.inertia_error < 1e-9);
//! # Ok::<(), tumble_shape::MeshError>(())
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform"))]

pub mod bodies;
mod certificate;
mod equal;
mod fit;
mod kept;
mod sample;
mod solid;
mod tolerance;
mod write;

pub use certificate::{Bound, Certificate};
pub use equal::{equal_spheres, fit_equal};
pub use fit::{Fitted, MassFrom, Rung, Stage, Wanted, fit};
pub use kept::{KeptClump, MeshClump};
pub use solid::{Bodies, Mended, MeshError, Point, ReadError, Solid};
pub use tolerance::Tolerance;
pub use write::{clump_text, template_text};

/// A number to four digits, for sentences.
pub(crate) fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    tumble_dem::readable(rounded)
}
