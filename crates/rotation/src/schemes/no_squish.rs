//! NO_SQUISH — Miller et al. 2002: the symplectic splitting in quaternion momenta.
//!
//! The momentum conjugate to q is p = 2 q (Iω); the free rotation turns q and p about the principal axes in the
//! order z y x y z, each by the half angle ζₖ = Δt p·(q eₖ)/4Iₖ. Used by LAMMPS and HOOMD-blue. Differs from
//! `dullweber` in the order of the axes alone, up to rounding.

use crate::citations::MILLER_2002;
use crate::kicks::half_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{BodyVec, Quat, Real, exp_map::half_turn};

/// Symplectic splitting in quaternion momenta.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSquish;

impl RotationScheme for NoSquish {
    const INFO: SchemeInfo = SchemeInfo {
        name: "no-squish",
        summary: "torque kicks around turns about the principal axes, in quaternion momenta",
        citation: MILLER_2002,
        time_level: TimeLevel::KickDriftKick,
        torque_times: &[1.0],
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves { energy: false, momentum: true, reversible: true },
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let half = drive.dt * R::lit(0.5);
        let torque = spin.q.to_body(drive.torque);
        let per_inertia = drive.inertia.inverse();
        // p + ½Δt·2 q τ
        let push = drive.inertia.momentum(spin.omega) + torque * half;
        let mut pair = (spin.q, spin.q.times_vector(push * R::lit(2.0)));
        pair = turn_about(pair, times_k, per_inertia.z, half);
        pair = turn_about(pair, times_j, per_inertia.y, half);
        pair = turn_about(pair, times_i, per_inertia.x, drive.dt);
        pair = turn_about(pair, times_j, per_inertia.y, half);
        let (q, p) = turn_about(pair, times_k, per_inertia.z, half);
        let momentum = BodyVec::new(p.dot(times_i(q)), p.dot(times_j(q)), p.dot(times_k(q)));
        // p·(q eₖ) = 2|q|² Lₖ: what |q|² is off by one would otherwise add up in L.
        let per_norm = R::lit(1.0) - R::lit(0.5) * spin.q.norm_squared();
        let omega = drive.inertia.velocity_near(spin.omega, momentum * per_norm);
        (Spin { q: q * (R::lit(1.5) - R::lit(0.5) * q.norm_squared()), omega }, ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        (half_kick(spin, drive), ())
    }
}

/// q and p turned by the same half angle ζ = Δt p·(q e)/4I about the axis e: cos ζ + sin ζ e, on the right.
#[inline(always)]
fn turn_about<R: Real>(
    (q, p): (Quat<R>, Quat<R>),
    times_axis: impl Fn(Quat<R>) -> Quat<R>,
    per_inertia: R,
    dt: R,
) -> (Quat<R>, Quat<R>) {
    let (q_axis, p_axis) = (times_axis(q), times_axis(p));
    let zeta = p.dot(q_axis) * (dt * R::lit(0.25) * per_inertia);
    // 1 − cos ζ = 2 sin² ζ/2, not cos ζ: its rounding would pull on p to the same side in every step.
    let half = half_turn(zeta * zeta);
    let sin_half = zeta * half.sin_over_angle;
    let versine = R::lit(2.0) * sin_half * sin_half;
    let sin = R::lit(2.0) * sin_half * half.cos;
    (q + (q_axis * sin - q * versine), p + (p_axis * sin - p * versine))
}

/// q i
#[inline(always)]
fn times_i<R: Real>(q: Quat<R>) -> Quat<R> {
    Quat::new(-q.x, q.w, q.z, -q.y)
}

/// q j
#[inline(always)]
fn times_j<R: Real>(q: Quat<R>) -> Quat<R> {
    Quat::new(-q.y, -q.z, q.w, q.x)
}

/// q k
#[inline(always)]
fn times_k<R: Real>(q: Quat<R>) -> Quat<R> {
    Quat::new(-q.z, q.y, -q.x, q.w)
}
