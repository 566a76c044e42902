//! `export` writes one file of a run, replaces nothing unasked, and says what is missing: an ending, a
//! trajectory, the library it was built without.

use crate::common::{DROP, Folder, stderr, stdout};
use std::fs;
use std::process::Output;

/// A folder with the results of a short run.
fn results(name: &str) -> Folder {
    let folder = Folder::new(name);
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    stdout(&folder.run(&["run", "drop.toml", "--set", "run.steps=200", "--set", "dt=5 us", "--quiet"]));
    folder
}

fn message(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    stderr(output)
}

#[test]
fn bad_input_is_named() {
    let folder = results("export-bad");
    let export = |arguments: &[&str]| message(&folder.run(&[&["export"], arguments].concat()));
    for file in ["drop.xdmf", "drop", "vtkhdf"] {
        let said = export(&["results/drop", file]);
        assert!(said.contains(file) && said.contains(".vtkhdf"), "{said}");
    }
    assert!(export(&["results/rod", "drop.vtkhdf"]).contains("results/rod: there is no such folder"));
    assert!(export(&["results", "drop.vtkhdf"]).contains("results: this is not a folder of results"));
    let said = export(&["results/drop", "drop.vtkhdf", "--what", "sphere"]);
    assert!(said.contains("did you mean `spheres`"), "{said}");
    fs::write(folder.0.join("drop.vtkhdf"), "precious").unwrap();
    let said = export(&["results/drop", "drop.vtkhdf"]);
    assert!(said.contains("drop.vtkhdf exists") && said.contains("--force"), "{said}");
    assert_eq!(fs::read(folder.0.join("drop.vtkhdf")).unwrap(), b"precious");
    fs::create_dir(folder.0.join("folder.vtkhdf")).unwrap();
    assert!(export(&["results/drop", "folder.vtkhdf", "--force"]).contains("folder of that name"));
    fs::remove_file(folder.0.join("results/drop/trajectory.tumble")).unwrap();
    let said = export(&["results/drop", "other.vtkhdf"]);
    assert!(said.contains("trajectory.tumble") && said.contains("output.trajectory=true"), "{said}");
}

/// The bodies at the end, as the run itself writes them and as they are written afterwards; a scene goes on with them.
#[test]
fn bodies_are_a_table_that_scenes_read() {
    let folder = Folder::new("export-bodies");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    stdout(&folder.run(&["run", "drop.toml", "--set", "output.bodies=true", "--quiet"]));
    let written = fs::read_to_string(folder.0.join("results/drop/bodies.csv")).unwrap();
    assert!(
        written.lines().nth(1).unwrap().starts_with("template,x,y,z,qw,") && written.lines().count() == 3,
        "{written}"
    );
    assert_eq!(stdout(&folder.run(&["export", "results/drop", "-"])), written);
    let said = stdout(&folder.run(&["export", "results/drop", "now.csv"]));
    assert!(said.starts_with("1 bodies at t = 0.0100") && said.contains("in now.csv"), "{said}");
    assert_eq!(fs::read_to_string(folder.0.join("now.csv")).unwrap(), written);
    let export = |arguments: &[&str]| message(&folder.run(&[&["export"], arguments].concat()));
    assert!(export(&["results/drop", "now.csv"]).contains("now.csv exists"));
    assert!(export(&["results/drop", "x.csv", "--what", "walls"]).contains("--what is for the motion"));
    assert!(export(&["nowhere", "x.csv"]).contains("nowhere: there is nothing to go on with"));
    let scene = DROP.replace(
        r#"bodies = [{ template = "rod", at = [0, 0, "2 cm"], velocity = { speed = 1 } }]"#,
        r#"bodies = [{ csv = "now.csv" }]"#,
    );
    fs::write(folder.0.join("again.toml"), scene).unwrap();
    stdout(&folder.run(&[
        "run",
        "again.toml",
        "--quiet",
        "--set",
        "run.steps=0",
        "--set",
        "output.bodies=true",
    ]));
    let again = fs::read_to_string(folder.0.join("results/again/bodies.csv")).unwrap();
    assert_eq!(again.lines().count(), 3, "{again}");
}

#[cfg(not(feature = "vtkhdf"))]
#[test]
fn without_the_library_it_says_how_to_get_it() {
    let folder = results("export-without");
    let said = message(&folder.run(&["export", "results/drop", "drop.vtkhdf"]));
    for part in ["libhdf5-dev", "cargo build --release --features vtkhdf"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!folder.0.join("drop.vtkhdf").exists());
}

#[cfg(feature = "vtkhdf")]
#[test]
fn every_kind_is_written_and_replaced_by_force() {
    let folder = results("export-kinds");
    for what in ["spheres", "bodies", "contacts", "walls"] {
        let arguments = ["export", "results/drop", "drop.vtkhdf", "--what", what, "--force"];
        let said = stdout(&folder.run(&arguments));
        assert!(said.contains(&format!("drop.vtkhdf written: {what}, 201 frames")), "{said}");
        let bytes = fs::read(folder.0.join("drop.vtkhdf")).unwrap();
        assert!(bytes.starts_with(b"\x89HDF\r\n"), "{what}");
    }
    // From the trajectory alone, and without words.
    fs::rename(folder.0.join("results/drop/trajectory.tumble"), folder.0.join("alone.tumble")).unwrap();
    let output = folder.run(&["export", "alone.tumble", "alone.vtkhdf", "--quiet"]);
    assert!(stdout(&output).is_empty() && stderr(&output).is_empty(), "{output:?}");
    assert!(folder.0.join("alone.vtkhdf").exists());
}

#[cfg(feature = "vtkhdf")]
#[test]
fn of_a_torn_trajectory_the_whole_frames_are_kept() {
    let folder = results("export-torn");
    let path = folder.0.join("results/drop/trajectory.tumble");
    let bytes = fs::read(&path).unwrap();
    let starts: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"FRAM")).collect();
    fs::write(&path, &bytes[..starts[7] + 20]).unwrap();
    let output = folder.run(&["export", "results/drop", "drop.vtkhdf"]);
    assert!(stdout(&output).contains("spheres, 7 frames"), "{output:?}");
    let said = stderr(&output);
    assert!(said.contains("warning:") && said.contains("trajectory.tumble"), "{said}");
    assert!(
        said.contains(&format!("byte {}", starts[7])) && said.contains("the 7 frames before it"),
        "{said}"
    );

    fs::write(&path, &bytes[..starts[0]]).unwrap();
    let said = message(&folder.run(&["export", "results/drop", "empty.vtkhdf"]));
    assert!(said.contains("no whole frame"), "{said}");
    // Where nothing can be written it is no fault of the input.
    fs::write(&path, &bytes).unwrap();
    let output = folder.run(&["export", "results/drop", "no/such/folder.vtkhdf"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stderr(&output).contains("no/such/folder.vtkhdf"), "{output:?}");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 3, "scene, results and one file");
}
