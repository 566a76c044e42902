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

use super::hertz_mindlin::HertzMindlinConstants;
use super::grip::positive;
use super::{
    Contact, ContactLaw, Dissipation, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, EnergyPower, Entry, EntryKind, Hertz,
    HertzMindlin, LawInfo, NORMAL_DAMPING, Range, Reaction, SLIDING, Spring, TANGENTIAL_DAMPING, attracted,
};
use crate::citations::WILLETT_2000;
use crate::material::{MaterialError, Meeting};
use crate::property::{self, FRICTION, Owner, POISSON, Property, Quantity, RESTITUTION, YOUNG};
use crate::{books, record};
use core::f64::consts::{FRAC_PI_2, PI};
use core::ops::Bound::{Excluded, Included};
use tumble_math::Real;
use tumble_math::elementary::{atan2, cbrt, sin_cos};

/// Spheres that a drop of liquid holds together, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Willett;

/// γ.
pub const SURFACE_TENSION: Property = Property {
    key: "surface_tension",
    of: Owner::Pair,
    quantity: Some(Quantity::SURFACE_TENSION),
    range: property::Range::POSITIVE.in_words("a positive number, in N/m; dry surfaces are those of hertz-mindlin"),
    default: None,
    summary: "Surface tension of the liquid between the surfaces; 72.8 mN/m for water at 20 °C",
    example: "\"72.8 mN/m\"",
};

/// θ.
pub const CONTACT_ANGLE: Property = Property {
    key: "contact_angle",
    of: Owner::Pair,
    quantity: Some(Quantity::ANGLE),
    range: property::Range {
        from: Included(0.0),
        to: Excluded(FRAC_PI_2),
        words: "at least 0 and less than π/2 rad, or 90 degrees: other liquids push surfaces apart",
    },
    default: Some(0.0),
    summary: "Angle at which the liquid wets the surfaces; 0 where it spreads",
    example: "\"20 deg\"",
};

/// V.
pub const BRIDGE_VOLUME: Property = Property {
    key: "bridge_volume",
    of: Owner::Pair,
    quantity: Some(Quantity::VOLUME),
    range: property::Range::POSITIVE.in_words("a positive volume"),
    default: None,
    summary: "Volume of the liquid bridge of each contact",
    example: "\"0.001 mm^3\"",
};

/// Lost where bridges break.
pub const BRIDGES: Entry = Entry::new("bridges", "lost where liquid bridges break", EntryKind::Torn);

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

books! {
    /// The books of a contact with a bridge.
    WillettBooks, WILLETT_BOOKS {
        /// Energy of the normal spring and of the bridge, from touch on.
        normal: ELASTIC_NORMAL,
        /// Elastic energy of the tangential spring.
        tangential: ELASTIC_TANGENTIAL,
        /// Lost by the normal dashpot.
        normal_damping: NORMAL_DAMPING,
        /// Lost by the tangential dashpot.
        tangential_damping: TANGENTIAL_DAMPING,
        /// Lost by friction.
        sliding: SLIDING,
        /// Lost where the bridge breaks.
        broken: BRIDGES,
    }
}

impl<R: Real> WillettConstants<R> {
    /// Force and energy of the bridge, and how the force falls with the gap.
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
    type Books<R: Real> = WillettBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<WillettConstants<f64>, MaterialError> {
        let angle = meeting.of_pair(&CONTACT_ANGLE)?;
        let volume = meeting.of_pair(&BRIDGE_VOLUME)?;
        Ok(WillettConstants {
            mindlin: HertzMindlin::constants(meeting)?,
            tension: 4.0 * PI * meeting.of_pair(&SURFACE_TENSION)? * sin_cos(angle).1,
            volume,
            rupture: (1.0 + 0.5 * angle) * cbrt(volume),
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
        let (force, energy) = Hertz::elastic(&constants.mindlin.hertz, radius, positive(overlap));
        let [pull, gained, _] = constants.pull(radius, overlap);
        (force - pull, energy + gained)
    }

    /// Of the surfaces, where they touch.
    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&constants.mindlin.hertz, radius, positive(overlap))
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> R {
        Self::normal_stiffness(constants, radius, overlap) - constants.pull(radius, overlap)[2]
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &WillettConstants<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&constants.mindlin.hertz, radius, positive(overlap))
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    /// Of Hertz's collision, or half a period about where the force vanishes if that is shorter.
    fn contact_time(constants: &WillettConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        let modulus = constants.mindlin.hertz.effective_modulus;
        // There √δ is the cube root of the pull over 4/3 E*√R*.
        let root = cbrt(0.75 * constants.tension * radius / (modulus * radius.sqrt()));
        let swing = PI * (mass / (2.0 * modulus * radius.sqrt() * root)).sqrt();
        Hertz::contact_time(&constants.mindlin.hertz, radius, mass, speed).min(swing)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &WillettConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, WillettBooks<R>> {
        let [pull, energy, _] = constants.pull(contact.radius, contact.overlap);
        let reaction = attracted::<HertzMindlin, R>(&constants.mindlin, contact, memory, dt, (pull, energy));
        let books = reaction.books;
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: reaction.memory,
            books: WillettBooks {
                normal: books.normal,
                tangential: books.tangential,
                normal_damping: books.normal_damping,
                tangential_damping: books.tangential_damping,
                sliding: books.sliding,
                broken: constants.pull(contact.radius, -constants.rupture)[1],
            },
        }
    }
}
