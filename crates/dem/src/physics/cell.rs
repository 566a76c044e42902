//! What a periodic cell that deforms does to one body in a step: along one axis, and where its layers slide over each other.
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
//!
//! Where layers slide along x, the faster the farther they are along y, with the rate γ̇,
//!
//! ẋ = u + (L̇/L)(x − c) + γ̇ (y − c_y) e_x,  u̇ = F/m − (L̇/L) u − γ̇ u_y e_x
//!
//! These are the equations of Evans & Morriss (1984), known as SLLOD; where L̇ = 0 and γ̇ is constant they are Newton's. With X = (x − c_x)/L_x,
//! p = L_x u_x, Y and q alike along y, it is Ẋ = p/L²_x + γ̇ (L_y/L_x) Y and ṗ = −γ̇ (L_x/L_y) q, where q changes by forces alone. The midpoint rule for
//! a step without forces has products of q and γ̇ in X that cancel. So all that a slide by the strain Δγ adds to the step along x is
//!
//! x += Δγ (L_y/L_x)ₙ₊½ (L_xₙ₊₁/L_yₙ) (yₙ − c_y),  u_x −= Δγ (L_x/L_y)ₙ₊½ (L_yₙ/L_xₙ₊₁) u_yₙ
//!
//! With lengths that stay, the path in the laboratory of a body without forces is straight, whatever the step. Images go as bodies do, so that
//! one across an end stays one.

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

/// What a slide of the layers adds in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlideStep<R> {
    /// The middle of the cell along the gradient, m.
    pub centre: R,
    /// How far a layer is taken along, by its way from there.
    pub taken: R,
    /// What is left behind of the velocity, by that along the gradient.
    pub left: R,
}

impl SlideStep<f64> {
    /// From the strain of the step, and the lengths along the flow and the gradient at its beginning, in its middle and at its end.
    pub fn new(centre: f64, strain: f64, flow: [f64; 3], gradient: [f64; 3]) -> Self {
        let ([_, x, x_end], [y_begin, y, _]) = (flow, gradient);
        Self {
            centre,
            taken: strain * (y / x) * (x_end / y_begin),
            left: strain * (x / y) * (y_begin / x_end),
        }
    }
}

/// Position and velocity along the flow after [`drift_with_cell`] there, with the slide: `across` is the position along the gradient at the
/// beginning of the step, `kicked` the velocity along it after the kick.
#[inline(always)]
pub fn slide_with_cell<R: Real>(
    position: R,
    velocity: R,
    across: R,
    kicked: R,
    slide: &SlideStep<R>,
) -> (R, R) {
    (position + slide.taken * (across - slide.centre), velocity - slide.left * kicked)
}

/// Position and velocity after a kick, which has been added to the velocity, and the drift in a cell that deforms.
#[inline(always)]
pub fn drift_with_cell<R: Real>(position: R, velocity: R, dt: R, axis: &AxisStep<R>) -> (R, R) {
    let moved = axis.centre + (position - axis.centre) * axis.stretch + dt * (velocity * axis.drift);
    (moved, velocity * axis.shrink)
}

/// How fast the body at `other` recedes from that at `own` since the cell deforms at a rate: along one axis, or along the flow of a cell
/// that is sheared, with the places along its gradient.
#[inline(always)]
pub fn receding<R: Real>(own: R, other: R, rate: R) -> R {
    rate * (other - own)
}

/// What a contact adds to the volume times a component of the pressure: that of the force on a body, and that of the way from its
/// centre to that of the other one (Love and Weber).
#[inline(always)]
pub fn virial<R: Real>(force: R, branch: R) -> R {
    -(force * branch)
}
