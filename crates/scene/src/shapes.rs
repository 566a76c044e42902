//! The parameters of the engine's built-in shapes: their names, and the shape with some of them changed.

use tumble_dem::clump::ClumpSphere;
use tumble_dem::clump::shapes::{self, chess};

/// A built-in shape as a function of its parameters.
struct Family {
    shape: &'static str,
    parameters: &'static [&'static str],
    /// The parameters of the shape as the engine lists it.
    usual: &'static [f64],
    spheres: fn(&[f64]) -> Vec<ClumpSphere>,
}

macro_rules! families {
    ($($shape:literal: $function:path, $($parameter:literal = $usual:expr),+;)+) => {
        &[$(Family {
            shape: $shape,
            parameters: &[$($parameter),+],
            usual: &[$($usual),+],
            spheres: |values| {
                let mut values = values.iter().copied();
                // One argument for each parameter; the list is as long as that of the parameters.
                $function($(argument($parameter, values.next().unwrap_or($usual)).into()),+)
            },
        }),+]
    };
}

/// A number as the type that a shape's function takes.
struct Argument(f64);

fn argument(_parameter: &str, value: f64) -> Argument {
    Argument(value)
}

impl From<Argument> for f64 {
    fn from(argument: Argument) -> Self {
        argument.0
    }
}

impl From<Argument> for u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; counts are small")]
    fn from(argument: Argument) -> Self {
        argument.0 as Self
    }
}

const FAMILIES: &[Family] = families! {
    "sphere": shapes::sphere, "radius" = 0.005;
    "fibre": shapes::rod, "count" = 5.0, "radius" = 0.005, "spacing" = 0.005;
    "rod": shapes::rod, "count" = 3.0, "radius" = 0.005, "spacing" = 0.01;
    "t-handle": shapes::t_handle, "width" = 0.04, "radius" = 0.004;
    "tetrahedron": shapes::tetrahedron, "radius" = 0.005, "edge" = 0.008;
    "cross": shapes::cross, "arm" = 3.0, "radius" = 0.004, "spacing" = 0.004;
    "planar-cross": shapes::planar_cross, "arm" = 3.0, "radius" = 0.004, "spacing" = 0.004;
    "king": chess::king, "height" = 0.095;
    "queen": chess::queen, "height" = 0.085;
    "bishop": chess::bishop, "height" = 0.07;
    "knight": chess::knight, "height" = 0.06;
    "rook": chess::rook, "height" = 0.055;
    "pawn": chess::pawn, "height" = 0.05;
};

/// The names of the parameters of a shape.
pub(crate) fn parameters(shape: &str) -> &'static [&'static str] {
    FAMILIES.iter().find(|family| family.shape == shape).map_or(&[], |family| family.parameters)
}

/// The spheres of a shape with these parameters and its usual ones for the rest, m.
pub(crate) fn spheres(shape: &str, given: &[(&str, f64)]) -> Vec<ClumpSphere> {
    match FAMILIES.iter().find(|family| family.shape == shape) {
        Some(family) => {
            let value = |(name, usual): (&&str, &f64)| {
                given.iter().find(|(given, _)| given == name).map_or(*usual, |(_, value)| *value)
            };
            let values: Vec<f64> = family.parameters.iter().zip(family.usual).map(value).collect();
            (family.spheres)(&values)
        }
        None => shapes::named(shape).map(shapes::BuiltinShape::spheres).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_parameters_give_the_shapes_of_the_engine() {
        for shape in shapes::ALL {
            assert!(!parameters(shape.name).is_empty(), "{} has no parameters here", shape.name);
            assert_eq!(spheres(shape.name, &[]), shape.spheres(), "{}", shape.name);
        }
        assert_eq!(spheres("rod", &[("count", 7.0)]).len(), 7);
        let small = spheres("pawn", &[("height", 0.01)]);
        assert!(small.iter().all(|sphere| sphere.centre.z + sphere.radius < 0.0101));
    }
}
