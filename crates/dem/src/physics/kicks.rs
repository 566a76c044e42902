//! The first and the last kick of a contact, whose instant of touch falls between two steps.

use super::choose;
use super::contact::{Clock, Given, Outcome};
use crate::law::{ContactLaw, Pair, Range, Stored};
use tumble_math::{LabVec, Real};

/// A contact that began right at the last step is found in this one, and its overlap is the whole displacement.
const NEARLY: f64 = 1.0 + 1e-9;

/// The square of ωΔt below which a spring is resolved: twelve steps in a period.
const RESOLVED: f64 = 0.25;

/// How a contact began, if it did in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<R> {
    /// How long it has lasted within its first step, s; zero if it is older.
    pub(crate) lasted: R,
    /// By what its dashpots are multiplied.
    pub(crate) onset: R,
}

impl<R: Real> Beginning<R> {
    /// Of a contact that did not begin in this step.
    #[inline(always)]
    pub(crate) fn before() -> Self {
        Self { lasted: R::lit(0.0), onset: R::lit(1.0) }
    }

    /// When a contact began that is not known from the step before.
    #[inline(always)]
    pub(crate) fn of<L: ContactLaw>(given: &Given<R>, clock: Clock<R>) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let closing = -separation_speed(given);
        let overlap = match L::RANGE {
            Range::Touch | Range::Lasting => given.geometry.overlap,
            Range::Near => given.geometry.overlap + given.pair.range,
        };
        let within = overlap.lt(closing * clock.elapsed);
        let since = R::select(within, overlap / R::select(within, closing, one), clock.elapsed);
        // At the start of a run nothing is known of the time before.
        let new = R::select(zero.lt(clock.elapsed), R::lit(0.5), zero);
        let is_new = given.known.lt(new);
        Self {
            lasted: R::select(is_new, since, zero),
            onset: R::select(is_new, L::onset(since * (one / clock.dt)), one),
        }
    }
}

/// How fast the bodies of a contact move apart, m/s.
#[inline(always)]
pub(crate) fn separation_speed<R: Real>(given: &Given<R>) -> R {
    let [arm_a, arm_b] = given.arms();
    let velocity_a = given.a.velocity + given.a.omega.cross(arm_a);
    let velocity_b = given.b.velocity + given.b.omega.cross(arm_b);
    (velocity_a - velocity_b).dot(given.geometry.normal)
}

/// How far the overlap of a contact moved in the step that led here, or will in the next one if it ends, m: what its first or
/// last kick has to be corrected for if the overlap is less.
#[inline(always)]
pub(crate) fn displacement<R: Real>(apart: R, slope: R, dt: R) -> R {
    R::select(R::lit(0.0).lt(apart), apart, -apart * R::lit(NEARLY)) * slope * dt
}

/// As [`displacement`], of a contact with memory. Whether it has just begun is known of it; one that goes to and fro in a few
/// steps is left alone.
#[inline(always)]
pub(crate) fn displacement_if_resolved<R: Real>(
    displacement: R,
    apart: R,
    lasted: R,
    stiffness: R,
    mass: R,
    dt: R,
) -> R {
    let zero = R::lit(0.0);
    let begins_or_ends =
        R::select(zero.lt(apart), displacement, R::select(zero.lt(lasted), displacement, zero));
    R::select((stiffness * (dt * dt)).lt(R::lit(RESOLVED) * mass), begins_or_ends, zero)
}

/// The energy that is lost if the contact ends, without its weight, J: of the springs that end with it, and of a normal spring
/// that breaks.
#[inline(always)]
pub(crate) fn ending<L: ContactLaw, R: Real>(given: &Given<R>, energy: &Stored<R>) -> R {
    let springs = energy.tangential + energy.rolling;
    if L::RANGE.is_beyond_touch() {
        return springs + L::elastic(&given.pair, given.geometry.radius, -given.pair.range).1;
    }
    springs
}

/// Corrects the first and the last kick of a contact without a normal dashpot: the beginning and the end of a dashpot
/// leave more than those of the spring.
#[inline(always)]
pub(crate) fn correct<L: ContactLaw, R: Real>(
    given: &Given<R>,
    outcome: Outcome<R>,
    displacement: R,
) -> Outcome<R> {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let (pair, geometry) = (&given.pair, given.geometry);
    let overlap = geometry.overlap;
    let undamped = R::select(zero.lt(pair.damping), zero, one);
    // The overlap where it begins or ends.
    let edge = match L::RANGE {
        Range::Touch => zero,
        Range::Lasting => R::select(zero.lt(separation_speed(given)), -pair.range, zero),
        Range::Near => -pair.range,
    };
    let depth = if L::RANGE.is_beyond_touch() { overlap - edge } else { overlap };
    let touching = R::select(zero.lt(depth), undamped, zero);
    let applies = R::lit(0.5).lt(R::select(depth.lt(displacement), touching, zero));
    let displacement = R::select(applies, displacement, one);
    let kick = first_kick::<L, R>(pair, geometry.radius, overlap, displacement, edge);
    let more = (kick - L::elastic(pair, geometry.radius, overlap).0) * geometry.slope * given.weight;
    let more = geometry.normal * more;
    let [arm_a, arm_b] = given.arms();
    // What leaves every sum as it is, the sign of zero included.
    let (added, subtracted) = (R::lit(-0.0), zero);
    Outcome {
        force: outcome.force + choose(applies, more, LabVec::new(added, added, added)),
        torque_a: outcome.torque_a + choose(applies, arm_a.cross(more), LabVec::new(added, added, added)),
        torque_b: outcome.torque_b
            - choose(applies, arm_b.cross(more), LabVec::new(subtracted, subtracted, subtracted)),
        ..outcome
    }
}

/// The force of the spring in the first kick of a contact, and in the last: where the overlap δ is less than the
/// displacement w = vΔt of a step.
///
/// Kicks Σ F(δₙ)Δt are a quadrature of the impulse. It is accurate where the force is smooth, but not where it
/// sets in; what is left of the energy after a collision depends on how the steps fall on that instant. By the
/// formula of Euler and Maclaurin the rest of the sum from δ + w on stands for the integral from there, less half
/// the first term, plus its slope over 12. So a first kick of
///
/// U(δ + w)/w − ½F(δ + w) + F′(δ + w) w/12
///
/// makes the whole sum that of the integral from first touch. The rule is the same backwards in time, and where a contact
/// begins or ends at another overlap than zero, with U from there on; the force may jump there.
#[inline(always)]
fn first_kick<L: ContactLaw, R: Real>(pair: &Pair<R>, radius: R, overlap: R, displacement: R, edge: R) -> R {
    let later = overlap + displacement;
    let (force, mut energy) = L::elastic(pair, radius, later);
    if L::RANGE.is_beyond_touch() {
        energy = energy - L::elastic(pair, radius, edge).1;
    }
    energy / displacement - R::lit(0.5) * force
        + L::normal_stiffness(pair, radius, later) * displacement * R::lit(1.0 / 12.0)
}
