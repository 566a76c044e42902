//! Guarantee: a VTKHDF file shows every frame of its trajectory, whatever bodies and contacts there are in
//! it; it appears as a whole or not at all; and damage to the trajectory costs only what comes after it.
//! `vtk_check.py` reads the same kind of files with VTK itself.

#![allow(clippy::float_cmp, reason = "numbers that were copied")]

use crate::common::{SIZE, v, world};
use crate::trajectories::{frames, write, write_world};
use hdf5_metno::File;
use hdf5_metno::types::FixedAscii;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tumble_dem::{LabVec, Quat};
use tumble_output::vtk::Piece;
use tumble_output::vtkhdf::{Conversion, convert};
use tumble_output::{Error, Frame};

fn export(trajectory: &Path, what: Piece, to: &Path) -> Result<Conversion, Error> {
    Ok(convert(trajectory, what, to, |_, _| ControlFlow::Continue(()))?.expect("nobody asked it to stop"))
}

/// A file as the format describes it.
struct Vtkhdf(File);

/// One frame.
struct Shown {
    time: f64,
    step: i64,
    points: Vec<[f32; 3]>,
    /// Corners of each vertex or polygon.
    cells: Vec<Vec<i64>>,
}

const KINDS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];

impl Vtkhdf {
    fn open(path: &Path) -> Self {
        Self(File::open(path).unwrap())
    }

    /// All numbers of a data set, row after row.
    fn all<T: hdf5_metno::H5Type>(&self, name: &str) -> Vec<T> {
        self.0.dataset(&format!("VTKHDF/{name}")).unwrap_or_else(|_| panic!("no {name}")).read_raw().unwrap()
    }

    fn at(&self, name: &str, place: usize) -> usize {
        usize::try_from(self.all::<i64>(name)[place]).unwrap()
    }

    fn names(&self, group: &str) -> Vec<String> {
        let mut names = self.0.group(&format!("VTKHDF/{group}")).unwrap().member_names().unwrap();
        names.sort();
        names
    }

    fn frame(&self, number: usize) -> Shown {
        assert_eq!(self.at("Steps/NumberOfParts", number), 1);
        let part = self.at("Steps/PartOffsets", number);
        let (count, start) = (self.at("NumberOfPoints", part), self.at("Steps/PointOffsets", number));
        let points: Vec<f32> = self.all("Points");
        let points = points.as_chunks::<3>().0[start..start + count].to_vec();
        let mut cells = Vec::new();
        for (column, kind) in KINDS.into_iter().enumerate() {
            let of_part = |name: &str| self.all::<i64>(&format!("{kind}/{name}"));
            let number_of_cells = of_part("NumberOfCells");
            let first_cell = self.at("Steps/CellOffsets", 4 * number + column);
            let first_corner = self.at("Steps/ConnectivityIdOffsets", 4 * number + column);
            // The cells of a part begin after those before it, with one more offset for each part: either for
            // all of them, or only until as many cells have been seen. Readers of VTK do one or the other.
            let mut seen = 0;
            let counted = number_of_cells[..part].iter().take_while(|cells| {
                let more = seen < first_cell;
                seen += usize::try_from(**cells).unwrap();
                more
            });
            let places = [first_cell + part, first_cell + counted.count()];
            let here = usize::try_from(number_of_cells[part]).unwrap();
            let corners = usize::try_from(of_part("NumberOfConnectivityIds")[part]).unwrap();
            let connectivity = of_part("Connectivity")[first_corner..first_corner + corners].to_vec();
            let [offsets, same] = places.map(|at| of_part("Offsets")[at..=at + here].to_vec());
            assert_eq!(offsets, same, "frame {number}, {kind}");
            assert_eq!((offsets[0], offsets[here]), (0, i64::try_from(corners).unwrap()));
            let ends: Vec<usize> = offsets.iter().map(|end| usize::try_from(*end).unwrap()).collect();
            cells.extend(ends.windows(2).map(|ends| connectivity[ends[0]..ends[1]].to_vec()));
        }
        let (times, steps): (Vec<f64>, Vec<i64>) = (self.all("Steps/Values"), self.all("FieldData/step"));
        let step = steps[self.at("Steps/FieldDataOffsets/step", number)];
        assert_eq!(self.all::<i64>("Steps/FieldDataSizes/step")[2 * number..2 * number + 2], [1, 1]);
        Shown { time: times[number], step, points, cells }
    }

