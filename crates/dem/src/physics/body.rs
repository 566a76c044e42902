//! What happens to one body in a step beside its rotation, which is a scheme of `tumble-rotation`: a force becomes a kick, the
//! body drifts, laws see it at the instant of the force, its pieces are placed.

use tumble_math::{BodyVec, LabVec, Quat, Real, RotationMatrix};

/// What a force does to the velocity in a step, along one axis: the kick of the leapfrog.
#[inline(always)]
pub fn kick<R: Real>(force: R, inverse_mass: R, dt: R) -> R {
    dt * (force * inverse_mass)
}

/// How far a body goes in a step, along one axis: the drift of the leapfrog.
#[inline(always)]
pub fn drift<R: Real>(velocity: R, dt: R) -> R {
    dt * velocity
}

/// The velocity that laws see, along one axis: from the middle of the step on to the force, with the force of the step before.
#[inline(always)]
pub fn velocity_at_force<R: Real>(velocity: R, force: R, inverse_mass: R, dt: R) -> R {
    velocity + force * (R::lit(0.5) * dt * inverse_mass)
}

/// The angular velocity that laws see, in the lab.
#[inline(always)]
pub fn omega_at_force<R: Real>(q: Quat<R>, omega: BodyVec<R>) -> LabVec<R> {
    q.to_lab(omega)
}

/// How far a piece can have moved in a step, m: with the centre of mass, and by the chord of the turn. A point at
/// distance L moves by 2 L sin(θ/2) ≤ 2 L |q′ − q|.
#[inline(always)]
pub fn longest_displacement<R: Real>(
    before: Quat<R>,
    after: Quat<R>,
    velocity: LabVec<R>,
    arm: R,
    dt: R,
) -> R {
    let ([w, x, y, z], [w2, x2, y2, z2]) = (before.to_array(), after.to_array());
    let (dw, dx, dy, dz) = (w2 - w, x2 - x, y2 - y, z2 - z);
    let turn = (dw * dw + dx * dx + dy * dy + dz * dz).sqrt();
    velocity.norm() * dt + R::lit(2.0) * arm * turn
}

/// The matrix that takes a vector of a template to the lab, size included: by row, then by column.
#[inline(always)]
pub fn template_to_lab<R: Real>(q: Quat<R>, scale: R) -> [[R; 3]; 3] {
    let [[a, b, c], [d, e, f], [g, h, i]] = RotationMatrix::from(q).rows;
    [[a * scale, b * scale, c * scale], [d * scale, e * scale, f * scale], [g * scale, h * scale, i * scale]]
}

/// How far a point of a template is from its centre, along one axis: `row` is that of [`template_to_lab`].
#[inline(always)]
pub fn offset<R: Real>(row: [R; 3], point: [R; 3]) -> R {
    row[0] * point[0] + row[1] * point[1] + row[2] * point[2]
}
