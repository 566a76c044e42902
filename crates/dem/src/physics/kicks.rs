//! The first and the last kick of a contact, whose instant of touch falls between two steps.

use super::choose;
use super::contact::{Action, Ahead, Clock, Given};
use crate::law::{ContactLaw, Range};
use tumble_math::{LabVec, Real};

/// A contact that began right at the last step is found in this one, and its overlap is the whole displacement.
const NEARLY: f64 = 1.0 + 1e-9;

/// The square of ωΔt below which a spring is resolved: twelve steps in a period.
const RESOLVED: f64 = 0.25;

/// What is done about the first and the last kick of an elastic contact.
///
/// ```
/// use tumble_dem::Kicks;
/// assert_eq!(Kicks::from_name("plain"), Some(Kicks::Plain));
/// assert_eq!(Kicks::default(), Kicks::Corrected);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kicks {
    /// They give the impulse from first touch and to the last one, wherever these fall between two steps.
    #[default]
    Corrected,
    /// They are as the force is at whole steps, as in other codes: to be compared with those.
    Plain,
}

impl Kicks {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Corrected, Self::Plain];

    /// The name in scenes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Corrected => "corrected",
            Self::Plain => "plain",
        }
    }

    /// What it is, in one line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Corrected => "first and last kick of an elastic contact from first touch and to the last",
            Self::Plain => "all kicks by the force at whole steps, to compare with other codes",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kicks| kicks.name() == name)
    }

    /// For how long a displacement is corrected, given the step, s.
    pub(crate) const fn corrected_for(self, dt: f64) -> f64 {
        match self {
            Self::Corrected => dt,
            Self::Plain => 0.0,
        }
    }
}

/// How a contact began, if it did in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<R> {
    /// How long it has lasted within its first step, s; zero if it is older.
    pub(crate) lasted: R,
    /// By what its dashpots are multiplied.
    pub(crate) onset: R,
    /// One over that.
    pub(crate) onset_inverse: R,
}

impl<R: Real> Beginning<R> {
    /// Of a contact that did not begin in this step.
    #[inline(always)]
    pub(crate) fn before() -> Self {
        let one = R::lit(1.0);
        Self { lasted: R::lit(0.0), onset: one, onset_inverse: one }
    }

    /// When a contact began that is not known from the step before.
    #[inline(always)]
    pub(crate) fn of<L: ContactLaw>(given: &Given<R>, constants: &L::Constants<R>, clock: Clock<R>) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let closing = -separation_speed(given);
        let overlap = match L::RANGE {
            Range::Touch | Range::Lasting => given.geometry.overlap,
            Range::Near => given.geometry.overlap + L::range(constants, given.geometry.radius),
        };
        let within = overlap.lt(closing * clock.elapsed);
        let since = R::select(within, overlap / R::select(within, closing, one), clock.elapsed);
        // At the start of a run nothing is known of the time before.
        let new = R::select(zero.lt(clock.elapsed), R::lit(0.5), zero);
        let is_new = given.known.lt(new);
        let onset = R::select(is_new, L::onset(since * (one / clock.dt)), one);
        Self { lasted: R::select(is_new, since, zero), onset, onset_inverse: one / onset }
    }
}

/// How fast the bodies of a contact move apart, m/s.
#[inline(always)]
pub(crate) fn separation_speed<R: Real>(given: &Given<R>) -> R {
    given.velocity().dot(given.geometry.normal)
}

/// How far the overlap of a contact moved in the step that led here, or will in the next one if it ends, m: what its first or
/// last kick has to be corrected for if the overlap is less. `corrected` is the step, or zero where kicks stay plain.
#[inline(always)]
pub(crate) fn displacement<R: Real>(apart: R, slope: R, corrected: R) -> R {
    R::select(R::lit(0.0).lt(apart), apart, -apart * R::lit(NEARLY)) * slope * corrected
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

/// The energy of a normal spring that breaks where the contact ends, without its weight, J.
#[inline(always)]
pub(crate) fn left_at_end<L: ContactLaw, R: Real>(given: &Given<R>, constants: &L::Constants<R>) -> R {
    if L::RANGE.is_beyond_touch() {
        let radius = given.geometry.radius;
        return L::elastic(constants, radius, -L::range(constants, radius)).1;
    }
    R::lit(0.0)
}

/// How much farther than a contact is predicted to move in the next step it may be from its end and yet be said to end: what else acts on the two
/// bodies may hasten it. If it does not end, what was given in advance is taken back.
const HASTE: f64 = 1.1;

/// What the first or the last kick of a contact has to be corrected by whose force jumps there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jump<R> {
    /// Of the normal spring, N, without weight and slope.
    pub(crate) spring: R,
    /// What it gives in advance.
    pub(crate) ahead: Ahead<R>,
    /// By what the rest of the force along the normal is multiplied, which is that of the dashpot.
    pub(crate) along: R,
    /// By what all else is multiplied.
    pub(crate) across: R,
}

