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

impl Axis {
    /// The image of a coordinate between the ends: from the lower one on, below the upper one.
    #[inline(always)]
    pub(crate) fn wrap(self, x: f64) -> f64 {
        self.wrap_and_count(x).0
    }

    /// The same, and how many lengths were taken away for it.
    #[inline(always)]
    pub(crate) fn wrap_and_count(self, x: f64) -> (f64, f64) {
        match self {
            Self::Periodic { low, high } if !(low..high).contains(&x) => {
                let length = high - low;
                let turns = ((x - low) / length).floor();
                let image = x - turns * length;
                // Rounding can put the image of −10⁻²⁰ on the upper end itself, and that of 10³⁰ anywhere.
                if image >= high {
                    (low, turns + 1.0)
                } else {
                    (if image < low { low } else { image }, turns)
                }
            }
            _ => (x, 0.0),
        }
    }
}

/// How far images beyond the end of one axis are displaced along another one: all of space is filled with layers of the domain
/// that have slid over each other (Lees & Edwards 1972).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tilt {
    /// Along which they are displaced: 0, 1 or 2 for x, y or z.
    pub flow: usize,
    /// Beyond whose end they lie.
    pub gradient: usize,
    /// How far those beyond the upper end, m; at most half the length along the flow either way.
    pub by: f64,
}

impl Tilt {
    /// How far the image so many lengths beyond is displaced.
    #[inline(always)]
    fn after(&self, turns: f64) -> f64 {
        turns * self.by
    }
}

/// The periods of a domain, for two spheres of bodies that are both inside.
///
/// No two bodies can touch through two images, so those of their spheres that touch do so through the nearest image,
/// and which one that is follows from where they are now. Nobody has to remember it when a body goes round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Periods {
    lengths: [f64; 3],
    /// Half of them; infinite along open axes.
    halves: [f64; 3],
    pub(crate) any: bool,
    tilt: Option<Tilt>,
    /// How fast the space deforms, where it does.
    pub(crate) rates: Option<Rates>,
}

/// The gradient of the velocity of a space that deforms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    /// How fast each axis grows by its length, 1/s.
    pub(crate) growth: [f64; 3],
    /// Along which axis the velocity grows along which other one, and how fast, 1/s.
    pub(crate) shear: Option<(usize, usize, f64)>,
}

impl Periods {
    pub(crate) fn of(domain: &Domain) -> Self {
        let lengths = domain.lengths();
        Self {
            lengths: lengths.map(|length| if length.is_finite() { length } else { 0.0 }),
            halves: lengths.map(|length| 0.5 * length),
            any: domain.is_periodic(),
            tilt: domain.tilt,
            rates: None,
        }
    }

    /// The same where the space deforms at these rates.
    pub(crate) fn deforming(self, rates: Rates) -> Self {
        Self { rates: Some(rates), ..self }
    }

    /// What to add to the place of `b` for its image nearest to `a`. Bodies reach less than a quarter of a period beyond
    /// the ends, so one period is enough.
    #[inline(always)]
    pub(crate) fn shift(&self, a: &[f64; 4], b: &[f64; 4]) -> [f64; 3] {
        let d: [f64; 3] = core::array::from_fn(|axis| a[axis] - b[axis]);
        // Few pairs are at the ends.
        if !((d[0].abs() > self.halves[0]) | (d[1].abs() > self.halves[1]) | (d[2].abs() > self.halves[2])) {
            return [0.0; 3];
        }
        if let Some(tilt) = &self.tilt {
            return self.shift_to_layer(d, tilt);
        }
        core::array::from_fn(|axis| {
            if d[axis].abs() > self.halves[axis] { self.lengths[axis].copysign(d[axis]) } else { 0.0 }
        })
    }

    /// The same where layers are displaced: first the layer, then the image in it, which may be two lengths away. Along the gradient two
    /// that touch are nearer than half a length, so which layer it is follows from that alone.
    #[inline(never)]
    fn shift_to_layer(&self, d: [f64; 3], tilt: &Tilt) -> [f64; 3] {
        let turns: [f64; 3] = core::array::from_fn(|axis| (d[axis] / self.lengths[axis]).round());
        let mut shift: [f64; 3] = core::array::from_fn(|axis| turns[axis] * self.lengths[axis]);
        let (flow, displaced) = (tilt.flow, tilt.after(turns[tilt.gradient]));
        shift[flow] = displaced + ((d[flow] - displaced) / self.lengths[flow]).round() * self.lengths[flow];
        shift
    }
}

