//! Stages in steps, and what each of them changes.

use super::fields::{self, FieldPlan};
use super::plan::whole_steps as interval;
use super::{materials, time_step, walls};
use crate::diagnostic::Problem;
use crate::form::property::readers;
use crate::keys::{self, Every, SceneKeys};
use crate::place::Places;
use crate::suggest::{listed, nearest};
use tumble_dem::field::Drag;
use tumble_dem::material::Values;
use tumble_dem::wall::Motion;
use tumble_dem::{LabVec, PropertyOf, Rule, WallId, readable};
use tumble_measure::{Measures, Region, Spec};

/// A stage that is ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct StagePlan {
    /// Its name.
    pub name: String,
    /// What ends it.
    pub end: StageEnd,
    /// How many steps it takes, at the most.
    pub steps: u64,
    /// How long these are, s.
    pub dt: f64,
    /// How long walls take to pass from one motion to the next, s.
    pub ramp: f64,
    /// Walls that it changes.
    pub walls: Vec<WallChange>,
    /// Gravity, time step and properties of pairs that it changes.
    pub rules: Vec<Rule>,
    /// The fluid that it puts around the bodies.
    pub fluid: FluidChange,
    /// The fields that it prescribes; those that were there before stay if there are none.
    pub fields: Option<Vec<FieldPlan>>,
    /// Steps from one row or frame to the next of what it has written more or less often, if at all.
    pub output: Vec<(Series, Option<u64>)>,
    /// Which of the streams pour in it.
    pub pours: Vec<bool>,
}

/// What a stage does with the fluid around the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FluidChange {
    /// It stays.
    Stays,
    /// It is gone from here on.
    Gone,
    /// It is this from here on.
    Becomes(Drag),
}

/// What is written again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// Rows of `energy.csv`.
    Energy,
    /// Rows of `walls.csv`.
    Walls,
    /// Rows of `flows.csv`.
    Flows,
    /// Frames of the trajectory.
    Trajectory,
    /// Frames for ParaView.
    Vtk,
}

impl Series {
    /// All of them, in the order of the keys.
    const ALL: [Self; 5] = [Self::Energy, Self::Walls, Self::Flows, Self::Trajectory, Self::Vtk];

    /// Its key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Walls => "walls",
            Self::Flows => "flows",
            Self::Trajectory => "trajectory",
            Self::Vtk => "vtk",
        }
    }
}

/// What ends a stage.
#[derive(Clone, Debug, PartialEq)]
pub enum StageEnd {
    /// Its number of steps.
    Duration,
    /// Something that comes about; its number of steps at the latest.
    Until {
        /// What.
        condition: Condition,
        /// Steps from one look to the next, from the beginning of the stage on.
        every: u64,
        /// Not before so many steps.
        shortest: u64,
    },
}

/// What may come about, everywhere or in a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// No body is faster than this, m/s.
    SpeedBelow(f64),
    /// All bodies together have less kinetic energy than this, J.
    KineticEnergyBelow(f64),
    /// More bodies than this are in a region.
    BodiesAbove(u64, Option<Region>),
    /// Fewer bodies than this are in a region.
    BodiesBelow(u64, Option<Region>),
    /// Bodies of more mass than this are in a region, kg.
    MassAbove(f64, Option<Region>),
    /// Bodies of less mass than this are in a region, kg.
    MassBelow(f64, Option<Region>),
    /// The newest value of a column of a measure is above this.
    MeasureAbove(String, f64),
    /// The newest value of a column of a measure is below this.
    MeasureBelow(String, f64),
    /// The values of a column of a measure hardly change any more.
    MeasureSteady {
        /// Which.
        column: String,
        /// By which part of their mean they may differ.
        part: f64,
        /// Over so many steps.
        steps: u64,
    },
}

impl core::fmt::Display for Condition {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let place = |region: &Option<_>| if region.is_some() { " in its region" } else { "" };
        match self {
            Self::MeasureAbove(column, limit) => write!(f, "{column} is above {}", readable(*limit)),
            Self::MeasureBelow(column, limit) => write!(f, "{column} is below {}", readable(*limit)),
            Self::MeasureSteady { column, part, steps } => {
                write!(f, "{column} stays within {} of its mean for {steps} steps", readable(*part))
            }
            Self::SpeedBelow(limit) => write!(f, "no body is faster than {limit} m/s"),
            Self::KineticEnergyBelow(limit) => write!(f, "the kinetic energy is below {limit:e} J"),
            Self::BodiesAbove(limit, region) => {
                write!(f, "more than {limit} bodies are there{}", place(region))
            }
            Self::BodiesBelow(limit, region) => {
                write!(f, "fewer than {limit} bodies are there{}", place(region))
            }
            Self::MassAbove(limit, region) => write!(f, "more than {limit} kg are there{}", place(region)),
            Self::MassBelow(limit, region) => write!(f, "less than {limit} kg are there{}", place(region)),
        }
    }
}

