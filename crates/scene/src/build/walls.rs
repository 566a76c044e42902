//! Walls: surfaces and motions, made and checked by the engine.

use super::{files, materials};
use crate::diagnostic::Problem;
use crate::keys::{self, SceneKeys, Timed};
use crate::place::Place;
use std::path::Path;
use tumble_dem::LabVec;
use tumble_dem::heat::WallTemperature;
use tumble_dem::wall::{
    Cone, Cylinder, Enclosure, Error, Freedom, MeshOptions, Motion, Movement, Plane, Presence, Shape,
    ShapeKind, Timing, TriangleMesh, Wall,
};

/// The walls of a scene, in its order; none where something is wrong, which is among the problems.
pub(super) fn walls(keys: &SceneKeys, folder: &Path, problems: &mut Vec<Problem>) -> Vec<Option<Wall>> {
    let mut build = |wall: &keys::Wall| {
        let sound = wall.places.is_sound();
        sound.then(|| build(keys, wall, folder, problems)).flatten()
    };
    keys.walls.iter().map(&mut build).collect()
}

/// Reports pieces whose contacts with the walls, or with each other, are not known.
pub(super) fn check_pieces(keys: &SceneKeys, walls: &[Wall], problems: &mut Vec<Problem>) {
    check_capsules(keys, walls, problems);
    check_ellipsoids(keys, walls, problems);
    check_hulls(keys, walls, problems);
    check_mixture(keys, problems);
}

/// Reports walls that a capsule could touch with its middle, if there are capsules.
fn check_capsules(keys: &SceneKeys, walls: &[Wall], problems: &mut Vec<Problem>) {
    let capsules = keys.templates.iter().find(|(_, template)| template.capsules.is_some());
    let Some((name, template)) = capsules else { return };
    for (wall, _) in keys.walls.iter().zip(walls).filter(|(_, made)| !made.shape.is_convex_room()) {
        let shape = ShapeKind::ALL.iter().map(|kind| kind.name()).find(|shape| wall.places.has(shape));
        let place = wall.places.of(shape.unwrap_or("name"));
        let message = format!(
            "the template `{name}` has capsules, which could touch the wall `{}` with their middle",
            wall.name
        );
        let problem = Problem::error(place, message)
            .label("only the ends of capsules touch walls")
            .related(template.places.key("capsules"), "capsules are given here")
            .help("walls for capsules: a plane, a box, the inside of a cylinder without a length")
            .help("or make the template of spheres");
        problems.push(problem);
    }
}

/// Reports walls whose touches with ellipsoids are not known, if there are ellipsoids.
fn check_ellipsoids(keys: &SceneKeys, walls: &[Wall], problems: &mut Vec<Problem>) {
    let ellipsoids = keys.templates.iter().find(|(_, template)| template.ellipsoids.is_some());
    let Some((name, template)) = ellipsoids else { return };
    for (wall, _) in keys.walls.iter().zip(walls).filter(|(_, made)| !made.shape.takes_ellipsoids()) {
        let shape = ShapeKind::ALL.iter().map(|kind| kind.name()).find(|shape| wall.places.has(shape));
        let place = wall.places.of(shape.unwrap_or("name"));
        let message = format!(
            "the template `{name}` has ellipsoids, whose touches with the wall `{}` are not known",
            wall.name
        );
        let problem = Problem::error(place, message)
            .label("ellipsoids touch flat walls, and tubes from inside")
            .related(template.places.key("ellipsoids"), "ellipsoids are given here")
            .help("walls for ellipsoids: a plane, a box, the inside of a cylinder without a length")
            .help("or make the template of spheres");
        problems.push(problem);
    }
}

/// Reports walls that a polyhedron could touch with an edge or a face, if there are polyhedra.
fn check_hulls(keys: &SceneKeys, walls: &[Wall], problems: &mut Vec<Problem>) {
    let key_of =
        |template: &keys::Template| ["boxes", "hulls"].into_iter().find(|key| template.places.has(key));
    let with = keys.templates.iter().find_map(|(name, template)| Some((name, template, key_of(template)?)));
    let Some((name, template, key)) = with else { return };
    for (wall, _) in keys.walls.iter().zip(walls).filter(|(_, made)| !made.shape.is_convex_room()) {
        let shape = ShapeKind::ALL.iter().map(|kind| kind.name()).find(|shape| wall.places.has(shape));
        let place = wall.places.of(shape.unwrap_or("name"));
        let message = format!(
            "the template `{name}` has {key}, which could touch the wall `{}` with an edge or a face",
            wall.name
        );
        let problem = Problem::error(place, message)
            .label("only corners touch walls")
            .related(template.places.key(key), format!("{key} are given here"))
            .help("walls for boxes and hulls: a plane, a box, the inside of a cylinder without a length")
            .help("or make the template of spheres");
        problems.push(problem);
    }
}