    /// The rows of an array that belong to a frame.
    fn rows<T: hdf5_metno::H5Type + Copy, const N: usize>(
        &self,
        group: &str,
        name: &str,
        number: usize,
        count: usize,
    ) -> Vec<[T; N]> {
        let start = self.at(&format!("Steps/{group}Offsets/{name}"), number);
        let values: Vec<T> = self.all(&format!("{group}/{name}"));
        values.as_chunks::<N>().0[start..start + count].to_vec()
    }
}

fn rotate(q: [f64; 4], x: LabVec<f64>) -> LabVec<f64> {
    let [w, a, b, c] = q;
    let u = v(a, b, c);
    x + u.cross(x) * (2.0 * w) + u.cross(u.cross(x)) * 2.0
}

fn near(found: [f32; 3], expected: LabVec<f64>, tolerance: f64) -> bool {
    (LabVec::from_array(found.map(f64::from)) - expected).norm() <= tolerance
}

#[test]
fn spheres_of_frames_with_changing_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let (frames, world) = (frames(), world());
    let path = folder.path().join("spheres.vtkhdf");
    let done = export(&write(folder.path(), &frames, true), Piece::Spheres, &path).unwrap();
    assert!(done.frames == 8 && done.damage.is_none(), "{done:?}");
    let file = Vtkhdf::open(&path);
    let root = file.0.group("VTKHDF").unwrap();
    assert_eq!(root.attr("Version").unwrap().read_raw::<i64>().unwrap(), [2, 0]);
    let kind = root.attr("Type").unwrap().read_scalar::<FixedAscii<8>>().unwrap();
    assert_eq!(kind.as_str(), "PolyData");
    let steps = file.0.group("VTKHDF/Steps").unwrap();
    assert_eq!(steps.attr("NSteps").unwrap().read_scalar::<i64>().unwrap(), 8);
    assert_eq!(file.names("PointData"), ["body", "material", "radius", "speed", "spin_rate", "template"]);
    assert_eq!(file.names("PointData"), file.names("Steps/PointDataOffsets"));
    let mut counts = Vec::new();
    for (number, frame) in frames.iter().enumerate() {
        let shown = file.frame(number);
        assert_eq!(
            (shown.time.to_bits(), shown.step),
            (frame.time.to_bits(), frame.step.try_into().unwrap())
        );
        let count = shown.points.len();
        counts.push(count);
        assert!(shown.cells.iter().zip(0..).all(|(cell, point)| *cell == [point]), "frame {number}");
        assert_eq!(shown.cells.len(), count);
        let radii: Vec<[f32; 1]> = file.rows("PointData", "radius", number, count);
        let speeds: Vec<[f32; 1]> = file.rows("PointData", "speed", number, count);
        let spins: Vec<[f32; 1]> = file.rows("PointData", "spin_rate", number, count);
        let ids: Vec<[u32; 1]> = file.rows("PointData", "body", number, count);
        let materials: Vec<[u16; 1]> = file.rows("PointData", "material", number, count);
        let templates: Vec<[u16; 1]> = file.rows("PointData", "template", number, count);
        let mut row = 0;
        for body in &frame.bodies {
            for sphere in world.templates[usize::from(body.template)].spheres() {
                let arm = LabVec::from_array(sphere.centre.to_array()) * body.scale;
                let centre = body.position + rotate(body.orientation.to_array(), arm);
                // Orientations of trajectories are to 10⁻⁴ rad.
                assert!(near(shown.points[row], centre, 1e-4 * arm.norm() + 1e-7 * SIZE), "frame {number}");
                assert!((f64::from(radii[row][0]) - sphere.radius * body.scale).abs() < 1e-9);
                assert!((f64::from(speeds[row][0]) - body.velocity.norm()).abs() < 1e-6);
                assert!((f64::from(spins[row][0]) - body.angular_velocity.norm()).abs() < 1e-4);
                assert_eq!(
                    (ids[row], materials[row], templates[row]),
                    ([body.id.0], [body.material.0], [body.template.0])
                );
                row += 1;
            }
        }
        assert_eq!(row, count);
    }
    // Bodies go after the third frame and one comes after the fifth: three lists, and as many parts.
    counts.dedup();
    assert_eq!(counts.len(), 3);
    assert_eq!(file.all::<i64>("NumberOfPoints").len(), 3);
    assert_eq!(file.all::<u32>("PointData/body").len(), counts.iter().sum::<usize>(), "listed once");
}

