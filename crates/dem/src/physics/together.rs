//! The mass behind a contact when several of the same two bodies land together.
//!
//! A dashpot is a fraction of the critical one, cᵢ = a √(mᵢkᵢ) = a kᵢ/ω, of the motion that it damps. A contact alone
//! has the effective mass of its point, rotation included. Of several, as those of a rod that lands flat, each
//! takes part in one and the same motion, and with the mass of its own point all of them together would lose
//! too much (forces that add up) or too little (their mean). Its frequency is Rayleigh's: with the elastic forces
//! fᵢ, the accelerations yᵢ at their points that they cause together, and the stiffnesses kᵢ,
//!
//! ω² = Σ fᵢyᵢ / Σ fᵢ²/kᵢ.
//!
//! Contacts at right angles have nothing to do with each other. So contact i sees the sums with the weights
//! (nᵢ·nⱼ)², which are nᵢ·(Σ nⱼnⱼᵀ …)nᵢ: no loop over pairs of contacts is needed. Forces that hold each other in
//! balance accelerate nothing; a mass is at most the reduced one of the two bodies.

use super::contact::Side;
use super::geometry::Geometry;
use crate::law::ContactLaw;
use crate::record;
use tumble_math::{Lab, LabVec, Real, SymTensor};

record! {
    /// A contact's own part in the motion.
    Part, PART {
        /// Unit vector from b to a.
        normal: LabVec<R>,
        /// From the centre of mass of a to the point, m.
        arm_a: LabVec<R>,
        /// From that of b, m.
        arm_b: LabVec<R>,
        /// Elastic, with the weight of the contact, N.
        force: R,
        /// Without it, N/m.
        stiffness: R,
        /// f²/k with the weight, J.
        softness: R,
    }
}

impl<R: Real> Part<R> {
    /// From its geometry and the two bodies.
    #[inline(always)]
    pub fn new<L: ContactLaw>(
        geometry: &Geometry<R>,
        sides: [&Side<R>; 2],
        constants: &L::Constants<R>,
        weight: R,
    ) -> Self {
        let Geometry { overlap, slope, normal, point, radius } = *geometry;
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let stiffness = L::normal_stiffness(constants, radius, overlap);
        let force = L::elastic(constants, radius, overlap).0 * slope;
        let stiff = zero.lt(stiffness);
        let softness = weight * force * force / R::select(stiff, stiffness, one);
        Self {
            normal,
            arm_a: point - sides[0].position,
            arm_b: point - sides[1].position,
            force: force * weight,
            stiffness,
            softness: R::select(stiff, softness, zero),
        }
    }
}

/// What the forces of all contacts do together to two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Together<R> {
    /// Of the two bodies relative to each other.
    acceleration: LabVec<R>,
    /// Angular accelerations; those of b with the other sign, since its forces are opposite.
    turning: [LabVec<R>; 2],
    inverse_mass: R,
}

impl<R: Real> Together<R> {
    #[inline(always)]
    fn new(sides: [&Side<R>; 2], force: LabVec<R>, torques: [LabVec<R>; 2]) -> Self {
        let inverse_mass = sides[0].inverse_mass + sides[1].inverse_mass;
        let turning = [sides[0].turned_by(torques[0]), sides[1].turned_by(torques[1])];
        Self { acceleration: force * inverse_mass, turning, inverse_mass }
    }

    /// What a contact puts into the motion.
    #[inline(always)]
    fn power(&self, part: &Part<R>) -> R {
        let [turning_a, turning_b] = self.turning;
        let moving = self.acceleration + turning_a.cross(part.arm_a) + turning_b.cross(part.arm_b);
        part.force * moving.dot(part.normal)
    }

    /// The mass behind a contact: k/ω², at most the reduced one of the two bodies; 0 if nothing can move them.
    #[inline(always)]
    fn mass(&self, power: R, softness: R) -> R {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let moves = zero.lt(self.inverse_mass);
        let most = one / R::select(moves, self.inverse_mass, one);
        let less = (softness * self.inverse_mass).lt(power);
        let mass = R::select(less, softness / R::select(less, power, one), most);
        R::select(moves, mass, zero)
    }
}

impl<R: Real> Side<R> {
    /// The angular acceleration by a torque.
    #[inline(always)]
    fn turned_by(&self, torque: LabVec<R>) -> LabVec<R> {
        self.q.to_lab(self.inverse_moments.times(self.q.to_body(torque)))
    }
}