/// Reports a template with ellipsoids beside one with polyhedra, of which no contacts with each other are known.
fn check_mixture(keys: &SceneKeys, problems: &mut Vec<Problem>) {
    let with = |wanted: &'static str| {
        let mut templates = keys.templates.iter();
        templates.find_map(|(name, template)| template.places.has(wanted).then_some((name, template, wanted)))
    };
    let (Some((oval, ovals, _)), Some((name, template, key))) =
        (with("ellipsoids"), with("boxes").or_else(|| with("hulls")))
    else {
        return;
    };
    let message = format!(
        "the template `{name}` has {key} and the template `{oval}` has ellipsoids: no contacts of the two with each other are known"
    );
    let problem = Problem::error(template.places.key(key), message)
        .label("these")
        .related(ovals.places.key("ellipsoids"), "ellipsoids are given here")
        .help("boxes and hulls touch spheres, capsules and each other");
    problems.push(problem);
}

fn build(keys: &SceneKeys, wall: &keys::Wall, folder: &Path, problems: &mut Vec<Problem>) -> Option<Wall> {
    let shape = shape(wall, folder, problems);
    let motion = free(wall).unwrap_or_else(|| motion(&wall.motion, &|when| when.timing())).map(|motion| {
        let from = wall.appears.unwrap_or(Presence::ALWAYS.from);
        let until = wall.vanishes.unwrap_or(Presence::ALWAYS.until);
        motion.present(Presence { from, until })
    });
    let key = ["slides", "turns"].into_iter().find(|key| wall.places.has(key)).unwrap_or("motion");
    let motion = accept(motion, &wall.name, wall.places.of(key), problems);
    let material = materials::number(keys, wall.material.as_deref());
    let temperature = temperature(wall, problems);
    let wall_made = Wall::new(&wall.name, shape?, material?, motion?);
    let wall_made = accept(wall_made, &wall.name, wall.places.of("name"), problems)?;
    Some(Wall { temperature, ..wall_made })
}

/// How warm a wall is, if that is known.
fn temperature(wall: &keys::Wall, problems: &mut Vec<Problem>) -> Option<WallTemperature> {
    if let Some(temperature) = wall.temperature {
        return WallTemperature::fixed(temperature).ok();
    }
    let rows = wall.temperature_table.as_ref()?.iter().map(|row| [row.time, row.value]).collect();
    let wrong = |error: tumble_dem::Error| {
        let place = wall.places.of("temperature_table");
        problems.push(Problem::error(place, format!("wall `{}`: {error}", wall.name)));
    };
    WallTemperature::table(rows).map_err(wrong).ok()
}

fn shape(wall: &keys::Wall, folder: &Path, problems: &mut Vec<Problem>) -> Option<Shape> {
    // Exactly one of the keys is given.
    ShapeKind::ALL.iter().find_map(|&kind| {
        let made = of_kind(kind, wall, folder, problems)?;
        accept(made, &wall.name, wall.places.of(kind.name()), problems)
    })
}

