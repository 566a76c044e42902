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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The generator of one of many things that share a seed, such as the bodies of a stream: each has its
    /// own numbers, whatever the others draw.
    pub fn numbered(seed: u64, number: u64) -> Self {
        let scattered = Self::new(number).bits();
        Self::new(Self::new(seed ^ scattered).bits())
    }

    /// All that it remembers, to be saved; see [`from_state`](Self::from_state).
    pub fn state(&self) -> u64 {
        self.state
    }

    /// The generator that goes on where the one of this state was.
    pub fn from_state(state: u64) -> Self {
        Self { state }
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

    /// Normal, of mean 0 and standard deviation 1.
    ///
    /// Karney's method (ACM Trans. Math. Softw. 42 (2016) 3): whole and broken part are drawn apart, and kept
    /// with probabilities that comparing uniform numbers gives exactly, after von Neumann. No logarithm and
    /// no table, hence the same bits everywhere and tails that go on.
    pub fn normal(&mut self) -> f64 {
        loop {
            // k with a probability ∝ exp(−k/2), kept with exp(−k(k − 1)/2): together exp(−k²/2).
            let mut k: u32 = 0;
            while self.decays(0.5) {
                k += 1;
            }
            if !(0..k * k.saturating_sub(1)).all(|_| self.decays(0.5)) {
                continue;
            }
            // x kept with exp(−x(2k + x)/2): together exp(−(k + x)²/2).
            let x = self.uniform();
            if (0..k).all(|_| self.decays(x)) && self.decays(0.5 * x * x) {
                let size = f64::from(k) + x;
                return if self.bits() >> 63 == 0 { size } else { -size };
            }
        }
    }

    /// True with the probability exp(−p), for p from 0 to 1: a falling run of uniform numbers below p is
    /// longer than n with probability pⁿ⁺¹/(n + 1)!, so its length is even with 1 − p + p²/2 − ….
    fn decays(&mut self, p: f64) -> bool {
        let (mut even, mut least) = (true, p);
        loop {
            let next = self.uniform();
            if next >= least {
                return even;
            }
            (even, least) = (!even, next);
        }
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
