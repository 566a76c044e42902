//! `[[stages]]`: what happens one after the other, and what each of them changes.

use super::{Drag, Field, MotionPart, Region, SceneKeys, StageOutput, Wall};
use crate::diagnostic::Problem;
use crate::form::{
    Any, Context, Flag, ListOf, MaterialName, Named, Number, Positive, Switch, Switched, Text, Vector, Whole,
    ZeroOrMore, table,
};
use crate::suggest::{listed, nearest};
use crate::units::{Acceleration, Energy, Force, Mass, Ratio, Speed, Time, Torque};
use std::collections::BTreeMap;
use tumble_dem::wall::USUAL_RAMP;

table! {
    /// A part of a run. What it changes stays so in those that follow, until one of them changes it again.
    Stage {
        one_of ["duration", "until"];

        /// Its name in messages and results.
        name: String => Text, required, "\"fill\"";
        /// How long it lasts.
        duration: f64 => Positive<Time>, optional, "\"1 s\"";
        /// Instead: what has to come about.
        until: Until => Until, optional, "{ speed_below = \"1 mm/s\", longest = \"2 s\" }";
        /// How long walls and fields take to pass from what they did before to what this stage says; 0 for a jump.
        ramp: f64 => ZeroOrMore<Time>, default USUAL_RAMP, "\"0.2 s\"";
        /// Walls that it changes, by name.
        walls: Vec<(String, StageWall)> => Named<StageWall>, default Vec::new(), "{ gate = { present = false } }";
        /// Acceleration of gravity from here on.
        gravity: [f64; 3] => Vector<Number<Acceleration, Any>>, optional, "[0, 0, -9.81]";
        /// Time step from here on.
        dt: f64 => Positive<Time>, optional, "\"5 us\"";
        /// What happens between every two materials from here on, those with entries of their own among them; what is left out stays.
        pair: StageEveryPair => StageEveryPair, optional, "{ friction = 0.1 }";
        /// What happens between two particular materials from here on; what is left out stays.
        pairs: Vec<StagePair> => ListOf<StagePair>, default Vec::new(), "[{ between = [\"glass\", \"steel\"], friction = 0.2 }]";
        /// The fluid that drags bodies from here on, as a whole; `false` for none.
        drag: Switched<Drag> => Switch<Drag>, optional, "{ viscosity = 1.8e-5 }";
        /// Prescribed forces from here on, all of them; their times count from the beginning of the stage. They start, and those that were there before end, within `ramp`.
        fields: Vec<Field> => ListOf<Field>, optional, "[{ uniform = { acceleration = [1, 0, 0] } }]";
        /// How often things are written from here on.
        output: StageOutput => StageOutput, optional, "{ trajectory = { every = \"1 ms\" } }";
    }
}

table! {
    /// How a stage changes a wall.
    StageWall {
        /// How it moves from here on, beginning where it is; times count from the beginning of the stage. An empty list brings it to rest.
        motion: Vec<MotionPart> => ListOf<MotionPart>, optional, "[{ drift = { velocity = [0, 0, 0.1] } }]";
        /// The force that drives a wall that slides by itself from here on; it passes to it from what it was within `ramp`.
        force: f64 => Number<Force, Any>, optional, "\"200 N\"";
        /// The torque that drives a wall that turns by itself from here on, likewise.
        torque: f64 => Number<Torque, Any>, optional, "\"1 N m\"";
        /// Whether it is there from here on.
        present: bool => Flag, optional, "false";
    }
}

table! {
    /// How a stage changes what happens between every two materials.
    StageEveryPair {
        properties Pair;
    }
}

table! {
    /// How a stage changes what happens between two particular materials.
    StagePair {
        check check_pair;

        /// The names of the two materials; twice the same for a material with itself.
        between: Vec<String> => ListOf<MaterialName>, required, "[\"glass\", \"steel\"]";
        properties Pair;
    }
}

