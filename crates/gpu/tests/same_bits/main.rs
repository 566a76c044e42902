//! Guarantee: steps that a device does have the bits of those that the processor does, whatever the world, and either goes on from
//! what the other saved. Devices are the emulated one, with several orders of blocks and threads, and a card where there is one.

mod worlds;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tumble_dem::{Engine, Settings, Solver, World, fingerprint};
use tumble_gpu::CardEngine;
use tumble_gpu::device::{self, Device, DeviceError};
use worlds::Case;

type Failure = Box<dyn std::error::Error>;

/// Where compiled kernels are kept from one run of the tests to the next.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels")
}

#[allow(clippy::print_stderr, reason = "what was not tested has to be said")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// The devices that are here.
fn devices(seeds: core::ops::Range<u64>) -> Result<Vec<Arc<dyn Device>>, DeviceError> {
    let mut devices: Vec<Arc<dyn Device>> = Vec::new();
    for seed in seeds {
        match device::emulated(&folder(), seed) {
            Err(DeviceError::NoCompiler { tried }) => say(&format!("not tested: none of {tried:?} can be run")),
            other => devices.push(other?),
        }
    }
    devices.extend(device::cuda(0, Some(&folder())).ok());
    Ok(devices)
}

fn engine(world: &World, settings: &Settings) -> Result<Engine, Failure> {
    Ok(Engine::new(world.clone(), settings.clone())?)
}

/// Compares a device with the processor, after some steps and again after as many.
fn compare(Case { name, world, settings, steps }: &Case, device: &Arc<dyn Device>) -> Result<(), Failure> {
    let mut expected = engine(world, settings)?;
    let mut on_card = CardEngine::new(engine(world, settings)?, device.clone())?;
    for part in 1..=2 {
        Solver::advance(&mut expected, *steps)?;
        on_card.advance(*steps)?;
        let (own, others) = (Solver::bodies(&expected), on_card.bodies());
        let first = own.iter().zip(&others).find(|(a, b)| a != b);
        assert!(first.is_none(), "{name} on {}, part {part}: {first:#?}", device.name());
        let (own, others) = (Solver::contacts(&expected), on_card.contacts());
        assert_eq!(own.len(), others.len(), "{name}, contacts");
        let first = own.iter().zip(&others).find(|(a, b)| a != b);
        assert!(first.is_none(), "{name}, part {part}: {first:#?}");
        assert_eq!(Solver::ledger(&expected), on_card.ledger(), "{name}, part {part}");
        assert_eq!(fingerprint::of(&expected), fingerprint::of(&on_card), "{name}, part {part}");
        assert_eq!(on_card.steps_by_device(), part * steps, "{name}: the processor had to help");
        assert!(!own.is_empty(), "{name}: nothing touches");
        say(&format!("{name}: {} contacts, {} builds", own.len(), on_card.take_stage_times().builds));
    }
    Ok(())
}

#[test]
fn every_world_has_the_bits_of_the_processor() -> Result<(), Failure> {
    for case in worlds::all()? {
        for device in devices(0..1)? {
            let begin = std::time::Instant::now();
            compare(&case, &device)?;
            say(&format!("{} on {}: {:?}", case.name, device.name(), begin.elapsed()));
        }
    }
    Ok(())
}
