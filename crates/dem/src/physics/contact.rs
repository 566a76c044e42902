//! A contact in one step: from its two sides and what it remembers to what it does to them.

use super::choose;
use super::frame::FrameTurn;
use super::geometry::Geometry;
use super::kicks::{Beginning, correct, displacement, displacement_if_resolved, ending, separation_speed};
use crate::law::{self, Contact, ContactLaw, History, Lost, Pair, RollingModel, Stored, TwistingModel};
use crate::record::record;
use core::marker::PhantomData;
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
        /// The constants of the two materials.
        pair: Pair<R>,
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
    /// What a contact remembers of the last step.
    Memory, MEMORY {
        /// Unit vector from b to a.
        normal: LabVec<R>,
        /// Relative velocity in the tangent plane; along the normal, how fast the frame twists times the effective radius.
        motion: LabVec<R>,
        /// Force of the tangential spring on a, N.
        spring: LabVec<R>,
        /// m.
        overlap: R,
        /// Energy of the springs that end with the contact, with its weight, J.
        ending: R,
    }
}

record! {
    /// What a contact with rolling or twisting resistance remembers as well.
    Turning, TURNING {
        /// ω of a minus ω of b, rad/s.
        spin: LabVec<R>,
        /// Couple of the rolling spring on a, N·m.
        rolling: LabVec<R>,
        /// Couple of the twisting spring on a about the normal, N·m.
        twist: R,
    }
}

record! {
    /// What a contact does, and its books.
    Outcome, OUTCOME {
        /// On a, at the point; the opposite acts on b. N.
        force: LabVec<R>,
        /// In the lab, m.
        point: LabVec<R>,
        /// About the centre of mass of a, N·m.
        torque_a: LabVec<R>,
        /// About the centre of mass of b.
        torque_b: LabVec<R>,
        /// Elastic energies, J.
        stored: Stored<R>,
        /// What the step dissipated, J.
        lost: Lost<R>,
    }
}

record! {
    /// What is asked for of a contact after the step. The torques have been added to the bodies already.
    Deed, DEED {
        /// On a, at the point; the opposite acts on b. N.
        force: LabVec<R>,
        /// In the lab, m.
        point: LabVec<R>,
        /// Elastic energies, J.
        stored: Stored<R>,
        /// What the step dissipated, J.
        lost: Lost<R>,
    }
}

impl From<Outcome<f64>> for Deed<f64> {
    fn from(Outcome { force, point, stored, lost, .. }: Outcome<f64>) -> Self {
        Self { force, point, stored, lost }
    }
}

impl From<Deed<f64>> for Outcome<f64> {
    fn from(Deed { force, point, stored, lost }: Deed<f64>) -> Self {
        Self { force, point, torque_a: LabVec::zero(), torque_b: LabVec::zero(), stored, lost }
    }
}

record! {
    /// Times of a step.
    Clock, CLOCK {
        /// The step, s.
        dt: R,
        /// Since the last evaluation, s: the step, but nothing at the start and after a change by hand.
        elapsed: R,
    }
}

/// What the step leaves of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluated<R> {
    /// What it does.
    pub outcome: Outcome<R>,
    /// Couple on a from rolling and twisting resistance, N·m; it is in the torques.
    pub couple: LabVec<R>,
    /// To remember.
    pub memory: Memory<R>,
    /// To remember if something resists turning.
    pub turning: Turning<R>,
}

