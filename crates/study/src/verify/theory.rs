//! Closed forms that several cases share: collisions of spheres, and findings against them.

use core::f64::consts::PI;
use tumble_report::{Band, Finding};

/// A head-on elastic collision as Hertz has it, from effective quantities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hertz {
    /// E*, Pa.
    pub(super) modulus: f64,
    /// R*, m.
    pub(super) radius: f64,
    /// m*, kg.
    pub(super) mass: f64,
    /// Closing speed, m/s.
    pub(super) speed: f64,
}

impl Hertz {
    /// 2∫₀¹ dx/√(1 − x^{5/2}) = 2√π Γ(7/5)/Γ(9/10): the duration over deepest overlap by speed.
    const DURATION: f64 = 2.943_275_184_324_706;

    /// The deepest overlap, m: ½m*v² = 8/15 E*√R* δ^{5/2}.
    pub(super) fn overlap(&self) -> f64 {
        let energy = 0.5 * self.mass * self.speed * self.speed;
        (energy / (8.0 / 15.0 * self.modulus * self.radius.sqrt())).powf(0.4)
    }

    /// The force at an overlap, N.
    pub(super) fn force_at(&self, overlap: f64) -> f64 {
        4.0 / 3.0 * self.modulus * (self.radius * overlap).sqrt() * overlap
    }

    /// The largest force, N.
    pub(super) fn force(&self) -> f64 {
        self.force_at(self.overlap())
    }

    /// How long the spheres touch, s.
    pub(super) fn duration(&self) -> f64 {
        Self::DURATION * self.overlap() / self.speed
    }
}

impl Hertz {
    /// Force over time, from touch to parting, as points.
    ///
    /// With the overlap δ(1 − u²) energy conservation gives dt = δ/v 2u du/√(1 − (1 − u²)^{5/2}), which has no
    /// singularity: the midpoint rule will do.
    pub(super) fn pulse(&self) -> Vec<(f64, f64)> {
        const PIECES: u32 = 200;
        let (deepest, width) = (self.overlap(), 1.0 / f64::from(PIECES));
        let force = |u: f64| self.force_at(deepest * (1.0 - u * u));
        let mut time = 0.0;
        let mut points = vec![(0.0, 0.0)];
        for piece in 0..PIECES {
            let end = 1.0 - width * f64::from(piece + 1);
            let u = end + 0.5 * width;
            let square = 1.0 - u * u;
            time += deepest / self.speed * 2.0 * u * width / (1.0 - square * square * square.sqrt()).sqrt();
            points.push((time, force(end)));
        }
        let back: Vec<_> = points.iter().rev().skip(1).map(|&(t, f)| (2.0 * time - t, f)).collect();
        points.extend(back);
        points
    }
}

/// A contact as Johnson, Kendall & Roberts have it, from effective quantities.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jkr {
    /// E*, Pa.
    pub(super) modulus: f64,
    /// R*, m.
    pub(super) radius: f64,
    /// W, J/m².
    pub(super) work: f64,
}

impl Jkr {
    /// The overlap without force over [`length`](Self::length): 3^{4/3} − 2·3^{1/3} times (π/2)^{2/3}.
    pub(super) const EQUILIBRIUM: f64 = 1.948_888_544_860;
    /// The gap at the tear-off, likewise: 3/2·2^{−1/3} times (π/2)^{2/3}.
    pub(super) const TEAR_OFF: f64 = 1.608_772_047_833;
    /// The work from touch to the tear-off over (W⁵R⁴/E*²)^{1/3}; 7.09 in Thornton & Ning 1998.
    const TORN: f64 = 7.092_195_971_817;

    /// (W²R/E*²)^{1/3}, m.
    pub(super) fn length(&self) -> f64 {
        let Self { modulus, radius, work } = self;
        (work * work * radius / (modulus * modulus)).cbrt()
    }

    /// 3/2 πWR, N.
    pub(super) fn pull_off(&self) -> f64 {
        1.5 * PI * self.work * self.radius
    }

    /// J.
    pub(super) fn torn(&self) -> f64 {
        Self::TORN * self.work * self.radius * self.length()
    }

    /// Overlap and force of a contact area of this radius.
    fn of_area(&self, a: f64) -> (f64, f64) {
        let Self { modulus, radius, work } = self;
        let overlap = a * a / radius - (2.0 * PI * work * a / modulus).sqrt();
        (overlap, 4.0 * modulus * a.powi(3) / (3.0 * radius) - (8.0 * PI * work * modulus * a.powi(3)).sqrt())
    }

    /// The smallest area: that of the tear-off, where the overlap is least.
    fn smallest(&self) -> f64 {
        (PI * self.work * self.radius * self.radius / (8.0 * self.modulus)).cbrt()
    }

