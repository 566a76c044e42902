//! The program, run in folders of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A folder of its own for a test, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("tumble-cli-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        tumble(arguments, &self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn tumble(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble")).args(arguments).current_dir(folder).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Runs with bad input and gives the message.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let output = tumble(arguments, &env::temp_dir());
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: ") && !message.contains("panicked"), "{arguments:?}: {message}");
    message
}

/// A rod that falls on a floor: 10 ms that take no time.
pub(crate) const DROP: &str = r#"
version = 1
title = "A rod falls"
gravity = [0, 0, -9.81]
run = { duration = "10 ms" }
materials.glass = { density = 2500, young = "60 MPa", poisson = 0.25 }
pair = { restitution = 0.9, friction = 0.3 }
templates.rod = { shape = "rod" }
bodies = [{ template = "rod", at = [0, 0, "2 cm"], velocity = { speed = 1 } }]
walls = [{ name = "floor", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]
"#;

/// A scene with every output and everything that a run has to remember.
pub(crate) const MILL: &str = include_str!("mill.toml");

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// All files under a folder, by their paths in it.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Whether two runs left the same files with the same bytes; only the summary and the report, which tells the same,
/// have times of the clock in them. Of the checkpoints it is the newest: which one lies before it depends on when a run was interrupted.
pub(crate) fn assert_same_results(one: &Path, other: &Path) {
    let read = |folder: &Path| {
        let mut files = files(folder);
        for timed in ["summary.json", "report.html"] {
            assert!(files.remove(Path::new(timed)).is_some(), "{timed} in {}", folder.display());
        }
        let of_state = |path: &Path| path.starts_with("checkpoints");
        let newest = files.keys().rfind(|path| of_state(path)).cloned();
        files.retain(|path, _| !of_state(path) || Some(path) == newest.as_ref());
        files
    };
    let (one, other) = (read(one), read(other));
    assert!(one.keys().eq(other.keys()), "{:?}\n{:?}", one.keys(), other.keys());
    for (path, bytes) in &one {
        assert!(*bytes == other[path], "{} is different", path.display());
    }
}
