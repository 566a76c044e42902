//! Every key of a scene, each declared once: one file for each part of the scene.
//!
//! The structs hold a scene as it was written, with defaults filled in; nothing in them is computed.

mod bodies;
mod bond;
mod cell;
mod choices;
mod coarse;
mod contact;
mod free_wall;
mod heat;
mod how;
mod liquid;
mod material;
mod measure;
mod membrane;
mod output;
mod run;
mod shape;
mod size;
mod space;
mod stage;
mod stream;
mod template;
mod timing;
mod wall;

pub(crate) use bodies::MOST_BODIES;
pub use bodies::{Bodies, Cloud, Lattice, Make};
pub use bond::{BondKind, Bonds};
pub use cell::{AxisControl, Cell, ShearControl};
pub use choices::{Frame, ShapeName, Translation};
pub use coarse::CoarseField;
pub use contact::{Contact, Pair, PairOf};
pub use free_wall::{Slides, Turns};
pub use heat::{Heat, Surroundings, TemperatureAt};
pub use how::{AxisAngle, Orientation, RandomSpin, RandomVelocity, Scale, ScaleRange, Velocity};
pub use liquid::Liquids;
pub use material::Material;
pub use measure::{Measure, MeasureRegion, Share, Through};
pub use membrane::{Membrane, Sleeve};
pub use output::{
    Checkpoint, CheckpointEvery, CheckpointInterval, Every, Output, Series, StageOutput, StageSeries,
    StepCount, Vtk,
};
pub use run::{Run, StepFraction, TimeStep};
pub use shape::{Ball, Disc, Tube};
pub use size::{LogNormal, Normal, RosinRammler, Sieves, Size, Weibull};
pub use space::{Attraction, AxisName, Domain, Drag, Field, GravityAt, Uniform};
pub use stage::{Stage, StageEveryPair, StagePair, StageWall, Until};
pub use stream::{HalfSpace, Outlet, Pouring, Region, Stream, Surface};
pub use template::{Capsule, Cuboid, Ellipsoid, GivenMass, Hull, Mass, Template};
pub use wall::{Box, Cone, Cylinder, Drift, Mesh, MotionPart, Plane, Rock, Spin, Vibrate, Wall};

use crate::diagnostic::Problem;
use crate::form::{Any, Context, ListOf, Named, Number, Text, Vector, Whole, table};
use crate::form::{Key, Kind, Switch, Table};
use crate::units::Acceleration;
pub(crate) use how::without_turns;
pub(crate) use timing::Timed;
pub use timing::When;
use tumble_dem::World;
use tumble_dem::material::Materials;

/// The version of the format that this program reads.
pub const VERSION: u64 = 1;

