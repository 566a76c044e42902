//! The picture of a run: the last frame of its trajectory.

use crate::place::Place;
use std::path::Path;
use tumble_dem::{BodyVec, LabVec, Quat};
use tumble_output::trajectory::{TrajectoryFrame, TrajectoryHeader, TrajectoryReader, WallOutline};
use tumble_report::{Ball, Oval, Rod};
use tumble_report::{Snapshot, Stone, Surface, Up, typeset};

/// The title of the run and its last frame; the error is a sentence that names the file.
///
/// Bodies that have left the `place` of the scene would make all others too small to be seen; they are only counted.
pub(super) fn last_frame(path: &Path, up: Up, place: Option<Place>) -> Result<(String, Snapshot), String> {
    let mut reader = TrajectoryReader::open(path).map_err(|error| error.to_string())?;
    let last = reader.len().checked_sub(1).ok_or_else(|| format!("{} has no whole frame", path.display()))?;
    let frame = reader.frame(last).map_err(|error| error.to_string())?;
    let header = reader.header();
    let is_left =
        |position: &[f32; 3]| place.is_some_and(|place| place.is_left(point(position.map(f64::from))));
    let left = frame.positions.iter().filter(|position| is_left(position)).count();
    let caption = format!(
        "{} {} at {} s{}.",
        frame.positions.len() - left,
        if frame.positions.len() - left == 1 { "body" } else { "bodies" },
        typeset(frame.time),
        if left > 0 { format!("; {left} more have left the scene and are not shown") } else { String::new() }
    );
    let snapshot = Snapshot {
        caption,
        groups: header.templates.iter().map(|template| template.name.clone()).collect(),
        walls: walls(&frame, header),
        up,
        ..pieces(&frame, header, is_left)
    };
    Ok((header.title.clone(), snapshot))
}

fn pieces(
    frame: &TrajectoryFrame,
    header: &TrajectoryHeader,
    is_left: impl Fn(&[f32; 3]) -> bool,
) -> Snapshot {
    let (mut balls, mut rods, mut ovals, mut stones) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (row, position) in frame.positions.iter().enumerate().filter(|(_, position)| !is_left(position)) {
        let kind = frame.kinds.get(row).map(|[template, _]| usize::from(*template));
        let Some(group) = kind else { continue };
        let Some(template) = header.templates.get(group) else { continue };
        let scale = frame.scales.get(row).copied().map_or(1.0, f64::from);
        let q = turn(frame.orientation(row).unwrap_or([1.0, 0.0, 0.0, 0.0]));
        let body = frame.ids.get(row).map_or(row, |id| *id as usize);
        let ball = |sphere: &[f32; 4]| {
            let [x, y, z, radius] = sphere.map(|number| f64::from(number) * scale);
            let centre = point(position.map(f64::from)) + q.to_lab(BodyVec::from_array([x, y, z]));
            Ball { centre: centre.to_array(), radius, group, body }
        };
        let is_end = |number: u32| template.capsules.as_flattened().contains(&number);
        let is_point = |number: u32| template.ellipsoids.as_flattened().contains(&number);
        let is_corner = |number: u32| template.polyhedra.iter().flatten().any(|face| face.contains(&number));
        let is_piece = |number: u32| !is_end(number) && !is_point(number) && !is_corner(number);
        let spheres = (0..).zip(&template.spheres).filter(|(number, _)| is_piece(*number));
        balls.extend(spheres.map(|(_, sphere)| ball(sphere)));
        for ends in &template.capsules {
            let [Some(first), Some(second)] = ends.map(|end| template.spheres.get(end as usize).map(ball))
            else {
                continue;
            };
            rods.push(Rod { ends: [first.centre, second.centre], radius: first.radius, group, body });
        }
        for points in &template.ellipsoids {
            let placed = points.map(|number| template.spheres.get(number as usize).map(ball));
            let [Some(centre), Some(a), Some(b), Some(c)] = placed else { continue };
            let arm = |tip: Ball| core::array::from_fn(|axis| tip.centre[axis] - centre.centre[axis]);
            ovals.push(Oval { centre: centre.centre, semi_axes: [a, b, c].map(arm), group, body });
        }
        for faces in &template.polyhedra {
            stones.extend(stone(faces, &template.spheres, ball));
        }
    }
    Snapshot { balls, rods, ovals, stones, ..Snapshot::default() }
}

/// A polyhedron by its faces, the corners of which are spheres; none if one of them is not there.
fn stone(faces: &[Vec<u32>], spheres: &[[f32; 4]], ball: impl Fn(&[f32; 4]) -> Ball) -> Option<Stone> {
    let mut numbers: Vec<u32> = faces.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let corners: Option<Vec<Ball>> =
        numbers.iter().map(|corner| spheres.get(*corner as usize).map(&ball)).collect();
    let corners = corners?;
    let &Ball { radius: rounding, group, body, .. } = corners.first()?;
    let place = |corner: &u32| numbers.binary_search(corner).ok().and_then(|at| u32::try_from(at).ok());
    let faces = faces.iter().map(|face| face.iter().filter_map(place).collect()).collect();
    let corners = corners.iter().map(|ball| ball.centre).collect();
    Some(Stone { corners, faces, rounding, group, body })
}

/// Walls where they are at that time; those that move are listed in their order.
fn walls(frame: &TrajectoryFrame, header: &TrajectoryHeader) -> Vec<Surface> {
    let mut places = frame.wall_places.iter();
    let surface = |wall: &WallOutline| {
        let place = if wall.moves { places.next() } else { None };
        // A wall that is not there has no rotation at all.
        let there = place
            .is_none_or(|[.., qw, qx, qy, qz]| [qw, qx, qy, qz].into_iter().any(|part| part.abs() > 0.0));
        let at = |corner: &[f32; 3]| {
            let corner = corner.map(f64::from);
            let Some(place) = place else { return corner };
            let [x, y, z, qw, qx, qy, qz] = place.map(f64::from);
            let arm: [f64; 3] = core::array::from_fn(|axis| corner[axis] - wall.pivot[axis]);
            (point([x, y, z]) + turn([qw, qx, qy, qz]).to_lab(BodyVec::from_array(arm))).to_array()
        };
        there.then(|| Surface {
            points: wall.points.iter().map(at).collect(),
            triangles: wall.triangles.clone(),
        })
    };
    header.walls.iter().filter_map(surface).collect()
}

fn point(coordinates: [f64; 3]) -> LabVec<f64> {
    LabVec::from_array(coordinates)
}

fn turn(parts: [f64; 4]) -> Quat<f64> {
    Quat::from_array(parts)
}
