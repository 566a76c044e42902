//! The knight: a horse's head and neck, from spheres along curves placed by hand.

use super::super::super::ClumpSphere;
use super::turned::Piece;

/// A knight of this height (m), looking along +x. Its base is 45 % of the height across.
pub fn knight(height: f64) -> Vec<ClumpSphere> {
    Piece::new()
        .base(0.45, 0.19)
        // The neck, from the shoulders over the nape to the brow.
        .curve(
            [
                [0.0, 0.0, 0.26, 0.155],
                [-0.02, 0.0, 0.38, 0.15],
                [-0.06, 0.0, 0.5, 0.125],
                [-0.075, 0.0, 0.61, 0.108],
                [-0.055, 0.0, 0.72, 0.1],
                [0.0, 0.0, 0.8, 0.092],
            ],
            12,
        )
        // The chest.
        .curve([[0.07, 0.0, 0.3, 0.11], [0.055, 0.0, 0.42, 0.095]], 3)
        // The head from brow to nose, cheeks and a muzzle with its lower lip.
        .curve([[0.03, 0.0, 0.795, 0.085], [0.11, 0.0, 0.72, 0.074], [0.195, 0.0, 0.635, 0.058]], 7)
        .curve_pair([[0.035, 0.03, 0.72, 0.075], [0.06, 0.03, 0.665, 0.06]], 2)
        .curve_pair([[0.2, 0.022, 0.625, 0.05], [0.232, 0.022, 0.59, 0.045]], 2)
        .curve([[0.1, 0.0, 0.625, 0.05], [0.185, 0.0, 0.545, 0.034]], 4)
        // Eyes and nostrils.
        .curve_pair([[0.085, 0.066, 0.755, 0.02]], 1)
        .curve_pair([[0.253, 0.05, 0.6, 0.017]], 1)
        // Ears.
        .curve_pair([[-0.005, 0.044, 0.87, 0.042], [0.0, 0.05, 0.93, 0.032], [0.01, 0.054, 0.984, 0.016]], 5)
        // The mane.
        .curve(
            [
                [0.03, 0.0, 0.89, 0.026],
                [-0.07, 0.0, 0.855, 0.034],
                [-0.155, 0.0, 0.74, 0.037],
                [-0.185, 0.0, 0.6, 0.039],
                [-0.18, 0.0, 0.46, 0.04],
                [-0.16, 0.0, 0.33, 0.04],
            ],
            12,
        )
        .scaled_to(height)
}
