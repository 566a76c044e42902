//! What laws of liquid bridges have in common: Hertz–Mindlin where surfaces touch, and a pull beside it until the bridge breaks.

use super::grip::positive;
use super::hertz_mindlin::HertzMindlinConstants;
use super::{
    Contact, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, Entry, EntryKind, FrictionalBooks, Hertz, HertzMindlin,
    NORMAL_DAMPING, Reaction, SLIDING, Spring, TANGENTIAL_DAMPING, attracted,
};
use crate::books;
use crate::law::ContactLaw;
use crate::material::{MaterialError, Meeting};
use crate::property::{self, Owner, Property, Quantity};
use core::f64::consts::{FRAC_PI_2, PI};
use core::ops::Bound::{Excluded, Included};
use tumble_math::Real;
use tumble_math::elementary::{cbrt, sin_cos};

/// γ.
pub const SURFACE_TENSION: Property = Property {
    key: "surface_tension",
    of: Owner::Pair,
    quantity: Some(Quantity::SURFACE_TENSION),
    range: property::Range::POSITIVE
        .in_words("a positive number, in N/m; dry surfaces are those of hertz-mindlin"),
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

books! {
    /// The books of a contact with a bridge.
    BridgeBooks, BRIDGE_BOOKS {
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

/// The constants of two materials with a liquid between them.
pub(super) trait Bridge<R: Real> {
    /// All but the bridge.
    fn mindlin(&self) -> &HertzMindlinConstants<R>;

    /// The gap at which it breaks, m.
    fn rupture(&self) -> R;

    /// What it pulls with (N), its energy from touch on (J), and how the force falls with the gap (N/m). Where surfaces overlap the force is
    /// that at touch.
    fn pull(&self, radius: R, overlap: R) -> [R; 3];

    /// Of the spring and the bridge.
    #[inline(always)]
    fn elastic(&self, radius: R, overlap: R) -> (R, R) {
        let (force, energy) = Hertz::elastic(&self.mindlin().hertz, radius, positive(overlap));
        let [pull, gained, _] = self.pull(radius, overlap);
        (force - pull, energy + gained)
    }

    /// Of the surfaces, where they touch.
    #[inline(always)]
    fn normal_stiffness(&self, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&self.mindlin().hertz, radius, positive(overlap))
    }

    #[inline(always)]
    fn slope(&self, radius: R, overlap: R) -> R {
        self.normal_stiffness(radius, overlap) - self.pull(radius, overlap)[2]
    }

    #[inline(always)]
    fn tangential_stiffness(&self, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&self.mindlin().hertz, radius, positive(overlap))
    }

    #[inline(always)]
    fn react(&self, contact: Contact<R>, spring: Spring<R>, dt: R) -> Reaction<R, Spring<R>, BridgeBooks<R>> {
        let [pull, energy, _] = self.pull(contact.radius, contact.overlap);
        let reaction = attracted::<HertzMindlin, R>(self.mindlin(), contact, spring, dt, (pull, energy));
        let FrictionalBooks { normal, tangential, normal_damping, tangential_damping, sliding } =
            reaction.books;
        let broken = self.pull(contact.radius, -self.rupture())[1];
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: reaction.memory,
            books: BridgeBooks { normal, tangential, normal_damping, tangential_damping, sliding, broken },
        }
    }
}

/// Of Hertz's collision, or half a period about where the force vanishes if that is shorter.
pub(super) fn contact_time(bridge: &impl Bridge<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
    let hertz = &bridge.mindlin().hertz;
    let modulus = hertz.effective_modulus;
    // There √δ is the cube root of the pull over 4/3 E*√R*.
    let root = cbrt(0.75 * bridge.pull(radius, 0.0)[0] / (modulus * radius.sqrt()));
    let swing = PI * (mass / (2.0 * modulus * radius.sqrt() * root)).sqrt();
    Hertz::contact_time(hertz, radius, mass, speed).min(swing)
}

/// What of a liquid between two materials all laws need.
pub(super) struct Liquid {
    /// γ, N/m.
    pub(super) tension: f64,
    /// sin θ and cos θ.
    pub(super) wetting: (f64, f64),
    /// The gap at which a bridge of a unit of volume breaks, m: 1 + θ/2.
    pub(super) reach: f64,
}

impl Liquid {
    pub(super) fn of(meeting: &Meeting<'_>) -> Result<Self, MaterialError> {
        let angle = meeting.of_pair(&CONTACT_ANGLE)?;
        Ok(Self {
            tension: meeting.of_pair(&SURFACE_TENSION)?,
            wetting: sin_cos(angle),
            reach: 1.0 + 0.5 * angle,
        })
    }
}
