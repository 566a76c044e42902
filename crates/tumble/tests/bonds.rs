//! Guarantee: what bonds do is told the same way however a run is interrupted, and where they cannot be computed the run does not begin.

use crate::common::{assert_same_results, built, start, stop_at, whole};
use crate::examples::Watched;
use tempfile::TempDir;
use tumble::gpu::Choice;
use tumble::output::{Part, Summary};
use tumble::scene::Built;
use tumble::{End, Mode, Run};

/// A small block of bonded beads that breaks on a floor.
const BLOCK: &str = r#"
    version = 1
    seed = 3
    run = { dt = "2 us", steps = 900 }
    materials.bead = { density = 2500, young = "10 MPa", poisson = 0.25 }
    pair = { restitution = 0.6, friction = 0.4 }
    templates.bead = { shape = "sphere", radius = "5 mm" }
    bodies = [{ template = "bead", lattice = { low = [0, 0, 0.001], high = [0.03, 0.03, 0.031], counts = [3, 3, 3] }, velocity = [1, 0, -3] }]
    bonds = [{ gap = "1 um", radius_ratio = 0.6, young = "10 MPa", damping = "1 us", tension = "30 kPa", shear = "30 kPa", weibull = 3 }]
    walls = [{ name = "floor", material = "bead", plane = { point = [0, 0, 0], normal = [0, 0, 1] } }]
    output = { energy = { every = { steps = 100 } }, trajectory = { every = { steps = 100 } }, vtk = { every = { steps = 40 } } }
    checkpoint = { every = { steps = 150 } }
"#;

#[test]
fn an_interrupted_run_ends_with_the_same_table_of_broken_bonds() {
    let folder = TempDir::new().unwrap();
    let [alone, parts] = ["alone", "parts"].map(|name| folder.path().join(name));
    let run = whole(built(BLOCK, &[]), &alone);
    let engine = run.simulation().engine();
    let table = std::fs::read_to_string(alone.join(Part::Bonds.name())).unwrap();
    let mut rows = table.lines();
    assert_eq!(rows.next().unwrap(), "time_s,step,body_a,body_b,x_m,y_m,z_m,mode,energy_J");
    let broken = engine.breakages();
    assert!(broken.len() > 5 && rows.count() == broken.len(), "{table}");

    let mut mode = Mode::New;
    let first = broken[0].step;
    for until in [first - 1, first + 7, 400, u64::MAX] {
        let end = start(built(BLOCK, &[]), &parts, mode).go(&mut stop_at(until)).unwrap();
        assert_eq!(end, if until == u64::MAX { End::Finished } else { End::Interrupted });
        mode = Mode::Resume;
    }
    assert_same_results(&alone, &parts);

    let summary = Summary::read(&alone.join(Part::Summary.name())).unwrap();
    let bonds = summary.state.bonds.unwrap();
    assert_eq!((bonds.made, bonds.whole + bonds.broken, bonds.broken), (54, 54, broken.len() as u64));
    let page = std::fs::read_to_string(run.write_report().unwrap()).unwrap();
    assert!(page.contains("How bonds broke") && page.contains(&bonds.sentence()));
}

#[test]
fn cards_refuse_bonds_before_anything_begins() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("results");
    let refused = |built: Built| Run::start(built, &results, Mode::New).map(drop).unwrap_err().to_string();
    let card = refused(Built { device: Choice::Emulated, ..built(BLOCK, &[]) });
    assert!(card.contains("a graphics card cannot run this world yet: bonds between bodies"), "{card}");
    assert!(!results.exists());
}

/// Some bonds break when the agglomerate hits the floor, many do not, and the books know where the energy went.
#[test]
fn the_agglomerate_breaks() {
    let mut scene = Watched::new("agglomerate");
    scene.until(3e-3);
    let engine = scene.simulation.engine();
    let counts = engine.bond_counts();
    assert_eq!(counts.made, 3 * 8 * 8 * 7);
    assert!(counts.broken > 50 && counts.whole > 200, "{counts:?}");
    assert!(scene.error() < 1e-2, "{}", scene.error());
}

/// The same agglomerate at half, once and twice its speed.
#[test]
fn the_faster_it_hits_the_more_bonds_break() {
    let broken = ["[0.5, 0.25, -3]", "[1, 0.5, -6]", "[2, 1, -12]"].map(|velocity| {
        let mut scene = Watched::with("agglomerate", &[("bodies.0.velocity", velocity)]);
        scene.until(1.5e-3);
        assert!(scene.error() < 1e-2, "{velocity}: {}", scene.error());
        scene.simulation.engine().bond_counts().broken
    });
    assert!(broken[0] < broken[1] && broken[1] < broken[2], "{broken:?}");
}
