//! `[materials.NAME]`: what bodies and walls are made of. The engine checks the numbers.

use crate::form::{Any, Number, PositiveOrInfinite, table};
use crate::units::{Density, Pressure, Ratio, Stiffness};

table! {
    /// A material.
    Material {
        /// Density.
        density: f64 => Number<Density, Any>, required, "2500";
        /// Young's modulus; `inf` for a rigid material. The Hertzian laws need it.
        young: f64 => PositiveOrInfinite<Pressure>, optional, "\"60 GPa\"";
        /// Poisson's ratio, above −1 and at most 0.5. The Hertzian laws need it.
        poisson: f64 => Number<Ratio, Any>, optional, "0.25";
        /// Stiffness of a contact of this material with itself; `inf` for a rigid one. The linear law needs it.
        stiffness: f64 => PositiveOrInfinite<Stiffness>, optional, "\"100 kN/m\"";
        /// Tangential over normal stiffness in the linear law.
        stiffness_ratio: f64 => Number<Ratio, Any>, default 2.0 / 7.0, "0.2857142857142857";
    }
}
