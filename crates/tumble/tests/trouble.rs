//! Guarantee: when the disk is full, the folder is gone or writing is not allowed, a run ends with an error that
//! names the path and the cause; what was written before is intact; and as soon as there is room, the run is resumed
//! and ends with the same bytes as one that met no trouble.
//!
//! Full disks are real ones as far as the system gives any to a test: `/dev/full`, a limit on the size of files in a
//! process of its own, and a small file system in a namespace of its own where that is allowed.
#![cfg(unix)]

use crate::common::{act_at, assert_same_results, files, on, refusal, start, steps, whole};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tumble::output::{Ending, Summary};
use tumble::{Mode, Run, Watch};

/// A step with a checkpoint: when it is looked at, no frame is on its way to the disk any more.
const SAVED: u64 = 240;

/// Goes on until the error that must come.
fn fails(run: &mut Run, watch: &mut dyn Watch) -> String {
    run.go(watch).expect_err("this cannot go well").to_string()
}

/// Every row and file of an interrupted run is one of the whole run; only the end may be torn.
fn assert_intact(whole: &Path, part: &Path) {
    let (whole, part) = (files(whole), files(part));
    for name in ["energy.csv", "walls.csv", "trajectory.tumble"] {
        assert!(!part[name].is_empty() && whole[name].starts_with(&part[name]), "{name}");
    }
    for (name, bytes) in part.iter().filter(|(name, _)| ends(name, "vtp")) {
        assert!(whole[name] == *bytes, "{name}");
    }
}

fn ends(name: &str, with: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == with)
}

fn resumes_to(whole: &Path, path: &Path) {
    let mut run = start(on(1), path, Mode::Resume);
    run.go(&mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert_same_results(whole, path);
}

fn pair(top: &Path) -> (PathBuf, PathBuf) {
    let expected = top.join("whole");
    drop(whole(on(1), &expected));
    (expected, top.join("r"))
}

/// Linux has a device that is always full: what is written through a link to it is lost to a real error.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_for_one_file() {
    let top = tempfile::tempdir().unwrap();
    let (expected, path) = pair(top.path());
    let mut mode = Mode::New;
    for (name, last) in [("vtk/spheres_000003.vtp", 120), ("checkpoints/checkpoint_000000000300.tumble", 300)]
    {
        let mut run = start(on(1), &path, mode);
        mode = Mode::Resume;
        symlink("/dev/full", path.join(format!("{name}.part"))).unwrap();
        let message = fails(&mut run, &mut ());
        assert!(message.contains(&path.join(name).display().to_string()), "{message}");
        assert!(message.contains("os error 28") && message.contains("make room and resume"), "{message}");
        let summary = Summary::read(&path.join("summary.json")).unwrap();
        assert_eq!(summary.ended, Ending::Failed { reason: message });
        assert!(
            summary.state.steps >= last && steps(&path.join("energy.csv")).last() >= Some(&(last / 7 * 7))
        );
        assert_intact(&expected, &path);
        assert!(files(&path).keys().all(|name| !ends(name, "part")), "nothing half written is left");
        // Going on as if nothing had happened would leave a hole.
        assert!(fails(&mut run, &mut ()).contains("resumed from its folder"));
    }
    resumes_to(&expected, &path);
}

/// The part of a test that runs in a process of its own; does nothing without the variables.
#[test]
#[ignore = "other tests start it"]
fn child() {
    let (Ok(path), Ok(mode)) = (std::env::var("TUMBLE_TEST_FOLDER"), std::env::var("TUMBLE_TEST_MODE"))
    else {
        return;
    };
    let mode = if mode == "new" { Mode::New } else { Mode::Resume };
    let ended = Run::start(on(1), path, mode).and_then(|mut run| run.go(&mut ()));
    if let Err(error) = ended {
        panic!("ended with: {error}");
    }
}

/// Runs a script of the shell in which `$CHILD` runs the scene in a folder; gives all that was said.
fn script(wrapper: &[&str], text: &str, folder: &Path) -> (bool, String) {
    let program = std::env::current_exe().unwrap();
    let child = format!("{} --ignored --exact trouble::child --nocapture", program.display());
    let output = Command::new(wrapper[0])
        .args(&wrapper[1..])
        .args(["sh", "-c", text])
        .env("CHILD", child)
        .env("TUMBLE_TEST_FOLDER", folder)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.success(), said)
}

/// A limit on the size of files, in blocks of 512 bytes; the signal that would end the process is ignored.
#[test]
fn files_that_may_not_grow() {
    let top = tempfile::tempdir().unwrap();
    let (expected, path) = pair(top.path());
    let mut mode = "new";
    // Enough for a checkpoint at the start; then for one at the end, but not for the table of a field along a line.
    for blocks in [100, 160] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; TUMBLE_TEST_MODE={mode} $CHILD");
        let (ok, said) = script(&["env"], &limited, &path);
        assert!(!ok && said.contains("File too large") && said.contains("lift the limit"), "{said}");
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert!(path.join("scene.toml").exists(), "it began");
        mode = "resume";
    }
    resumes_to(&expected, &path);
}

