//! Classical fourth-order Runge–Kutta on (q, ω) — del Valle et al. 2024, the yardstick of fig. 2.
//!
//! Four torque evaluations per step, at t, t + ½Δt twice and t + Δt; normalised at the end of the step.
//! The memory holds the state at t and the sum of the weighted slopes.

use crate::citations::KUTTA_1901;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::Real;

/// Fourth-order Runge–Kutta with four torques a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct RungeKutta4;

impl RotationScheme for RungeKutta4 {
    const INFO: SchemeInfo = SchemeInfo {
        name: "runge-kutta-4",
        summary: "classical Runge–Kutta on (q, ω), four torques a step",
        citation: KUTTA_1901,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0, 0.5, 0.5, 1.0],
        orders: Orders::new([(4, 4), (4, 4), (4, 4), (4, 4)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = [Spin<R>; 2];

    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        _: [Spin<R>; 2],
        _: Drive<R, I>,
    ) -> (Spin<R>, [Spin<R>; 2]) {
        (spin, [spin, spin])
    }

    #[inline(always)]
    fn at_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, _: [Spin<R>; 2], _: Drive<R, I>) -> Spin<R> {
        Spin { q: spin.q.normalised(), omega: spin.omega }
    }

    #[inline(always)]
    fn between_torques<R: Real, I: Inertia<R>>(
        stage: usize,
        spin: Spin<R>,
        [start, sum]: [Spin<R>; 2],
        drive: Drive<R, I>,
    ) -> (Spin<R>, [Spin<R>; 2]) {
        // Weights ⅙, ⅓, ⅓ of the slopes and how far along each the next stage lies.
        let (weight, reach) = [(1.0 / 6.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 3.0, 1.0)][stage.min(2)];
        let slope = slope(spin, drive);
        let next = advance(start, slope, drive.dt * R::lit(reach));
        (next, [start, advance(sum, slope, drive.dt * R::lit(weight))])
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        [_, sum]: [Spin<R>; 2],
        drive: Drive<R, I>,
    ) -> (Spin<R>, [Spin<R>; 2]) {
        let end = advance(sum, slope(spin, drive), drive.dt * R::lit(1.0 / 6.0));
        let end = Spin { q: end.q.normalised(), omega: end.omega };
        (end, [end, end])
    }
}

/// (q̇, ω̇) at a stage.
#[inline(always)]
fn slope<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> Spin<R> {
    let torque = spin.q.normalised().to_body(drive.torque);
    Spin { q: spin.q.derivative(spin.omega), omega: drive.inertia.acceleration(spin.omega, torque) }
}

#[inline(always)]
fn advance<R: Real>(from: Spin<R>, slope: Spin<R>, dt: R) -> Spin<R> {
    Spin { q: from.q + slope.q * dt, omega: from.omega + slope.omega * dt }
}
