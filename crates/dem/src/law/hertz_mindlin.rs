//! Hertz–Mindlin — Hertz with a dashpot, the no-slip stiffness of Mindlin, and Coulomb friction.
//!
//! Normal dashpot cₙ = α √(m* K) δ^{1/4}, K = 4/3 E* √R* (Tsuji et al. 1992), so that the restitution does
//! not depend on the speed; with the normal stiffness kₙ = 2E*√(R*δ) this is α√(2/3) √(m* kₙ). α is set up
//! for a contact that never pulls (`restitution.rs`). Tangential stiffness kₜ = 8G*√(R*δ) (Mindlin 1949),
//! which follows the overlap; how the spring takes that is told in `grip.rs` (Thornton et al. 2013).
//! Tangential dashpot cₜ = α√(2/3) √(m* kₜ), the normal one with kₜ for kₙ; none if e = 1.

use super::{
    Contact, ContactLaw, Dissipation, EnergyPower, FrictionalBooks, Hertz, LawInfo, Reaction, Spring, frictional,
    restitution,
};
use super::hertz::HertzConstants;
use crate::citations::TSUJI_1992;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, POISSON, RESTITUTION, YOUNG};
use crate::record;
use tumble_math::Real;

/// Viscoelastic spheres with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct HertzMindlin;

record! {
    /// The constants of two materials.
    HertzMindlinConstants, HERTZ_MINDLIN_CONSTANTS {
        /// The moduli.
        hertz: HertzConstants<R>,
        /// Dashpots and friction.
        dissipation: Dissipation<R>,
    }
}

impl ContactLaw for HertzMindlin {
    const INFO: LawInfo = LawInfo {
        name: "hertz-mindlin",
        summary: "Hertz with dashpot, Mindlin's no-slip tangential spring, Coulomb friction",
        citation: TSUJI_1992,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &RESTITUTION, &FRICTION],
    };

    type Constants<R: Real> = HertzMindlinConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<HertzMindlinConstants<f64>, MaterialError> {
        let hertz = Hertz::constants(meeting)?;
        let damping = restitution::hertz_damping(meeting.of_pair(&RESTITUTION)?) * (2.0_f64 / 3.0).sqrt();
        let ratio = 4.0 * hertz.effective_shear_modulus / hertz.effective_modulus;
        let (damping_tangential, friction) = (damping * ratio.sqrt(), meeting.of_pair(&FRICTION)?);
        Ok(HertzMindlinConstants { hertz, dissipation: Dissipation { damping, damping_tangential, friction } })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &HertzMindlinConstants<R>) -> Dissipation<R> {
        constants.dissipation
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &HertzMindlinConstants<R>, radius: R, overlap: R) -> (R, R) {
        Hertz::elastic(&constants.hertz, radius, overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &HertzMindlinConstants<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&constants.hertz, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &HertzMindlinConstants<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&constants.hertz, radius, overlap)
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    fn contact_time(constants: &HertzMindlinConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        Hertz::contact_time(&constants.hertz, radius, mass, speed)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &HertzMindlinConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        frictional::<Self, R>(constants, contact, memory, dt)
    }
}
