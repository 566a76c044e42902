//! The constants of a pair of materials, computed once at set-up; one plain struct for every law.

use crate::record::record;
use tumble_math::Real;

record! {
    /// What any contact law may need to know of two materials in contact.
    ///
    /// A law fills in what it has; the rest is zero. The dashpots are made dimensionless: their coefficients are
    /// cₙ = `damping` √(m* kₙ) and cₜ = `damping_tangential` √(m* kₙ) with the normal stiffness kₙ of the
    /// instant.
    Pair, PAIR {
        /// E*, Pa: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.
        effective_modulus: R,
        /// G*, Pa: 1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂.
        effective_shear_modulus: R,
        /// kₙ of the linear law, N/m.
        stiffness_normal: R,
        /// kₜ of the linear law, N/m.
        stiffness_tangential: R,
        /// cₙ/√(m* kₙ): the one that gives the restitution asked for.
        damping: R,
        /// cₜ/√(m* kₙ).
        damping_tangential: R,
        /// Coefficient of friction μ, static and dynamic.
        friction: R,
        /// Coefficient of rolling friction μᵣ.
        rolling_friction: R,
        /// Ratio of the rolling dashpot to the critical one.
        rolling_damping: R,
        /// Coefficient of friction of the twisting contact area.
        twisting_friction: R,
        /// How far beyond touch a contact acts, m: only for laws that do, see [`Range`](super::Range).
        range: R,
    }
}

impl Pair<f64> {
    /// The constants rounded to the precision `R`.
    #[inline(always)]
    pub fn to<R: Real>(self) -> Pair<R> {
        Pair::from_array(self.to_array().map(R::lit))
    }
}
