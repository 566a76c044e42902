//! `[output]` and `[checkpoint]`: what is written, where, and how often.

use crate::form::{Context, FilePath, Flag, Form, Kind, Positive, Switch, Switched, Table, Whole, table};
use crate::place::Places;
use crate::tree::{Node, Value};
use crate::units::{Ratio, Time};
use crate::written::Written;
use std::path::PathBuf;

table! {
    /// What is written.
    Output {
        /// The folder of the results, from the working directory; `results/` and the name of the scene if absent.
        folder: PathBuf => FilePath, optional, "\"results/rods\"";
        /// Where the energy is and where it went: `energy.csv`.
        energy: Switched<Series> => Switch<Series>, default Some(Series::default()), "{ every = \"1 ms\" }";
        /// What the walls feel: `walls.csv`.
        walls: Switched<Series> => Switch<Series>, default Some(Series::default()), "{ every = \"1 ms\" }";
        /// What streams brought in and outlets took out: `flows.csv`, where there are any.
        flows: Switched<Series> => Switch<Series>, default Some(Series::default()), "{ every = \"1 ms\" }";
        /// The motion in compact form, for the viewer.
        trajectory: Switched<Series> => Switch<Series>, default Some(Series::default()), "{ every = \"10 ms\" }";
        /// Whether all bodies are written at the end, as a scene reads them: `bodies.csv`.
        bodies: bool => Flag, default false, "true";
        /// Files for ParaView.
        vtk: Switched<Vtk> => Switch<Vtk>, default None, "{ every = \"10 ms\", contacts = false }";
    }
}

table! {
    /// Something that is written again and again.
    Series {
        /// How often: a time, or a number of steps; about 500 rows or 250 frames in the whole run if absent.
        every: Every => EveryForm, optional, "\"1 ms\"";
    }
}

#[allow(clippy::derivable_impls, reason = "the struct is declared by a macro")]
impl Default for Series {
    fn default() -> Self {
        Self { every: None, places: Places::default() }
    }
}

table! {
    /// Files for ParaView.
    Vtk {
        /// How often: a time, or a number of steps; 100 times in the whole run if absent.
        every: Every => EveryForm, optional, "\"10 ms\"";
        /// Every sphere, with radius, velocity, spin, body, material.
        spheres: bool => Flag, default true, "true";
        /// Every body, with orientation.
        bodies: bool => Flag, default true, "true";
        /// Every contact, with its force.
        contacts: bool => Flag, default true, "false";
        /// The walls.
        meshes: bool => Flag, default true, "true";
        /// What bears on each triangle of walls that are meshes, in the files of the walls: mean pressure and shear since the frame before,
        /// work of friction and load times sliding distance since the start. Needs `every`.
        surfaces: bool => Flag, default false, "true";
        /// Every contact as a line between the two centres, for tubes that show chains of forces.
        chains: bool => Flag, default false, "true";
    }
}

table! {
    /// How often a stage has things written. What it leaves out stays as it was.
    StageOutput {
        /// Rows of `energy.csv`; `false` for none in this stage, here and below.
        energy: Switched<StageSeries> => Switch<StageSeries>, optional, "{ every = \"1 ms\" }";
        /// Rows of `walls.csv`.
        walls: Switched<StageSeries> => Switch<StageSeries>, optional, "{ every = \"1 ms\" }";
        /// Rows of `flows.csv`.
        flows: Switched<StageSeries> => Switch<StageSeries>, optional, "{ every = \"1 ms\" }";
        /// Frames of the motion.
        trajectory: Switched<StageSeries> => Switch<StageSeries>, optional, "{ every = \"10 ms\" }";
        /// Files for ParaView.
        vtk: Switched<StageSeries> => Switch<StageSeries>, optional, "false";
    }
}

table! {
    /// How often something is written from a stage on.
    StageSeries {
        /// A time, or a number of steps, from the beginning of the stage on, where it is written as well.
        every: Every => EveryForm, required, "\"1 ms\"";
    }
}