/// A file system with 600 kB to spare fills up in the middle of the run; then room is made.
#[test]
fn a_full_file_system() {
    let allowed = Command::new("unshare").args(["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        // Namespaces and mounts are not for everybody; the tests above meet full disks in other ways.
        return;
    }
    let top = tempfile::tempdir().unwrap();
    let (expected, path) = pair(top.path());
    let disk = top.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let text = format!(
        "mount -t tmpfs -o size=4096k tmpfs {disk} && head -c 3500k /dev/zero > {disk}/ballast && \
         ! TUMBLE_TEST_MODE=new $CHILD && cp -r {disk}/r {full} && \
         rm {disk}/ballast && TUMBLE_TEST_MODE=resume $CHILD && cp -r {disk}/r {path}",
        disk = disk.display(),
        full = top.path().join("full").display(),
        path = path.display()
    );
    let (ok, said) = script(&["unshare", "-rm"], &text, &disk.join("r"));
    assert!(ok && said.contains("os error 28") && said.contains("make room and resume"), "{said}");
    let rows = steps(&top.path().join("full/energy.csv"));
    assert!(rows.len() > 10 && rows.last() < Some(&523), "{rows:?}");
    assert_same_results(&expected, &path);
}

/// The folder is moved away under the run: it ends soon, and the folder can be resumed where it is now.
#[test]
fn a_folder_that_is_moved() {
    let top = tempfile::tempdir().unwrap();
    let (expected, path) = pair(top.path());
    let moved = top.path().join("moved");
    let mut run = start(on(1), &path, Mode::New);
    let message = fails(&mut run, &mut act_at(SAVED, || fs::rename(&path, &moved).unwrap()));
    assert!(
        message.contains(&path.display().to_string()) && message.contains("moved or removed?"),
        "{message}"
    );
    assert!(!path.exists(), "no new folder was made");
    assert!(run.simulation().engine().steps() < 300, "it was noticed soon");
    drop(run);
    assert_intact(&expected, &moved);
    resumes_to(&expected, &moved);
}

/// The folder is removed, and another run begins in one of the same name: nothing is written there.
#[test]
fn a_folder_that_is_replaced() {
    let top = tempfile::tempdir().unwrap();
    let path = top.path().join("r");
    let mut run = start(on(1), &path, Mode::New);
    let mut other = None;
    let replace = || {
        fs::remove_dir_all(&path).unwrap();
        other = Some((start(on(2), &path, Mode::New), files(&path)));
    };
    let message = fails(&mut run, &mut act_at(SAVED, replace));
    drop(run);
    assert!(
        message.contains(&path.display().to_string()) && message.contains("another one has its name"),
        "{message}"
    );
    let (other, before) = other.unwrap();
    assert_eq!(files(&path), before);
    drop(other);
}

/// Something else is where the folder of results, or a part of it, should be. This holds for root too.
#[test]
fn something_in_the_way() {
    let top = tempfile::tempdir().unwrap();
    let file = top.path().join("file");
    fs::write(&file, "a letter").unwrap();
    for path in [file.clone(), file.join("r")] {
        let message = refusal(Run::start(on(1), &path, Mode::New));
        assert!(message.contains(&path.display().to_string()), "{message}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"a letter");
    let (expected, path) = pair(top.path());
    let mut run = start(on(1), &path, Mode::New);
    let blocked = path.join("checkpoints/checkpoint_000000000240.tumble.part");
    let message = fails(&mut run, &mut act_at(200, || fs::create_dir(&blocked).unwrap()));
    assert!(message.contains("checkpoint_000000000240.tumble"), "{message}");
    drop(run);
    fs::remove_dir(&blocked).unwrap();
    assert_intact(&expected, &path);
    resumes_to(&expected, &path);
}

/// Root may write everywhere: for root there is nothing to test.
#[test]
fn folders_that_may_not_be_written() {
    let top = tempfile::tempdir().unwrap();
    let allow = |path: &Path, mode: u32| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    let closed = top.path().join("closed");
    fs::create_dir(&closed).unwrap();
    allow(&closed, 0o555);
    if fs::write(closed.join("probe"), "").is_ok() {
        return;
    }
    let message = refusal(Run::start(on(1), closed.join("r"), Mode::New));
    assert!(message.contains("closed/r") && message.contains("not allowed there"), "{message}");
    allow(&closed, 0o755);

    let (expected, path) = pair(top.path());
    let checkpoints = path.join("checkpoints");
    let mut run = start(on(1), &path, Mode::New);
    let message = fails(&mut run, &mut act_at(200, || allow(&checkpoints, 0o555)));
    drop(run);
    assert!(message.contains("checkpoints/") && message.contains("change the permissions"), "{message}");
    allow(&checkpoints, 0o755);
    assert_intact(&expected, &path);
    resumes_to(&expected, &path);
}
