//! Springs that yield and adhere — Walton & Braun 1986, Luding 2008.
//!
//! A contact that gets deeper than it was follows the soft line k₁δ. Drawn back, it follows a stiffer one, k₂, which meets the first at the overlap x, and where
//! it pulls it is held by the line −k_cδ; pressed again there, it goes up a line of slope k₂ from where it is:
//!
//! > F = k₂δ − (k₂ − k₁)x,  −k_cδ ≤ F ≤ k₁δ
//!
//! x is the overlap so far where F = k₁δ, and δ(k₂ + k_c)/(k₂ − k₁) where F = −k_cδ. The stiffer slope grows with the largest overlap δₘ since the contact began, to the
//! property `unloading_stiffness` at the overlap 2R*φ_f k_p/(k_p − k₁), with φ_f the property `plastic_depth`; if that is 0 it is the same for all.
//! It stays that of δₘ while x falls along the line −k_cδ: so what is stored, F²/2k₂, is never made of nothing.
//!
//! Without k_c this is the law of Walton & Braun: surfaces part where the force vanishes, before the overlap does, and meet again there. Its k₂ is constant, or
//! grows with the largest force as k₁ + S F, which is φ_f = (k_p − k₁)²/(2R* k₁k_p S) here, up to k_p.
//!
//! Lost are ½k₁(1 − k₁/k₂)x² by yielding, and ½k_c(1 + k_c/k₂)δ² of the overlap δ at which the line −k_cδ is met: the entries `plastic` and `adhesion`. So a collision from
//! the speed v without a dashpot, x = v√(m*/k₁), has the restitution
//!
//! > e² = k₁/k₂ − k_c(k₂ − k₁)²/(k₁k₂(k₂ + k_c)),
//!
//! and sticks where that is negative. Friction is limited by μ(F + k_cδ). A dashpot of `restitution`, that of the linear law on k₁, may be added: without one, what stays on the elastic
//! line k₂ swings for ever. It never makes surfaces pull more than the springs do.

use super::frictional::{Normal, rub};
use super::grip::{divisor, positive};
use super::linear::LinearConstants;
use super::{
    ADHESION, Contact, ContactLaw, Dissipation, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, EnergyPower, Entry, EntryKind,
    LawInfo, Linear, NORMAL_DAMPING, Reaction, SLIDING, Spring, TANGENTIAL_DAMPING,
};
use crate::citations::LUDING_2008;
use crate::material::{MaterialError, Meeting};
use crate::property::{FRICTION, Owner, Property, RESTITUTION, Range, STIFFNESS, STIFFNESS_RATIO};
use crate::{books, record};
use core::f64::consts::PI;
use core::ops::Bound::{Excluded, Included};
use tumble_math::Real;

/// Springs that yield and adhere, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Luding;

/// k_p/k₁.
pub const UNLOADING_STIFFNESS: Property = Property {
    key: "unloading_stiffness",
    of: Owner::Pair,
    quantity: None,
    range: Range {
        from: Included(1.0),
        to: Excluded(f64::INFINITY),
        words: "at least 1: a contact does not get softer by yielding",
    },
    default: None,
    summary: "Stiffness of contacts that are drawn back over that of those that get deeper, k₂/k₁: 1/e² for the restitution e without adhesion",
    example: "4",
};

/// φ_f.
pub const PLASTIC_DEPTH: Property = Property {
    key: "plastic_depth",
    of: Owner::Pair,
    quantity: None,
    range: Range::NOT_NEGATIVE,
    default: Some(0.0),
    summary: "How deep contacts yield until `unloading_stiffness` is reached, φ_f: the overlap left without force over 2R*; 0 where it is the same for all contacts",
    example: "0.05",
};

/// k_c/k₁.
pub const ADHESION_STIFFNESS: Property = Property {
    key: "adhesion_stiffness",
    of: Owner::Pair,
    quantity: None,
    range: Range::NOT_NEGATIVE,
    default: Some(0.0),
    summary: "Slope of the line that limits the pull over the stiffness of contacts that get deeper, k_c/k₁; 0 for the law of Walton & Braun, which never pulls",
    example: "1",
};

/// Lost where surfaces yield.
pub const PLASTIC: Entry = Entry::new("plastic", "lost where surfaces yield", EntryKind::Slipped);

/// Lost while a contact is drawn apart.
pub(super) const DRAWN: Entry = Entry::new(ADHESION.key, ADHESION.summary, EntryKind::Slipped);

record! {
    /// The constants of two materials.
    LudingConstants, LUDING_CONSTANTS {
        /// k₁, kₜ, dashpots and friction.
        linear: LinearConstants<R>,
        /// k_p, N/m.
        plastic: R,
        /// k_c, N/m.
        adhesive: R,
        /// The overlap from which on k₂ = k_p, over R*.
        depth: R,
    }
}

record! {
    /// What is remembered.
    Yielded, YIELDED {
        /// The tangential spring.
        spring: Spring<R>,
        /// x, where the line of slope k₂ meets that of slope k₁, m.
        reach: R,
        /// δₘ, m.
        deepest: R,
    }
}

books! {
    /// The books of a contact that yields, adheres and rubs.
    LudingBooks, LUDING_BOOKS {
        /// Energy of the normal spring.
        normal: ELASTIC_NORMAL,
        /// Elastic energy of the tangential spring.
        tangential: ELASTIC_TANGENTIAL,
        /// Lost by the normal dashpot.
        normal_damping: NORMAL_DAMPING,
        /// Lost by the tangential dashpot.
        tangential_damping: TANGENTIAL_DAMPING,
        /// Lost by friction.
        sliding: SLIDING,
        /// Lost where surfaces yield.
        plastic: PLASTIC,
        /// Lost along the line that limits the pull.
        adhesion: DRAWN,
    }
}

