//! `info` gives the right numbers for clumps and meshes, in every format, and says what is wrong with the rest.

use crate::common::{DROP, Folder, stdout};
use serde_json::Value;
use std::f64::consts::PI;
use std::fs;
use tumble_dem::LabVec;
use tumble_dem::wall::stl::{write_ascii, write_binary};

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(&folder.run(&[&["info", "--json"], arguments].concat()))).unwrap()
}

fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{value} is not {expected}");
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.run(&[&["info"], arguments].concat());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_sphere_in_every_format() {
    let folder = Folder::new("formats");
    let (volume, density) = (4.0 / 3.0 * PI * 8.0, 2500.0);
    for (name, text) in [
        ("table.txt", "# a ball\n1 2 3 2\n"),
        ("table.csv", "1,2,3,2\n"),
        ("ball.multisphere", "1 2 3 2 1\n"),
        ("header.csv", "r,x,z,y\n2,1,3,2\n"),
    ] {
        fs::write(folder.0.join(name), text).unwrap();
        let info = json(&folder, &[name, "--density", "2500"]);
        assert_eq!((&info["kind"], &info["spheres"]), (&"clump".into(), &1.into()), "{name}");
        for model in ["union", "sum_of_spheres"] {
            let of = &info[model];
            close(&of["volume_m3"], volume);
            close(&of["mass_kg"], density * volume);
            // Of a ball, 2/5 m R².
            (0..3).for_each(|axis| close(&of["principal_moments_kg_m2"][axis], 0.4 * density * volume * 4.0));
            (0..3).for_each(|axis| close(&of["centre_m"][axis], [1.0, 2.0, 3.0][axis]));
            close(&of["bounding_radius_m"], 2.0);
            close(&of["equivalent_radius_m"], 2.0);
        }
    }
}

#[test]
fn overlapping_spheres_count_once_in_the_union() {
    let folder = Folder::new("union");
    // Two balls of 1 m, a metre apart in a file in millimetres: each lacks a cap of height 1/2.
    fs::write(folder.0.join("pair.csv"), "0,0,0,1000\n1000,0,0,1000\n").unwrap();
    let info = json(&folder, &["pair.csv", "--scale", "1e-3"]);
    let (ball, cap) = (4.0 / 3.0 * PI, PI * 0.25 * (3.0 - 0.5) / 3.0);
    close(&info["union"]["volume_m3"], 2.0 * (ball - cap));
    close(&info["sum_of_spheres"]["volume_m3"], 2.0 * ball);
    close(&info["sum_of_spheres"]["principal_moments_over_density_m5"][0], 0.8 * ball);
    close(&info["union"]["centre_m"][0], 0.5);
    close(&info["union"]["bounding_radius_m"], 1.5);
    assert_eq!(info["union"]["axis_1"], serde_json::json!([1.0, 0.0, 0.0]));
    let text = stdout(&folder.run(&["info", "pair.csv", "--scale", "1e-3"]));
    assert!(text.contains("Spheres overlap: their sum counts 18.519 % more"), "{text}");
    assert!(text.contains("union of the spheres") && text.contains("--density"), "{text}");
}

