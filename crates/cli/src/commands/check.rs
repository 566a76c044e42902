//! `tumble check`: everything that is wrong with scenes, and what a run of a good one would be like.

use crate::failure::Failure;
use crate::number::readable;
use crate::output::{self, name};
use crate::progress::Clock;
use crate::scene_file::Settings;
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tumble::Simulation;
use tumble::scene::{Built, Diagnostics, Scene, SceneText};

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
            Ok(built) => {
                if !built.warnings.is_empty() {
                    output::show_problems(&built.warnings);
                }
                output::print(&figures(built))?;
            }
            Err(problems) => {
                output::show_problems(&problems);
                bad = true;
            }
        }
    }
    if bad { Err(Failure::BadScene(None)) } else { Ok(()) }
}

fn build(path: &Path, settings: &Settings) -> Result<Built, Diagnostics> {
    Scene::parse(settings.put_into(SceneText::read(path)?))?.build(None)
}

/// What a run would be like, in a few lines.
fn figures(built: Built) -> String {
    let world = &built.world;
    let spheres: usize = world
        .bodies
        .iter()
        .filter_map(|body| world.templates.get(usize::from(body.template.0)))
        .map(|t| t.spheres().len())
        .sum();
    let (dt, steps) = (built.settings.dt, built.steps);
    let recommended = built.advice.recommended();
    let limit = built.advice.binding().map_or_else(
        || "nothing limits it at the start".to_owned(),
        |limit| format!("at most {} s, for the sake of: {}", readable(recommended), limit.kind.name()),
    );
    let bodies = match built.streams.len() {
        0 => format!("{} of {spheres} spheres", world.bodies.len()),
        1 => format!("{} of {spheres} spheres, and a stream of more", world.bodies.len()),
        n => format!("{} of {spheres} spheres, and {n} streams of more", world.bodies.len()),
    };
    let mut lines = vec![
        ("bodies", bodies),
        ("time step", format!("{} s ({limit})", readable(dt))),
        ("steps", format!("{steps}, {} s", readable(steps as f64 * dt))),
    ];
    let found = if built.warnings.is_empty() { "no problems" } else { "no errors" };
    let mut text = format!("{}: {found}\n", built.scene.text().name());
    if let Some(estimate) = estimate(built) {
        lines.push(("will take", format!("about {}, judging by the first steps", Clock(estimate))));
    }
    for (label, value) in lines {
        let _ = writeln!(text, "  {}{}{value}", name(label), " ".repeat(12 - label.len()));
    }
    text
}

/// Time spent on an estimate.
const TRIAL: Duration = Duration::from_millis(200);

/// The time that a run would take if it went on as it begins; nothing if it cannot even begin.
fn estimate(built: Built) -> Option<Duration> {
    let steps = built.steps;
    let mut simulation = Simulation::new(built.world, built.settings, built.streams).ok()?;
    // The first step builds the neighbour lists.
    simulation.advance(1).ok()?;
    let (begin, mut done) = (Instant::now(), 0);
    while begin.elapsed() < TRIAL && done < steps {
        let more = (done / 2).clamp(1, 1000);
        simulation.advance(more).ok()?;
        done += more;
    }
    let each = begin.elapsed().as_secs_f64() / done.max(1) as f64;
    Duration::try_from_secs_f64(each * steps as f64).ok()
}
