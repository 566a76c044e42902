//! What a periodic cell that deforms does to one body in a step, along one axis.
//!
//! Bodies move with the cell: in fractions of its length L a body without peculiar velocity stays where it is. With the peculiar velocity
//! u, which is what is left without the motion of the cell, and c the middle of the cell,
//!
//! ẋ = u + (L̇/L)(x − c),  u̇ = F/m − (L̇/L) u
//!
//! These are the equations of Andersen (1980) and of Parrinello & Rahman (1981); where L̇ is constant they are Newton's for the velocity of
//! the laboratory, u + (L̇/L)(x − c). In s = (x − c)/L and its momentum π = m L u they are those of a Hamiltonian, ṡ = π/(m L²) and π̇ = L F,
//! and the leapfrog is that for these: from w = π/(m L), with the L of the present instant, it gives the velocity at the end of the
//! step in the L of then.

use tumble_math::Real;

/// What the cell does in a step along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisStep<R> {
    /// The middle of the cell, m.
    pub centre: R,
    /// Lₙ₊₁/Lₙ
    pub stretch: R,
    /// Lₙ/Lₙ₊₁
    pub shrink: R,
    /// Lₙ Lₙ₊₁/L²ₙ₊½
    pub drift: R,
}

impl AxisStep<f64> {
    /// From the lengths at the beginning, in the middle and at the end of a step.
    pub fn new(centre: f64, [begin, middle, end]: [f64; 3]) -> Self {
        Self { centre, stretch: end / begin, shrink: begin / end, drift: begin * end / (middle * middle) }
    }
}

/// Position and velocity after a kick, which has been added to the velocity, and the drift in a cell that deforms.
#[inline(always)]
pub fn drift_with_cell<R: Real>(position: R, velocity: R, dt: R, axis: &AxisStep<R>) -> (R, R) {
    let moved = axis.centre + (position - axis.centre) * axis.stretch + dt * (velocity * axis.drift);
    (moved, velocity * axis.shrink)
}

/// How fast the body at `other` recedes from that at `own` since the cell deforms at a rate, along one axis.
#[inline(always)]
pub fn receding<R: Real>(own: R, other: R, rate: R) -> R {
    rate * (other - own)
}

/// What a contact adds to the volume times the pressure along an axis: the force on a body, and the way from its centre to that of
/// the other one (Love and Weber).
#[inline(always)]
pub fn virial<R: Real>(force: R, branch: R) -> R {
    -(force * branch)
}