/// How a stage changes a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct WallChange {
    /// Which.
    pub wall: WallId,
    /// Its name.
    pub name: String,
    /// How it moves from then on, with the beginning of the stage as time zero.
    pub motion: Option<Motion>,
    /// What drives it from then on, of one that moves by itself, N or N m.
    pub drive: Option<f64>,
    /// Whether it is there from then on.
    pub present: Option<bool>,
}

/// The stages of a scene; what is wrong with them is among the problems.
pub(super) fn stages(
    keys: &SceneKeys,
    mut dt: f64,
    recommended: f64,
    problems: &mut Vec<Problem>,
) -> Vec<StagePlan> {
    let mut all = Vec::with_capacity(keys.stages.len());
    for stage in &keys.stages {
        dt = stage.dt.unwrap_or(dt);
        if stage.dt.is_some() && dt > recommended {
            let message =
                format!("the time step of the stage `{}` is longer than the adviser recommends", stage.name);
            let label =
                format!("at most {recommended:.4e} s, by the bodies and speeds at the start of the run");
            problems.push(Problem::warning(stage.places.of("dt"), message).label(label));
        }
        all.extend(plan(keys, stage, dt, problems));
    }
    all
}

/// Whether there is what stages wait for, among what is measured.
pub(super) fn check_measures(
    keys: &SceneKeys,
    stages: &[StagePlan],
    measures: &[Spec],
    problems: &mut Vec<Problem>,
) {
    let known = Measures::new(measures);
    for (stage, plan) in keys.stages.iter().zip(stages) {
        let StageEnd::Until { condition, .. } = &plan.end else { continue };
        let (Condition::MeasureAbove(column, _)
        | Condition::MeasureBelow(column, _)
        | Condition::MeasureSteady { column, .. }) = condition
        else {
            continue;
        };
        if known.find(column).is_none() {
            let place =
                stage.until.as_ref().map_or(stage.places.of("until"), |until| until.places.of("measure"));
            let headers = known.headers();
            let names = || headers.iter().map(String::as_str);
            let help = if headers.is_empty() {
                "this scene measures nothing: add [[measures]]".to_owned()
            } else {
                format!("what it measures: {}", listed(names()))
            };
            let message = format!("the stage `{}`: nothing is measured as `{column}`", stage.name);
            let problem = Problem::error(place, message)
                .label("a measure and its column, such as \"outflow.mass_rate\"");
            let meant = nearest(column, names()).map(|meant| format!("did you mean `{meant}`?"));
            problems.push(problem.maybe_help(meant).help(help));
        }
    }
}

fn plan(keys: &SceneKeys, stage: &keys::Stage, dt: f64, problems: &mut Vec<Problem>) -> Option<StagePlan> {
    let mut steps =
        |time: f64, place: crate::Place| time_step::whole_steps(time, dt, place, problems).map(|n| n.max(1));
    let (end, steps) = match (&stage.until, stage.duration) {
        (Some(until), _) => {
            let longest = steps(until.longest, until.places.of("longest"))?;
            let shortest =
                if until.shortest > 0.0 { steps(until.shortest, until.places.of("shortest"))? } else { 0 };
            let over = match until.over {
                Some(over) => steps(over, until.places.of("over"))?,
                None => 0,
            };
            (StageEnd::Until { condition: condition(until, over)?, every: until.every, shortest }, longest)
        }
        (None, duration) => (StageEnd::Duration, steps(duration?, stage.places.of("duration"))?),
    };
    let change = |(name, change): &(String, keys::StageWall)| {
        let wall = keys.walls.iter().position(|wall| wall.name == *name)?;
        let wall = u32::try_from(wall).ok().map(WallId)?;
        let motion = change.motion.as_ref().and_then(|parts| {
            let made = walls::motion(parts, &|when| when.timing_in_stage(stage.ramp));
            walls::accept(made, name, change.places.of("motion"), problems)
        });
        let drive = change.force.or(change.torque);
        Some(WallChange { wall, name: name.clone(), motion, drive, present: change.present })
    };
    let walls = stage.walls.iter().filter_map(change).collect();
    let pours =
        |stream: &keys::Stream| stream.stages.as_ref().is_none_or(|names| names.contains(&stage.name));
    let pours = keys.streams.iter().map(pours).collect();
    Some(StagePlan {
        name: stage.name.clone(),
        end,
        steps,
        dt,
        ramp: stage.ramp,
        walls,
        rules: rules(keys, stage, problems),
        fluid: match &stage.drag {
            None => FluidChange::Stays,
            Some(drag) => fields::drag(drag.as_ref()).map_or(FluidChange::Gone, FluidChange::Becomes),
        },
        fields: fields::of_stage(stage, problems),
        output: output(keys, stage, dt, problems),
        pours,
    })
}

