//! Random inputs that are the same in every run, and the largest of their errors.

#![allow(dead_code, reason = "no test file uses all of it")]

/// The largest number, or NaN if there is one: `f64::max` would hide it.
pub(crate) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

/// A generator of random numbers: xorshift64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 11) as f64 / 2.0_f64.powi(53))
    }

    /// A vector of about this length, in any direction.
    pub(crate) fn vector(&mut self, length: f64) -> [f64; 3] {
        loop {
            let v: [f64; 3] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&norm) {
                return v.map(|x| x / norm * length);
            }
        }
    }

    /// A unit quaternion (w, x, y, z), up to rounding.
    pub(crate) fn unit_quaternion(&mut self) -> [f64; 4] {
        loop {
            let q: [f64; 4] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&norm) {
                return q.map(|x| x / norm);
            }
        }
    }
}
