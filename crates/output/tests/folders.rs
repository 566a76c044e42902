//! Guarantee: results are never overwritten or mixed up unless asked for, what Tumble did not write is never
//! removed, two runs never write to the same folder, and a run that was killed blocks nobody.

use crate::common::files;
use std::fs;
use std::path::Path;
use tumble_output::{Error, Mode, Part, ResultFolder};

fn make(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "x").unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

/// A folder that a run has filled.
fn results(path: &Path) {
    let folder = ResultFolder::create(path, Mode::New).unwrap();
    for part in Part::ALL {
        match part {
            Part::Vtk => {
                make(&folder.part(part).join("spheres_000012.vtp"));
                make(&folder.part(part).join("walls.pvd"));
            }
            Part::Fields => ["cut_000003.vti", "cut.pvd", "cut.csv"]
                .iter()
                .for_each(|name| make(&folder.part(part).join(name))),
            Part::Checkpoints => make(&folder.part(part).join("checkpoint_000000000100.tumble")),
            _ => make(&folder.part(part)),
        }
    }
}

#[test]
fn a_new_run_needs_an_empty_folder() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("a/b");
    drop(ResultFolder::create(&path, Mode::New).unwrap());
    // A run that wrote nothing leaves nothing worth keeping.
    drop(ResultFolder::create(&path, Mode::New).unwrap());
    make(&path.join("energy.csv"));
    let error = ResultFolder::create(&path, Mode::New).unwrap_err();
    assert!(matches!(error, Error::Occupied { results: true, .. }));
    assert!(error.to_string().contains("resume that run"), "{error}");
    let foreign = top.path().join("thesis");
    make(&foreign.join("chapter.tex"));
    let error = ResultFolder::create(&foreign, Mode::New).unwrap_err();
    assert!(
        error.to_string().contains("chapter.tex") && error.to_string().contains("empty folder"),
        "{error}"
    );
    assert_eq!(names(&foreign), ["chapter.tex"], "nothing was added");
    let file = top.path().join("file");
    make(&file);
    assert!(ResultFolder::create(&file, Mode::New).unwrap_err().to_string().contains("file"));
}

#[test]
fn force_removes_what_a_run_wrote_and_nothing_else() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    results(&path);
    let foreign = [
        "notes.txt",
        "vtk/my.pvsm",
        "vtk/spheres_12.vtp",
        "fields/my.csv",
        "checkpoints/old.tumble",
        "plots/energy.csv",
    ];
    for name in foreign {
        make(&path.join(name));
    }
    let folder = ResultFolder::create(&path, Mode::Force).unwrap();
    let mut expected: Vec<_> = foreign.iter().map(ToString::to_string).chain([".tumble".into()]).collect();
    expected.sort();
    assert_eq!(names(&path), expected);
    drop(folder);
    assert!(ResultFolder::is_one(&path) && !ResultFolder::is_one(top.path()));
}

#[test]
fn force_does_not_touch_a_folder_that_is_not_ours() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("data");
    make(&path.join("energy.csv"));
    let error = ResultFolder::create(&path, Mode::Force).unwrap_err();
    assert!(error.to_string().contains("energy.csv"), "{error}");
    assert_eq!(names(&path), ["energy.csv"]);
    // Beside files of other names results can be, since that was asked for.
    let path = top.path().join("desk");
    make(&path.join("letter.txt"));
    drop(ResultFolder::create(&path, Mode::Force).unwrap());
    assert!(path.join("letter.txt").exists());
}

#[test]
fn resuming_needs_results() {
    let top = tempfile::tempdir().unwrap();
    for path in [top.path().join("none"), top.path().to_owned()] {
        let error = ResultFolder::create(&path, Mode::Resume).unwrap_err();
        assert!(error.to_string().contains("nothing to resume"), "{error}");
    }
    let path = top.path().join("r");
    results(&path);
    let before = names(&path);
    drop(ResultFolder::create(&path, Mode::Resume).unwrap());
    assert_eq!(names(&path), before);
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    results(&path);
    let first = ResultFolder::create(&path, Mode::Resume).unwrap();
    for mode in [Mode::Resume, Mode::Force] {
        let error = ResultFolder::create(&path, mode).unwrap_err();
        assert!(matches!(error, Error::InUse { .. }), "{error}");
        assert!(path.join("energy.csv").exists(), "nothing is removed under a run");
    }
    drop(first);
    drop(ResultFolder::create(&path, Mode::Resume).unwrap());
}

#[test]
fn whether_a_run_is_writing_can_be_seen_from_outside() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    assert!(!ResultFolder::is_being_written(&path));
    results(&path);
    let before = names(&path);
    assert!(!ResultFolder::is_being_written(&path));
    let run = ResultFolder::create(&path, Mode::Resume).unwrap();
    assert!(ResultFolder::is_being_written(&path) && ResultFolder::is_being_written(&path));
    drop(run);
    assert!(!ResultFolder::is_being_written(&path));
    assert_eq!(names(&path), before);
}

#[cfg(unix)]
#[test]
fn a_folder_that_was_removed_moved_or_replaced_is_noticed() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    results(&path);
    let folder = ResultFolder::create(&path, Mode::Resume).unwrap();
    folder.check().unwrap();
    fs::rename(&path, top.path().join("elsewhere")).unwrap();
    let error = folder.check().unwrap_err();
    assert!(error.to_string().contains("moved or removed?"), "{error}");
    let other = ResultFolder::create(&path, Mode::New).unwrap();
    assert!(matches!(folder.check().unwrap_err(), Error::Replaced { .. }));
    other.check().unwrap();
}

#[test]
fn clearing_removes_what_force_removes() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    results(&path);
    make(&path.join("notes.txt"));
    let folder = ResultFolder::create(&path, Mode::Resume).unwrap();
    folder.clear().unwrap();
    assert_eq!(names(&path), [".tumble", "notes.txt"]);
    assert!(
        matches!(ResultFolder::create(&path, Mode::Force).unwrap_err(), Error::InUse { .. }),
        "still taken"
    );
}