table! {
    /// A scene: what is simulated, how, and what is written.
    SceneKeys {
        check check_scene;

        /// Version of the format; 1.
        version: u64 => Whole<1, 1000>, required, "1";
        /// What the scene is, in a line.
        title: String => Text, optional, "\"Glass rods settling\"";
        /// Seed of everything random: another seed, another run of the same experiment.
        seed: u64 => Whole<0, 9_007_199_254_740_991>, default 1, "7";
        /// Acceleration of gravity.
        gravity: [f64; 3] => Vector<Number<Acceleration, Any>>, default [0.0; 3], "[0, 0, -9.81]";
        /// Instead: gravity at some times, by time; linear between two of them.
        gravity_table: Vec<GravityAt> => ListOf<GravityAt, 1>, optional, "[{ time = 0, value = [0, 0, -9.81] }, { time = \"1 s\", value = [1.7, 0, -9.66] }]";
        /// Time step, length of the run, rotation scheme, threads, device.
        run: Run => Run, always, "{ dt = \"auto\", duration = \"1.5 s\" }";
        /// Contact law, rolling and twisting resistance of all pairs that do not choose their own.
        contact: Contact => Contact, always, "{ law = \"hertz-mindlin\" }";
        /// Materials by name.
        materials: Vec<(String, Material)> => Named<Material>, default Vec::new(), "{ glass = { density = 2500, young = \"60 GPa\", poisson = 0.25 } }";
        /// What happens between any two materials that have no entry in `pairs`.
        pair: Pair => Pair, always, "{ restitution = 0.9, friction = 0.3 }";
        /// What happens between two particular materials. What is left out is as in `pair` and `contact`.
        pairs: Vec<PairOf> => ListOf<PairOf>, default Vec::new(), "[{ between = [\"glass\", \"steel\"], friction = 0.2 }]";
        /// Shapes of bodies by name.
        templates: Vec<(String, Template)> => Named<Template>, default Vec::new(), "{ rod = { shape = \"rod\" } }";
        /// Bodies that are there from the start; populations are put in one after the other.
        bodies: Vec<Bodies> => ListOf<Bodies>, default Vec::new(), "[{ template = \"rod\", at = [0, 0, 0.1] }]";
        /// Elastic bonds between bodies that are there from the start.
        bonds: Vec<Bonds> => ListOf<Bonds>, default Vec::new(), "[{ gap = \"0.1 mm\", radius_ratio = 0.8, young = \"1 GPa\" }]";
        /// Pressures on nets of bodies: flexible membranes around a sample.
        membranes: Vec<Membrane> => ListOf<Membrane>, default Vec::new(), "[{ name = \"sleeve\", population = 0, pressure = \"50 kPa\" }]";
        /// Bodies that are put in during the run.
        streams: Vec<Stream> => ListOf<Stream>, default Vec::new(), "[{ template = \"rod\", rate = 100, region = { low = [0, 0, 0], high = [1, 1, 1] } }]";
        /// Zones in which bodies are taken out during the run.
        outlets: Vec<Outlet> => ListOf<Outlet>, default Vec::new(), "[{ name = \"drain\", half_space = { point = [0, 0, -1], normal = [0, 0, 1] } }]";
        /// Surfaces that bodies touch, fixed or moving.
        walls: Vec<Wall> => ListOf<Wall>, default Vec::new(), "[{ name = \"floor\", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]";
        /// What happens one after the other: each stage lasts for a while, or until something has come about, and changes what it names.
        stages: Vec<Stage> => ListOf<Stage>, default Vec::new(), "[{ name = \"fill\", duration = \"1 s\" }, { name = \"open\", duration = \"2 s\", walls = { gate = { present = false } } }]";
        /// Periodic axes; space is open without.
        domain: Domain => Domain, optional, "{ low = [0, 0, 0], high = [1, 1, 1], periodic = [\"x\", \"y\"] }";
        /// A periodic domain that deforms.
        cell: Cell => Cell, optional, "{ x = { rate = \"-0.1 1/s\" } }";
        /// A fluid that drags bodies.
        drag: Drag => Drag, optional, "{ viscosity = 1.8e-5 }";
        /// Temperatures and heat.
        heat: Heat => Heat, optional, "{ conduction = \"radius\" }";
        /// Films of liquid on bodies.
        liquid: Liquids => Liquids, optional, "{ share = 0.2 }";
        /// Prescribed forces.
        fields: Vec<Field> => ListOf<Field>, default Vec::new(), "[{ attraction = { rate = 10 } }]";
        /// What is measured while the run goes on: columns of `measures.csv`.
        measures: Vec<Measure> => ListOf<Measure>, default Vec::new(), "[{ name = \"filling\", kind = \"contents\", region = { box = { low = [0, 0, 0], high = [1, 1, 1] } } }]";
        /// Coarse-grained fields on grids: density, velocity, stress and others in the folder `fields` of the results.
        coarse_fields: Vec<CoarseField> => ListOf<CoarseField>, default Vec::new(), "[{ name = \"profile\", low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 20] }]";
        /// What is written, where, and how often.
        output: Output => Output, always, "{ vtk = { every = \"1 ms\" } }";
        /// Saved states to go on from, between that of the beginning and that of the end; `false` for none.
        checkpoint: Option<Checkpoint> => Switch<Checkpoint>, default Some(Checkpoint::default()), "{ every = { steps = 100000 } }";
    }
}

