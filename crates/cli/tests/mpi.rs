//! Real processes, joined by MPI: any number of them leaves the bytes of one, in every file, also after they were killed and resumed with
//! another number; one of them reads, writes and prints; and what one cannot do, all leave, with one message. The cases of a sweep are handed
//! out to them, and leave the table of one process.

use crate::common::{DROP, Folder, MILL, assert_same_results, stderr, stdout};
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// `mpirun` for so many processes, on however few processors.
fn mpirun(folder: &Folder, processes: usize, arguments: &[&str]) -> Command {
    let mut command = launcher(folder);
    command.args(["-n", &processes.to_string(), env!("CARGO_BIN_EXE_tumble")]).args(arguments);
    command
}

fn launcher(folder: &Folder) -> Command {
    let version = Command::new("mpirun").arg("--version").output().unwrap();
    let mut command = Command::new("mpirun");
    if String::from_utf8_lossy(&version.stdout).contains("Open MPI") {
        command.args(["--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]);
    }
    command.current_dir(&folder.0);
    command
}

fn with_mill(name: &str) -> Folder {
    let folder = Folder::new(name);
    // Long enough for bodies to come in and change hands.
    fs::write(folder.0.join("mill.toml"), MILL.replace("steps = 8000", "steps = 2000")).unwrap();
    stdout(&folder.run(&["run", "mill.toml", "--out", "alone", "--quiet"]));
    folder
}

#[test]
fn processes_change_no_byte_and_are_told_of() {
    let folder = with_mill("mpi");
    for processes in [1, 2, 3] {
        let out = format!("of-{processes}");
        let output = mpirun(&folder, processes, &["run", "mill.toml", "--out", &out, "--threads", "1"])
            .output()
            .unwrap();
        let told = stdout(&output);
        assert_eq!(told.matches("simulated").count(), 1, "{told}");
        if processes > 1 {
            let begin = format!("runs on {processes} processes on 1 node (");
            let said = stderr(&output);
            assert!(said.contains(&begin) && said.contains("), each with 1 thread and "), "{said}");
            assert!(told.contains(&format!("on 1 thread of each of {processes} ranks")), "{told}");
        }
        assert_same_results(&folder.0.join("alone"), &folder.0.join(out));
    }
}

#[test]
fn saved_by_three_processes_two_go_on() {
    let folder = with_mill("mpi-resumed");
    let limited = ["run", "mill.toml", "--out", "shared", "--threads", "1", "--time-limit", "1ms"];
    let output = mpirun(&folder, 3, &limited).output().unwrap();
    assert_eq!(output.status.code(), Some(75), "{output:?}");
    assert_eq!(stderr(&output).matches("interrupted: the time limit of 0.001 s is over").count(), 1);
    let rest = ["run", "mill.toml", "--out", "shared", "--threads", "1", "--resume", "--quiet"];
    stdout(&mpirun(&folder, 2, &rest).output().unwrap());
    assert_same_results(&folder.0.join("alone"), &folder.0.join("shared"));
}

#[test]
fn one_process_is_killed_and_all_end_and_are_resumed() {
    let folder = with_mill("mpi-killed");
    let whole = ["run", "mill.toml", "--out", "killed", "--threads", "1", "--quiet"];
    let mut child = mpirun(&folder, 2, &whole).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let saved = folder.0.join("killed/checkpoints");
    while fs::read_dir(&saved).map_or(0, Iterator::count) < 2 && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    // The newest of the children of mpirun is the last rank.
    let newest =
        Command::new("pgrep").args(["--newest", "--parent", &child.id().to_string()]).output().unwrap();
    let newest = String::from_utf8(newest.stdout).unwrap();
    assert!(Command::new("kill").args(["-KILL", newest.trim()]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    stdout(&folder.run(&[&whole[..], &["--resume"]].concat()));
    assert_same_results(&folder.0.join("alone"), &folder.0.join("killed"));
}

#[test]
fn what_one_cannot_do_all_leave_with_one_message() {
    let folder = Folder::new("mpi-refused");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    fs::write(folder.0.join("bad.toml"), "version = 1\n").unwrap();
    let cases: [(&[&str], &str); 3] = [
        (&["run", "bad.toml"], "`run` needs exactly one of"),
        (&["run", "drop.toml", "--ranks", "2"], "--ranks 2: the ranks are the processes"),
        (&["run", "drop.toml", "--device", "gpu"], "2 ranks cannot run this: a card does all steps"),
    ];
    for (arguments, message) in cases {
        let output = mpirun(&folder, 2, arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(stderr(&output).matches(message).count(), 1, "{output:?}");
    }
    assert!(!folder.0.join("results").exists());
}

/// A triangle on the floor that reaches so far.
fn triangle(x: f64) -> String {
    format!(
        "solid floor\nfacet normal 0 0 1\nouter loop\nvertex -1 -1 0\nvertex {x} -1 0\nvertex 0 1 0\nendloop\n\
         endfacet\nendsolid floor\n"
    )
}

#[test]
fn another_file_of_the_same_name_is_noticed() {
    let folder = Folder::new("mpi-files");
    // One path, which is another file for each process, as on nodes with disks of their own.
    let scene = DROP.replace(
        "plane = { point = [0, 0, 0], normal = [0, 0, 1] }",
        "mesh = { file = \"/proc/self/cwd/floor.stl\" }",
    );
    fs::write(folder.0.join("drop.toml"), scene).unwrap();
    let places = ["one", "other"].map(|name| folder.0.join(name));
    for (place, x) in places.iter().zip([1.0, 2.0]) {
        fs::create_dir(place).unwrap();
        fs::write(place.join("floor.stl"), triangle(x)).unwrap();
    }
    for (second, message) in [(&places[1], "rank 1 cannot take part: "), (&places[0], "")] {
        let mut command = launcher(&folder);
        for (place, separator) in [(&places[0], None), (second, Some(":"))] {
            command.args(separator).args(["-n", "1", "-wdir"]).arg(place);
            command.args([env!("CARGO_BIN_EXE_tumble"), "run", "../drop.toml", "--threads", "1"]);
        }
        let output = command.output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.success(), message.is_empty(), "{output:?}");
        if !message.is_empty() {
            let expected = format!("{message}/proc/self/cwd/floor.stl holds something else here");
            assert_eq!(said.matches(&expected).count(), 1, "{said}");
            assert!(!places[0].join("results").exists());
        }
    }
}

/// The table of a sweep without what the clock says, and its means.
fn tables(folder: &Folder, out: &str) -> [Vec<Vec<String>>; 2] {
    [format!("{out}.csv"), format!("{out}-means.csv")].map(|name| {
        let text = fs::read_to_string(folder.0.join(name)).unwrap();
        let rows: Vec<Vec<String>> =
            text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
        let keep: Vec<bool> = rows[0].iter().map(|column| !column.contains("wall_s")).collect();
        let timeless = |row: Vec<String>| {
            row.into_iter().zip(&keep).filter(|(_, keep)| **keep).map(|(cell, _)| cell).collect()
        };
        rows.into_iter().map(timeless).collect()
    })
}

#[test]
fn the_cases_of_a_sweep_are_handed_out_and_leave_the_same_table() {
    let folder = Folder::new("mpi-sweep");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    // The last time step fails.
    let sweep = |out: &'static str| {
        [
            "sweep",
            "drop.toml",
            "--set",
            "dt=2 us,3 us,4 us,-1",
            "--seeds",
            "3",
            "--threads",
            "1",
            "--out",
            out,
        ]
    };
    let alone = stdout(&folder.run(&sweep("alone.csv")));
    for (processes, out) in [(2, "two.csv"), (3, "three.csv")] {
        let output = mpirun(&folder, processes, &sweep(out)).output().unwrap();
        let told = stdout(&output);
        assert_eq!(told.replace(out.trim_end_matches(".csv"), "alone"), alone);
        assert_eq!(stderr(&output).matches("3 cases failed").count(), 1, "{output:?}");
        assert_eq!(tables(&folder, out.trim_end_matches(".csv")), tables(&folder, "alone"));
    }
    // What is finished is not run again, by whomever.
    let again = stdout(&mpirun(&folder, 2, &sweep("alone.csv")).output().unwrap());
    assert!(again.starts_with("12 cases, 0 of them new"), "{again}");
    let output = mpirun(&folder, 2, &["sweep", "none.toml", "--seeds", "2"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(stderr(&output).matches("cannot read the scene none.toml").count(), 1, "{output:?}");
}

/// Every example, for a thousandth of a second.
#[test]
#[ignore = "takes minutes"]
fn mpi_changes_no_byte_of_any_example() {
    let folder = Folder::new("mpi-examples");
    for example in tumble::scene::EXAMPLES {
        let scene = format!("{}.toml", example.name);
        stdout(&folder.run(&["new", example.name, "--out", &scene]));
        let run =
            |out| ["run", &scene, "--out", out, "--force", "--threads", "1", "--quiet", "--duration", "1ms"];
        stdout(&folder.run(&run("alone")));
        for processes in [2, 3, 5] {
            stdout(&mpirun(&folder, processes, &run("shared")).output().unwrap());
            assert_same_results(&folder.0.join("alone"), &folder.0.join("shared"));
        }
    }
}
