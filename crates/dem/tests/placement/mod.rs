//! Placement: bodies drawn, placed, read, written and streamed in. All seeds are fixed. Whether bodies
//! overlap is checked by looking at all pairs of spheres, with nothing of the code under test.

mod bodies_file;
mod brute;
mod by_mass;
mod choice;
mod cloud;
mod lattice;
mod outlet;
mod overlaps;
mod packing;
mod region;
mod sizes;
mod stream;

use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::wall::{Enclosure, MeshOptions, Motion, Plane, TriangleMesh, Wall};
use tumble_dem::{Body, LabVec, MaterialId, TemplateId, World};

fn v(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

fn cube(side: f64) -> LabVec<f64> {
    v(side, side, side)
}

const BALL: TemplateId = TemplateId(0);
const ROD: TemplateId = TemplateId(1);
const PAWN: TemplateId = TemplateId(2);

/// A sphere of radius 1, a rod of three such spheres 1.1 apart, a pawn of about a hundred.
fn world() -> World {
    let mut world = World::default();
    world.materials.add(tumble_dem::material::Material::new("glass", 2500.0, 1e9, 0.2)).unwrap();
    world.materials.add(tumble_dem::material::Material::new("steel", 7800.0, 1e9, 0.3)).unwrap();
    world.materials.set_default(tumble_dem::material::PairProperties::default());
    for (name, spheres) in
        [("ball", shapes::sphere(1.0)), ("rod", shapes::rod(3, 1.0, 1.1)), ("pawn", shapes::chess::pawn(4.0))]
    {
        world.add_template(ClumpTemplate::new(name, &spheres, MassModel::Union).unwrap()).unwrap();
    }
    world
}

fn volume(world: &World, body: &Body) -> f64 {
    world.templates[usize::from(body.template.0)].volume() * body.scale.powi(3)
}

/// The side of a cube that so many bodies of a template fill to this part.
fn side(world: &World, template: TemplateId, count: usize, fraction: f64) -> f64 {
    (count as f64 * world.templates[usize::from(template.0)].volume() / fraction).cbrt()
}

fn plane(point: LabVec<f64>, normal: LabVec<f64>) -> Wall {
    Wall::new("plane", Plane::new(point, normal).unwrap(), MaterialId(0), Motion::fixed()).unwrap()
}

fn closed_box(low: LabVec<f64>, high: LabVec<f64>) -> Wall {
    Wall::new("box", Enclosure::new(low, high).unwrap(), MaterialId(0), Motion::fixed()).unwrap()
}

/// A square sheet of two triangles, level at this height, from −10 to 10 along x and y.
fn sheet(z: f64) -> Wall {
    let at = |x, y| v(x, y, z);
    let corners = [at(-10.0, -10.0), at(10.0, -10.0), at(10.0, 10.0), at(-10.0, 10.0)];
    let [a, b, c, d] = corners;
    let mesh = TriangleMesh::new(&[[a, b, c], [a, c, d]], MeshOptions::default()).unwrap();
    Wall::new("sheet", mesh, MaterialId(0), Motion::fixed()).unwrap()
}

/// Everything about bodies, bit by bit.
fn bits(bodies: &[Body]) -> Vec<u64> {
    let all = |body: &Body| {
        let numbers = [
            body.position.to_array().to_vec(),
            body.orientation.to_array().to_vec(),
            body.velocity.to_array().to_vec(),
            body.angular_velocity.to_array().to_vec(),
            vec![body.scale],
        ];
        let numbers: Vec<u64> = numbers.concat().into_iter().map(f64::to_bits).collect();
        [numbers, vec![body.template.0.into(), body.material.0.into(), body.held.into()]].concat()
    };
    bodies.iter().flat_map(all).collect()
}
