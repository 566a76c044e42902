//! The parameters of the engine's built-in shapes: their names, and the shape with some of them changed.
//!
//! They are keys of a template in a scene; [`Shape::read`] reads them for programs that need a shape and no scene, with the same
//! units, limits and messages.

use crate::diagnostic::{Diagnostics, Problem};
use crate::form::{Context, Form, Names};
use crate::keys::Template;
use crate::place::Place;
use crate::text::SceneText;
use crate::tree;
use std::sync::Arc;
use tumble_dem::clump::ClumpSphere;
use tumble_dem::clump::shapes::{self, chess};

/// A built-in shape with parameters.
///
/// ```
/// use tumble_scene::{SceneText, Shape};
/// let rod = Shape::read(SceneText::new("rod", "shape = \"rod\"\ncount = 7\nradius = \"2 mm\"\n"))?;
/// assert_eq!(rod.spheres().len(), 7);
///
/// let wrong = Shape::read(SceneText::new("rod", "shape = \"rod\"\nedge = 7\n")).unwrap_err();
/// assert!(wrong.to_string().contains("its parameters: count, radius, spacing"));
/// # Ok::<(), tumble_scene::Diagnostics>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape(Vec<ClumpSphere>);

impl Shape {
    /// The shape that a text describes: `shape` and its parameters, as in a table of `[templates]`. Messages name keys under the
    /// name of the text.
    pub fn read(text: SceneText) -> Result<Self, Diagnostics> {
        let text = Arc::new(text);
        let (root, mut problems) = tree::parse(&text);
        let names = Names::default();
        let mut context = Context::new(&names, &mut problems);
        let template = context.within(&text.name, |context| Template::read(&root, context));
        let name = template.as_ref().and_then(|template| template.shape);
        match (template, name) {
            (Some(template), Some(shape)) if problems.is_empty() => {
                Ok(Self(spheres(shape.name(), &template.parameters())))
            }
            _ => {
                if problems.is_empty() {
                    let message = format!("`{}.shape` must be the name of a built-in shape", text.name);
                    problems.push(Problem::error(Place::default(), message));
                }
                Err(Diagnostics::of(text, problems))
            }
        }
    }

    /// Its spheres, m.
    pub fn spheres(&self) -> &[ClumpSphere] {
        &self.0
    }

    /// The parameters of a built-in shape, and what they are where nothing is said: numbers, or lengths in m. Empty if there
    /// is no such shape.
    pub fn parameters(shape: &str) -> impl Iterator<Item = (&'static str, f64)> {
        let family = FAMILIES.iter().find(|family| family.shape == shape);
        family
            .into_iter()
            .flat_map(|family| family.parameters.iter().zip(family.usual))
            .map(|(&name, &usual)| (name, usual))
    }

    /// Whether the union of spheres can be integrated in a reasonable time, as scenes ask of their templates.
    pub fn is_integrable(spheres: &[ClumpSphere]) -> bool {
        tumble_dem::clump::is_integrable(spheres)
    }
}

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