#[test]
fn bodies_have_orientations() {
    let folder = tempfile::tempdir().unwrap();
    let frames = frames();
    let path = folder.path().join("bodies.vtkhdf");
    export(&write(folder.path(), &frames, true), Piece::Bodies, &path).unwrap();
    let file = Vtkhdf::open(&path);
    let names = ["body", "material", "orientation", "scale", "speed", "spin_rate", "template"];
    assert_eq!(file.names("PointData"), names);
    for (number, frame) in frames.iter().enumerate() {
        let shown = file.frame(number);
        assert_eq!(shown.points.len(), frame.bodies.len());
        let turned: Vec<[f32; 4]> = file.rows("PointData", "orientation", number, frame.bodies.len());
        let scales: Vec<[f32; 1]> = file.rows("PointData", "scale", number, frame.bodies.len());
        for (row, body) in frame.bodies.iter().enumerate() {
            assert!(near(shown.points[row], body.position, 1e-7 * SIZE));
            let off = Quat::from_array(turned[row].map(f64::from)).to_array();
            let off = off.iter().zip(body.orientation.to_array()).map(|(a, b)| (a - b).abs());
            assert!(off.fold(0.0, f64::max) < 5e-5, "frame {number}, row {row}");
            assert!((f64::from(scales[row][0]) - body.scale).abs() < 1e-7);
        }
    }
}

/// Instants without contacts are where readers of the format go wrong.
#[test]
fn contacts_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut frames = frames();
    for number in [0, 1, 4, 7] {
        frames[number].contacts.clear();
    }
    let path = folder.path().join("contacts.vtkhdf");
    export(&write(folder.path(), &frames, true), Piece::Contacts, &path).unwrap();
    let file = Vtkhdf::open(&path);
    for (number, frame) in frames.iter().enumerate() {
        let shown = file.frame(number);
        let count = frame.contacts.len();
        assert_eq!((shown.points.len(), shown.cells.len()), (count, count), "frame {number}");
        let forces: Vec<[f32; 3]> = file.rows("PointData", "force", number, count);
        for ((point, force), contact) in shown.points.iter().zip(forces).zip(&frame.contacts) {
            assert!(near(*point, contact.point, 1e-7 * SIZE));
            assert!(near(force, contact.force, 1e-6 * contact.force.norm()));
        }
    }
    assert!(frames[5].contacts.len() > 5);

    // Not one of them ever.
    let none = tempfile::tempdir().unwrap();
    export(&write(none.path(), &frames, false), Piece::Contacts, &path).unwrap();
    let file = Vtkhdf::open(&path);
    assert!((0..8).all(|number| file.frame(number).points.is_empty()));
    assert_eq!(file.all::<i64>("NumberOfPoints"), [0]);
}

#[test]
fn walls_are_where_they_have_moved_to() {
    let folder = tempfile::tempdir().unwrap();
    let (frames, world) = (frames(), world());
    let trajectory = write(folder.path(), &frames, true);
    let path = folder.path().join("walls.vtkhdf");
    export(&trajectory, Piece::Walls, &path).unwrap();
    let file = Vtkhdf::open(&path);
    assert_eq!(file.names("CellData"), ["material", "wall"]);
    for (number, frame) in frames.iter().enumerate() {
        let shown = file.frame(number);
        let walls: Vec<[u32; 1]> = file.rows("CellData", "wall", number, shown.cells.len());
        let materials: Vec<[u32; 1]> = file.rows("CellData", "material", number, shown.cells.len());
        assert!(walls.last().is_some_and(|[last]| *last == 5), "every wall");
        for ((corners, [wall]), material) in shown.cells.iter().zip(walls).zip(materials) {
            assert_eq!(corners.len(), 3);
            let wall = &world.walls[wall as usize];
            assert_eq!(material, [u32::from(wall.material.0)]);
            let pose = wall.motion.at(frame.time);
            for corner in corners {
                let place = shown.points[usize::try_from(*corner).unwrap()].map(f64::from);
                let off = wall.shape.distance(pose.to_reference(LabVec::from_array(place))).abs();
                assert!(off < 1e-7, "frame {number}: a corner of '{}' is {off} m from it", wall.name);
            }
        }
    }

    // Walls that stand still take the room of one frame.
    let still = tempfile::tempdir().unwrap();
    let mut standing = world;
    standing.walls.retain(|wall| wall.motion.is_static());
    // Places in the frames are those of walls of another world.
    let frames: Vec<Frame> = frames.into_iter().map(|frame| Frame { walls: Vec::new(), ..frame }).collect();
    let trajectory = write_world(&standing, still.path(), &frames, true);
    export(&trajectory, Piece::Walls, &path).unwrap();
    let file = Vtkhdf::open(&path);
    let (first, last) = (file.frame(0), file.frame(7));
    assert_eq!((first.points.len(), &first.points), (last.points.len(), &last.points));
    assert_eq!(file.all::<f32>("Points").len(), 3 * first.points.len());
}

