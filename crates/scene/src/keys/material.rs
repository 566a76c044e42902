//! `[materials.NAME]`: what bodies and walls are made of. The engine checks the numbers.

use crate::form::{Any, Number, table};
use crate::units::Density;

table! {
    /// A material.
    Material {
        /// Density.
        density: f64 => Number<Density, Any>, required, "2500";
        properties Material;
    }
}
