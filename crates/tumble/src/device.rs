//! The one place where engines are made: on what a scene asks for.

use crate::Error;
use std::path::Path;
use tumble_dem::{Engine, Settings, Solver, World};
use tumble_gpu::{Choice, Started, start};
use tumble_scene::Built;

/// Makes an engine of a world and its settings.
pub(crate) type Make<'a> = &'a dyn Fn(World, Settings) -> Result<Started, Error>;

/// Makes engines for the device of a scene.
pub(crate) fn of(built: &Built) -> impl Fn(World, Settings) -> Result<Started, Error> + use<> {
    let (choice, kernels) = (built.device, built.kernels.clone());
    move |world, settings| engine(world, settings, choice, kernels.as_deref())
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
