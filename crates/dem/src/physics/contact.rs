//! A contact in one step: from its two sides and what it remembers to what it does to them.

use super::choose;
use super::frame::FrameTurn;
use super::geometry::Geometry;
use super::kicks::{
    Beginning, Jump, correct, displacement, displacement_if_resolved, left_at_end, separation_speed,
};
pub(crate) use super::remembered::Asks;
pub use super::remembered::{AHEAD, Ahead, Remembered, TRACK, Track};
use crate::law::{
    self, Books, Constants, Contact, ContactLaw, EntryKind, History, RESISTED, Resisted, RollingModel,
    TwistingModel,
};
use crate::record;
use crate::record::{NumbersMut, Record};
use core::ops::Range;
use tumble_math::{BodyVec, LabVec, Quat, Real};

record! {
    /// One of the two bodies of a contact, or a wall, at the instant of the force.
    Side, SIDE {
        /// Of the centre of mass, m; of the contact point itself for a wall.
        position: LabVec<R>,
        /// m/s.
        velocity: LabVec<R>,
        /// rad/s.
        omega: LabVec<R>,
        /// Its orientation.
        q: Quat<R>,
        /// Inverse principal moments; zero if nothing turns it.
        inverse_moments: BodyVec<R>,
        /// Zero if nothing moves it.
        inverse_mass: R,
    }
}

record! {
    /// What is given of a contact beside what it remembers.
    Given, GIVEN {
        /// Where it is.
        geometry: Geometry<R>,
        /// The body that the normal points to.
        a: Side<R>,
        /// The other body, or the wall.
        b: Side<R>,
        /// 1, or one over the number of contacts between the two bodies if their mean acts.
        weight: R,
        /// The mass behind a contact that acts together with others, kg; 0 if it is that of its own point.
        shared_mass: R,
        /// One over the number of contacts between the two bodies.
        part: R,
        /// 0 for a contact that has just begun, else 1.
        known: R,
    }
}

record! {
    /// What a contact does to its two sides.
    Action, ACTION {
        /// On a, at the point; the opposite acts on b. N.
        force: LabVec<R>,
        /// In the lab, m.
        point: LabVec<R>,
        /// About the centre of mass of a, N·m.
        torque_a: LabVec<R>,
        /// About the centre of mass of b.
        torque_b: LabVec<R>,
    }
}

/// Where the point is among the numbers of an [`Action`].
pub(crate) const POINT: Range<usize> = 3..6;

/// Where the torques are among the numbers of an [`Action`]: at its end, after force and point. Nobody asks for them when they
/// have been added to the bodies.
pub(crate) const TORQUES: Range<usize> = ACTION - 6..ACTION;

record! {
    /// Times of a step.
    Clock, CLOCK {
        /// The step, s.
        dt: R,
        /// Since the last evaluation, s: the step, but nothing at the start and after a change by hand.
        elapsed: R,
        /// For which first and last kicks are corrected, s: the step, or zero where they stay [plain](crate::Kicks::Plain).
        corrected: R,
    }
}

/// What the step leaves of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real> {
    /// What it does.
    pub action: Action<R>,
    /// Couple on a from rolling and twisting resistance, N·m; it is in the torques.
    pub couple: LabVec<R>,
    /// The books of the law.
    pub books: L::Books<R>,
    /// Those of resistances.
    pub resisted: Resisted<R>,
    /// To remember.
    pub remembered: Remembered<L, M, T, R>,
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real> Evaluated<L, M, T, R> {
    /// Writes what it does, its books and, where something resists turning, the couple: in this order.
    #[inline(always)]
    pub(crate) fn write_outcome(&self, to: &mut (impl NumbersMut<R> + ?Sized)) {
        self.action.write(to, 0);
        self.books.write(to, ACTION);
        if Asks::<L, M, T>::TURNING {
            let at = ACTION + <L::Books<R> as Record<R>>::SIZE;
            self.resisted.write(to, at);
            self.couple.write(to, at + RESISTED);
        }
    }
}

