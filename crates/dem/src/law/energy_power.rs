//! The power of the overlap with which the elastic energy of a contact grows.

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
    /// δᵖ⁻¹ and δᵖ.
    pub fn raise(self, overlap: f64) -> [f64; 2] {
        let slope = match self {
            Self::Square => overlap,
            Self::FiveHalves => overlap * overlap.sqrt(),
        };
        [slope, slope * overlap]
    }

    /// δ from δᵖ.
    pub fn root(self, energy: f64) -> f64 {
        match self {
            Self::Square => energy.sqrt(),
            Self::FiveHalves => fifth_root(energy * energy),
        }
    }
}

/// x^{1/5} for x > 0, by Newton's method: the same bits on every machine, which a power function does not
/// give.
pub(super) fn fifth_root(x: f64) -> f64 {
    if !(x > 0.0 && x.is_finite()) {
        return x;
    }
    // A fifth of the exponent is a good first guess.
    let one = 1.0_f64.to_bits();
    let mut root = f64::from_bits(x.to_bits() / 5 + (one - one / 5));
    for _ in 0..8 {
        let fourth = (root * root) * (root * root);
        root -= (root - x / fourth) * 0.2;
    }
    root
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
