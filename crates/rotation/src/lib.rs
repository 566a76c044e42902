//! Rotational integrators for rigid bodies: the published ones and more accurate ones, behind one trait.
//!
//! # Which scheme?
//! - **In doubt, and for contacts with friction or damping:** [`MagnusLeapfrog`](schemes::MagnusLeapfrog) beside a
//!   leapfrog, [`KickRotateKick`](schemes::KickRotateKick) where q and ω are wanted at the same instant.
//! - **For long runs under conservative torques:** [`Dullweber`](schemes::Dullweber) or
//!   [`NoSquish`](schemes::NoSquish), whose energy error stays bounded.
//! - **To compare with a paper or another code:** the scheme of that name; [`SchemeKind::ALL`] lists them all.
//!
//! # Map
//! | where | what |
//! | --- | --- |
//! | [`schemes`] | one type per scheme; [`SchemeKind`] chooses one at run time, [`AnyScheme`] one of your own as well |
//! | [`RotationScheme`], [`SchemeInfo`] | the contract, and the facts each scheme declares and tests check |
//! | [`Spin`], [`Inertia`], [`Drive`] | what a scheme acts on |
//! | [`Rotor`] | integrates one body and owns the loop |
//! | `batch` (feature) | many bodies: vectorised, on all threads with the feature `threads` |
//! | [`reference`](mod@reference) | exact and converged motions to measure against |
//! | `trace` (feature) | schemes as recorded kernels: operation counts, CUDA C |
//! | [`math`] | vectors with a frame, quaternions, the exponential map; conversions by the features `glam`, `mint`, `nalgebra` |
//!
//! By default the crate has one dependency, [`math`], and builds in seconds; `batch` takes longer, since every scheme is
//! compiled for every instruction set. Without the default feature `std` it is `no_std` and has everything but `batch`,
//! `reference`, `trace`.
//!
//! # Three ways of use
//! **One body.** [`Rotor`] calls the torque function with q, ω and t of one instant, whatever the scheme:
//! ```
//! use tumble_rotation::math::{BodyVec, LabVec, Quat};
//! use tumble_rotation::{Inertia, PrincipalInertia, Rotor, Spin, schemes::KickRotateKick};
//!
//! // A top: a force of 2 N pulls down on a point of the body, the origin is held.
//! let inertia = PrincipalInertia::new([1.0, 2.0, 3.0])?;
//! let (arm, force) = (BodyVec::new(0.3, 0.2, 0.5), LabVec::new(0.0, 0.0, -2.0));
//! let initial = Spin { q: Quat::identity(), omega: BodyVec::new(1.0, 2.0, -1.5) };
//! let mut top = Rotor::new(KickRotateKick, inertia, initial, 1e-2, |q, _, _| q.to_lab(arm).cross(force))?;
//!
//! let energy = |s: Spin<f64>| inertia.energy(s.omega) - force.dot(s.q.to_lab(arm));
//! let before = energy(top.state());
//! top.run(1000)?;
//! assert!((energy(top.state()) / before - 1.0).abs() < 1e-4);
//! # Ok::<(), tumble_rotation::Error>(())
//! ```
//! **Hooks by hand**, for a program that evaluates the torques of all bodies in between. They are pure functions:
//! ```
//! use tumble_rotation::math::{BodyVec, Quat};
//! use tumble_rotation::{Drive, PrincipalInertia, RotationScheme, Spin, schemes::MagnusLeapfrog as Scheme};
//!
//! let drag = |seen: Spin<f64>| seen.q.to_lab(seen.omega * -0.2);
//! let initial = Spin { q: Quat::identity(), omega: BodyVec::new(1.0, 2.0, -1.5) };
//! let inertia = PrincipalInertia::new([1.0, 2.0, 3.0])?;
//! let mut drive = Drive { torque: drag(initial), inertia, dt: 1e-2 };
//!
//! let (mut spin, mut memory) = Scheme::start(initial, drive);
//! for _ in 0..1000 {
//!     (spin, memory) = Scheme::before_torque(spin, memory, drive);
//!     drive.torque = drag(Scheme::at_torque(spin, memory, drive));
//!     (spin, memory) = Scheme::after_torque(spin, memory, drive);
//! }
//! // For a report: ω of the leapfrog is half a step behind q.
//! drive.torque = drag(Scheme::at_torque(spin, memory, drive));
//! let now = Scheme::synchronise(spin, memory, drive);
//! assert!(now.omega.norm() < initial.omega.norm());
//! # Ok::<(), tumble_rotation::Error>(())
//! ```
//! **Many bodies.** With the feature `batch`, a `batch::Batch` steps them together, with the scheme chosen at run time:
//! ```
//! # #[cfg(not(feature = "batch"))] fn main() {}
//! # #[cfg(feature = "batch")] fn main() -> Result<(), tumble_rotation::Error> {
//! use tumble_rotation::math::{BodyVec, LabVec, Quat};
//! use tumble_rotation::{PrincipalInertia, SchemeKind, Spin, batch::Batch};
//!
//! let inertia = PrincipalInertia::new([1.0, 2.0, 3.0])?;
//! let initial = Spin { q: Quat::identity(), omega: BodyVec::new(0.01, 1.0, 0.01) };
//! let free = |_body, _q, _omega, _time| LabVec::zero();
//! let scheme = SchemeKind::from_name("magnus-leapfrog").expect("a scheme of this name");
//! let mut batch = Batch::new(scheme, 0.01, vec![(initial, inertia); 100], free)?;
//! for _ in 0..1955 {
//!     batch.step(free);
//! }
//! assert!(batch.states(free)[42].omega.y < -0.99); // turned over
//! # Ok(()) }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform"))]
#![cfg_attr(not(feature = "std"), no_std)]

mod any_scheme;
#[cfg(feature = "batch")]
pub mod batch;
pub mod citations;
mod error;
mod hook;
pub mod kicks;
pub mod maps;
#[cfg(feature = "std")]
pub mod reference;
mod registry;
mod rotor;
mod scheme;
pub mod schemes;
mod state;
#[cfg(feature = "trace")]
pub mod trace;

pub use any_scheme::AnyScheme;
pub use error::Error;
pub use hook::Hook;
pub use registry::SchemeVisitor;
pub use rotor::{Number, Rotor};
pub use scheme::{Conserves, Memory, Order, Orders, RotationScheme, SchemeInfo, TimeLevel};
pub use schemes::SchemeKind;
pub use state::{Drive, Inertia, PrincipalInertia, SphericalInertia, Spin};
#[doc(inline)]
pub use tumble_math as math;

/// The examples of the README and the book, compiled and run.
#[cfg(doctest)]
mod pages {
    macro_rules! pages {
        ($($(#[$when:meta])? $name:ident: $path:literal),+) => {
            $($(#[$when])? #[doc = include_str!(concat!("../../../", $path))] struct $name;)+
        };
    }
    pages! {
        Readme: "README.md",
        QuickStart: "docs/book/src/quick-start.md",
        Conventions: "docs/book/src/conventions.md",
        ExactSolutions: "docs/book/src/exact-solutions.md",
        #[cfg(feature = "trace")]
        Gpu: "docs/book/src/gpu.md",
        OtherCrates: "docs/book/src/other-crates.md",
        #[cfg(feature = "batch")]
        Precision: "docs/book/src/precision.md"
    }
}
