//! What ends a stage, and what it is called.

use tumble_dem::Solver;
use tumble_measure::{Measures, Region};
use tumble_output::StageRecord;
use tumble_scene::{Condition, StageEnd, StagePlan};

/// Why a stage ended, in a few words for people and files.
const LASTED: &str = "its time was over";
const CAME_ABOUT: &str = "it came about that ";
const LONGEST: &str = "its longest time was over before it came about that ";

/// Why the present stage is over, if it is.
pub(super) fn over(
    plan: &StagePlan,
    record: &mut StageRecord,
    engine: &dyn Solver,
    measures: &Measures,
) -> Option<String> {
    let steps = engine.steps().saturating_sub(record.step);
    let last = steps >= plan.steps;
    match &plan.end {
        StageEnd::Duration => last.then(|| LASTED.to_owned()),
        StageEnd::Until { condition, every, shortest } => {
            let regular = steps.is_multiple_of(*every);
            if let (Condition::MeasureSteady { column, steps, .. }, true) = (condition, regular) {
                see(&mut record.seen, measures.value(column), steps.div_ceil(*every));
            }
            let looked_at = steps >= *shortest && (last || regular);
            match looked_at.then(|| came_about(condition, *every, engine, measures, &record.seen)) {
                Some(true) => Some(format!("{CAME_ABOUT}{condition}")),
                _ => last.then(|| format!("{LONGEST}{condition}")),
            }
        }
    }
}

/// Whether a stage ended because it took too long.
pub(crate) fn took_too_long(record: &StageRecord) -> bool {
    record.ended.as_ref().is_some_and(|ended| ended.why.starts_with(LONGEST))
}

/// Keeps the newest values, of one look more than there are intervals; none before a measure has its first one.
fn see(seen: &mut Vec<f64>, value: Option<f64>, intervals: u64) {
    seen.extend(value.filter(|value| value.is_finite()));
    let most = usize::try_from(intervals).unwrap_or(usize::MAX).saturating_add(1);
    seen.drain(..seen.len().saturating_sub(most));
}

/// Whether it has, at a look of which there is one every so many steps. `seen` are the newest values of a measure.
fn came_about(
    condition: &Condition,
    every: u64,
    engine: &dyn Solver,
    measures: &Measures,
    seen: &[f64],
) -> bool {
    match condition {
        Condition::SpeedBelow(limit) => {
            let mut fastest = 0.0_f64;
            engine.visit_bodies(&mut |some| {
                let free = some.iter().filter(|body| !body.held);
                fastest = free.fold(fastest, |fastest, body| fastest.max(body.velocity.norm()));
            });
            fastest < *limit
        }
        // Before its first row a measure has no value, and nothing has come about.
        Condition::MeasureAbove(column, limit) => measures.value(column).is_some_and(|value| value > *limit),
        Condition::MeasureBelow(column, limit) => measures.value(column).is_some_and(|value| value < *limit),
        Condition::MeasureSteady { part, steps, .. } => {
            let least = seen.iter().copied().fold(f64::INFINITY, f64::min);
            let most = seen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mean = seen.iter().sum::<f64>() / seen.len() as f64;
            seen.len() as u64 > steps.div_ceil(every) && most - least <= part * mean.abs()
        }
        Condition::KineticEnergyBelow(limit) => engine.ledger().kinetic() < *limit,
        Condition::BodiesAbove(limit, region) => count(engine, region.as_ref()).0 > *limit,
        Condition::BodiesBelow(limit, region) => count(engine, region.as_ref()).0 < *limit,
        Condition::MassAbove(limit, region) => count(engine, region.as_ref()).1 > *limit,
        Condition::MassBelow(limit, region) => count(engine, region.as_ref()).1 < *limit,
    }
}

/// Number and mass of the bodies whose centres are in a region. In the order of their numbers, so that the sum is always
/// the same.
fn count(engine: &dyn Solver, region: Option<&Region>) -> (u64, f64) {
    let (mut bodies, mut mass) = (0, 0.0);
    engine.visit_bodies(&mut |some| {
        for body in
            some.iter().filter(|body| !body.held && region.is_none_or(|region| region.has(body.position)))
        {
            bodies += 1;
            mass += body.mass;
        }
    });
    (bodies, mass)
}
