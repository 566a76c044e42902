//! The one place where engines are made: on what a scene asks for.

use crate::Error;
use std::path::Path;
use tumble_dem::ranks::{Processes, RankCosts, RankedEngine};
use tumble_dem::{Engine, Settings, Solver, World};
use tumble_gpu::{Choice, Place, Started, start};
use tumble_scene::Built;

/// Makes an engine of a world and its settings.
pub(crate) type Make<'a> = &'a dyn Fn(World, Settings) -> Result<Started, Error>;

/// Makes engines for the device of a scene.
pub(crate) fn of(built: &Built) -> impl Fn(World, Settings) -> Result<Started, Error> + use<> {
    let (choice, kernels) = (built.device, built.kernels.clone());
    let (ranks, processes) = (built.ranks, built.processes.clone());
    move |world, settings| match (&processes, ranks) {
        (Some(processes), _) => spread_across(world, settings, choice, processes),
        (None, Some(ranks)) => spread(world, settings, choice, ranks),
        (None, None) => engine(world, settings, choice, kernels.as_deref()),
    }
}

/// An engine that is spread over ranks of this process.
fn spread(world: World, settings: Settings, choice: Choice, ranks: usize) -> Result<Started, Error> {
    check_device(choice, ranks)?;
    let engine = RankedEngine::new(Engine::new(world, settings)?, ranks)?;
    let told = Some(told_of(engine.costs()));
    Ok(Started { solver: Box::new(engine), place: Place { told, ..Place::default() } })
}

/// An engine that is spread over processes, of which this is the first.
fn spread_across(
    world: World,
    settings: Settings,
    choice: Choice,
    processes: &Processes,
) -> Result<Started, Error> {
    let whole = Engine::new(world, settings)?;
    let taken = || Error::Ranks { ranks: 1, reason: "another engine has taken the other processes".into() };
    let peers = processes.take().ok_or_else(taken)?;
    let ranks = peers.count();
    // From here on the others are told when there is nothing more to do, whatever comes.
    let engine = RankedEngine::across(whole, peers);
    check_device(choice, ranks)?;
    let told = Some(processes.told().to_owned());
    Ok(Started { solver: Box::new(engine), place: Place { told, ..Place::default() } })
}

fn check_device(choice: Choice, ranks: usize) -> Result<(), Error> {
    if matches!(choice, Choice::Cpu | Choice::Auto) {
        return Ok(());
    }
    Err(Error::Ranks { ranks, reason: format!("a card does all steps of device `{choice}`") })
}

/// How many ranks there are, to follow "runs on". Who has how many bodies is known when there are any.
fn told_of(costs: &RankCosts) -> String {
    let several = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let [ranks, threads] = [several(costs.ranks(), "rank"), several(costs.threads, "thread")];
    format!("{ranks} of this process, each with {threads}")
}

/// Makes engines as somebody else does.
pub(crate) fn as_by(
    make: &dyn Fn(World, Settings) -> Result<Box<dyn Solver>, tumble_dem::Error>,
) -> impl Fn(World, Settings) -> Result<Started, Error> {
    move |world, settings| Ok(make(world, settings)?.into())
}

fn engine(
    world: World,
    settings: Settings,
    choice: Choice,
    kernels: Option<&Path>,
) -> Result<Started, Error> {
    Ok(start(Engine::new(world, settings)?, choice, kernels)?)
}

/// The engine of this machine's processors.
pub(crate) fn processor(world: World, settings: Settings) -> Result<Started, Error> {
    engine(world, settings, Choice::Cpu, None)
}
