//! What a contact law is given and what it gives: one contact at one instant.

use super::ContactLaw;
use super::grip::positive;
use crate::record;
use tumble_math::{LabVec, Real};

record! {
    /// One contact at one instant: body i against body j, or against a wall, which is a body j of infinite radius
    /// and mass.
    Contact, CONTACT {
        /// How far the surfaces overlap, m. Zero or less gives no force, but for a law with a [`Range`](super::Range).
        overlap: R,
        /// The overlap of the last step, m: tells how stiff the springs were. Zero if the contact has just begun.
        overlap_before: R,
        /// How fast the overlap grows when i moves against the normal: 1, but where several parts of a wall make up one
        /// contact. What the spring exerts is its force times this, so that it does the work that it stores.
        slope: R,
        /// Unit vector from j to i: the direction of the repulsion on i.
        normal: LabVec<R>,
        /// Velocity of i relative to j at the contact point, the whole vector, m/s.
        velocity: LabVec<R>,
        /// ω of i minus ω of j, rad/s.
        spin: LabVec<R>,
        /// Displacement of i relative to j in the tangent plane since the last step, m.
        slide: LabVec<R>,
        /// Rotation of i relative to j since the last step, the whole vector, rad.
        turn: LabVec<R>,
        /// Effective radius 1/(1/Rᵢ + 1/Rⱼ), m; Rᵢ on a wall.
        radius: R,
        /// Effective mass of the contact along its normal, kg.
        mass: R,
        /// The smallest inertia that a couple between i and j can meet, kg m², divided among their contacts. Only for
        /// rolling and twisting resistances.
        inertia: R,
        /// What the velocity has to be multiplied by where a force depends on it that jumps at first touch: 1, but in the first step of a contact
        /// what makes its kick the integral since touch, (θ + ½) over the factor of dashpots that the velocity has.
        jump: R,
    }
}

/// The action of a contact on i (the opposite acts on j), as its law has it: with what is remembered, `M`, and its books, `B`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction<R, M, B> {
    /// Force on i at the contact point, N.
    pub force: LabVec<R>,
    /// What friction is limited by over its coefficient, N: the part of `force` along the normal that presses, and what surfaces that
    /// adhere hold beside it; never negative.
    pub normal_force: R,
    /// What to remember. Whoever owns the loop turns it with the contact, from the old tangent plane to the new one, before
    /// the law is called again.
    pub memory: M,
    /// Elastic energies at this instant, and what this step dissipated.
    pub books: B,
}

impl<R: Real> Contact<R> {
    /// A contact of which nothing is known but where it is: at rest, of unit mass.
    #[inline(always)]
    pub fn at_rest(normal: LabVec<R>, radius: R, overlap: R) -> Self {
        let (zero, one) = (LabVec::zero(), R::lit(1.0));
        Self {
            overlap,
            overlap_before: R::lit(0.0),
            slope: one,
            normal,
            velocity: zero,
            spin: zero,
            slide: zero,
            turn: zero,
            radius,
            mass: one,
            inertia: one,
            jump: one,
        }
    }

    /// How far the surfaces overlap; not less than zero, but for a law with a [`Range`](super::Range).
    #[inline(always)]
    pub fn pressed<L: ContactLaw>(&self) -> R {
        if L::RANGE.is_beyond_touch() { self.overlap } else { positive(self.overlap) }
    }

    /// How fast the surfaces separate, m/s.
    #[inline(always)]
    pub fn separation_speed(&self) -> R {
        self.velocity.dot(self.normal)
    }

    /// The part of a vector in the tangent plane.
    #[inline(always)]
    pub fn tangential(&self, vector: LabVec<R>) -> LabVec<R> {
        vector - self.normal * vector.dot(self.normal)
    }
}
