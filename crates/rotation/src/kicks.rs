//! Updates of the angular velocity that several schemes share, all with the torque held for the step.
//!
//! Euler's equations of rotational motion (SPIRAL eq. 8),
//! ω̇ₓ = Mₓ/Iₓ + ω_y ω_z (I_y − I_z)/Iₓ and cyclic, are quadratic in ω; a sphere has no coupling term, and
//! every kick below is then the same single product.

use crate::{Drive, Inertia, Spin};
use core::marker::PhantomData;
use tumble_math::{BodyVec, Real};

/// Euler's equations for a torque held fixed, with the time step multiplied in: Δt ω̇ as a function of ω.
#[derive(Clone, Copy, Debug)]
pub struct Euler<R, I> {
    /// Δt M/I
    push: BodyVec<R>,
    /// Δt (I_y − I_z)/Iₓ and cyclic; not used for spheres
    coupling: BodyVec<R>,
    inertia: PhantomData<I>,
}

impl<R: Real, I: Inertia<R>> Euler<R, I> {
    /// For a torque in the body frame and a time step.
    #[inline(always)]
    pub fn new(torque: BodyVec<R>, inertia: I, dt: R) -> Self {
        let moments = inertia.moments();
        let per_inertia = inertia.inverse() * dt;
        let differences = BodyVec::new(moments.y - moments.z, moments.z - moments.x, moments.x - moments.y);
        Self {
            push: torque.times(per_inertia),
            coupling: differences.times(per_inertia),
            inertia: PhantomData,
        }
    }

    #[inline(always)]
    fn scaled(self, factor: f64) -> Self {
        let factor = R::lit(factor);
        Self { push: self.push * factor, coupling: self.coupling * factor, inertia: PhantomData }
    }

    /// Δt ω̇, SPIRAL eq. (8).
    #[inline(always)]
    pub fn increment(self, omega: BodyVec<R>) -> BodyVec<R> {
        if I::SPHERICAL {
            return self.push;
        }
        self.push + self.coupled(omega, omega)
    }

    /// Δt (I_y − I_z)/Iₓ a_y b_z and cyclic.
    #[inline(always)]
    fn coupled(self, a: BodyVec<R>, b: BodyVec<R>) -> BodyVec<R> {
        BodyVec::new(a.y * b.z, a.z * b.x, a.x * b.y).times(self.coupling)
    }

    /// Δt² ω̈ from Δt ω̇, the torque in the body frame taken as constant.
    #[inline(always)]
    pub fn second_increment(self, omega: BodyVec<R>, increment: BodyVec<R>) -> BodyVec<R> {
        self.coupled(omega, increment) + self.coupled(increment, omega)
    }
}

/// ω + Δt I⁻¹M: the torque alone, without the coupling.
#[inline(always)]
pub fn torque_kick<R: Real, I: Inertia<R>>(
    omega: BodyVec<R>,
    torque: BodyVec<R>,
    inertia: I,
    dt: R,
) -> BodyVec<R> {
    omega + inertia.velocity(torque) * dt
}

/// The spin with ω kicked over a fraction of the step by the torque at hand.
#[inline(always)]
pub fn kicked<R: Real, I: Inertia<R>>(
    spin: Spin<R>,
    drive: Drive<R, I>,
    fraction: f64,
    kick: impl Fn(BodyVec<R>, BodyVec<R>, I, R) -> BodyVec<R>,
) -> Spin<R> {
    let torque = spin.q.to_body(drive.torque);
    Spin { q: spin.q, omega: kick(spin.omega, torque, drive.inertia, drive.dt * R::lit(fraction)) }
}

/// The half kick that kick–drift–kick schemes take before and after the drift.
#[inline(always)]
pub fn half_kick<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> Spin<R> {
    kicked(spin, drive, 0.5, torque_kick)
}

/// One explicit Euler step.
#[inline(always)]
pub fn euler_kick<R: Real, I: Inertia<R>>(
    omega: BodyVec<R>,
    torque: BodyVec<R>,
    inertia: I,
    dt: R,
) -> BodyVec<R> {
    omega + Euler::new(torque, inertia, dt).increment(omega)
}

/// One explicit midpoint (second-order Runge–Kutta) step.
#[inline(always)]
pub fn midpoint_kick<R: Real, I: Inertia<R>>(
    omega: BodyVec<R>,
    torque: BodyVec<R>,
    inertia: I,
    dt: R,
) -> BodyVec<R> {
    let euler = Euler::new(torque, inertia, dt);
    omega + euler.increment(omega + euler.increment(omega) * R::lit(0.5))
}

/// One strong-stability-preserving third-order Runge–Kutta step, SPIRAL eqs. (9)–(10).
#[inline(always)]
pub fn ssp_rk3_kick<R: Real, I: Inertia<R>>(
    omega: BodyVec<R>,
    torque: BodyVec<R>,
    inertia: I,
    dt: R,
) -> BodyVec<R> {
    let euler = Euler::new(torque, inertia, dt);
    let k1 = euler.increment(omega);
    if I::SPHERICAL {
        return omega + k1;
    }
    let k2 = euler.increment(omega + k1);
    // Sums are arranged so that little waits for the latest stage.
    let k3 = euler.scaled(2.0 / 3.0).increment((omega + k1 * R::lit(0.25)) + k2 * R::lit(0.25));
    (omega + (k1 + k2) * R::lit(1.0 / 6.0)) + k3
}

/// One classical fourth-order Runge–Kutta step.
#[inline(always)]
pub fn rk4_kick<R: Real, I: Inertia<R>>(
    omega: BodyVec<R>,
    torque: BodyVec<R>,
    inertia: I,
    dt: R,
) -> BodyVec<R> {
    let euler = Euler::new(torque, inertia, dt);
    let k1 = euler.increment(omega);
    if I::SPHERICAL {
        return omega + k1;
    }
    let k2 = euler.increment(omega + k1 * R::lit(0.5));
    let k3 = euler.increment(omega + k2 * R::lit(0.5));
    let k4 = euler.increment(omega + k3);
    (omega + (k1 + k2 * R::lit(2.0)) * R::lit(1.0 / 6.0)) + (k3 * R::lit(2.0) + k4) * R::lit(1.0 / 6.0)
}
