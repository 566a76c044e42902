//! Two laws that act beyond touch: a tape, which holds once touched, and a halo, which acts whenever surfaces are near.

use tumble_dem::citations::Citation;
use tumble_dem::law::{
    ContactLaw, ContactModel, EnergyPower, LawInfo, Linear, Pair, Range, rolling, twisting,
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
        has_history: true,
        energy_power: EnergyPower::Square,
        needs: &[&FRICTION, &HOLD],
    }
}

fn constants(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError> {
    Ok(Pair { range: meeting.of_pair(&HOLD)?, stiffness_normal: STIFFNESS, ..meeting.frictions()? })
}

/// A linear spring that, once touched, pulls up to its range, where it breaks.
#[derive(Clone, Copy, Debug, Default)]
struct Tape;

impl ContactLaw for Tape {
    const INFO: LawInfo = info("tape");
    const RANGE: Range = Range::Lasting;

    fn pair(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError> {
        constants(meeting)
    }
    #[inline(always)]
    fn elastic<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> (R, R) {
        Linear::elastic(pair, radius, overlap)
    }
    #[inline(always)]
    fn normal_stiffness<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> R {
        Linear::normal_stiffness(pair, radius, overlap)
    }
    #[inline(always)]
    fn tangential_stiffness<R: Real>(pair: &Pair<R>, _: R, _: R) -> R {
        pair.stiffness_normal * R::lit(2.0 / 7.0)
    }
    fn contact_time(pair: &Pair<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        Linear::contact_time(pair, radius, mass, speed)
    }
}

/// A force k s (s/h − 1) of s = δ + h whenever the surfaces are within h: it pulls up to touch, and pushes beyond.
#[derive(Clone, Copy, Debug, Default)]
struct Halo;

impl ContactLaw for Halo {
    const INFO: LawInfo = info("halo");
    const RANGE: Range = Range::Near;

    fn pair(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError> {
        constants(meeting)
    }
    #[inline(always)]
    fn elastic<R: Real>(pair: &Pair<R>, _: R, overlap: R) -> (R, R) {
        let (k, s) = (pair.stiffness_normal, overlap + pair.range);
        let part = s / pair.range;
        (k * s * (part - R::lit(1.0)), k * s * s * (part * R::lit(1.0 / 3.0) - R::lit(0.5)))
    }
    #[inline(always)]
    fn normal_stiffness<R: Real>(pair: &Pair<R>, _: R, overlap: R) -> R {
        let part = (overlap + pair.range) / pair.range;
        pair.stiffness_normal * (part * R::lit(2.0) - R::lit(1.0))
    }
    #[inline(always)]
    fn tangential_stiffness<R: Real>(pair: &Pair<R>, _: R, _: R) -> R {
        pair.stiffness_normal * R::lit(2.0 / 7.0)
    }
    fn contact_time(pair: &Pair<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        Linear::contact_time(pair, radius, mass, speed)
    }
}

pub(super) fn tape() -> ContactModel {
    ContactModel::of::<Tape, rolling::None, twisting::None>()
}

pub(super) fn halo() -> ContactModel {
    ContactModel::of::<Halo, rolling::None, twisting::None>()
}
