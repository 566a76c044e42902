//! How fast the engine steps, and where the time goes.
//!
//! `cargo xtask bench [OPTIONS] [SCENE ...]` runs this in the release profile. A scene is one of the built-in
//! ones or a folder with `scene.json` and `clumps.csv`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark")]

mod folder;
mod scenes;

use scenes::Scene;
use std::process::ExitCode;
use std::time::Instant;
use tumble_dem::{Engine, SchemeKind, Settings};

const USAGE: &str = "\
usage: cargo xtask bench [OPTIONS] [SCENE ...]

A scene is a folder with scene.json and clumps.csv, or one of
  rods-1000  rods-10000  rods-100000   elastic rods of three spheres, solid fraction 0.15
  settle-2000  settle-10000            rods falling under gravity, friction 0.5, restitution 0.5
  packed-2000  packed-10000            the same rods at rest, after 0.8 s that are not on the clock
  chess                                32 chess pieces of about 100 spheres in a box
Without a scene: rods-1000, rods-10000, settle-2000, chess.

  --threads N,N,...   one line for each number of threads (default 1)
  --warm N            steps before the clock starts (default 200)
  --steps N           steps on the clock (default: about a second)
  --repeat N          repeat and keep the fastest (default 3)
  --scheme NAME       rotation scheme (default spiral-leapfrog)
";

struct Options {
    threads: Vec<usize>,
    warm: u64,
    steps: Option<u64>,
    repeat: u32,
    scheme: SchemeKind,
    scenes: Vec<String>,
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprint!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    println!(
        "{:<16}{:>8}{:>9}{:>9}{:>4}{:>14}{:>11}  {:<58}{:>12}{:>8}",
        "scene",
        "bodies",
        "spheres",
        "contacts",
        "thr",
        "body-steps/s",
        "ns/body",
        "ns/body: move, neighbours, find, laws, fields",
        "steps/build",
        "B/sphere"
    );
    for name in &options.scenes {
        for &threads in &options.threads {
            if let Err(error) = measure(name, threads, &options) {
                eprintln!("error: {name}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn options(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        threads: vec![1],
        warm: 200,
        steps: None,
        repeat: 3,
        scheme: SchemeKind::SpiralLeapfrog,
        scenes: Vec::new(),
    };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("'{text}' is not a number"));
        match argument.as_str() {
            "--bench" => {}
            "--threads" => {
                let numbers = value()?;
                let parse = |text: &str| text.parse().map_err(|_| format!("'{text}' is not a number"));
                options.threads = numbers.split(',').map(parse).collect::<Result<_, _>>()?;
            }
            "--warm" => options.warm = number(value()?)?,
            "--steps" => options.steps = Some(number(value()?)?),
            "--repeat" => options.repeat = u32::try_from(number(value()?)?).unwrap_or(1),
            "--scheme" => {
                let name = value()?;
                options.scheme = SchemeKind::from_name(&name).ok_or(format!("no scheme '{name}'"))?;
            }
            flag if flag.starts_with('-') => return Err(format!("unknown option '{flag}'")),
            _ => options.scenes.push(argument),
        }
    }
    if options.scenes.is_empty() {
        options.scenes = ["rods-1000", "rods-10000", "settle-2000", "chess"].map(String::from).into();
    }
    Ok(options)
}

fn measure(name: &str, threads: usize, options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let memory_before = resident_bytes();
    let Scene { world, dt, contact, preparation } = scenes::find(name)?;
    let settings = Settings { contact, threads, rotation: options.scheme, ..Settings::new(dt) };
    let mut engine = Engine::new(world, settings)?;
    let bodies = engine.body_count() as f64;
    let spheres = engine.sphere_count();
    engine.advance(preparation + options.warm)?;
    // About a second in all: enough to average over a few builds of the neighbour lists.
    let steps = options.steps.unwrap_or_else(|| {
        let begin = Instant::now();
        let tried = 50;
        let _ = engine.advance(tried);
        let each = begin.elapsed().as_secs_f64() / tried as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of steps")]
        {
            (1.0 / each).clamp(100.0, 1e6) as u64
        }
    });
    let mut best = f64::INFINITY;
    let mut stages = String::new();
    let mut lasts = 0.0;
    for _ in 0..options.repeat {
        engine.reset_stage_times();
        let begin = Instant::now();
        engine.advance(steps)?;
        let time = begin.elapsed().as_secs_f64() / (steps as f64 * bodies) * 1e9;
        if time < best {
            best = time;
            let times = engine.stage_times();
            let each = times.stages().map(|(_, t)| t.as_secs_f64() / (steps as f64 * bodies) * 1e9);
            stages = each.map(|t| format!("{t:>9.1}")).join(" ");
            lasts = steps as f64 / times.builds.max(1) as f64;
        }
    }
    let memory = resident_bytes().saturating_sub(memory_before) as f64 / spheres as f64;
    let short = std::path::Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy());
    println!(
        "{short:<16}{bodies:>8}{spheres:>9}{:>9}{threads:>4}{:>14.4e}{best:>11.1}  {stages:<58}{lasts:>12.0}{memory:>8.0}",
        engine.contact_count(),
        1e9 / best,
    );
    Ok(())
}

/// What this process holds in memory, where the system tells; else 0.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()).unwrap_or(0) * 1024
}