impl<R: Real> Given<R> {
    /// From the centres of mass to the point.
    #[inline(always)]
    pub(crate) fn arms(&self) -> [LabVec<R>; 2] {
        [self.geometry.point - self.a.position, self.geometry.point - self.b.position]
    }

    /// The contact as a law sees it that asks for nothing but the overlap.
    #[inline(always)]
    fn at_rest(&self) -> Contact<R> {
        let Geometry { overlap, slope, normal, radius, .. } = self.geometry;
        Contact { slope, ..Contact::at_rest(normal, radius, overlap) }
    }

    /// The velocity of a relative to b at the point, m/s.
    #[inline(always)]
    pub(crate) fn velocity(&self) -> LabVec<R> {
        let [arm_a, arm_b] = self.arms();
        let velocity_a = self.a.velocity + self.a.omega.cross(arm_a);
        let velocity_b = self.b.velocity + self.b.omega.cross(arm_b);
        velocity_a - velocity_b
    }

    /// The effective mass of the contact along its normal, kg.
    #[inline(always)]
    fn mass(&self) -> R {
        let [arm_a, arm_b] = self.arms();
        let normal = self.geometry.normal;
        let (a, b) = (self.a.inverse_mass_at(arm_a, normal), self.b.inverse_mass_at(arm_b, normal));
        R::select(R::lit(0.0).lt(self.shared_mass), self.shared_mass, R::lit(1.0) / (a + b))
    }

    /// The smallest inertia that a couple can meet, divided among the contacts of the two bodies, kg m².
    #[inline(always)]
    fn inertia(&self) -> R {
        self.part / (self.a.easiest_turn() + self.b.easiest_turn())
    }
}

impl<R: Real> Side<R> {
    /// How much a unit impulse along `direction` at the end of `arm` changes the velocity there along it, 1/kg.
    #[inline(always)]
    fn inverse_mass_at(&self, arm: LabVec<R>, direction: LabVec<R>) -> R {
        let moment = self.q.to_body(arm.cross(direction));
        self.inverse_mass + moment.dot(self.inverse_moments.times(moment))
    }

    /// The largest inverse moment.
    #[inline(always)]
    fn easiest_turn(&self) -> R {
        let [x, y, z] = self.inverse_moments.to_array();
        larger(x, larger(y, z))
    }
}

/// The whole step of a contact.
#[inline(always)]
pub fn evaluate<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    given: &Given<R>,
    constants: &Constants<L, M, T, R>,
    remembered: Remembered<L, M, T, R>,
    clock: Clock<R>,
) -> Evaluated<L, M, T, R> {
    let beginning = if Asks::<L, M, T>::MOTION {
        Beginning::of::<L>(given, &constants.law, clock)
    } else {
        Beginning::before()
    };
    let (evaluated, displacement) = act::<L, M, T, R>(given, constants, beginning, remembered, clock);
    let action = correct::<L, R>(given, &constants.law, evaluated.action, displacement);
    Evaluated { action, ..evaluated }
}

