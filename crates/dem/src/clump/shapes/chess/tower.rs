//! Rook and pawn: short bodies with a plain head.

use super::super::super::ClumpSphere;
use super::turned::Piece;

/// A rook of this height (m): a tower with six merlons. Its base is 50 % of the height across.
pub fn rook(height: f64) -> Vec<ClumpSphere> {
    let merlons = |i: u32| i % 3 != 2;
    Piece::new()
        .base(0.5, 0.22)
        .spine([[0.22, 0.17], [0.34, 0.145], [0.5, 0.128], [0.64, 0.125]], 8)
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
