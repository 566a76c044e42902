//! What laws with springs, dashpots and friction have in common: what makes them differ is their springs alone.

use super::entry::{ELASTIC_NORMAL, ELASTIC_TANGENTIAL, NORMAL_DAMPING, SLIDING, TANGENTIAL_DAMPING};
use super::grip::{FrictionalSpring, Motion, divisor, positive};
use super::{Contact, ContactLaw, Reaction};
use crate::{books, record};
use tumble_math::{LabVec, Real};

record! {
    /// What a contact loses energy by.
    ///
    /// The dashpots are made dimensionless: their coefficients are cₙ = `damping` √(m* kₙ) and cₜ = `damping_tangential`
    /// √(m* kₙ) with the normal stiffness kₙ of the instant.
    Dissipation, DISSIPATION {
        /// cₙ/√(m* kₙ): the one that gives the restitution asked for.
        damping: R,
        /// cₜ/√(m* kₙ).
        damping_tangential: R,
        /// Coefficient of friction μ, static and dynamic.
        friction: R,
    }
}

impl<R: Real> Dissipation<R> {
    /// No loss.
    #[inline(always)]
    pub fn none() -> Self {
        Self { damping: R::lit(0.0), damping_tangential: R::lit(0.0), friction: R::lit(0.0) }
    }
}

record! {
    /// What a contact with friction remembers from step to step.
    ///
    /// The spring is kept as what it *exerts* on i rather than as a length: then a law whose stiffness changes with the
    /// overlap keeps its force while it stiffens.
    Spring, SPRING {
        /// Force of the tangential spring on i, N.
        force: LabVec<R>,
    }
}

books! {
    /// The books of a contact with friction.
    FrictionalBooks, FRICTIONAL_BOOKS {
        /// Elastic energy of the normal spring.
        normal: ELASTIC_NORMAL,
        /// Elastic energy of the tangential spring.
        tangential: ELASTIC_TANGENTIAL,
        /// Lost by the normal dashpot.
        normal_damping: NORMAL_DAMPING,
        /// Lost by the tangential dashpot.
        tangential_damping: TANGENTIAL_DAMPING,
        /// Lost by friction.
        sliding: SLIDING,
    }
}

/// The reaction of a law with dashpots and friction.
///
/// Normal: spring and dashpot, cₙ = `damping` √(m* kₙ), whose sum never pulls, but for a law with a range; beyond touch it has
/// no dashpot. Tangential: a frictional spring with a dashpot that is the same fraction of its own critical one and the
/// limit μFₙ, Fₙ with its dashpot.
#[inline(always)]
pub fn frictional<L: ContactLaw, R: Real>(
    constants: &L::Constants<R>,
    contact: Contact<R>,
    memory: Spring<R>,
    dt: R,
) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
    let beyond_touch = L::RANGE.is_beyond_touch();
    let normal = Normal::of::<L>(constants, &contact);
    // Without overlap there is no contact, hence no dashpot.
    let viscous = R::select(R::lit(0.0).lt(normal.overlap), normal.viscous, R::lit(0.0));
    let elastic = normal.elastic;
    let total = if beyond_touch { elastic - viscous } else { positive(elastic - viscous) };
    let bearing = if beyond_touch { positive(total) } else { total };
    rub::<L, R>(constants, contact, memory, dt, (normal, total, bearing))
}

/// The reaction of a law whose contacts pull as well: as [`frictional`], but spring and dashpot act as they are, and
/// friction is limited by μ(Fₙ + `hold`).
#[inline(always)]
pub fn adhesive<L: ContactLaw, R: Real>(
    constants: &L::Constants<R>,
    contact: Contact<R>,
    memory: Spring<R>,
    dt: R,
    hold: R,
) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
    let zero = R::lit(0.0);
    let mut normal = Normal::of::<L>(constants, &contact);
    let mut bearing = positive(normal.elastic - normal.viscous + hold);
    // Where contacts end with touch, there is none without overlap.
    if !L::RANGE.is_beyond_touch() {
        let there = zero.lt(normal.overlap);
        normal.elastic = R::select(there, normal.elastic, zero);
        bearing = R::select(there, bearing, zero);
    }
    let total = normal.elastic - normal.viscous;
    rub::<L, R>(constants, contact, memory, dt, (normal, total, bearing))
}