impl StageOutput {
    /// Its series by their keys, with whether the scene writes them.
    pub(crate) fn series<'a>(
        &'a self,
        of_scene: &Output,
    ) -> [(&'static str, Option<&'a Switched<StageSeries>>, bool); 5] {
        [
            ("energy", self.energy.as_ref(), of_scene.energy.is_some()),
            ("walls", self.walls.as_ref(), of_scene.walls.is_some()),
            ("flows", self.flows.as_ref(), of_scene.flows.is_some()),
            ("trajectory", self.trajectory.as_ref(), of_scene.trajectory.is_some()),
            ("vtk", self.vtk.as_ref(), of_scene.vtk.is_some()),
        ]
    }
}

/// How often something is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Every {
    /// Simulated time, s.
    Time(f64),
    /// Steps.
    Steps(u64),
}

table! {
    /// An interval in steps.
    StepCount {
        /// Number of steps.
        steps: u64 => Whole<1, 1_000_000_000_000_000>, required, "1000";
    }
}

/// Stands where a key is missing, which is reported.
impl Default for Every {
    fn default() -> Self {
        Self::Steps(1)
    }
}

pub(crate) struct EveryForm;

impl Form for EveryForm {
    type Value = Every;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Positive::<Time>::kind(), Kind::Table(StepCount::info())])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<Every> {
        match node.value {
            Value::Table(_) => StepCount::read(node, context).map(|count| Every::Steps(count.steps)),
            Value::Text(_) | Value::Integer(_) | Value::Float(_) => {
                Positive::<Time>::read(node, context).map(Every::Time)
            }
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &Every) -> Written {
        match value {
            Every::Time(seconds) => Written::Number(*seconds),
            Every::Steps(steps) => Written::Table(vec![("steps".to_owned(), Written::Whole(*steps))]),
        }
    }
}

table! {
    /// Saved states to go on from.
    Checkpoint {
        /// How often: a wall-clock time such as `"10 min"` or `{ minutes = 10 }`, or `{ steps = 100000 }`.
        every: CheckpointEvery => CheckpointForm, default CheckpointEvery::WallClock(600.0), "{ minutes = 10 }";
        /// How many of the newest are kept.
        keep: u64 => Whole<1, 1000>, default 2, "2";
    }
}

impl Default for Checkpoint {
    fn default() -> Self {
        Self { every: CheckpointEvery::WallClock(600.0), keep: 2, places: Places::default() }
    }
}

/// How often the state is saved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CheckpointEvery {
    /// Wall-clock time, s.
    WallClock(f64),
    /// Steps.
    Steps(u64),
}

table! {
    /// An interval in minutes or steps.
    CheckpointInterval {
        one_of ["minutes", "steps"];

        /// Minutes of wall-clock time.
        minutes: f64 => Positive<Ratio>, optional, "10";
        /// Number of steps.
        steps: u64 => Whole<1, 1_000_000_000_000_000>, optional, "100000";
    }
}

pub(crate) struct CheckpointForm;

impl Form for CheckpointForm {
    type Value = CheckpointEvery;

    fn kind() -> Kind {
        Kind::AnyOf(vec![Positive::<Time>::kind(), Kind::Table(CheckpointInterval::info())])
    }

    fn read(node: &Node, context: &mut Context<'_>) -> Option<CheckpointEvery> {
        match node.value {
            Value::Table(_) => {
                let CheckpointInterval { minutes, steps, .. } = CheckpointInterval::read(node, context)?;
                let minutes = minutes.map(|minutes| CheckpointEvery::WallClock(60.0 * minutes));
                minutes.or(steps.map(CheckpointEvery::Steps))
            }
            Value::Text(_) | Value::Integer(_) | Value::Float(_) => {
                Positive::<Time>::read(node, context).map(CheckpointEvery::WallClock)
            }
            _ => context.expected(node, &Self::kind()),
        }
    }

    fn write(value: &CheckpointEvery) -> Written {
        match value {
            CheckpointEvery::WallClock(seconds) => Written::Number(*seconds),
            CheckpointEvery::Steps(steps) => {
                Written::Table(vec![("steps".to_owned(), Written::Whole(*steps))])
            }
        }
    }
}
