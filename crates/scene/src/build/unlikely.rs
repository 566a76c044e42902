//! What can be run but is likely not what was meant: things that nothing uses, sizes that do not go together.

use super::materials;
use crate::diagnostic::Problem;
use crate::keys::SceneKeys;
use crate::place::Place;
use std::collections::BTreeSet;
use tumble_dem::placement::Stream;
use tumble_dem::wall::Shape;
use tumble_dem::{TemplateId, World};

/// Spheres whose radii differ by more than this cost more than anybody pays, or are in different units.
const SIZE_RATIO: f64 = 1000.0;
/// A clump or a mesh this large, from a file and without a scale, is likely in millimetres, m.
const LARGE_CLUMP: f64 = 1.0;
const LARGE_MESH: f64 = 10.0;
/// So is a mesh that is this many times as large as the largest body.
const MESH_RATIO: f64 = 2e4;

/// Reports all of it, as warnings.
pub(super) fn check(keys: &SceneKeys, world: &World, streams: &[Stream], problems: &mut Vec<Problem>) {
    if world.bodies.is_empty() && streams.is_empty() {
        return;
    }
    let sizes = Sizes::of(world, streams);
    unused(keys, world, streams, problems);
    materials::check_pairs_meet(keys, world, problems);
    sizes.check_ratio(keys, world, problems);
    sizes.check_clumps(keys, world, problems);
    check_meshes(keys, world, &sizes, problems);
}

fn unused(keys: &SceneKeys, world: &World, streams: &[Stream], problems: &mut Vec<Problem>) {
    let named = keys.bodies.iter().flat_map(|each| each.make().templates.to_vec());
    let mut names: BTreeSet<String> =
        named.chain(keys.streams.iter().flat_map(|each| each.make().templates.to_vec())).collect();
    let ids: BTreeSet<TemplateId> = world.bodies.iter().map(|body| body.template).collect();
    let in_streams =
        streams.iter().flat_map(|stream| stream.inlet().choice.templates.parts().map(|(id, _)| id));
    for id in ids.into_iter().chain(in_streams) {
        names.extend(keys.templates.get(usize::from(id.0)).map(|(name, _)| name.clone()));
    }
    for (name, template) in keys.templates.iter().filter(|(name, _)| !names.contains(name)) {
        let message = format!("no body and no stream is of the template `{name}`");
        problems.push(Problem::warning(template.places.table(), message).label("without effect"));
    }
    let used = materials::used(keys, world);
    for (number, (name, material)) in keys.materials.iter().enumerate() {
        if !used.iter().any(|id| id.index() == number) {
            let message = format!("nothing is made of the material `{name}`");
            problems.push(Problem::warning(material.places.table(), message).label("without effect"));
        }
    }
}

/// How large bodies are, by template: the smallest and the largest scale that occurs.
struct Sizes(Vec<Option<[f64; 2]>>);

impl Sizes {
    fn of(world: &World, streams: &[Stream]) -> Self {
        let mut scales: Vec<Option<[f64; 2]>> = vec![None; world.templates.len()];
        let mut add = |id: TemplateId, low: f64, high: f64| {
            if let Some(known) = scales.get_mut(usize::from(id.0)) {
                *known = Some(known.map_or([low, high], |[a, b]: [f64; 2]| [a.min(low), b.max(high)]));
            }
        };
        for body in &world.bodies {
            add(body.template, body.scale, body.scale);
        }
        for stream in streams {
            let choice = &stream.inlet().choice;
            for (id, _) in choice.templates.parts() {
                let [low, high] = choice.scale.range(id);
                add(id, low, high);
            }
        }
        Self(scales)
    }

    /// Templates that occur, with their numbers and the smallest and largest scale.
    fn occurring(&self) -> impl Iterator<Item = (usize, [f64; 2])> {
        self.0.iter().enumerate().filter_map(|(number, scales)| Some((number, (*scales)?)))
    }

    /// The largest bounding radius, m.
    fn largest_body(&self, world: &World) -> f64 {
        let radius =
            |(number, [_, high]): (usize, [f64; 2])| world.templates[number].bounding_radius() * high;
        self.occurring().map(radius).fold(0.0, f64::max)
    }

    fn check_ratio(&self, keys: &SceneKeys, world: &World, problems: &mut Vec<Problem>) {
        let radii = |number: usize| world.templates[number].spheres().iter().map(|sphere| sphere.radius);
        let smallest = self
            .occurring()
            .map(|(number, [low, _])| (number, low * radii(number).fold(f64::INFINITY, f64::min)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let largest = self
            .occurring()
            .map(|(number, [_, high])| (number, high * radii(number).fold(0.0, f64::max)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let (Some((a, small)), Some((b, large))) = (smallest, largest) else { return };
        if large > SIZE_RATIO * small {
            let message =
                format!("the largest sphere is {:.0} times as large as the smallest", large / small);
            let place = |number: usize| {
                keys.templates.get(number).map_or(Place::default(), |(_, each)| each.places.table())
            };
            let problem = Problem::warning(place(b), message)
                .label(format!("a radius of {large:.3e} m"))
                .help("check the units: a length without one is in metres");
            problems.push(if a == b {
                problem.help(format!("the smallest radius is {small:.3e} m"))
            } else {
                problem.related(place(a), format!("a radius of {small:.3e} m"))
            });
        }
    }

    fn check_clumps(&self, keys: &SceneKeys, world: &World, problems: &mut Vec<Problem>) {
        for (number, [_, high]) in self.occurring() {
            let Some((name, template)) = keys.templates.get(number) else { continue };
            let size = 2.0 * world.templates[number].bounding_radius() * high;
            if template.file.is_some() && !template.places.has("scale") && size > LARGE_CLUMP {
                let message = format!("bodies of the template `{name}` are {size:.3} m large");
                let problem = Problem::warning(template.places.of("file"), message)
                    .label("is this file in millimetres?");
                problems.push(problem.help("scale = 0.001 takes it so; scale = 1 says that it is in metres"));
            }
        }
    }
}

fn check_meshes(keys: &SceneKeys, world: &World, sizes: &Sizes, problems: &mut Vec<Problem>) {
    let body = 2.0 * sizes.largest_body(world);
    for (wall, made) in keys.walls.iter().zip(&world.walls) {
        let (Some(mesh), Shape::Mesh(shape)) = (&wall.mesh, &made.shape) else { continue };
        let [low, high] = shape.bounds();
        let size = (high - low).to_array().into_iter().fold(0.0, f64::max);
        if mesh.triangles.is_none()
            && !mesh.places.has("scale")
            && (size > LARGE_MESH || size > MESH_RATIO * body)
        {
            let message =
                format!("the wall `{}` is {size:.3} m large, and the largest body {body:.3e} m", wall.name);
            let problem =
                Problem::warning(mesh.places.of("file"), message).label("is this file in millimetres?");
            problems.push(problem.help("scale = 0.001 takes it so; scale = 1 says that it is in metres"));
        }
    }
}