/// The shape of a kind, if that is the one given and its files could be read.
fn of_kind(
    kind: ShapeKind,
    wall: &keys::Wall,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<Result<Shape, Error>> {
    let v = LabVec::from_array;
    match kind {
        ShapeKind::Plane => {
            let keys::Plane { point, normal, .. } = wall.plane.as_ref()?;
            Some(Plane::new(v(*point), v(*normal)).map(Shape::from))
        }
        ShapeKind::Box => {
            let keys::Box { low, high, .. } = wall.enclosure.as_ref()?;
            Some(Enclosure::new(v(*low), v(*high)).map(Shape::from))
        }
        ShapeKind::Cylinder => {
            let &keys::Cylinder { point, axis, radius, side, length, .. } = wall.cylinder.as_ref()?;
            Some(Cylinder::new(v(point), v(axis), radius, side, length).map(Shape::from))
        }
        ShapeKind::Cone => {
            let &keys::Cone { from, to, radii, side, .. } = wall.cone.as_ref()?;
            Some(Cone::new([v(from), v(to)], radii, side).map(Shape::from))
        }
        ShapeKind::Mesh => read_mesh(wall.mesh.as_ref()?, folder, problems),
    }
}

fn read_mesh(mesh: &keys::Mesh, folder: &Path, problems: &mut Vec<Problem>) -> Option<Result<Shape, Error>> {
    triangles(mesh, folder, problems).map(|made| made.map(Shape::from))
}

/// The triangles of a file, or those listed; none if it could not be read, which is among the problems.
pub(super) fn triangles(
    mesh: &keys::Mesh,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<Result<TriangleMesh, Error>> {
    let keys::Mesh { weld_distance, flat_angle, coordinate_error, .. } = *mesh;
    let options = MeshOptions { weld_distance, flat_angle, coordinate_error };
    if let Some(listed) = &mesh.triangles {
        let corner = |at: &[f64; 9], k: usize| LabVec::new(at[k], at[k + 1], at[k + 2]) * mesh.scale;
        let triangles: Vec<_> = listed.iter().map(|at| [0, 3, 6].map(|k| corner(at, k))).collect();
        return Some(TriangleMesh::new(&triangles, options));
    }
    let read = files::stl(folder, mesh.file.as_ref()?, mesh.places.of("file"));
    let stl = read.map_err(|problem| problems.push(*problem)).ok()?;
    Some(stl.scaled(mesh.scale).and_then(|stl| stl.mesh(options)))
}

/// Where a scene says which triangles a mesh has.
pub(super) fn place_of_triangles(mesh: &keys::Mesh) -> Place {
    mesh.places.of(if mesh.triangles.is_some() { "triangles" } else { "file" })
}

/// A motion of these parts, whose clocks go by what is said of them.
pub(super) fn motion(
    parts: &[keys::MotionPart],
    clock: &dyn Fn(keys::When<'_>) -> Result<Timing, Error>,
) -> Result<Motion, Error> {
    let timed = |part: &keys::MotionPart| {
        let movement = movement(part)?;
        Some(clock(when(part)?).map(|timing| (movement, timing)))
    };
    Motion::timed(parts.iter().filter_map(timed).collect::<Result<_, _>>()?)
}

/// The motion of a wall that moves by itself, if it does.
fn free(wall: &keys::Wall) -> Option<Result<Motion, Error>> {
    let slides = wall.slides.as_ref().map(slides);
    let made = slides.or_else(|| wall.turns.as_ref().map(turns))?;
    Some(made.map(Motion::free))
}

fn slides(keys: &keys::Slides) -> Result<Freedom, Error> {
    let pressed = keys.pressure.zip(keys.area).map(|(pressure, area)| pressure * area);
    let force = keys.force.or(pressed).unwrap_or(0.0);
    let freedom = Freedom::sliding(LabVec::from_array(keys.along), keys.mass)?
        .driven(force, keys.when().timing()?)?
        .damped(keys.damping)?;
    let freedom = if keys.weighs { freedom } else { freedom.weightless() };
    keys.between.map_or(Ok(freedom.clone()), |ends| freedom.within(ends))
}

fn turns(keys: &keys::Turns) -> Result<Freedom, Error> {
    let v = LabVec::from_array;
    let mut freedom = Freedom::turning(v(keys.axis), v(keys.pivot), keys.inertia)?
        .driven(keys.torque, keys.when().timing()?)?
        .damped(keys.damping)?;
    if let Some((mass, centre)) = keys.mass.zip(keys.centre) {
        freedom = freedom.weighing(mass, v(centre))?;
    }
    keys.between.map_or(Ok(freedom.clone()), |ends| freedom.within(ends))
}

/// When a part moves.
fn when(part: &keys::MotionPart) -> Option<keys::When<'_>> {
    let drift = part.drift.as_ref().map(Timed::when);
    let vibrate = || part.vibrate.as_ref().map(Timed::when);
    let spin = || part.spin.as_ref().map(Timed::when);
    drift.or_else(vibrate).or_else(spin).or_else(|| part.rock.as_ref().map(Timed::when))
}

fn movement(part: &keys::MotionPart) -> Option<Movement> {
    let v = LabVec::from_array;
    if let Some(keys::Drift { velocity, .. }) = &part.drift {
        return Some(Movement::Drift { velocity: v(*velocity) });
    }
    if let Some(&keys::Vibrate { amplitude, frequency, phase, .. }) = part.vibrate.as_ref() {
        return Some(Movement::Vibration { amplitude: v(amplitude), frequency, phase });
    }
    if let Some(&keys::Spin { axis, pivot, rate, .. }) = part.spin.as_ref() {
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

pub(super) fn accept<T>(
    made: Result<T, Error>,
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
