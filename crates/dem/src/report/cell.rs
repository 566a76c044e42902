//! What the engine tells of a periodic cell that deforms.

use tumble_math::elementary::ln;

/// A periodic cell that deforms, at the present instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellReport {
    /// Of x, y and z, m.
    pub lengths: [f64; 3],
    /// What strains are counted from, m: the lengths when an axis that held a pressure began to be strained, or else those at the start.
    pub reference: [f64; 3],
    /// L̇/L of each, 1/s.
    pub rates: [f64; 3],
    /// γ, by how much of its way along the gradient a layer has been carried along the flow.
    pub shear: f64,
    /// γ̇, 1/s.
    pub shear_rate: f64,
    /// How far images beyond the upper end of the gradient are displaced along the flow, m; up to half the length either way.
    pub displaced: f64,
    /// Pressure that contacts carry, by Love and Weber, Pa: component of the force, then that of the way between centres. Compression
    /// is positive. An axis that holds a pressure sees its component of this and of the kinetic one together. Where bodies
    /// are not spheres it need not be symmetric until they have come to rest.
    pub contact_pressure: [[f64; 3]; 3],
    /// Pressure that peculiar velocities carry, Pa; symmetric.
    pub kinetic_pressure: [[f64; 3]; 3],
}

impl CellReport {
    /// How much shorter than at the reference each axis is, by the logarithm of the ratio: compression is positive.
    pub fn strains(&self) -> [f64; 3] {
        core::array::from_fn(|axis| -ln(self.lengths[axis] / self.reference[axis]))
    }

    /// The pressure along each axis, of contacts and motion together, Pa.
    pub fn pressure(&self) -> [f64; 3] {
        core::array::from_fn(|axis| self.component(axis, axis))
    }

    /// A component of the pressure, of contacts and motion together, Pa: a shear stress where the two axes are not the same.
    pub fn component(&self, force: usize, way: usize) -> f64 {
        self.contact_pressure[force][way] + self.kinetic_pressure[force][way]
    }
}
