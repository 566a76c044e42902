//! Placing the bodies of a scene can be given up, however they are placed, and nothing is built then.

use std::cell::Cell;
use std::rc::Rc;
use tumble_dem::placement::interruptible;
use tumble_scene::{Scene, SceneText};

const SCENE: &str = r#"
version = 1
run = { dt = 1e-6, steps = 10 }
materials.glass = { density = 2500, young = "60 MPa", poisson = 0.25 }
pair = { restitution = 0.9 }
templates.ball = { shape = "sphere", radius = 0.1 }
templates.rod = { shape = "rod", radius = 0.1 }
"#;

/// What becomes of a scene with these bodies if it is enough after so many questions; none if it is not asked so often.
fn build(bodies: &str, patience: u32) -> Option<String> {
    let asked = Rc::new(Cell::new(0));
    let counter = asked.clone();
    let enough = move || {
        counter.set(counter.get() + 1);
        counter.get() >= patience
    };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let rows = (0..3000).map(|number| format!("ball,{},0,0\n", f64::from(number)));
    let table = String::from("template,x,y,z\n") + &rows.collect::<String>();
    std::fs::write(folder.join("placing.csv"), table).unwrap();
    let text = SceneText::new("test", format!("{SCENE}{bodies}")).in_folder(folder);
    let scene = Scene::parse(text).unwrap();
    let built = interruptible(enough, || scene.build(Some(1)));
    if asked.get() < patience {
        assert!(built.is_ok(), "{}", built.unwrap_err());
        return None;
    }
    assert_eq!(asked.get(), patience, "nobody is asked again");
    Some(built.unwrap_err().to_string())
}

#[test]
fn lattices_tables_and_clouds_can_be_given_up() {
    for bodies in [
        r#"bodies = [{ template = "ball", lattice = { low = [0, 0, 0], high = [15, 15, 15], counts = [15, 15, 15] } }]"#,
        r#"bodies = [{ templates = ["ball", "rod"], orientation = [1, 0, 0, 0], lattice = { low = [0, 0, 0], high = [30, 30, 30], counts = [15, 15, 15] } }]"#,
        r#"bodies = [{ csv = "placing.csv" }]"#,
        r#"bodies = [{ template = "ball", cloud = { low = [0, 0, 0], high = [15, 15, 15], count = 3000 } }]"#,
    ] {
        let mut questions = 0;
        // Wherever it is: while bodies are read, drawn, placed and compared.
        for patience in 1.. {
            let Some(error) = build(bodies, patience) else { break };
            assert!(error.contains("was interrupted"), "{bodies}: {error}");
            questions = patience;
        }
        assert!(questions >= 15, "{bodies}: asked {questions} times");
    }
}