/// The normal spring in a step.
struct Drawn<R> {
    /// N.
    force: R,
    /// k₂ now, N/m.
    again: R,
    reach: R,
    deepest: R,
    /// Lost, J.
    plastic: R,
    /// Lost, J.
    adhesion: R,
}

impl<R: Real> Drawn<R> {
    #[inline(always)]
    fn to(overlap: R, radius: R, constants: &LudingConstants<R>, memory: Yielded<R>) -> Self {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let (first, adhesive) = (constants.linear.stiffness_normal, constants.adhesive);
        let Yielded { reach: before, deepest: deepest_before, .. } = memory;
        let deepest = R::select(deepest_before.lt(overlap), overlap, deepest_before);
        let again_before = constants.again(radius, deepest_before);
        let again = constants.again(radius, deepest);

        // Less deep than where it would yield: along k₂, but for where it is held.
        let back = overlap.lt(before);
        let (line, limit) = (again * overlap - (again - first) * before, zero - adhesive * overlap);
        let held = line.lt(limit);
        let moved = overlap * (again + adhesive) / divisor(again - first);
        let moved = R::select(zero.lt(adhesive), moved, before);

        let (yields, yielded) = (one - first / again, one - first / again_before);
        let deeper = yields * (overlap - before) * (overlap + before) + (yields - yielded) * before * before;
        let met = before * (again - first) / (again + adhesive);
        let drawn = (one + adhesive / again) * (met - overlap) * (met + overlap);
        Self {
            force: R::select(back, R::select(held, limit, line), first * overlap),
            again,
            reach: R::select(back, R::select(held, moved, before), overlap),
            deepest,
            plastic: R::select(back, zero, half * first * deeper),
            adhesion: R::select(back, R::select(held, half * adhesive * drawn, zero), zero),
        }
    }
}

impl<R: Real> LudingConstants<R> {
    /// k₂ of a contact that was as deep as this, N/m.
    #[inline(always)]
    fn again(&self, radius: R, deepest: R) -> R {
        let (first, whole) = (self.linear.stiffness_normal, self.depth * radius);
        let part = R::select(deepest.lt(whole), deepest / divisor(whole), R::lit(1.0));
        first + (self.plastic - first) * part
    }
}

impl ContactLaw for Luding {
    const INFO: LawInfo = LawInfo {
        name: "luding",
        summary: "linear springs that yield and adhere; that of Walton & Braun without adhesion",
        citation: LUDING_2008,
        uses_velocity: true,
        energy_power: EnergyPower::Square,
        needs: &[
            &STIFFNESS,
            &STIFFNESS_RATIO,
            &UNLOADING_STIFFNESS,
            &PLASTIC_DEPTH,
            &ADHESION_STIFFNESS,
            &RESTITUTION,
            &FRICTION,
        ],
    };

    type Constants<R: Real> = LudingConstants<R>;
    type Memory<R: Real> = Yielded<R>;
    type Books<R: Real> = LudingBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<LudingConstants<f64>, MaterialError> {
        let linear = Linear::constants(meeting)?;
        let first = linear.stiffness_normal;
        let plastic = first * meeting.of_pair(&UNLOADING_STIFFNESS)?;
        let adhesive = first * meeting.of_pair(&ADHESION_STIFFNESS)?;
        let yields = meeting.of_pair(&PLASTIC_DEPTH)?;
        // Springs that never yield have one stiffness at any depth.
        let depth = if plastic > first { 2.0 * yields * plastic / (plastic - first) } else { 0.0 };
        Ok(LudingConstants { linear, plastic, adhesive, depth })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &LudingConstants<R>) -> Dissipation<R> {
        constants.linear.dissipation
    }

    /// Of a contact that gets deeper.
    #[inline(always)]
    fn elastic<R: Real>(constants: &LudingConstants<R>, radius: R, overlap: R) -> (R, R) {
        Linear::elastic(&constants.linear, radius, overlap)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &LudingConstants<R>, _: R, _: R) -> R {
        constants.linear.stiffness_normal
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &LudingConstants<R>, _: R, _: R) -> R {
        constants.linear.stiffness_tangential
    }

    /// Half a period on the line of slope k_p, on which contacts swing that have yielded: less than a collision takes.
    fn contact_time(constants: &LudingConstants<f64>, _: f64, mass: f64, _: f64) -> f64 {
        PI * (mass / constants.plastic).sqrt()
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &LudingConstants<R>,
        contact: Contact<R>,
        memory: Yielded<R>,
        dt: R,
    ) -> Reaction<R, Yielded<R>, LudingBooks<R>> {
        let zero = R::lit(0.0);
        let normal = Normal::of::<Self>(constants, &contact);
        let drawn = Drawn::to(normal.overlap, contact.radius, constants, memory);
        let elastic = drawn.force * contact.slope;
        let viscous = R::select(zero.lt(normal.overlap), normal.viscous, zero);
        let least = elastic - positive(elastic);
        let damped = elastic - viscous;
        let total = R::select(damped.lt(least), least, damped);
        let bearing = positive(total + constants.adhesive * normal.overlap);
        let stored = R::lit(0.5) * drawn.force * drawn.force / drawn.again;
        let normal = Normal { elastic, stored, ..normal };
        let reaction = rub::<Self, R>(constants, contact, memory.spring, dt, (normal, total, bearing));
        let books = reaction.books;
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: Yielded { spring: reaction.memory, reach: drawn.reach, deepest: drawn.deepest },
            books: LudingBooks {
                normal: books.normal,
                tangential: books.tangential,
                normal_damping: books.normal_damping,
                tangential_damping: books.tangential_damping,
                sliding: books.sliding,
                plastic: drawn.plastic,
                adhesion: drawn.adhesion,
            },
        }
    }
}
