//! Fincham's leapfrog — del Valle et al. 2024, eqs. (B.4)–(B.6).
//!
//! The lab angular momentum leaps; q follows by a predictor with ω(t) and a corrector with ω(t + ½Δt), *both*
//! turned into the body frame at q(t). That makes it first order. Turning ω(t + ½Δt) at the predicted
//! orientation instead gives second order: a better scheme, but not the published one, whose errors this
//! form reproduces (eq. B.5 prints ω(t) in the corrector; the errors ask for ω(t + ½Δt), and for a
//! predictor that is normalised too).

use crate::citations::FINCHAM_1992;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{LabVec, Real};

/// Leapfrog of the lab angular momentum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fincham;

impl RotationScheme for Fincham {
    const INFO: SchemeInfo = SchemeInfo {
        name: "fincham",
        summary: "leapfrog of the lab angular momentum, predictor–corrector for q",
        citation: FINCHAM_1992,
        time_level: TimeLevel::Leapfrog,
        torque_times: &[0.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves { momentum: true, ..Conserves::NOTHING },
        normalises: true,
    };

    type Memory<R: Real> = LabVec<R>;

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, LabVec<R>) {
        let momentum =
            spin.q.to_lab(drive.inertia.momentum(spin.omega)) - drive.torque * (drive.dt * R::lit(0.5));
        (Spin { q: spin.q, omega: drive.inertia.velocity(spin.q.to_body(momentum)) }, momentum)
    }

    #[inline(always)]
    fn at_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, momentum: LabVec<R>, drive: Drive<R, I>) -> Spin<R> {
        let momentum = momentum + drive.torque * (drive.dt * R::lit(0.5));
        Spin { q: spin.q, omega: drive.inertia.velocity(spin.q.to_body(momentum)) } // eq. (B.6), first
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        momentum: LabVec<R>,
        drive: Drive<R, I>,
    ) -> (Spin<R>, LabVec<R>) {
        let half = drive.dt * R::lit(0.5);
        let now = Self::at_torque(spin, momentum, drive);
        let momentum = momentum + drive.torque * drive.dt; // eq. (B.4)
        let omega = drive.inertia.velocity(spin.q.to_body(momentum)); // eq. (B.6), second
        let predicted = (spin.q + spin.q.derivative(now.omega) * half).normalised(); // eq. (B.5)
        let q = spin.q + predicted.derivative(omega) * drive.dt;
        (Spin { q: q.normalised(), omega }, momentum)
    }
}
