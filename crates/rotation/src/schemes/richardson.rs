//! Richardson iteration — the multi-sphere integrator of LIGGGHTS (and of LAMMPS' `fix rigid`).
//!
//! Half kicks of the lab angular momentum around a drift of q: one full Euler step and two half steps, ω
//! renewed in between, extrapolated as 2·half − full and normalised.

use crate::citations::KLOSS_2012;
use crate::kicks::half_kick;
use crate::maps::seen_from;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Half kicks around a Richardson-extrapolated drift.
#[derive(Clone, Copy, Debug, Default)]
pub struct Richardson;

impl RotationScheme for Richardson {
    const INFO: SchemeInfo = SchemeInfo {
        name: "richardson",
        summary: "half kicks around a Richardson-extrapolated drift of q",
        citation: KLOSS_2012,
        time_level: TimeLevel::KickDriftKick,
        torque_times: &[1.0],
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        conserves: Conserves { momentum: true, ..Conserves::NOTHING },
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let inertia = drive.inertia;
        let half_dt = drive.dt * R::lit(0.5);
        let push = spin.q.to_body(drive.torque) * half_dt;
        let momentum = inertia.momentum(spin.omega) + push;
        let rate = spin.q.derivative(inertia.velocity(momentum));
        let full = (spin.q + rate * drive.dt).normalised();
        let half = (spin.q + rate * half_dt).normalised();
        let omega = inertia.velocity(seen_from(half, spin.q, momentum));
        let half = (half + half.derivative(omega) * half_dt).normalised();
        let q = (half * R::lit(2.0) - full).normalised();
        (Spin { q, omega: inertia.velocity_near(spin.omega, seen_from(q, spin.q, momentum)) }, ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        (half_kick(spin, drive), ())
    }
}
