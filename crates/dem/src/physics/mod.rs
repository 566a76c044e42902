//! What happens to one body or one contact in a step, whole and once: pure functions, generic over
//! [`Real`], without branches.
//!
//! ```text
//! two pieces ──▶ geometry ─┐    (of other pieces: the spheres where they are nearest, piece, ellipsoid, edge, polytope)
//!                          ├─▶ beginning ─▶ frame turned, motion at the point ─▶ law ─▶ first and last kick ─▶ done
//! wall and piece ──────────┘      (kicks)         (frame, contact)              (law)         (kicks)
//!  (surface, patch)
//! ```
//! [`evaluate`](contact::evaluate) is all of it. The loop over contacts (`step/contact/react.rs`) calls the same functions, and
//! leaves out for a whole block of contacts what would change none of them. The module `trace`, with the feature of that name, records it: to replay it, to count its
//! operations, and to print it as C.

pub mod body;
pub mod bond;
pub mod cell;
pub mod contact;
pub mod edge;
pub mod ellipsoid;
pub mod field;
pub(crate) mod frame;
pub mod geometry;
pub mod heat;
pub(crate) mod kicks;
pub mod membrane;
pub mod parallel_bond;
pub mod patch;
pub mod piece;
pub mod polytope;
mod remembered;
pub mod rubbing;
pub mod solid;
pub mod surface;
pub mod together;
#[cfg(feature = "trace")]
pub mod trace;
pub mod triangle;

pub use frame::FrameTurn;

use tumble_math::{LabVec, Real};

/// One vector or the other.
#[inline(always)]
pub(crate) fn choose<R: Real>(mask: R::Mask, yes: LabVec<R>, no: LabVec<R>) -> LabVec<R> {
    LabVec::new(R::select(mask, yes.x, no.x), R::select(mask, yes.y, no.y), R::select(mask, yes.z, no.z))
}
