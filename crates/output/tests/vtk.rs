//! Guarantee: files for ParaView hold every sphere, body, contact and wall where it is at that time, with the
//! numbers of the engine, and the series name every file once. `vtk_check.py` reads the same kind of files
//! with VTK itself.

#![allow(clippy::float_cmp, reason = "whole numbers that were read as floating-point ones")]

use crate::common::{SIZE, advance, engine, v, world};
use crate::vtp::Vtp;
use std::fs;
use std::path::Path;
use tumble_dem::wall::Pose;
use tumble_dem::{Engine, LabVec, Touching, World};
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Frame, FrameSink, Model, SEGMENTS, Surface};

/// An engine in the middle of a run, and a folder with files of two instants.
fn written(folder: &Path) -> (World, Engine) {
    let world = world();
    let mut engine = engine(&world);
    let mut writer = VtkWriter::create(folder, Model::of(&world, "test"), &Piece::ALL).unwrap();
    let mut frame = Frame::default();
    for steps in [0, 500] {
        advance(&mut engine, steps);
        frame.take(&engine, true);
        writer.write(&frame).unwrap();
    }
    writer.sync().unwrap();
    (world, engine)
}

fn close(row: &[f64], expected: LabVec<f64>, scale: f64) -> bool {
    row.iter().zip(expected.to_array()).all(|(found, expected)| (found - expected).abs() <= 1e-6 * scale)
}

#[test]
fn every_sphere_is_where_it_should_be() {
    let folder = tempfile::tempdir().unwrap();
    let (world, engine) = written(folder.path());
    let file = Vtp::read(&folder.path().join("spheres_000001.vtp"));
    assert_eq!((file.count("Points"), file.count("Verts")), (engine.sphere_count(), engine.sphere_count()));
    assert_eq!(file.time.to_bits(), engine.time().to_bits());
    assert_eq!(file.names("PointData"), ["body", "material", "radius", "spin", "template", "velocity"]);
    let columns = ["radius", "velocity", "spin", "body", "material", "template"]
        .map(|name| file.array("PointData", name));
    assert_eq!(
        columns.map(|column| column.kind.as_str()),
        ["Float32", "Float32", "Float32", "UInt32", "UInt16", "UInt16"]
    );
    let mut rows = file.array("Points", "Points").rows();
    let mut columns = columns.map(crate::vtp::Array::rows);
    for body in engine.bodies() {
        for sphere in world.templates[usize::from(body.template)].spheres() {
            // The rotation written out: x + 2w(u × x) + 2u × (u × x).
            let [w, x, y, z] = body.orientation.to_array();
            let (u, centre) = (v(x, y, z), LabVec::from_array(sphere.centre.to_array()) * body.scale);
            let arm = centre + u.cross(centre) * (2.0 * w) + u.cross(u.cross(centre)) * 2.0;
            let mut next = || columns.each_mut().map(|column| column.next().unwrap());
            let [radius, velocity, spin, id, material, template] = next();
            assert!(close(rows.next().unwrap(), body.position + arm, SIZE));
            assert!((radius[0] - sphere.radius * body.scale).abs() < 1e-9);
            assert!(close(velocity, body.velocity + body.angular_velocity.cross(arm), 10.0));
            assert!(close(spin, body.angular_velocity, 1000.0));
            assert_eq!(
                [id[0], material[0], template[0]],
                [f64::from(body.id.0), body.material.0.into(), body.template.0.into()]
            );
        }
    }
    assert_eq!(rows.len(), 0);
}

#[test]
fn bodies_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let (_, engine) = written(folder.path());
    let file = Vtp::read(&folder.path().join("bodies_000001.vtp"));
    let bodies = engine.bodies();
    assert_eq!((file.count("Points"), file.count("Polys")), (bodies.len(), 0));
    let exact = |name: &str, row: usize, expected: &[f64]| {
        let section = if name == "Points" { "Points" } else { "PointData" };
        let array = file.array(section, name);
        assert_eq!(array.rows().len(), bodies.len(), "{name}");
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(array.rows().nth(row).unwrap()), bits(expected), "{name} of {row}");
    };
    for (row, body) in bodies.iter().enumerate() {
        exact("Points", row, &body.position.to_array());
        exact("orientation", row, &body.orientation.to_array());
        exact("velocity", row, &body.velocity.to_array());
        exact("spin", row, &body.angular_velocity.to_array());
        exact("force", row, &body.force.to_array());
        exact("torque", row, &body.torque.to_array());
        exact("mass", row, &[body.mass]);
        exact("scale", row, &[body.scale]);
        exact("body", row, &[f64::from(body.id.0)]);
        exact("held", row, &[f64::from(u8::from(body.held))]);
    }
}

