//! JKR — elastic spheres that adhere: Johnson, Kendall & Roberts 1971.
//!
//! The contact area of radius a is held together by the work of adhesion W:
//!
//! > δ = a²/R* − √(2πWa/E*),  F = 4E*a³/3R* − √(8πWE*a³)  (their eq. 9, with W for their γ)
//!
//! It snaps in at first touch, with the force −8/9 F_c of the pull-off force F_c = 3/2 πWR*, and pulls until it tears off at δ = −1.609
//! (W²R*/E*²)^{1/3} with −5/9 F_c. What it took to draw it from touch to there, 7.092 (W⁵R*⁴/E*²)^{1/3} (Thornton & Ning 1998,
//! who have 7.09), is lost then: the entry `adhesion`. So a collision without a dashpot sticks below the speed V_s with that energy, and else has the restitution
//! √(1 − V_s²/V²). The property `tear_off` says where contacts end, in parts of that distance; with 0 they end
//! where they began, and nothing is lost.
//!
//! With a = L y², L³ = πWR*²/2E*, these are δ = (L²/R*)(y⁴ − 2y), F = 2πWR*(y⁶/3 − y³), and the energy from touch on
//!
//! > U = 2πWL²(2y¹⁰/15 − 2y⁷/3 + y⁴/2 + 3/5 ∛2).
//!
//! The quartic y⁴ − 2y = d has Ferrari's resolvent v³ + 4dv = 4, whose positive root is simple for every d down to the tear-off. So Newton's method finds it to rounding in a fixed number
//! of rounds; with w = √v, y = ½(w + √(4/w − v)), and the second root is zero where the contact tears off: the singularity of the slope there is in
//! this root alone.
//!
//! Tangential stiffness 8G*a (Mindlin 1949, with the area of JKR), friction limited by μ(F + x F_c) with x the property `adhesive_friction`: 2 after Thornton & Yin 1991.
//! Dashpots are those of Hertz–Mindlin with 2E*a for the normal stiffness; `restitution` is that of the same contact without adhesion.

use super::hertz::HertzConstants;
use super::hertz_mindlin::HertzMindlin;
use super::grip::{divisor, positive};
use super::{
    ADHESION, Contact, ContactLaw, Dissipation, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, EnergyPower, Hertz, LawInfo,
    NORMAL_DAMPING, Range, Reaction, SLIDING, Spring, TANGENTIAL_DAMPING, adhesive,
};
use crate::citations::JOHNSON_1971;
use crate::material::{MaterialError, Meeting};
use crate::property::{
    self, ADHESIVE_FRICTION, FRICTION, Owner, POISSON, Property, RESTITUTION, WORK_OF_ADHESION, YOUNG,
};
use crate::{books, record};
use core::f64::consts::PI;
use core::ops::Bound::Included;
use tumble_math::Real;

/// Elastic spheres that adhere, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jkr;

/// Where contacts end, in parts of the distance at which JKR's tear off.
pub const TEAR_OFF: Property = Property {
    key: "tear_off",
    of: Owner::Pair,
    quantity: None,
    range: property::Range { from: Included(0.0), to: Included(1.0), words: "at least 0 and at most 1" },
    default: Some(1.0),
    summary: "Where contacts end, in parts of the distance at which JKR surfaces tear off: 1 with the whole hysteresis of separation, 0 without, where they touched first",
    example: "1",
};

record! {
    /// The constants of two materials.
    JkrConstants, JKR_CONSTANTS {
        /// The moduli.
        hertz: HertzConstants<R>,
        /// W, J/m².
        work: R,
        /// πW/2E*, m: L³ over R*².
        length: R,
        /// Where contacts end, in parts of the tear-off distance.
        tear_off: R,
        /// Pull-off forces in the limit of friction.
        hold: R,
        /// Dashpots and friction.
        dissipation: Dissipation<R>,
    }
}

books! {
    /// The books of a contact that adheres and rubs.
    JkrBooks, JKR_BOOKS {
        /// Energy of the normal spring, from touch on: negative where it pulled together.
        normal: ELASTIC_NORMAL,
        /// Elastic energy of the tangential spring.
        tangential: ELASTIC_TANGENTIAL,
        /// Lost by the normal dashpot.
        normal_damping: NORMAL_DAMPING,
        /// Lost by the tangential dashpot.
        tangential_damping: TANGENTIAL_DAMPING,
        /// Lost by friction.
        sliding: SLIDING,
        /// Lost where the contact tears off.
        torn: ADHESION,
    }
}

