//! `clump` makes a clump file that keeps what it says, a page with pictures, and a table for a scene; a scene that names the mesh gets the same spheres, once.

use crate::common::{Folder, stdout};
use std::fs;
use tumble_dem::clump::{MassModel, MassProperties, read_clump};

/// A brick of 30 × 20 × 20 mm, drawn in millimetres.
const BRICK: &str = "v 0 0 0\nv 30 0 0\nv 30 20 0\nv 0 20 0\nv 0 0 20\nv 30 0 20\nv 30 20 20\nv 0 20 20\n\
                     f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
const VOLUME: f64 = 0.03 * 0.02 * 0.02;

#[test]
fn a_brick_becomes_a_clump_with_a_page() {
    let folder = Folder::new("clump");
    fs::write(folder.0.join("brick.obj"), BRICK).unwrap();
    let options = ["clump", "brick.obj", "--scale", "1 mm", "--surface", "12%"];
    let text = stdout(&folder.run(&options));
    assert!(text.contains("Proved") && text.contains("[templates.brick]\nfile = \"brick.csv\""), "{text}");
    let spheres = read_clump(folder.0.join("brick.csv")).unwrap();
    let union = MassProperties::new(&spheres, MassModel::Union).unwrap();
    assert!((union.volume / VOLUME - 1.0).abs() < 1e-9);
    let inertia = VOLUME * (0.02 * 0.02 + 0.02 * 0.02) / 12.0;
    assert!((union.inertia.diagonal.x / inertia - 1.0).abs() < 1e-9);
    let page = fs::read_to_string(folder.0.join("brick.html")).unwrap();
    assert_eq!(page.matches("data:image/png;base64,iVBORw0KGgo").count(), 2);
    // What is there is not replaced unasked.
    let again = folder.run(&options);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&again.stderr).contains("brick.csv exists; choose another name with --out")
    );

    let equal = stdout(&folder.run(&[
        "clump",
        "brick.obj",
        "--scale",
        "1 mm",
        "--equal",
        "--spheres-max",
        "40",
        "--out",
        "equal.csv",
    ]));
    assert!(
        equal.contains("keeps the mesh's own volume") && equal.contains("mass = { volume = 1.2"),
        "{equal}"
    );
}

#[test]
fn what_is_wrong_with_a_mesh_is_said() {
    let folder = Folder::new("bad-mesh");
    let refused = |text: &str| {
        fs::write(folder.0.join("mesh.obj"), text).unwrap();
        let output = folder.run(&["clump", "mesh.obj"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let open = refused(BRICK.rsplit_once("f 4").unwrap().0);
    assert!(
        open.contains("mesh.obj: the mesh is not closed: 4 edges have a triangle on one side only"),
        "{open}"
    );
    assert!(refused("v 0 0\n").contains("mesh.obj, line 1: a corner has three coordinates"), "{open}");
}

#[test]
fn a_scene_names_the_mesh_and_it_is_fitted_once() {
    let folder = Folder::new("mesh-scene");
    fs::write(folder.0.join("brick.obj"), BRICK).unwrap();
    let scene = r#"
version = 1
run = { duration = "2 ms" }
materials.glass = { density = 2500, young = "60 MPa", poisson = 0.25 }
pair = { restitution = 0.9, friction = 0.3 }
templates.brick = { mesh = "brick.obj", scale = 0.001, surface = "15%" }
bodies = [{ template = "brick", at = [0, 0, 0], velocity = { speed = 1 } }]
"#;
    fs::write(folder.0.join("scene.toml"), scene).unwrap();
    stdout(&folder.run(&["run", "scene.toml", "--quiet"]));
    let kept = || {
        let entries = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap());
        let mut found: Vec<_> =
            entries.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "clump")).collect();
        assert_eq!(found.len(), 1);
        found.pop().unwrap()
    };
    let first = kept().metadata().unwrap().modified().unwrap();
    stdout(&folder.run(&["run", "scene.toml", "--quiet", "--resume", "--duration", "4 ms"]));
    assert_eq!(kept().metadata().unwrap().modified().unwrap(), first);
}