/// The twelve triangles of a cube of side `a`, and all but one of them.
fn cube(a: f64) -> Vec<[LabVec<f64>; 3]> {
    let corner = |i: usize| LabVec::from_array([i & 1, (i >> 1) & 1, (i >> 2) & 1].map(|bit| bit as f64 * a));
    [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
        .into_iter()
        .flat_map(|[p, q, r, s]| [[p, q, r], [p, r, s]])
        .map(|triangle| triangle.map(corner))
        .collect()
}

#[test]
fn meshes_whole_and_broken() {
    let folder = Folder::new("mesh");
    let whole = cube(2.0);
    let mut bytes = Vec::new();
    write_binary(&mut bytes, "cube", &whole).unwrap();
    // Neither the name of the file nor the word `solid` is needed.
    fs::write(folder.0.join("cube.bin"), &bytes).unwrap();
    let info = json(&folder, &["cube.bin"]);
    assert_eq!(info["kind"], "triangle mesh");
    assert_eq!(info["format"], "STL, binary");
    assert_eq!((&info["triangles"], &info["faces"]), (&12.into(), &6.into()));
    assert_eq!((&info["watertight"], &info["open_edges"]), (&true.into(), &0.into()));
    assert_eq!(info["size_m"], serde_json::json!([2.0, 2.0, 2.0]));
    close(&info["area_m2"], 24.0);

    let mut text = Vec::new();
    write_ascii(&mut text, "open box", whole[1..].iter().copied()).unwrap();
    fs::write(folder.0.join("open.stl"), &text).unwrap();
    let info = json(&folder, &["open.stl", "--scale", "100"]);
    assert_eq!((&info["watertight"], &info["open_edges"]), (&false.into(), &3.into()));
    assert_eq!(info["size_m"], serde_json::json!([200.0, 200.0, 200.0]));
    let text = stdout(&folder.run(&["info", "open.stl", "--scale", "100"]));
    assert!(text.contains("3 edges belong to a single triangle") && text.contains("--scale 1e-3"), "{text}");
}

#[test]
fn folders_of_results_and_checkpoints() {
    let folder = Folder::new("info-results");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    stdout(&folder.run(&["run", "drop.toml", "--set", "run.steps=200", "--set", "dt=5 us", "--quiet"]));
    let info = json(&folder, &["results/drop"]);
    assert_eq!((&info["kind"], &info["ended"]), (&"results of a run".into(), &"finished".into()));
    assert_eq!((&info["steps"], &info["bodies"], &info["spheres"]), (&200.into(), &1.into(), &3.into()));
    close(&info["dt_s"], 5e-6);
    close(&info["time_s"], 1e-3);
    assert!(info["largest_energy_error"].as_f64().unwrap() < 1e-6, "{info}");
    let files = info["files"].as_array().unwrap();
    let names: Vec<&str> = files.iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "scene.toml",
            "energy.csv",
            "walls.csv",
            "summary.json",
            "trajectory.tumble",
            "report.html",
            "checkpoints"
        ]
    );
    for (file, name) in files.iter().zip(names).take(6) {
        let length = folder.0.join("results/drop").join(name).metadata().unwrap().len();
        assert_eq!(file["bytes"], length, "{name}");
    }
    let text = stdout(&folder.run(&["info", "results/drop"]));
    assert!(text.contains("A rod falls") && text.contains("energies over time"), "{text}");

    let checkpoint = "results/drop/checkpoints/checkpoint_000000000200.tumble";
    let info = json(&folder, &[checkpoint]);
    assert_eq!((&info["step"], &info["bodies"], &info["contacts"]), (&200.into(), &1.into(), &0.into()));
    close(&info["time_s"], 1e-3);
    assert_eq!(info["scene_hash"].as_str().unwrap().len(), 32);
    let sections: Vec<&str> = info["sections"]
        .as_array()
        .unwrap()
        .iter()
        .map(|section| section["section"].as_str().unwrap())
        .collect();
    assert_eq!(sections, ["engine", "outputs", "streams"]);
    // Away from its scene it still tells what it can.
    fs::copy(folder.0.join(checkpoint), folder.0.join("alone.tumble")).unwrap();
    let info = json(&folder, &["alone.tumble"]);
    assert_eq!((&info["step"], &info["bodies"]), (&200.into(), &Value::Null));

    let message = refused(&folder, &["drop.toml"]);
    assert!(message.contains("tumble check drop.toml"), "{message}");
    // Killed before it could sum up.
    fs::remove_file(folder.0.join("results/drop/summary.json")).unwrap();
    let text = stdout(&folder.run(&["info", "results/drop"]));
    assert!(text.contains("no summary yet") && text.contains("energy.csv"), "{text}");
}

#[test]
fn bad_files_are_named_with_what_is_wrong() {
    let folder = Folder::new("bad");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.0.join(name), bytes).unwrap();
    assert!(refused(&folder, &["nothing.csv"]).contains("nothing.csv: cannot be read"));
    write("word.csv", b"0,0,0,1\n0,0,one,1\n");
    assert!(refused(&folder, &["word.csv"]).contains("word.csv, line 2, column 5: \"one\" is not a number"));
    write("empty.csv", b"");
    assert!(refused(&folder, &["empty.csv"]).contains("no spheres"));
    write("huge.csv", b"0,0,0,1e60\n");
    assert!(refused(&folder, &["huge.csv"]).contains("huge.csv"));
    write("cut.stl", b"solid cut\nfacet normal 0 0 1\nouter loop\n");
    assert!(refused(&folder, &["cut.stl"]).contains("cut.stl, line"));
    write("noise.bin", &[0x7f, 0, 1, 2, 0xff]);
    let message = refused(&folder, &["noise.bin"]);
    assert!(message.contains("of no known kind") && message.contains("STL meshes"), "{message}");
    let message = refused(&folder, &["."]);
    assert!(message.contains("folder"), "{message}");
    write("ball.csv", b"0,0,0,1\n");
    assert!(refused(&folder, &["ball.csv", "--density", "-1"]).contains("positive"));
    assert!(refused(&folder, &["ball.csv", "--scale", "0"]).contains("positive"));
}