table! {
    /// What ends a stage.
    Until {
        one_of ["speed_below", "kinetic_energy_below", "bodies_above", "bodies_below", "mass_above", "mass_below", "measure"];
        check check_until;

        /// No body is faster than this.
        speed_below: f64 => Positive<Speed>, optional, "\"1 mm/s\"";
        /// All bodies together have less kinetic energy than this.
        kinetic_energy_below: f64 => Positive<Energy>, optional, "\"1 uJ\"";
        /// There are more bodies than this in the `region`, by their centres of mass.
        bodies_above: u64 => Whole<0, 1_000_000_000>, optional, "100";
        /// There are fewer bodies than this in the `region`.
        bodies_below: u64 => Whole<1, 1_000_000_000>, optional, "100";
        /// Bodies in the `region` have more mass than this.
        mass_above: f64 => ZeroOrMore<Mass>, optional, "\"50 g\"";
        /// Bodies in the `region` have less mass than this.
        mass_below: f64 => Positive<Mass>, optional, "\"50 g\"";
        /// A measure and its column, such as `"outflow.mass_rate"`: its newest value is `above` or `below` a number, or `steady`.
        measure: String => Text, optional, "\"outflow.mass_rate\"";
        /// What the `measure` has to be above, in its unit.
        above: f64 => Number<Ratio, Any>, optional, "0.5";
        /// What the `measure` has to be below, in its unit.
        below: f64 => Number<Ratio, Any>, optional, "0.01";
        /// By which part of their mean the values of the `measure` may differ that were looked at in the time `over`.
        steady: f64 => Positive<Ratio>, optional, "0.02";
        /// The time over which a `measure` has to be steady.
        over: f64 => Positive<Time>, optional, "\"0.2 s\"";
        /// Where bodies count; everywhere if absent.
        region: Region => Region, optional, "{ low = [0, 0, 0], high = [1, 1, 0.1] }";
        /// How long the stage lasts at the longest. If that ends it, the run says so.
        longest: f64 => Positive<Time>, required, "\"5 s\"";
        /// How long it lasts at the least: bodies that are let go of are at rest at first.
        shortest: f64 => ZeroOrMore<Time>, default 0.0, "\"0.1 s\"";
        /// Steps from one look to the next.
        every: u64 => Whole<1, 1_000_000_000>, default 100, "1000";
    }
}

fn check_until(until: &Until, context: &mut Context<'_>) {
    let path = context.path();
    if until.shortest > until.longest {
        let message = format!("`{path}.shortest` must not be longer than `longest`");
        let label = format!("{} s is longer than {} s", until.shortest, until.longest);
        context.report(Problem::error(until.places.of("shortest"), message).label(label));
    }
    let limits = [("above", until.above), ("below", until.below), ("steady", until.steady)];
    let given: Vec<&str> = limits.iter().filter(|(_, limit)| limit.is_some()).map(|(key, _)| *key).collect();
    if given.len() != usize::from(until.measure.is_some()) {
        let place = given.last().map_or(until.places.of("measure"), |key| until.places.key(key));
        let message = format!(
            "`{path}` needs `above`, `below` or `steady`, one of them, with `measure`, and none without"
        );
        context.report(Problem::error(place, message));
    }
    if until.steady.is_some() != until.over.is_some() {
        let message = format!("`{path}` needs both `steady` and `over`, or neither");
        let there = if until.over.is_some() { "over" } else { "steady" };
        let label = "how little a measure changes, and over which time";
        context.report(Problem::error(until.places.key(there), message).label(label));
    }
    if until.region.is_some() && !counts(until) {
        let message = format!("`{path}.region` has no meaning here: it is for numbers and masses of bodies");
        context.report(Problem::error(until.places.key("region"), message));
    }
}

/// Whether bodies are counted or weighed.
fn counts(until: &Until) -> bool {
    until.bodies_above.is_some()
        || until.bodies_below.is_some()
        || until.mass_above.is_some()
        || until.mass_below.is_some()
}

fn check_pair(pair: &StagePair, context: &mut Context<'_>) {
    if pair.between.len() != 2 {
        let message = format!("`{}.between` must name two materials", context.path());
        let label = format!("this has {}", pair.between.len());
        context.report(Problem::error(pair.places.of("between"), message).label(label));
    }
}