/// What a law and its resistances ask for.
pub(crate) struct Asks<L, M, T>(PhantomData<(L, M, T)>);

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Asks<L, M, T> {
    /// Whether something resists turning.
    pub(crate) const TURNING: bool = M::INFO.acts() || T::INFO.acts();
    const LASTS: bool = L::INFO.has_history || L::RANGE.is_beyond_touch();
    /// Whether the contact remembers anything, or its force depends on velocities.
    pub(crate) const MOTION: bool = L::INFO.uses_velocity || Self::LASTS || Self::TURNING;
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
        let (zero, one) = (LabVec::zero(), R::lit(1.0));
        Contact {
            overlap,
            slope,
            normal,
            velocity: zero,
            spin: zero,
            slide: zero,
            turn: zero,
            radius,
            mass: one,
            inertia: one,
        }
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
    memory: &Memory<R>,
    turning: &Turning<R>,
    clock: Clock<R>,
) -> Evaluated<R> {
    let beginning =
        if Asks::<L, M, T>::MOTION { Beginning::of::<L>(given, clock) } else { Beginning::before() };
    let (evaluated, displacement) = act::<L, M, T, R>(given, beginning, memory, turning, clock);
    Evaluated { outcome: correct::<L, R>(given, evaluated.outcome, displacement), ..evaluated }
}

/// All but the correction of the first and the last kick; and the displacement that they are corrected for.
#[inline(always)]
pub(crate) fn act<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real>(
    given: &Given<R>,
    beginning: Beginning<R>,
    memory: &Memory<R>,
    turning: &Turning<R>,
    clock: Clock<R>,
) -> (Evaluated<R>, R) {
    let Clock { dt, elapsed } = clock;
    let moving = Asks::<L, M, T>::MOTION;
    let (mut contact, history, twist_speed) = if moving {
        in_motion::<R>(given, beginning.lasted, memory, turning, Asks::<L, M, T>::TURNING, elapsed)
    } else {
        (given.at_rest(), History::new(), R::lit(0.0))
    };
    let Beginning { lasted, onset } = beginning;
    let (velocity, spin) = (contact.velocity, contact.spin);
    contact.velocity = velocity * onset;
    contact.spin = spin * onset;
    let reaction = law::react::<L, M, T, R>(&given.pair, contact, history, dt);

    let weight = given.weight;
    let force = reaction.force * weight;
    let couple = reaction.torque * weight;
    let apart = if moving { velocity.dot(contact.normal) } else { separation_speed(given) };
    let mut moved = displacement(apart, contact.slope, dt);
    if moving {
        let stiffness = L::normal_stiffness(&given.pair, contact.radius, contact.overlap);
        moved = displacement_if_resolved(moved, apart, lasted, stiffness, contact.mass, dt);
    }
    let [arm_a, arm_b] = given.arms();
    let (energy, loss) = (reaction.energy, reaction.loss);
    // Dashpots were given a part of the velocity.
    let rate = weight / onset;
    let evaluated = Evaluated {
        outcome: Outcome {
            force,
            point: given.geometry.point,
            torque_a: arm_a.cross(force) + couple,
            torque_b: -(arm_b.cross(force) + couple),
            stored: Stored {
                normal: energy.normal * weight,
                tangential: energy.tangential * weight,
                rolling: energy.rolling * weight,
            },
            lost: Lost {
                normal_damping: loss.normal_damping * rate,
                tangential_damping: loss.tangential_damping * rate,
                sliding: loss.sliding * weight,
                rolling: loss.rolling * weight,
                rolling_damping: loss.rolling_damping * rate,
            },
        },
        couple,
        memory: Memory {
            normal: contact.normal,
            motion: contact.tangential(velocity) + contact.normal * twist_speed,
            spring: reaction.history.spring,
            overlap: reaction.history.overlap,
            ending: ending::<L, R>(given, &energy) * weight,
        },
        turning: Turning { spin, rolling: reaction.history.rolling, twist: reaction.history.twist },
    };
    (evaluated, moved)
}

