//! `[[walls]]`: surfaces, what they are made of, and how they move. The engine checks the geometry.

use super::bodies::check_corners;
use super::free_wall::{Slides, Turns};
use super::heat::TemperatureAt;
use super::timing::timed;
use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Context, FilePath, ListOf, MaterialName, Number, Numbers, Positive, Text, Vector,
    ZeroOrMore, table,
};
use crate::units::{Angle, AngularSpeed, Frequency, Length, Ratio, Speed, Temperature, Time};
use std::path::PathBuf;
use tumble_dem::wall::{MeshOptions, Side};

table! {
    /// A surface that bodies touch.
    Wall {
        one_of ["plane", "box", "cylinder", "cone", "mesh"];
        at_most_one_of ["slides", "turns"];
        at_most_one_of ["temperature", "temperature_table"];
        check check_wall;

        /// Its name in messages and output.
        name: String => Text, required, "\"floor\"";
        /// The name of a material; may be left out where the scene has only one.
        material: String => MaterialName, optional, "\"steel\"";
        /// A plane, solid behind.
        plane: Plane => Plane, optional, "{ point = [0, 0, 0], normal = [0, 0, 1] }";
        /// A closed box around the bodies.
        enclosure ("box"): Box => Box, optional, "{ low = [0, 0, 0], high = [1, 1, 1] }";
        /// A tube or a rod.
        cylinder: Cylinder => Cylinder, optional, "{ point = [0, 0, 0], axis = [0, 1, 0], radius = 0.1 }";
        /// A hopper or a solid cone.
        cone: Cone => Cone, optional, "{ from = [0, 0, 0], to = [0, 0, 0.15], radii = [0.01, 0.1] }";
        /// Triangles, from an STL file or listed.
        mesh: Mesh => Mesh, optional, "{ file = \"hopper.stl\", scale = 0.001 }";
        /// How it moves: rotations in the order given, then the sum of the translations.
        motion: Vec<MotionPart> => ListOf<MotionPart>, default Vec::new(), "[{ spin = { axis = [0, 1, 0], rate = \"30 rpm\" } }]";
        /// Instead: how it slides by itself, as bodies and a force push it.
        slides: Slides => Slides, optional, "{ along = [0, 0, -1], mass = \"2 kg\", force = \"100 N\" }";
        /// Instead: how it turns by itself, as bodies and a torque push it.
        turns: Turns => Turns, optional, "{ axis = [0, 1, 0], inertia = \"0.01 kg m^2\" }";
        /// How warm it is, whatever flows through it; an insulator if absent. Only with `heat`.
        temperature: f64 => Positive<Temperature>, optional, "\"80 °C\"";
        /// Instead: how warm it is from time to time, linear in between.
        temperature_table: Vec<TemperatureAt> => ListOf<TemperatureAt, 1>, optional, "[{ time = 0, value = \"20 °C\" }, { time = \"10 s\", value = \"80 °C\" }]";
        /// When it appears; from the beginning on it is there if absent. A run with bodies in the place of a wall that appears stops.
        appears: f64 => Positive<Time>, optional, "\"0.5 s\"";
        /// When it vanishes; never if absent.
        vanishes: f64 => Positive<Time>, optional, "\"2 s\"";
    }
}

fn check_wall(wall: &Wall, context: &mut Context<'_>) {
    if wall.name.trim().is_empty() {
        let message = format!("`{}.name` is blank", context.path());
        context
            .report(Problem::error(wall.places.of("name"), message).label("messages and output need a name"));
    }
    if let (Some(appears), Some(vanishes)) = (wall.appears, wall.vanishes)
        && vanishes <= appears
    {
        let message = format!("`{}.vanishes` must be after it appears", context.path());
        let label = format!("{vanishes} s is not after {appears} s");
        context.report(Problem::error(wall.places.of("vanishes"), message).label(label));
    }
    let free = ["slides", "turns"].into_iter().find(|key| wall.places.has(key));
    if let Some(free) = free.filter(|_| !wall.motion.is_empty()) {
        let message = format!("`{}` has both `motion` and `{free}`", context.path());
        let label = "a wall moves as prescribed, or by itself";
        context.report(Problem::error(wall.places.key("motion"), message).label(label));
    }
    if let Some(slides) = &wall.slides {
        check_drive(slides, context);
    }
    if let Some(turns) = &wall.turns
        && turns.mass.is_some() != turns.centre.is_some()
    {
        let [given, missing] = if turns.mass.is_some() { ["mass", "centre"] } else { ["centre", "mass"] };
        let message = format!("`{}.turns.{given}` says nothing without `{missing}`", context.path());
        let label = "gravity pulls at a mass in its centre";
        context.report(Problem::error(turns.places.key(given), message).label(label));
    }
}

/// A wall that slides is driven by a force, or by a pressure on an area.
fn check_drive(slides: &Slides, context: &mut Context<'_>) {
    let path = context.path();
    let said = |key: &str, message: String, label: &str| {
        Problem::error(slides.places.key(key), message).label(label.to_owned())
    };
    let problem = match (slides.force, slides.pressure, slides.area) {
        (Some(_), Some(_), _) => Some(said(
            "pressure",
            format!("`{path}.slides` has a force and a pressure"),
            "one of them is enough",
        )),
        (_, Some(_), None) => {
            let message = format!("`{path}.slides.pressure` needs `area`");
            Some(said("pressure", message, "force = pressure x area: add area = \"...\""))
        }
        (_, None, Some(_)) => {
            let message = format!("`{path}.slides.area` says nothing without `pressure`");
            Some(said("area", message, "no pressure acts on it"))
        }
        _ => None,
    };
    if let Some(problem) = problem {
        context.report(problem);
    }
}

