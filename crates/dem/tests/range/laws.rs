//! Two laws that act beyond touch: a tape, which holds once touched, and a halo, which acts whenever surfaces are near.

use tumble_dem::citations::Citation;
use tumble_dem::law::{
    Contact, ContactLaw, ContactModel, Dissipation, EnergyPower, FrictionalBooks, LawInfo, Range, Reaction,
    Spring, frictional, rolling, twisting,
};
use tumble_dem::material::{MaterialError, Meeting};
use tumble_dem::property::{self, FRICTION, Owner, Property, Quantity};
use tumble_math::Real;

/// How far the surfaces hold on to each other.
pub(super) const HOLD: Property = Property {
    key: "hold",
    of: Owner::Pair,
    quantity: Some(Quantity { name: "length", unit: "m", usual: &["m", "mm"] }),
    range: property::Range::NOT_NEGATIVE.in_words("zero or a positive length, in m"),
    default: None,
    summary: "How far the surfaces hold on to each other",
    example: "\"1 mm\"",
};

/// N/m.
pub(super) const STIFFNESS: f64 = 500.0;

const fn info(name: &'static str) -> LawInfo {
    LawInfo {
        name,
        summary: "a spring that pulls beyond touch",
        citation: Citation { short: "here", full: "A law of this test.", doi: None },
        uses_velocity: false,
        energy_power: EnergyPower::Square,
        needs: &[&FRICTION, &HOLD],
    }
}

tumble_dem::record! {
    /// The constants of two materials.
    Holding, HOLDING {
        /// N/m.
        stiffness: R,
        /// How far the spring pulls, m.
        range: R,
        /// Coefficient of friction.
        friction: R,
    }
}

impl Holding<f64> {
    fn of(meeting: &Meeting<'_>) -> Result<Self, MaterialError> {
        let (range, friction) = (meeting.of_pair(&HOLD)?, meeting.of_pair(&FRICTION)?);
        Ok(Self { stiffness: STIFFNESS, range, friction })
    }
}

/// A linear spring that, once touched, pulls up to its range, where it breaks.
#[derive(Clone, Copy, Debug, Default)]
struct Tape;

impl ContactLaw for Tape {
    const INFO: LawInfo = info("tape");
    const RANGE: Range = Range::Lasting;

    type Constants<R: Real> = Holding<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<Holding<f64>, MaterialError> {
        Holding::of(meeting)
    }
    #[inline(always)]
    fn dissipation<R: Real>(constants: &Holding<R>) -> Dissipation<R> {
        Dissipation { friction: constants.friction, ..Dissipation::none() }
    }
    #[inline(always)]
    fn range<R: Real>(constants: &Holding<R>, _: R) -> R {
        constants.range
    }
    #[inline(always)]
    fn elastic<R: Real>(constants: &Holding<R>, _: R, overlap: R) -> (R, R) {
        let force = constants.stiffness * overlap;
        (force, force * overlap * R::lit(0.5))
    }
    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &Holding<R>, _: R, _: R) -> R {
        constants.stiffness
    }
    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &Holding<R>, _: R, _: R) -> R {
        constants.stiffness * R::lit(2.0 / 7.0)
    }
    fn contact_time(constants: &Holding<f64>, _: f64, mass: f64, _: f64) -> f64 {
        std::f64::consts::PI * (mass / constants.stiffness).sqrt()
    }
    #[inline(always)]
    fn react<R: Real>(
        constants: &Holding<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        frictional::<Self, R>(constants, contact, memory, dt)
    }
}

/// A force k s (s/h − 1) of s = δ + h whenever the surfaces are within h: it pulls up to touch, and pushes beyond.
#[derive(Clone, Copy, Debug, Default)]
struct Halo;

impl ContactLaw for Halo {
    const INFO: LawInfo = info("halo");
    const RANGE: Range = Range::Near;

    type Constants<R: Real> = Holding<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = FrictionalBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<Holding<f64>, MaterialError> {
        Holding::of(meeting)
    }
    #[inline(always)]
    fn dissipation<R: Real>(constants: &Holding<R>) -> Dissipation<R> {
        Dissipation { friction: constants.friction, ..Dissipation::none() }
    }
    #[inline(always)]
    fn range<R: Real>(constants: &Holding<R>, _: R) -> R {
        constants.range
    }
    #[inline(always)]
    fn elastic<R: Real>(constants: &Holding<R>, _: R, overlap: R) -> (R, R) {
        let (k, s) = (constants.stiffness, overlap + constants.range);
        let part = s / constants.range;
        (k * s * (part - R::lit(1.0)), k * s * s * (part * R::lit(1.0 / 3.0) - R::lit(0.5)))
    }
    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &Holding<R>, _: R, overlap: R) -> R {
        let part = (overlap + constants.range) / constants.range;
        constants.stiffness * (part * R::lit(2.0) - R::lit(1.0))
    }
    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &Holding<R>, _: R, _: R) -> R {
        constants.stiffness * R::lit(2.0 / 7.0)
    }
    fn contact_time(constants: &Holding<f64>, _: f64, mass: f64, _: f64) -> f64 {
        std::f64::consts::PI * (mass / constants.stiffness).sqrt()
    }
    #[inline(always)]
    fn react<R: Real>(
        constants: &Holding<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
        frictional::<Self, R>(constants, contact, memory, dt)
    }
}

pub(super) fn tape() -> ContactModel {
    ContactModel::of::<Tape, rolling::None, twisting::None>()
}

pub(super) fn halo() -> ContactModel {
    ContactModel::of::<Halo, rolling::None, twisting::None>()
}
