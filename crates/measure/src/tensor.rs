//! Symmetric tensors as sums of products.

use tumble_dem::LabVec;

/// xx, yy, zz, xy, xz, yz.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sum(pub(crate) [f64; 6]);

impl Sum {
    /// Adds the symmetric part of a ⊗ b.
    pub(crate) fn add(&mut self, a: LabVec<f64>, b: LabVec<f64>) {
        let mixed = |a1: f64, b1: f64, a2: f64, b2: f64| 0.5 * (a1 * b2 + a2 * b1);
        let product = [
            a.x * b.x,
            a.y * b.y,
            a.z * b.z,
            mixed(a.x, b.x, a.y, b.y),
            mixed(a.x, b.x, a.z, b.z),
            mixed(a.y, b.y, a.z, b.z),
        ];
        self.0.iter_mut().zip(product).for_each(|(sum, part)| *sum += part);
    }

    pub(crate) fn scaled(self, factor: f64) -> Self {
        Self(self.0.map(|part| part * factor))
    }

    /// A third of the trace.
    pub(crate) fn mean(self) -> f64 {
        (self.0[0] + self.0[1] + self.0[2]) / 3.0
    }

    /// √(3/2 s:s), s being the tensor without its mean.
    pub(crate) fn deviator(self) -> f64 {
        let mean = self.mean();
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let square = |number: f64| number * number;
        let diagonal = square(xx - mean) + square(yy - mean) + square(zz - mean);
        (1.5 * (diagonal + 2.0 * (square(xy) + square(xz) + square(yz)))).sqrt()
    }
}