#[test]
fn contacts_have_their_forces() {
    let folder = tempfile::tempdir().unwrap();
    let (_, engine) = written(folder.path());
    let file = Vtp::read(&folder.path().join("contacts_000001.vtp"));
    let contacts = engine.contacts();
    assert!(contacts.len() > 40, "{}", contacts.len());
    assert_eq!(file.count("Points"), contacts.len());
    let column = |name: &str| file.array("PointData", name).rows();
    let points = file.array("Points", "Points").rows();
    let parts = column("normal_force").zip(column("tangential_force")).zip(column("normal"));
    let who = column("body").zip(column("other_body")).zip(column("wall"));
    let rows = points.zip(column("force")).zip(parts).zip(who);
    let (mut of_bodies, mut of_walls) = (0, 0);
    for (contact, (((point, force), ((along, across), normal)), ((body, other), wall))) in
        contacts.iter().zip(rows)
    {
        assert!(close(point, contact.point, SIZE));
        let size = contact.force.norm();
        assert!(close(force, contact.force, size));
        assert!((along[0].hypot(across[0]) - size).abs() <= 1e-6 * size);
        let normal = v(normal[0], normal[1], normal[2]);
        assert!((normal.norm() - 1.0).abs() < 1e-6);
        // With friction below 0.4, and 0.6 at most where dashpots help, the force is mostly along the normal.
        assert!(along[0] >= 0.0 && (contact.force.dot(normal) - along[0]).abs() <= 1e-6 * size);
        assert_eq!(body[0], f64::from(contact.body.0.0));
        match contact.with {
            Touching::Body(id, _) => {
                of_bodies += 1;
                assert_eq!((other[0], wall[0]), (f64::from(id.0), -1.0));
            }
            Touching::Wall(number) => {
                of_walls += 1;
                assert_eq!((other[0], wall[0]), (-1.0, f64::from(number.0)));
            }
        }
    }
    assert!(of_bodies > 5 && of_walls > 5, "{of_bodies} and {of_walls}");
}

#[test]
fn chains_join_the_centres_of_bodies_that_touch() {
    let folder = tempfile::tempdir().unwrap();
    let (_, engine) = written(folder.path());
    let file = Vtp::read(&folder.path().join("chains_000001.vtp"));
    let contacts = engine.contacts();
    assert_eq!((file.count("Lines"), file.count("Points")), (contacts.len(), 2 * contacts.len()));
    let offsets = &file.array("Lines", "offsets").values;
    assert!(offsets.iter().enumerate().all(|(line, end)| *end == 2.0 * (line + 1) as f64));
    let ends: Vec<&[f64]> = file.array("Points", "Points").rows().collect();
    let ids = &file.array("Lines", "connectivity").values;
    assert!(ids.iter().enumerate().all(|(place, id)| *id == place as f64));
    let (force, along) = (file.array("PointData", "force"), file.array("PointData", "normal_force"));
    let bodies = engine.bodies();
    let centre = |id: tumble_dem::BodyId| bodies.iter().find(|body| body.id == id).unwrap().position;
    for (line, contact) in contacts.iter().enumerate() {
        let other = match contact.with {
            Touching::Body(id, _) => centre(id),
            Touching::Wall(_) => contact.point,
        };
        assert!(close(ends[2 * line], centre(contact.body.0), SIZE), "{line}");
        assert!(close(ends[2 * line + 1], other, SIZE), "{line}");
        for end in [2 * line, 2 * line + 1] {
            let size = contact.force.norm();
            assert!((force.values[end] - size).abs() <= 1e-6 * size && along.values[end] <= 1.000_001 * size);
        }
    }
}

