//! Rotational integrators for rigid bodies.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
pub mod batch;
pub mod citations;
mod error;
mod hook;
mod kicks;
mod maps;
#[cfg(feature = "std")]
pub mod reference;
mod registry;
mod rotor;
mod scheme;
pub mod schemes;
mod state;
#[cfg(feature = "trace")]
pub mod trace;

pub use error::Error;
pub use hook::Hook;
pub use registry::SchemeVisitor;
pub use rotor::{Number, Rotor};
pub use scheme::{Conserves, Memory, Order, Orders, RotationScheme, SchemeInfo, TimeLevel};
pub use schemes::SchemeKind;
pub use state::{Drive, Inertia, PrincipalInertia, SphericalInertia, Spin};
pub use tumble_math as math;