/// Three axes.
///
/// A body whose centre of mass leaves a periodic domain in a step is at once where it comes in again, so positions are
/// always inside.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Domain {
    /// x, y and z.
    pub axes: [Axis; 3],
    /// Only a cell that is sheared has one.
    tilt: Option<Tilt>,
}

impl Domain {
    /// Open space.
    pub const fn open() -> Self {
        Self::of([Axis::Open; 3])
    }

    /// The space of three axes.
    pub const fn of(axes: [Axis; 3]) -> Self {
        Self { axes, tilt: None }
    }

    /// Periodic along every axis.
    pub fn periodic(low: LabVec<f64>, high: LabVec<f64>) -> Self {
        let [a, b, c] = low.to_array();
        let [d, e, f] = high.to_array();
        let axis = |low, high| Axis::Periodic { low, high };
        Self::of([axis(a, d), axis(b, e), axis(c, f)])
    }

    /// The same with layers that are displaced, all of whose axes are periodic.
    pub(crate) fn tilted(self, tilt: Tilt) -> Self {
        Self { tilt: Some(tilt), ..self }
    }

    /// How far images beyond the end of one axis are displaced along another one, where they are.
    pub fn tilt(&self) -> Option<Tilt> {
        self.tilt
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

    /// The image of a position inside the domain. A position that is inside stays as it is.
    pub fn wrap(&self, position: LabVec<f64>) -> LabVec<f64> {
        let mut x = position.to_array();
        if let Some(tilt) = &self.tilt {
            let (_, turns) = self.axes[tilt.gradient].wrap_and_count(x[tilt.gradient]);
            x[tilt.flow] -= tilt.after(turns);
        }
        LabVec::from_array(core::array::from_fn(|axis| self.axes[axis].wrap(x[axis])))
    }

    /// Where a body at a position inside may be seen after it has moved by `displacement` at most: there, and where it comes in
    /// again if it leaves. As what to add to the position. Walls ask for it, which are never beside layers that are displaced.
    pub(crate) fn shifts_near(
        &self,
        position: [f64; 3],
        displacement: f64,
    ) -> impl Iterator<Item = LabVec<f64>> + Clone {
        let beyond: [f64; 3] = core::array::from_fn(|axis| match self.axes[axis] {
            Axis::Periodic { low, high } if position[axis] - low <= displacement => high - low,
            Axis::Periodic { low, high } if high - position[axis] <= displacement => low - high,
            _ => 0.0,
        });
        (0..8).filter_map(move |corner| {
            let leaves = |axis: usize| corner >> axis & 1 == 1;
            let all_can = (0..3).all(|axis| !leaves(axis) || beyond[axis] != 0.0);
            let shift = core::array::from_fn(|axis| if leaves(axis) { beyond[axis] } else { 0.0 });
            all_can.then_some(LabVec::from_array(shift))
        })
    }

    /// What to add to a position for each of its images next to the domain, itself included.
    pub fn images(&self) -> impl Iterator<Item = LabVec<f64>> {
        let lengths = self.lengths();
        // Along an open axis there is none but itself.
        let exists = move |image: usize| {
            let steps = [image % 3, image / 3 % 3, image / 9];
            (0..3).all(|axis| steps[axis] == 1 || lengths[axis].is_finite())
        };
        let images = Image::shifts(self).into_iter().enumerate();
        images.filter(move |(image, _)| exists(*image)).map(|(_, shift)| LabVec::from_array(shift))
    }

    /// The vector from `from` to the nearest image of `to`.
    pub fn nearest(&self, from: LabVec<f64>, to: LabVec<f64>) -> LabVec<f64> {
        let mut d = (to - from).to_array();
        if let Some(tilt) = &self.tilt {
            let turns = (d[tilt.gradient] / self.lengths()[tilt.gradient]).round();
            d[tilt.flow] -= tilt.after(turns);
        }
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
            let steps = [image % 3, image / 3 % 3, image / 9].map(|step| step as f64 - 1.0);
            let mut shift: [f64; 3] = core::array::from_fn(|axis| steps[axis] * lengths[axis]);
            if let Some(tilt) = &domain.tilt {
                shift[tilt.flow] += tilt.after(steps[tilt.gradient]);
            }
            shift
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "these sums are exact")]
    fn images_and_distances() {
        let domain = Domain::of([
            Axis::Periodic { low: -1.0, high: 3.0 },
            Axis::Open,
            Axis::Periodic { low: 0.0, high: 2.0 },
        ]);
        let wrapped = domain.wrap(LabVec::new(3.5, 9.0, -0.25));
        assert_eq!(wrapped.to_array(), [-0.5, 9.0, 1.75]);
        assert_eq!(domain.wrap(LabVec::new(-1.0 - 1e-20, 0.0, -1e-20)).to_array(), [-1.0, 0.0, 0.0]);
        let d = domain.nearest(LabVec::new(-0.9, 0.0, 0.1), LabVec::new(2.9, 5.0, 1.9));
        assert!((d - LabVec::new(-0.2, 5.0, -0.2)).norm() < 1e-14);
        let inside = [3.0_f64.next_down(), 8.0, 2.0_f64.next_down()];
        assert_eq!(domain.wrap(LabVec::from_array(inside)).to_array(), inside);
        let periods = Periods::of(&domain);
        assert_eq!(periods.shift(&[-0.9, 0.0, 0.1, 1.0], &[2.9, 5.0, 1.9, 1.0]), [-4.0, 0.0, -2.0]);
        assert_eq!(periods.shift(&[2.9, 5.0, 0.9, 1.0], &[-0.9, 0.0, 0.1, 1.0]), [4.0, 0.0, 0.0]);
        let near = |at| domain.shifts_near(at, 0.5).map(LabVec::to_array).collect::<Vec<_>>();
        assert_eq!(near([1.0, 0.0, 1.0]), [[0.0; 3]]);
        assert_eq!(near([-0.9, 0.0, 1.0]), [[0.0; 3], [4.0, 0.0, 0.0]]);
        let corner = [[0.0; 3], [-4.0, 0.0, 0.0], [0.0, 0.0, 2.0], [-4.0, 0.0, 2.0]];
        assert_eq!(near([2.6, 0.0, 0.2]), corner);
        let shifts = Image::shifts(&domain);
        assert_eq!(shifts[usize::from(Image::SELF.0)], [0.0; 3]);
        assert_eq!(shifts[usize::from(Image::new([1, 0, -1]).0)], [4.0, 0.0, -2.0]);
    }