impl<R: Real> Jump<R> {
    /// The displacement is that of [`displacement_if_resolved`]; `before` is what the kick before gave in advance.
    #[inline(always)]
    pub(crate) fn of<L: ContactLaw>(
        given: &Given<R>,
        constants: &L::Constants<R>,
        (apart, displacement): (R, R),
        before: Ahead<R>,
    ) -> Self {
        let (zero, half, one) = (R::lit(0.0), R::lit(0.5), R::lit(1.0));
        let (overlap, radius) = (given.geometry.overlap, given.geometry.radius);
        let mut before = before;
        if L::LETS_GO {
            // What has let go meanwhile as it was said to keeps what it was given.
            let holds = (-L::range(constants, radius)).lt(overlap);
            let taken = |given: R| R::select(holds, given, zero);
            before = Ahead { force: taken(before.force), rest: taken(before.rest) };
        }
        let parting = zero.lt(apart);
        // The overlap where it begins or ends.
        let edge = match L::RANGE {
            Range::Touch => zero,
            Range::Lasting => R::select(parting, -L::range(constants, radius), zero),
            Range::Near => -L::range(constants, radius),
        };
        let depth = overlap - edge;
        let far = R::select(parting, displacement * R::lit(HASTE), displacement);
        let applies = R::select(zero.lt(depth), R::select(depth.lt(far), one, zero), zero);
        let at_edge = half.lt(applies);
        let way = R::select(at_edge, displacement, one);
        let kick = first_kick::<L, R>(constants, radius, overlap, way, edge);
        let more = R::select(at_edge, kick - L::elastic(constants, radius, overlap).0, zero);
        let ends = half.lt(R::select(parting, applies, zero));
        let ahead = Ahead { force: R::select(ends, more, zero), rest: R::select(ends, depth / way, zero) };
        let [along, across] = parts::<L, R>(ahead.rest, overlap);
        let [along_before, across_before] = parts::<L, R>(before.rest, overlap);
        Self {
            spring: more - before.force,
            ahead,
            along: one + along - along_before,
            across: one + across - across_before,
        }
    }
}

/// What a last kick gives beyond a whole one where the contact lasts for this part of the next step, in parts of a whole one: of dashpots and of
/// forces that jump. Their first kick is the same, backwards in time.
#[inline(always)]
fn parts<L: ContactLaw, R: Real>(rest: R, overlap: R) -> [R; 2] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let ends = zero.lt(rest);
    [R::select(ends, L::ending(rest, overlap) - one, zero), R::select(ends, rest - R::lit(0.5), zero)]
}

/// Corrects the first and the last kick of a contact without a normal dashpot: the beginning and the end of a dashpot
/// leave more than those of the spring. Where forces jump that is done already, by [`Jump`].
#[inline(always)]
pub(crate) fn correct<L: ContactLaw, R: Real>(
    given: &Given<R>,
    constants: &L::Constants<R>,
    action: Action<R>,
    displacement: R,
) -> Action<R> {
    if L::JUMPS || L::RANGE.is_beyond_touch() {
        return action;
    }
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    let geometry = given.geometry;
    let overlap = geometry.overlap;
    let undamped = R::select(zero.lt(L::dissipation(constants).damping), zero, one);
    let touching = R::select(zero.lt(overlap), undamped, zero);
    let applies = R::lit(0.5).lt(R::select(overlap.lt(displacement), touching, zero));
    let displacement = R::select(applies, displacement, one);
    let kick = first_kick::<L, R>(constants, geometry.radius, overlap, displacement, zero);
    let more = (kick - L::elastic(constants, geometry.radius, overlap).0) * geometry.slope * given.weight;
    let more = geometry.normal * more;
    let [arm_a, arm_b] = given.arms();
    // What leaves every sum as it is, the sign of zero included.
    let (added, subtracted) = (R::lit(-0.0), zero);
    Action {
        force: action.force + choose(applies, more, LabVec::new(added, added, added)),
        torque_a: action.torque_a + choose(applies, arm_a.cross(more), LabVec::new(added, added, added)),
        torque_b: action.torque_b
            - choose(applies, arm_b.cross(more), LabVec::new(subtracted, subtracted, subtracted)),
        ..action
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
fn first_kick<L: ContactLaw, R: Real>(
    constants: &L::Constants<R>,
    radius: R,
    overlap: R,
    displacement: R,
    edge: R,
) -> R {
    let later = overlap + displacement;
    let (force, mut energy) = L::elastic(constants, radius, later);
    if L::RANGE.is_beyond_touch() {
        energy = energy - L::elastic(constants, radius, edge).1;
    }
    energy / displacement - R::lit(0.5) * force
        + L::slope(constants, radius, later) * displacement * R::lit(1.0 / 12.0)
}