/// y at first touch, ∛2.
pub(super) const TOUCH: f64 = 1.259_921_049_894_873_2;

/// −d where contacts tear off: 3/2 over ∛2.
pub(super) const TORN: f64 = 1.5 / TOUCH;

/// A contact area by its size.
pub(super) struct Area<R> {
    /// √(a/L).
    pub(super) y: R,
    /// L, m.
    pub(super) unit: R,
}

impl<R: Real> Area<R> {
    #[inline(always)]
    pub(super) fn of(constants: &JkrConstants<R>, radius: R, overlap: R) -> Self {
        Self::of_unit(cube_root(constants.length * radius * radius), radius, overlap)
    }

    /// Where L is known.
    #[inline(always)]
    pub(super) fn of_unit(unit: R, radius: R, overlap: R) -> Self {
        Self { y: largest_root(overlap * radius / (unit * unit)), unit }
    }

    /// a, m.
    #[inline(always)]
    fn radius(&self) -> R {
        self.unit * self.y * self.y
    }

    /// Force, and energy from touch on.
    #[inline(always)]
    pub(super) fn elastic(&self, constants: &JkrConstants<R>, radius: R) -> (R, R) {
        let cube = self.y * self.y * self.y;
        let scale = R::lit(2.0 * PI) * constants.work;
        let force = scale * radius * cube * (cube * R::lit(1.0 / 3.0) - R::lit(1.0));
        let per_fourth = (R::lit(2.0 / 15.0) * cube - R::lit(2.0 / 3.0)) * cube + R::lit(0.5);
        let energy = cube * self.y * per_fourth + R::lit(0.6 * TOUCH);
        (force, scale * self.unit * self.unit * energy)
    }

    /// dF/dδ.
    #[inline(always)]
    pub(super) fn slope(&self, constants: &JkrConstants<R>) -> R {
        let twice = R::lit(2.0) * self.y * self.y * self.y;
        let ratio = (twice - R::lit(3.0)) / divisor(twice - R::lit(1.0));
        R::lit(2.0) * constants.hertz.effective_modulus * self.radius() * ratio
    }
}

impl ContactLaw for Jkr {
    const INFO: LawInfo = LawInfo {
        name: "jkr",
        summary: "spheres that adhere and tear off, dashpot, tangential spring, friction",
        citation: JOHNSON_1971,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &WORK_OF_ADHESION, &TEAR_OFF, &ADHESIVE_FRICTION, &RESTITUTION, &FRICTION],
    };

    const RANGE: Range = Range::Lasting;

    type Constants<R: Real> = JkrConstants<R>;
    type Memory<R: Real> = Spring<R>;
    type Books<R: Real> = JkrBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<JkrConstants<f64>, MaterialError> {
        let mindlin = HertzMindlin::constants(meeting)?;
        let work = meeting.of_pair(&WORK_OF_ADHESION)?;
        Ok(JkrConstants {
            hertz: mindlin.hertz,
            work,
            length: PI * work / (2.0 * mindlin.hertz.effective_modulus),
            tear_off: meeting.of_pair(&TEAR_OFF)?,
            hold: meeting.of_pair(&ADHESIVE_FRICTION)?,
            dissipation: mindlin.dissipation,
        })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &JkrConstants<R>) -> Dissipation<R> {
        constants.dissipation
    }

    #[inline(always)]
    fn range<R: Real>(constants: &JkrConstants<R>, radius: R) -> R {
        let unit = cube_root(constants.length * radius * radius);
        constants.tear_off * R::lit(TORN) * (unit * unit) / radius
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &JkrConstants<R>, radius: R, overlap: R) -> (R, R) {
        Area::of(constants, radius, overlap).elastic(constants, radius)
    }

    /// 2E*a: the slope is less, and falls without bound where the contact tears off.
    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &JkrConstants<R>, radius: R, overlap: R) -> R {
        let area = Area::of(constants, radius, overlap);
        R::lit(2.0) * constants.hertz.effective_modulus * area.radius()
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &JkrConstants<R>, radius: R, overlap: R) -> R {
        Area::of(constants, radius, overlap).slope(constants)
    }

    /// That of JKR, also where surfaces are drawn apart.
    #[inline(always)]
    fn contact_radius<R: Real>(constants: &JkrConstants<R>, radius: R, overlap: R) -> R {
        Area::of(constants, radius, overlap).radius()
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &JkrConstants<R>, radius: R, overlap: R) -> R {
        let area = Area::of(constants, radius, overlap);
        R::lit(8.0) * constants.hertz.effective_shear_modulus * area.radius()
    }

    /// Of Hertz's collision, or half a period about where the force vanishes, y³ = 3, if that is shorter.
    fn contact_time(constants: &JkrConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        let unit = cube_root(constants.length * radius * radius);
        let square = cube_root(9.0);
        let stiffness = 1.2 * constants.hertz.effective_modulus * unit * square;
        let swing = PI * (mass / stiffness).sqrt();
        Hertz::contact_time(&constants.hertz, radius, mass, speed).min(swing)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &JkrConstants<R>,
        contact: Contact<R>,
        memory: Spring<R>,
        dt: R,
    ) -> Reaction<R, Spring<R>, JkrBooks<R>> {
        let pull_off = R::lit(1.5 * PI) * constants.work * contact.radius;
        let reaction = adhesive::<Self, R>(constants, contact, memory, dt, constants.hold * pull_off);
        let books = reaction.books;
        let end = -Self::range(constants, contact.radius);
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: reaction.memory,
            books: JkrBooks {
                normal: books.normal,
                tangential: books.tangential,
                normal_damping: books.normal_damping,
                tangential_damping: books.tangential_damping,
                sliding: books.sliding,
                torn: Self::elastic(constants, contact.radius, end).1,
            },
        }
    }
}

