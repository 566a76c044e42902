//! What a contact law is given and what it gives: one contact at one instant.

use crate::record::record;
use tumble_math::{LabVec, Real};

record! {
    /// One contact at one instant: body i against body j, or against a wall, which is a body j of infinite radius
    /// and mass.
    Contact, CONTACT {
        /// How far the surfaces overlap, m. Zero or less gives no force, but for a law with a [`Range`](super::Range).
        overlap: R,
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
    }
}

record! {
    /// What a contact remembers from step to step. All zero before the first step.
    ///
    /// The springs are kept as what they *exert* on i rather than as lengths: then a law whose stiffness changes
    /// with the overlap keeps its force while it stiffens. Whoever owns the loop turns `spring` and `rolling`
    /// with the contact, from the old tangent plane to the new one, before the law is called; nothing else is
    /// asked.
    History, HISTORY {
        /// Force of the tangential spring on i, N.
        spring: LabVec<R>,
        /// Couple of the rolling spring on i, N·m, in the tangent plane.
        rolling: LabVec<R>,
        /// Couple of the twisting spring on i, about the normal, N·m.
        twist: R,
        /// The overlap of the last step, m: tells how stiff the springs were.
        overlap: R,
    }
}

record! {
    /// The action of a contact on i (the opposite acts on j), its new memory, and its books.
    Reaction, REACTION {
        /// Force on i at the contact point, N.
        force: LabVec<R>,
        /// Couple on i from rolling and twisting resistance, N·m; the moment of `force` is not in it.
        torque: LabVec<R>,
        /// The part of `force` along the normal that presses, N; never negative.
        normal_force: R,
        /// What to remember.
        history: History<R>,
        /// Elastic energy at this instant.
        energy: Stored<R>,
        /// What this step dissipated.
        loss: Lost<R>,
    }
}

record! {
    /// Elastic energy of a contact, J.
    Stored, STORED {
        /// Of the normal spring.
        normal: R,
        /// Of the tangential spring.
        tangential: R,
        /// Of the rolling and the twisting spring.
        rolling: R,
    }
}

record! {
    /// Energy dissipated by a contact in one step, J; no part is negative but for rounding.
    ///
    /// With the work of the reaction by the trapezoid rule, work + stored + lost is constant to second order in
    /// Δt. What depends on velocities (the dashpots and the constant rolling torque) is counted as power × Δt; so
    /// in the middle of a motion the books close to second order if half of the last such entry is left out.
    Lost, LOST {
        /// By the normal dashpot.
        normal_damping: R,
        /// By the tangential dashpot.
        tangential_damping: R,
        /// By friction: gross sliding, and the micro-slip of a contact whose area changes under tangential load.
        sliding: R,
        /// By slip of the rolling and twisting springs.
        rolling: R,
        /// By rolling and twisting dashpots, and the constant rolling torque.
        rolling_damping: R,
    }
}

impl<R: Real> Contact<R> {
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

impl<R: Real> History<R> {
    /// The memory of a contact that has just begun.
    #[inline(always)]
    pub fn new() -> Self {
        let zero = R::lit(0.0);
        Self { spring: LabVec::zero(), rolling: LabVec::zero(), twist: zero, overlap: zero }
    }
}

impl<R: Real> Default for History<R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R: Real> Stored<R> {
    /// All of it.
    #[inline(always)]
    pub fn total(&self) -> R {
        self.normal + self.tangential + self.rolling
    }
}

impl<R: Real> Lost<R> {
    /// All of it.
    #[inline(always)]
    pub fn total(&self) -> R {
        self.normal_damping + self.tangential_damping + self.sliding + self.rolling + self.rolling_damping
    }
}
