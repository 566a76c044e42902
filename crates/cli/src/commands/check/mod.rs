//! `tumble check`: everything that is wrong with scenes, and what a run of a good one would be like.

mod population;

use crate::failure::Failure;
use crate::number::readable;
use crate::output::{self, name};
use crate::progress::Clock;
use crate::scene_file::Settings;
use crate::{kernels, memory};
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tumble::Simulation;
use tumble::dem::Engine;
use tumble::dem::placement::{Inlet, Outlet, Rate, Stream};
use tumble::dem::wall::Timing;
use tumble::gpu::{self, Choice as Device, Refused};
use tumble::output::PieceCounts;
use tumble::scene::{Built, Scene, SceneText, StageEnd, StagePlan};

const EXAMPLES: &str = "\
Examples:
  tumble check chess.toml                            bodies, time step, how long it will take
  tumble check scenes/*.toml                         all problems of all files
  tumble check chess.toml --set rotation=omelyan     also with what a run would set";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Scene files
    #[arg(value_name = "SCENE", required = true)]
    scenes: Vec<PathBuf>,

    #[command(flatten)]
    settings: Settings,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let mut bad = false;
    for path in &options.scenes {
        match build(path, &options.settings) {
            Ok((built, placing)) => {
                if !built.warnings.is_empty() {
                    output::show_problems(&built.warnings);
                }
                output::print(&figures(built, placing))?;
            }
            Err(Failure::BadScene(Some(problems))) => {
                output::show_problems(&problems);
                bad = true;
            }
            Err(failure) => return Err(failure),
        }
    }
    if bad { Err(Failure::BadScene(None)) } else { Ok(()) }
}

/// What is built, and the time that it took.
fn build(path: &Path, settings: &Settings) -> Result<(Built, Duration), Failure> {
    let begin = Instant::now();
    let scene = Scene::parse(settings.put_into(SceneText::read(path)?))?;
    memory::check(&scene)?;
    Ok((scene.build(None)?, begin.elapsed()))
}

/// What a run would be like, in a few lines.
fn figures(built: Built, placing: Duration) -> String {
    let world = &built.world;
    let pieces = PieceCounts::of(&world.templates, world.bodies.iter().map(|body| body.template));
    let (dt, steps) = (built.settings.dt, built.steps);
    let recommended = built.advice.recommended();
    let limit = built.advice.binding().map_or_else(
        || "nothing limits it at the start".to_owned(),
        |limit| format!("at most {} s, for the sake of: {}", readable(recommended), limit.kind.name()),
    );
    let duration = built.longest_time();
    let more = arrivals(&built, duration);
    let bodies = match built.streams.len() {
        0 => format!("{} of {pieces}", world.bodies.len()),
        1 => format!("{} of {pieces}, and up to {more:.0} more of a stream", world.bodies.len()),
        n => format!("{} of {pieces}, and up to {more:.0} more of {n} streams", world.bodies.len()),
    };
    let mut lines = vec![
        ("bodies", bodies),
        ("time step", format!("{} s ({limit})", readable(dt))),
        ("steps", format!("{steps}, {} s", readable(duration))),
    ];
    let stages: Vec<String> =
        built.stages.iter().enumerate().map(|(number, stage)| told(number, stage)).collect();
    if !built.outlets.is_empty() {
        let names: Vec<&str> = built.outlets.iter().map(Outlet::name).collect();
        lines.insert(1, ("outlets", names.join(", ")));
    }
    if placing > LONG {
        lines.insert(
            1,
            ("placed in", format!("{}: so long does the start of each run take, too", Clock(placing))),
        );
    }
    for line in population::packings(&built).into_iter().rev() {
        lines.insert(1, ("packed in", line));
    }
    let populations = population::lines(&built);
    let streams = !built.streams.is_empty();
    let found = if built.warnings.is_empty() { "no problems" } else { "no errors" };
    let mut text = format!("{}: {found}\n", built.scene.text().name());
    lines.extend(device(&built).map(|told| ("device", told)));
    if let Some(Estimate { time, loose }) = estimate(built) {
        let streams = if streams { " and the bodies to come" } else { "" };
        let loose = if loose { "; longer once bodies lie on each other, which few do at first" } else { "" };
        lines.push((
            "will take",
            format!("about {}, judging by the first steps{streams}{loose}", Clock(time)),
        ));
    }
    for (place, (label, value)) in lines.into_iter().enumerate() {
        let _ = writeln!(text, "  {}{}{value}", name(label), " ".repeat(12 - label.len()));
        for population in populations.iter().filter(|_| place == 0) {
            let _ = writeln!(text, "{}{population}", " ".repeat(14));
        }
    }
    for (number, stage) in stages.into_iter().enumerate() {
        let label = if number == 0 { "stages" } else { "" };
        let _ = writeln!(text, "  {}{}{stage}", name(label), " ".repeat(12 - label.len()));
    }
    text
}

/// Whether the device that the scene asks for can run it; nothing for the processor.
fn device(built: &Built) -> Option<String> {
    if built.device == Device::Cpu {
        return None;
    }
    let engine = Engine::new(built.world.clone(), built.settings.clone()).ok()?;
    Some(match gpu::start(engine, built.device, kernels::folder().as_deref()) {
        Ok(started) => format!("will run on {}", started.place.told.unwrap_or_default()),
        Err(Refused::Device(trouble)) => format!("a graphics card can run it, but not here: {trouble}"),
        Err(refused) => refused.to_string(),
    })
}

/// A stage in a line: what ends it, and what it changes.
fn told(number: usize, stage: &StagePlan) -> String {
    let time = readable(stage.steps as f64 * stage.dt);
    let end = match &stage.end {
        StageEnd::Duration => format!("{time} s"),
        StageEnd::Until { condition, .. } => format!("until {condition}, at most {time} s"),
    };
    let changes = stage.changes();
    let changes = if changes.is_empty() { String::new() } else { format!("; {}", changes.join(", ")) };
    format!("{}. {}: {end}{changes}", number + 1, stage.name)
}

/// Bodies of a stream in a trial.
const MOST_AT_ONCE: u64 = 2000;

/// Placing bodies that takes longer than this is told.
const LONG: Duration = Duration::from_secs(1);

/// Time spent on an estimate.
const TRIAL: Duration = Duration::from_millis(200);

/// How many bodies streams have brought after this time, s, if all find room and stages last as long as they may.
fn arrivals(built: &Built, time: f64) -> f64 {
    let of = |(number, stream): (usize, &Stream)| {
        let time = built.stream_time(number, time);
        // The first comes at the start, and none at the very end.
        (stream.expected(time * (1.0 - 1e-9)).min(1e18)).floor()
    };
    built.streams.iter().enumerate().map(of).sum()
}

/// Points in time at which bodies are counted.
const INSTANTS: u32 = 1000;

/// Bodies on the average over a run of this length, s, and at its end.
fn mean_and_last(built: &Built, duration: f64) -> (f64, f64) {
    let start = built.world.bodies.len() as f64;
    let at = |n: u32| start + arrivals(built, duration * f64::from(n) / f64::from(INSTANTS));
    ((1..=INSTANTS).map(at).sum::<f64>() / f64::from(INSTANTS), at(INSTANTS))
}

/// The time that a run would take if each body went on as it begins.
struct Estimate {
    time: Duration,
    /// Whether bodies fall that have fewer contacts than there are bodies: where they come to rest, steps will take longer.
    loose: bool,
}

/// How long a run would take; nothing if it cannot even begin.
///
/// Where streams bring most of the bodies, as many as find room come at once in the trial.
fn estimate(built: Built) -> Option<Estimate> {
    let steps = built.steps;
    let (mean, last) = mean_and_last(&built, built.longest_time());
    let mut streams = built.streams;
    if last > 2.0 * built.world.bodies.len() as f64 {
        let at_once = |stream: &Stream| {
            let (rate, count) = (Rate::Bodies(1e9), Some(MOST_AT_ONCE));
            let pace = Timing::Always;
            let inlet = Inlet { rate, pace, start: 0.0, count, mass: None, ..stream.inlet().clone() };
            Stream::new(inlet, &built.world, 1)
        };
        streams = streams.iter().map(at_once).collect::<Result<_, _>>().ok()?;
    }
    let mut simulation = Simulation::new(built.world, built.settings, streams).ok()?;
    // The first step builds the neighbour lists.
    simulation.advance(1).ok()?;
    let (begin, mut done, mut moved) = (Instant::now(), 0, 0.0);
    while begin.elapsed() < TRIAL && done < steps {
        let more = (done / 2).clamp(1, 1000);
        simulation.advance(more).ok()?;
        done += more;
        moved += more as f64 * simulation.engine().body_count().max(1) as f64;
    }
    let each = begin.elapsed().as_secs_f64() / f64::max(moved, 1.0);
    let time = Duration::try_from_secs_f64(each * steps as f64 * mean.max(1.0)).ok()?;
    let engine = simulation.engine();
    let falls = engine.body_count() > 1 && engine.scenery().gravity.norm() > 0.0;
    Some(Estimate { time, loose: falls && engine.contact_count() < engine.body_count() })
}
