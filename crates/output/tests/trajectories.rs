//! Guarantee: a trajectory gives back every frame by its number, with the bodies of that time; one that was
//! cut off reads up to its last whole frame; and no file, however damaged, makes the reader panic.

use crate::common::{advance, engine, world};
use std::fs;
use std::path::{Path, PathBuf};
use tumble_dem::random::Random;
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{Body, BodyId, BodyVec, LabVec, Quat, TemplateId, WallId, World};
use tumble_output::trajectory::{TrajectoryFrame, TrajectoryHeader, TrajectoryReader, TrajectoryWriter};
use tumble_output::{Frame, FrameSink, Model};

/// Frames of a run during which bodies come and go.
pub(crate) fn frames() -> Vec<Frame> {
    let mut engine = engine(&world());
    (0..8)
        .map(|number| {
            advance(&mut engine, 60);
            if number == 3 {
                engine.remove_bodies(&[BodyId(0), BodyId(9)]).unwrap();
            }
            if number == 5 {
                engine
                    .add_bodies(&[Body::at(TemplateId(1), crate::common::v(0.05, 0.05, 0.09)).scaled(0.2)])
                    .unwrap();
            }
            let mut frame = Frame::default();
            frame.take(&engine, true);
            frame
        })
        .collect()
}

pub(crate) fn write(folder: &Path, frames: &[Frame], contacts: bool) -> PathBuf {
    write_world(&world(), folder, frames, contacts)
}

pub(crate) fn write_world(world: &World, folder: &Path, frames: &[Frame], contacts: bool) -> PathBuf {
    let path = folder.join("trajectory.tumble");
    let mut writer = TrajectoryWriter::create(&path, Model::of(world, "test"), contacts).unwrap();
    for frame in frames {
        writer.write(frame).unwrap();
    }
    writer.sync().unwrap();
    path
}

#[test]
fn every_frame_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames();
    let mut reader = TrajectoryReader::open(&write(folder.path(), &frames, true)).unwrap();
    assert!(!reader.is_cut_off());
    assert_eq!(reader.steps(), frames.iter().map(|frame| frame.step).collect::<Vec<_>>());
    let header = reader.header().clone();
    let world = world();
    assert_eq!((header.templates.len(), header.materials), (2, vec!["rubber".to_owned(), "gel".to_owned()]));
    assert!(header.walls.iter().all(|wall| wall.moves), "any wall may be driven");
    let ends: Vec<usize> = header.walls.iter().map(|wall| wall.endless.len()).collect();
    assert_eq!(ends, [0, 2, 0, 1, 0, 0], "a plane has no end, nor has a tube without a length");
    // Whatever is drawn longer along such a direction is still a part of the wall.
    for (wall, outline) in world.walls.iter().zip(&header.walls) {
        for along in outline.endless.iter().map(|along| LabVec::from_array(*along)) {
            assert!((along.norm() - 1.0).abs() < 1e-12);
            for point in outline.points.iter().map(|point| LabVec::from_array(point.map(f64::from))) {
                let off = wall.shape.distance(point + along * 7.0).abs();
                assert!(off < 1e-7, "'{}' is {off} m away from where it would be drawn", wall.name);
            }
        }
    }
    assert!(header.templates[1].spheres.iter().zip(world.templates[1].spheres()).all(|(found, sphere)| {
        (f64::from(found[0]) - sphere.centre.x).abs() < 1e-9
            && (f64::from(found[3]) - sphere.radius).abs() < 1e-9
    }));
    // Backwards, so that nothing depends on what was read before.
    for (number, frame) in frames.iter().enumerate().rev() {
        let found = reader.frame(number).unwrap();
        assert_eq!((found.step, found.time.to_bits()), (frame.step, frame.time.to_bits()));
        assert_eq!(found.lists, [0, 3, 5].contains(&number), "frame {number}");
        assert_eq!(found.ids, frame.bodies.iter().map(|body| body.id.0).collect::<Vec<_>>());
        for (row, body) in frame.bodies.iter().enumerate() {
            assert_eq!(found.kinds[row], [body.template.0, body.material.0]);
            let near = |a: f32, b: f64, scale: f64| (f64::from(a) - b).abs() <= 1e-7 * scale;
            assert!(found.positions[row].iter().zip(body.position.to_array()).all(|(a, b)| near(*a, b, 0.1)));
            assert!(
                near(found.scales[row], body.scale, 1.0)
                    && near(found.speeds[row], body.velocity.norm(), 10.0)
            );
            let velocity = found.velocity(row).unwrap();
            assert!((velocity - body.velocity).norm() <= 1e-4 * body.velocity.norm(), "{velocity:?}");
            assert!(near(found.spins[row], body.angular_velocity.norm(), 1e3));
            let q = found.orientation(row).unwrap();
            let off: f64 = q.iter().zip(body.orientation.to_array()).map(|(a, b)| (a - b).powi(2)).sum();
            assert!(off.sqrt() < 5e-5, "{off}");
        }
        assert_eq!(found.contact_points.len(), frame.contacts.len());
        assert_eq!(found.contact_forces.len(), frame.contacts.len());
        // A point of a moving wall, placed as the header says.
        let (wall, outline) = (&world.walls[5], &header.walls[5]);
        let point = outline.points[0].map(f64::from);
        let [x, y, z, qw, qx, qy, qz] = found.wall_places[5].map(f64::from);
        let arm =
            crate::common::v(point[0], point[1], point[2]) - tumble_dem::LabVec::from_array(outline.pivot);
        let q = tumble_dem::Quat::new(qw, qx, qy, qz);
        let placed = crate::common::v(x, y, z) + q.conjugate().counter_rotate(arm);
        let expected = wall.motion.at(frame.time).to_lab(crate::common::v(0.04, 0.05, 4e-3));
        assert!((placed - expected).norm() < 1e-7, "{placed:?} {expected:?}");
    }
    assert!(frames[7].contacts.len() > 10);
    assert!(reader.frame(8).unwrap_err().to_string().contains("frame 8"));
    let without = tempfile::tempdir().unwrap();
    let mut reader = TrajectoryReader::open(&write(without.path(), &frames, false)).unwrap();
    assert!(reader.frame(7).unwrap().contact_points.is_empty());
}

