//! Guarantee: polyhedra are in files for ParaView as closed surfaces with the size and the normals of the rounded solid, where they are at that time; in trajectories by their faces; none of
//! their points is shown as a sphere, and contacts have their normal.

use crate::common::{settings, v};
use crate::vtp::Vtp;
use std::collections::BTreeMap;
use tumble_dem::clump::{ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec, Quat, Settings, World};
use tumble_output::trajectory::{TrajectoryReader, TrajectoryWriter};
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Frame, FrameSink, Model, PieceCounts, RoundedSurface};

const SIDE: f64 = 0.01;
const ROUNDING: f64 = 0.001;

/// The middle of a surface of triangles, the volume within, and how far a point and its normal are from those of a solid; each side once in each direction.
fn checked(points: &[LabVec<f64>], triangles: &[[u32; 3]]) -> f64 {
    let mut sides: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    let mut volume = 0.0;
    for &[a, b, c] in triangles {
        for side in [[a, b], [b, c], [c, a]] {
            *sides.entry(side).or_default() += 1;
        }
        let [a, b, c] = [a, b, c].map(|corner| points[corner as usize]);
        volume += a.dot(b.cross(c)) / 6.0;
    }
    for (&[a, b], &count) in &sides {
        assert_eq!((count, sides.get(&[b, a])), (1, Some(&1)), "side {a} {b}");
    }
    // Euler: points, sides, faces.
    assert_eq!(points.len() + triangles.len(), sides.len() / 2 + 2);
    volume
}

#[test]
fn surfaces_are_closed_and_nearly_as_large_as_the_solid() {
    let prism: Vec<[f64; 3]> = (0..10)
        .map(|k| {
            let (sin, cos) = (f64::from(k / 2) * core::f64::consts::TAU / 5.0).sin_cos();
            [0.01 * cos, 0.01 * sin, 0.01 * f64::from(k % 2)]
        })
        .collect();
    for hull in [
        ClumpHull::cuboid([SIDE, 2.0 * SIDE, 0.5 * SIDE], ROUNDING),
        ClumpHull::cuboid([SIDE; 3], 0.49 * SIDE),
        ClumpHull::tetrahedron(SIDE, ROUNDING),
        ClumpHull::new(&prism, ROUNDING),
    ] {
        let faces = hull.surface().unwrap().faces;
        let surface = RoundedSurface::of(faces.into_iter(), |corner| hull.corners[corner as usize]);
        let place = |&(corner, normal): &(u32, LabVec<f64>)| {
            assert!((normal.norm() - 1.0).abs() < 1e-12);
            hull.corners[corner as usize] + normal * hull.rounding
        };
        let points: Vec<LabVec<f64>> = surface.points.iter().map(place).collect();
        let volume = checked(&points, &surface.triangles);
        let pieces = ClumpPieces { hulls: std::slice::from_ref(&hull), ..ClumpPieces::default() };
        let exact = ClumpTemplate::of("hull", pieces, MassModel::Union).unwrap().volume();
        // Within the solid, and less by what arcs of 30° cut off.
        assert!(volume < exact && volume > 0.93 * exact, "{volume:e} {exact:e}");
        let least = 0.93 + 0.06 * f64::from(u8::from(hull.rounding < 0.2 * SIDE));
        assert!(volume > least * exact, "{volume:e} {exact:e}");
    }
}

/// A die on a die, turned by a quarter about z, and a body of a sphere and a die far away.
fn world() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("bone", 1200.0, 5e6, 0.3)).unwrap();
    world.materials.set_default(PairProperties::new(0.5, 0.4));
    let die = ClumpHull::cuboid([SIDE; 3], ROUNDING);
    let ball = ClumpSphere::new([0.0, 0.0, 0.01], 0.003);
    let mut add = |name: &str, spheres: &[ClumpSphere]| {
        let pieces = ClumpPieces { spheres, hulls: std::slice::from_ref(&die), ..ClumpPieces::default() };
        world.add_template(ClumpTemplate::of(name, pieces, MassModel::Union).unwrap()).unwrap()
    };
    let (die, bud) = (add("die", &[]), add("bud", &[ball]));
    let eighth = core::f64::consts::FRAC_PI_8;
    let turned = Quat::from_array([eighth.cos(), 0.0, 0.0, eighth.sin()]);
    world.add_body(Body::at(die, v(0.0, 0.0, 0.0)));
    world.add_body(Body { orientation: turned, ..Body::at(die, v(0.0, 0.0, 0.998 * SIDE)) });
    world.add_body(Body::at(bud, v(0.0, 0.0, 0.1)).scaled(2.0));
    world
}

fn shallow() -> Settings {
    Settings { max_overlap: 0.3, ..settings() }
}

