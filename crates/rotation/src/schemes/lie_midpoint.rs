//! Implicit midpoint rule on the group — Austin, Krishnaprasad & Wang 1993.
//!
//! Torque kicks around a free rotation by the Cayley map of the mid-step ω̄, where
//! I ω̄ = L₀ + ½Δt (I ω̄) × ω̄ is solved by three Newton iterations. The exact solution of that equation keeps
//! the energy and the lab angular momentum of a free body, and is reversible; three iterations leave round-off
//! for a step of up to about a fifth of a radian.

use crate::citations::AUSTIN_1993;
use crate::kicks::torque_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{BodyVec, Quat, Real};

/// Torque kicks around the implicit midpoint rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct LieMidpoint;

impl RotationScheme for LieMidpoint {
    const INFO: SchemeInfo = SchemeInfo {
        name: "lie-midpoint",
        summary: "torque kicks around the implicit midpoint rule (three Newton iterations)",
        citation: AUSTIN_1993,
        time_level: TimeLevel::KickDriftKick,
        torque_times: &[1.0],
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves { energy: true, momentum: true, reversible: true },
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, _: Drive<R, I>) -> (Spin<R>, ()) {
        (spin, ())
    }

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = torque_kick(spin.omega, torque, drive.inertia, drive.dt * R::lit(0.5));
        let mean = mean_velocity(omega, drive.inertia, drive.dt);
        let b = mean * (drive.dt * R::lit(0.5));
        let turn = Quat::from_parts(R::lit(1.0), b).normalised();
        let momentum = turn.counter_rotate(drive.inertia.momentum(omega));
        (Spin { q: spin.q.then(turn), omega: drive.inertia.velocity_near(omega, momentum) }, ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = torque_kick(spin.omega, torque, drive.inertia, drive.dt * R::lit(0.5));
        (Spin { q: spin.q, omega }, ())
    }
}

/// Solves I ω̄ = I ω₀ + ½Δt (I ω̄) × ω̄ for ω̄.
#[inline(always)]
fn mean_velocity<R: Real, I: Inertia<R>>(omega: BodyVec<R>, inertia: I, dt: R) -> BodyVec<R> {
    if I::SPHERICAL {
        return omega;
    }
    let h = dt * R::lit(0.5);
    let moments = inertia.moments();
    let start = inertia.momentum(omega);
    let mut mean = omega;
    for _ in 0..3 {
        let momentum = inertia.momentum(mean);
        let residual = momentum - start - momentum.cross(mean) * h;
        // Columns of the Jacobian I − h([Iω̄]× − [ω̄]× I).
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let a = column(BodyVec::new(one, zero, zero), moments.x, momentum, mean, h);
        let b = column(BodyVec::new(zero, one, zero), moments.y, momentum, mean, h);
        let c = column(BodyVec::new(zero, zero, one), moments.z, momentum, mean, h);
        // Cramer's rule by triple products.
        let (bc, ca, ab) = (b.cross(c), c.cross(a), a.cross(b));
        let per_det = one / a.dot(bc);
        mean = mean - BodyVec::new(residual.dot(bc), residual.dot(ca), residual.dot(ab)) * per_det;
    }
    mean
}

#[inline(always)]
fn column<R: Real>(
    axis: BodyVec<R>,
    moment: R,
    momentum: BodyVec<R>,
    mean: BodyVec<R>,
    h: R,
) -> BodyVec<R> {
    axis * moment - (momentum.cross(axis) - mean.cross(axis) * moment) * h
}
