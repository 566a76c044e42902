//! The report of a run is the same at its end and from its folder, survives whatever is missing, and changes nothing else.

use crate::common::{At, built, files, on, start, stop_at, whole};
use std::fs;
use std::path::Path;
use tumble::{End, Mode, report};

fn page(folder: &Path) -> String {
    let path = report::write(folder).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(path, folder.join("report.html"));
    let html = fs::read_to_string(path).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    html
}

/// The titles of the sections.
fn sections(html: &str) -> Vec<&str> {
    html.split("-title\">").skip(2).step_by(2).map(|rest| rest.split('<').next().unwrap()).collect()
}

#[test]
fn from_the_folder_it_has_the_same_bytes_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let run = whole(on(1), folder.path());
    let before = files(folder.path());
    run.write_report().unwrap();
    let at_the_end = fs::read_to_string(folder.path().join("report.html")).unwrap();
    drop(run);
    assert!(page(folder.path()) == at_the_end);
    let mut after = files(folder.path());
    assert!(after.remove("report.html").is_some());
    assert!(before == after, "other files changed");

    let flows = "What came in and went out";
    let fields = "Coarse-grained fields";
    let expected = [
        "The run",
        "Measures",
        fields,
        "Energy",
        "Contacts",
        "Walls",
        flows,
        "Sizes",
        "Time",
        "Scene and files",
    ];
    assert_eq!(sections(&at_the_end), expected);
    for shown in [
        "finished",
        "floor, shaking",
        "relative error of the balance",
        "brought in by streams and changes",
        "find contacts",
        "contacts of a body",
        "sliding",
        "href=\"energy.csv\"",
        "href=\"measures.csv\"",
        "size of the torque",
        "down.mass_rate",
        "href=\"vtk/spheres.pvd\"",
        "plane: solid fraction, x to the right and z up.",
        "mean of 11 instants up to",
        "line: fields along z.",
        "href=\"fields/plane.pvd\"",
        "href=\"fields/line.csv\"",
        "version = 1",
    ] {
        assert!(at_the_end.contains(shown), "{shown}");
    }
    // Rods of three spheres and balls, of which most can be seen.
    let circles = at_the_end.matches("<circle").count();
    assert!((100..2000).contains(&circles), "{circles}");
    assert!(!at_the_end.contains("NaN"));
}

#[test]
fn what_is_missing_is_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    whole(on(1), folder.path()).write_report().unwrap();
    let parts = [
        ("energy.csv", "Energy"),
        ("walls.csv", "Walls"),
        ("flows.csv", "What came in and went out"),
        ("measures.csv", "Measures"),
        ("trajectory.tumble", "<circle"),
        ("summary.json", "Time"),
        ("scene.toml", "version = 1"),
        ("checkpoints", "normal force"),
    ];
    for (part, shown) in parts {
        let (path, aside) = (folder.path().join(part), folder.path().join("aside"));
        fs::rename(&path, &aside).unwrap();
        let without = page(folder.path());
        fs::rename(&aside, &path).unwrap();
        let is_there = |html: &str| {
            sections(html).contains(&shown) || (shown.contains([' ', '<']) && html.contains(shown))
        };
        assert!(!is_there(&without), "{part}: {shown}");
        assert!(is_there(&page(folder.path())), "{part}: {shown}");
        assert!(without.contains("There is no ") || without.contains("not shown"), "{part}");
    }
    for (part, _) in parts {
        let path = folder.path().join(part);
        fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path)).unwrap();
    }
    assert_eq!(sections(&page(folder.path())), ["The run", "Scene and files"]);
}

#[test]
fn what_is_damaged_is_named_and_a_torn_row_is_not() {
    let folder = tempfile::tempdir().unwrap();
    whole(on(1), folder.path());
    let energy = folder.path().join("energy.csv");
    let whole = fs::read_to_string(&energy).unwrap();
    fs::write(&energy, &whole[..whole.len() - 20]).unwrap();
    assert!(sections(&page(folder.path())).contains(&"Energy"));
    fs::write(&energy, whole.replacen("\n0.", "\nx.", 3)).unwrap();
    let html = page(folder.path());
    assert!(!sections(&html).contains(&"Energy"));
    assert!(html.contains("is not a number"), "{html}");
    for part in ["trajectory.tumble", "walls.csv", "summary.json", "scene.toml"] {
        fs::write(folder.path().join(part), "<b>\0 nonsense\n").unwrap();
        let html = page(folder.path());
        assert!(!html.contains("<b>\0") && html.contains(part), "{part}");
    }
}

#[test]
fn a_run_that_was_interrupted_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = start(on(1), folder.path(), Mode::New);
    let mut watch: At<_> = stop_at(200);
    assert_eq!(run.go(&mut watch).unwrap(), End::Interrupted);
    run.write_report().unwrap();
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(html.contains("Interrupted after") && html.contains("it can be resumed"));
    drop(run);
    assert!(page(folder.path()) == html);
}

