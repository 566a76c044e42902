//! Scaled linear — where it was published, with equation numbers.
//!
//! kₙ = E*R*, so that larger spheres are stiffer. What a reader must know: variants, misprints, limits.

use tumble_dem::citations::CUNDALL_1979;
use tumble_dem::law::{
    Contact, ContactLaw, Dissipation, EnergyPower, FrictionalBooks, Hertz, LawInfo, Reaction, Spring,
    frictional, restitution,
};
use tumble_dem::material::{MaterialError, Meeting};
use tumble_dem::property::{FRICTION, POISSON, RESTITUTION, YOUNG};
use tumble_dem::record;
use tumble_math::Real;

/// Linear springs whose stiffness grows with the size of the spheres, dashpots and friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScaledLinear;

record! {
    /// The constants of two materials.
    ScaledLinearConstants, SCALED_LINEAR_CONSTANTS {
        /// E*, Pa.
        modulus: R,
        /// Dashpots and friction.
        dissipation: Dissipation<R>,
    }
}

impl ContactLaw for ScaledLinear {
    const INFO: LawInfo = LawInfo {
        name: "scaled-linear",
        summary: "linear springs of stiffness E*R*, dashpots, Coulomb friction",
        citation: CUNDALL_1979,
        uses_velocity: true,
        energy_power: EnergyPower::Square,
        needs: &[&YOUNG, &POISSON, &RESTITUTION, &FRICTION],
    };

    type Constants<R: Real> = ScaledLinearConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<ScaledLinearConstants<f64>, MaterialError> {
        let modulus = Hertz::constants(meeting)?.effective_modulus;
        let damping = restitution::linear_damping(meeting.of_pair(&RESTITUTION)?);
        let damping_tangential = damping * (2.0_f64 / 7.0).sqrt();
        let friction = meeting.of_pair(&FRICTION)?;
        let dissipation = Dissipation { damping, damping_tangential, friction };
        Ok(ScaledLinearConstants { modulus, dissipation })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &ScaledLinearConstants<R>) -> Dissipation<R> {
        constants.dissipation
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &ScaledLinearConstants<R>, radius: R, overlap: R) -> (R, R) {
        let force = constants.modulus * radius * overlap;
        (force, force * overlap * R::lit(0.5))
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &ScaledLinearConstants<R>, radius: R, _: R) -> R {
        constants.modulus * radius
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &ScaledLinearConstants<R>, radius: R, _: R) -> R {
        R::lit(2.0 / 7.0) * constants.modulus * radius
    }

    fn contact_time(constants: &ScaledLinearConstants<f64>, radius: f64, mass: f64, _: f64) -> f64 {
        core::f64::consts::PI * (mass / (constants.modulus * radius)).sqrt()
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &ScaledLinearConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        frictional::<Self, R>(constants, contact, memory, dt)
    }
}
