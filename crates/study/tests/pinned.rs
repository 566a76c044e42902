//! Guarantee: every contact model, between walls, around a mesh and in a periodic domain, ends with the bits that are
//! written down in the repository: with every instruction set of the machine, and on any number of threads. Where a
//! change alters results on purpose, `cargo xtask generate` writes them down anew.

use tumble_dem::{InstructionSet, Settings};
use tumble_study::verify::pinned::{Scene, file};

/// Names of the scenes whose bits are others than those written down.
fn differing(how: &Settings) -> Vec<String> {
    let found =
        |scene: &Scene| scene.fingerprint(how).unwrap_or_else(|error| panic!("{}: {error}", scene.name()));
    Scene::all().filter(|scene| scene.pinned() != Some(found(scene))).map(|scene| scene.name()).collect()
}

#[test]
fn with_every_instruction_set() {
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let how = Settings { instruction_set: Some(set), ..Settings::new(1e-5) };
        assert_eq!(differing(&how), [""; 0], "{set:?}");
    }
}

#[test]
fn on_any_number_of_threads() {
    for threads in [2, 3, 8] {
        let how = Settings { threads, ..Settings::new(1e-5) };
        assert_eq!(differing(&how), [""; 0], "{threads} threads");
    }
}

#[test]
fn every_scene_has_bits_of_its_own() {
    let mut pinned: Vec<u64> =
        Scene::all().map(|scene| scene.pinned().unwrap_or_else(|| panic!("{scene:?}"))).collect();
    let count = pinned.len();
    pinned.sort_unstable();
    pinned.dedup();
    assert_eq!(pinned.len(), count, "two scenes with the same bits test one thing twice");
}

#[test]
fn nothing_else_is_written_down() {
    assert_eq!(file().unwrap_or_else(|error| panic!("{error}")), include_str!("../src/verify/pinned.csv"));
}
