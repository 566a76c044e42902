//! The six chess pieces in Staunton's manner, each of about a hundred spheres.
//!
//! Pieces stand on z = 0 along +z; the knight looks along +x. Spheres on the axis make the body, whose
//! surface is their envelope; rings of spheres make bases, collars and crowns. Proportions are given as
//! fractions of the height.

mod court;
mod knight;
mod tower;
mod turned;

pub use court::{bishop, king, queen};
pub use knight::knight;
pub use tower::{pawn, rook};