/// The masses behind two contacts of the same two bodies, kg.
#[inline(always)]
pub fn masses_of_two<R: Real>(sides: [&Side<R>; 2], first: &Part<R>, second: &Part<R>) -> [R; 2] {
    let (force, other) = (first.normal * first.force, second.normal * second.force);
    let torque_a = first.arm_a.cross(force) + second.arm_a.cross(other);
    let torque_b = first.arm_b.cross(force) + second.arm_b.cross(other);
    let together = Together::new(sides, force + other, [torque_a, torque_b]);
    let cosine = first.normal.dot(second.normal);
    let square = cosine * cosine;
    let powers = [together.power(first), together.power(second)];
    let softness = [first.softness + square * second.softness, second.softness + square * first.softness];
    [
        together.mass(powers[0] + square * powers[1], softness[0] * first.stiffness),
        together.mass(powers[1] + square * powers[0], softness[1] * second.stiffness),
    ]
}

record! {
    /// What the forces of contacts of the same two bodies add up to.
    Push, PUSH {
        /// On a; the opposite acts on b. N.
        force: LabVec<R>,
        /// About the centre of mass of a, N·m.
        torque_a: LabVec<R>,
        /// About that of b, with the sign of the force on a.
        torque_b: LabVec<R>,
    }
}

impl<R: Real> Push<R> {
    /// Of no contact.
    #[inline(always)]
    pub fn nothing() -> Self {
        Self { force: LabVec::zero(), torque_a: LabVec::zero(), torque_b: LabVec::zero() }
    }

    /// With one contact more.
    #[inline(always)]
    pub fn with(self, part: &Part<R>) -> Self {
        let force = part.normal * part.force;
        Self {
            force: self.force + force,
            torque_a: self.torque_a + part.arm_a.cross(force),
            torque_b: self.torque_b + part.arm_b.cross(force),
        }
    }

    /// What it does to two bodies.
    #[inline(always)]
    pub fn on(self, sides: [&Side<R>; 2]) -> Together<R> {
        Together::new(sides, self.force, [self.torque_a, self.torque_b])
    }
}

/// Sums over contacts of the same two bodies with their directions nnᵀ: what they put into the motion, and their softness.
#[derive(Clone, Copy, Debug)]
pub struct Directed<R: Real> {
    /// W.
    pub powers: SymTensor<R, Lab>,
    /// J.
    pub softness: SymTensor<R, Lab>,
}

impl<R: Real> Directed<R> {
    /// Of no contact.
    #[inline(always)]
    pub fn nothing() -> Self {
        let nothing = SymTensor::from_diagonal(LabVec::zero());
        Self { powers: nothing, softness: nothing }
    }

    /// With one more of the contacts that do this to two bodies.
    #[inline(always)]
    pub fn with(self, together: &Together<R>, part: &Part<R>) -> Self {
        let dyad = SymTensor::dyad(part.normal);
        Self {
            powers: self.powers + dyad * together.power(part),
            softness: self.softness + dyad * part.softness,
        }
    }

    /// The mass behind one of the contacts, kg.
    #[inline(always)]
    pub fn mass(&self, together: &Together<R>, part: &Part<R>) -> R {
        let normal = part.normal;
        let (power, softness) = (normal.dot(self.powers * normal), normal.dot(self.softness * normal));
        together.mass(power, softness * part.stiffness)
    }
}

/// The masses behind any number of contacts of the same two bodies, kg. Loops go by index, so that they vanish where the number
/// is known to the compiler.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "loops that vanish")]
pub fn masses<R: Real>(sides: [&Side<R>; 2], parts: &[Part<R>], found: &mut [R]) {
    if let ([first, second], [mass, other]) = (parts, &mut *found) {
        [*mass, *other] = masses_of_two(sides, first, second);
        return;
    }
    let mut push = Push::nothing();
    for n in 0..parts.len() {
        push = push.with(&parts[n]);
    }
    let together = push.on(sides);
    let mut directed = Directed::nothing();
    for n in 0..parts.len() {
        directed = directed.with(&together, &parts[n]);
    }
    for n in 0..parts.len() {
        found[n] = directed.mass(&together, &parts[n]);
    }
}
