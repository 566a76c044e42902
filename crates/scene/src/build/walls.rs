//! Walls: surfaces and motions, made and checked by the engine.

use super::{files, materials};
use crate::diagnostic::Problem;
use crate::keys::{self, SceneKeys};
use crate::place::Place;
use std::path::Path;
use tumble_dem::LabVec;
use tumble_dem::wall::{Cone, Cylinder, Enclosure, MeshOptions, Motion, Movement, Plane, Shape, Stl, Wall};

/// The walls of a scene, in its order; none where something is wrong, which is among the problems.
pub(super) fn walls(keys: &SceneKeys, folder: &Path, problems: &mut Vec<Problem>) -> Vec<Option<Wall>> {
    let mut build = |wall: &keys::Wall| {
        let sound = wall.places.is_sound();
        sound.then(|| build(keys, wall, folder, problems)).flatten()
    };
    keys.walls.iter().map(&mut build).collect()
}

fn build(keys: &SceneKeys, wall: &keys::Wall, folder: &Path, problems: &mut Vec<Problem>) -> Option<Wall> {
    let shape = shape(wall, folder, problems);
    let motion = Motion::new(wall.motion.iter().filter_map(movement).collect());
    let motion = accept(motion, &wall.name, wall.places.of("motion"), problems);
    let material = materials::number(keys, wall.material.as_deref());
    let wall_made = Wall::new(&wall.name, shape?, material?, motion?);
    accept(wall_made, &wall.name, wall.places.of("name"), problems)
}

fn shape(wall: &keys::Wall, folder: &Path, problems: &mut Vec<Problem>) -> Option<Shape> {
    let v = LabVec::from_array;
    let name = &wall.name;
    if let Some(keys::Plane { point, normal, .. }) = wall.plane {
        return accept(Plane::new(v(point), v(normal)), name, wall.places.of("plane"), problems)
            .map(Shape::from);
    }
    if let Some(keys::Box { low, high, .. }) = wall.enclosure {
        return accept(Enclosure::new(v(low), v(high)), name, wall.places.of("box"), problems)
            .map(Shape::from);
    }
    if let Some(keys::Cylinder { point, axis, radius, side, length, .. }) = wall.cylinder {
        let cylinder = Cylinder::new(v(point), v(axis), radius, side, length);
        return accept(cylinder, name, wall.places.of("cylinder"), problems).map(Shape::from);
    }
    if let Some(keys::Cone { from, to, radii, side, .. }) = wall.cone {
        let cone = Cone::new([v(from), v(to)], radii, side);
        return accept(cone, name, wall.places.of("cone"), problems).map(Shape::from);
    }
    wall.mesh.as_ref().and_then(|mesh| read_mesh(name, mesh, folder, problems))
}

fn read_mesh(name: &str, mesh: &keys::Mesh, folder: &Path, problems: &mut Vec<Problem>) -> Option<Shape> {
    let place = mesh.places.of("file");
    let path = files::find(folder, &mesh.file, place).map_err(|problem| problems.push(*problem)).ok()?;
    let stl = match Stl::read(path) {
        Ok(stl) => stl,
        Err(error) => {
            problems.push(Problem::error(place, error.to_string()).label("this STL file"));
            return None;
        }
    };
    let keys::Mesh { weld_distance, flat_angle, coordinate_error, .. } = *mesh;
    let options = MeshOptions { weld_distance, flat_angle, coordinate_error };
    let made = stl.scaled(mesh.scale).and_then(|stl| stl.mesh(options));
    accept(made, name, place, problems).map(Shape::from)
}

fn movement(part: &keys::MotionPart) -> Option<Movement> {
    let v = LabVec::from_array;
    if let Some(keys::Drift { velocity, .. }) = part.drift {
        return Some(Movement::Drift { velocity: v(velocity) });
    }
    if let Some(keys::Vibrate { amplitude, frequency, phase, .. }) = part.vibrate {
        return Some(Movement::Vibration { amplitude: v(amplitude), frequency, phase });
    }
    if let Some(keys::Spin { axis, pivot, rate, .. }) = part.spin {
        return Some(Movement::Spin { axis: v(axis), pivot: v(pivot), rate });
    }
    part.rock.as_ref().map(|&keys::Rock { axis, pivot, amplitude, frequency, phase, .. }| Movement::Rocking {
        axis: v(axis),
        pivot: v(pivot),
        amplitude,
        frequency,
        phase,
    })
}

fn accept<T>(
    made: Result<T, tumble_dem::wall::Error>,
    name: &str,
    place: Place,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    match made {
        Ok(made) => Some(made),
        Err(error) => {
            problems.push(Problem::error(place, format!("wall `{name}`: {error}")));
            None
        }
    }
}
