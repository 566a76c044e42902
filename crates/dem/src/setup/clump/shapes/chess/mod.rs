//! The six chess pieces in Staunton's manner, each of about a hundred spheres.
//!
//! Pieces stand on z = 0 along +z; the knight looks along +x. Spheres on the axis make the body, whose
//! surface is their envelope; rings of spheres make bases, collars and crowns. Proportions are given as
//! fractions of the height.

mod knight;
mod turned;

pub use knight::knight;

use super::super::ClumpSphere;
use turned::Piece;

/// A king of this height (m): a cup under a cross. Its base is 42 % of the height across.
pub fn king(height: f64) -> Vec<ClumpSphere> {
    body(0.42)
        .spine([[0.69, 0.066], [0.74, 0.085], [0.785, 0.105]], 5)
        .ring(0.808, 0.128, 0.024, 14)
        .spine([[0.80, 0.092], [0.85, 0.048]], 3)
        // The cross.
        .curve([[0.0, 0.0, 0.88, 0.026], [0.0, 0.0, 0.93, 0.019], [0.0, 0.0, 0.977, 0.023]], 5)
        .curve([[-0.05, 0.0, 0.935, 0.023], [0.0, 0.0, 0.935, 0.018], [0.05, 0.0, 0.935, 0.023]], 6)
        .scaled_to(height)
}

/// A queen of this height (m): a crown of nine points around a ball. Its base is 44 % of the height across.
pub fn queen(height: f64) -> Vec<ClumpSphere> {
    body(0.44)
        .spine([[0.69, 0.066], [0.75, 0.085], [0.805, 0.11]], 4)
        .ring(0.825, 0.135, 0.032, 10)
        .ring(0.868, 0.143, 0.027, 9)
        .ring(0.908, 0.152, 0.02, 9)
        .spine([[0.83, 0.1], [0.88, 0.062]], 2)
        .ball([0.0, 0.0, 0.962], 0.038)
        .scaled_to(height)
}

/// A bishop of this height (m): a mitre with a ball on top. Its base is 45 % of the height across.
pub fn bishop(height: f64) -> Vec<ClumpSphere> {
    Piece::new()
        .base(0.45, 0.2)
        .spine([[0.2, 0.15], [0.3, 0.105], [0.42, 0.08], [0.56, 0.068]], 12)
        .ring(0.555, 0.132, 0.027, 14)
        .ring(0.605, 0.104, 0.023, 12)
        .spine([[0.63, 0.08], [0.69, 0.114], [0.76, 0.11], [0.84, 0.075], [0.912, 0.03]], 15)
        .ball([0.0, 0.0, 0.962], 0.038)
        .scaled_to(height)
}

/// A rook of this height (m): a tower with six merlons. Its base is 45 % of the height across.
pub fn rook(height: f64) -> Vec<ClumpSphere> {
    let merlons = |i: u32| i % 3 != 2;
    Piece::new()
        .base(0.45, 0.21)
        .spine([[0.21, 0.165], [0.34, 0.14], [0.5, 0.128], [0.64, 0.125]], 8)
        .ring(0.70, 0.185, 0.042, 14)
        .ball([0.0, 0.0, 0.74], 0.12)
        .ring(0.80, 0.2, 0.045, 18)
        .ring_where(0.88, 0.2, 0.045, 18, merlons)
        .ring_where(0.955, 0.2, 0.045, 18, merlons)
        .scaled_to(height)
}

/// A pawn of this height (m): a ball on a collar. Its base is 58 % of the height across.
pub fn pawn(height: f64) -> Vec<ClumpSphere> {
    Piece::new()
        .base(0.58, 0.24)
        .spine([[0.24, 0.18], [0.34, 0.135], [0.46, 0.1], [0.6, 0.088]], 19)
        .ring(0.60, 0.17, 0.034, 16)
        .ring(0.65, 0.125, 0.03, 14)
        .ball([0.0, 0.0, 0.82], 0.18)
        .scaled_to(height)
}

/// Base, body and collars of king and queen.
fn body(width: f64) -> Piece {
    Piece::new()
        .base(width, 0.19)
        .spine([[0.19, 0.14], [0.28, 0.105], [0.42, 0.08], [0.6, 0.066]], 12)
        .ring(0.60, 0.122, 0.026, 12)
        .ring(0.648, 0.1, 0.024, 9)
}
