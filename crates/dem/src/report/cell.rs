//! What the engine tells of a periodic cell that deforms.

/// A periodic cell that deforms, at the present instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellReport {
    /// Of x, y and z, m.
    pub lengths: [f64; 3],
    /// L̇/L of each, 1/s.
    pub rates: [f64; 3],
    /// Pressure along each axis that contacts carry, by Love and Weber, Pa; compression is positive. An axis that holds a pressure
    /// sees this and the kinetic one together.
    pub contact_pressure: [f64; 3],
    /// Pressure along each axis that peculiar velocities carry, Pa.
    pub kinetic_pressure: [f64; 3],
}

impl CellReport {
    /// Both pressures together, Pa.
    pub fn pressure(&self) -> [f64; 3] {
        core::array::from_fn(|axis| self.contact_pressure[axis] + self.kinetic_pressure[axis])
    }
}