#[test]
fn files_have_the_surfaces() {
    let folder = tempfile::tempdir().unwrap();
    let world = world();
    let model = Model::of(&world, "dice");
    assert!(model.has_polyhedra() && !model.has_ellipsoids());
    let engine = Engine::new(world, shallow()).unwrap();
    let counts = PieceCounts { spheres: 1, polyhedra: 3, ..PieceCounts::default() };
    assert_eq!(PieceCounts::now(&engine), counts);
    let mut writer = VtkWriter::create(folder.path(), model, &Piece::ALL).unwrap();
    let mut frame = Frame::default();
    frame.take(&engine, true);
    writer.write(&frame).unwrap();
    let path = folder.path().join("polyhedra_000000.vtp");
    // So that ParaView shades by them.
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    assert!(text.contains("<PointData Normals=\"Normals\">"));
    let file = Vtp::read(&path);
    let vectors = |section: &str, name: &str| -> Vec<LabVec<f64>> {
        let rows = file.array(section, name).rows().map(|row| v(row[0], row[1], row[2]));
        rows.collect()
    };
    let (points, normals) = (vectors("Points", "Points"), vectors("PointData", "Normals"));
    assert_eq!((points.len(), normals.len()), (file.count("Points"), file.count("Points")));
    let each = points.len() / 3;
    let core = 0.5 * SIDE - ROUNDING;
    let half = core::f64::consts::FRAC_1_SQRT_2;
    for (body, (centre, cosine, sine)) in
        [(0.0, 1.0, 0.0), (0.998 * SIDE, half, half)].into_iter().enumerate()
    {
        for number in body * each..(body + 1) * each {
            // In the frame of the die.
            let seen = |u: LabVec<f64>| v(cosine * u.x + sine * u.y, cosine * u.y - sine * u.x, u.z);
            let (point, normal) = (seen(points[number] - v(0.0, 0.0, centre)), seen(normals[number]));
            let corner = point - normal * ROUNDING;
            let off = [corner.x, corner.y, corner.z].map(|x| (x.abs() - core).abs());
            assert!(off.iter().all(|off| *off < 1e-8), "{body}: {point:?} {normal:?}");
            assert!((normal.norm() - 1.0).abs() < 1e-6);
        }
    }
    let radii: Vec<f64> = file.array("PointData", "radius").rows().map(|row| row[0]).collect();
    assert!(radii[..each].iter().all(|radius| (radius / ROUNDING - 1.0).abs() < 1e-6));
    assert!(radii[2 * each..].iter().all(|radius| (radius / ROUNDING - 2.0).abs() < 1e-6));
    // The sphere of the third body alone.
    assert_eq!(Vtp::read(&folder.path().join("spheres_000000.vtp")).count("Points"), 1);
    let contacts = Vtp::read(&folder.path().join("contacts_000000.vtp"));
    let normals: Vec<&[f64]> = contacts.array("PointData", "normal").rows().collect();
    // Four corners of each are outside of the other, whose edges cross eight times.
    assert_eq!(normals.len(), 8);
    // Where edges cross away from their middles, their normals lean by less than a tenth of the rounding over half their length; all the same way round.
    let leaning = 0.1 * ROUNDING / core;
    assert!(
        normals.iter().all(|normal| normal[0].hypot(normal[1]) < leaning && normal[2] < -0.99),
        "{normals:?}"
    );
    let sum = normals.iter().fold([0.0, 0.0], |sum, normal| [sum[0] + normal[0], sum[1] + normal[1]]);
    assert!(sum[0].hypot(sum[1]) < 1e-6, "{sum:?}");
}

#[test]
fn trajectories_tell_the_faces() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trajectory.tumble");
    let world = world();
    let mut writer = TrajectoryWriter::create(&path, Model::of(&world, "dice"), true).unwrap();
    let mut frame = Frame::default();
    frame.take(&Engine::new(world.clone(), shallow()).unwrap(), true);
    writer.write(&frame).unwrap();
    writer.sync().unwrap();
    let templates = TrajectoryReader::open(&path).unwrap().header().templates.clone();
    assert_eq!((templates[0].spheres.len(), templates[1].spheres.len()), (8, 9));
    for (template, first) in templates.iter().zip([0, 1]) {
        let [faces] = &template.polyhedra[..] else { panic!("one polyhedron each") };
        assert_eq!(faces.len(), 6);
        assert!(faces.iter().all(|face| face.len() == 4));
        let mut corners: Vec<u32> = faces.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        assert_eq!(corners, (first..first + 8).collect::<Vec<_>>());
    }
    assert!(TrajectoryWriter::resume(&path, Model::of(&world, "dice"), true, 0).is_ok());
}