/// A wall that somebody drives during a run is recorded where it is, though the scene says that it stands still.
#[test]
fn a_driven_wall_is_recorded_where_it_is() {
    const POST: usize = 2;
    let folder = tempfile::tempdir().unwrap();
    let world = world();
    let mut engine = engine(&world);
    let mut frame = Frame::default();
    frame.take(&engine, false);
    let before = frame.clone();
    let turning = Movement::Spin {
        axis: crate::common::v(0.0, 0.0, 1.0),
        pivot: crate::common::v(0.02, 0.05, 0.0),
        rate: 25.0,
    };
    engine.set_wall_motion(WallId(2), Motion::new(vec![turning]).unwrap()).unwrap();
    advance(&mut engine, 60);
    frame.take(&engine, false);
    let mut reader = TrajectoryReader::open(&write(folder.path(), &[before, frame.clone()], false)).unwrap();
    let outline = reader.header().walls[POST].clone();
    let place = |frame: &TrajectoryFrame, point: [f32; 3]| {
        let [x, y, z, qw, qx, qy, qz] = frame.wall_places[POST].map(f64::from);
        let arm =
            BodyVec::from_array(core::array::from_fn(|axis| f64::from(point[axis]) - outline.pivot[axis]));
        LabVec::new(x, y, z) + Quat::new(qw, qx, qy, qz).to_lab(arm)
    };
    let [first, last] = [0, 1].map(|number| reader.frame(number).unwrap());
    let pose = Motion::new(vec![turning]).unwrap().at(frame.time);
    for &point in &outline.points {
        let drawn = LabVec::from_array(point.map(f64::from));
        assert!((place(&first, point) - drawn).norm() < 1e-8);
        assert!((place(&last, point) - pose.to_lab(drawn)).norm() < 1e-8);
    }
    assert!(
        (pose.to_lab(crate::common::v(0.02, 0.02, 0.0)) - crate::common::v(0.02, 0.02, 0.0)).norm() > 1e-4
    );
}

/// The layout in the header is enough to read the file, as a viewer does that knows nothing else.
#[test]
fn the_header_tells_the_layout() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames();
    let path = write(folder.path(), &frames[..1], true);
    let bytes = fs::read(&path).unwrap();
    let number = |at: usize, size: usize| {
        bytes[at..at + size].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let header: serde_json::Value = serde_json::from_slice(&bytes[24..24 + number(16, 8)]).unwrap();
    let mut at = 24 + number(16, 8);
    assert_eq!(&bytes[at..at + 4], b"FRAM");
    let [bodies, contacts, walls, lists] = [32, 36, 40, 44].map(|offset| number(at + offset, 4));
    assert_eq!((bodies, lists), (frames[0].bodies.len(), 1));
    let end = at + 16 + number(at + 8, 8);
    at += 48;
    for array in header["arrays"].as_array().unwrap() {
        let count = match array["of"].as_str().unwrap() {
            "listed body" | "body" => bodies,
            "contact" => contacts,
            "moving wall" => walls,
            other => panic!("{other}"),
        };
        assert_eq!(at % 4, 0);
        if array["name"] == "positions" {
            let x = f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            assert!((f64::from(x) - frames[0].bodies[0].position.x).abs() < 1e-8);
        }
        let size = if array["type"].as_str().unwrap().ends_with("16") { 2 } else { 4 };
        at += count * size * usize::try_from(array["components"].as_u64().unwrap()).unwrap();
    }
    assert_eq!((at.next_multiple_of(8), end), (end, bytes.len()));
}

