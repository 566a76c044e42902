//! `[templates.NAME]`: shapes made of spheres, capsules, ellipsoids, boxes and hulls.

use super::ShapeName;
use super::how::{Orientation, OrientationForm};
use super::shape::check_length;
use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Context, FilePath, Form, Kind, ListOf, Number, Numbers, Positive, ToleranceForm, Vector,
    Whole, table,
};
use crate::shapes;
use crate::tree::{Node, Value};
use crate::units::{FifthPower, Length, Ratio, Volume};
use crate::written::Written;
use std::path::PathBuf;
use tumble_dem::clump::{ClumpFormat, ClumpHull, HullProblem};
use tumble_dem::physics::ellipsoid::MOST_SLENDER;
use tumble_shape::Tolerance;

table! {
    /// A shape that bodies share: built in, from a clump file, from lists of spheres, capsules, ellipsoids, boxes and hulls, or from a triangle mesh.
    Template {
        some_of ["shape", "file", "spheres", "capsules", "ellipsoids", "boxes", "hulls", "mesh"];
        at_most_one_of ["shape", "file", "spheres", "mesh"];
        at_most_one_of ["capsules", "mesh"];
        at_most_one_of ["ellipsoids", "mesh"];
        at_most_one_of ["boxes", "mesh"];
        at_most_one_of ["hulls", "mesh"];
        at_most_one_of ["boxes", "ellipsoids"];
        at_most_one_of ["hulls", "ellipsoids"];
        check check_template;

        /// A built-in shape, at its usual size unless the parameters below say otherwise.
        shape: ShapeName => Choice<ShapeName>, optional, "\"rod\"";
        /// A clump file with a sphere on each line; relative to the scene.
        file: PathBuf => FilePath, optional, "\"rod.clump\"";
        /// Centre and radius of each sphere: x, y, z, r.
        spheres: Vec<[f64; 4]> => ListOf<Numbers<Number<Length, Any>, 4>, 1>, optional, "[[0, 0, 0, 0.005], [0.008, 0, 0, 0.005]]";
        /// Capsules: smooth rods, alone or beside the spheres of a shape, a file or a list.
        capsules: Vec<Capsule> => ListOf<Capsule, 1>, optional, "[{ from = [0, 0, 0], to = [\"20 mm\", 0, 0], radius = \"1 mm\" }]";
        /// Ellipsoids: lentils, seeds, sweets, alone or beside other pieces.
        ellipsoids: Vec<Ellipsoid> => ListOf<Ellipsoid, 1>, optional, "[{ semi_axes = [\"4 mm\", \"3 mm\", \"2 mm\"] }]";
        /// Boxes with rounded edges: dice, bricks, plates, alone or beside other pieces that are no ellipsoids.
        boxes: Vec<Cuboid> => ListOf<Cuboid, 1>, optional, "[{ size = [\"16 mm\", \"16 mm\", \"16 mm\"], rounding = \"2 mm\" }]";
        /// Convex polyhedra with rounded edges: stones, wedges, prisms, alone or beside other pieces that are no ellipsoids.
        hulls: Vec<Hull> => ListOf<Hull, 1>, optional, "[{ corners = [[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]], rounding = \"1 mm\" }]";
        /// A closed triangle mesh, STL, OBJ or PLY, for which spheres are found; relative to the scene. They are kept beside it.
        mesh: PathBuf => FilePath, optional, "\"rock.stl\"";
        /// Meshes: the largest distance between the two surfaces, a part of the size or a length.
        surface: Tolerance => ToleranceForm, optional, "\"3%\"";
        /// Meshes: how many spheres there may be.
        spheres_max: u64 => Whole<1, 5_000>, optional, "200";
        /// Meshes: no sphere is smaller, a part of the size or a length.
        smallest_radius: Tolerance => ToleranceForm, optional, "\"5%\"";
        /// Format of the clump file.
        format: Option<ClumpFormat> => Choice<Option<ClumpFormat>>, default None, "\"auto\"";
        /// Size relative to the shape, file, mesh, spheres or other pieces as they stand: 0.001 for a file in millimetres.
        scale: f64 => Positive<Ratio>, default 1.0, "0.001";
        /// How mass follows from the pieces.
        mass: Mass => MassForm, default Mass::Union, "\"union\"";
        /// Built-in shapes: number of spheres in a rod.
        count: u64 => Whole<1, 10_000>, optional, "3";
        /// Built-in shapes: number of spheres of each arm of a cross.
        arm: u64 => Whole<1, 10_000>, optional, "3";
        /// Built-in shapes: radius of the spheres.
        radius: f64 => Positive<Length>, optional, "\"5 mm\"";
        /// Built-in shapes: distance between the centres of neighbours in a rod or cross.
        spacing: f64 => Positive<Length>, optional, "\"10 mm\"";
        /// Built-in shapes: width of a T-handle.
        width: f64 => Positive<Length>, optional, "\"40 mm\"";
        /// Built-in shapes: edge of a tetrahedron.
        edge: f64 => Positive<Length>, optional, "\"8 mm\"";
        /// Built-in shapes: height of a chess piece.
        height: f64 => Positive<Length>, optional, "\"95 mm\"";
    }
}

