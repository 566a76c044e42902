//! Axis splitting — Dullweber, Leimkuhler & McLachlan 1997.
//!
//! Torque kicks around a free rotation split into turns about the principal axes, x y z y x. Each turn is
//! exact, so the scheme is symplectic and reversible: the energy error stays bounded for ever.

use crate::citations::DULLWEBER_1997;
use crate::kicks::half_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{BodyVec, Quat, Real, exp_map::half_turn};

/// Torque kicks around turns about the principal axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dullweber;

impl RotationScheme for Dullweber {
    const INFO: SchemeInfo = SchemeInfo {
        name: "dullweber",
        summary: "torque kicks around turns about the principal axes",
        citation: DULLWEBER_1997,
        time_level: TimeLevel::KickDriftKick,
        torque_times: &[1.0],
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves { energy: false, momentum: true, reversible: true },
        normalises: false,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let Spin { q, omega } = half_kick(spin, drive);
        let half = drive.dt * R::lit(0.5);
        let per_inertia = drive.inertia.inverse().to_array();
        let mut state = (q, drive.inertia.momentum(omega).to_array());
        state = turn_about::<0, R>(state, per_inertia, half);
        state = turn_about::<1, R>(state, per_inertia, half);
        state = turn_about::<2, R>(state, per_inertia, drive.dt);
        state = turn_about::<1, R>(state, per_inertia, half);
        let (q, momentum) = turn_about::<0, R>(state, per_inertia, half);
        (Spin { q, omega: drive.inertia.velocity_near(omega, BodyVec::from_array(momentum)) }, ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        (half_kick(spin, drive), ())
    }
}

/// Free rotation about one principal axis for the time `dt`: the body turns by θ = Δt Lₖ/Iₖ, and its
/// momentum, fixed in the lab, turns by −θ in the body.
#[inline(always)]
fn turn_about<const AXIS: usize, R: Real>(
    (q, momentum): (Quat<R>, [R; 3]),
    per_inertia: [R; 3],
    dt: R,
) -> (Quat<R>, [R; 3]) {
    let angle = dt * momentum[AXIS] * per_inertia[AXIS];
    let turn = half_turn(angle * angle);
    let (cos_half, sin_half) = (turn.cos, angle * turn.sin_over_angle);
    // 1 − cos θ, not cos θ: its rounding would pull on the momentum to the same side in every step.
    let versine = R::lit(2.0) * sin_half * sin_half;
    let sin = R::lit(2.0) * sin_half * cos_half;
    let (j, k) = ((AXIS + 1) % 3, (AXIS + 2) % 3);
    let mut turned = momentum;
    turned[j] = momentum[j] + (sin * momentum[k] - versine * momentum[j]);
    turned[k] = momentum[k] - (sin * momentum[j] + versine * momentum[k]);
    let mut delta = [cos_half, R::lit(0.0), R::lit(0.0), R::lit(0.0)];
    delta[AXIS + 1] = sin_half;
    (q.then(Quat::from_array(delta)), turned)
}