/// Names of stages and walls, which only the whole scene knows.
pub(super) fn check_stages(scene: &SceneKeys, context: &mut Context<'_>) {
    check_streams(scene, context);
    if scene.stages.is_empty() && scene.run.ends.is_some() {
        let message = "`run.ends` has no meaning in a scene without stages";
        let problem = Problem::error(scene.run.places.key("ends"), message).label("there is no last stage");
        context.report(problem.help("how long such a run is, `run.duration` says"));
    }
    let mut seen = BTreeMap::new();
    for (number, stage) in scene.stages.iter().enumerate() {
        let place = stage.places.of("name");
        if stage.name.trim().is_empty() {
            let message = format!("`stages.{number}.name` is blank");
            context.report(Problem::error(place, message).label("messages and results need a name"));
        }
        if let Some(first) = seen.insert(stage.name.as_str(), place) {
            let message = format!("two stages have the name `{}`", stage.name);
            context.report(Problem::error(place, message).label("the second").related(first, "the first"));
        }
        check_walls(scene, number, stage, context);
        check_output(scene, number, stage, context);
        if let Some(gravity) = scene.gravity_table.as_ref().and(stage.gravity) {
            let message = format!("`stages.{number}.gravity` has no meaning beside `gravity_table`");
            let label = format!("the table says what gravity is, not {gravity:?}");
            context.report(Problem::error(stage.places.key("gravity"), message).label(label));
        }
    }
}

/// Streams name stages that there are.
fn check_streams(scene: &SceneKeys, context: &mut Context<'_>) {
    let names = || scene.stages.iter().map(|stage| stage.name.as_str());
    for (number, stream) in scene.streams.iter().enumerate() {
        for name in stream.stages.iter().flatten() {
            if !names().any(|known| known == name) {
                let message = format!("`streams.{number}.stages`: there is no stage `{name}`");
                let problem = Problem::error(stream.places.of("stages"), message).label("unknown");
                let problem = problem
                    .maybe_help(nearest(name, names()).map(|meant| format!("did you mean `{meant}`?")));
                let known = if scene.stages.is_empty() {
                    "this scene has no stages".to_owned()
                } else {
                    format!("the stages of this scene: {}", listed(names()))
                };
                context.report(problem.help(known));
            }
        }
    }
}

fn check_walls(scene: &SceneKeys, number: usize, stage: &Stage, context: &mut Context<'_>) {
    let names = || scene.walls.iter().map(|wall| wall.name.as_str());
    for (name, wall) in &stage.walls {
        let place = wall.places.table();
        if !names().any(|known| known == name) {
            let message = format!("`stages.{number}.walls`: there is no wall `{name}`");
            let problem = Problem::error(place, message).label("unknown");
            let problem =
                problem.maybe_help(nearest(name, names()).map(|meant| format!("did you mean `{meant}`?")));
            context.report(problem.help(format!("the walls of this scene: {}", listed(names()))));
        } else if wall.motion.is_none() && wall.present.is_none() && wall.force.or(wall.torque).is_none() {
            let message = format!("`stages.{number}.walls.{name}` changes nothing");
            let label = "what can change: motion, or force or torque of one that moves by itself, present";
            context.report(Problem::warning(place, message).label(label));
        }
        if let Some(changed) = scene.walls.iter().find(|changed| changed.name == *name) {
            check_drive(changed, &format!("stages.{number}.walls.{name}"), wall, context);
        }
    }
}

/// Walls that move by themselves are driven, all others have motions.
fn check_drive(wall: &Wall, path: &str, change: &StageWall, context: &mut Context<'_>) {
    let free = wall.slides.is_some() || wall.turns.is_some();
    let wrong = [
        (
            "motion",
            change.motion.is_some() && free,
            "it moves by itself; what can change: its drive, present",
        ),
        ("force", change.force.is_some() && wall.slides.is_none(), "only a wall with `slides` has one"),
        ("torque", change.torque.is_some() && wall.turns.is_none(), "only a wall with `turns` has one"),
    ];
    for (key, _, label) in wrong.into_iter().filter(|(_, wrong, _)| *wrong) {
        let message = format!("`{path}.{key}`: the wall `{}` has none", wall.name);
        context.report(Problem::error(change.places.key(key), message).label(label));
    }
}

/// A stage says how often something is written; whether it is, the scene says.
fn check_output(scene: &SceneKeys, number: usize, stage: &Stage, context: &mut Context<'_>) {
    let Some(output) = &stage.output else { return };
    for (key, given, written) in output.series(&scene.output) {
        if given.is_some() && !written {
            let message = format!("`stages.{number}.output.{key}`: this scene does not write that");
            let problem = Problem::error(output.places.key(key), message).label("nothing to change");
            context.report(problem.help(format!("switch it on for the whole run: output.{key} = true")));
        }
    }
}
