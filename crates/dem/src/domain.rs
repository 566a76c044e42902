//! The space that bodies move in: open or periodic along each axis.

use tumble_math::LabVec;

/// What lies beyond the end of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Axis {
    /// Nothing: bodies go on for ever.
    #[default]
    Open,
    /// The other end.
    Periodic {
        /// Lower end, m.
        low: f64,
        /// Upper end, m.
        high: f64,
    },
}

/// Three axes.
///
/// Bodies are brought back into a periodic domain when the neighbour lists are rebuilt, so between two
/// rebuilds a position may lie a little outside.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Domain {
    /// x, y and z.
    pub axes: [Axis; 3],
}

impl Domain {
    /// Open space.
    pub const fn open() -> Self {
        Self { axes: [Axis::Open; 3] }
    }

    /// Periodic along every axis.
    pub fn periodic(low: LabVec<f64>, high: LabVec<f64>) -> Self {
        let [a, b, c] = low.to_array();
        let [d, e, f] = high.to_array();
        let axis = |low, high| Axis::Periodic { low, high };
        Self { axes: [axis(a, d), axis(b, e), axis(c, f)] }
    }

    /// Whether any axis is periodic.
    pub fn is_periodic(&self) -> bool {
        self.axes.iter().any(|axis| *axis != Axis::Open)
    }

    /// The length of each axis; infinite where it is open.
    pub fn lengths(&self) -> [f64; 3] {
        self.axes.map(|axis| match axis {
            Axis::Open => f64::INFINITY,
            Axis::Periodic { low, high } => high - low,
        })
    }

    /// The image of a position inside the domain.
    pub fn wrap(&self, position: LabVec<f64>) -> LabVec<f64> {
        let mut x = position.to_array();
        for (x, axis) in x.iter_mut().zip(self.axes) {
            if let Axis::Periodic { low, high } = axis {
                let length = high - low;
                *x -= ((*x - low) / length).floor() * length;
                // Rounding can put the image of −10⁻²⁰ on the upper end itself, and that of 10³⁰ anywhere.
                if *x >= high || *x < low {
                    *x = low;
                }
            }
        }
        LabVec::from_array(x)
    }

    /// The vector from `from` to the nearest image of `to`.
    pub fn nearest(&self, from: LabVec<f64>, to: LabVec<f64>) -> LabVec<f64> {
        let mut d = (to - from).to_array();
        for (d, length) in d.iter_mut().zip(self.lengths()) {
            if length.is_finite() {
                *d -= (*d / length).round() * length;
            }
        }
        LabVec::from_array(d)
    }
}

/// Which periodic image of the second body of a pair is meant: −1, 0 or 1 lengths along each axis, as one
/// number from 0 to 26; 13 is the body itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Image(pub(crate) u8);

impl Image {
    pub(crate) const SELF: Self = Self(13);

    pub(crate) fn new(steps: [i8; 3]) -> Self {
        let [x, y, z] = steps.map(|step| (step + 1).cast_unsigned());
        Self(x + 3 * y + 9 * z)
    }

    /// How far each image lies from the body itself.
    pub(crate) fn shifts(domain: &Domain) -> [[f64; 3]; 27] {
        let lengths = domain.lengths().map(|length| if length.is_finite() { length } else { 0.0 });
        core::array::from_fn(|image| {
            let steps = [image % 3, image / 3 % 3, image / 9];
            core::array::from_fn(|axis| (steps[axis] as f64 - 1.0) * lengths[axis])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "these sums are exact")]
    fn images_and_distances() {
        let domain = Domain {
            axes: [
                Axis::Periodic { low: -1.0, high: 3.0 },
                Axis::Open,
                Axis::Periodic { low: 0.0, high: 2.0 },
            ],
        };
        let wrapped = domain.wrap(LabVec::new(3.5, 9.0, -0.25));
        assert_eq!(wrapped.to_array(), [-0.5, 9.0, 1.75]);
        assert_eq!(domain.wrap(LabVec::new(-1.0 - 1e-20, 0.0, -1e-20)).to_array(), [-1.0, 0.0, 0.0]);
        let d = domain.nearest(LabVec::new(-0.9, 0.0, 0.1), LabVec::new(2.9, 5.0, 1.9));
        assert!((d - LabVec::new(-0.2, 5.0, -0.2)).norm() < 1e-14);
        let shifts = Image::shifts(&domain);
        assert_eq!(shifts[usize::from(Image::SELF.0)], [0.0; 3]);
        assert_eq!(shifts[usize::from(Image::new([1, 0, -1]).0)], [4.0, 0.0, -2.0]);
    }
}
