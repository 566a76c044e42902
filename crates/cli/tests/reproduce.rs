//! `tumble reproduce` writes a report and its data, keeps what is finished through interruptions, and never
//! writes into a folder that is not its own.

use crate::common::{Folder, files, stderr, stdout};
use std::fs;
use std::path::Path;

#[test]
fn one_entry_is_told_in_full() {
    let folder = Folder::new("reproduce-one");
    let text = stdout(&folder.run(&["reproduce", "pcdm/table2"]));
    for words in ["pcdm/table2: arrow on a sphere", "Findings", "reproduced", "explained", "--full"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let results = folder.0.join("results/reproduce");
    let findings = fs::read_to_string(results.join("findings.csv")).unwrap();
    let header = "id,finding,published,ours,band,verdict,reason\npcdm/table2,";
    assert!(findings.starts_with(header), "{findings}");
    let page = fs::read_to_string(results.join("report.html")).unwrap();
    for words in ["tumble reproduce pcdm/table2", "wrong in the fifth digit", "pcdm-table2.csv"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(results.join("pcdm-table2.csv").is_file());
}

#[test]
fn several_entries_have_a_line_each_and_programs_get_one_table() {
    let folder = Folder::new("reproduce-some");
    let text = stdout(&folder.run(&["reproduce", "seelen/table1", "pcdm/table2", "--threads", "1"]));
    let ids: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).take(2).collect();
    assert_eq!(ids, ["pcdm/table2", "seelen/table1"], "in the order of the list: {text}");
    let csv = stdout(&folder.run(&["reproduce", "seelen/table1", "pcdm/table2", "--format", "csv"]));
    assert!(csv.starts_with("id,finding,published,ours,") && csv.lines().count() > 15, "{csv}");
    let saved = fs::read_to_string(folder.0.join("results/reproduce/findings.csv")).unwrap();
    assert_eq!(csv, saved);
    let quiet = folder.run(&["reproduce", "pcdm/table2", "--quiet"]);
    assert!(quiet.status.success() && quiet.stdout.is_empty() && quiet.stderr.is_empty(), "{quiet:?}");
}

#[test]
fn the_list_names_every_paper() {
    let folder = Folder::new("reproduce-list");
    let list = stdout(&folder.run(&["reproduce", "--list"]));
    for words in [
        "spiral/fig7",
        "review/fig2",
        "pcdm/fig5",
        "seelen/fig5",
        "tumble/heavy-top",
        "Zhao & van Wachem 2013",
    ] {
        assert!(list.contains(words), "{words}: {list}");
    }
    assert!(files(&folder.0).is_empty(), "nothing is written");
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = Folder::new("reproduce-foreign");
    fs::create_dir(folder.0.join("mine")).unwrap();
    fs::write(folder.0.join("mine/report.html"), "mine").unwrap();
    fs::write(folder.0.join("file"), "mine").unwrap();
    for (out, words) in [("mine", "something else in it"), ("file", "choose a folder")] {
        let output = folder.run(&["reproduce", "pcdm/table2", "--force", "--out", out]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(words), "{output:?}");
    }
    assert_eq!(fs::read(folder.0.join("mine/report.html")).unwrap(), b"mine");
}

#[test]
fn kept_runs_are_used_and_forgotten_by_force() {
    let folder = Folder::new("reproduce-kept");
    let call = ["reproduce", "tumble/friction-order", "--out", "out", "--quiet"];
    stdout(&folder.run(&call));
    let runs = folder.0.join("out/runs");
    let kept = files(&runs);
    assert!(kept.len() > 20, "one for each scheme");
    let findings = fs::read(folder.0.join("out/findings.csv")).unwrap();
    // A run that says something else is believed: it was not computed again.
    let name = Path::new("friction-order_fincham_32768.csv");
    let text = String::from_utf8(kept[name].clone()).unwrap();
    let last = text.lines().last().unwrap();
    let other: Vec<&str> = last.split(',').take(4).chain(["1e0"]).collect();
    fs::write(runs.join(name), text.replace(last, &other.join(","))).unwrap();
    let changed = folder.run(&call);
    assert_eq!(changed.status.code(), Some(3), "the order of Fincham is off: {changed:?}");
    assert!(stderr(&changed).contains("1 finding lies outside"), "{changed:?}");
    stdout(&folder.run(&[&call[..], &["--force"]].concat()));
    assert_eq!(files(&runs), kept, "the same to the last bit");
    assert_eq!(fs::read(folder.0.join("out/findings.csv")).unwrap(), findings);
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_goes_on() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("reproduce-interrupted");
    let call = ["reproduce", "spiral/table1", "spiral/fig3", "--threads", "1", "--out", "out"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.args(call).current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let runs = folder.0.join("out/runs");
    let count = || fs::read_dir(&runs).map_or(0, Iterator::count);
    while count() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let message = stderr(&output);
    assert!(message.contains("1 of 2 entries are finished") && message.contains("goes on"), "{message}");
    let page = fs::read_to_string(folder.0.join("out/report.html")).unwrap();
    assert!(page.contains("spiral/table1"), "what is finished is reported");
    let kept = files(&runs);
    assert!(kept.len() < 15, "{} runs were finished", kept.len());

    let output = folder.run(&call);
    assert!(output.status.success(), "{output:?}");
    let all = files(&runs);
    assert_eq!(all.len(), 15, "one for each scheme");
    assert!(kept.iter().all(|(name, bytes)| all[name] == *bytes));
}