fn check_scene(scene: &SceneKeys, context: &mut Context<'_>) {
    if scene.version != VERSION {
        let message =
            format!("scenes of version {} are unknown here: this program reads version 1", scene.version);
        context.report(Problem::error(scene.places.of("version"), message).label("expected 1"));
    }
    if scene.gravity_table.is_some() && scene.gravity.iter().any(|g| g.abs() > 0.0) {
        let message = "`gravity` has no meaning beside `gravity_table`";
        context.report(Problem::error(scene.places.key("gravity"), message).label("the table says that"));
    }
    stage::check_stages(scene, context);
    let (materials, templates) = (scene.materials.len(), scene.templates.len());
    let lists = [("materials", materials, Materials::MOST), ("templates", templates, World::MOST_TEMPLATES)];
    for (key, count, most) in lists {
        if count > most {
            let message = format!("a scene can have {most} {key}, and this one has {count}");
            context.report(Problem::error(scene.places.key(key), message));
        }
    }
}

/// A step on the way to a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A key of this name.
    Key(&'static str),
    /// A name that the scene gives.
    AnyName,
    /// The number of an item of a list.
    AnyIndex,
}

/// Calls `visit` for every key there is, with the way to it, parents before children.
pub(crate) fn for_each_key(visit: &mut dyn FnMut(&[Step], &'static Key)) {
    walk(&Kind::Table(SceneKeys::info()), &mut Vec::new(), visit);
}

/// The tables that have a key of this name, as `[path]`.
pub(crate) fn tables_with(name: &str) -> Vec<String> {
    let mut tables = Vec::new();
    for_each_key(&mut |way, key| {
        if key.name == name {
            let table = match way {
                [.., _] if way.len() == 1 => "the scene itself".to_owned(),
                [table @ .., _] => format!("[{}]", shown(table)),
                [] => return,
            };
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
    });
    tables
}

/// A way as text: `materials.NAME.young`, `bodies.N.at`.
pub(crate) fn shown(way: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Key(name) => name,
        Step::AnyName => "NAME",
        Step::AnyIndex => "N",
    };
    way.iter().map(step).collect::<Vec<_>>().join(".")
}

fn walk(kind: &Kind, way: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], &'static Key)) {
    match kind {
        Kind::Table(info) => {
            for key in &info.keys {
                way.push(Step::Key(key.name));
                visit(way, key);
                walk(&key.kind(), way, visit);
                way.pop();
            }
        }
        Kind::Named(info) => {
            way.push(Step::AnyName);
            walk(&Kind::Table(info), way, visit);
            way.pop();
        }
        Kind::List { of, .. } => {
            way.push(Step::AnyIndex);
            walk(of, way, visit);
            way.pop();
        }
        Kind::AnyOf(kinds) => kinds.iter().for_each(|kind| walk(kind, way, visit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Names;
    use crate::tree;

    /// Reads a value with the form of a key and writes it; the problems if there are any.
    fn copied(key: &Key, text: &str) -> Result<String, Vec<Problem>> {
        let names = Names {
            materials: vec!["glass".to_owned(), "steel".to_owned()],
            templates: vec!["rod".to_owned(), "cross".to_owned()],
        };
        let mut problems = Vec::new();
        let node = tree::parse_value(text, 0, 0);
        let written = key.copy(&node, &mut Context::new(&names, &mut problems));
        written.filter(|_| problems.is_empty()).map(|written| written.inline()).ok_or(problems)
    }

    #[test]
    fn every_example_and_default_reads_back() {
        let mut count = 0;
        for_each_key(&mut |way, key| {
            count += 1;
            let default = key.default().map(|default| default.inline());
            for text in default.as_deref().into_iter().chain([key.example]) {
                let once =
                    copied(key, text).unwrap_or_else(|problems| panic!("{}: {problems:?}", shown(way)));
                assert_eq!(copied(key, &once), Ok(once.clone()), "{}", shown(way));
            }
            assert!(key.doc.ends_with('.') || key.doc.len() > 3, "{}", shown(way));
        });
        assert!(count > 150, "{count}");
    }
}