/// All but the correction of the first and the last kick; and the displacement that they are corrected for.
#[inline(always)]
pub(crate) fn act<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    given: &Given<R>,
    constants: &Constants<L, M, T, R>,
    beginning: Beginning<R>,
    remembered: Remembered<L, M, T, R>,
    clock: Clock<R>,
) -> (Evaluated<L, M, T, R>, R) {
    let Clock { dt, elapsed, corrected } = clock;
    let moving = Asks::<L, M, T>::MOTION;
    // What the contact remembers may be a part of its constants.
    let own = L::of_contact(&constants.law, &remembered.history.law);
    let (mut contact, history, twist_speed) = if moving {
        in_motion::<L, M, T, R>(given, beginning.lasted, remembered, elapsed)
    } else {
        (given.at_rest(), Record::zero(), R::lit(0.0))
    };
    let Beginning { lasted, onset, onset_inverse } = beginning;
    let (velocity, spin) = (contact.velocity, contact.spin);
    contact.velocity = velocity * onset;
    let begins = R::lit(0.0).lt(lasted);
    contact.jump = R::select(begins, (lasted / dt + R::lit(0.5)) / onset, R::lit(1.0));
    contact.spin = spin * onset;
    let reacted = law::react::<L, M, T, R>(constants, contact, history, dt);

    let weight = given.weight;
    let apart = if moving { velocity.dot(contact.normal) } else { separation_speed(given) };
    let mut moved = displacement(apart, contact.slope, corrected);
    if moving {
        let stiffness = L::normal_stiffness(&own, contact.radius, contact.overlap);
        moved = displacement_if_resolved(moved, apart, lasted, stiffness, contact.mass, dt);
    }
    let mut left = reacted.books.held() + reacted.resisted.held();
    if <L::Books<R> as Books<R>>::tears() {
        left = left + reacted.books.sum(EntryKind::Torn);
    } else {
        left = left + left_at_end::<L, R>(given, &own);
    }
    // Dashpots were given a part of the velocity.
    let mut damped = weight * onset_inverse;
    let (mut pushed, mut turned, mut ahead) = (reacted.force, reacted.torque, Ahead::zero());
    if Asks::<L, M, T>::JUMPS {
        // Nothing was given in advance of this very instant, which is evaluated again.
        let before = R::select(R::lit(0.0).lt(elapsed), given.known, R::lit(0.0));
        let before = Ahead { force: remembered.ahead.force * before, rest: remembered.ahead.rest * before };
        let jump = Jump::of::<L>(given, &own, (apart, moved), before);
        let parted = Parted::of::<L>(&own, &contact, reacted.force);
        pushed = contact.normal * (parted.spring + jump.spring * contact.slope + parted.along * jump.along)
            + parted.across * jump.across;
        turned = turned * jump.across;
        damped = damped * jump.along;
        // What friction takes until the contact ends, beside what dashpots do.
        let power = -(parted.across.dot(velocity) + parted.along * apart + reacted.torque.dot(spin));
        let dashpots = reacted.books.sum(EntryKind::Damped) + reacted.resisted.sum(EntryKind::Damped);
        left = left + (power * dt - dashpots) * jump.ahead.rest;
        ahead = jump.ahead;
        // All is done.
        moved = given.geometry.overlap;
    }
    let force = pushed * weight;
    let couple = turned * weight;
    let [arm_a, arm_b] = given.arms();
    let evaluated = Evaluated {
        action: Action {
            force,
            point: given.geometry.point,
            torque_a: arm_a.cross(force) + couple,
            torque_b: -(arm_b.cross(force) + couple),
        },
        couple,
        books: reacted.books.weighed(weight, damped),
        resisted: reacted.resisted.weighed(weight, damped),
        remembered: Remembered {
            track: Track {
                normal: contact.normal,
                motion: contact.tangential(velocity) + contact.normal * twist_speed,
                overlap: contact.pressed::<L>(),
                ending: left * weight,
            },
            spin,
            ahead,
            history: reacted.history,
        },
    };
    (evaluated, moved)
}

/// The force of a contact in parts.
struct Parted<R> {
    /// Of the normal spring, along the normal.
    spring: R,
    /// The rest along the normal.
    along: R,
    /// In the tangent plane.
    across: LabVec<R>,
}

impl<R: Real> Parted<R> {
    #[inline(always)]
    fn of<L: ContactLaw>(constants: &L::Constants<R>, contact: &Contact<R>, force: LabVec<R>) -> Self {
        let spring = L::elastic(constants, contact.radius, contact.pressed::<L>()).0 * contact.slope;
        let normal = force.dot(contact.normal);
        let across = force - contact.normal * normal;
        Self { spring, along: normal - spring, across }
    }
}

