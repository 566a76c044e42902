//! Guarantee: ellipsoids are in files for ParaView as points with the tensor that makes them of a ball, and in trajectories as four points, where they are at
//! that time; none of these points is shown as a sphere, and contacts have the normal at the point.

use crate::common::{settings, v};
use crate::vtp::Vtp;
use tumble_dem::clump::{ClumpEllipsoid, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, Quat, World};
use tumble_output::trajectory::{TrajectoryReader, TrajectoryWriter};
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Frame, FrameSink, Model, PieceCounts};

const AXES: [f64; 3] = [0.004, 0.003, 0.002];

/// An ellipsoid that lies on another one, turned by a quarter about z, and a body of a sphere and an ellipsoid far away.
fn world() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("seed", 1200.0, 5e6, 0.3)).unwrap();
    world.materials.set_default(PairProperties::new(0.5, 0.4));
    let own = ClumpEllipsoid::new(AXES);
    let ball = ClumpSphere::new([0.0, 0.0, 0.01], 0.003);
    let mut add = |name: &str, spheres: &[ClumpSphere]| {
        let pieces = ClumpPieces { spheres, ellipsoids: &[own], ..ClumpPieces::default() };
        world.add_template(ClumpTemplate::of(name, pieces, MassModel::Union).unwrap()).unwrap()
    };
    let (seed, bud) = (add("seed", &[]), add("bud", &[ball]));
    let half = core::f64::consts::FRAC_1_SQRT_2;
    let turned = Quat::from_array([half, 0.0, 0.0, half]);
    world.add_body(Body::at(seed, v(0.0, 0.0, 0.0)));
    world.add_body(Body { orientation: turned, ..Body::at(seed, v(0.0, 0.0, 1.98 * AXES[2])) });
    world.add_body(Body::at(bud, v(0.0, 0.0, 0.1)).scaled(2.0));
    world
}

#[test]
fn points_have_the_shape() {
    let folder = tempfile::tempdir().unwrap();
    let world = world();
    let model = Model::of(&world, "seeds");
    assert!(model.has_ellipsoids() && !model.has_capsules());
    let engine = Engine::new(world, settings()).unwrap();
    assert_eq!(
        PieceCounts::now(&engine),
        PieceCounts { spheres: 1, ellipsoids: 3, ..PieceCounts::default() }
    );
    let mut writer = VtkWriter::create(folder.path(), model, &Piece::ALL).unwrap();
    let mut frame = Frame::default();
    frame.take(&engine, true);
    writer.write(&frame).unwrap();
    let file = Vtp::read(&folder.path().join("ellipsoids_000000.vtp"));
    assert_eq!((file.count("Points"), file.count("Verts")), (3, 3));
    let shapes: Vec<&[f64]> = file.array("PointData", "shape").rows().collect();
    let [a, b, c] = AXES;
    let expected = [[a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c], [b, 0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, c]];
    for (shape, expected) in shapes.iter().zip(expected) {
        assert!(shape.iter().zip(expected).all(|(found, exact)| (found - exact).abs() < 1e-9), "{shape:?}");
    }
    let trace: f64 = [0, 4, 8].iter().map(|&entry| shapes[2][entry]).sum();
    assert!((trace - 2.0 * (a + b + c)).abs() < 1e-8, "twice as large, however it is turned");
    let radius = file.array("PointData", "radius").rows().next().unwrap()[0];
    assert!((radius - (a * b * c).cbrt()).abs() < 1e-9);
    // The sphere of the third body alone.
    assert_eq!(Vtp::read(&folder.path().join("spheres_000000.vtp")).count("Points"), 1);
    let contacts = Vtp::read(&folder.path().join("contacts_000000.vtp"));
    assert_eq!(contacts.count("Points"), 1);
    let normal = contacts.array("PointData", "normal").rows().next().unwrap();
    let down = [0.0, 0.0, -1.0];
    assert!(normal.iter().zip(down).all(|(found, exact)| (found - exact).abs() < 1e-6), "{normal:?}");
}

#[test]
fn trajectories_tell_which_spheres_are_points() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trajectory.tumble");
    let world = world();
    let mut writer = TrajectoryWriter::create(&path, Model::of(&world, "seeds"), true).unwrap();
    let mut frame = Frame::default();
    frame.take(&Engine::new(world.clone(), settings()).unwrap(), true);
    writer.write(&frame).unwrap();
    writer.sync().unwrap();
    let templates = TrajectoryReader::open(&path).unwrap().header().templates.clone();
    assert_eq!(templates[0].ellipsoids, [[0, 1, 2, 3]]);
    assert_eq!((templates[1].spheres.len(), &templates[1].ellipsoids[..]), (5, &[[1, 2, 3, 4]][..]));
    assert!(TrajectoryWriter::resume(&path, Model::of(&world, "seeds"), true, 0).is_ok());
}
