//! Exact and tightly converged motions of rigid bodies, to measure schemes against.
//!
//! | motion | body | torque | orientation |
//! | --- | --- | --- | --- |
//! | [`AxialTorque`] | symmetric | constant along the body's symmetry axis | Taylor steps, ~10⁻¹⁴ |
//! | [`FreeBody`] | any | none | closed form (elliptic functions) |
//! | [`SymmetricTop`] | symmetric | none | closed form |
//! | [`ExponentialTorque`] | sphere | A eᶜᵗ about a fixed lab axis | closed form |
//! | [`RubbingCylinders`] | two cylinders on fixed axes | friction between them | closed form |
//! | [`HeavyTop`] | any, one point fixed | a constant lab force on a body point | [`Converged`] |
//! | [`Converged`] | any | any | extrapolation to a given tolerance |
//!
//! Every motion gives a synchronous [`Spin`](crate::Spin) at any time, `q` continuous from the one it started with (so
//! not just up to sign). All of it is `f64` on the host; the standard library's elementary functions are
//! good enough here, while kernels must not use them.
//!
//! ```
//! use tumble_rotation::math::{BodyVec, Quat};
//! use tumble_rotation::{PrincipalInertia, Spin, reference::FreeBody};
//! let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.01, 1.0, 0.01) };
//! let body = FreeBody::new(PrincipalInertia::new([1.0, 2.0, 3.0])?, start)?;
//! let flipped = body.at(0.5 * body.period().unwrap());        // Dzhanibekov's wing nut
//! assert!((flipped.omega.y + 1.0).abs() < 1e-12);
//! # Ok::<(), tumble_rotation::Error>(())
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "exact motions are computed apart from the functions that schemes use"
)]

pub mod axial_torque;
pub mod converged;
pub mod elliptic;
pub mod exponential_torque;
pub mod free_body;
pub mod heavy_top;
pub mod rubbing_cylinders;
pub mod symmetric_top;
mod twofold;

pub use axial_torque::AxialTorque;
pub use converged::{Converged, NotConverged};
pub use exponential_torque::ExponentialTorque;
pub use free_body::FreeBody;
pub use heavy_top::HeavyTop;
pub use rubbing_cylinders::{Cylinder, RubbingCylinders};
pub use symmetric_top::{Axis, SymmetricTop};

use crate::error::finite;
