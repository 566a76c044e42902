//! Pressure and wear of the triangles of a wall: files have what the engine has, and it is that of the example's liner alone.

use crate::examples::built;
use tumble::dem::{LabVec, SurfaceState};
use tumble::{End, Mode, Run};

/// The numbers of an array of a `.vtp` file.
fn array(file: &[u8], name: &str) -> Vec<f64> {
    let begin = file.windows(2).position(|pair| pair == b"\n_").unwrap() + 2;
    let head = String::from_utf8_lossy(&file[..begin]);
    let (_, after) =
        head.split_once(&format!("Name=\"{name}\"")).unwrap_or_else(|| panic!("no {name}: {head}"));
    let offset = after.split_once("offset=\"").and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
    let data = &file[begin + offset.parse::<usize>().unwrap()..];
    let length = usize::try_from(u64::from_le_bytes(data[..8].try_into().unwrap())).unwrap();
    data[8..8 + length].chunks(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

#[test]
fn files_have_what_bears_on_the_liner() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("liner");
    let built = built("liner", &[("run.steps", "9000"), ("output.vtk.every.steps", "1125")]);
    let mut run = Run::start(built, &results, Mode::New).unwrap();
    assert_eq!(run.go(&mut ()).unwrap(), End::Finished);
    let engine = run.simulation().engine();
    let [liner]: [SurfaceState; 1] = engine.surfaces().try_into().unwrap();
    assert_eq!((liner.wall.index(), liner.area.len()), (0, 24));
    let file = std::fs::read(results.join("vtk/walls_000008.vtp")).unwrap();
    let same = |name: &str, expected: &[f64]| {
        let found = array(&file, name);
        assert_eq!(found[..expected.len()], *expected, "{name}");
        assert!(
            found[expected.len()..].iter().all(|value| value.is_nan()),
            "planes have no triangles: {name}"
        );
    };
    same("area", &liner.area);
    same("pressure", &liner.pressure);
    same("friction_work", &liner.friction_work);
    same("sliding_load", &liner.sliding_load);
    same("traction", &liner.traction.iter().flat_map(|t| t.to_array()).collect::<Vec<f64>>());
    // The mill bears its charge: means over 1125 steps, of balls that still move.
    let weight: f64 = engine.bodies().iter().map(|body| body.mass * 9.81).sum();
    let wall = engine.scenery().walls[0].clone();
    let pose = engine.scenery().poses[0];
    let normals = wall.shape.draw(&tumble::dem::wall::Seen::NOTHING);
    let normal = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|point| pose.to_lab(normals.points[point as usize]));
        let normal = (b - a).cross(c - a).unit();
        if normal.dot(a) < 0.0 { -normal } else { normal }
    };
    let sides = normals.triangles.iter().take(16).zip(liner.area.iter().zip(&liner.pressure));
    let pushed = sides.fold(LabVec::zero(), |sum, (triangle, (area, p))| sum + normal(triangle) * (area * p));
    assert!(-pushed.z > 0.5 * weight && -pushed.z < 2.0 * weight, "{pushed:?} of {weight}");
    assert!(liner.friction_work.iter().any(|work| *work > 0.0));
}
