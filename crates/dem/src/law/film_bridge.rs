//! Liquid bridges out of the films that bodies carry: Willett et al. 2000, with a volume of its own for each bridge.
//!
//! The law is [`willett`](super::willett) but for the volume V. Bodies carry a film, and where two touch a bridge takes its volume from both, as [`liquid`](crate::liquid)
//! says, but no more than the property `largest_bridge` in all; it breaks at its own gap (1 + θ/2)V^{1/3} and gives the liquid back. Where both are dry there is no bridge as long as
//! they stay in contact, and the law is Hertz–Mindlin. The liquid may be viscous: [`lubrication`].
//!
//! Where surfaces overlap the pull does not depend on V; so the volume of a bridge, which is found at the end of the step in which it began, is known before it matters. It is kept with what the contact
//! remembers, and with it its cube root, so that a kernel has no root to find: both −1 in the first step, where it is only known that there is liquid, and 0 where there is none.

use super::bridge::{self, Bridge, CONTACT_ANGLE, Liquid, SURFACE_TENSION};
use super::grip::divisor;
use super::hertz_mindlin::HertzMindlinConstants;
use super::lubrication::{self, LIQUID_VISCOSITY, Lubrication, VISCOUS_GAP, ViscousBooks};
use super::willett::WillettConstants;
use super::{Contact, ContactLaw, Dissipation, EnergyPower, Hertz, HertzMindlin, LawInfo, Range, Reaction, Spring};
use crate::citations::WILLETT_2000;
use crate::material::{MaterialError, Meeting};
use crate::property::{self, FRICTION, Owner, POISSON, Property, Quantity, RESTITUTION, YOUNG};
use crate::record;
use core::f64::consts::PI;
use tumble_math::Real;
use tumble_math::elementary::cbrt;

/// Spheres that the liquid of their films holds together, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct FilmBridge;

/// The most that a bridge takes.
pub const LARGEST_BRIDGE: Property = Property {
    key: "largest_bridge",
    of: Owner::Pair,
    quantity: Some(Quantity::VOLUME),
    range: property::Range::POSITIVE.in_words("a positive volume"),
    default: None,
    summary: "Largest volume of a liquid bridge between bodies with films, half of it from each; to be small beside the bodies",
    example: "\"0.001 mm^3\"",
};

record! {
    /// The constants of two materials, and of a contact that knows its volume.
    FilmBridgeConstants, FILM_BRIDGE_CONSTANTS {
        /// All but the volume; of two materials with the largest one.
        willett: WillettConstants<R>,
        /// 1 + θ/2.
        reach: R,
        /// 1, or 0 where there is no liquid.
        wet: R,
        /// The viscosity of the liquid.
        lubrication: Lubrication<R>,
    }
}

record! {
    /// What is remembered.
    Wetted, WETTED {
        /// The tangential spring.
        spring: Spring<R>,
        /// V, m³.
        volume: R,
        /// Its cube root, m.
        size: R,
    }
}

impl<R: Real> Bridge<R> for FilmBridgeConstants<R> {
    #[inline(always)]
    fn mindlin(&self) -> &HertzMindlinConstants<R> {
        &self.willett.mindlin
    }

    #[inline(always)]
    fn rupture(&self) -> R {
        self.willett.rupture
    }

    #[inline(always)]
    fn pull(&self, radius: R, overlap: R) -> [R; 3] {
        self.willett.pull(radius, overlap).map(|number| number * self.wet)
    }
}

impl ContactLaw for FilmBridge {
    const INFO: LawInfo = LawInfo {
        name: "film-bridge",
        summary: "willett, whose bridges take their liquid from films on the bodies",
        citation: WILLETT_2000,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[
            &YOUNG,
            &POISSON,
            &SURFACE_TENSION,
            &CONTACT_ANGLE,
            &LARGEST_BRIDGE,
            &LIQUID_VISCOSITY,
            &VISCOUS_GAP,
            &RESTITUTION,
            &FRICTION,
        ],
    };

    const RANGE: Range = Range::Lasting;

    /// After the tangential spring.
    const LIQUID: Option<usize> = Some(3);

    type Constants<R: Real> = FilmBridgeConstants<R>;
    type Memory<R: Real> = Wetted<R>;
    type Books<R: Real> = ViscousBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<FilmBridgeConstants<f64>, MaterialError> {
        let Liquid { tension, wetting: (_, cos), reach } = Liquid::of(meeting)?;
        let volume = meeting.of_pair(&LARGEST_BRIDGE)?;
        let mindlin = HertzMindlin::constants(meeting)?;
        let tension = 4.0 * PI * tension * cos;
        let willett = WillettConstants { mindlin, tension, volume, rupture: reach * cbrt(volume) };
        Ok(FilmBridgeConstants { willett, reach, wet: 1.0, lubrication: Lubrication::of(meeting)? })
    }

    fn largest_bridge(constants: &FilmBridgeConstants<f64>) -> f64 {
        constants.willett.volume
    }

    /// With the volume that is remembered, once it is known.
    #[inline(always)]
    fn of_contact<R: Real>(
        constants: &FilmBridgeConstants<R>,
        memory: &Wetted<R>,
    ) -> FilmBridgeConstants<R> {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let FilmBridgeConstants { willett, reach, lubrication, .. } = *constants;
        let known = |volume: R, largest: R| R::select(memory.volume.lt(zero), largest, volume);
        let wet = R::select(zero.lt(memory.volume), one, known(zero, one));
        let rupture = known(reach * memory.size, willett.rupture);
        let volume = divisor(known(memory.volume, willett.volume));
        let willett = WillettConstants { volume, rupture, ..willett };
        FilmBridgeConstants { willett, reach, wet, lubrication }
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &FilmBridgeConstants<R>) -> Dissipation<R> {
        constants.willett.mindlin.dissipation
    }

    #[inline(always)]
    fn range<R: Real>(constants: &FilmBridgeConstants<R>, _: R) -> R {
        constants.willett.rupture
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &FilmBridgeConstants<R>, radius: R, overlap: R) -> (R, R) {
        Bridge::elastic(constants, radius, overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &FilmBridgeConstants<R>, radius: R, overlap: R) -> R {
        Bridge::normal_stiffness(constants, radius, overlap)
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &FilmBridgeConstants<R>, radius: R, overlap: R) -> R {
        Bridge::slope(constants, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &FilmBridgeConstants<R>, radius: R, overlap: R) -> R {
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

    fn contact_time(constants: &FilmBridgeConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        bridge::contact_time(constants, radius, mass, speed)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &FilmBridgeConstants<R>,
        contact: Contact<R>,
        memory: Wetted<R>,
        dt: R,
    ) -> Reaction<R, Wetted<R>, ViscousBooks<R>> {
        let constants = Self::of_contact(constants, &memory);
        let viscous = (&constants.lubrication, constants.wet);
        let reaction = lubrication::react(&constants, viscous, contact, memory.spring, dt);
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: Wetted { spring: reaction.memory, ..memory },
            books: reaction.books,
        }
    }
}