#[test]
fn a_cut_off_file_reads_up_to_its_last_whole_frame() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames();
    let path = write(folder.path(), &frames, false);
    let whole = fs::read(&path).unwrap();
    let starts: Vec<usize> = (0..whole.len()).filter(|at| whole[*at..].starts_with(b"FRAM")).collect();
    assert_eq!(starts.len(), 8);
    for (number, start) in starts.iter().enumerate() {
        for cut in [*start, start + 1, start + 20, start + 47, start + 300] {
            fs::write(&path, &whole[..cut]).unwrap();
            let reader = TrajectoryReader::open(&path).unwrap();
            assert_eq!((reader.len(), reader.is_cut_off()), (number, cut != *start), "cut at {cut}");
        }
        // A file system may leave the end blank instead.
        let mut blank = whole.clone();
        blank[start + 100..].fill(0);
        fs::write(&path, &blank).unwrap();
        assert_eq!(TrajectoryReader::open(&path).unwrap().len(), number);
    }
    // A flipped bit is noticed in its frame, and the others are still there.
    let mut flipped = whole.clone();
    flipped[starts[1] + 200] ^= 1;
    fs::write(&path, &flipped).unwrap();
    let mut reader = TrajectoryReader::open(&path).unwrap();
    assert_eq!(reader.len(), 8);
    assert!(reader.frame(0).is_ok() && reader.frame(2).is_ok());
    assert!(reader.frame(1).unwrap_err().to_string().contains("frame 1"));
}

#[test]
fn a_thinned_file_has_the_frames_that_were_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &frames(), true);
    let mut whole = TrajectoryReader::open(&path).unwrap();
    assert_eq!(TrajectoryHeader::read(&path).unwrap(), *whole.header());
    for every in 1..10 {
        let mut bytes = Vec::new();
        let mut thinned = whole.thinned(every.try_into().unwrap());
        while let Some(piece) = thinned.piece().unwrap() {
            bytes.extend_from_slice(piece);
        }
        assert_eq!(thinned.lost(), 0);
        let count = thinned.frames();
        if every == 1 {
            assert!(bytes == fs::read(&path).unwrap());
        }
        let short = folder.path().join("short.tumble");
        fs::write(&short, bytes).unwrap();
        let mut short = TrajectoryReader::open(&short).unwrap();
        let wanted: Vec<usize> = (0..8).filter(|number| number % every == 0 || *number == 7).collect();
        assert_eq!((count, short.len()), (wanted.len(), wanted.len()), "{every}");
        for (place, number) in wanted.into_iter().enumerate() {
            let (mut found, mut expected) = (short.frame(place).unwrap(), whole.frame(number).unwrap());
            (found.lists, expected.lists) = (true, true);
            assert_eq!(found, expected, "{every}: frame {number}");
        }
    }
}

/// The header of a program that did not write volumes, densities, headings and places of walls that stand still.
fn header_of_older_programs(bytes: &[u8]) -> Vec<u8> {
    let length = usize::try_from(u64::from_le_bytes(bytes[16..24].try_into().unwrap())).unwrap();
    let mut header: serde_json::Value = serde_json::from_slice(&bytes[24..24 + length]).unwrap();
    assert!(header.as_object_mut().unwrap().remove("densities").is_some());
    for template in header["templates"].as_array_mut().unwrap() {
        for name in ["volume", "moments_per_density"] {
            assert!(template.as_object_mut().unwrap().remove(name).is_some(), "{name}");
        }
    }
    let arrays = header["arrays"].as_array_mut().unwrap();
    assert_eq!(arrays.pop().unwrap()["name"], "headings");
    for wall in header["walls"].as_array_mut().unwrap() {
        wall.as_object_mut().unwrap().remove("endless");
        let moves = ["floor", "blade"].contains(&wall["name"].as_str().unwrap());
        wall["moves"] = moves.into();
    }
    let mut text = serde_json::to_vec(&header).unwrap();
    text.resize(text.len().next_multiple_of(8), b' ');
    let mut older = bytes[..12].to_vec();
    older.extend(xxhash_rust::xxh32::xxh32(&text, 0).to_le_bytes());
    older.extend((text.len() as u64).to_le_bytes());
    older.extend(text);
    older
}

