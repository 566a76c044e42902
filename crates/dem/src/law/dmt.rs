//! DMT — elastic spheres that attract each other around their contact: Derjaguin, Muller & Toporov 1975.
//!
//! Hertz's contact with a pull that does not depend on the overlap: F = 4/3 E*√(R*δ) δ − 2πWR*, as it is used with small, hard spheres (Tabor's
//! parameter below 0.1; JKR is for large, soft ones, above 5). The pull begins and ends with touch, so that nothing is lost by it. Friction is limited by μ(F + x F_c) with the
//! pull-off force F_c = 2πWR* and the property `adhesive_friction`: with 1, its default, by the part that repels. Dashpots and tangential
//! springs are those of Hertz–Mindlin; `restitution` is that of the same contact without adhesion.

use super::hertz_mindlin::HertzMindlinConstants;
use super::{
    Contact, ContactLaw, Dissipation, EnergyPower, FrictionalBooks, Hertz, HertzMindlin, LawInfo, Reaction, Spring,
    adhesive,
};
use crate::citations::DERJAGUIN_1975;
use crate::material::{MaterialError, Meeting};
use crate::property::{ADHESIVE_FRICTION, FRICTION, POISSON, RESTITUTION, WORK_OF_ADHESION, YOUNG};
use crate::record;
use core::f64::consts::PI;
use tumble_math::Real;

/// Hard spheres that adhere, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dmt;

record! {
    /// The constants of two materials.
    DmtConstants, DMT_CONSTANTS {
        /// All but the adhesion.
        mindlin: HertzMindlinConstants<R>,
        /// 2πW, N/m: the pull over R*.
        pull: R,
        /// Pull-off forces in the limit of friction.
        hold: R,
    }
}

impl ContactLaw for Dmt {
    const INFO: LawInfo = LawInfo {
        name: "dmt",
        summary: "Hertz–Mindlin with the constant pull of adhering hard spheres",
        citation: DERJAGUIN_1975,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &WORK_OF_ADHESION, &ADHESIVE_FRICTION, &RESTITUTION, &FRICTION],
    };

    const JUMPS: bool = true;

    type Constants<R: Real> = DmtConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<DmtConstants<f64>, MaterialError> {
        Ok(DmtConstants {
            mindlin: HertzMindlin::constants(meeting)?,
            pull: 2.0 * PI * meeting.of_pair(&WORK_OF_ADHESION)?,
            hold: meeting.of_pair(&ADHESIVE_FRICTION)?,
        })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &DmtConstants<R>) -> Dissipation<R> {
        constants.mindlin.dissipation
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &DmtConstants<R>, radius: R, overlap: R) -> (R, R) {
        let (force, energy) = Hertz::elastic(&constants.mindlin.hertz, radius, overlap);
        let pull = constants.pull * radius;
        (force - pull, energy - pull * overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &DmtConstants<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&constants.mindlin.hertz, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &DmtConstants<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&constants.mindlin.hertz, radius, overlap)
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    /// Of Hertz's collision, or half a period about where the force vanishes if that is shorter.
    fn contact_time(constants: &DmtConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        let modulus = constants.mindlin.hertz.effective_modulus;
        // There √δ is the cube root of the pull over 4/3 E*√R*.
        let root = tumble_math::elementary::cbrt(0.75 * constants.pull * radius / (modulus * radius.sqrt()));
        let swing = PI * (mass / (2.0 * modulus * radius.sqrt() * root)).sqrt();
        Hertz::contact_time(&constants.mindlin.hertz, radius, mass, speed).min(swing)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &DmtConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        let hold = constants.hold * constants.pull * contact.radius;
        adhesive::<Self, R>(constants, contact, memory, dt, hold)
    }
}