table! {
    /// A capsule of a template: all that is within its radius of a segment.
    Capsule {
        check check_capsule;

        /// The middle of the half sphere at one end.
        from: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// The middle of that at the other.
        to: [f64; 3] => Vector<Number<Length, Any>>, required, "[\"20 mm\", 0, 0]";
        /// Radius.
        radius: f64 => Positive<Length>, required, "\"1 mm\"";
    }
}

table! {
    /// An ellipsoid of a template.
    Ellipsoid {
        check check_ellipsoid;

        /// Half of its length, width and height, along x, y and z. None is more than five times as long as another.
        semi_axes: [f64; 3] => Numbers<Positive<Length>, 3>, required, "[\"4 mm\", \"3 mm\", \"2 mm\"]";
        /// Its centre.
        centre: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, \"3 mm\"]";
        /// How its semi-axes are turned from x, y and z: a quaternion w, x, y, z, or an axis and an angle.
        orientation: Orientation => OrientationForm, default Orientation::Fixed([1.0, 0.0, 0.0, 0.0]), "{ axis = [0, 1, 0], angle = \"30 deg\" }";
    }
}

table! {
    /// A box of a template, with rounded edges and corners.
    Cuboid {
        check check_box;

        /// Its length, width and height along x, y and z, from one flat side to the other.
        size: [f64; 3] => Numbers<Positive<Length>, 3>, required, "[\"16 mm\", \"16 mm\", \"16 mm\"]";
        /// Radius of its edges and corners: less than half of its shortest side, and no less than a two hundredth of its longest.
        rounding: f64 => Positive<Length>, required, "\"2 mm\"";
        /// Its centre.
        centre: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, \"3 mm\"]";
        /// How it is turned: a quaternion w, x, y, z, or an axis and an angle.
        orientation: Orientation => OrientationForm, default Orientation::Fixed([1.0, 0.0, 0.0, 0.0]), "{ axis = [0, 1, 0], angle = \"30 deg\" }";
    }
}

table! {
    /// A convex polyhedron of a template, with rounded edges and corners: all that is within the rounding of the convex hull of its corners.
    Hull {
        check check_hull;

        /// Its corners before they are rounded, which are the middles of the spheres there. At least four, each of which sticks out.
        corners: Vec<[f64; 3]> => ListOf<Vector<Number<Length, Any>>, 4>, required, "[[0, 0, 0], [0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]]";
        /// Radius of its edges and corners, which is added all around: no less than a two hundredth of its longest edge.
        rounding: f64 => Positive<Length>, required, "\"1 mm\"";
    }
}

