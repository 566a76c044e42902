//! What a parallel bond's stiffnesses and limits are taken from: a disc of cement.

use super::{Limits, Stiffness};
use core::f64::consts::PI;

/// A disc of cement between two bodies, as D. O. Potyondy and P. A. Cundall, Int. J. Rock Mech. Min. Sci. 41 (2004) 1329 have it. With A = πR̄²,
/// I = πR̄⁴/4 and J = 2I it resists by
///
/// | axial c_A | shear c_D | bending c_B | twist c_T |
/// | --- | --- | --- | --- |
/// | k̄ₙA | k̄ₛA | k̄ₙI | k̄ₛJ |
///
/// ```
/// use tumble_dem::bond::ParallelBond;
/// // Of 72 GPa between two grains of 1 mm, as wide as they are.
/// let disc = ParallelBond::of_modulus(72e9, 2.5, 2e-3, 1e-3);
/// let bond = disc.stiffness();
/// assert!((bond.axial / bond.shear - 2.5).abs() < 1e-12);
/// assert!((bond.bending / bond.twist - 1.25).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelBond {
    /// k̄ₙ, Pa/m.
    pub normal: f64,
    /// k̄ₛ, Pa/m.
    pub shear: f64,
    /// R̄, m.
    pub radius: f64,
}

impl ParallelBond {
    /// Of a cement of this modulus (Pa): k̄ₙ is the modulus over the length of the bond (m), which is the sum of the radii of two grains that touch,
    /// and k̄ₛ that over `ratio`.
    pub fn of_modulus(young: f64, ratio: f64, length: f64, radius: f64) -> Self {
        let normal = young / length;
        Self { normal, shear: normal / ratio, radius }
    }

    /// A = πR̄², m².
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }

    /// I = πR̄⁴/4, m⁴.
    pub fn second_moment(&self) -> f64 {
        0.25 * self.area() * self.radius * self.radius
    }

    /// How it resists.
    pub fn stiffness(&self) -> Stiffness {
        let (area, moment) = (self.area(), self.second_moment());
        Stiffness {
            axial: self.normal * area,
            shear: self.shear * area,
            bending: self.normal * moment,
            twist: self.shear * 2.0 * moment,
        }
    }

    /// What it bears: the greatest tensile and shear stress at its rim, Pa; infinite where it never breaks. Pull and bending, and shear and twist, add
    /// up to these.
    pub fn limits(&self, tension: f64, shear: f64) -> Limits {
        let (area, section) = (self.area(), self.second_moment() / self.radius);
        Limits {
            tension: tension * area,
            shear: shear * area,
            bending: tension * section,
            twist: shear * 2.0 * section,
        }
    }
}
