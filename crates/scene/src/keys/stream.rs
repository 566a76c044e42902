//! `[[streams]]` and `[[outlets]]`: what comes in during a run, and what is taken out.

use super::bodies::{MOST_BODIES, Make, check_corners, check_make, population};
use super::how::{OrientationForm, ScaleForm, VelocityForm};
use super::shape::{Ball, Disc, Tube, check_normal};
use super::{Orientation, RandomSpin, RandomVelocity, Scale, Size, Velocity};
use crate::diagnostic::Problem;
use crate::form::{
    Any, Choice, Context, FilePath, Form, Kind, ListOf, MaterialName, Number, Positive, Row, TemplateName,
    Text, Vector, Whole, ZeroOrMore, table,
};
use crate::tree::{Node, Value};
use crate::units::{
    AngularSpeed, Frequency, Length, Mass, MassRate, Measure, Ratio, Speed, Temperature, Time, Volume,
};
use crate::written::Written;
use core::marker::PhantomData;
use std::path::PathBuf;
use tumble_dem::placement::By;

population! {
    /// Bodies that are put in during the run, wherever there is room in a region.
    Stream {
        check_stream,
        one_of [["region", "cylinder", "disc", "surface"], ["rate", "mass_rate"]],

        /// A box, in which bodies start with all their spheres.
        region: Region => Region, optional, "{ low = [0, 0, 0.9], high = [1, 1, 1] }";
        /// Instead: a cylinder, in which bodies start with all their spheres.
        cylinder: Tube => Tube, optional, "{ from = [0, 0, 0.9], to = [0, 0, 1], radius = \"10 cm\" }";
        /// Instead: a flat disc, on which bodies start with their centre of mass; seen along its normal they are within it.
        disc: Disc => Disc, optional, "{ centre = [0, 0, 1], normal = [0, 0, 1], radius = \"10 cm\" }";
        /// Instead: any surface, on which bodies start with their centre of mass.
        surface: Surface => Surface, optional, "{ file = \"chute.stl\", scale = 0.001 }";
        /// Bodies per second: a number, or rows of a time from `start` on and a rate, linear between two rows and as in the first or the last beyond.
        rate: Pouring => PouringForm<Frequency>, optional, "[[0, 0], [\"1 s\", 100], [\"3 s\", 0]]";
        /// Instead: mass per second, in the same ways.
        mass_rate: Pouring => PouringForm<MassRate>, optional, "\"2 kg/s\"";
        /// When it begins.
        start: f64 => ZeroOrMore<Time>, default 0.0, "\"0.1 s\"";
        /// When it ends; with the run if absent.
        stop: f64 => Positive<Time>, optional, "\"2 s\"";
        /// The names of the stages in which it pours, where the scene has stages; in all of them if absent. Its `start` and `stop` count the time in these.
        stages: Vec<String> => ListOf<Text, 1>, optional, "[\"fill\"]";
        /// How many bodies at most.
        count: u64 => Whole<1, MOST_BODIES>, optional, "1000";
        /// Which mass at most, to within half a body.
        mass: f64 => Positive<Mass>, optional, "\"5 kg\"";
    }
}

/// How fast bodies come.
#[derive(Clone, Debug, PartialEq)]
pub enum Pouring {
    /// At this rate.
    Steady(f64),
    /// At rates by time, s.
    Table(Vec<(f64, f64)>),
}

/// A rate, or rows of a time and a rate.
pub(crate) struct PouringForm<U>(PhantomData<U>);

type RateRows<U> = ListOf<Row<ZeroOrMore<Time>, ZeroOrMore<U>>, 1>;

