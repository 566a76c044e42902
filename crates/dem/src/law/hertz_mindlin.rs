//! Hertz–Mindlin — Hertz with a dashpot, the no-slip stiffness of Mindlin, and Coulomb friction.
//!
//! Normal dashpot cₙ = α √(m* K) δ^{1/4}, K = 4/3 E* √R* (Tsuji et al. 1992), so that the restitution does
//! not depend on the speed; with the normal stiffness kₙ = 2E*√(R*δ) this is α√(2/3) √(m* kₙ). α is set up
//! for a contact that never pulls (`restitution.rs`). Tangential stiffness kₜ = 8G*√(R*δ) (Mindlin 1949),
//! which follows the overlap; how the spring takes that is told in `grip.rs` (Thornton et al. 2013).
//! Tangential dashpot cₜ = α√(2/3) √(m* kₜ), the normal one with kₜ for kₙ; none if e = 1.

use super::{ContactLaw, EnergyPower, Hertz, LawInfo, Pair, restitution};
use crate::citations::TSUJI_1992;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, POISSON, RESTITUTION, YOUNG};
use tumble_math::Real;

/// Viscoelastic spheres with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct HertzMindlin;

impl ContactLaw for HertzMindlin {
    const INFO: LawInfo = LawInfo {
        name: "hertz-mindlin",
        summary: "Hertz with dashpot, Mindlin's no-slip tangential spring, Coulomb friction",
        citation: TSUJI_1992,
        uses_velocity: true,
        has_history: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &RESTITUTION, &FRICTION],
    };

    fn pair(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError> {
        let elastic = Hertz::pair(meeting)?;
        let damping = restitution::hertz_damping(meeting.of_pair(&RESTITUTION)?) * (2.0_f64 / 3.0).sqrt();
        let ratio = 4.0 * elastic.effective_shear_modulus / elastic.effective_modulus;
        Ok(Pair { damping, damping_tangential: damping * ratio.sqrt(), ..elastic })
    }

    #[inline(always)]
    fn elastic<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> (R, R) {
        Hertz::elastic(pair, radius, overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(pair, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(pair, radius, overlap)
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    fn contact_time(pair: &Pair<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        Hertz::contact_time(pair, radius, mass, speed)
    }
}
