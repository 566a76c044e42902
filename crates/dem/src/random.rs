//! Random numbers with the same bits everywhere, for initial states.

use tumble_math::{LabVec, Quat};

/// A generator of pseudo-random numbers: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
///
/// ```
/// use tumble_dem::random::Random;
/// let (mut a, mut b) = (Random::new(7), Random::new(7));
/// assert_eq!(a.uniform().to_bits(), b.uniform().to_bits());
/// assert!((a.direction().norm() - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Uniform on the unit sphere (Marsaglia, Ann. Math. Stat. 43 (1972) 645).
    pub fn direction(&mut self) -> LabVec<f64> {
        loop {
            let (a, b) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let s = a * a + b * b;
            if s < 1.0 {
                let scale = 2.0 * (1.0 - s).sqrt();
                return LabVec::new(a * scale, b * scale, 1.0 - 2.0 * s);
            }
        }
    }

    /// Uniform over all orientations (Marsaglia, as above).
    pub fn orientation(&mut self) -> Quat<f64> {
        let mut in_disc = || loop {
            let (a, b) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let s = a * a + b * b;
            if 0.0 < s && s < 1.0 {
                return (a, b, s);
            }
        };
        let (a, b, s) = in_disc();
        let (c, d, t) = in_disc();
        let scale = ((1.0 - s) / t).sqrt();
        Quat::new(a, b, c * scale, d * scale).normalised()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_math::BodyVec;

    #[test]
    fn directions_and_orientations_are_isotropic() {
        let mut random = Random::new(1);
        let n = 20_000;
        let (mut mean, mut square, mut turned) = (LabVec::zero(), 0.0, LabVec::zero());
        for _ in 0..n {
            let direction = random.direction();
            mean = mean + direction;
            square += direction.z * direction.z;
            let image = random.orientation().to_lab(BodyVec::new(1.0, 0.0, 0.0));
            turned = turned + image;
        }
        let n = f64::from(n);
        // Standard deviations are 1/√(3n) = 0.004 and 0.002.
        assert!(mean.norm() / n < 0.015 && turned.norm() / n < 0.015);
        assert!((square / n - 1.0 / 3.0).abs() < 0.01);
    }
}