/// A contact with its motion, what it remembers turned into its present frame, and how fast that frame twists about the
/// normal, times the effective radius, m/s.
#[inline(always)]
fn in_motion<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    given: &Given<R>,
    lasted: R,
    remembered: Remembered<L, M, T, R>,
    elapsed: R,
) -> (Contact<R>, History<L, M, T, R>, R) {
    let half = R::lit(0.5);
    let Remembered { track, spin, .. } = remembered;
    let (omega_a, omega_b) = (given.a.omega, given.b.omega);
    let mut contact = Contact {
        velocity: given.velocity(),
        spin: omega_a - omega_b,
        mass: given.mass(),
        overlap_before: track.overlap,
        ..given.at_rest()
    };
    let (normal, radius) = (contact.normal, contact.radius);

    // A contact that has just begun has no old normal; its own will do.
    let old_normal = choose(half.lt(given.known), track.normal, normal);
    // The trapezoid rule for what moved since the last step: the twist of the frame, slide and turn. A rectangle for
    // any of them would make springs first order. The velocity remembered is tangential, which leaves its normal
    // part for the twist.
    let old_twist_speed = track.motion.dot(old_normal);
    let twist_speed = half * (omega_a + omega_b).dot(normal) * radius;
    let twisted = half * elapsed * (old_twist_speed + twist_speed);
    let frame = FrameTurn::new(old_normal, normal, twisted, radius);
    let half_step = half * elapsed * given.known;
    let old_velocity = frame.carry_tangent(track.motion - old_normal * old_twist_speed);
    // A contact that has just begun has slid only since it began.
    contact.slide = contact.tangential(contact.velocity * (half_step + lasted) + old_velocity * half_step);
    if Asks::<L, M, T>::TURNING {
        let old_spin = frame.carry(spin);
        contact.turn = contact.spin * (half_step + lasted) + old_spin * half_step;
        contact.inertia = given.inertia();
    }
    (contact, remembered.history.carried(&frame), twist_speed)
}

#[inline(always)]
fn larger<R: Real>(a: R, b: R) -> R {
    R::select(a.lt(b), b, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::hertz::HertzConstants;
    use crate::law::{Hertz, Resistance, ResistanceInfo, Support, twisting};
    use crate::material::{MaterialError, Meeting};
    use crate::record::{Nothing, PerPart};

    /// A spring against rolling, without a dashpot: it has a memory, and asks for no velocity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct RollingSpring;

    impl RollingModel for RollingSpring {
        const INFO: ResistanceInfo = ResistanceInfo {
            name: "rolling-spring",
            summary: "a spring against the rolling",
            citation: None,
            uses_velocity: false,
            needs: &[],
        };

        type Constants<R: Real> = Nothing;
        type Memory<R: Real> = LabVec<R>;

        fn constants(_: &Meeting<'_>) -> Result<Nothing, MaterialError> {
            Ok(Nothing)
        }

        fn resist<R: Real>(
            _: &Nothing,
            contact: &Contact<R>,
            _: &Support<R>,
            memory: LabVec<R>,
            _: R,
        ) -> Resistance<R, LabVec<R>, LabVec<R>> {
            let torque = memory - contact.tangential(contact.turn);
            Resistance { torque, memory: torque, books: Resisted::zero() }
        }
    }

    #[test]
    fn a_resistance_with_a_memory_and_no_velocity_resists() {
        const { assert!(Asks::<Hertz, RollingSpring, twisting::None>::TURNING) };
        let mut given = Given::from_array([1.0; GIVEN]);
        given.geometry.normal = LabVec::new(0.0, 0.0, 1.0);
        given.a.omega = LabVec::new(3.0, 0.0, 0.0);
        given.b.omega = LabVec::zero();
        let track = Track { normal: given.geometry.normal, ..Track::zero() };
        let remembered =
            Remembered { track, spin: given.a.omega, ahead: Record::zero(), history: Record::zero() };
        let law = HertzConstants { effective_modulus: 1.0, effective_shear_modulus: 1.0 };
        let constants = PerPart { law, rolling: Nothing, twisting: Nothing };
        let clock = Clock { dt: 0.5, elapsed: 0.5, corrected: 0.5 };
        let evaluated =
            evaluate::<Hertz, RollingSpring, twisting::None, f64>(&given, &constants, remembered, clock);
        // It has turned by ½ s × 3 rad/s.
        assert!((evaluated.couple.x + 1.5).abs() < 1e-12, "{:?}", evaluated.couple);
        assert_eq!(evaluated.remembered.history.rolling, evaluated.couple);
    }
}