#[test]
fn a_folder_without_results_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = report::write(folder.path()).unwrap_err().to_string();
    assert!(message.contains("holds no results of a run"), "{message}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A ball that has come to rest, and one that hovers.
const AT_REST: &str = r#"
version = 1
gravity = [0, -9.81, 0]
run = { duration = "0.15 s", threads = 1 }
materials.gel = { density = 1000, young = "1 MPa", poisson = 0.3 }
pair = { restitution = 0.1, friction = 0.5 }
templates.ball = { spheres = [[0, 0, 0, 0.01]] }
bodies = [
    { template = "ball", at = [0, 0.01, 0] },
    { template = "ball", at = [0, 0.1, 0], held = true },
]
walls = [{ name = "floor", plane = { point = [0, 0, 0], normal = [0, 1, 0] } }]
"#;

#[test]
fn a_ball_at_rest_presses_by_its_weight() {
    let folder = tempfile::tempdir().unwrap();
    whole(built(AT_REST, &[]), folder.path()).write_report().unwrap();
    let html = fs::read_to_string(folder.path().join("report.html")).unwrap();
    let fact = |name: &str| {
        let rest = html.split(&format!("<dt>{name}</dt><dd>")).nth(1).unwrap_or_else(|| panic!("{name}"));
        rest.split('<').next().unwrap().to_owned()
    };
    let weight = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 9.81;
    let force: f64 = fact("normal force").split(' ').next().unwrap().parse().unwrap();
    assert!((force / weight - 1.0).abs() < 1e-3, "{force} and {weight}");
    assert_eq!(fact("contacts of a body"), "0.5 on average");
    assert_eq!(fact("neighbours of a body"), "0.5 on average, walls included");
    assert_eq!(fact("bodies without contact"), "1 (50.0 %)");
    assert_eq!(fact("sliding"), "0.0 % of the contacts");
}

/// A ball that falls beside its table for ever, and one that stays on it.
const LEAVING: &str = r#"
    version = 1
    gravity = [0, 0, -10]
    run = { dt = 1e-4, steps = 20000 }
    materials.glass = { density = 2500, young = "10 MPa", poisson = 0.2 }
    pair = { restitution = 0.5, friction = 0.3 }
    templates.ball = { spheres = [[0, 0, 0, 0.01]] }
    bodies = [{ template = "ball", at = [0, 0, 0.05] }, { template = "ball", at = [0.5, 0, 0.05] }]
    walls = [{ name = "table", cylinder = { point = [0, 0, -0.1], axis = [0, 0, 1], radius = 0.1, length = 0.1, side = "outside" } }]
"#;

/// Somebody who counts the bodies that left.
struct Count<'a>(&'a mut usize);
impl tumble::Watch for Count<'_> {
    fn progress(&mut self, progress: &tumble::Progress) {
        *self.0 = progress.left;
    }
}

/// Bodies that have left are counted and named, and do not make the picture of the others small.
#[test]
fn bodies_that_left_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut seen = 0;
    let mut run = start(built(LEAVING, &[]), folder.path(), Mode::New);
    run.go(&mut Count(&mut seen)).unwrap();
    run.write_report().unwrap();
    drop(run);
    assert_eq!(seen, 1);
    let summary = tumble::output::Summary::read(&folder.path().join("summary.json")).unwrap();
    assert_eq!(summary.state.left, 1);
    let html = page(folder.path());
    let first = html.split("class=\"subtitle\">").nth(1).unwrap().split("</p>").next().unwrap();
    assert!(first.starts_with("1 body has left the scene, of 2"), "{first}");
    assert!(html.contains("have left the scene and are not shown"), "the picture is of what is there");
    // On an endless floor nothing leaves.
    let floor = "walls = [{ name = \"floor\", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]";
    let kept = LEAVING.lines().map(|line| if line.trim().starts_with("walls") { floor } else { line });
    let kept: Vec<&str> = kept.collect();
    let other = tempfile::tempdir().unwrap();
    drop(whole(built(&kept.join("\n"), &[]), other.path()));
    let summary = tumble::output::Summary::read(&other.path().join("summary.json")).unwrap();
    assert_eq!((summary.state.left, summary.troubles().len()), (0, 0));
    assert!(summary.state.energy_error.is_some_and(|error| error.abs() < 0.01), "{:?}", summary.state);
}

/// Sizes that were asked for are drawn against those that came, also of a stream, also when the folder is read later.
#[test]
fn sizes_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    whole(on(1), folder.path()).write_report().unwrap();
    let at_the_end = fs::read_to_string(folder.path().join("report.html")).unwrap();
    for html in [at_the_end, page(folder.path())] {
        assert!(sections(&html).contains(&"Sizes"), "{:?}", sections(&html));
        assert!(html.contains("Sizes of streams.1") && html.contains("asked for") && html.contains("drawn"));
    }
}

/// Nobody reads on to a table: an energy that does not add up is told first.
#[test]
fn an_energy_that_is_off_is_in_the_first_line() {
    let folder = tempfile::tempdir().unwrap();
    drop(whole(on(1), folder.path()));
    let path = folder.path().join("summary.json");
    let summary = tumble::output::Summary::read(&path).unwrap();
    assert!(!page(folder.path()).contains("off by"));
    for (error, told) in [(0.0099, false), (-0.034, true), (0.5, true)] {
        let summary = summary.clone().with_troubles(0, Some(error));
        summary.write(&path).unwrap();
        let html = page(folder.path());
        let first = html.split("class=\"subtitle\">").nth(1).unwrap().split("</p>").next().unwrap();
        let expected = format!("The energy is off by {:.1} %", 100.0 * f64::abs(error));
        assert_eq!(first.starts_with(&expected), told, "{first}");
    }
}
