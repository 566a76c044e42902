//! Liquid bridges — a drop that holds two spheres together: Willett et al. 2000, with the rupture of Lian et al. 1993.
//!
//! A bridge of the volume V and the surface tension γ, which wets the surfaces at the contact angle θ, pulls at the gap S with
//!
//! > F = 2πR̄γ cos θ/(1 + 1.05Ŝ + 2.5Ŝ²),  Ŝ = S√(R̄/V)  (their closed form for small volumes),
//!
//! with the whole gap S and R̄ = 2R*, which is the radius of two equal spheres and twice that of a sphere on a plane. (They write it with the half gap, and 2.1 and 10.0 for 1.05 and 2.5.) Where the surfaces overlap it
//! pulls as at S = 0. A bridge forms when surfaces touch, and breaks at the gap (1 + θ/2)V^{1/3}. What it took to draw it
//! there,
//!
//! > E = 2πR̄γ cos θ √(V/R̄) · 2/q (atan((5Ŝ + 1.05)/q) − atan(1.05/q)),  q² = 4·2.5 − 1.05²,
//!
//! is lost then: the entry `bridges`. So a collision without a dashpot sticks below the speed V_s with that energy, and else has the restitution √(1 − V_s²/V²).
//!
//! V is the property `bridge_volume`, the same for every contact of two materials: liquid is not taken from the bodies, nor given back. The closed form is within a few per cent of solutions of the
//! Laplace–Young equation for V < 0.001 R̄³ and small contact angles. All but the pull is Hertz–Mindlin; friction is limited by what the surfaces press, the pull included, and there is none across a gap. The
//! liquid does not weigh, and its viscosity does nothing.

use super::bridge::{self, BRIDGE_VOLUME, Bridge, BridgeBooks, CONTACT_ANGLE, Liquid, SURFACE_TENSION};
use super::grip::positive;
use super::hertz_mindlin::HertzMindlinConstants;
use super::{Contact, ContactLaw, Dissipation, EnergyPower, Hertz, HertzMindlin, LawInfo, Range, Reaction, Spring};
use crate::citations::WILLETT_2000;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, POISSON, RESTITUTION, YOUNG};
use crate::record;
use core::f64::consts::PI;
use tumble_math::Real;
use tumble_math::elementary::{atan2, cbrt};

/// Spheres that a drop of liquid holds together, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Willett;

/// The coefficient of Ŝ.
const LINEAR: f64 = 1.05;

/// That of Ŝ².
const SQUARE: f64 = 2.5;

record! {
    /// The constants of two materials.
    WillettConstants, WILLETT_CONSTANTS {
        /// All but the bridge.
        mindlin: HertzMindlinConstants<R>,
        /// 4πγ cos θ, N/m: the largest pull over R*.
        tension: R,
        /// V, m³.
        volume: R,
        /// The gap at which bridges break, m.
        rupture: R,
    }
}

impl<R: Real> Bridge<R> for WillettConstants<R> {
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
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let (linear, square) = (R::lit(LINEAR), R::lit(SQUARE));
        let inverse_length = ((radius + radius) / self.volume).sqrt();
        let gap = positive(-overlap) * inverse_length;
        let largest = self.tension * radius;
        let inverse = one / (one + (linear + square * gap) * gap);
        let force = largest * inverse;
        let slope = linear + (square + square) * gap;
        // The difference of two arcs, as one.
        let q = (4.0 * SQUARE - LINEAR * LINEAR).sqrt();
        let across = R::lit(2.0 * SQUARE * q) * gap;
        let arc = atan2(across, R::lit(q * q) + linear * slope);
        let energy = largest * (R::lit(2.0 / q) * arc / inverse_length - positive(overlap));
        [force, energy, R::select(overlap.lt(zero), force * inverse * slope * inverse_length, zero)]
    }
}

impl ContactLaw for Willett {
    const INFO: LawInfo = LawInfo {
        name: "willett",
        summary: "Hertz–Mindlin with a liquid bridge that forms at touch and breaks at a gap",
        citation: WILLETT_2000,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &SURFACE_TENSION, &CONTACT_ANGLE, &BRIDGE_VOLUME, &RESTITUTION, &FRICTION],
    };

    const RANGE: Range = Range::Lasting;

    type Constants<R: Real> = WillettConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = BridgeBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<WillettConstants<f64>, MaterialError> {
        let Liquid { tension, wetting: (_, cos), reach } = Liquid::of(meeting)?;
        let volume = meeting.of_pair(&BRIDGE_VOLUME)?;
        Ok(WillettConstants {
            mindlin: HertzMindlin::constants(meeting)?,
            tension: 4.0 * PI * tension * cos,
            volume,
            rupture: reach * cbrt(volume),
        })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &WillettConstants<R>) -> Dissipation<R> {
        constants.mindlin.dissipation
    }

    #[inline(always)]
    fn range<R: Real>(constants: &WillettConstants<R>, _: R) -> R {
        constants.rupture
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> (R, R) {
        Bridge::elastic(constants, radius, overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> R {
        Bridge::normal_stiffness(constants, radius, overlap)
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> R {
        Bridge::slope(constants, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> R {
        Bridge::tangential_stiffness(constants, radius, overlap)
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    fn contact_time(constants: &WillettConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        bridge::contact_time(constants, radius, mass, speed)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &WillettConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, BridgeBooks<R>> {
        Bridge::react(constants, contact, memory, dt)
    }
}