/// A trajectory, and where its frames begin.
fn trajectory(folder: &Path) -> (PathBuf, Vec<u8>, Vec<usize>) {
    let path = write(folder, &frames(), true);
    let bytes = fs::read(&path).unwrap();
    let starts = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"FRAM")).collect();
    (path, bytes, starts)
}

#[test]
fn damage_costs_only_what_comes_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes, starts) = trajectory(folder.path());
    let to = folder.path().join("spheres.vtkhdf");
    let mut flipped = bytes.clone();
    flipped[starts[4] + 90] ^= 1;
    let torn = bytes[..starts[6] + 100].to_vec();
    for (bytes, frames, place) in [(flipped, 4, starts[4] + 16), (torn, 6, starts[6])] {
        fs::write(&path, bytes).unwrap();
        let done = export(&path, Piece::Spheres, &to).unwrap();
        let said = done.damage.expect("damage").to_string();
        assert!(said.contains("trajectory.tumble") && said.contains(&format!("byte {place}")), "{said}");
        assert_eq!(done.frames, frames);
        let file = Vtkhdf::open(&to);
        assert_eq!(file.all::<f64>("Steps/Values").len(), frames);
        assert_eq!(file.frame(frames - 1).step, 60 * i64::try_from(frames).unwrap());
    }
}

/// A frame whose checksum is right and whose contents are not.
#[test]
fn a_body_of_no_template_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut bytes, starts) = trajectory(folder.path());
    // Bodies come and go in frame 3, which lists them: numbers, then template and material of each.
    let (start, end) = (starts[3], starts[4]);
    let bodies = u32::from_le_bytes(bytes[start + 32..start + 36].try_into().unwrap()) as usize;
    bytes[start + 48 + 4 * bodies] = 77;
    let checksum = xxhash_rust::xxh32::xxh32(&bytes[start + 16..end], 0);
    bytes[start + 4..start + 8].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let to = folder.path().join("spheres.vtkhdf");
    let done = export(&path, Piece::Spheres, &to).unwrap();
    let said = done.damage.expect("damage").to_string();
    assert!(said.contains("frame 3") && said.contains("template 77"), "{said}");
    assert_eq!((done.frames, Vtkhdf::open(&to).all::<f64>("Steps/Values").len()), (3, 3));
}

#[test]
fn what_fails_or_is_stopped_leaves_the_older_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes, starts) = trajectory(folder.path());
    let to = folder.path().join("spheres.vtkhdf");
    fs::write(&to, "older").unwrap();
    let untouched = || {
        assert_eq!(fs::read(&to).unwrap(), b"older");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    };
    let mut told = Vec::new();
    let stopped = convert(&path, Piece::Spheres, &to, |number, total| {
        told.push((number, total));
        if number == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(stopped.unwrap().is_none());
    assert_eq!(told, [(0, 8), (1, 8), (2, 8), (3, 8)]);
    untouched();
    let mut first_is_lost = bytes.clone();
    first_is_lost[starts[0] + 90] ^= 1;
    for (bytes, expected) in [
        (&first_is_lost[..], "frame 0"),
        (&bytes[..starts[0]], "no whole frame"),
        (b"noise", "no trajectory"),
    ] {
        fs::write(&path, bytes).unwrap();
        let said = export(&path, Piece::Spheres, &to).unwrap_err().to_string();
        assert!(said.contains("trajectory.tumble") && said.contains(expected), "{said}");
        untouched();
    }
    fs::write(&path, &bytes).unwrap();
    let nowhere = folder.path().join("no such folder/spheres.vtkhdf");
    let said = export(&path, Piece::Spheres, &nowhere).unwrap_err().to_string();
    assert!(said.contains("spheres.vtkhdf") && said.contains("does not exist"), "{said}");
    // The same trajectory gives the same bytes.
    export(&path, Piece::Spheres, &to).unwrap();
    let once = fs::read(&to).unwrap();
    export(&path, Piece::Spheres, &to).unwrap();
    assert!(fs::read(&to).unwrap() == once);
}

#[test]
fn a_scene_without_walls_has_none_to_show() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = world();
    world.walls.clear();
    let path = write_world(&world, folder.path(), &frames()[..1], true);
    let said = export(&path, Piece::Walls, &folder.path().join("w.vtkhdf")).unwrap_err().to_string();
    assert!(said.contains("no walls"), "{said}");
    export(&path, Piece::Spheres, &folder.path().join("s.vtkhdf")).unwrap();
}
