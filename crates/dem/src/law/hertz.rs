//! Hertz — the frictionless elastic contact of smooth spheres: F = 4/3 E* √(R*δ) δ.
//!
//! Nothing is lost and nothing remembered. In a head-on collision δ_max = (5 m* v² / 4K)^{2/5} with
//! K = 4/3 E* √R*, and the contact lasts 2.943 δ_max/v = 2.868 (m*²/(R* E*² v))^{1/5}.

use super::energy_power::fifth_root;
use super::entry::ELASTIC_NORMAL;
use super::grip::divisor;
use super::{Contact, ContactLaw, EnergyPower, LawInfo, Reaction};
use crate::citations::HERTZ_1882;
use crate::material::{MaterialError, Meeting};
use crate::property::{POISSON, YOUNG};
use crate::record::Nothing;
use crate::{books, record};
use tumble_math::Real;

/// Elastic spheres without friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hertz;

record! {
    /// The constants of two materials.
    HertzConstants, HERTZ_CONSTANTS {
        /// E*, Pa: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.
        effective_modulus: R,
        /// G*, Pa: 1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂.
        effective_shear_modulus: R,
    }
}

books! {
    /// Nothing is lost.
    HertzBooks, HERTZ_BOOKS {
        /// Elastic energy of the normal spring.
        normal: ELASTIC_NORMAL,
    }
}

impl ContactLaw for Hertz {
    const INFO: LawInfo = LawInfo {
        name: "hertz",
        summary: "elastic spheres, no friction, no loss",
        citation: HERTZ_1882,
        uses_velocity: false,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON],
    };

    type Constants<R: Real> = HertzConstants<R>;
    type Memory<R: Real> = Nothing;
    type Books<R: Real> = HertzBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<HertzConstants<f64>, MaterialError> {
        let (effective_modulus, effective_shear_modulus) = effective_moduli(meeting)?;
        Ok(HertzConstants { effective_modulus, effective_shear_modulus })
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &HertzConstants<R>, radius: R, overlap: R) -> (R, R) {
        let force = R::lit(4.0 / 3.0) * constants.effective_modulus * contact_radius(radius, overlap) * overlap;
        (force, force * overlap * R::lit(0.4))
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &HertzConstants<R>, radius: R, overlap: R) -> R {
        R::lit(2.0) * constants.effective_modulus * contact_radius(radius, overlap)
    }

    /// That of an adhering contact, on which a twisting resistance builds; the law itself has no friction.
    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &HertzConstants<R>, radius: R, overlap: R) -> R {
        R::lit(8.0) * constants.effective_shear_modulus * contact_radius(radius, overlap)
    }

    /// Of dashpots that go with √kₙ, which begin as δ^¼. The polynomial is −ζ(−¼, 1 + θ) to 1.3·10⁻⁵.
    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        let zeta = [0.010_844_898, -0.050_033_246, 0.178_219_745, 0.860_989_593, 0.320_438_087]
            .map(R::lit)
            .into_iter()
            .fold(R::lit(0.0), |sum, coefficient| sum * fraction + coefficient);
        zeta / divisor(fraction).sqrt().sqrt()
    }

    fn contact_time(constants: &HertzConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        // 2 ∫ dx/√(1 − x^{5/2}) from 0 to 1, times (15/16)^{2/5}.
        const FACTOR: f64 = 2.868_265_699_195_331_5;
        let modulus = constants.effective_modulus;
        FACTOR * fifth_root(mass / modulus * (mass / modulus) / (radius * speed))
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &HertzConstants<R>,
        contact: Contact<R>,
        _: Nothing,
        _: R,
    ) -> Reaction<R, Nothing, HertzBooks<R>> {
        let (elastic, normal) = Self::elastic(constants, contact.radius, contact.pressed::<Self>());
        let normal_force = elastic * contact.slope;
        Reaction {
            force: contact.normal * normal_force,
            normal_force,
            memory: Nothing,
            books: HertzBooks { normal },
        }
    }
}

/// Radius of the contact area, m.
#[inline(always)]
pub(super) fn contact_radius<R: Real>(radius: R, overlap: R) -> R {
    (radius * overlap).sqrt()
}

/// E* and G* of a contact, Pa.
fn effective_moduli(meeting: &Meeting<'_>) -> Result<(f64, f64), MaterialError> {
    let ([e1, e2], [nu1, nu2]) = (meeting.both(&YOUNG)?, meeting.both(&POISSON)?);
    let normal = |young: f64, poisson: f64| (1.0 - poisson * poisson) / young;
    let shear = |young: f64, poisson: f64| 2.0 * (2.0 - poisson) * (1.0 + poisson) / young;
    let compliance = normal(e1, nu1) + normal(e2, nu2);
    if compliance > 0.0 {
        Ok((1.0 / compliance, 1.0 / (shear(e1, nu1) + shear(e2, nu2))))
    } else {
        Err(meeting.both_rigid(&YOUNG))
    }
}

#[cfg(test)]
mod tests {
    use super::{ContactLaw, Hertz};

    /// Kicks at θ, 1 + θ, … on a force that begins as t^¼, the first of them with the factor, are its integral: the
    /// rest of a long sum is the half of its last term and the slope there.
    #[test]
    fn the_onset_makes_the_sum_the_integral() {
        for theta in [1e-6, 0.01, 0.1, 0.3, 0.5, 0.77, 0.9, 1.0_f64] {
            let quarter = |t: f64| t.sqrt().sqrt();
            let later: f64 = (1..10_000).map(|k| quarter(theta + f64::from(k))).sum();
            let end = theta + 9999.0;
            let integral = 0.8 * end * quarter(end);
            let rest = integral + 0.5 * quarter(end) + quarter(end) / (48.0 * end) - later;
            let first = Hertz::onset(theta) * quarter(theta);
            assert!((first - rest).abs() < 2e-5, "{theta}: {first} instead of {rest}");
        }
    }
}
