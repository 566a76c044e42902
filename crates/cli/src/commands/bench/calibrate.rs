//! `tumble bench --calibrate`: constants of the neighbour lists, measured again and printed beside those in use.
//!
//! Each scene is run with the skin that the engine chooses, which tells what a build costs, and with others around it,
//! which tells which of them makes steps cheapest and how long its lists last.

use super::Options;
use super::measure::{a_second_of_steps, advance};
use super::scenes::{STEPS_TO_HOLD, Scene, Source};
use crate::failure::Failure;
use crate::output;
use crate::signals::Interrupt;
use std::time::Instant;
use tumble_dem::calibration::{BUILD_COST, STEPS_PER_BUILD};
use tumble_dem::{Engine, Settings};
use tumble_report::{Cell, Table};

/// Skins that are tried, as multiples of the chosen one.
const SKINS: [f64; 5] = [0.5, 0.7, 1.0, 1.4, 2.0];

const COLUMNS: [&str; 8] = [
    "scene",
    "pairs_per_body",
    "build_cost",
    "build_cost_used",
    "best_skin_over_chosen",
    "steps_per_build_at_best",
    "first_steps_per_build_used",
    "chosen_costs_more_percent",
];

/// One run with one skin.
struct Lists {
    skin: f64,
    ns_per_body: f64,
    pairs_per_body: f64,
    build_cost: f64,
    steps_per_build: f64,
}

pub(super) fn run(options: &Options, interrupt: &Interrupt) -> Result<(), Failure> {
    let mut table = Table::new("", &COLUMNS);
    for source in &options.scenes() {
        let fastest = |skin: Option<f64>| fastest(options, source, skin, interrupt);
        let chosen = fastest(None)?;
        let mut tried = Vec::new();
        for factor in SKINS {
            if !interrupt.requested() {
                tried.push((factor, fastest(Some(factor * chosen.skin))?));
            }
        }
        if interrupt.requested() {
            return Err(Failure::Interrupted("nothing was printed".into()));
        }
        let cheapest = tried.iter().min_by(|a, b| a.1.ns_per_body.total_cmp(&b.1.ns_per_body));
        let Some((factor, best)) = cheapest else { continue };
        table.rows.push(vec![
            source.name.as_str().into(),
            Cell::Number(round(chosen.pairs_per_body)),
            Cell::Number(round(chosen.build_cost)),
            Cell::Number(BUILD_COST),
            Cell::Number(*factor),
            Cell::Number(round(best.steps_per_build)),
            Cell::Number(STEPS_PER_BUILD),
            Cell::Number(round(100.0 * (chosen.ns_per_body / best.ns_per_body - 1.0))),
        ]);
    }
    output::print(&output::table(&table, options.format))
}

/// The fastest of the repetitions.
fn fastest(
    options: &Options,
    source: &Source,
    skin: Option<f64>,
    interrupt: &Interrupt,
) -> Result<Lists, Failure> {
    let bad = |error: Box<dyn std::error::Error>| Failure::BadInput(format!("{}: {error}", source.name));
    let failed = |error: tumble_dem::Error| Failure::Failed(format!("{}: {error}", source.name));
    let mut engine = prepared(options, &source.make().map_err(bad)?, skin, interrupt).map_err(failed)?;
    let steps =
        options.steps.map_or_else(|| a_second_of_steps(&mut engine, interrupt), Ok).map_err(failed)?;
    let mut fastest = lists(&mut engine, steps, interrupt).map_err(failed)?;
    for _ in 1..options.repeat {
        let next = lists(&mut engine, steps, interrupt).map_err(failed)?;
        if next.ns_per_body < fastest.ns_per_body {
            fastest = next;
        }
    }
    Ok(fastest)
}

fn prepared(
    options: &Options,
    scene: &Scene,
    skin: Option<f64>,
    interrupt: &Interrupt,
) -> Result<Engine, tumble_dem::Error> {
    let rotation = options.scheme.into();
    let settings = Settings { contact: scene.contact, skin, rotation, ..Settings::new(scene.dt) };
    let mut engine = Engine::new(scene.world.clone(), settings.clone())?;
    advance(&mut engine, scene.preparation, interrupt)?;
    if let Some(world) = scene.side_by_side(&engine) {
        engine = Engine::new(world, settings)?;
        advance(&mut engine, STEPS_TO_HOLD, interrupt)?;
    }
    advance(&mut engine, options.warm, interrupt)?;
    Ok(engine)
}

/// Measures so many steps, and more until lists have been built.
fn lists(engine: &mut Engine, steps: u64, interrupt: &Interrupt) -> Result<Lists, tumble_dem::Error> {
    engine.reset_stage_times();
    let begin = Instant::now();
    advance(engine, steps, interrupt)?;
    while engine.stage_times().builds == 0 && !interrupt.requested() {
        advance(engine, steps, interrupt)?;
    }
    let seconds = begin.elapsed().as_secs_f64();
    let times = engine.stage_times();
    let (steps, builds, bodies) = (times.steps as f64, times.builds as f64, engine.body_count() as f64);
    let pairs = engine.listed_pairs() as f64;
    let build = times.update_neighbours.as_secs_f64() / (builds * bodies);
    let look = times.find_contacts.as_secs_f64() / (steps * pairs);
    Ok(Lists {
        skin: engine.skin(),
        ns_per_body: 1e9 * seconds / (steps * bodies),
        pairs_per_body: pairs / bodies,
        build_cost: build / look,
        steps_per_build: steps / builds,
    })
}

/// To three digits: clocks tell no more.
fn round(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}
