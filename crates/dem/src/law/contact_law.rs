//! The contract of a contact law, and what all laws with dashpot and friction have in common.

use super::grip::{FrictionalSpring, Motion, positive};
use super::{Contact, EnergyPower, History, Lost, Pair, Reaction, Stored};
use crate::citations::Citation;
use crate::material::{MaterialError, Meeting};
use crate::property::Property;
use tumble_math::{LabVec, Real};

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
    /// Whether it has a tangential spring, which is remembered from step to step.
    pub has_history: bool,
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

/// How far beyond touch the contacts of a law exist: up to [`Pair::range`].
///
/// Without a dashpot, collisions keep their energy to second order in Δt if the force goes to zero where contacts end. Where
/// it jumps, its last kick is corrected as well, but now and then it falls on the wrong side of the end, an
/// error of first order in one of many collisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Not at all: while the surfaces overlap.
    Touch,
    /// From the first touch on, until they are farther apart than the range. What the spring stores there is lost.
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

/// A contact law: its springs, and the set-up of its constants. All methods are pure functions of one
/// contact.
///
/// A wall is the limit of infinite radius and mass: the same functions with 1/Rⱼ = 0 and 1/mⱼ = 0.
pub trait ContactLaw: Copy + Default + 'static {
    /// The facts.
    const INFO: LawInfo;

    /// How far its contacts go. Beyond touch, overlaps are negative and springs may pull.
    const RANGE: Range = Range::Touch;

    /// The constants of two materials.
    fn pair(meeting: &Meeting<'_>) -> Result<Pair<f64>, MaterialError>;

    /// Force (N) and energy (J) of the normal spring. The overlap is not negative, here and below, but for a law with
    /// a [`RANGE`](Self::RANGE).
    fn elastic<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> (R, R);

    /// Stiffness dF/dδ of the normal spring, N/m.
    fn normal_stiffness<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> R;

    /// Stiffness of the tangential spring, N/m.
    fn tangential_stiffness<R: Real>(pair: &Pair<R>, radius: R, overlap: R) -> R;

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

    /// How long a head-on collision at this relative speed (m/s) takes without its dashpot, s.
    fn contact_time(pair: &Pair<f64>, radius: f64, mass: f64, speed: f64) -> f64;

    /// The reaction in force; rolling and twisting are left at zero.
    ///
    /// Normal: spring and dashpot, cₙ = `damping` √(m* kₙ), whose sum never pulls, but for a law with a range; beyond
    /// touch it has no dashpot. Tangential: a frictional
    /// spring with a dashpot that is the same fraction of its own critical one and the limit μFₙ, Fₙ with its
    /// dashpot.
    #[inline(always)]
    fn react<R: Real>(pair: &Pair<R>, contact: Contact<R>, history: History<R>, dt: R) -> Reaction<R> {
        let beyond_touch = Self::RANGE.is_beyond_touch();
        let overlap = if beyond_touch { contact.overlap } else { positive(contact.overlap) };
        let stiffness = Self::normal_stiffness(pair, contact.radius, overlap);
        // Where it pulls, a spring may get softer the farther it is drawn.
        let resisting = if beyond_touch { positive(stiffness) } else { stiffness };
        let inertia = (contact.mass * resisting).sqrt();
        let (elastic, stored) = Self::elastic(pair, contact.radius, overlap);
        let elastic = elastic * contact.slope;

        let separation = contact.separation_speed();
        // Without overlap there is no contact, hence no dashpot.
        let viscous = R::select(R::lit(0.0).lt(overlap), pair.damping * inertia * separation, R::lit(0.0));
        let total = if beyond_touch { elastic - viscous } else { positive(elastic - viscous) };
        let normal_force = if beyond_touch { positive(total) } else { total };

        let spring = FrictionalSpring {
            stiffness_before: Self::tangential_stiffness(pair, contact.radius, history.overlap),
            stiffness: Self::tangential_stiffness(pair, contact.radius, overlap),
            damping: pair.damping_tangential * inertia,
            limit: pair.friction * normal_force,
        };
        let velocity = contact.velocity - contact.normal * separation;
        let grip = spring.grip(history.spring, Motion { displacement: contact.slide, velocity, dt });

        let zero = R::lit(0.0);
        Reaction {
            force: contact.normal * total + grip.load,
            torque: LabVec::zero(),
            normal_force,
            history: History { spring: grip.elastic, rolling: LabVec::zero(), twist: zero, overlap },
            energy: Stored { normal: stored, tangential: grip.stored, rolling: zero },
            loss: Lost {
                // Also where the sum is held at zero: the dashpot then takes up what the spring gives back.
                normal_damping: (elastic - total) * separation * dt,
                tangential_damping: grip.damped,
                sliding: grip.slipped,
                rolling: zero,
                rolling_damping: zero,
            },
        }
    }
}