table! {
    /// A plane.
    Plane {
        /// A point of it.
        point: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// The direction into the free space, of any length.
        normal: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 0, 1]";
    }
}

table! {
    /// A closed box along the axes.
    Box {
        check check_box;

        /// Lower corner.
        low: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Upper corner.
        high: [f64; 3] => Vector<Number<Length, Any>>, required, "[1, 1, 1]";
    }
}

fn check_box(enclosure: &Box, context: &mut Context<'_>) {
    check_corners(enclosure.low, enclosure.high, &enclosure.places, context);
}

table! {
    /// A circular cylinder.
    Cylinder {
        /// A point on the axis; the first end of a finite one.
        point: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Direction of the axis, of any length.
        axis: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 1, 0]";
        /// Radius.
        radius: f64 => Positive<Length>, required, "\"10 cm\"";
        /// Where the bodies are.
        side: Side => Choice<Side>, default Side::Inside, "\"inside\"";
        /// Length from the point along the axis; endless if absent. A finite tube has no caps.
        length: f64 => Positive<Length>, optional, "\"20 cm\"";
    }
}

table! {
    /// A cone cut at two ends.
    Cone {
        /// Centre of the first end.
        from: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Centre of the second end.
        to: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0.15]";
        /// Radii of the two ends; one may be zero.
        radii: [f64; 2] => Numbers<ZeroOrMore<Length>, 2>, required, "[0.01, 0.1]";
        /// Where the bodies are.
        side: Side => Choice<Side>, default Side::Inside, "\"inside\"";
    }
}

table! {
    /// A surface of triangles.
    Mesh {
        one_of ["file", "triangles"];

        /// STL file, text or binary; relative to the scene.
        file: PathBuf => FilePath, optional, "\"hopper.stl\"";
        /// The triangles themselves: x, y and z of three corners each.
        triangles: Vec<[f64; 9]> => ListOf<Numbers<Number<Length, Any>, 9>, 1>, optional, "[[0, 0, 0, 1, 0, 0, 0, 1, 0]]";
        /// Metres per unit of the file: 0.001 for a drawing in millimetres.
        scale: f64 => Positive<Ratio>, default 1.0, "0.001";
        /// Corners nearer than this are one.
        weld_distance: f64 => ZeroOrMore<Length>, default MeshOptions::default().weld_distance, "\"1 um\"";
        /// Neighbours whose planes differ by less than this make one flat face.
        flat_angle: f64 => ZeroOrMore<Angle>, default MeshOptions::default().flat_angle, "\"0.1 deg\"";
        /// How far corners may be from where they were meant; single precision is assumed at least.
        coordinate_error: f64 => ZeroOrMore<Length>, default MeshOptions::default().coordinate_error, "\"1 um\"";
    }
}

table! {
    /// A part of a motion.
    MotionPart {
        one_of ["drift", "vibrate", "spin", "rock"];

        /// Steady translation.
        drift: Drift => Drift, optional, "{ velocity = [0, 0, 0.01] }";
        /// Oscillating translation.
        vibrate: Vibrate => Vibrate, optional, "{ amplitude = [0, 0, 0.001], frequency = 50 }";
        /// Steady rotation.
        spin: Spin => Spin, optional, "{ axis = [0, 1, 0], rate = \"30 rpm\" }";
        /// Oscillating rotation.
        rock: Rock => Rock, optional, "{ axis = [0, 1, 0], amplitude = \"20 deg\", frequency = 1 }";
    }
}

timed! {
    /// Displacement `velocity · t`.
    Drift {
        one_of [],

        /// Velocity.
        velocity: [f64; 3] => Vector<Number<Speed, Any>>, required, "[0, 0, 0.01]";
    }
}

timed! {
    /// Displacement `amplitude · sin(2π · frequency · t + phase)`.
    Vibrate {
        one_of [],

        /// One way from the middle.
        amplitude: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, \"1 mm\"]";
        /// Oscillations per second.
        frequency: f64 => Positive<Frequency>, required, "\"50 Hz\"";
        /// Phase at the start.
        phase: f64 => Number<Angle, Any>, default 0.0, "\"90 deg\"";
    }
}

timed! {
    /// Turned by the angle `rate · t`.
    Spin {
        one_of [],

        /// Direction of the axis, of any length; the right-hand rule gives the sense.
        axis: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 1, 0]";
        /// A point on the axis.
        pivot: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, 0]";
        /// Angular speed.
        rate: f64 => Number<AngularSpeed, Any>, required, "\"30 rpm\"";
    }
}

timed! {
    /// Turned by the angle `amplitude · sin(2π · frequency · t + phase)`.
    Rock {
        one_of [],

        /// Direction of the axis, of any length; the right-hand rule gives the sense.
        axis: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 1, 0]";
        /// A point on the axis.
        pivot: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, 0]";
        /// One way from the middle.
        amplitude: f64 => Number<Angle, Any>, required, "\"20 deg\"";
        /// Oscillations per second.
        frequency: f64 => Positive<Frequency>, required, "\"1 Hz\"";
        /// Phase at the start.
        phase: f64 => Number<Angle, Any>, default 0.0, "\"90 deg\"";
    }
}

#[cfg(test)]
mod tests {
    use super::Wall;
    use crate::form::Table;
    use tumble_dem::wall::ShapeKind;

    #[test]
    fn every_shape_of_the_engine_is_one_of_the_keys() {
        let names: Vec<&str> = ShapeKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(Wall::info().one_of, [names]);
        assert!(
            ShapeKind::ALL.iter().all(|kind| Wall::info().keys.iter().any(|key| key.name == kind.name()))
        );
    }
}