/// A contact with its motion, what it remembers turned into its present frame, and how fast that frame twists about the
/// normal, times the effective radius, m/s.
#[inline(always)]
fn in_motion<R: Real>(
    given: &Given<R>,
    lasted: R,
    memory: &Memory<R>,
    turning: &Turning<R>,
    resists_turning: bool,
    elapsed: R,
) -> (Contact<R>, History<R>, R) {
    let half = R::lit(0.5);
    let [arm_a, arm_b] = given.arms();
    let (omega_a, omega_b) = (given.a.omega, given.b.omega);
    let velocity_a = given.a.velocity + omega_a.cross(arm_a);
    let velocity_b = given.b.velocity + omega_b.cross(arm_b);
    let mut contact = Contact {
        velocity: velocity_a - velocity_b,
        spin: omega_a - omega_b,
        mass: given.mass(),
        ..given.at_rest()
    };
    let (normal, radius) = (contact.normal, contact.radius);

    // A contact that has just begun has no old normal; its own will do.
    let old_normal = choose(half.lt(given.known), memory.normal, normal);
    // The trapezoid rule for what moved since the last step: the twist of the frame, slide and turn. A rectangle for
    // any of them would make springs first order. The velocity remembered is tangential, which leaves its normal
    // part for the twist.
    let old_twist_speed = memory.motion.dot(old_normal);
    let twist_speed = half * (omega_a + omega_b).dot(normal) * radius;
    let twist = half * elapsed * (old_twist_speed + twist_speed) / radius;
    let frame = FrameTurn::new(old_normal, normal, twist);
    let half_step = half * elapsed * given.known;
    let old_velocity = frame.carry_tangent(memory.motion - old_normal * old_twist_speed);
    // A contact that has just begun has slid only since it began.
    contact.slide = contact.tangential(contact.velocity * (half_step + lasted) + old_velocity * half_step);
    let mut history = History::new();
    history.spring = contact.tangential(frame.carry_tangent(memory.spring));
    history.overlap = memory.overlap;
    if resists_turning {
        let old_spin = frame.carry(turning.spin);
        contact.turn = contact.spin * (half_step + lasted) + old_spin * half_step;
        history.rolling = contact.tangential(frame.carry_tangent(turning.rolling));
        history.twist = turning.twist;
        contact.inertia = given.inertia();
    }
    (contact, history, twist_speed)
}

#[inline(always)]
fn larger<R: Real>(a: R, b: R) -> R {
    R::select(a.lt(b), b, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Hertz, Resistance, ResistanceInfo, Support, twisting};

    /// A spring against rolling, without a dashpot: it has a memory, and asks for no velocity.
    #[derive(Clone, Copy, Default)]
    struct RollingSpring;

    impl RollingModel for RollingSpring {
        const INFO: ResistanceInfo = ResistanceInfo {
            name: "rolling-spring",
            summary: "a spring against the rolling",
            citation: None,
            uses_velocity: false,
            has_history: true,
            needs: &[],
        };

        fn resist<R: Real>(
            _: &Pair<R>,
            contact: &Contact<R>,
            _: &Support<R>,
            history: LabVec<R>,
            _: R,
        ) -> Resistance<R, LabVec<R>> {
            let torque = history - contact.tangential(contact.turn);
            let zero = R::lit(0.0);
            Resistance { torque, history: torque, stored: zero, slipped: zero, damped: zero }
        }
    }

    #[test]
    fn a_resistance_with_a_memory_and_no_velocity_resists() {
        const { assert!(Asks::<Hertz, RollingSpring, twisting::None>::TURNING) };
        let mut given = Given::from_array([1.0; GIVEN]);
        given.geometry.normal = LabVec::new(0.0, 0.0, 1.0);
        given.a.omega = LabVec::new(3.0, 0.0, 0.0);
        given.b.omega = LabVec::zero();
        let memory = Memory { normal: given.geometry.normal, ..Memory::from_array([0.0; MEMORY]) };
        let turning = Turning { spin: given.a.omega, ..Turning::from_array([0.0; TURNING]) };
        let clock = Clock { dt: 0.5, elapsed: 0.5 };
        let evaluated =
            evaluate::<Hertz, RollingSpring, twisting::None, f64>(&given, &memory, &turning, clock);
        // It has turned by ½ s × 3 rad/s.
        assert!((evaluated.couple.x + 1.5).abs() < 1e-12, "{:?}", evaluated.couple);
        assert_eq!(evaluated.turning.rolling, evaluated.couple);
    }
}