    /// The force at an overlap, N, by bisection for the area.
    pub(super) fn force_at(&self, overlap: f64) -> f64 {
        let (mut low, mut high) = (self.smallest(), self.radius);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if self.of_area(middle).0 < overlap {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.of_area(high).1
    }

    /// Overlap and force from so many [lengths](Self::length) of overlap to the tear-off.
    pub(super) fn curve(&self, from: f64) -> Vec<(f64, f64)> {
        let smallest = self.smallest();
        let areas = (0..1000).rev().map(|i| smallest * (1.0 + 0.01 * f64::from(i)));
        areas.map(|a| self.of_area(a)).filter(|(overlap, _)| *overlap < from * self.length()).collect()
    }
}

/// The number near 1 from which on something is true, within 10⁻³ of it, to 10⁻⁸; it is false below.
pub(super) fn threshold<E>(mut is: impl FnMut(f64) -> Result<bool, E>) -> Result<f64, E> {
    let (mut low, mut high) = (0.999, 1.001);
    for _ in 0..18 {
        let middle = 0.5 * (low + high);
        if is(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(0.5 * (low + high))
}

/// How far a sphere sinks into a plane under a load, m, with Hertz's spring.
pub(super) fn hertz_sinkage(modulus: f64, radius: f64, load: f64) -> f64 {
    (0.75 * load / (modulus * radius.sqrt())).powf(2.0 / 3.0)
}

/// 4/3 π ρ R³, kg.
pub(super) fn sphere_mass(density: f64, radius: f64) -> f64 {
    4.0 / 3.0 * PI * density * radius.powi(3)
}

/// E* of two bodies of the same material, Pa.
pub(super) fn same_material(young: f64, poisson: f64) -> f64 {
    0.5 * against_rigid(young, poisson)
}

/// E* against a rigid body, Pa.
pub(super) fn against_rigid(young: f64, poisson: f64) -> f64 {
    young / (1.0 - poisson * poisson)
}

/// A number that should equal an exact one.
pub(super) fn equals(
    what: impl Into<String>,
    exact: f64,
    ours: f64,
    tolerance: f64,
    reason: &str,
) -> Finding {
    Finding::new(what, exact, ours, Band::Relative(tolerance), reason)
}

/// An error, whose exact value is zero.
pub(super) fn at_most(what: impl Into<String>, ours: f64, bound: f64, reason: &str) -> Finding {
    Finding::alone(what, ours, Band::AtMost(bound), reason)
}

/// The largest number, or NaN if there is one.
pub(super) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b })
}

/// |ours/exact − 1|
pub(super) fn relative_error(ours: f64, exact: f64) -> f64 {
    (ours / exact - 1.0).abs()
}

/// The slope of the straight line through the logarithms of errors at steps that halve from one to the next.
pub(super) fn order_of(errors: &[f64]) -> f64 {
    let middle = 0.5 * (errors.len() as f64 - 1.0);
    let (mut above, mut below) = (0.0, 0.0);
    for (i, error) in errors.iter().enumerate() {
        let x = i as f64 - middle;
        above -= x * error.log2();
        below += x * x;
    }
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two collisions whose numbers Chung & Ooi 2011 and other codes state.
    #[test]
    fn hertz_gives_the_published_numbers() {
        let glass = Hertz {
            modulus: same_material(48e9, 0.2),
            radius: 0.005,
            mass: 0.5 * sphere_mass(2800.0, 0.01),
            speed: 20.0,
        };
        let aluminium = Hertz {
            modulus: against_rigid(70e9, 0.3),
            radius: 0.1,
            mass: sphere_mass(2699.0, 0.1),
            speed: 0.2,
        };
        let published =
            [[2.741_127_02e-4, 10_696.889, 40.339_455_7e-6], [4.971_717_52e-5, 11_369.858, 731.656_641e-6]];
        for (hertz, published) in [glass, aluminium].iter().zip(published) {
            for (ours, theirs) in
                [hertz.overlap(), hertz.force(), hertz.duration()].into_iter().zip(published)
            {
                assert!(relative_error(ours, theirs) < 1e-7, "{ours:e} {theirs:e}");
            }
            let pulse = hertz.pulse();
            let peak = pulse[pulse.len() / 2];
            assert!(relative_error(pulse[pulse.len() - 1].0, hertz.duration()) < 1e-5);
            assert!(relative_error(peak.0, 0.5 * hertz.duration()) < 1e-5);
            assert!(relative_error(peak.1, hertz.force()) < 1e-12);
        }
    }

    #[test]
    fn orders_and_the_largest() {
        assert!((order_of(&[16.0, 4.0, 1.0, 0.25]) - 2.0).abs() < 1e-15);
        assert!(largest([1.0, f64::NAN, 3.0]).is_nan());
        assert!((largest([-1.0, -3.0]) + 1.0).abs() < 1e-15);
    }
}
