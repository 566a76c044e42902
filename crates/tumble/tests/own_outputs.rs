//! Guarantee: an output of one's own is called when it says, with the present instant, and ends with the same bytes through
//! interruptions; what goes wrong in it is told under its name.

use crate::common::{on, start, stop_at};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tumble::dem::Solver;
use tumble::{End, Mode, Output, Trouble};

/// The speed of each body.
struct Speeds {
    every: u64,
    path: PathBuf,
    rows: Vec<(u64, f64)>,
    fails_at: Option<u64>,
    /// What it says that it writes.
    file: &'static str,
}

impl Speeds {
    fn new(every: u64) -> Self {
        Self { every, path: PathBuf::new(), rows: Vec::new(), fails_at: None, file: "speeds.csv" }
    }
}

impl Output for Speeds {
    fn name(&self) -> &'static str {
        "the table of speeds"
    }

    fn every(&self) -> u64 {
        self.every
    }

    fn open(&mut self, folder: &Path, resumed: Option<u64>) -> Result<(), Trouble> {
        self.path = folder.join("speeds.csv");
        if let Some(step) = resumed {
            for row in std::fs::read_to_string(&self.path)?.lines() {
                let (at, speed) = row.split_once(',').ok_or("a row without a comma")?;
                self.rows.push((at.parse()?, speed.parse()?));
            }
            self.rows.retain(|(at, _)| *at <= step);
        }
        Ok(())
    }

    fn write(&mut self, now: &dyn Solver) -> Result<(), Trouble> {
        if self.fails_at.is_some_and(|step| now.steps() >= step) {
            return Err("the disk is somewhere else".into());
        }
        let mut sum = 0.0;
        now.visit_bodies(&mut |some| sum += some.iter().map(|body| body.velocity.norm()).sum::<f64>());
        self.rows.push((now.steps(), sum));
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Trouble> {
        let mut rows = String::new();
        for (step, speed) in &self.rows {
            writeln!(rows, "{step},{speed:?}")?;
        }
        Ok(std::fs::write(&self.path, rows)?)
    }

    fn files(&self) -> Vec<PathBuf> {
        vec![self.file.into()]
    }
}

#[test]
fn it_is_called_when_it_says_and_survives_interruptions() {
    let folder = TempDir::new().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let mut run = start(on(1), &whole, Mode::New);
    run.add_output(Speeds::new(37)).unwrap();
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    let read = |folder: &Path| std::fs::read_to_string(folder.join("speeds.csv")).unwrap();
    let table = read(&whole);
    let steps: Vec<u64> = table.lines().map(|row| row.split(',').next().unwrap().parse().unwrap()).collect();
    let expected: Vec<u64> = (0..523).step_by(37).chain([523]).collect();
    assert_eq!(steps, expected);

    let mut mode = Mode::New;
    for stop in [100, 101, 330] {
        let mut run = start(on(1), &parts, mode);
        run.add_output(Speeds::new(37)).unwrap();
        assert_eq!(run.go(&mut stop_at(stop)).unwrap(), End::Interrupted);
        mode = Mode::Resume;
    }
    // As if it had been killed: more is there than the checkpoint knows of.
    let more = read(&parts) + "999,1.0\n";
    std::fs::write(parts.join("speeds.csv"), more).unwrap();
    let mut run = start(on(1), &parts, Mode::Resume);
    run.add_output(Speeds::new(37)).unwrap();
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    assert_eq!(read(&parts), table);
}

#[test]
fn its_troubles_are_told_under_its_name() {
    let folder = TempDir::new().unwrap();
    let mut run = start(on(1), &folder.path().join("a"), Mode::New);
    let none = run.add_output(Speeds::new(0)).unwrap_err().to_string();
    assert_eq!(none, "the table of speeds: expected at least one step between two calls, found 0");
    run.add_output(Speeds { fails_at: Some(80), ..Speeds::new(37) }).unwrap();
    let error = run.go(&mut ()).unwrap_err().to_string();
    assert_eq!(error, "the table of speeds: the disk is somewhere else");
    assert_eq!(run.simulation().engine().steps(), 111);
}

/// Damage to its files is noticed when the run is resumed, as that to others is: an older checkpoint is used.
#[test]
fn what_was_done_to_its_files_is_noticed() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("run");
    let mut run = start(on(1), &results, Mode::New);
    run.add_output(Speeds::new(37)).unwrap();
    assert_eq!(run.go(&mut stop_at(340)).unwrap(), End::Interrupted);
    let stopped = run.simulation().engine().steps();
    drop(run);
    let table = results.join("speeds.csv");
    let whole = std::fs::read_to_string(&table).unwrap();
    // The last row is that of a step after the checkpoint before the last.
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    std::fs::write(&table, whole[..last].to_owned() + &whole[last..].replace('.', ",")).unwrap();
    let mut run = start(on(1), &results, Mode::Resume);
    let notices = run.notices().join("\n");
    assert!(
        notices.contains("speeds.csv") && notices.contains("are not those that the run wrote"),
        "{notices}"
    );
    assert!(run.simulation().engine().steps() < stopped);
    run.add_output(Speeds::new(37)).unwrap_err();
    drop(run);
    // With all of it gone there is nothing to go on from.
    std::fs::remove_file(&table).unwrap();
    let gone = tumble::Run::start(on(1), &results, Mode::Resume).err().unwrap().to_string();
    assert!(gone.contains("speeds.csv") && gone.contains("it is missing"), "{gone}");
    std::fs::write(&table, whole).unwrap();
    let mut run = start(on(1), &results, Mode::Resume);
    run.add_output(Speeds::new(37)).unwrap();
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    let mut unbroken = start(on(1), &folder.path().join("unbroken"), Mode::New);
    unbroken.add_output(Speeds::new(37)).unwrap();
    assert_eq!(unbroken.go(&mut ()).unwrap(), End::Finished);
    let [ours, theirs] =
        [run.folder(), unbroken.folder()].map(|at| std::fs::read(at.join("speeds.csv")).unwrap());
    assert_eq!(ours, theirs);
}

#[test]
fn files_that_are_elsewhere_are_refused() {
    let folder = TempDir::new().unwrap();
    for (file, expected) in [
        ("../speeds.csv", "expected files by their paths from the folder of results, found '../speeds.csv'"),
        ("missing.csv", "missing.csv"),
    ] {
        let mut run = start(on(1), &folder.path().join(file.replace(['.', '/'], "-")), Mode::New);
        run.add_output(Speeds { file, ..Speeds::new(37) }).unwrap();
        let error = run.go(&mut ()).unwrap_err().to_string();
        assert!(error.starts_with("the table of speeds: ") && error.contains(expected), "{error}");
    }
}