    /// Layers beyond the end of z are displaced along x by half a length and a little less.
    #[test]
    #[allow(clippy::float_cmp, reason = "these sums are exact")]
    fn layers_that_are_displaced() {
        let high = LabVec::new(4.0, 2.0, 2.0);
        let tilt = Tilt { flow: 0, gradient: 2, by: 1.5 };
        let domain = Domain::periodic(LabVec::zero(), high).tilted(tilt);
        assert_eq!(domain.wrap(LabVec::new(1.0, 0.5, 2.25)).to_array(), [3.5, 0.5, 0.25]);
        assert_eq!(domain.wrap(LabVec::new(3.0, 0.5, -0.25)).to_array(), [0.5, 0.5, 1.75]);
        // No turn at all, so nothing is displaced.
        assert_eq!(domain.wrap(LabVec::new(1.0, 0.5, -1e-20)).to_array(), [1.0, 0.5, 0.0]);
        let periods = Periods::of(&domain);
        let (a, b) = ([0.25, 1.0, 1.75, 1.0], [2.5, 1.0, 0.25, 1.0]);
        // The layer above is that of b displaced by 1.5, whose image one length to the left is near a.
        assert_eq!(periods.shift(&a, &b), [-2.5, 0.0, 2.0]);
        assert_eq!(periods.shift(&b, &a), [2.5, 0.0, -2.0]);
        let at = |[x, y, z, _]: [f64; 4]| LabVec::new(x, y, z);
        assert_eq!(domain.nearest(at(a), at(b)).to_array(), [-0.25, 0.0, 0.5]);
        let shifts = Image::shifts(&domain);
        assert_eq!(shifts[usize::from(Image::new([-1, 0, 1]).0)], [-2.5, 0.0, 2.0]);
    }
}
