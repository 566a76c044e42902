//! Guarantee: capsules are in files for ParaView and in trajectories as lines between their ends, where they are at that time, and
//! contacts of theirs have the normal of the two cores.

use crate::common::{settings, v};
use crate::vtp::Vtp;
use tumble_dem::clump::{ClumpCapsule, ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec, Quat, World};
use tumble_output::trajectory::{TrajectoryReader, TrajectoryWriter};
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Frame, FrameSink, Model};

const LENGTH: f64 = 0.02;
const RADIUS: f64 = 0.001;

fn engine(world: &World) -> Engine {
    Engine::new(world.clone(), settings()).unwrap_or_else(|error| panic!("{error}"))
}

/// Two crossed fibres, the upper one along y, that overlap by a tenth of their radius 5 mm away from both middles; and a pin far away.
fn world() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("straw", 400.0, 5e6, 0.3)).unwrap();
    world.materials.set_default(PairProperties::new(0.5, 0.4));
    let capsule = ClumpCapsule::new([0.0; 3], [LENGTH, 0.0, 0.0], RADIUS);
    let fibre = ClumpTemplate::with_capsules("fibre", &[], &[capsule], MassModel::Union).unwrap();
    let head = ClumpSphere::new([0.024, 0.0, 0.0], 0.003);
    let pin = ClumpTemplate::with_capsules("pin", &[head], &[capsule], MassModel::Union).unwrap();
    let [fibre, pin] = [fibre, pin].map(|template| world.add_template(template).unwrap());
    let half = core::f64::consts::FRAC_1_SQRT_2;
    let along_y = Quat::from_array([half, 0.0, 0.0, half]);
    world.add_body(Body::at(fibre, v(0.0, 0.0, 0.0)));
    world.add_body(Body { orientation: along_y, ..Body::at(fibre, v(0.005, 0.005, 1.9 * RADIUS)) });
    world.add_body(Body::at(pin, v(0.0, 0.0, 0.1)).scaled(2.0));
    world
}

fn close(row: &[f64], expected: LabVec<f64>) -> bool {
    row.iter().zip(expected.to_array()).all(|(found, expected)| (found - expected).abs() <= 1e-8)
}

#[test]
fn lines_go_from_end_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let world = world();
    let model = Model::of(&world, "fibres");
    assert!(model.has_capsules());
    let mut writer = VtkWriter::create(folder.path(), model, &Piece::ALL).unwrap();
    let mut frame = Frame::default();
    frame.take(&engine(&world), true);
    writer.write(&frame).unwrap();
    let file = Vtp::read(&folder.path().join("capsules_000000.vtp"));
    assert_eq!((file.count("Points"), file.count("Lines"), file.count("Verts")), (6, 3, 0));
    assert_eq!(file.names("PointData"), ["body", "material", "radius", "spin", "template", "velocity"]);
    let points: Vec<&[f64]> = file.array("Points", "Points").rows().collect();
    let half = 0.5 * LENGTH;
    for (row, [end, middle]) in
        [[v(half, 0.0, 0.0), v(0.0, 0.0, 0.0)], [v(0.0, half, 0.0), v(0.005, 0.005, 1.9 * RADIUS)]]
            .into_iter()
            .enumerate()
    {
        // Which end is the first, the principal axes say.
        let [first, second] = [points[2 * row], points[2 * row + 1]];
        let forth = close(first, middle - end) && close(second, middle + end);
        assert!(forth || close(first, middle + end) && close(second, middle - end), "{first:?} {second:?}");
    }
    let radii: Vec<f64> = file.array("PointData", "radius").rows().map(|row| row[0]).collect();
    assert!(radii.iter().zip([1.0, 1.0, 1.0, 1.0, 2.0, 2.0]).all(|(r, of)| (r - of * RADIUS).abs() < 1e-9));
    // The ends are among the spheres, beside the head of the pin.
    assert_eq!(Vtp::read(&folder.path().join("spheres_000000.vtp")).count("Points"), 7);
    // The fibres touch above each other, though both middles are elsewhere.
    let contacts = Vtp::read(&folder.path().join("contacts_000000.vtp"));
    assert_eq!(contacts.count("Points"), 1);
    let normal = contacts.array("PointData", "normal").rows().next().unwrap();
    assert!(close(normal, v(0.0, 0.0, -1.0)), "{normal:?}: on the lower fibre, away from the upper");
}

#[test]
fn trajectories_tell_which_spheres_are_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trajectory.tumble");
    let world = world();
    let mut writer = TrajectoryWriter::create(&path, Model::of(&world, "fibres"), true).unwrap();
    let mut frame = Frame::default();
    frame.take(&engine(&world), true);
    writer.write(&frame).unwrap();
    writer.sync().unwrap();
    let templates = TrajectoryReader::open(&path).unwrap().header().templates.clone();
    assert_eq!(templates[0].capsules, [[0, 1]]);
    assert_eq!((templates[1].spheres.len(), &templates[1].capsules[..]), (3, &[[1, 2]][..]));
    // And a run goes on with such a file.
    assert!(TrajectoryWriter::resume(&path, Model::of(&world, "fibres"), true, 0).is_ok());
    let mut without = world;
    without.templates[1] = ClumpTemplate::sphere("pin", 0.003).unwrap().into();
    assert!(TrajectoryWriter::resume(&path, Model::of(&without, "fibres"), true, 0).is_err());
}

#[cfg(feature = "vtkhdf")]
#[test]
fn vtkhdf_files_have_the_same_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (path, to) = (folder.path().join("trajectory.tumble"), folder.path().join("capsules.vtkhdf"));
    let world = world();
    let mut writer = TrajectoryWriter::create(&path, Model::of(&world, "fibres"), true).unwrap();
    let mut frame = Frame::default();
    frame.take(&engine(&world), true);
    writer.write(&frame).unwrap();
    let go_on = |_, _| core::ops::ControlFlow::Continue(());
    tumble_output::vtkhdf::convert(&path, Piece::Capsules, &to, go_on).unwrap();
    let file = hdf5_metno::File::open(&to).unwrap();
    let whole = |name: &str| file.dataset(&format!("VTKHDF/{name}")).unwrap().read_raw::<i64>().unwrap();
    assert_eq!(whole("NumberOfPoints"), [6]);
    assert_eq!(whole("Lines/NumberOfCells"), [3]);
    assert_eq!(whole("Lines/Connectivity"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(whole("Lines/Offsets"), [0, 2, 4, 6]);
}
