//! Johnson, Williams & Cook — del Valle et al. 2024, eqs. (B.13)–(B.15).
//!
//! A fourth-order Runge–Kutta step of q with the lab angular momentum held, then an Euler step of that
//! momentum; normalised. Eq. (B.14) prints ω(t) in every stage. The published errors come out, to 0.2 %, only
//! if each stage takes its ω from the held momentum, and if the torque of eq. (B.15) is the one at the new
//! orientation; that is the form here. First order in the torque, fourth without one.

use crate::citations::JOHNSON_2008;
use crate::kicks::torque_kick;
use crate::maps::seen_from;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{BodyVec, Quat, Real};

/// Runge–Kutta for q with the momentum held.
#[derive(Clone, Copy, Debug, Default)]
pub struct Johnson;

impl RotationScheme for Johnson {
    const INFO: SchemeInfo = SchemeInfo {
        name: "johnson",
        summary: "Runge–Kutta step of q with the lab angular momentum held, then an Euler step of that",
        citation: JOHNSON_2008,
        time_level: TimeLevel::Synchronous,
        torque_times: &[1.0],
        orders: Orders::new([(4, 4), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves { momentum: true, ..Conserves::NOTHING },
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let Drive { inertia, dt, .. } = drive;
        let half = dt * R::lit(0.5);
        let momentum = inertia.momentum(spin.omega);
        let k1 = spin.q.derivative(spin.omega); // eq. (B.14)
        let k2 = slope(spin.q + k1 * half, spin.q, momentum, inertia);
        let k3 = slope(spin.q + k2 * half, spin.q, momentum, inertia);
        let k4 = slope(spin.q + k3 * dt, spin.q, momentum, inertia);
        let q = spin.q + ((k1 + k4) + (k2 + k3) * R::lit(2.0)) * (dt * R::lit(1.0 / 6.0)); // eq. (B.13)
        let q = q.normalised();
        (Spin { q, omega: inertia.velocity_near(spin.omega, seen_from(q, spin.q, momentum)) }, ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        (Spin { q: spin.q, omega: torque_kick(spin.omega, torque, drive.inertia, drive.dt) }, ()) // eq. (B.15)
    }
}

/// q̇ = ½ q ω with ω from the angular momentum, given as the body saw it at `start`.
#[inline(always)]
fn slope<R: Real, I: Inertia<R>>(q: Quat<R>, start: Quat<R>, momentum: BodyVec<R>, inertia: I) -> Quat<R> {
    q.derivative(inertia.velocity(seen_from(q, start, momentum)))
}
