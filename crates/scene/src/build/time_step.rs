//! The time step: given, or from the adviser, and compared with what the adviser says.

use super::StagePlan;
use super::streams as of_streams;
use crate::diagnostic::Problem;
use crate::keys::{SceneKeys, TimeStep};
use crate::place::Place;
use tumble_dem::advice::Advice;
use tumble_dem::placement::Stream;
use tumble_dem::{Engine, Settings, World};

/// More steps than any computer takes in a year are a mistake.
const MOST_STEPS: f64 = 1e15;

/// A step this many times what the adviser recommends is a mistake.
const FAR_TOO_LONG: f64 = 100.0;

/// The time step in seconds, and what the adviser says of the world as it starts. Bodies that are `taken` from another run
/// belong to another time than walls do at the start: where the two do not fit, the adviser is asked without them.
pub(super) fn choose(
    keys: &SceneKeys,
    world: &World,
    streams: &[Stream],
    settings: &Settings,
    taken: bool,
    problems: &mut Vec<Problem>,
) -> Option<(f64, Advice)> {
    let places = &keys.run.places;
    // No step is taken; the step only has to be one. Threads would take longer to start than to help.
    let settings = Settings { dt: 1e-12, threads: 1, ..settings.clone() };
    let engine = Engine::new(with_samples(world, streams), settings.clone()).or_else(|error| {
        let alone = || World { bodies: Vec::new(), bonds: Vec::new(), ..world.clone() };
        if taken { Engine::new(alone(), settings) } else { Err(error) }
    });
    let advice = match engine {
        Ok(engine) => engine.advise(),
        Err(error) => {
            problems.push(Problem::error(place_of(keys, &error), error.to_string()));
            return None;
        }
    };
    let recommended = advice.recommended();
    let limit = || advice.binding().map_or("", |limit| limit.kind.name());
    let part = match keys.run.dt {
        TimeStep::Seconds(dt) => {
            if dt > FAR_TOO_LONG * recommended && !keys.run.any_step {
                let times = dt / recommended;
                let message =
                    format!("the time step of {dt:.4e} s is {times:.0} times what the adviser recommends");
                let label = format!("at most {recommended:.4e} s, for the sake of: {}", limit());
                let help = "check the unit; dt = \"auto\" takes what it recommends; any_step = true runs it all the same";
                problems.push(Problem::error(places.of("dt"), message).label(label).help(help));
                return None;
            }
            if dt > recommended {
                let message = format!("the time step of {dt:.4e} s is longer than the adviser recommends");
                let label = format!("at most {recommended:.4e} s, for the sake of: {}", limit());
                let help = "`tumble advise` explains; dt = \"auto\" takes what it recommends";
                problems.push(Problem::warning(places.of("dt"), message).label(label).help(help));
            }
            return Some((dt, advice));
        }
        TimeStep::Auto => 1.0,
        TimeStep::Fraction(part) => part,
    };
    if !recommended.is_finite() {
        let message = "nothing in this scene limits the time step, so it cannot be chosen automatically";
        let help = "give it a number, such as dt = \"1 us\"";
        problems.push(Problem::error(places.of("dt"), message).help(help));
        return None;
    }
    if part > 1.0 {
        let message = format!("the time step is {part} times what the adviser recommends");
        let label = format!("at most {recommended:.4e} s, for the sake of: {}", limit());
        problems.push(Problem::warning(places.of("dt"), message).label(label));
    }
    let dt = part * recommended;
    if dt.is_normal() {
        return Some((dt, advice));
    }
    problems.push(Problem::error(places.of("dt"), format!("the time step would be {dt:e} s")));
    None
}

/// The number of steps of the run.
pub(super) fn steps(
    keys: &SceneKeys,
    dt: f64,
    stages: &[StagePlan],
    problems: &mut Vec<Problem>,
) -> Option<u64> {
    let run = &keys.run;
    let all = stages.iter().map(|stage| stage.steps).fold(0, u64::saturating_add);
    let given = match (run.steps, run.duration) {
        (Some(steps), _) => Some(steps),
        (None, Some(duration)) => Some(whole_steps(duration, dt, run.places.of("duration"), problems)?),
        (None, None) => None,
    };
    if let Some(ends) = run.ends {
        let shortest = stages.iter().map(|stage| stage.dt).fold(dt, f64::min);
        whole_steps(ends, shortest, run.places.of("ends"), problems)?;
        return Some(steps_to(ends, stages));
    }
    match given {
        Some(given) if stages.is_empty() => Some(given),
        Some(given) => Some(given.min(all)),
        None => Some(all),
    }
}

/// The number of steps to the end of a run at a time, s, if stages last as long as they may, and the last of them until then.
pub(super) fn steps_to(ends: f64, stages: &[StagePlan]) -> u64 {
    let (mut time, mut steps) = (0.0, 0_u64);
    for (number, stage) in stages.iter().enumerate() {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates; at least zero"
        )]
        let left = ((ends - time) / stage.dt * (1.0 - 1e-12)).ceil().max(0.0) as u64;
        let taken = if number + 1 == stages.len() { left } else { left.min(stage.steps) };
        (time, steps) = (time + taken as f64 * stage.dt, steps.saturating_add(taken));
    }
    steps
}

/// A duration in steps; none, and a problem, if there are too many.
pub(super) fn whole_steps(duration: f64, dt: f64, place: Place, problems: &mut Vec<Problem>) -> Option<u64> {
    // A duration of exactly n steps is n steps, whatever the rounding.
    let steps = (duration / dt * (1.0 - 1e-12)).ceil();
    if steps > MOST_STEPS {
        let message = format!("a duration of {duration:?} s takes {steps:e} steps of {dt:.4e} s");
        problems.push(Problem::error(place, message).label("check the units"));
        return None;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive and small enough")]
    Some(steps as u64)
}

/// The world with bodies such as the streams will bring, so that the adviser sees them.
fn with_samples(world: &World, streams: &[Stream]) -> World {
    let mut world = world.clone();
    for stream in streams {
        world.bodies.extend(of_streams::samples(stream, &world));
    }
    world
}

/// The key that an error of the engine is about.
fn place_of(keys: &SceneKeys, error: &tumble_dem::Error) -> crate::Place {
    use tumble_dem::Error;
    match error {
        Error::DomainTooSmall { .. } => {
            keys.domain.as_ref().map_or(keys.places.table(), |domain| domain.places.table())
        }
        Error::Threads { .. } => keys.run.places.of("threads"),
        Error::SeveralTorques { .. } => keys.run.places.of("rotation"),
        _ => keys.run.places.table(),
    }
}
