//! Guarantee: the newest whole checkpoint is found whatever happened to the others, what is wrong with them
//! is said, and a failure to write one leaves the earlier ones as they were, with an error that names the
//! path and the cause.

use proptest::prelude::*;
use std::fs;
use tumble_output::checkpoint::scene_hash;
use tumble_output::{Checkpoint, Checkpoints, Error};

fn checkpoint(step: u64) -> Checkpoint {
    let state = (0..3000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
    Checkpoint::new(&scene_hash("a scene"), step, step as f64 * 1e-5)
        .with("engine", state)
        .with("outputs", vec![9])
}

fn with_three(folder: &tempfile::TempDir) -> Checkpoints {
    let checkpoints = Checkpoints::new(folder.path().join("c"), 2).unwrap();
    for step in [100, 200, 300] {
        checkpoints.write(&checkpoint(step)).unwrap();
    }
    checkpoints
}

fn names(folder: &tempfile::TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("c")).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_newest_two_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = with_three(&folder);
    assert_eq!(names(&folder), ["checkpoint_000000000200.tumble", "checkpoint_000000000300.tumble"]);
    let (newest, rejected) = checkpoints.newest().unwrap();
    assert_eq!((newest, rejected.len()), (Some(checkpoint(300)), 0));
    // The same step once more replaces it.
    checkpoints.write(&checkpoint(300).with("outputs", vec![1])).unwrap();
    assert_eq!(checkpoints.newest().unwrap().0.unwrap().section("outputs"), Some(&[1][..]));
    assert_eq!(names(&folder).len(), 2);
}

#[test]
fn damaged_ones_are_named_and_the_one_before_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = with_three(&folder);
    let path = folder.path().join("c/checkpoint_000000000300.tumble");
    let whole = fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[1234] ^= 16;
    for (bytes, said) in [
        (&flipped[..], "checksum"),
        (&whole[..2000], "cut off"),
        (b"", "no checkpoint"),
        (b"TUMBLECP", "cut off"),
    ] {
        fs::write(&path, bytes).unwrap();
        let (newest, rejected) = checkpoints.newest().unwrap();
        assert_eq!(newest, Some(checkpoint(200)));
        assert_eq!(rejected.len(), 1);
        assert_eq!(rejected[0].path, path);
        assert!(rejected[0].reason.contains(said), "{}", rejected[0].reason);
    }
    // The run goes on from step 200. What could not be used is in the way of nothing.
    checkpoints.write(&checkpoint(250)).unwrap();
    assert_eq!(names(&folder), ["checkpoint_000000000200.tumble", "checkpoint_000000000250.tumble"]);
    for name in names(&folder) {
        fs::write(folder.path().join("c").join(name), b"nothing").unwrap();
    }
    let (newest, rejected) = checkpoints.newest().unwrap();
    assert_eq!((newest, rejected.len()), (None, 2));
}

#[test]
fn a_renamed_one_and_foreign_files() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = with_three(&folder);
    let at = |name: &str| folder.path().join("c").join(name);
    fs::rename(at("checkpoint_000000000300.tumble"), at("checkpoint_000000000400.tumble")).unwrap();
    fs::write(at("notes.txt"), "mine").unwrap();
    fs::create_dir(at("checkpoint_000000000500.tumble")).unwrap();
    let (newest, rejected) = checkpoints.newest().unwrap();
    assert_eq!(newest, Some(checkpoint(200)));
    assert!(rejected[1].reason.contains("step 300"), "{}", rejected[1].reason);
    assert_eq!(rejected.len(), 2);
    fs::remove_dir(at("checkpoint_000000000500.tumble")).unwrap();
    checkpoints.write(&checkpoint(210)).unwrap();
    assert!(at("notes.txt").exists());
}

#[test]
fn a_vanished_folder_and_a_file_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = with_three(&folder);
    fs::rename(folder.path().join("c"), folder.path().join("elsewhere")).unwrap();
    let error = checkpoints.write(&checkpoint(400)).unwrap_err();
    assert!(matches!(error, Error::File { .. }));
    let text = error.to_string();
    assert!(text.contains("checkpoint_000000000400.tumble") && text.contains("moved or removed"), "{text}");
    assert!(checkpoints.newest().unwrap_err().to_string().contains("/c"));
    fs::write(folder.path().join("c"), "a file").unwrap();
    assert!(checkpoints.write(&checkpoint(400)).is_err());
    assert!(Checkpoints::new(folder.path().join("c"), 2).is_err());
    let moved = Checkpoints::new(folder.path().join("elsewhere"), 2).unwrap();
    assert_eq!(moved.newest().unwrap().0, Some(checkpoint(300)));
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = with_three(&folder);
    let path = folder.path().join("c");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o555)).unwrap();
    let may_anyway = fs::write(path.join("probe"), "").is_ok();
    if may_anyway {
        // Nothing keeps root from writing.
        fs::remove_file(path.join("probe")).unwrap();
    } else {
        let text = checkpoints.write(&checkpoint(400)).unwrap_err().to_string();
        assert!(text.contains("000400.tumble") && text.contains("change the permissions"), "{text}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(checkpoints.newest().unwrap().0, Some(checkpoint(300)));
}

/// The same cases in every run.
fn fixed(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(fixed(100))]

    #[test]
    fn what_was_written_is_read(
        step: u64,
        time in -1e300..1e300_f64,
        hash in ".{0,40}",
        sections in prop::collection::btree_map(".{0,9}", prop::collection::vec(any::<u8>(), 0..99), 0..5),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut written = Checkpoint::new(&hash, step, time);
        for (name, bytes) in &sections {
            written = written.with(name, bytes.clone());
        }
        let path = Checkpoints::new(folder.path(), 1).unwrap().write(&written).unwrap();
        prop_assert_eq!(Checkpoint::read(&path).unwrap(), written);
    }

    #[test]
    fn garbage_is_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300), real_start: bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let start: &[u8] = if real_start { b"TUMBLECP\x01\0\0\0" } else { b"" };
        fs::write(&path, [start, &bytes].concat()).unwrap();
        prop_assert!(Checkpoint::read(&path).is_err());
    }
}
