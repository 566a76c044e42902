//! Rotational integrators for rigid bodies.
#![cfg_attr(not(feature = "std"), no_std)]

mod error;
#[cfg(feature = "std")]
pub mod reference;
mod state;

pub use error::Error;
pub use state::{Drive, Inertia, PrincipalInertia, SphericalInertia, Spin};
pub use tumble_math as math;
