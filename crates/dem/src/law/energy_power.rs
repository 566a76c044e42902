//! The power of the overlap with which the elastic energy of a contact grows.

use tumble_math::Real;

/// The power p of the energy U ∝ δᵖ of a law's normal spring. Where several parts of a wall make up one contact,
/// their energies add up, so δᵖ does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnergyPower {
    /// δ²: a linear spring.
    Square,
    /// δ^{5/2}: spheres of Hertz.
    FiveHalves,
}

impl EnergyPower {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Square, Self::FiveHalves];

    /// δᵖ⁻¹ and δᵖ.
    #[inline(always)]
    pub fn raise<R: Real>(self, overlap: R) -> [R; 2] {
        let slope = match self {
            Self::Square => overlap,
            Self::FiveHalves => overlap * overlap.sqrt(),
        };
        [slope, slope * overlap]
    }

    /// δ from δᵖ.
    pub fn root(self, energy: f64) -> f64 {
        self.root_near(energy, self.guess(energy))
    }

    /// δ from δᵖ and a first guess of it.
    #[inline(always)]
    pub fn root_near<R: Real>(self, energy: R, guess: R) -> R {
        match self {
            Self::Square => energy.sqrt(),
            Self::FiveHalves => fifth_root_near(energy * energy, guess),
        }
    }

    /// A first guess of δ from δᵖ, by a few per cent. It is made of the bits of a number, which no arithmetic gives:
    /// recordings take it as it is.
    pub fn guess(self, energy: f64) -> f64 {
        match self {
            Self::Square => 1.0,
            Self::FiveHalves => guess_of_fifth_root(energy * energy),
        }
    }
}

/// x^{1/5} for x > 0; what has none stays as it is.
pub(super) fn fifth_root(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() { fifth_root_near(x, guess_of_fifth_root(x)) } else { x }
}

/// A fifth of the exponent.
fn guess_of_fifth_root(x: f64) -> f64 {
    let one = 1.0_f64.to_bits();
    f64::from_bits(x.to_bits() / 5 + (one - one / 5))
}

/// x^{1/5} for x > 0 by Newton's method, from a guess that is right to a few per cent: the same bits on every machine, which a
/// power function does not give. What is not positive stays as it is.
#[inline(always)]
fn fifth_root_near<R: Real>(x: R, guess: R) -> R {
    let mut root = guess;
    for _ in 0..8 {
        let fourth = (root * root) * (root * root);
        root = root - (root - x / fourth) * R::lit(0.2);
    }
    R::select(R::lit(0.0).lt(x), root, x)
}

#[cfg(test)]
mod tests {
    use super::{EnergyPower, fifth_root};

    #[test]
    fn the_fifth_root_is_one() {
        for x in [1e-280, 3.7e-31, 0.02, 1.0, 31.9, 32.0, 7e19, 1e300] {
            let power = fifth_root(x).powi(5);
            assert!((power / x - 1.0).abs() < 2e-15, "{x:e}: {power:e}");
        }
    }

    #[test]
    fn the_root_undoes_the_power() {
        for power in [EnergyPower::Square, EnergyPower::FiveHalves] {
            for overlap in [1e-12, 3e-5, 0.7, 20.0] {
                let back = power.root(power.raise(overlap)[1]);
                assert!((back / overlap - 1.0).abs() < 1e-15, "{power:?} {overlap}: {back}");
            }
        }
    }
}