#[test]
fn walls_are_where_they_have_moved_to() {
    let folder = tempfile::tempdir().unwrap();
    let (world, engine) = written(folder.path());
    for (name, time) in [("walls_000000.vtp", 0.0), ("walls_000001.vtp", engine.time())] {
        let file = Vtp::read(&folder.path().join(name));
        let points: Vec<LabVec<f64>> =
            file.array("Points", "Points").rows().map(|p| v(p[0], p[1], p[2])).collect();
        let corners = file.array("Polys", "connectivity");
        assert_eq!(corners.values.len(), 3 * file.count("Polys"));
        let offsets = &file.array("Polys", "offsets").values;
        assert!(offsets.iter().zip(1_u32..).all(|(offset, number)| *offset == f64::from(3 * number)));
        let walls = &file.array("CellData", "wall").values;
        assert_eq!(walls.len(), file.count("Polys"));
        let mut seen = vec![0; world.walls.len()];
        for (triangle, number) in corners.values.chunks(3).zip(walls) {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let (number, corners) = (*number as usize, [0, 1, 2].map(|k| points[triangle[k] as usize]));
            let wall = &world.walls[number];
            let pose = wall.motion.at(time);
            seen[number] += 1;
            for corner in corners {
                let off = wall.shape.distance(pose.to_reference(corner)).abs();
                assert!(off < 1e-7, "{name}: a corner of '{}' is {off} m from it", wall.name);
            }
            let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
            assert!(area > 0.0, "{}", wall.name);
        }
        let round = usize::try_from(SEGMENTS).unwrap();
        // Box, plane, rod with caps, endless tube, cone with one cap and a tip, mesh.
        assert_eq!(seen, [12, 2, 4 * round, 2 * round, 2 * round, 1], "{name}");
    }
}

/// Endless walls are shown over all that is there.
#[test]
fn patches_cover_the_scene() {
    let surfaces = Surface::all(&world());
    let [floor, tube] = [1, 3].map(|number| {
        let points = &surfaces[number].points;
        let of = |axis: usize| {
            let values = points.iter().map(|point| point.to_array()[axis]);
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        };
        [of(0), of(1), of(2)]
    });
    for (low, high) in [floor[0], floor[1], tube[2]] {
        assert!(low < 0.0 && high > SIZE && high - low < 3.0 * SIZE, "{low} to {high}");
    }
    assert!(Surface::all(&World::default()).is_empty());
}

#[test]
fn the_series_names_every_file_once_with_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let (_, engine) = written(folder.path());
    for piece in Piece::ALL {
        let text = fs::read_to_string(folder.path().join(format!("{}.pvd", piece.name()))).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("<DataSet")).collect();
        assert_eq!(lines.len(), 2);
        let time = format!("timestep=\"{:?}\"", engine.time());
        assert!(
            lines[1].contains(&time) && lines[1].contains(&format!("{}_000001.vtp", piece.name())),
            "{}",
            lines[1]
        );
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        24,
        "two files of eight kinds, and their series"
    );
}

#[test]
fn walls_that_stand_still_are_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world();
    world.walls.retain(|wall| wall.motion.is_static());
    let model = Model::of(&world, "still");
    let mut writer = VtkWriter::create(folder.path(), model.clone(), &[Piece::Walls]).unwrap();
    for step in 0..4 {
        writer.write(&Frame { step, time: 0.5 * step as f64, ..Frame::default() }).unwrap();
    }
    let read = || fs::read_to_string(folder.path().join("walls.pvd")).unwrap();
    assert_eq!(read().matches("walls_000000.vtp").count(), 4);
    drop(writer);
    let mut writer = VtkWriter::resume(folder.path(), model, &[Piece::Walls], 1).unwrap();
    assert_eq!(read().matches("walls_000000.vtp").count(), 2);
    writer.write(&Frame { step: 2, time: 1.0, ..Frame::default() }).unwrap();
    assert_eq!(read().matches("walls_000000.vtp").count(), 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

/// A wall that a program drives is shown where it is, though the scene says that it stands still.
#[test]
fn a_driven_wall_is_written_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world();
    world.walls.retain(|wall| wall.motion.is_static());
    let mut writer = VtkWriter::create(folder.path(), Model::of(&world, "driven"), &[Piece::Walls]).unwrap();
    let at = |height: f64| Pose { origin: v(0.0, 0.0, height), ..Pose::reference() };
    for (step, height) in [0.0, 0.0, 0.25, 0.0, 0.0].into_iter().enumerate() {
        let walls = vec![at(height); world.walls.len()];
        writer.write(&Frame { step: step as u64, time: step as f64, walls, ..Frame::default() }).unwrap();
    }
    let listed = fs::read_to_string(folder.path().join("walls.pvd")).unwrap();
    let numbers: Vec<usize> =
        (0..4).map(|number| listed.matches(&format!("walls_00000{number}.vtp")).count()).collect();
    assert_eq!(numbers, [2, 1, 1, 1], "written once while it stands still, and always after it has moved");
    let [still, driven] =
        [0, 1].map(|number| fs::read(folder.path().join(format!("walls_00000{number}.vtp"))).unwrap());
    assert_ne!(still, driven);
}

