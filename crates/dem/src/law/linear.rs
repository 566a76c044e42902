//! Linear spring and dashpot with Coulomb friction — Cundall & Strack 1979.
//!
//! Fₙ = kₙδ + cₙ dδ/dt with cₙ = 2γ√(m* kₙ), never pulling; γ for the restitution asked for is the inverse of
//! Schwager & Pöschel 2007. kₜ is a fraction of kₙ (by default 2/7, which gives a solid sphere the same
//! period in both directions: Schäfer et al. 1996) and cₜ = 2γ√(m* kₜ), the same fraction of the critical
//! one. Stiffnesses of two materials combine by their harmonic mean: two springs in series, such that a
//! material against itself has the stiffness that was written down for it.

use super::{ContactLaw, EnergyPower, LawInfo, Pair, restitution};
use crate::citations::CUNDALL_1979;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, RESTITUTION, STIFFNESS, STIFFNESS_RATIO};
use tumble_math::Real;

/// Linear spring and dashpot with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Linear;

impl ContactLaw for Linear {
    const INFO: LawInfo = LawInfo {
        name: "linear",
        summary: "linear springs and dashpots, Coulomb friction",
        citation: CUNDALL_1979,
        uses_velocity: true,
        has_history: true,
        energy_power: EnergyPower::Square,
        needs: &[&STIFFNESS, &STIFFNESS_RATIO, &RESTITUTION, &FRICTION],
    };

    fn pair(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError> {
        let (stiffness_normal, stiffness_tangential) = stiffnesses(meeting)?;
        let damping = restitution::linear_damping(meeting.of_pair(&RESTITUTION)?);
        let damping_tangential = damping * (stiffness_tangential / stiffness_normal).sqrt();
        Ok(Pair {
            stiffness_normal,
            stiffness_tangential,
            damping,
            damping_tangential,
            ..meeting.frictions()?
        })
    }

    #[inline(always)]
    fn elastic<R: Real>(pair: &Pair<R>, _: R, overlap: R) -> (R, R) {
        let force = pair.stiffness_normal * overlap;
        (force, force * overlap * R::lit(0.5))
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(pair: &Pair<R>, _: R, _: R) -> R {
        pair.stiffness_normal
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(pair: &Pair<R>, _: R, _: R) -> R {
        pair.stiffness_tangential
    }

    /// Half a period of the spring, whatever the speed.
    fn contact_time(pair: &Pair<f64>, _: f64, mass: f64, _: f64) -> f64 {
        std::f64::consts::PI * (mass / pair.stiffness_normal).sqrt()
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
