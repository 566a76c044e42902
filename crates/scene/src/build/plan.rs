//! What is written when, in steps.

use crate::diagnostic::Problem;
use crate::keys::{CheckpointEvery, Every, SceneKeys, TimeStep};
use crate::place::Place;
use crate::scene::Scene;
use std::path::PathBuf;
use std::time::Duration;

/// What is written while a scene runs. Intervals are in steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPlan {
    /// Where, from the working directory.
    pub folder: PathBuf,
    /// Rows of `energy.csv`.
    pub energy: Option<u64>,
    /// Rows of `walls.csv`.
    pub walls: Option<u64>,
    /// Rows of `flows.csv`, if anything comes in or goes out.
    pub flows: Option<u64>,
    /// Frames of the trajectory.
    pub trajectory: Option<u64>,
    /// Whether bodies are written at the end.
    pub bodies: bool,
    /// Files for ParaView.
    pub vtk: Option<VtkPlan>,
}

/// Which files are written for ParaView.
#[allow(clippy::struct_excessive_bools, reason = "kinds of files, each written or not")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VtkPlan {
    /// Steps between two frames.
    pub every: u64,
    /// Spheres.
    pub spheres: bool,
    /// Bodies.
    pub bodies: bool,
    /// Contacts.
    pub contacts: bool,
    /// Walls.
    pub meshes: bool,
    /// What bears on the triangles of meshes, with the walls.
    pub surfaces: bool,
    /// Contacts as lines.
    pub chains: bool,
}

/// When the state is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointPlan {
    /// How often.
    pub every: CheckpointInterval,
    /// How many of the newest are kept.
    pub keep: u64,
}

/// The time between two saved states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointInterval {
    /// In wall-clock time.
    WallClock(Duration),
    /// In steps.
    Steps(u64),
}

/// Rows and frames of a whole run, where nothing else is said.
const ROWS: u64 = 500;
const FRAMES: u64 = 250;
const VTK_FRAMES: u64 = 100;

/// More files than this are a mistake.
const MOST_VTK_FRAMES: u64 = 1_000_000;

/// The plan of a run of so many steps, and the keys with everything in numbers.
pub(super) fn plan(
    keys: &SceneKeys,
    dt: f64,
    steps: u64,
    problems: &mut Vec<Problem>,
) -> (SceneKeys, OutputPlan, Option<CheckpointPlan>) {
    check_surfaces(keys, problems);
    let mut keys = keys.clone();
    let mut interval = |every: &mut Option<Every>, count: u64, place: Place| {
        let interval = match *every {
            Some(Every::Steps(interval)) => interval,
            Some(Every::Time(time)) => whole_steps(time, dt, place, problems),
            None => (steps / count).max(1),
        };
        *every = Some(Every::Steps(interval));
        interval
    };
    let output = &mut keys.output;
    let mut series = [
        (&mut output.energy, ROWS),
        (&mut output.walls, ROWS),
        (&mut output.flows, ROWS),
        (&mut output.trajectory, FRAMES),
    ]
    .map(|(series, count)| {
        series.as_mut().map(|series| interval(&mut series.every, count, series.places.of("every")))
    })
    .into_iter();
    let mut next = || series.next().flatten();
    let (energy, walls, flows, trajectory) = (next(), next(), next(), next());
    let vtk = output.vtk.as_mut().map(|vtk| VtkPlan {
        every: interval(&mut vtk.every, VTK_FRAMES, vtk.places.of("every")),
        spheres: vtk.spheres,
        bodies: vtk.bodies,
        contacts: vtk.contacts,
        meshes: vtk.meshes,
        surfaces: vtk.surfaces,
        chains: vtk.chains,
    });
    if let (Some(plan), Some(vtk)) = (vtk, &output.vtk) {
        let frames = steps / plan.every;
        if frames > MOST_VTK_FRAMES {
            let message = format!("`output.vtk` would write {frames} frames");
            problems.push(Problem::error(vtk.places.of("every"), message).help("make `every` longer"));
        }
    }
    let (folder, bodies) = (output.folder.clone().unwrap_or_default(), output.bodies);
    let checkpoint = keys.checkpoint.as_ref().map(|checkpoint| CheckpointPlan {
        every: match checkpoint.every {
            CheckpointEvery::Steps(steps) => CheckpointInterval::Steps(steps),
            // Longer than a century is never.
            CheckpointEvery::WallClock(seconds) => {
                CheckpointInterval::WallClock(Duration::from_secs_f64(seconds.min(4e9)))
            }
        },
        keep: checkpoint.keep,
    });
    keys.run.dt = TimeStep::Seconds(dt);
    (keys, OutputPlan { folder, energy, walls, flows, trajectory, bodies, vtk }, checkpoint)
}