/// The file of a long series is not written again with every frame, but it is never far behind, and whole
/// when it must be.
#[test]
fn a_long_series_is_listed_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world();
    world.walls.retain(|wall| wall.motion.is_static());
    let mut writer = VtkWriter::create(folder.path(), Model::of(&world, "long"), &[Piece::Walls]).unwrap();
    let listed = || {
        let text = fs::read_to_string(folder.path().join("walls.pvd")).unwrap();
        assert!(text.ends_with("</Collection>\n</VTKFile>\n"));
        text.matches("<DataSet").count()
    };
    let mut lengths = std::collections::BTreeSet::new();
    for number in 1..=3200 {
        writer.write(&Frame { step: number, time: 1e-3 * number as f64, ..Frame::default() }).unwrap();
        let number = usize::try_from(number).unwrap();
        if number == 500 {
            assert_eq!(listed(), 500);
        }
        if number > 3000 {
            let found = listed();
            assert!(found <= number && number - found <= number / 1000, "{found} of {number}");
            lengths.insert(found);
        }
    }
    assert!(lengths.len() <= 200 / 3, "written {} times for 200 frames", lengths.len());
    assert_ne!(listed(), 3200);
    writer.sync().unwrap();
    assert_eq!(listed(), 3200);
}

/// Killed, a run may leave files that its series does not list yet; resumed, they are removed with the later
/// ones.
#[test]
fn files_that_were_not_listed_are_removed_too() {
    let folder = tempfile::tempdir().unwrap();
    let (world, engine) = written(folder.path());
    for number in [2, 3] {
        fs::copy(
            folder.path().join("bodies_000001.vtp"),
            folder.path().join(format!("bodies_00000{number}.vtp")),
        )
        .unwrap();
    }
    let names = |text: &str| {
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        entries.filter(|name| name.to_string_lossy().starts_with(text)).count()
    };
    assert_eq!(names("bodies_"), 4);
    let resume = |step| VtkWriter::resume(folder.path(), Model::of(&world, "test"), &[Piece::Bodies], step);
    drop(resume(engine.steps()).unwrap());
    assert_eq!(names("bodies_"), 2);
    drop(resume(engine.steps() - 1).unwrap());
    assert_eq!(names("bodies_"), 1);
    assert_eq!(names("spheres_"), 2, "others stay");
}

#[test]
fn a_series_that_was_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (world, _) = written(folder.path());
    let path = folder.path().join("bodies.pvd");
    let text = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("step 500", "step -1"),
        ("timestep=\"0.01\"", "timestep=\"soon\""),
        ("bodies_000001", "b"),
        ("step 500", "step 0"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let error =
            VtkWriter::resume(folder.path(), Model::of(&world, "test"), &[Piece::Bodies], 9).unwrap_err();
        assert!(error.to_string().contains("bodies.pvd"), "{error}");
    }
    // A folder without series is one that nothing was written to yet.
    fs::remove_file(&path).unwrap();
    VtkWriter::resume(folder.path(), Model::of(&world, "test"), &[Piece::Bodies], 9).unwrap();
}