impl Template {
    /// The parameters of built-in shapes that are given.
    pub(crate) fn parameters(&self) -> Vec<(&'static str, f64)> {
        #[allow(clippy::cast_precision_loss, reason = "at most 10 000")]
        let whole = |number: Option<u64>| number.map(|number| number as f64);
        let all = [
            ("count", whole(self.count)),
            ("arm", whole(self.arm)),
            ("radius", self.radius),
            ("spacing", self.spacing),
            ("width", self.width),
            ("edge", self.edge),
            ("height", self.height),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

fn check_template(template: &Template, context: &mut Context<'_>) {
    let path = context.path();
    let takes: &[&str] = template.shape.map_or(&[], |shape| shapes::parameters(shape.name()));
    for (name, _) in template.parameters() {
        if takes.contains(&name) {
            continue;
        }
        let problem =
            Problem::error(template.places.key(name), format!("`{path}.{name}` has no meaning here"));
        context.report(match template.shape {
            None => problem.label("only built-in shapes have it"),
            Some(shape) => problem
                .label(format!("the shape `{}` has no such parameter", shape.name()))
                .help(format!("its parameters: {}", crate::suggest::listed(takes.iter().copied()))),
        });
    }
    for name in ["surface", "spheres_max", "smallest_radius"] {
        if template.places.has(name) && template.mesh.is_none() {
            let problem =
                Problem::error(template.places.key(name), format!("`{path}.{name}` has no meaning here"));
            context.report(problem.label("only a `mesh` has it"));
        }
    }
    if template.format.is_some() && template.file.is_none() {
        let problem =
            Problem::error(template.places.key("format"), format!("`{path}.format` has no meaning here"));
        context.report(problem.label("only a clump `file` has a format"));
    }
}

fn check_capsule(capsule: &Capsule, context: &mut Context<'_>) {
    check_length([capsule.from, capsule.to], &capsule.places, context);
}

fn check_ellipsoid(ellipsoid: &Ellipsoid, context: &mut Context<'_>) {
    let [a, b, c] = ellipsoid.semi_axes;
    let path = context.path();
    if a.max(b).max(c) > MOST_SLENDER * a.min(b).min(c) * (1.0 + 1e-12) {
        let message = format!("`{path}` has a semi-axis more than {MOST_SLENDER} times as long as another");
        context.report(
            Problem::error(ellipsoid.places.key("semi_axes"), message)
                .help("for a rod, `capsules`; for a plate, a clump of spheres"),
        );
    }
    if ellipsoid.orientation == Orientation::Random {
        let message = format!("`{path}.orientation` cannot be random: it is the same in all bodies");
        context.report(
            Problem::error(ellipsoid.places.key("orientation"), message)
                .help("bodies have an `orientation` of their own, which can be random"),
        );
    }
}

fn check_box(cuboid: &Cuboid, context: &mut Context<'_>) {
    let path = context.path();
    let shortest = cuboid.size.into_iter().fold(f64::INFINITY, f64::min);
    if 2.0 * cuboid.rounding >= shortest {
        let message = format!(
            "`{path}` has a rounding of half of its shortest side or more, which leaves no flat sides"
        );
        context.report(
            Problem::error(cuboid.places.key("rounding"), message)
                .help("`size` is measured over the rounding; for a rod with round ends, `capsules`"),
        );
    } else if let Err(problem) = ClumpHull::cuboid(cuboid.size, cuboid.rounding).surface() {
        context.report(Problem::error(cuboid.places.key("rounding"), format!("`{path}` {problem}")));
    }
    if cuboid.orientation == Orientation::Random {
        let message = format!("`{path}.orientation` cannot be random: it is the same in all bodies");
        context.report(
            Problem::error(cuboid.places.key("orientation"), message)
                .help("bodies have an `orientation` of their own, which can be random"),
        );
    }
}

fn check_hull(hull: &Hull, context: &mut Context<'_>) {
    let path = context.path();
    if let Err(problem) = ClumpHull::new(&hull.corners, hull.rounding).surface() {
        let key = if matches!(problem, HullProblem::Rounding | HullProblem::Sharp) {
            "rounding"
        } else {
            "corners"
        };
        context.report(Problem::error(hull.places.key(key), format!("`{path}` {problem}")));
    }
}

/// How mass follows from the pieces.
#[derive(Clone, Debug, PartialEq)]
pub enum Mass {
    /// A homogeneous body that fills the union of the pieces.
    Union,
    /// Every piece has its own mass, overlaps count twice.
    Sum,
    /// Given in numbers.
    Given(GivenMass),
}

table! {
    /// The mass of the body that the pieces stand for, in the frame they are given in. For `scale` 1.
    GivenMass {
        /// Volume.
        volume: f64 => Positive<Volume>, required, "\"2 cm^3\"";
        /// Centre of mass.
        centre: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, 0]";
        /// Tensor of inertia about the centre of mass divided by the density: xx, yy, zz, yz, xz, xy.
        inertia: [f64; 6] => Numbers<Number<FifthPower, Any>, 6>, required, "[2e-11, 5e-11, 6e-11, 0, 0, 0]";
    }
}

pub(crate) struct MassForm;

impl Form for MassForm {
    type Value = Mass;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Kind::Word("union"), Kind::Word("sum"), GivenMass::kind()])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Mass> {
        match &node.value {
            Value::Text(text) if text == "union" => Some(Mass::Union),
            Value::Text(text) if text == "sum" => Some(Mass::Sum),
            Value::Table(_) => GivenMass::read(node, context).map(Mass::Given),
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &Mass) -> Written {
        match value {
            Mass::Union => Written::Text("union".to_owned()),
            Mass::Sum => Written::Text("sum".to_owned()),
            Mass::Given(given) => GivenMass::write(given),
        }
    }
}
