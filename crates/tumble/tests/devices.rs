//! Guarantee: what does the steps of a run changes no byte of its results, and either device goes on from what the other saved.
//! The device is the emulated one; without a C++ compiler nothing is tested here.

use crate::common::{EVERYTHING, assert_same_results, built, start, stop_at, whole};
use std::path::Path;
use tempfile::TempDir;
use tumble::dem::fingerprint;
use tumble::gpu::{Choice, Refused, device::DeviceError};
use tumble::output::Part;
use tumble::scene::Built;
use tumble::{End, Error, Mode, Run, Simulation};

/// What a card does not take.
const GLUED: &str = include_str!("../../../scenes/agglomerate.toml");

/// The scene with everything.
fn scene(device: Choice) -> Built {
    let kernels = Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels"));
    Built { device, kernels, ..built(EVERYTHING, &[]) }
}

/// Whether there is a device to test.
#[allow(clippy::print_stderr, reason = "what was not tested has to be said")]
fn is_here() -> bool {
    match Simulation::of(&scene(Choice::Emulated)) {
        Err(Error::Device(Refused::Device(error @ DeviceError::NoCompiler { .. }))) => {
            eprintln!("not tested: {error}");
            false
        }
        simulation => {
            simulation.unwrap_or_else(|error| panic!("{error}"));
            true
        }
    }
}

#[test]
fn results_on_a_device_have_the_bytes_of_the_processor() {
    if !is_here() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let [here, there] = ["here", "there"].map(|name| folder.path().join(name));
    let on_processor = whole(scene(Choice::Cpu), &here);
    let on_device = whole(scene(Choice::Emulated), &there);
    assert_same_results(&here, &there);
    let states = [&on_processor, &on_device].map(|run| fingerprint::of(run.simulation().engine()));
    assert_eq!(states[0], states[1]);
    let place = on_device.simulation().place();
    assert_eq!((place.device, place.card.as_deref()), (Choice::Emulated, Some("emulated card")));
    assert_eq!(on_processor.simulation().place().card, None);
    let summary = std::fs::read_to_string(there.join(Part::Summary.name())).unwrap();
    assert!(summary.contains("\"device\": \"emulated card\""), "{summary}");
    let page = std::fs::read_to_string(on_device.write_report().unwrap()).unwrap();
    assert!(page.contains("emulated card"));
}

#[test]
fn each_device_goes_on_where_the_other_stopped() {
    if !is_here() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let [here, mixed] = ["here", "mixed"].map(|name| folder.path().join(name));
    whole(scene(Choice::Cpu), &here);
    let mut mode = Mode::New;
    for (device, until) in [(Choice::Emulated, 101), (Choice::Cpu, 251), (Choice::Emulated, u64::MAX)] {
        let mut run = start(scene(device), &mixed, mode);
        let end = run.go(&mut stop_at(until)).unwrap();
        assert_eq!(end, if until == u64::MAX { End::Finished } else { End::Interrupted });
        mode = Mode::Resume;
    }
    assert_same_results(&here, &mixed);
}

#[test]
fn a_device_that_refuses_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("results");
    let glued = |device: Choice| Built { device, ..built(GLUED, &[]) };
    let error = Run::start(glued(Choice::Cuda(0)), &results, Mode::New).map(drop).unwrap_err();
    assert!(matches!(error, Error::Device(Refused::Beyond(_))), "{error}");
    assert!(error.to_string().contains("bonds between bodies"), "{error}");
    assert!(!results.exists());
    let auto = glued(Choice::Auto);
    let place = Simulation::of(&auto).unwrap().place().clone();
    assert_eq!((place.device, place.card), (Choice::Cpu, None));
    assert!(place.told.unwrap().starts_with("the processor: a graphics card cannot run this world yet"));
}
