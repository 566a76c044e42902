//! The arithmetic of rigid-body rotation: frame-typed vectors, quaternions and the exponential map.
//!
//! Everything that an integrator calls is generic over [`Real`], free of branches and rounded the same way
//! on every machine, so the one source serves scalar code, vectorised loops, `f32` and `f64`, and GPUs
//! (through the feature `trace`). The crate needs no allocator, no operating system and no other crate.
//!
//! ```
//! use tumble_math::{BodyVec, Quat};
//! // A quarter turn about the body's z axis takes its x axis to the lab's y axis.
//! let q = Quat::from_rotation_vector(BodyVec::new(0.0, 0.0, core::f64::consts::FRAC_PI_2));
//! let y = q.to_lab(BodyVec::new(1.0, 0.0, 0.0));
//! assert!((y.y - 1.0).abs() < 1e-15 && y.x.abs() < 1e-15);
//! ```
//!
//! Feature flags: `std` (default), `trace`, and conversions for `mint`, `glam` and `nalgebra`.

#![cfg_attr(not(feature = "std"), no_std)]

pub mod elementary;
mod euler;
mod exact_sum;
pub mod exp_map;
#[cfg(any(feature = "mint", feature = "glam", feature = "nalgebra"))]
mod interop;
mod matrix;
mod principal_axes;
mod quat;
mod real;
#[cfg(any(test, not(feature = "std")))]
mod soft_sqrt;
mod tensor;
#[cfg(feature = "trace")]
pub mod trace;
mod vec3;

pub use euler::{AxisAngle, Euler321, EulerZxz};
pub use exact_sum::{ExactSum, LIMBS};
pub use matrix::{Mat3, RotationMatrix, Tensor};
pub use principal_axes::{PrincipalAxes, PrincipalAxesError};
pub use quat::Quat;
pub use real::{Constant, Real};
pub use tensor::SymTensor;
pub use vec3::{Body, BodyVec, Lab, LabVec, Vec3};