/// The reaction of surfaces that touch as those of the law `B` do, and that something across their gap pulls together beside: with
/// this force (N), and this energy (J). Friction is limited by what the surfaces press, as that of `B`.
///
/// Here surfaces may touch within the life of a contact. In the step in which they do, they slide since touch alone, and dashpots get the
/// factor that the first kick of a contact has.
#[inline(always)]
pub fn attracted<B: ContactLaw, R: Real>(
    constants: &B::Constants<R>,
    contact: Contact<R>,
    memory: Spring<R>,
    dt: R,
    (pull, energy): (R, R),
) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (overlap, before) = (positive(contact.overlap), contact.overlap_before);
    let part = overlap / divisor(overlap - before);
    let touches = R::select(before.lt(zero), R::select(zero.lt(overlap), one, zero), zero);
    let touches = R::lit(0.5).lt(touches);
    let (part, onset) = (R::select(touches, part, one), R::select(touches, B::onset(part), one));
    let solid = Contact {
        overlap,
        overlap_before: positive(before),
        velocity: contact.velocity * onset,
        slide: contact.slide * part,
        ..contact
    };
    let reaction = frictional::<B, R>(constants, solid, memory, dt);
    let FrictionalBooks { normal, tangential, normal_damping, tangential_damping, sliding } = reaction.books;
    Reaction {
        force: reaction.force - contact.normal * (pull * contact.slope),
        books: FrictionalBooks {
            normal: normal + energy,
            tangential,
            // Of the velocity that is, of which dashpots were given a part.
            normal_damping: normal_damping / onset,
            tangential_damping: tangential_damping / onset,
            sliding,
        },
        ..reaction
    }
}

/// What acts along the normal.
#[derive(Clone, Copy)]
pub(super) struct Normal<R> {
    /// m.
    pub(super) overlap: R,
    /// √(m* kₙ), by which dashpots are scaled.
    pub(super) inertia: R,
    /// Force of the spring, N.
    pub(super) elastic: R,
    /// Its energy, J.
    pub(super) stored: R,
    /// How fast the surfaces separate, m/s.
    pub(super) separation: R,
    /// What the dashpot takes from the force of the spring, N.
    pub(super) viscous: R,
}

impl<R: Real> Normal<R> {
    #[inline(always)]
    pub(super) fn of<L: ContactLaw>(constants: &L::Constants<R>, contact: &Contact<R>) -> Self {
        let overlap = contact.pressed::<L>();
        let stiffness = L::normal_stiffness(constants, contact.radius, overlap);
        // Where it pulls, a spring may get softer the farther it is drawn.
        let resisting = if L::RANGE.is_beyond_touch() { positive(stiffness) } else { stiffness };
        let inertia = (contact.mass * resisting).sqrt();
        let (elastic, stored) = L::elastic(constants, contact.radius, overlap);
        let separation = contact.separation_speed();
        let viscous = L::dissipation(constants).damping * inertia * separation;
        Self { overlap, inertia, elastic: elastic * contact.slope, stored, separation, viscous }
    }
}

/// The tangential spring and dashpot beside what acts along the normal, the total of it, and what friction is limited by over its
/// coefficient; with the books of all.
#[inline(always)]
pub(super) fn rub<L: ContactLaw, R: Real>(
    constants: &L::Constants<R>,
    contact: Contact<R>,
    memory: Spring<R>,
    dt: R,
    (normal, total, bearing): (Normal<R>, R, R),
) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
    let Normal { overlap, inertia, elastic, stored, separation, .. } = normal;
    let Dissipation { damping_tangential, friction, .. } = L::dissipation(constants);
    let spring = FrictionalSpring {
        stiffness_before: L::tangential_stiffness(constants, contact.radius, contact.overlap_before),
        stiffness: L::tangential_stiffness(constants, contact.radius, overlap),
        damping: damping_tangential * inertia,
        limit: friction * bearing,
    };
    let velocity = contact.velocity - contact.normal * separation;
    let grip = spring.grip(memory.force, Motion { displacement: contact.slide, velocity, dt });
    Reaction {
        force: contact.normal * total + grip.load,
        normal_force: bearing,
        memory: Spring { force: grip.elastic },
        books: FrictionalBooks {
            normal: stored,
            tangential: grip.stored,
            // Also where the sum is held at zero: the dashpot then takes up what the spring gives back.
            normal_damping: (elastic - total) * separation * dt,
            tangential_damping: grip.damped,
            sliding: grip.slipped,
        },
    }
}
