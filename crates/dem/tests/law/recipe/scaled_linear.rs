//! Scaled linear — where it was published, with equation numbers.
//!
//! kₙ = E*R*, so that larger spheres are stiffer. What a reader must know: variants, misprints, limits.

use tumble_dem::citations::CUNDALL_1979;
use tumble_dem::law::{ContactLaw, EnergyPower, Hertz, LawInfo, Pair, restitution};
use tumble_dem::material::{MaterialError, Meeting};
use tumble_dem::property::{FRICTION, POISSON, RESTITUTION, YOUNG};
use tumble_math::Real;

/// Linear springs whose stiffness grows with the size of the spheres, dashpots and friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScaledLinear;

impl ContactLaw for ScaledLinear {
    const INFO: LawInfo = LawInfo {
        name: "scaled-linear",
        summary: "linear springs of stiffness E*R*, dashpots, Coulomb friction",
        citation: CUNDALL_1979,
        uses_velocity: true,
        has_history: true,
        energy_power: EnergyPower::Square,
        needs: &[&YOUNG, &POISSON, &RESTITUTION, &FRICTION],
    };

    fn pair(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError> {
        let elastic = Hertz::pair(meeting)?; // E*, G* and the frictions
        let damping = restitution::linear_damping(meeting.of_pair(&RESTITUTION)?);
        Ok(Pair { damping, damping_tangential: damping * (2.0_f64 / 7.0).sqrt(), ..elastic })
    }

    #[inline(always)]
    fn elastic<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> (R, R) {
        let force = pair.effective_modulus * radius * overlap;
        (force, force * overlap * R::lit(0.5))
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(pair: &Pair<R>, radius: R, _: R) -> R {
        pair.effective_modulus * radius
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(pair: &Pair<R>, radius: R, _: R) -> R {
        R::lit(2.0 / 7.0) * pair.effective_modulus * radius
    }

    fn contact_time(pair: &Pair<f64>, radius: f64, mass: f64, _: f64) -> f64 {
        core::f64::consts::PI * (mass / (pair.effective_modulus * radius)).sqrt()
    }
}