/// The largest root y of y⁴ − 2y = d; the one at the tear-off for what is beyond.
#[inline(always)]
fn largest_root<R: Real>(d: R) -> R {
    let (zero, one, four) = (R::lit(0.0), R::lit(1.0), R::lit(4.0));
    let d = R::select((-d).lt(R::lit(TORN)), d, R::lit(-TORN));
    // v = 1/(d + v²/4) where the surfaces overlap, and nearly a straight line where they do not: both within a tenth.
    let pressed = positive(d);
    let start = one / (pressed + R::lit(0.63) / (one + pressed)) - R::lit(0.784) * (d - pressed);
    let mut v = start;
    for _ in 0..6 {
        let square = v * v;
        v = v - ((square + four * d) * v - four) / (R::lit(3.0) * square + four * d);
    }
    let w = v.sqrt();
    let below = four / w - v;
    R::lit(0.5) * (w + R::select(zero.lt(below), below, zero).sqrt())
}

/// ∛x for x > 0.
///
/// 1/3 = 1/4 + 1/16 + 1/64 + …, so a few square roots give it to some per cent for all numbers that lengths can be, and Halley's method to rounding.
#[inline(always)]
pub(super) fn cube_root<R: Real>(x: R) -> R {
    let mut part = x;
    let mut root = R::lit(1.0);
    for _ in 0..4 {
        part = part.sqrt().sqrt();
        root = root * part;
    }
    for _ in 0..4 {
        let cube = root * root * root;
        root = root * (cube + x + x) / (cube + cube + x);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_root_is_one() {
        for x in [1e-60, 3.7e-31, 2e-9, 0.02, 1.0, 9.0, 7e19, 1e60_f64] {
            let root = cube_root(x);
            assert!((root * root * root / x - 1.0).abs() < 1e-15, "{x:e}: {root:e}");
        }
    }

    /// From the tear-off to overlaps beside which adhesion is nothing.
    #[test]
    fn the_root_solves_the_quartic_to_rounding() {
        let mut d = -TORN;
        while d < 1e18 {
            let y: f64 = largest_root(d);
            // A root that is nearly double has half the digits; what it solves has all of them.
            let rest = y * y * y * y - 2.0 * y - d;
            assert!(rest.abs() < 4e-15 * (1.0 + d.abs()), "{d}: {y}, {rest:e}");
            d += 1e-3 * (0.1 + d.abs());
        }
        assert!((largest_root(-TORN) - 1.0 / TOUCH).abs() < 3e-8);
        assert!((largest_root(0.0) - TOUCH).abs() < 1e-15);
    }
}
