//! The contract of a contact law.

use super::{Books, Contact, Dissipation, EnergyPower, Reaction};
use crate::citations::Citation;
use crate::material::{MaterialError, Meeting};
use crate::property::Property;
use crate::record::Record;
use core::fmt::Debug;
use tumble_math::Real;

/// The facts of a contact law.
#[derive(Clone, Copy, Debug)]
pub struct LawInfo {
    /// The name in scenes, on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it was published.
    pub citation: Citation,
    /// Whether the force depends on velocities at this instant.
    pub uses_velocity: bool,
    /// How the energy of the normal spring grows with the overlap.
    pub energy_power: EnergyPower,
    /// The properties of materials and pairs that it reads.
    pub needs: &'static [&'static Property],
}

impl LawInfo {
    /// Whether the law reads a property.
    pub fn reads(&self, property: &Property) -> bool {
        self.needs.contains(&property)
    }
}

/// How far beyond touch the contacts of a law exist: up to [`ContactLaw::range`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Not at all: while the surfaces overlap.
    Touch,
    /// From the first touch on, until they are farther apart than the range. What the spring stores there is lost: to the entry
    /// of the law that is [`Torn`](super::EntryKind::Torn), or to `separation`.
    Lasting,
    /// Whenever they are within the range, touched or not. The spring stores nothing at its end.
    Near,
}

impl Range {
    /// Whether contacts exist without overlap.
    pub const fn is_beyond_touch(self) -> bool {
        !matches!(self, Self::Touch)
    }
}

/// A contact law: its constants and how they are set up, its springs, what its contacts remember and what they keep books of. All
/// methods are pure functions of one contact.
///
/// A wall is the limit of infinite radius and mass: the same functions with 1/Rⱼ = 0 and 1/mⱼ = 0.
pub trait ContactLaw: Copy + Default + Debug + 'static {
    /// The facts.
    const INFO: LawInfo;

    /// How far its contacts go. Beyond touch, overlaps are negative and springs may pull.
    const RANGE: Range = Range::Touch;

    /// Whether the force of the normal spring jumps where contacts begin or end. The kicks at both ends then get their part of a
    /// step in any case, and what was given for a step in which a contact did not end after all is taken back in the next: so that such
    /// a force, too, is of second order in Δt. That takes two numbers more for a contact to remember.
    const JUMPS: bool = Self::RANGE.is_beyond_touch();

    /// Whether its contacts may let go before they leave the range of their two materials, where their [own](Self::of_contact) is shorter: the law, which lasts beyond touch, then reacts with
    /// nothing.
    const LETS_GO: bool = false;

    /// Where the memory has the volume of a liquid bridge that is taken from the [films](crate::liquid) of the bodies, followed by its cube root; none for
    /// laws without films. Such a law lasts beyond touch.
    const LIQUID: Option<usize> = None;

    /// What it has to know of two materials: a [record](crate::record!) of its own.
    type Constants<R: Real>: Record<R>;

    /// What its contacts remember from step to step, [`Nothing`](crate::record::Nothing) if nothing: a record, all zero when a contact begins.
    type Memory<R: Real>: Record<R>;

    /// The energies that it keeps [books](crate::books!) of.
    type Books<R: Real>: Books<R>;

    /// The constants of two materials.
    fn constants(meeting: &Meeting<'_>) -> Result<Self::Constants<f64>, MaterialError>;

    /// The constants of a contact that remembers this: those of its materials, but for laws whose contacts have constants of their own. Whoever asks about a contact
    /// asks with these.
    #[inline(always)]
    fn of_contact<R: Real>(constants: &Self::Constants<R>, _: &Self::Memory<R>) -> Self::Constants<R> {
        *constants
    }

    /// The largest volume of a bridge that films fill, m³: only for laws with [`LIQUID`](Self::LIQUID).
    fn largest_bridge(_: &Self::Constants<f64>) -> f64 {
        0.0
    }

    /// Its dashpots and its friction.
    #[inline(always)]
    fn dissipation<R: Real>(_: &Self::Constants<R>) -> Dissipation<R> {
        Dissipation::none()
    }

    /// How far beyond touch a contact of this effective radius acts, m: only for laws that do, see [`RANGE`](Self::RANGE). It does
    /// not fall where the radius grows.
    #[inline(always)]
    fn range<R: Real>(_: &Self::Constants<R>, _radius: R) -> R {
        R::lit(0.0)
    }

    /// Force (N) and energy (J) of the normal spring. The overlap is not negative, here and below, but for a law with
    /// a [`RANGE`](Self::RANGE).
    ///
    /// The first and the last kick of a contact without normal dashpot are corrected with it, by force and energy at overlaps
    /// within two steps of where contacts begin and end, whatever a contact remembers. A law whose unloading differs from its
    /// loading returns the branch on which contacts begin. Its last kick is then corrected with that branch as well: it is off by
    /// what the two differ there, an impulse of second order in Δt. Where [`dissipation`](Self::dissipation) has a damping,
    /// nothing is corrected, unless the force [jumps](Self::JUMPS).
    fn elastic<R: Real>(constants: &Self::Constants<R>, radius: R, overlap: R) -> (R, R);

    /// Stiffness of the normal spring, N/m: dashpots and resistances are scaled by it.
    fn normal_stiffness<R: Real>(constants: &Self::Constants<R>, radius: R, overlap: R) -> R;

    /// The slope dF/dδ of the normal spring, N/m, where it is not its [stiffness](Self::normal_stiffness).
    #[inline(always)]
    fn slope<R: Real>(constants: &Self::Constants<R>, radius: R, overlap: R) -> R {
        Self::normal_stiffness(constants, radius, overlap)
    }

    /// The radius of the area of contact, m, for the [conduction of heat](crate::heat): √(δR*) as of Hertz's spheres, unless the law has
    /// its own.
    #[inline(always)]
    fn contact_radius<R: Real>(_: &Self::Constants<R>, radius: R, overlap: R) -> R {
        crate::physics::heat::contact_radius(radius, overlap)
    }

    /// Stiffness of the tangential spring, N/m.
    fn tangential_stiffness<R: Real>(constants: &Self::Constants<R>, radius: R, overlap: R) -> R;

    /// By what the dashpots of a contact are multiplied in its first step, if it began the fraction θ of a step
    /// before, 0 < θ ≤ 1.
    ///
    /// A kick stands for half a step before its instant and half a step after. With this factor the sum of all
    /// kicks is the integral from the first touch on, wherever that fell: θ + ½ for dashpots that jump there. Of
    /// those that begin as δᵖ it is −ζ(−p, 1 + θ)/θᵖ, with Hurwitz's ζ.
    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        fraction + R::lit(0.5)
    }

    /// By what the dashpots of a contact are multiplied in its last kick, if it lasts for the fraction θ of the step to come and has this overlap: its first kick
    /// backwards in time, unless the law says otherwise. Only for laws whose forces [jump](Self::JUMPS).
    #[inline(always)]
    fn ending<R: Real>(fraction: R, _overlap: R) -> R {
        Self::onset(fraction)
    }

    /// How long a head-on collision at this relative speed (m/s) takes without its dashpot, s.
    fn contact_time(constants: &Self::Constants<f64>, radius: f64, mass: f64, speed: f64) -> f64;

    /// The reaction in force. For a law with dashpots and friction it is [`frictional`](super::frictional).
    fn react<R: Real>(
        constants: &Self::Constants<R>,
        contact: Contact<R>,
        memory: Self::Memory<R>,
        dt: R,
    ) -> Reaction<R, Self::Memory<R>, Self::Books<R>>;
}
