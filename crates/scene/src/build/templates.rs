//! Templates: the spheres of a built-in shape, a file, a list or a mesh, the capsules, ellipsoids, boxes and hulls of lists, and the mass that follows
//! from them.

use super::files;
use crate::diagnostic::Problem;
use crate::keys::{Capsule, Cuboid, Ellipsoid, GivenMass, Hull, Mass, Orientation, SceneKeys, Template};
use crate::place::Place;
use crate::shapes;
use std::path::Path;
use std::sync::Arc;
use tumble_dem::LabVec;
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpError, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel,
    is_integrable, read_clump, read_clump_as,
};
use tumble_math::{Quat, SymTensor};
use tumble_shape::{MeshClump, Tolerance};

/// The templates of a scene, in its order; none where something is wrong, which is among the problems.
pub(super) fn templates(
    keys: &SceneKeys,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Vec<Option<Arc<ClumpTemplate>>> {
    let mut build = |(name, template): &(String, Template)| {
        template.places.is_sound().then(|| build(name, template, folder, problems)).flatten().map(Arc::new)
    };
    keys.templates.iter().map(&mut build).collect()
}

fn build(
    name: &str,
    template: &Template,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<ClumpTemplate> {
    let scale = template.scale;
    let (spheres, key, own) = if let Some(mesh) = &template.mesh {
        let (spheres, mass) = from_mesh(name, template, mesh, folder, problems)?;
        (spheres, "mesh", mass)
    } else {
        let (mut spheres, key) = spheres(template, folder, problems)?;
        for sphere in &mut spheres {
            *sphere = ClumpSphere { centre: sphere.centre * scale, radius: sphere.radius * scale };
        }
        (spheres, key, MassModel::Union)
    };
    let model = match &template.mass {
        Mass::Union => own,
        Mass::Sum => MassModel::SumOfSpheres,
        Mass::Given(given) => scaled(given, scale),
    };
    if matches!(model, MassModel::Union) && !is_integrable(&spheres) {
        let message = format!("template `{name}`: too many of its spheres overlap each other");
        let help = "use fewer spheres or a larger spacing; mass = \"sum\" needs no integration";
        problems.push(Problem::error(template.places.of(key), message).help(help));
        return None;
    }
    let capsule = |capsule: &Capsule| {
        let [from, to] = [capsule.from, capsule.to].map(|end| end.map(|x| x * scale));
        ClumpCapsule::new(from, to, capsule.radius * scale)
    };
    let capsules: Vec<ClumpCapsule> = template.capsules.iter().flatten().map(capsule).collect();
    let ellipsoid = |ellipsoid: &Ellipsoid| {
        let turn = turn_of(ellipsoid.orientation);
        let centre = ellipsoid.centre.map(|x| x * scale);
        ClumpEllipsoid::new(ellipsoid.semi_axes.map(|x| x * scale)).at(centre).turned(turn)
    };
    let ellipsoids: Vec<ClumpEllipsoid> = template.ellipsoids.iter().flatten().map(ellipsoid).collect();
    let hulls = hulls(template);
    let pieces =
        ClumpPieces { spheres: &spheres, capsules: &capsules, ellipsoids: &ellipsoids, hulls: &hulls };
    let made = ClumpTemplate::of(name, pieces, model);
    made.map_err(|error| problems.push(refused(name, template, key, error))).ok()
}

fn turn_of(orientation: Orientation) -> Quat<f64> {
    match orientation {
        Orientation::Fixed(q) => Quat::from_array(q),
        Orientation::Random => Quat::identity(),
    }
}

/// The polyhedra: boxes, then hulls.
fn hulls(template: &Template) -> Vec<ClumpHull> {
    let scale = template.scale;
    let cuboid = |cuboid: &Cuboid| {
        let centre = cuboid.centre.map(|x| x * scale);
        let own = ClumpHull::cuboid(cuboid.size.map(|x| x * scale), cuboid.rounding * scale);
        own.turned(turn_of(cuboid.orientation)).at(centre)
    };
    let hull = |hull: &Hull| {
        let corners: Vec<[f64; 3]> = hull.corners.iter().map(|corner| corner.map(|x| x * scale)).collect();
        ClumpHull::new(&corners, hull.rounding * scale)
    };
    let boxes = template.boxes.iter().flatten().map(cuboid);
    boxes.chain(template.hulls.iter().flatten().map(hull)).collect()
}

/// The place of a polyhedron in the scene, and what it is there with its number.
fn of_hull(template: &Template, number: usize) -> Option<(Place, String)> {
    let boxes = template.boxes.as_deref().unwrap_or_default();
    match (boxes.get(number), number.checked_sub(boxes.len())) {
        (Some(cuboid), _) => Some((cuboid.places.table(), format!("box {number}"))),
        (None, Some(number)) => {
            let hull = template.hulls.as_ref()?.get(number)?;
            Some((hull.places.table(), format!("hull {number}")))
        }
        (None, None) => None,
    }
}

/// What to say of a template that the engine refuses; `key` gives its spheres.
fn refused(name: &str, template: &Template, key: &str, error: ClumpError) -> Problem {
    let capsule = |number: usize| template.capsules.as_ref().and_then(|list| list.get(number));
    let place = |number: usize| capsule(number).map_or(template.places.of(key), |each| each.places.table());
    let ellipsoid = |number: usize| template.ellipsoids.as_ref().and_then(|list| list.get(number));
    let oval = |number: usize| ellipsoid(number).map_or(template.places.of(key), |each| each.places.table());
    let message = format!("template `{name}`: {error}");
    match error {
        ClumpError::OverlappingCapsule { capsule, other, both } => {
            let (what, at) =
                if both { ("capsule", place(other)) } else { ("sphere", template.places.of(key)) };
            let message = format!(
                "template `{name}`: capsule {capsule} overlaps {what} {other} (counted from 0), and there is no closed form for the \
                 mass of their union"
            );
            Problem::error(place(capsule), message)
                .label("this capsule")
                .related(at, format!("{what} {other} is here"))
                .help("mass = { volume = …, centre = …, inertia = […] } gives the mass of the body itself")
                .help(
                    "mass = \"sum\" gives each piece a mass of its own: what two of them share counts twice",
                )
        }
        ClumpError::Capsule { capsule, .. } => Problem::error(place(capsule), message),
        ClumpError::OverlappingEllipsoid { ellipsoid, other, what } => {
            let message = format!(
                "template `{name}`: ellipsoid {ellipsoid} overlaps {what} {other} (counted from 0), and there is no closed form for the \
                 mass of their union"
            );
            let at = match what {
                "ellipsoid" => oval(other),
                "capsule" => place(other),
                _ => template.places.of(key),
            };
            Problem::error(oval(ellipsoid), message)
                .label("this ellipsoid")
                .related(at, format!("{what} {other} is here"))
                .help("mass = { volume = …, centre = …, inertia = […] } gives the mass of the body itself")
                .help(
                    "mass = \"sum\" gives each piece a mass of its own: what two of them share counts twice",
                )
        }
        ClumpError::Ellipsoid { ellipsoid, .. } => Problem::error(oval(ellipsoid), message),
        ClumpError::OverlappingHull { hull, other, what } => {
            let (own, what_own) =
                of_hull(template, hull).unwrap_or((template.places.of(key), "a hull".into()));
            let (at, what) = match what {
                "polyhedron" => {
                    of_hull(template, other).unwrap_or((template.places.of(key), "a hull".into()))
                }
                "capsule" => (place(other), format!("capsule {other}")),
                _ => (template.places.of(key), format!("sphere {other}")),
            };
            let message = format!(
                "template `{name}`: {what_own} overlaps {what} (counted from 0), and there is no closed form for the \
                 mass of their union"
            );
            Problem::error(own, message)
                .label("this one")
                .related(at, format!("{what} is here"))
                .help("mass = { volume = …, centre = …, inertia = […] } gives the mass of the body itself")
                .help(
                    "mass = \"sum\" gives each piece a mass of its own: what two of them share counts twice",
                )
        }
        ClumpError::Hull { hull, problem } => {
            let (at, what) = of_hull(template, hull).unwrap_or((template.places.of(key), "a hull".into()));
            Problem::error(at, format!("template `{name}`: {what} (counted from 0) {problem}"))
        }
        ClumpError::GivenCentre | ClumpError::GivenVolume(_) | ClumpError::TriangleInequality { .. } => {
            Problem::error(template.places.of("mass"), message)
        }
        _ => Problem::error(template.places.of(key), message),
    }
}

/// The spheres for a mesh, made or read from where they are kept, and the mass that goes with them.
fn from_mesh(
    name: &str,
    template: &Template,
    mesh: &Path,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<(Vec<ClumpSphere>, MassModel)> {
    let place = template.places.of("mesh");
    let path = files::find(folder, mesh, place).map_err(|problem| problems.push(*problem)).ok()?;
    let wish = MeshClump {
        unit: template.scale,
        surface: template.surface.unwrap_or(Tolerance::Percent(5.0)),
        spheres_max: usize::try_from(template.spheres_max.unwrap_or(200)).unwrap_or(usize::MAX),
        smallest_radius: template.smallest_radius,
    };
    match wish.make(&path) {
        Ok(made) => {
            let warn = |text| Problem::warning(place, format!("template `{name}`: {text}"));
            problems.extend(made.remarks().into_iter().map(warn));
            Some((made.spheres, made.mass))
        }
        Err(error) => {
            problems.push(Problem::error(place, error.to_string()).label("this mesh"));
            None
        }
    }
}

/// The spheres as they are given, and the key that gives them.
fn spheres(
    template: &Template,
    folder: &Path,
    problems: &mut Vec<Problem>,
) -> Option<(Vec<ClumpSphere>, &'static str)> {
    if let Some(shape) = template.shape {
        return Some((shapes::spheres(shape.name(), &template.parameters()), "shape"));
    }
    if let Some(spheres) = &template.spheres {
        let sphere = |&[x, y, z, radius]: &[f64; 4]| ClumpSphere::new([x, y, z], radius);
        return Some((spheres.iter().map(sphere).collect(), "spheres"));
    }
    let Some(file) = &template.file else {
        let lists = ["capsules", "ellipsoids", "boxes", "hulls"];
        let key = lists.into_iter().find(|key| template.places.has(key)).unwrap_or("spheres");
        return Some((Vec::new(), key));
    };
    let place = template.places.of("file");
    let path = files::find(folder, file, place).map_err(|problem| problems.push(*problem)).ok()?;
    let read = match template.format {
        None => read_clump(path),
        Some(format) => read_clump_as(path, format),
    };
    match read {
        Ok(spheres) => Some((spheres, "file")),
        Err(error) => {
            problems.push(Problem::error(place, error.to_string()).label("this clump file"));
            None
        }
    }
}

fn scaled(given: &GivenMass, scale: f64) -> MassModel {
    let [xx, yy, zz, yz, xz, xy] =
        given.inertia.map(|moment| moment * (scale * scale * scale * scale * scale));
    MassModel::Given {
        volume: given.volume * (scale * scale * scale),
        centre: LabVec::from_array(given.centre) * scale,
        inertia: SymTensor::new(LabVec::new(xx, yy, zz), LabVec::new(yz, xz, xy)),
    }
}
