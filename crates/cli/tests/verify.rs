//! `verify` as people and programs use it: a table, files, the same bytes every time, and help with names.

use crate::common::{Folder, files, refused, stdout};
use tumble_dem::law::LawKind;
use tumble_study::verify::CASES;

#[test]
fn a_case_prints_its_table_and_writes_a_report() {
    let folder = Folder::new("verify");
    let text = stdout(&folder.run(&["verify", "hertz-impact", "oblique-sliding"]));
    let header = text.lines().next().unwrap();
    for column in ["case", "quantity", "exact", "ours", "error", "band", "verdict"] {
        assert!(header.contains(column), "{text}");
    }
    assert!(text.contains("deepest overlap (m)") && text.contains("2.741e-4"), "{text}");
    assert!(text.contains("2 cases, all passed") && !text.contains("failed"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours in a pipe: {text}");
    assert!(text.lines().all(|line| line.chars().count() <= 130), "{text}");
    let results = folder.0.join("results/verify");
    for file in [
        "report.html",
        "findings.csv",
        "hertz-impact.svg",
        "hertz-impact.csv",
        "oblique-sliding.svg",
        "oblique-sliding.csv",
        "oblique-sliding-table.csv",
    ] {
        assert!(results.join(file).metadata().unwrap().len() > 20, "{file}");
    }
    let findings = std::fs::read_to_string(results.join("findings.csv")).unwrap();
    assert!(findings.starts_with("id,finding,exact,ours,band,verdict,reason\nhertz-impact,"), "{findings}");
}

#[test]
fn verdicts_are_coloured_where_colours_are_wanted() {
    let folder = Folder::new("verify-colours");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tumble"));
    command.args(["verify", "union-of-two"]).env("CLICOLOR_FORCE", "1").current_dir(&folder.0);
    let text = stdout(&command.output().unwrap());
    assert!(text.contains("\u{1b}[32mpassed"), "{text:?}");
}

#[test]
fn the_same_bytes_every_time() {
    let folder = Folder::new("verify-twice");
    let run = |out: &str, format: &str| {
        let arguments =
            ["verify", "union-of-two", "symmetric-top", "restitution", "--out", out, "--format", format];
        stdout(&folder.run(&arguments))
    };
    assert_eq!(run("one", "csv"), run("two", "csv"));
    let [one, two] = ["one", "two"].map(|name| files(&folder.0.join(name)));
    assert!(one.len() >= 6 && one == two, "{:?}", one.keys());
}

#[test]
fn programs_get_csv_and_json() {
    let folder = Folder::new("verify-formats");
    let csv = stdout(&folder.run(&["verify", "oblique-aluminium", "--format", "csv"]));
    assert!(csv.starts_with("case,quantity,exact,ours,error,band,verdict\noblique-aluminium,"), "{csv}");
    let json = stdout(&folder.run(&["verify", "oblique-aluminium", "--format", "json"]));
    let rows: serde_json::Value = serde_json::from_str(&json).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len() + 1, csv.lines().count());
    for row in rows {
        assert_eq!(
            (&row["case"], &row["verdict"]),
            (&"oblique-aluminium".into(), &"passed".into()),
            "{json}"
        );
        assert!(row["error"].as_f64().unwrap() < 1e-4 && row["exact"].is_number(), "{json}");
    }
    let quiet = stdout(&folder.run(&["verify", "union-of-two", "--quiet", "--format", "json"]));
    assert!(quiet.is_empty(), "{quiet}");
}

#[test]
fn cases_are_listed_and_misspelt_ones_suggested() {
    let folder = Folder::new("verify-list");
    let list = stdout(&folder.run(&["verify", "--list"]));
    for case in CASES {
        assert_eq!(list.matches(&format!("\n  {} ", case.id)).count(), 1, "{}\n{list}", case.id);
    }
    assert!(refused(&["verify", "herz-impact"]).contains("did you mean `hertz-impact`?"));
    assert!(refused(&["verify", "dzhanibekow"]).contains("did you mean `dzhanibekov`?"));
    assert!(refused(&["verify", "xyz"]).contains("known: hertz-impact, "));
}

#[test]
fn a_wrong_number_is_noticed_and_the_exit_code_says_so() {
    let folder = Folder::new("verify-spoilt");
    let output = folder.run(&["verify", "oblique-aluminium", "--spoil", "friction=0.0925"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    // The rebound off the wall has nothing to do with friction.
    assert_eq!((text.matches("  failed\n").count(), text.matches("  passed\n").count()), (2, 1), "{text}");
    assert!(text.contains("failed oblique-aluminium: spin (rad/s)") && text.contains("10⁻⁶"), "{text}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("2 numbers are outside") && message.contains("verify-spoilt/report.html"),
        "{message}"
    );
    assert!(!folder.0.join("results/verify").exists());

    // What the engine refuses has failed as well.
    let output = folder.run(&["verify", "oblique-aluminium", "--spoil", "poisson=0.6"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("poisson must be"));

    assert!(refused(&["verify", "heavy-top", "--spoil", "gravty=1"]).contains("did you mean `gravity`?"));
    assert!(refused(&["verify", "heavy-top", "--spoil", "gravity"]).contains("such as gravity=9.80665"));
    assert!(refused(&["verify", "--spoil", "gravity=1"]).contains("--spoil takes one case"));
}

#[test]
fn a_folder_with_something_in_it_needs_force() {
    let folder = Folder::new("verify-force");
    std::fs::create_dir(folder.0.join("mine")).unwrap();
    std::fs::write(folder.0.join("mine/notes.txt"), "precious").unwrap();
    let verify = ["verify", "union-of-two", "--out", "mine"];
    let output = folder.run(&verify);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("--force"));
    stdout(&folder.run(&[&verify[..], &["--force"]].concat()));
    assert_eq!(std::fs::read_to_string(folder.0.join("mine/notes.txt")).unwrap(), "precious");
    assert!(folder.0.join("mine/report.html").is_file());
}

/// The bits that are written down are compared on any device; one that is not there is told before anything is computed.
#[test]
fn devices_are_compared_with_what_is_written_down() {
    let folder = Folder::new("verify-device");
    let csv = stdout(&folder.run(&["verify", "--device", "cpu", "--format", "csv"]));
    let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), LawKind::ALL.len(), "{csv}");
    for row in &rows {
        assert!(row[1] != "0" && row[1] == row[2] && row[3..] == ["0", "0"], "{csv}");
    }
    assert!(!folder.0.join("results").exists());
    assert!(refused(&["verify", "--device", "cuda:60000"]).contains("--device cuda:60000"));
    assert!(refused(&["verify", "--device", "gup"]).contains("did you mean `gpu`?"));
    assert!(refused(&["verify", "heavy-top", "--device", "cpu"]).contains("cannot be used with"));
}
