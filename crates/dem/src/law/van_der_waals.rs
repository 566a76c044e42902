//! Van der Waals — spheres that attract each other across their gap: Hamaker 1937, in Derjaguin's approximation.
//!
//! Two spheres at the gap h, much smaller than they are, attract each other with
//!
//! > F = AR*/6h²,
//!
//! A being Hamaker's constant of the two materials and what is between them. Surfaces never come closer than the property `smallest_gap`, h₀, at which roughness or atoms hold them apart: from there on, in touch as
//! well, the pull stays what it is there. Beyond the property `attraction_range`, in parts of h₀, there is none; the force jumps there, by the square of that number less than at
//! h₀. From there to touch the attraction does the work
//!
//! > E = AR*/6 (2/h₀ − 1/h_max),
//!
//! and gives it back: nothing is lost by it, and what sticks does so by its dashpot. In touch it is DMT's law with W = A/12πh₀². All but the pull is Hertz–Mindlin; friction is
//! limited by what the surfaces press, the pull included, and there is none across a gap.

use super::hertz_mindlin::HertzMindlinConstants;
use super::grip::positive;
use super::{
    Contact, ContactLaw, Dissipation, EnergyPower, FrictionalBooks, Hertz, HertzMindlin, LawInfo, Range, Reaction,
    Spring, attracted,
};
use crate::citations::HAMAKER_1937;
use crate::material::{MaterialError, Meeting};
use crate::property::{self, FRICTION, Owner, POISSON, Property, Quantity, RESTITUTION, YOUNG};
use crate::record;
use core::f64::consts::PI;
use core::ops::Bound::Excluded;
use tumble_math::Real;

/// Spheres that attract each other across their gap, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct VanDerWaals;

/// A.
pub const HAMAKER: Property = Property {
    key: "hamaker",
    of: Owner::Pair,
    quantity: Some(Quantity::ENERGY),
    range: property::Range::POSITIVE.in_words("a positive number, in J; surfaces without any are those of hertz-mindlin"),
    default: None,
    summary: "Hamaker's constant A of the two materials and what is between them: spheres at the gap h attract each other with AR*/6h²",
    example: "6.5e-20",
};

/// h₀.
pub const SMALLEST_GAP: Property = Property {
    key: "smallest_gap",
    of: Owner::Pair,
    quantity: Some(Quantity::LENGTH),
    range: property::Range::POSITIVE.in_words("a positive length"),
    default: None,
    summary: "Gap h₀ below which the attraction grows no more: about 0.2 nm between atoms, the height of asperities between rough surfaces",
    example: "\"1 nm\"",
};

/// h_max/h₀.
pub const ATTRACTION_RANGE: Property = Property {
    key: "attraction_range",
    of: Owner::Pair,
    quantity: None,
    range: property::Range {
        from: Excluded(1.0),
        to: Excluded(f64::INFINITY),
        words: "more than 1, the smallest gap itself",
    },
    default: Some(20.0),
    summary: "How far the attraction reaches, in parts of `smallest_gap`",
    example: "20",
};

record! {
    /// The constants of two materials.
    VanDerWaalsConstants, VAN_DER_WAALS_CONSTANTS {
        /// All but the attraction.
        mindlin: HertzMindlinConstants<R>,
        /// A/6, J.
        attraction: R,
        /// h₀, m.
        smallest: R,
        /// h_max, m.
        largest: R,
    }
}

impl<R: Real> VanDerWaalsConstants<R> {
    /// Force and energy of the attraction, and how the force falls with the gap.
    #[inline(always)]
    fn pull(&self, radius: R, overlap: R) -> [R; 3] {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let gap = -overlap;
        let far = self.smallest.lt(gap);
        let inverse = one / R::select(far, gap, self.smallest);
        let scale = self.attraction * radius;
        let force = scale * inverse * inverse;
        let energy = scale * (one / self.largest - inverse) - force * positive(self.smallest - gap);
        [force, energy, R::select(far, R::lit(2.0) * force * inverse, zero)]
    }
}

impl ContactLaw for VanDerWaals {
    const INFO: LawInfo = LawInfo {
        name: "van-der-waals",
        summary: "Hertz–Mindlin with attraction across a gap, cut off at touch",
        citation: HAMAKER_1937,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &HAMAKER, &SMALLEST_GAP, &ATTRACTION_RANGE, &RESTITUTION, &FRICTION],
    };

    const RANGE: Range = Range::Near;

    type Constants<R: Real> = VanDerWaalsConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<VanDerWaalsConstants<f64>, MaterialError> {
        let smallest = meeting.of_pair(&SMALLEST_GAP)?;
        Ok(VanDerWaalsConstants {
            mindlin: HertzMindlin::constants(meeting)?,
            attraction: meeting.of_pair(&HAMAKER)? / 6.0,
            smallest,
            largest: smallest * meeting.of_pair(&ATTRACTION_RANGE)?,
        })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &VanDerWaalsConstants<R>) -> Dissipation<R> {
        constants.mindlin.dissipation
    }

    #[inline(always)]
    fn range<R: Real>(constants: &VanDerWaalsConstants<R>, _: R) -> R {
        constants.largest
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &VanDerWaalsConstants<R>, radius: R, overlap: R) -> (R, R) {
        let (force, energy) = Hertz::elastic(&constants.mindlin.hertz, radius, positive(overlap));
        let [pull, gained, _] = constants.pull(radius, overlap);
        (force - pull, energy + gained)
    }

    /// Of the surfaces, where they touch.
    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &VanDerWaalsConstants<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&constants.mindlin.hertz, radius, positive(overlap))
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &VanDerWaalsConstants<R>, radius: R, overlap: R) -> R {
        Self::normal_stiffness(constants, radius, overlap) - constants.pull(radius, overlap)[2]
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &VanDerWaalsConstants<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&constants.mindlin.hertz, radius, positive(overlap))
    }

    /// Of Hertz's collision, half a period about where the force vanishes, or as long as it takes to cross the smallest gap: the shortest.
    fn contact_time(constants: &VanDerWaalsConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        let VanDerWaalsConstants { mindlin, smallest, .. } = *constants;
        let modulus = mindlin.hertz.effective_modulus;
        let [pull, energy, _] = constants.pull(radius, 0.0);
        // At the overlap without force √δ is the cube root of the pull over 4/3 E*√R*.
        let root = tumble_math::elementary::cbrt(0.75 * pull / (modulus * radius.sqrt()));
        let swing = PI * (mass / (2.0 * modulus * radius.sqrt() * root)).sqrt();
        let crossing = smallest / (speed * speed - 2.0 * energy / mass).sqrt();
        Hertz::contact_time(&mindlin.hertz, radius, mass, speed).min(swing).min(crossing)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &VanDerWaalsConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        let [pull, energy, _] = constants.pull(contact.radius, contact.overlap);
        attracted::<HertzMindlin, R>(&constants.mindlin, contact, memory, dt, (pull, energy))
    }
}