/// Loads on triangles need triangles, files to be written to, and an interval that does not change with the length of the run.
fn check_surfaces(keys: &SceneKeys, problems: &mut Vec<Problem>) {
    let Some(vtk) = keys.output.vtk.as_ref().filter(|vtk| vtk.surfaces) else { return };
    let mut refuse = |message: &str, help: &str| {
        let problem = Problem::error(vtk.places.of("surfaces"), format!("`output.vtk.surfaces`: {message}"));
        problems.push(problem.help(help));
    };
    if keys.walls.iter().all(|wall| wall.mesh.is_none()) {
        refuse("no wall is a mesh", "leave it out, or make a wall of triangles: `mesh = { … }`");
    } else if !vtk.meshes {
        refuse("it is written with the walls, which `meshes = false` leaves out", "remove `meshes = false`");
    } else if vtk.every.is_none() {
        let help = "set `output.vtk.every`, such as \"10 ms\"";
        refuse("pressures are means over the time between two frames, which nothing says", help);
    }
    for (number, stage) in keys.stages.iter().enumerate() {
        if let Some(output) = stage.output.as_ref().filter(|output| output.vtk.is_some()) {
            let message =
                format!("`stages.{number}.output.vtk`: pressures on triangles are means over one interval");
            let problem = Problem::error(output.places.of("vtk"), message);
            problems.push(problem.help("leave it out, or `output.vtk.surfaces`"));
        }
    }
}

impl Scene {
    /// The same, with the intervals of a run of it where it leaves them open: these follow from how long a run was to be when it
    /// began, and one that is gone on with keeps them.
    #[must_use]
    pub fn with_intervals_of(&self, as_run: &Self) -> Self {
        let mut scene = self.clone();
        let (own, run) = (&mut scene.keys.output, &as_run.keys.output);
        let series = [
            (&mut own.energy, &run.energy),
            (&mut own.walls, &run.walls),
            (&mut own.flows, &run.flows),
            (&mut own.trajectory, &run.trajectory),
        ];
        for (own, run) in series {
            if let (Some(own), Some(run)) = (own, run) {
                own.every = own.every.or(run.every);
            }
        }
        if let (Some(own), Some(run)) = (&mut own.vtk, &run.vtk) {
            own.every = own.every.or(run.every);
        }
        for (own, run) in scene.keys.measures.iter_mut().zip(&as_run.keys.measures) {
            own.every = own.every.or(run.every);
        }
        for (own, run) in scene.keys.coarse_fields.iter_mut().zip(&as_run.keys.coarse_fields) {
            own.every = own.every.or(run.every);
        }
        scene
    }
}

/// A time as a number of steps, at least one.
pub(super) fn whole_steps(time: f64, dt: f64, place: Place, problems: &mut Vec<Problem>) -> u64 {
    let steps = (time / dt).round();
    if steps < 1.0 {
        let message =
            format!("{time:?} s is shorter than half a time step of {dt:.4e} s: every step is written");
        problems.push(Problem::warning(place, message));
        return 1;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; positive")]
    let steps = steps as u64;
    steps
}
