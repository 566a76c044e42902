//! Kleppmann's scalar factor — Zhao & van Wachem 2013, eqs. (40)–(45).
//!
//! The Euler step of q is stretched by tan(x)/x, x = ½Δt|ω|, so that normalising lands on the right angle:
//! the same rotation as `direct-multiplication`, undefined at x = π/2. ω takes an explicit Euler step.

use crate::citations::KLEPPMANN_2007;
use crate::kicks::euler_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{Real, exp_map::half_turn};

/// Euler step of q, stretched and normalised.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScalarFactor;

impl RotationScheme for ScalarFactor {
    const INFO: SchemeInfo = SchemeInfo {
        name: "scalar-factor",
        summary: "Euler step of q stretched to the right angle",
        citation: KLEPPMANN_2007,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let u = spin.omega * drive.dt;
        let turn = half_turn(u.norm_squared());
        let stretched = u * (turn.sin_over_angle / turn.cos); // eqs. (41), (43)
        let q = spin.q + spin.q.times_vector(stretched); // eq. (42)
        let omega = euler_kick(spin.omega, torque, drive.inertia, drive.dt);
        (Spin { q: q.normalised(), omega }, ()) // eq. (45)
    }
}
