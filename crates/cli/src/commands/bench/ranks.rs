//! `tumble bench --ranks`: a scene on several ranks of this process, and what it costs to be several.
//!
//! Ghosts, messages, bytes and doubled contacts are counted, and follow from where boxes were cut; a busy machine changes the times alone.

use super::Options;
use super::measure::Prepared;
use crate::failure::Failure;
use crate::output::{self, Format, heading};
use crate::signals::Interrupt;
use std::time::Instant;
use tumble_dem::Solver as _;
use tumble_dem::ranks::RankedEngine;
use tumble_report::{Cell, Table};

/// Columns of the table, and their widths as text.
const COLUMNS: [(&str, usize); 13] = [
    ("scene", 14),
    ("bodies", 8),
    ("contacts", 9),
    ("ranks", 6),
    ("threads", 8),
    ("ns_per_body", 12),
    ("times_first", 12),
    ("ghosts_per_body", 16),
    ("doubled_percent", 16),
    ("messages_per_step", 18),
    ("bytes_per_step", 15),
    ("waiting_percent", 16),
    ("imbalance", 10),
];

/// Steps on the clock where nobody says how many: several builds of the lists.
const STEPS: u64 = 500;

pub(super) fn run(options: &Options, interrupt: &Interrupt) -> Result<(), Failure> {
    let streamed = options.format == Format::Text;
    let mut table = Table::new("", &COLUMNS.map(|(name, _)| name));
    if streamed {
        output::print(&(heading(&line(COLUMNS.map(|(name, _)| name.to_owned()))) + "\n"))?;
    }
    let mut interrupted = false;
    'all: for source in &options.scenes {
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
            if streamed {
                output::print(&(line(texts(&cells)) + "\n"))?;
            } else {
                table.rows.push(cells.into());
            }
        }
    }
    if !streamed {
        output::print(&output::table(&table, options.format))?;
    }
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
) -> Result<Option<[Cell; COLUMNS.len()]>, Failure> {
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
    Ok(Some([
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

/// The cells as text, rounded to what can be measured.
fn texts(cells: &[Cell; COLUMNS.len()]) -> [String; COLUMNS.len()] {
    let mut texts = cells.iter().zip(COLUMNS).map(|(cell, (column, _))| match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => count.to_string(),
        Cell::Number(number) if matches!(column, "ghosts_per_body" | "imbalance" | "times_first") => {
            format!("{number:.2}")
        }
        Cell::Number(number) if column == "bytes_per_step" => format!("{number:.0}"),
        Cell::Number(number) => format!("{number:.1}"),
        Cell::Empty => "–".into(),
    });
    core::array::from_fn(|_| texts.next().unwrap_or_default())
}

/// The first column to the left, the others to the right.
fn line(texts: [String; COLUMNS.len()]) -> String {
    let column = |(place, (text, (_, width))): (usize, (String, (&str, usize)))| {
        if place == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    texts.into_iter().zip(COLUMNS).enumerate().map(column).collect()
}
