//! `--ranks`: shares bodies out and changes no byte of the results; how many ranks there are and what they cost is said where people
//! look; and what they cannot do is said before anything begins.

use crate::common::{Folder, files, stderr, stdout};
use crate::device::RAIN;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn with_rain(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.0.join("rain.toml"), RAIN).unwrap();
    folder
}

/// All results but those with times of the clock in them.
fn results(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files(folder);
    for timed in ["summary.json", "report.html"] {
        assert!(files.remove(Path::new(timed)).is_some(), "{timed} in {}", folder.display());
    }
    assert!(
        files.keys().any(|path| path.starts_with("checkpoints")) && files.len() > 10,
        "{:?}",
        files.keys()
    );
    files
}

#[test]
fn ranks_change_no_byte_and_are_told_of() {
    let folder = with_rain("ranks");
    stdout(&folder.run(&["run", "rain.toml", "--out", "alone", "--quiet"]));
    let output = folder.run(&["run", "rain.toml", "--out", "shared", "--ranks", "3", "--threads", "1"]);
    let begin = "runs on 3 ranks of this process, each with 1 thread and 13 to ";
    assert!(stderr(&output).contains(begin), "{output:?}");
    assert!(stderr(&output).contains(", 3 ranks: "), "{output:?}");
    assert!(stdout(&output).contains("on 1 thread of each of 3 ranks"), "{output:?}");
    assert!(stdout(&output).contains(" of contacts twice, "), "{output:?}");
    let [alone, shared] = ["alone", "shared"].map(|name| results(&folder.0.join(name)));
    assert!(alone == shared, "{:?}", alone.keys().filter(|path| alone[*path] != shared[*path]));
    let told = stdout(&folder.run(&["info", "shared"]));
    assert!(told.lines().any(|line| line.starts_with("ranks") && line.ends_with(" 3")), "{told}");

    let half = ["run", "rain.toml", "--out", "shared", "--force", "--set", "run.steps=200", "--ranks", "2"];
    stdout(&folder.run(&[&half[..], &["--quiet"]].concat()));
    let rest = ["run", "rain.toml", "--out", "shared", "--resume", "--duration", "0.008", "--ranks", "5"];
    stdout(&folder.run(&[&rest[..], &["--quiet"]].concat()));
    for name in ["energy.csv", "trajectory.tumble"] {
        let [one, other] = ["alone", "shared"].map(|run| fs::read(folder.0.join(run).join(name)));
        assert!(one.unwrap() == other.unwrap(), "{name}");
    }
}

#[test]
fn what_ranks_cannot_do_is_said_before_anything_begins() {
    let folder = with_rain("ranks-refused");
    let refused = |arguments: &[&str]| {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        stderr(&output)
    };
    let told = refused(&["run", "rain.toml", "--ranks", "2", "--device", "gpu"]);
    assert!(told.contains("2 ranks cannot run this: a card does all steps of device `cuda:0`"), "{told}");
    let told = refused(&["run", "rain.toml", "--ranks", "0"]);
    assert!(told.contains("1..=1024"), "{told}");
    assert!(!folder.0.join("results").exists());
}

#[test]
fn a_line_for_each_number_of_ranks() {
    let folder = Folder::new("ranks-bench");
    let quick = ["--warm", "0", "--steps", "20", "--repeat", "1", "--format", "csv"];
    let csv = stdout(&folder.run(&[&["bench", "rods-200", "--ranks", "1,3"], &quick[..]].concat()));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3, "{csv}");
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let number = |row: usize, name: &str| rows[row][column(name)].parse::<f64>().unwrap();
    assert_eq!([1, 2].map(|row| rows[row][column("ranks")]), ["1", "3"]);
    assert!(number(1, "ghosts_per_body") <= 0.0 && number(1, "bytes_per_step") <= 0.0, "{csv}");
    assert!(number(2, "ghosts_per_body") > 0.0 && number(2, "bytes_per_step") > 0.0, "{csv}");
    assert!(number(2, "imbalance") >= 1.0 && number(2, "ns_per_body") > 0.0, "{csv}");
}
