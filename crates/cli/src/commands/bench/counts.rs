//! `tumble bench --counts`: what it costs to be several, counted and not timed.
//!
//! Ranks are balanced by what is counted as well, so that every number follows from the scene: the table is the same on any machine,
//! however busy it is, and however many processors it has. That of the book is `docs/book/src/generated/ranks.md`.

use super::Options;
use super::measure::Prepared;
use super::scenes::Source;
use super::sheet::{Column, Sheet, column};
use crate::failure::Failure;
use crate::signals::Interrupt;
use tumble_dem::Solver as _;
use tumble_dem::domain::Axis;
use tumble_dem::ranks::{RankCosts, RankedEngine};
use tumble_report::Cell;

/// What is counted unless scenes and ranks are named: a gas, a packing, a drum, a hopper.
pub(super) const SCENES: [&str; 4] = ["rods-4000", "packing-4000", "drum-4000", "hopper-4000"];
pub(super) const RANKS: [u16; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Steps where nobody says how many: several builds of the lists.
const STEPS: u64 = 200;

const COLUMNS: &[Column] = &[
    column("scene", 14, 0),
    column("bodies", 8, 0),
    column("contacts", 9, 0),
    column("ranks", 6, 0),
    column("ghosts_per_body", 16, 2),
    column("doubled_percent", 16, 1),
    column("messages_per_step", 18, 1),
    column("bytes_per_step", 15, 0),
    column("bytes_per_build", 16, 0),
    column("steps_per_build", 16, 0),
    column("imbalance", 10, 2),
    column("imbalance_of_work", 18, 2),
];

/// A scene on so many ranks, counted.
#[derive(Clone)]
pub(super) struct Counted {
    pub(super) costs: RankCosts,
    /// The sides of the box that holds all bodies, m, and whether space repeats itself along them.
    pub(super) sides: [(f64, bool); 3],
}

pub(super) fn run(options: &Options, interrupt: &Interrupt) -> Result<(), Failure> {
    let mut sheet = Sheet::begin(COLUMNS, options.format)?;
    for source in &options.scenes() {
        of_scene(source, options, interrupt, &mut |scene, counted| sheet.row(counted.cells(scene)))?;
    }
    sheet.end()?;
    if interrupt.requested() {
        return Err(Failure::Interrupted("what was counted until then is above".into()));
    }
    Ok(())
}

/// Counts a scene on each number of ranks, until interrupted, and gives its name.
pub(super) fn of_scene(
    source: &Source,
    options: &Options,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(&str, &Counted) -> Result<(), Failure>,
) -> Result<String, Failure> {
    if interrupt.requested() {
        return Ok(source.name.clone());
    }
    let scene = Prepared::new(source, options.clock(interrupt))?;
    let ranks = if options.ranks.is_empty() { &RANKS[..] } else { &options.ranks };
    for &ranks in ranks {
        if interrupt.requested() {
            break;
        }
        let mut engine = scene.told(RankedEngine::new(scene.engine(1)?, ranks.into()))?;
        engine.balance_by_count();
        scene.told(engine.advance(scene.to_hold() + options.steps.unwrap_or(STEPS)))?;
        tell(&scene.name(), &Counted::of(&engine))?;
    }
    Ok(scene.name())
}

impl Counted {
    fn of(engine: &RankedEngine) -> Self {
        let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for body in engine.engine().bodies() {
            for (ends, x) in ends.iter_mut().zip(body.position.to_array()) {
                *ends = [ends[0].min(x), ends[1].max(x)];
            }
        }
        let axes = engine.scenery().domain.axes;
        let side = |axis: usize| match axes[axis] {
            Axis::Periodic { low, high } => (high - low, true),
            Axis::Open => (ends[axis][1] - ends[axis][0], false),
        };
        Self { costs: engine.costs().clone(), sides: [side(0), side(1), side(2)] }
    }

    fn cells(&self, scene: &str) -> Vec<Cell> {
        let costs = &self.costs;
        vec![
            scene.into(),
            Cell::Count(costs.bodies.iter().sum::<usize>() as u64),
            Cell::Count(costs.contacts as u64),
            Cell::Count(costs.ranks() as u64),
            Cell::Number(costs.ghosts_per_body()),
            Cell::Number(100.0 * costs.doubled_share()),
            Cell::Number(costs.messages_per_step()),
            Cell::Number(costs.bytes_per_step()),
            Cell::Number(costs.bytes_per_build()),
            Cell::Number(costs.steps as f64 / costs.builds.max(1) as f64),
            Cell::Number(costs.imbalance()),
            Cell::Number(costs.imbalance_of_work()),
        ]
    }
}
