//! Keys that are set from outside.

use tumble_dem::property::YOUNG;
use tumble_scene::keys::{Every, TimeStep};
use tumble_scene::{Scene, SceneText};

const SCENE: &str = r#"
version = 1

[run]
duration = "1 s"

[materials.glass]
density = 2500
young = "60 MPa"
poisson = 0.25

[pair]

[templates.ball]
shape = "sphere"

[[bodies]]
template = "ball"
cloud = { low = [0, 0, 0], high = [1, 1, 1], count = 3 }
velocity = { speed = 1 }

[output]
vtk = false
"#;

fn with(sets: &[(&str, &str)]) -> Scene {
    let text = sets.iter().fold(SceneText::new("scene", SCENE), |text, (key, value)| text.set(key, value));
    Scene::parse(text).unwrap_or_else(|problems| panic!("{problems}"))
}

fn refused(key: &str, value: &str) -> String {
    Scene::parse(SceneText::new("scene", SCENE).set(key, value)).unwrap_err().to_string()
}

#[test]
fn paths_and_last_parts_mean_the_same() {
    assert_eq!(with(&[("run.dt", "2e-6")]).keys.run.dt, TimeStep::Seconds(2e-6));
    assert_eq!(with(&[("dt", "2 us")]).keys.run.dt, TimeStep::Seconds(2e-6));
    assert_eq!(with(&[("dt", "{ fraction = 0.5 }")]).keys.run.dt, TimeStep::Fraction(0.5));
    assert_eq!(with(&[("rotation", "pcdm")]).keys.run.rotation.name(), "pcdm");
    assert_eq!(with(&[("rotation", "\"pcdm\"")]).keys.run.rotation.name(), "pcdm");
    assert_eq!(with(&[("seed", "9")]).keys.seed, 9);
    assert_eq!(with(&[("young", "1 GPa")]).keys.materials[0].1.properties.given(&YOUNG), Some(1e9));
    assert_eq!(
        with(&[("materials.glass.young", "1e9")]).keys.materials[0].1.properties.given(&YOUNG),
        Some(1e9)
    );
    assert_eq!(with(&[("bodies.0.cloud.count", "7")]).keys.bodies[0].cloud.as_ref().unwrap().count, Some(7));
    assert_eq!(with(&[("count", "7")]).keys.bodies[0].cloud.as_ref().unwrap().count, Some(7));
}

#[test]
fn later_ones_win_and_what_excludes_them_goes() {
    let scene = with(&[("steps", "10"), ("steps", "20")]);
    assert_eq!((scene.keys.run.steps, scene.keys.run.duration), (Some(20), None));
    let scene = with(&[("steps", "10"), ("duration", "2 s")]);
    assert_eq!((scene.keys.run.steps, scene.keys.run.duration), (None, Some(2.0)));
}

#[test]
fn tables_are_made_where_there_are_none() {
    assert_eq!(
        with(&[("contact.law", "linear"), ("materials.glass.stiffness", "1e4")]).keys.contact.law.name(),
        "linear"
    );
    let vtk = with(&[("output.vtk.every", "{ steps = 5 }")]).keys.output.vtk.expect("it was switched on");
    assert_eq!(vtk.every, Some(Every::Steps(5)));
    assert!(with(&[("checkpoint", "false")]).keys.checkpoint.is_none());
}

#[test]
fn mistakes_name_the_override_and_not_the_file() {
    let message = refused("run.dt", "5 mm");
    assert!(message.contains("--set run.dt=5 mm") && message.contains("         ^^^^"), "{message}");
    assert!(!message.contains("-->"), "{message}");
    assert!(refused("radius", "-5").contains("--set radius=-5"));
    assert!(refused("", "5").contains("--set =5"));
    assert!(refused("bodies", "5").contains("`bodies` must be a list"));
    assert!(refused("low", "[0, 0, 0").contains("`bodies.0.cloud.low` must be a list of 3"));
}

#[test]
fn any_text_can_be_set_without_a_panic() {
    let pieces = [
        "",
        ".",
        "..",
        "a.b.c",
        "run",
        "run.",
        ".dt",
        "bodies.0",
        "bodies.-1",
        "bodies.x",
        "ü.é",
        "dt=5",
        " ",
    ];
    let values = [
        "",
        "[",
        "{",
        "\"",
        "1e999",
        "nan",
        "[[[[",
        "{ a = { b = 1 } }",
        "é",
        "\u{0}",
        "9999999999999999999999",
    ];
    for key in pieces {
        for value in values {
            if let Err(problems) = Scene::parse(SceneText::new("scene", SCENE).set(key, value)) {
                assert!(problems.render(true).contains("error"));
            }
        }
    }
}
