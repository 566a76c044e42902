//! A length that is given as such, or as a part of the size of a mesh.

use crate::Solid;

/// How far something may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// So many hundredths of the size of the mesh.
    Percent(f64),
    /// m
    Metres(f64),
}

impl Tolerance {
    /// What it is for this mesh, m.
    pub fn metres(self, solid: &Solid) -> f64 {
        match self {
            Self::Percent(percent) => percent / 100.0 * solid.size(),
            Self::Metres(length) => length,
        }
    }
}
