//! The numbers of a case, declared once: the table people read, and the fields that theory and simulation use.

/// A number that a case is set up with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the code, by which [`Case::run_spoilt`](super::Case::run_spoilt) knows it.
    pub name: &'static str,
    /// What it is.
    pub meaning: &'static str,
    /// In SI units.
    pub value: f64,
    /// The unit; empty for a pure number.
    pub unit: &'static str,
}

/// The values of a case's parameters in the order of their list, once for theory and once for the simulation.
///
/// The two are the same, unless somebody asks whether the check can fail.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// What the exact values are computed from.
    pub theory: Vec<f64>,
    /// What the engine is given.
    pub simulation: Vec<f64>,
}

/// Declares `Setup`, the parameters of a case as fields, and `Setup::PARAMETERS`, the same as a table:
///
/// ```ignore
/// setup! {
///     /// Radius of both spheres
///     radius: 0.01, "m";
/// }
/// ```
macro_rules! setup {
    ($($(#[doc = $meaning:literal])+ $name:ident: $value:expr, $unit:literal;)+) => {
        /// The numbers of this case.
        #[derive(Clone, Copy, Debug)]
        struct Setup {
            $($name: f64,)+
        }

        impl Setup {
            const PARAMETERS: &'static [$crate::verify::Parameter] = &[$($crate::verify::Parameter {
                name: stringify!($name),
                meaning: concat!($($meaning),+).trim_ascii(),
                value: $value,
                unit: $unit,
            }),+];

            /// From values in the order of the list.
            fn of(values: &[f64]) -> Self {
                let mut values = values.iter().copied();
                // A number that is missing must not go unnoticed: no finding passes with NaN.
                Self { $($name: values.next().unwrap_or(f64::NAN),)+ }
            }
        }
    };
}
pub(super) use setup;
