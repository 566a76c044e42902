//! `tumble bench --ranks`: a scene on several ranks of this process, and what it costs to be several.
//!
//! Ghosts, messages, bytes and doubled contacts are counted, and follow from where boxes were cut. That goes by the times that bodies
//! take; with `--counts` (`counts.rs`) it does not, and nothing is timed.

use super::Options;
use super::measure::Prepared;
use super::sheet::{Column, Sheet, column};
use crate::failure::Failure;
use crate::signals::Interrupt;
use std::time::Instant;
use tumble_dem::Solver as _;
use tumble_dem::ranks::RankedEngine;
use tumble_report::Cell;

const COLUMNS: &[Column] = &[
    column("scene", 14, 0),
    column("bodies", 8, 0),
    column("contacts", 9, 0),
    column("ranks", 6, 0),
    column("threads", 8, 0),
    column("ns_per_body", 12, 1),
    column("times_first", 12, 2),
    column("ghosts_per_body", 16, 2),
    column("doubled_percent", 16, 1),
    column("messages_per_step", 18, 1),
    column("bytes_per_step", 15, 0),
    column("waiting_percent", 16, 1),
    column("imbalance", 10, 2),
];

/// Steps on the clock where nobody says how many: several builds of the lists.
const STEPS: u64 = 500;

pub(super) fn run(options: &Options, interrupt: &Interrupt) -> Result<(), Failure> {
    let mut sheet = Sheet::begin(COLUMNS, options.format)?;
    let mut interrupted = false;
    'all: for source in &options.scenes() {
        let scene = Prepared::new(source, options.clock(interrupt))?;
        let mut first = None;
        for (&ranks, &threads) in
            options.ranks.iter().flat_map(|r| options.threads.iter().map(move |t| (r, t)))
        {
            let Some(cells) = measure(&scene, options, interrupt, (ranks.into(), threads), &mut first)?
            else {
                interrupted = true;
                break 'all;
            };
            sheet.row(cells)?;
        }
    }
    sheet.end()?;
    if interrupted {
        return Err(Failure::Interrupted("what was measured until then is above".into()));
    }
    Ok(())
}

/// A row of the table; nothing if interrupted. The first time of a scene is remembered.
fn measure(
    scene: &Prepared<'_>,
    options: &Options,
    interrupt: &Interrupt,
    (ranks, threads): (usize, usize),
    first: &mut Option<f64>,
) -> Result<Option<Vec<Cell>>, Failure> {
    let mut engine = scene.told(RankedEngine::new(scene.engine(threads)?, ranks))?;
    scene.told(engine.advance(options.warm + scene.to_hold()))?;
    let (bodies, steps) = (engine.body_count(), options.steps.unwrap_or(STEPS));
    let (mut fastest, mut waited) = (f64::INFINITY, 0.0);
    for _ in 0..options.repeat {
        if interrupt.requested() {
            return Ok(None);
        }
        let before = engine.costs().clone();
        let begin = Instant::now();
        scene.told(engine.advance(steps))?;
        let seconds = begin.elapsed().as_secs_f64();
        if seconds < fastest {
            let [stepped, waiting] = [
                engine.costs().stepped.saturating_sub(before.stepped),
                engine.costs().waited.saturating_sub(before.waited),
            ];
            fastest = seconds;
            waited = waiting.as_secs_f64() / stepped.as_secs_f64().max(1e-9);
        }
    }
    let costs = engine.costs();
    let each = 1e9 * fastest / (steps as f64 * bodies as f64);
    Ok(Some(vec![
        scene.name().as_str().into(),
        Cell::Count(bodies as u64),
        Cell::Count(engine.contact_count() as u64),
        Cell::Count(ranks as u64),
        Cell::Count(costs.threads as u64),
        Cell::Number(each),
        Cell::Number(*first.get_or_insert(each) / each),
        Cell::Number(costs.ghosts_per_body()),
        Cell::Number(100.0 * costs.doubled_share()),
        Cell::Number(costs.messages_per_step()),
        Cell::Number(costs.bytes_per_step()),
        Cell::Number(100.0 * waited),
        Cell::Number(costs.imbalance()),
    ]))
}
