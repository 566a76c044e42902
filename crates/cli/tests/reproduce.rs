//! `tumble reproduce` writes a report and its data, keeps what is finished through interruptions, and never
//! writes into a folder that is not its own.

use crate::common::{Folder, files, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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
        "rock/compression",
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
    let last = text.lines().rfind(|line| !line.starts_with('#')).unwrap();
    let other: Vec<&str> = last.split(',').take(4).chain(["1e0"]).collect();
    fs::write(runs.join(name), text.replace(last, &other.join(","))).unwrap();
    let changed = folder.run(&call);
    assert_eq!(changed.status.code(), Some(3), "the order of Fincham is off: {changed:?}");
    assert!(stderr(&changed).contains("1 finding lies outside"), "{changed:?}");
    stdout(&folder.run(&[&call[..], &["--force"]].concat()));
    let numbers = |files: &BTreeMap<PathBuf, Vec<u8>>| {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let without_time = |text: String| text.split("# took").next().unwrap().to_owned();
        files.values().map(|bytes| without_time(text(bytes))).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&files(&runs)), numbers(&kept), "the same to the last bit");
    assert_eq!(fs::read(folder.0.join("out/findings.csv")).unwrap(), findings);
}

/// Made-up runs of the chess box: all schemes at two of the published time steps, for so many starts.
fn chess_runs(runs: &Path, starts: u32) {
    fs::create_dir_all(runs).unwrap();
    let schemes =
        ["fincham", "omelyan", "spiral-leapfrog", "magnus-leapfrog", "kick-rotate-kick", "dullweber"];
    for (scheme, dt) in
        schemes.iter().flat_map(|scheme| ["8.85088067e-6", "4.85088067e-6"].map(|dt| (scheme, dt)))
    {
        for seed in 1..=starts {
            let level = if *scheme == "fincham" { "2e-1" } else { "2e-3" };
            let text = format!(
                "# tumble {}: chess-box scheme={scheme} dt={dt} seed={seed} duration=1.5 samples=1500\n\
                 mean_percent,seconds\n{level},1.5e1\n",
                env!("CARGO_PKG_VERSION")
            );
            fs::write(runs.join(format!("chess-box_{scheme}_{dt}_{seed}_1.5_1500.csv")), text).unwrap();
        }
    }
}

#[test]
fn what_is_finished_is_reported_on_and_nothing_is_computed() {
    let folder = Folder::new("reproduce-finished");
    let call = ["reproduce", "spiral/fig7", "--full", "--finished", "--out", "out"];
    let nothing = folder.run(&call);
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
    assert!(stderr(&nothing).contains("no finished runs in out/runs"), "{nothing:?}");
    assert!(!folder.0.join("out").exists(), "not even a folder");

    let runs = folder.0.join("out/runs");
    chess_runs(&runs, 2);
    fs::write(folder.0.join("out/.tumble-reproduce"), "").unwrap();
    let few = folder.run(&call);
    assert_eq!(few.status.code(), Some(2), "{few:?}");
    assert!(stderr(&few).contains("24 of 3000 runs are finished, too few"), "{few:?}");

    chess_runs(&runs, 12);
    let before = files(&runs);
    let output = folder.run(&call);
    assert!(matches!(output.status.code(), Some(0 | 3)), "made-up numbers may differ: {output:?}");
    assert_eq!(files(&runs), before);
    let page = fs::read_to_string(folder.0.join("out/report.html")).unwrap();
    assert!(page.contains("12 of 50 starts") && page.contains("fewer than 3 starts"));
    let table = fs::read_to_string(folder.0.join("out/spiral-fig7-table.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 12, "six schemes at two time steps: {table}");
    assert!(table.contains("spiral-leapfrog,4.85088067e-6,12,"), "{table}");
    let force = folder.run(&[&call[..], &["--force"]].concat());
    assert_eq!(force.status.code(), Some(2), "one or the other");
}

#[test]
fn a_publication_says_how_it_was_made() {
    let folder = Folder::new("reproduce-publish");
    let publish = ["--publish", "papers/full"];
    let call = ["reproduce", "tumble/friction-order", "pcdm/table2", "--out", "out"];
    stdout(&folder.run(&[&call[..], &publish].concat()));
    let published = folder.0.join("papers/full");
    let names = || files(&published).into_keys().collect::<Vec<_>>();
    let all = names();
    for name in ["README.md", "report.html", "findings.csv", "pcdm-table2.csv"] {
        assert!(all.contains(&PathBuf::from(name)), "{name}: {all:?}");
    }
    let is_data =
        |name: &PathBuf| name.extension().is_some_and(|end| end == "csv" || end == "html" || end == "md");
    assert!(all.iter().all(is_data), "neither pictures nor runs: {all:?}");
    assert!(!folder.0.join("out/report.html").exists());
    let readme = fs::read_to_string(published.join("README.md")).unwrap();
    for words in [
        "tumble reproduce tumble/friction-order pcdm/table2",
        "| machine |",
        "on one core, runs: ",
        "| `pcdm/table2` |",
    ] {
        assert!(readme.contains(words), "{words}: {readme}");
    }
    assert!(!readme.contains("runs by") && !readme.contains("not recorded"), "all are ours: {readme}");

    // Runs that do not say who computed them are not taken for ours, and data of other entries go.
    let runs = folder.0.join("out/runs");
    for (name, bytes) in files(&runs) {
        let text = String::from_utf8(bytes).unwrap();
        fs::write(runs.join(name), text.split("# took").next().unwrap()).unwrap();
    }
    let again = ["reproduce", "tumble/friction-order", "--out", "out", "--finished"];
    // Another command may be computing; it holds the folder.
    let marker = fs::File::open(folder.0.join("out/.tumble-reproduce")).unwrap();
    marker.lock().unwrap();
    let refused = folder.run(&again);
    assert!(stderr(&refused).contains("another command is writing there"), "{refused:?}");
    stdout(&folder.run(&[&again[..], &publish].concat()));
    let readme = fs::read_to_string(published.join("README.md")).unwrap();
    assert!(readme.contains("| runs by | not recorded: ") && readme.contains("| not recorded |"), "{readme}");
    assert!(!names().contains(&PathBuf::from("pcdm-table2.csv")));

    fs::write(folder.0.join("mine"), "mine").unwrap();
    let foreign = folder.run(&[&call[..], &["--publish", "."]].concat());
    assert_eq!(foreign.status.code(), Some(2), "{foreign:?}");
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
