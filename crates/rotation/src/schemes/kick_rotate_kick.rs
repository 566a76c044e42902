//! Kick–rotate–kick — Strang splitting of torque and free rotation.
//!
//! Half a kick by the torque alone, free rotation over Δt, half a kick by the new torque. The free rotation is
//! fourth order: ω at the half step by Runge–Kutta, then the Magnus expansion there gives the turn δ of the
//! body; the body angular momentum is turned by δ⁻¹, so the lab angular momentum of a free body is kept to
//! round-off. Second order for every torque, with a small constant.

use crate::citations::CELLEDONI_2008;
use crate::kicks::{Euler, half_kick, ssp_rk3_kick};
use crate::maps::magnus_4;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{BodyVec, Real, exp_map::exp_step};

/// Torque kicks around a fourth-order free rotation.
#[derive(Clone, Copy, Debug, Default)]
pub struct KickRotateKick;

impl RotationScheme for KickRotateKick {
    const INFO: SchemeInfo = SchemeInfo {
        name: "kick-rotate-kick",
        summary: "torque kicks around a fourth-order free rotation",
        citation: CELLEDONI_2008,
        time_level: TimeLevel::KickDriftKick,
        torque_times: &[1.0],
        orders: Orders::new([(4, 4), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves { momentum: true, ..Conserves::NOTHING },
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        rotate_freely(half_kick(spin, drive), drive)
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        (half_kick(spin, drive), ())
    }
}

#[inline(always)]
fn rotate_freely<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
    let Drive { inertia, dt, .. } = drive;
    let half_way = ssp_rk3_kick(spin.omega, BodyVec::zero(), inertia, dt * R::lit(0.5));
    let turn = exp_step(magnus_4(Euler::new(BodyVec::zero(), inertia, dt), half_way, dt) * dt);
    let omega = if I::SPHERICAL {
        spin.omega
    } else {
        inertia.velocity_near(spin.omega, turn.counter_rotate(inertia.momentum(spin.omega)))
    };
    (Spin { q: spin.q.then(turn), omega }, ())
}
