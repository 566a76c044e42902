//! `bench` measures built-in scenes and folders, and ends in good order when asked to.

use crate::common::{Folder, refused, stdout};
use std::fs;

const QUICK: [&str; 6] = ["--warm", "0", "--steps", "20", "--repeat", "1"];

#[test]
fn a_line_for_each_scene_and_number_of_threads() {
    let folder = Folder::new("bench");
    let arguments =
        [&["bench", "rods-20", "chess", "--threads", "1,2", "--format", "csv"], &QUICK[..]].concat();
    let csv = stdout(&folder.run(&arguments));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 5, "{csv}");
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let names: Vec<&str> = rows[1..].iter().map(|row| row[column("scene")]).collect();
    assert_eq!(names, ["rods-20", "rods-20", "chess", "chess"]);
    assert_eq!((rows[1][column("bodies")], rows[1][column("spheres")]), ("20", "60"));
    assert_eq!((rows[2][column("threads")], rows[3][column("bodies")]), ("2", "32"));
    for row in &rows[1..] {
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        assert!((number("body_steps_per_s") * number("ns_per_body") / 1e9 - 1.0).abs() < 1e-9, "{csv}");
        assert!(number("ns_move") > 0.0, "{csv}");
    }
    let text = stdout(&folder.run(&[&["bench", "settle-20"], &QUICK[..]].concat()));
    assert!(text.lines().nth(1).unwrap().starts_with("settle-20 "), "{text}");
}

#[test]
fn a_folder_is_a_scene() {
    let folder = Folder::new("bench-folder");
    let scene = folder.0.join("peers/pair");
    fs::create_dir_all(&scene).unwrap();
    let json = r#"{"rho": 2500, "E": 1e7, "nu": 0.3, "e": 0.9, "mu": 0.2, "lo": [0,0,0], "hi": [1,1,1],
        "gravity": [0,0,-9.81], "dt": 1e-5, "templates": [{"name": "ball", "spheres": [[0.5,0,0,0.05]]}]}"#;
    fs::write(scene.join("scene.json"), json).unwrap();
    let header = "template,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
    let body = "0,0,0.5,0.5,1,0,0,0,1,0,0,0,0,0\n";
    fs::write(scene.join("clumps.csv"), [header, body].concat()).unwrap();
    let csv = stdout(&folder.run(&[&["bench", "peers/pair", "--format", "csv"], &QUICK[..]].concat()));
    assert!(csv.lines().nth(1).unwrap().starts_with("pair,1,1,0,1,"), "{csv}");

    fs::write(scene.join("clumps.csv"), [header, body, "1,0,0\n"].concat()).unwrap();
    let output = folder.run(&[&["bench", "peers/pair"], &QUICK[..]].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("clumps.csv, line 3: there is no template 1"), "{message}");
}

#[test]
fn unknown_scenes_are_refused_before_anything_is_measured() {
    assert!(refused(&["bench", "rodz-4"]).contains("did you mean `rods-N`?"));
    assert!(refused(&["bench", "rods-0"]).contains("N from 1 to"));
    assert!(refused(&["bench", "chess", "--repeat", "0"]).contains("--repeat"));
    assert!(refused(&["bench", "chess", "--scheme", "omelian"]).contains("did you mean `omelyan`?"));
}

#[test]
fn constants_are_measured_beside_those_in_use() {
    let folder = Folder::new("bench-calibrate");
    let arguments = [
        "bench",
        "rods-60",
        "--calibrate",
        "--warm",
        "0",
        "--steps",
        "400",
        "--repeat",
        "1",
        "--format",
        "csv",
    ];
    let csv = stdout(&folder.run(&arguments));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2, "{csv}");
    let number = |name: &str| {
        let column = rows[0].iter().position(|column| *column == name).unwrap();
        rows[1][column].parse::<f64>().unwrap()
    };
    let used = tumble_dem::calibration::BUILD_COST;
    assert!((number("build_cost_used") / used - 1.0).abs() < 1e-12, "{csv}");
    assert!(number("build_cost") > 1.0 && number("pairs_per_body") > 0.0, "{csv}");
    assert!((0.5..=2.0).contains(&number("best_skin_over_chosen")), "{csv}");
    assert!(number("steps_per_build_at_best") >= 1.0, "{csv}");
    assert!(refused(&["bench", "--calibrate", "--threads", "2"]).contains("--threads"));
}

#[test]
fn the_limit_of_the_machine_is_that_of_copies_at_once() {
    let folder = Folder::new("bench-limit");
    let arguments =
        [&["bench", "rods-20", "--threads", "2,1", "--limit", "--format", "csv"], &QUICK[..]].concat();
    let csv = stdout(&folder.run(&arguments));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3, "{csv}");
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    for row in &rows[1..] {
        // Copies that share a loaded machine may be slow, but not by orders of magnitude.
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        assert!((0.01..100.0).contains(&number("limit")), "{csv}");
        assert!((0.01..100.0).contains(&number("times_one_thread")), "{csv}");
    }
    assert_eq!(rows[2][column("times_one_thread")], "1", "{csv}");
    assert!(refused(&["bench", "--calibrate", "--limit"]).contains("--limit"));
}

#[test]
fn both_ways_are_measured_on_both_sides_of_every_threshold() {
    let folder = Folder::new("bench-thresholds");
    let arguments = ["bench", "--calibrate=thresholds", "--steps", "5", "--repeat", "1", "--format", "csv"];
    let csv = stdout(&folder.run(&arguments));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let mut names: Vec<&str> = rows[1..].iter().map(|row| row[column("threshold")]).collect();
    names.dedup();
    let expected = [
        "pairs_per_contact",
        "pairs_per_segment",
        "contacts_to_share",
        "spheres_to_place",
        "rows_in_cache",
        "rows_between",
        "parts_per_list",
        "pieces_per_thread",
        "bodies_per_piece",
        "sphere_pairs",
    ];
    assert_eq!(names, expected, "{csv}");
    let used = tumble_dem::calibration::Thresholds::USED.sphere_pairs.to_string();
    assert_eq!(rows[rows.len() - 1][column("used")], used, "{csv}");
    for row in &rows[1..] {
        let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
        assert!(number("at") >= 0.0 && number("ns_per_body_below") > 0.0, "{csv}");
    }
}

#[test]
fn threads_have_a_cap() {
    let message = crate::common::refused(&["bench", "--threads", "1,100000"]);
    assert!(message.contains("expected a whole number from 0 to 1024"), "{message}");
}