/// What a stage has written more or less often, in steps of its length.
fn output(
    keys: &SceneKeys,
    stage: &keys::Stage,
    dt: f64,
    problems: &mut Vec<Problem>,
) -> Vec<(Series, Option<u64>)> {
    let Some(output) = &stage.output else { return Vec::new() };
    let given = output.series(&keys.output);
    let mut all = Vec::new();
    for (series, (_, given, _)) in Series::ALL.into_iter().zip(given) {
        let Some(given) = given else { continue };
        let every = given.as_ref().map(|given| match given.every {
            Every::Steps(steps) => steps,
            Every::Time(time) => interval(time, dt, given.places.of("every"), problems),
        });
        all.push((series, every));
    }
    all
}

/// Gravity, time step and properties of pairs that a stage changes.
fn rules(keys: &SceneKeys, stage: &keys::Stage, problems: &mut Vec<Problem>) -> Vec<Rule> {
    let gravity = stage.gravity.map(|gravity| Rule::Gravity(LabVec::from_array(gravity)));
    let mut all: Vec<Rule> = gravity.into_iter().chain(stage.dt.map(Rule::TimeStep)).collect();
    let models = materials::models(keys);
    let mut add = |of: PropertyOf, values: &Values, places: &Places| {
        for (property, value) in values.iter() {
            let (key, place) = (property.key, places.of(property.key));
            if !models.iter().any(|model| model.reads(property)) {
                let message = format!("nothing in this scene reads `{key}`");
                let help = format!("it is read by {}", readers(property));
                problems.push(Problem::error(places.key(key), message).help(help));
            } else if property.allows(value) {
                all.push(Rule::Property { of, property, value });
            } else {
                let message = format!("{key} must be {}, but is {}", property.range.words, readable(value));
                problems.push(Problem::error(place, message));
            }
        }
    };
    if let Some(pair) = &stage.pair {
        add(PropertyOf::EveryPair, &pair.properties, &pair.places);
    }
    for pair in &stage.pairs {
        let numbers: Vec<_> =
            pair.between.iter().filter_map(|name| materials::number(keys, Some(name))).collect();
        if let [a, b] = numbers[..] {
            add(PropertyOf::Pair(a, b), &pair.properties, &pair.places);
        }
    }
    all
}

/// Exactly one of the keys is given. A measure has to be steady over so many steps.
fn condition(until: &keys::Until, over: u64) -> Option<Condition> {
    let box_of = |region: &keys::Region| {
        let [low, high] = [region.low, region.high].map(LabVec::from_array);
        Region::cuboid(low, high)
    };
    let region = || until.region.as_ref().map(box_of);
    let speed = until.speed_below.map(Condition::SpeedBelow);
    let energy = until.kinetic_energy_below.map(Condition::KineticEnergyBelow);
    let more = until.bodies_above.map(|limit| Condition::BodiesAbove(limit, region()));
    let fewer = until.bodies_below.map(|limit| Condition::BodiesBelow(limit, region()));
    let heavier = until.mass_above.map(|limit| Condition::MassAbove(limit, region()));
    let lighter = until.mass_below.map(|limit| Condition::MassBelow(limit, region()));
    let named = || until.measure.clone().unwrap_or_default();
    let above = until.above.map(|limit| Condition::MeasureAbove(named(), limit));
    let below = || until.below.map(|limit| Condition::MeasureBelow(named(), limit));
    let steady = || until.steady.map(|part| Condition::MeasureSteady { column: named(), part, steps: over });
    speed.or(energy).or(more).or(fewer).or(heavier).or(lighter).or(above).or_else(below).or_else(steady)
}
