//! The constants of a pair of materials, computed once at set-up; one plain struct for every law.

use tumble_math::Real;

/// What any contact law may need to know of two materials in contact.
///
/// A law fills in what it has; the rest is zero. The dashpots are made dimensionless: their coefficients are
/// cₙ = `damping` √(m* kₙ) and cₜ = `damping_tangential` √(m* kₙ) with the normal stiffness kₙ of the
/// instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<R> {
    /// E*, Pa: 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂.
    pub effective_modulus: R,
    /// G*, Pa: 1/G* = (2 − ν₁)/G₁ + (2 − ν₂)/G₂.
    pub effective_shear_modulus: R,
    /// kₙ of the linear law, N/m.
    pub stiffness_normal: R,
    /// kₜ of the linear law, N/m.
    pub stiffness_tangential: R,
    /// cₙ/√(m* kₙ): the one that gives the restitution asked for.
    pub damping: R,
    /// cₜ/√(m* kₙ).
    pub damping_tangential: R,
    /// Coefficient of friction μ, static and dynamic.
    pub friction: R,
    /// Coefficient of rolling friction μᵣ.
    pub rolling_friction: R,
    /// Ratio of the rolling dashpot to the critical one.
    pub rolling_damping: R,
    /// Coefficient of friction of the twisting contact area.
    pub twisting_friction: R,
}

impl<R: Copy> Pair<R> {
    /// The constants in the order of the fields.
    #[inline(always)]
    pub fn to_array(self) -> [R; 10] {
        [
            self.effective_modulus,
            self.effective_shear_modulus,
            self.stiffness_normal,
            self.stiffness_tangential,
            self.damping,
            self.damping_tangential,
            self.friction,
            self.rolling_friction,
            self.rolling_damping,
            self.twisting_friction,
        ]
    }

    /// The inverse of [`to_array`](Self::to_array).
    #[inline(always)]
    pub fn from_array(a: [R; 10]) -> Self {
        Self {
            effective_modulus: a[0],
            effective_shear_modulus: a[1],
            stiffness_normal: a[2],
            stiffness_tangential: a[3],
            damping: a[4],
            damping_tangential: a[5],
            friction: a[6],
            rolling_friction: a[7],
            rolling_damping: a[8],
            twisting_friction: a[9],
        }
    }
}

impl Pair<f64> {
    /// The constants rounded to the precision `R`.
    #[inline(always)]
    pub fn to<R: Real>(self) -> Pair<R> {
        Pair::from_array(self.to_array().map(R::lit))
    }
}
