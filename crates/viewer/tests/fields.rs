//! Guarantee: coarse-grained fields come to the page with the numbers of their files, when they are asked for and in films; names in
//! an address are those of fields that are there, and what is damaged is said.

use crate::common::{get, results, serve};
use serde_json::{Value, json};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use tumble_output::vtk::{Image, ImageArray, ImageWriter};
use tumble_viewer::{ExportOptions, Film, FilmFields, Source, export};

const SCENE: &str = "version = 1\ngravity = [0.0, 0.0, -9.81]\n\n[[coarse_fields]]\nname = \"cut\"\ncells = [4, 1, 3]\n\
     window = \"10 ms\"\n\n[[coarse_fields]]\nname = \"now\"\ncells = [4, 1, 3]\n";

/// A number that tells cell and frame.
fn number(frame: u32, cell: u32) -> f64 {
    f64::from(frame) + f64::from(cell) / 16.0
}

/// Fields of a plane with so many frames: 0.1 s, 0.2 s, …
fn write(folder: &Path, name: &str, cells: [usize; 3], frames: u32) {
    let mut writer = ImageWriter::create(folder.join("fields"), name).unwrap();
    let count = u32::try_from(cells.iter().product::<usize>()).unwrap();
    for frame in 1..=frames {
        let numbers = |parts: u32| (0..count * parts).map(|cell| number(frame, cell)).collect();
        let array = |name: &str, components: &[&str]| ImageArray {
            name: name.into(),
            components: components.iter().map(|&part| part.to_owned()).collect(),
            values: numbers(u32::try_from(components.len()).unwrap()),
        };
        let arrays = vec![
            array("density", &[""]),
            array("velocity", &["X", "Y", "Z"]),
            array("spin", &["X", "Y", "Z"]),
        ];
        let image = Image { origin: [0.0, -1.0, 2.0], spacing: [0.5, 2.0, 0.25], cells, arrays };
        writer.write(0.1 * f64::from(frame), 100 * u64::from(frame), &image).unwrap();
    }
}

/// Results with a plane of means, one of instants, and a line.
fn with_fields() -> tempfile::TempDir {
    let folder = results();
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    for name in ["cut", "now"] {
        write(folder.path(), name, [4, 1, 3], 3);
    }
    write(folder.path(), "column", [1, 1, 3], 2);
    fs::write(folder.path().join("fields/column.csv"), "time_s,step,x_m\n0.1,100,0.5\n").unwrap();
    folder
}

fn floats(bytes: &[u8]) -> Vec<f64> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty());
    numbers.iter().map(|number| f32::from_le_bytes(*number).into()).collect()
}

#[test]
fn planes_are_told_of_and_come_frame_by_frame() {
    let folder = with_fields();
    let server = serve(folder.path());
    let status = get(&server, "/data/status").json();
    assert_eq!(status["fields"], json!([{ "name": "cut", "frames": 3 }, { "name": "now", "frames": 3 }]));
    let told = get(&server, "/data/fields").json();
    assert_eq!(told["problems"], json!([]));
    let [cut, now] = &told["fields"].as_array().unwrap()[..] else { panic!("{told}") };
    let place = |field: &Value| ["low", "sides", "cells"].map(|key| field[key].clone());
    assert_eq!(place(cut), [json!([0.0, -1.0, 2.0]), json!([0.5, 2.0, 0.25]), json!([4, 1, 3])]);
    // Windows follow each other; an instant begins when it ends.
    let times = json!([0.1, 0.2, 0.1 * 3.0]);
    assert_eq!((&cut["times"], &now["starts"], &now["times"]), (&times, &times, &times));
    assert_eq!(cut["starts"], json!([0.0, 0.1, 0.2]));
    let velocity = &cut["quantities"][1];
    assert_eq!((&velocity["name"], &velocity["unit"]), (&json!("velocity"), &json!("m/s")));
    assert_eq!(velocity["parts"], json!(["x", "y", "z"]));
    assert!(velocity["what"].as_str().unwrap().contains("momentum by density"));

    let reply = get(&server, "/data/fields/cut/1/velocity");
    assert_eq!((reply.code, reply.header("Content-Type")), (200, Some("application/octet-stream")));
    let expected: Vec<f64> = (0..36).map(|cell| number(2, cell)).collect();
    assert_eq!(floats(&reply.body), expected);
    // Lines are tables, as others are.
    let tables: Vec<&str> =
        status["tables"].as_array().unwrap().iter().filter_map(|table| table["name"].as_str()).collect();
    assert_eq!(tables, ["energy.csv", "fields/column.csv"]);
    assert!(get(&server, "/data/fields/column.csv").text().starts_with("time_s,step,x_m"));
}