#[test]
fn the_header_has_what_masses_are_made_of_and_older_files_do_without() {
    let folder = tempfile::tempdir().unwrap();
    let (frames, world) = (frames(), world());
    let path = write(folder.path(), &frames, false);
    let header = TrajectoryHeader::read(&path).unwrap();
    let body = &frames[0].bodies[0];
    let (template, material) = (usize::from(body.template), usize::from(body.material));
    let outline = &header.templates[template];
    let density = header.densities[material];
    let mass = density * outline.volume.unwrap() * body.scale.powi(3);
    let expected = world.templates[template].mass(world.materials.as_slice()[material].density, body.scale);
    assert!((mass / expected - 1.0).abs() < 1e-12);
    let moments = outline.moments_per_density.unwrap().map(|moment| moment * density * body.scale.powi(5));
    let expected = world.templates[template].moments(density, body.scale).to_array();
    assert!(moments.iter().zip(expected).all(|(ours, expected)| (ours / expected - 1.0).abs() < 1e-12));

    // Who goes on with an older file keeps to what it has.
    fs::write(&path, header_of_older_programs(&fs::read(&path).unwrap())).unwrap();
    let resume = |world| TrajectoryWriter::resume(&path, Model::of(world, "test"), false, 100_000);
    let mut writer = resume(&world).unwrap();
    for frame in &frames {
        writer.write(frame).unwrap();
    }
    drop(writer);
    let mut older = TrajectoryReader::open(&path).unwrap();
    assert!(older.header().densities.is_empty() && older.header().templates[0].volume.is_none());
    assert_eq!(older.len(), frames.len());
    let last = older.frame(7).unwrap();
    assert_eq!((last.velocity(0), last.wall_places.len(), last.ids.len()), (None, 2, frames[7].bodies.len()));
    drop(older);
    drop(resume(&world).unwrap());
    let mut other = world.clone();
    other.walls.pop();
    assert!(resume(&other).is_err(), "what it does say still counts");
}

#[test]
fn resuming_refuses_another_scene_and_damage_before_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames();
    let path = write(folder.path(), &frames, false);
    let mut other = world();
    other.walls.pop();
    let error = TrajectoryWriter::resume(&path, Model::of(&other, "test"), false, 100).unwrap_err();
    assert!(error.to_string().contains("another scene"), "{error}");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 50;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let resume = |step| TrajectoryWriter::resume(&path, Model::of(&world(), "test"), false, step);
    assert!(resume(480).unwrap_err().to_string().contains("step 480"));
    drop(resume(479).unwrap());
    assert_eq!(TrajectoryReader::open(&path).unwrap().len(), 7);
    assert!(
        TrajectoryWriter::create(&path, Model::of(&world(), "test"), false).is_err(),
        "never overwritten"
    );
}

#[test]
fn damaged_files_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames();
    let path = write(folder.path(), &frames[2..6], true);
    let whole = fs::read(&path).unwrap();
    let header = whole.windows(4).position(|window| window == b"FRAM").unwrap();
    let mut random = Random::new(3);
    let mut outcomes = [0; 2];
    for _ in 0..600 {
        let mut bytes = whole.clone();
        for _ in 0..=random.bits() % 3 {
            let from = if random.uniform() < 0.5 { header } else { 0 };
            let reach = if random.uniform() < 0.5 { 60 } else { bytes.len() - from };
            let reach = reach.min(bytes.len() - from);
            let at = from + usize::try_from(random.bits() % reach as u64).unwrap();
            match random.bits() % 3 {
                0 => bytes[at] ^= 1 << (random.bits() % 8),
                1 => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = random.bits().to_le_bytes()[0]),
                _ => bytes.truncate(at.max(header + 1)),
            }
        }
        fs::write(&path, &bytes).unwrap();
        if let Ok(mut reader) = TrajectoryReader::open(&path) {
            for number in 0..reader.len() {
                outcomes[usize::from(reader.frame(number).is_ok())] += 1;
            }
        }
    }
    assert!(outcomes.iter().all(|count| *count > 100), "{outcomes:?}");
}