impl<U: Measure> Form for PouringForm<U> {
    type Value = Pouring;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Positive::<U>::kind(), RateRows::<U>::kind()])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Pouring> {
        match node.value {
            Value::List(_) => RateRows::<U>::read(node, context).map(Pouring::Table),
            Value::Text(_) | Value::Integer(_) | Value::Float(_) => {
                Positive::<U>::read(node, context).map(Pouring::Steady)
            }
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &Pouring) -> Written {
        match value {
            Pouring::Steady(rate) => Written::Number(*rate),
            Pouring::Table(rows) => RateRows::<U>::write(rows),
        }
    }
}

impl Stream {
    /// The key that says where it is.
    pub(crate) fn where_key(&self) -> &'static str {
        ["cylinder", "disc", "surface"].into_iter().find(|key| self.places.has(key)).unwrap_or("region")
    }
}

table! {
    /// A box.
    Region {
        check check_region;

        /// Lower corner.
        low: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Upper corner.
        high: [f64; 3] => Vector<Number<Length, Any>>, required, "[1, 1, 1]";
    }
}

table! {
    /// A surface of triangles from a file.
    Surface {
        /// An STL file, relative to the scene.
        file: PathBuf => FilePath, required, "\"chute.stl\"";
        /// Factor on all coordinates of the file, which are in metres without.
        scale: f64 => Positive<Ratio>, default 1.0, "0.001";
    }
}

table! {
    /// A zone in which bodies are taken out and counted: those whose centre of mass is in it, held ones excepted.
    Outlet {
        one_of ["box", "cylinder", "sphere", "half_space"];

        /// What it is called in tables.
        name: String => Text, required, "\"drain\"";
        /// A box.
        region ("box"): Region => Region, optional, "{ low = [0, 0, -1], high = [1, 1, 0] }";
        /// A cylinder with its two ends.
        cylinder: Tube => Tube, optional, "{ from = [0, 0, 0], to = [0, 0, 1], radius = \"10 cm\" }";
        /// A ball.
        sphere: Ball => Ball, optional, "{ centre = [0, 0, 0], radius = \"10 cm\" }";
        /// All that is behind a plane.
        half_space: HalfSpace => HalfSpace, optional, "{ point = [0, 0, -1], normal = [0, 0, 1] }";
    }
}

table! {
    /// One side of a plane.
    HalfSpace {
        check check_half_space;

        /// Any point of the plane.
        point: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, -1]";
        /// Points away from the side that bodies leave in, as the normal of a wall does; of any length.
        normal: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 0, 1]";
    }
}

fn check_stream(stream: &Stream, context: &mut Context<'_>) {
    check_make(&stream.make(), context);
    check_pouring(stream, context);
    if let Some(stop) = stream.stop.filter(|&stop| stop <= stream.start) {
        let message = format!("`{}.stop` must be after its start", context.path());
        let label = format!("{stop} s is not after {} s", stream.start);
        context.report(Problem::error(stream.places.of("stop"), message).label(label));
    }
}

/// Rows of a table come one after the other, and something comes in some of them.
fn check_pouring(stream: &Stream, context: &mut Context<'_>) {
    let path = context.path();
    for (key, pouring) in [("rate", &stream.rate), ("mass_rate", &stream.mass_rate)] {
        let Some(Pouring::Table(rows)) = pouring else { continue };
        let place = stream.places.of(key);
        if let Some(pair) = rows.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            let message = format!("the times of `{path}.{key}` must ascend");
            let label = format!("{} s does not come after {} s", pair[1].0, pair[0].0);
            context.report(Problem::error(place, message).label(label));
        }
        if rows.iter().all(|(_, rate)| *rate <= 0.0) {
            let message = format!("`{path}.{key}` is zero in every row");
            context.report(
                Problem::error(place, message)
                    .label("nothing would come")
                    .help("for example [[0, 0], [\"1 s\", 100]]"),
            );
        }
    }
}

fn check_region(region: &Region, context: &mut Context<'_>) {
    check_corners(region.low, region.high, &region.places, context);
}

fn check_half_space(half: &HalfSpace, context: &mut Context<'_>) {
    check_normal(half.normal, &half.places, context);
}