#[test]
fn nothing_else_can_be_had_by_the_names_of_fields() {
    let folder = with_fields();
    fs::write(folder.path().join("fields/secret.csv"), "hidden").unwrap();
    fs::write(folder.path().join("secret.csv"), "hidden").unwrap();
    let server = serve(folder.path());
    for target in [
        "/data/fields/cut/3/velocity",
        "/data/fields/cut/-1/velocity",
        "/data/fields/cut/99999999999999999999999/velocity",
        "/data/fields/cut/1/pressure",
        "/data/fields/cut/1",
        "/data/fields/cut/1/velocity/x",
        "/data/fields/cut_000001.vti",
        "/data/fields/cut.pvd",
        "/data/fields/cut.csv",
        "/data/fields/secret.csv",
        "/data/fields/../secret.csv",
        "/data/fields/../fields/cut/1/velocity",
        "/data/fields//1/velocity",
        "/data/fields/",
    ] {
        let reply = get(&server, target);
        assert_eq!(reply.code, 404, "{target}");
        assert!(!reply.error().contains("hidden"), "{target}");
    }
}

#[test]
fn a_run_without_fields_has_none_and_damaged_ones_are_said() {
    let bare = results();
    let server = serve(bare.path());
    assert_eq!(get(&server, "/data/fields").json(), json!({ "fields": [], "problems": [] }));
    assert_eq!(get(&server, "/data/status").json()["fields"], json!([]));
    assert!(get(&server, "/data/fields/cut/0/density").error().contains("[[coarse_fields]]"));

    let folder = with_fields();
    fs::write(folder.path().join("fields/cut_000000.vti"), "<?xml").unwrap();
    let whole = fs::read(folder.path().join("fields/now_000001.vti")).unwrap();
    fs::write(folder.path().join("fields/now_000001.vti"), &whole[..whole.len() - 400]).unwrap();
    let server = serve(folder.path());
    let told = get(&server, "/data/fields").json();
    assert_eq!(told["fields"].as_array().unwrap().len(), 1);
    let problem = told["problems"][0].as_str().unwrap();
    assert!(problem.contains("cut_000000.vti") && problem.contains("not an image"), "{problem}");
    let cut_off = get(&server, "/data/fields/now/1/spin").error();
    assert!(cut_off.contains("its numbers of spin are not all there"), "{cut_off}");
    assert_eq!(get(&server, "/data/fields/now/0/spin").code, 200);
}

/// What a link leads to is not shown.
#[test]
#[cfg(unix)]
fn links_among_fields_lead_nowhere() {
    let (folder, elsewhere) = (with_fields(), with_fields());
    let fields = folder.path().join("fields");
    fs::remove_file(fields.join("cut_000000.vti")).unwrap();
    let target = elsewhere.path().join("fields/cut_000000.vti");
    std::os::unix::fs::symlink(target, fields.join("cut_000000.vti")).unwrap();
    let server = serve(folder.path());
    assert!(get(&server, "/data/fields/cut/0/density").error().contains("a link to elsewhere"));
    fs::remove_dir_all(&fields).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("fields"), &fields).unwrap();
    assert_eq!(get(&server, "/data/fields").json()["fields"], json!([]));
    assert_eq!(get(&server, "/data/fields/cut/0/density").code, 404);
    assert_eq!(get(&server, "/data/fields/column.csv").code, 404);
}

fn film(folder: &Path) -> (Film, Value) {
    let to = folder.join("film.html");
    let options = ExportOptions { every: NonZeroUsize::MIN, force: true };
    let film = export(&Source::at(folder).unwrap(), &to, options).unwrap();
    let page = fs::read_to_string(&to).unwrap();
    let (_, data) = page.split_once("id=\"tumble-data\">").unwrap();
    (film, serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap())
}

#[test]
fn films_have_the_main_fields_and_say_which_frames_are_left_out() {
    let folder = with_fields();
    let (made, data) = film(folder.path());
    let FilmFields { frames, left_out, ref problems, .. } = made.fields;
    assert_eq!((frames, left_out, problems.len()), (6, 0, 0));
    let cut = &data["fields"][0];
    assert_eq!((&cut["field"]["name"], &cut["left_out"]), (&json!("cut"), &json!(0)));
    let names = cut["field"]["quantities"].as_array().unwrap().iter().map(|quantity| &quantity["name"]);
    assert_eq!(names.collect::<Vec<_>>(), [&json!("density"), &json!("velocity")], "and not the spin");
    assert_eq!(cut["frames"].as_array().unwrap().len(), 3);
    // 12 numbers of four bytes; the first is 1, the second a sixteenth more.
    let text = cut["frames"][0]["density"].as_str().unwrap();
    assert_eq!((text.len(), &text[..10]), (64, "AACAPwAAiD"));
    assert!(data["tables"]["fields/column.csv"].as_str().unwrap().starts_with("time_s"));

    // 150 000 cells of four numbers, in letters: 3.2 MB for a frame, and the three grids share 20 MB: two of the five.
    write(folder.path(), "large", [500, 300, 1], 5);
    let (made, data) = film(folder.path());
    assert_eq!((made.fields.frames, made.fields.left_out), (8, 3));
    let large = &data["fields"][1];
    assert_eq!(large["field"]["times"], json!([0.2, 0.5]));
    assert_eq!((&large["field"]["name"], &large["left_out"]), (&json!("large"), &json!(3)));
}
