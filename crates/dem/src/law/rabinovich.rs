//! Liquid bridges between spheres taken as parabolas — Rabinovich, Esayanur & Moudgil 2005, with the rupture of Lian et al. 1993.
//!
//! A bridge of the volume V and the surface tension γ, which wets the surfaces at the contact angle θ, pulls at the gap S with
//!
//! > F = 2πR̄γ [cos θ/(1 + S/2d) + sin α sin(θ + α)],  2d = √(S² + c²) − S,  c² = 2V/πR̄,  α² = 2d/R̄   (theirs for two equal spheres)
//!
//! The first term is that of the pressure in the liquid, the second that of the surface tension along the line where it ends, at the angle α seen from the
//! centre of a sphere. d is how far each sphere is immersed: the liquid fills the gap S + r²/R̄ as far as r = R̄α, which has the volume V.
//! **S is the whole gap**, and R̄ = 2R*: the radius of two equal spheres, and twice that of a sphere on a plane, with which the first term is the published one of
//! sphere and plane as well.
//!
//! sin α sin(θ + α) is α sin θ + α² cos θ here, to second order in α as the whole theory is. So with q = √(S² + c²) and u = 2d = c²/(q + S), what it takes to draw a bridge from touch to S is
//!
//! > E = 2πR̄γ [cos θ (S − q + c) + sin θ/√R̄ (c²(u^{−½} − c^{−½}) + (c^{3/2} − u^{3/2})/3) + cos θ/2R̄ (c² ln(c/u) + (c² − u²)/2)].
//!
//! Where surfaces overlap it pulls as at S = 0. A bridge forms when surfaces touch, and breaks at the gap (1 + θ/2)V^{1/3}; E is lost then: the entry `bridges`. The liquid may be viscous: [`lubrication`]. All else is as with
//! [`willett`](super::willett), which see.

use super::bridge::{self, BRIDGE_VOLUME, Bridge, CONTACT_ANGLE, Liquid, SURFACE_TENSION};
use super::grip::positive;
use super::hertz_mindlin::HertzMindlinConstants;
use super::lubrication::{self, LIQUID_VISCOSITY, Lubrication, VISCOUS_GAP, ViscousBooks, logarithm};
use super::{Contact, ContactLaw, Dissipation, EnergyPower, Hertz, HertzMindlin, LawInfo, Range, Reaction, Spring};
use crate::citations::RABINOVICH_2005;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, POISSON, RESTITUTION, YOUNG};
use crate::record;
use core::f64::consts::PI;
use tumble_math::Real;
use tumble_math::elementary::cbrt;

/// Spheres that a drop of liquid holds together, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rabinovich;

record! {
    /// The constants of two materials.
    RabinovichConstants, RABINOVICH_CONSTANTS {
        /// All but the bridge.
        mindlin: HertzMindlinConstants<R>,
        /// 4πγ cos θ, N/m.
        tension: R,
        /// 4πγ sin θ, N/m.
        along: R,
        /// 2V/π, m³.
        volume: R,
        /// The gap at which bridges break, m.
        rupture: R,
        /// The viscosity of the liquid.
        lubrication: Lubrication<R>,
    }
}

impl<R: Real> Bridge<R> for RabinovichConstants<R> {
    #[inline(always)]
    fn mindlin(&self) -> &HertzMindlinConstants<R> {
        &self.mindlin
    }

    #[inline(always)]
    fn rupture(&self) -> R {
        self.rupture
    }

    #[inline(always)]
    fn pull(&self, radius: R, overlap: R) -> [R; 3] {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let inverse_radius = half / radius;
        let (tension, along) = (self.tension * radius, self.along * radius);
        let square = self.volume * inverse_radius;
        let c = square.sqrt();
        let gap = positive(-overlap);
        let q = (gap * gap + square).sqrt();
        let u = square / (q + gap);
        let angle = (u * inverse_radius).sqrt();
        let per_q = one / q;
        let force = tension * (one - gap * per_q + angle * angle) + along * angle;
        let fall = tension * per_q * (square * per_q * per_q + angle * angle) + along * half * angle * per_q;

        let (root_c, root_u) = (c.sqrt(), u.sqrt());
        let ends = square * (one / root_u - one / root_c) + (c * root_c - u * root_u) * R::lit(1.0 / 3.0);
        let widens = half * (square * logarithm(c / u) + half * (c - u) * (c + u));
        // S − q + c, without the difference of large numbers.
        let flat = gap * (one - gap / (q + c));
        let drawn = tension * (flat + widens * inverse_radius) + along * ends * inverse_radius.sqrt();
        [force, drawn - force * positive(overlap), R::select(overlap.lt(zero), fall, zero)]
    }
}

impl ContactLaw for Rabinovich {
    const INFO: LawInfo = LawInfo {
        name: "rabinovich",
        summary: "Hertz–Mindlin with a liquid bridge between spheres taken as parabolas",
        citation: RABINOVICH_2005,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[
            &YOUNG,
            &POISSON,
            &SURFACE_TENSION,
            &CONTACT_ANGLE,
            &BRIDGE_VOLUME,
            &LIQUID_VISCOSITY,
            &VISCOUS_GAP,
            &RESTITUTION,
            &FRICTION,
        ],
    };

    const RANGE: Range = Range::Lasting;

    type Constants<R: Real> = RabinovichConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = ViscousBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<RabinovichConstants<f64>, MaterialError> {
        let Liquid { tension, wetting: (sin, cos), reach } = Liquid::of(meeting)?;
        let volume = meeting.of_pair(&BRIDGE_VOLUME)?;
        Ok(RabinovichConstants {
            mindlin: HertzMindlin::constants(meeting)?,
            tension: 4.0 * PI * tension * cos,
            along: 4.0 * PI * tension * sin,
            volume: 2.0 * volume / PI,
            rupture: reach * cbrt(volume),
            lubrication: Lubrication::of(meeting)?,
        })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &RabinovichConstants<R>) -> Dissipation<R> {
        constants.mindlin.dissipation
    }

    #[inline(always)]
    fn range<R: Real>(constants: &RabinovichConstants<R>, _: R) -> R {
        constants.rupture
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &RabinovichConstants<R>, radius: R, overlap: R) -> (R, R) {
        Bridge::elastic(constants, radius, overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &RabinovichConstants<R>, radius: R, overlap: R) -> R {
        Bridge::normal_stiffness(constants, radius, overlap)
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &RabinovichConstants<R>, radius: R, overlap: R) -> R {
        Bridge::slope(constants, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &RabinovichConstants<R>, radius: R, overlap: R) -> R {
        Bridge::tangential_stiffness(constants, radius, overlap)
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    #[inline(always)]
    fn ending<R: Real>(fraction: R, overlap: R) -> R {
        lubrication::ending(fraction, Self::onset(fraction), overlap)
    }

    fn contact_time(constants: &RabinovichConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        bridge::contact_time(constants, radius, mass, speed)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &RabinovichConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, ViscousBooks<R>> {
        let viscous = (&constants.lubrication, R::lit(1.0));
        lubrication::react(constants, viscous, contact, memory, dt)
    }
}
