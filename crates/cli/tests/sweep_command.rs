//! `sweep` with the real program: a tidy table, whatever happens on the way.

use crate::common::{DROP, Folder, stderr, stdout};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn with_drop(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    folder
}

/// The table as rows of fields by column; only the last, a message, can have commas in it.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let fields: Vec<&str> = line.splitn(columns.len(), ',').collect();
        assert_eq!(fields.len(), columns.len(), "{line}");
        columns.iter().zip(fields).map(|(column, field)| ((*column).into(), field.into())).collect()
    };
    lines.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

#[test]
fn every_combination_is_measured() {
    let folder = with_drop("sweep-all");
    let sweep =
        ["sweep", "drop.toml", "--set", "rotation=omelyan,fincham", "--set", "dt=2 us,4 us", "--seeds", "2"];
    let text = stdout(&folder.run(&sweep));
    assert!(text.starts_with("8 cases, 8 of them new: results/drop-sweep.csv\n"), "{text}");
    let rows = table(&folder.0.join("results/drop-sweep.csv"));
    assert_eq!(rows.len(), 8);
    let order: Vec<String> =
        rows.iter().map(|row| format!("{} {} {}", row["rotation"], row["dt"], row["seed"])).collect();
    assert_eq!(order[..3], ["omelyan 2 us 1", "omelyan 2 us 2", "omelyan 4 us 1"]);
    for row in &rows {
        let dt = if row["dt"] == "2 us" { 2e-6 } else { 4e-6 };
        assert!((number(row, "dt_s") / dt - 1.0).abs() < 1e-12, "{row:?}");
        assert!((number(row, "steps_done") - 0.01 / dt).abs() < 1.5, "{row:?}");
        assert!((number(row, "time_s") - 0.01).abs() < 2.0 * dt, "{row:?}");
        assert!(number(row, "wall_s") > 0.0 && row["error"].is_empty(), "{row:?}");
        assert!((0.0..1e-3).contains(&number(row, "mean_balance_error")), "{row:?}");
        assert!(number(row, "mean_energy_deviation") >= 0.0, "{row:?}");
    }
    // Seeds turn the velocity; schemes agree on what a free fall and a bounce do to the energy.
    assert_ne!(rows[0]["mechanical_J"], rows[1]["mechanical_J"]);
    let [a, b] = [0, 4].map(|place| number(&rows[place], "mechanical_J"));
    assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
    // Means over seeds lie beside the table, and nothing is left to do.
    let means = table(&folder.0.join("results/drop-sweep-means.csv"));
    assert_eq!((means.len(), &*means[0]["seeds"]), (4, "2"));
    let [a, b] = [0, 1].map(|place| number(&rows[place], "mechanical_J"));
    assert!((number(&means[0], "mechanical_J") / (0.5 * (a + b)) - 1.0).abs() < 1e-14);
    // Half the difference of two is the standard error of their mean.
    let error = number(&means[0], "standard error of mechanical_J");
    assert!((error - 0.5 * (a - b).abs()).abs() < 1e-14 * a.abs(), "{error}");
    assert_eq!(fs::read_dir(folder.0.join("results")).unwrap().count(), 2);
    let before = fs::read(folder.0.join("results/drop-sweep.csv")).unwrap();
    assert!(stdout(&folder.run(&sweep)).starts_with("8 cases, 0 of them new"));
    assert_eq!(fs::read(folder.0.join("results/drop-sweep.csv")).unwrap(), before);
    let output = folder.run(&[&sweep[..], &["--quiet", "--out", "quiet.csv"]].concat());
    assert!(stdout(&output).is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_deviation_is_that_of_the_table_of_energies() {
    let folder = with_drop("sweep-mean");
    let settings = ["--set", "pair.restitution=1", "--set", "pair.friction=0", "--set", "duration=30 ms"];
    stdout(
        &folder.run(&[&["sweep", "drop.toml", "--seeds", "1,", "--out", "one.csv"], &settings[..]].concat()),
    );
    stdout(&folder.run(&[&["run", "drop.toml", "--quiet"], &settings[..]].concat()));
    let rows = table(&folder.0.join("results/drop/energy.csv"));
    let energies: Vec<f64> = rows.iter().map(|row| number(row, "mechanical_J")).collect();
    let deviations: Vec<f64> =
        energies[1..].iter().map(|e| ((e - energies[0]) / energies[0]).abs()).collect();
    let mean = deviations.iter().sum::<f64>() / deviations.len() as f64;
    let one = &table(&folder.0.join("one.csv"))[0];
    assert!(
        mean > 0.0 && (number(one, "mean_energy_deviation") / mean - 1.0).abs() < 1e-12,
        "{mean} {one:?}"
    );
    assert_eq!(number(one, "final_energy_deviation").to_bits(), deviations.last().unwrap().to_bits());
    let last = rows.last().unwrap();
    for column in ["mechanical_J", "contacts", "bodies"] {
        assert_eq!(one[column], last[column], "{column}");
    }
    assert_eq!(one["final_balance_error"], last["relative_balance_error"]);
}

#[test]
fn bad_cases_are_rows_and_bad_keys_are_refused() {
    let folder = with_drop("sweep-bad");
    let output =
        folder.run(&["sweep", "drop.toml", "--set", "rotation=omelyan,omelian", "--set", "dt=4 us,-1"]);
    stdout(&output);
    assert!(stderr(&output).contains("3 cases failed"), "{output:?}");
    let rows = table(&folder.0.join("results/drop-sweep.csv"));
    let failed: Vec<bool> = rows.iter().map(|row| !row["error"].is_empty()).collect();
    assert_eq!(failed, [false, true, true, true]);
    assert!(rows[2]["error"].contains("omelian"), "{rows:?}");
    assert!(rows[2]["steps_done"].is_empty());

    let refused = |arguments: &[&str]| {
        let output = folder.run(&[&["sweep"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        stderr(&output)
    };
    let message = refused(&["drop.toml", "--set", "rotatoin=omelyan,fincham", "--out", "none.csv"]);
    assert!(message.contains("did you mean `rotation`?"), "{message}");
    assert!(!folder.0.join("none.csv").exists());
    assert!(refused(&["missing.toml", "--seeds", "3"]).contains("cannot read the scene missing.toml"));
    assert!(refused(&["drop.toml", "--set", "dt=1e-6,2e-6"]).contains("belongs to another study"));
    assert!(refused(&["drop.toml", "--seeds", "2", "--set", "seed=1,2"]).contains("varied twice"));
    assert!(refused(&["drop.toml"]).contains("--set"));
    assert!(refused(&["drop.toml", "--set", "dt"]).contains("expected KEY=VALUES"));
    // All of them at once is a failure.
    let hard = [
        "--set",
        "run.dt=1 ms",
        "--set",
        "any_step=true",
        "--set",
        "bodies.0.velocity=[0,0,-50]",
        "--seeds",
        "2",
    ];
    let output = folder.run(&[&["sweep", "drop.toml", "--out", "all.csv"], &hard[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stderr(&output).contains("all cases failed"), "{output:?}");
}

/// Rows of different scenes never stand in one table, whether the scene changed or a file that it reads; other values of
/// the same scene do.
#[test]
fn a_table_of_another_scene_is_refused() {
    let folder = with_drop("sweep-changed");
    let clump = |radius: &str| fs::write(folder.0.join("two.csv"), format!("x,y,z,radius\n0,0,0,{radius}\n"));
    clump("0.004").unwrap();
    let scene = DROP.replace("shape = \"rod\"", "file = \"two.csv\"");
    fs::write(folder.0.join("drop.toml"), &scene).unwrap();
    let sweep =
        |values: &str| folder.run(&["sweep", "drop.toml", "--set", &format!("pair.friction={values}")]);
    let path = folder.0.join("results/drop-sweep.csv");
    stdout(&sweep("0.1,0.2"));
    assert!(stdout(&sweep("0.2,0.3")).starts_with("2 cases, 1 of them new"));
    // What is varied does not count as it stands in the file, nor do words.
    let same = scene.replace("friction = 0.3", "friction = 0.5") + "\n# varied";
    fs::write(folder.0.join("drop.toml"), same).unwrap();
    assert!(stdout(&sweep("0.1")).starts_with("1 cases, 0 of them new"));
    let before = fs::read(&path).unwrap();
    let refused = |values: &str, case: &str| {
        let output = sweep(values);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = stderr(&output);
        assert!(message.contains("has results of another scene") && message.contains(case), "{message}");
        assert_eq!(fs::read(&path).unwrap(), before);
    };
    fs::write(folder.0.join("drop.toml"), scene.replace("-9.81", "-1.62")).unwrap();
    refused("0.1,0.2", "pair.friction=0.");
    refused("0.9", "pair.friction=0.");
    fs::write(folder.0.join("drop.toml"), &scene).unwrap();
    clump("0.005").unwrap();
    refused("0.1,0.2,0.3", "pair.friction=0.");
    clump("0.004").unwrap();
    assert!(stdout(&sweep("0.1,0.2,0.3")).starts_with("3 cases, 0 of them new"));
    // A case that failed has no results that could be mixed up: it is run again.
    let text = scene.replace("two.csv", "three.csv");
    fs::write(folder.0.join("drop.toml"), text).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(sweep("0.1").status.code(), Some(1));
    fs::rename(folder.0.join("two.csv"), folder.0.join("three.csv")).unwrap();
    assert!(stdout(&sweep("0.1")).starts_with("1 cases, 1 of them new"));
    assert_eq!(table(&path).len(), 1);
}

/// A study long enough to be interrupted.
const LONG: [&str; 8] =
    ["sweep", "drop.toml", "--set", "run.steps=20000", "--set", "dt=1 us,2 us,3 us", "--seeds", "12"];

#[test]
#[cfg(unix)]
fn killed_and_called_again_it_ends_with_the_same_table() {
    let folder = with_drop("sweep-kill");
    stdout(&folder.run(&[&LONG[..], &["--out", "whole.csv"]].concat()));
    let whole = table(&folder.0.join("whole.csv"));
    let path = folder.0.join("killed.csv");
    let finished = || fs::read_to_string(&path).map_or(0, |text| text.lines().count().saturating_sub(1));
    for (signal, code) in [("-KILL", None), ("-TERM", Some(4)), ("-KILL", None), ("-INT", Some(4))] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tumble"))
            .args(LONG)
            .args(["--out", "killed.csv", "--threads", "2"])
            .current_dir(&folder.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let before = finished();
        while finished() < before + 3 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), code, "{output:?}");
        if code.is_some() {
            let message = stderr(&output);
            assert!(
                message.contains("of 36 cases are finished") && message.contains("same command again"),
                "{message}"
            );
        }
    }
    let (kept, text) = (finished(), fs::read_to_string(&path).unwrap());
    assert!((12..36).contains(&kept), "{kept}");
    let told = stdout(&folder.run(&[&LONG[..], &["--out", "killed.csv"]].concat()));
    assert!(told.starts_with(&format!("36 cases, {} of them new", 36 - kept)), "{told}");
    let end = fs::read_to_string(&path).unwrap();
    // What was finished was not run again: even the times are the same.
    for line in text.lines().take(kept + 1) {
        assert!(end.contains(line), "{line}");
    }
    let without_times = |rows: Vec<BTreeMap<String, String>>| -> Vec<BTreeMap<String, String>> {
        rows.into_iter()
            .map(|mut row| {
                row.remove("wall_s");
                row
            })
            .collect()
    };
    assert_eq!(without_times(table(&path)), without_times(whole));
}

#[test]
fn measures_are_columns_and_are_drawn_with_error_bars() {
    let folder = Folder::new("sweep-measures");
    let measures = r#"
[[measures]]
name = "rod"
kind = "centre-of-mass"
every = "1 ms"

[[measures]]
name = "fallen"
kind = "flow"
through = { plane = { point = [0, 0, 0.0197], normal = [0, 0, -1] } }
every = "0.1 ms"
"#;
    fs::write(folder.0.join("drop.toml"), format!("{DROP}{measures}")).unwrap();
    let settings = [
        "--set",
        "gravity=[0, 0, -10],[0, 0, -20]",
        "--set",
        "bodies.0.velocity=[0, 0, 0]",
        "--set",
        "dt=10 us",
    ];
    let sweep = [&["sweep", "drop.toml", "--seeds", "3", "--mean-from", "0.0045"], &settings[..]].concat();
    let text = stdout(&folder.run(&sweep));
    assert!(text.contains("Drawn: results/drop-sweep.html"), "{text}");
    let rows = fs::read_to_string(folder.0.join("results/drop-sweep.csv")).unwrap();
    let header: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    for column in ["mean rod.z_m", "last rod.z_m", "last fallen.number", "mean fallen.mass_rate_kg/s"] {
        assert!(header.contains(&column), "{column}: {header:?}");
    }
    // What is counted since the start has no mean.
    assert!(!header.contains(&"mean fallen.number"), "{header:?}");
    let means = fs::read_to_string(folder.0.join("results/drop-sweep-means.csv")).unwrap();
    let mut lines = means.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = columns.iter().position(|column| *column == "mean rod.z_m").unwrap();
    // From the end of the row, since a gravity has commas.
    let from_end = columns.len() - place;
    for (row, gravity) in lines.zip([10.0, 20.0]) {
        let fields: Vec<&str> = row.rsplitn(from_end + 1, ',').collect();
        let (mean, error) = (fields[from_end - 1], fields[from_end - 2]);
        // It falls freely from 2 cm: at 5, 6, … 10 ms.
        let exact = (5..=10).map(|ms| 0.02 - 0.5 * gravity * f64::from(ms * ms) * 1e-6).sum::<f64>() / 6.0;
        assert!((mean.parse::<f64>().unwrap() - exact).abs() < 2e-6, "{mean} {exact}");
        assert!(error.parse::<f64>().unwrap() < 1e-12, "nothing is random: {error}");
    }
    let page = fs::read_to_string(folder.0.join("results/drop-sweep.html")).unwrap();
    for shown in ["mean over time", "rod.z_m", "their standard errors"] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains("NaN"));
    // Other means are other results.
    let other = folder.run(&[&sweep[..4], &["--mean-from", "0"], &settings[..]].concat());
    assert!(!other.status.success() && stderr(&other).contains("another scene"), "{other:?}");
}
