//! `tumble report`: the page of a run, made again.

use crate::common::{DROP, Folder, refused, stderr, stdout};
use std::fs;

#[test]
fn the_page_of_a_run_can_be_made_again() {
    let folder = Folder::new("report");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    stdout(&folder.run(&["run", "drop.toml", "--quiet"]));
    let path = folder.0.join("results/drop/report.html");
    let first = fs::read_to_string(&path).unwrap();
    assert!(first.contains("<h1>A rod falls</h1>") && first.contains("<circle"), "{first}");
    fs::remove_file(&path).unwrap();
    assert_eq!(stdout(&folder.run(&["report", "results/drop"])), "results/drop/report.html\n");
    assert!(fs::read_to_string(&path).unwrap() == first);
    assert_eq!(stdout(&folder.run(&["report", "results/drop", "--quiet"])), "");
}

#[test]
fn a_run_that_failed_has_one_too() {
    let folder = Folder::new("report-failed");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    let output = folder.run(&[
        "run",
        "drop.toml",
        "--set",
        "run.dt=1 ms",
        "--set",
        "any_step=true",
        "--set",
        "bodies.0.velocity=[0,0,-50]",
    ]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let html = fs::read_to_string(folder.0.join("results/drop/report.html")).unwrap();
    assert!(html.contains("<dt>ended</dt><dd>failed: "), "{}", stderr(&output));
}

#[test]
fn folders_without_results_are_refused() {
    let message = refused(&["report", "no-such-folder"]);
    assert!(message.contains("no-such-folder holds no results of a run"), "{message}");
    assert!(refused(&["report"]).contains("<FOLDER>"));
}
