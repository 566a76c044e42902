//! `[[measures]]`: what is measured while a run goes on.
//!
//! A measure has keys of its own kind; which those are, the list of kinds says (`tumble_measure::MeasureKind`).

use super::Every;
use super::output::EveryForm;
use super::shape::{Ball, Disc, Tube};
use super::wall::{Box, Mesh, Plane};
use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Context, ListOf, MaterialName, Number, Numbers, Positive, TemplateName, Text, Vector, Whole,
    table,
};
use crate::place::Places;
use crate::suggest::listed;
use crate::units::{Area, Length, Ratio};
use tumble_dem::placement::SizeMeasure;
use tumble_measure::{Key, MeasureKind};

table! {
    /// Something that is measured: columns of `measures.csv`.
    Measure {
        check check_measure;

        /// What it is called: letters, digits, `-` and `_`. Columns are named after it.
        name: String => Text, required, "\"outflow\"";
        /// What is measured.
        kind: MeasureKind => Choice<MeasureKind>, required, "\"contents\"";
        /// How often it looks: a time, or a number of steps; about 500 times in the whole run if absent.
        every: Every => EveryForm, optional, "\"1 ms\"";
        /// Time or number of steps over which its samples are averaged, for a row each; without, every sample is a row.
        window: Every => EveryForm, optional, "\"50 ms\"";
        /// Where it looks; everywhere if absent.
        region: MeasureRegion => MeasureRegion, optional, "{ box = { low = [0, 0, 0], high = [1, 1, 1] } }";
        /// The surface that bodies go through.
        through: Through => Through, optional, "{ plane = { point = [0, 0, 0.1], normal = [0, 0, -1] } }";
        /// Names of the walls that are meant.
        walls: Vec<String> => ListOf<Text, 1>, optional, "[\"drum\"]";
        /// Direction of the axis of a torque, z if absent, or of the shear of a box, x if absent; of any length.
        axis: [f64; 3] => Vector<Number<Ratio, Any>>, optional, "[0, 1, 0]";
        /// A point on that axis; the origin if absent.
        point: [f64; 3] => Vector<Number<Length, Any>>, optional, "[0, 0, 0]";
        /// The sort of bodies whose mixing with all others is measured.
        of: Share => Share, optional, "{ larger_than = \"5 mm\" }";
        /// Which length of a body its size is; `volume` if absent.
        size: SizeMeasure => Choice<SizeMeasure>, optional, "\"sieve\"";
        /// Cells along x, y and z that the box around the region is cut into; 5 each if absent.
        cells: [u64; 3] => Numbers<Whole<1, 1000>, 3>, optional, "[10, 1, 10]";
        /// Strips or rings of a profile; 10 if absent.
        bins: u64 => Whole<2, 1000>, optional, "20";
        /// Direction of a profile, across `up`; rings about the middle of the region if absent.
        along: [f64; 3] => Vector<Number<Ratio, Any>>, optional, "[1, 0, 0]";
        /// The direction in which heights are counted; against gravity if absent.
        up: [f64; 3] => Vector<Number<Ratio, Any>>, optional, "[0, 0, 1]";
        /// What forces are divided by to be stresses: the area of the plane that is sheared.
        area: f64 => Positive<Area>, optional, "\"36 cm^2\"";
    }
}

/// A name that can be part of that of a file or a column.
pub(super) fn check_name(name: &str, places: &Places, why: &str, context: &mut Context<'_>) {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || !name.chars().all(fits) {
        let message = format!("`{}.name` must be made of letters, digits, - and _", context.path());
        context.report(Problem::error(places.of("name"), message).label(why));
    }
}

fn check_measure(measure: &Measure, context: &mut Context<'_>) {
    let (places, path) = (&measure.places, context.path());
    check_name(&measure.name, places, "columns are named after it", context);
    let info = measure.kind.info();
    for key in Key::ALL.map(Key::name) {
        let is = |keys: &[Key]| keys.iter().any(|other| other.name() == key);
        match (places.has(key), is(info.needs), is(info.takes)) {
            (false, true, _) => {
                let message = format!("`{path}` needs the key `{key}`");
                let example =
                    <Measure as crate::form::Table>::info().keys.iter().find(|info| info.name == key);
                context.report(
                    Problem::error(places.of("kind"), message)
                        .label(format!("measures of kind `{}` do", info.name))
                        .maybe_help(example.map(|info| format!("for example {key} = {}", info.example))),
                );
            }
            (true, false, false) => {
                let message = format!("`{path}.{key}` has no meaning for a measure of kind `{}`", info.name);
                let known: Vec<&str> = info.needs.iter().chain(info.takes).map(|key| key.name()).collect();
                let help = if known.is_empty() {
                    "it has no keys of its own".to_owned()
                } else {
                    format!("keys of this kind: {}", listed(known))
                };
                context.report(Problem::error(places.key(key), message).label("not a key of it").help(help));
            }
            _ => {}
        }
    }
}

table! {
    /// A part of space.
    MeasureRegion {
        one_of ["box", "cylinder", "sphere", "mesh"];

        /// A box along the axes.
        enclosure ("box"): Box => Box, optional, "{ low = [0, 0, 0], high = [1, 1, 1] }";
        /// A cylinder between two ends.
        cylinder: Tube => Tube, optional, "{ from = [0, 0, 0], to = [0, 0, 0.2], radius = \"5 cm\" }";
        /// A sphere.
        sphere: Ball => Ball, optional, "{ centre = [0, 0, 0], radius = \"5 cm\" }";
        /// The inside of a closed surface from an STL file; its place is where it was drawn.
        mesh: Mesh => Mesh, optional, "{ file = \"chamber.stl\", scale = 0.001 }";
    }
}

table! {
    /// A surface that bodies go through.
    Through {
        one_of ["plane", "disc", "mesh"];

        /// An endless plane; along its normal counts as positive.
        plane: Plane => Plane, optional, "{ point = [0, 0, 0.1], normal = [0, 0, -1] }";
        /// A disc; along its normal counts as positive.
        disc: Disc => Disc, optional, "{ centre = [0, 0, 0.1], normal = [0, 0, -1], radius = \"2 cm\" }";
        /// Triangles from an STL file; corners that are seen counterclockwise have the normal towards the eye.
        mesh: Mesh => Mesh, optional, "{ file = \"gate.stl\" }";
    }
}

table! {
    /// Bodies of one sort.
    Share {
        one_of ["template", "material", "larger_than"];

        /// Those of this template.
        template: String => TemplateName, optional, "\"rod\"";
        /// Those of this material.
        material: String => MaterialName, optional, "\"glass\"";
        /// Those whose sphere of the same volume has a larger diameter than this.
        larger_than: f64 => Positive<Length>, optional, "\"5 mm\"";
    }
}
