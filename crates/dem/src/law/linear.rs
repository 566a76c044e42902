//! Linear spring and dashpot with Coulomb friction — Cundall & Strack 1979.
//!
//! Fₙ = kₙδ + cₙ dδ/dt with cₙ = 2γ√(m* kₙ), never pulling; γ for the restitution asked for is the inverse of
//! Schwager & Pöschel 2007. kₜ is a fraction of kₙ (by default 2/7, which gives a solid sphere the same
//! period in both directions: Schäfer et al. 1996) and cₜ = 2γ√(m* kₜ), the same fraction of the critical
//! one. Stiffnesses of two materials combine by their harmonic mean: two springs in series, such that a
//! material against itself has the stiffness that was written down for it.

use super::{
    Contact, ContactLaw, Dissipation, EnergyPower, FrictionalBooks, LawInfo, Reaction, Spring, frictional, restitution,
};
use crate::citations::CUNDALL_1979;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, RESTITUTION, STIFFNESS, STIFFNESS_RATIO};
use crate::record;
use tumble_math::Real;

/// Linear spring and dashpot with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear;

record! {
    /// The constants of two materials.
    LinearConstants, LINEAR_CONSTANTS {
        /// kₙ, N/m.
        stiffness_normal: R,
        /// kₜ, N/m.
        stiffness_tangential: R,
        /// Dashpots and friction.
        dissipation: Dissipation<R>,
    }
}

impl ContactLaw for Linear {
    const INFO: LawInfo = LawInfo {
        name: "linear",
        summary: "linear springs and dashpots, Coulomb friction",
        citation: CUNDALL_1979,
        uses_velocity: true,
        energy_power: EnergyPower::Square,
        needs: &[&STIFFNESS, &STIFFNESS_RATIO, &RESTITUTION, &FRICTION],
    };

    type Constants<R: Real> = LinearConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<LinearConstants<f64>, MaterialError> {
        let (stiffness_normal, stiffness_tangential) = stiffnesses(meeting)?;
        let damping = restitution::linear_damping(meeting.of_pair(&RESTITUTION)?);
        let damping_tangential = damping * (stiffness_tangential / stiffness_normal).sqrt();
        let friction = meeting.of_pair(&FRICTION)?;
        let dissipation = Dissipation { damping, damping_tangential, friction };
        Ok(LinearConstants { stiffness_normal, stiffness_tangential, dissipation })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &LinearConstants<R>) -> Dissipation<R> {
        constants.dissipation
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &LinearConstants<R>, _: R, overlap: R) -> (R, R) {
        let force = constants.stiffness_normal * overlap;
        (force, force * overlap * R::lit(0.5))
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &LinearConstants<R>, _: R, _: R) -> R {
        constants.stiffness_normal
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &LinearConstants<R>, _: R, _: R) -> R {
        constants.stiffness_tangential
    }

    /// Half a period of the spring, whatever the speed.
    fn contact_time(constants: &LinearConstants<f64>, _: f64, mass: f64, _: f64) -> f64 {
        std::f64::consts::PI * (mass / constants.stiffness_normal).sqrt()
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &LinearConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        frictional::<Self, R>(constants, contact, memory, dt)
    }
}

/// kₙ and kₜ of a contact, N/m: the harmonic means.
fn stiffnesses(meeting: &Meeting<'_>) -> Result<(f64, f64), MaterialError> {
    let ([ka, kb], [ra, rb]) = (meeting.both(&STIFFNESS)?, meeting.both(&STIFFNESS_RATIO)?);
    let compliance = 1.0 / ka + 1.0 / kb;
    if compliance > 0.0 {
        let tangential = 1.0 / (ka * ra) + 1.0 / (kb * rb);
        Ok((2.0 / compliance, 2.0 / tangential))
    } else {
        Err(meeting.both_rigid(&STIFFNESS))
    }
}
