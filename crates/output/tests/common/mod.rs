//! A small world with everything that is written: clumps, walls of every shape, some of them moving,
//! contacts.
#![allow(dead_code, reason = "the example that writes samples uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::law::{ContactModel, RollingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::wall::{
    Cone, Cylinder, Enclosure, MeshOptions, Motion, Movement, Plane, Shape, Side, TriangleMesh, Wall,
};
use tumble_dem::{Engine, LabVec, MaterialId, Settings, TemplateId, World};

pub(crate) fn v(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

/// Edge of the box, m.
pub(crate) const SIZE: f64 = 0.1;

/// Rods and balls that fall in a box, onto a shaking floor, among obstacles.
pub(crate) fn world() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("rubber", 1200.0, 5e6, 0.3)).unwrap();
    world.materials.add(Material::new("gel", 2500.0, 2e6, 0.4)).unwrap();
    let pair = PairProperties::new(0.6, 0.4).with_rolling(0.05, 0.1).with_twisting(0.1);
    world.materials.set_default(pair);
    let ball = ClumpTemplate::sphere("ball", 4e-3).unwrap();
    let rod = ClumpTemplate::new("rod", &shapes::rod(3, 3e-3, 4e-3), MassModel::Union).unwrap();
    world.add_template(ball).unwrap();
    world.add_template(rod).unwrap();
    let mut random = Random::new(5);
    let which: Vec<TemplateId> = (0..300).map(|i| TemplateId(i % 2)).collect();
    let (low, high) = (v(0.0, 0.0, 0.03), v(SIZE, SIZE, SIZE));
    world.bodies = random_cloud(&world.templates, &which, low, high, 0.02, &mut random).unwrap();
    for (number, body) in world.bodies.iter_mut().enumerate() {
        body.velocity = random.direction() * 1.5 - v(0.0, 0.0, 4.0);
        body.angular_velocity = random.direction() * 100.0;
        body.material = MaterialId(u16::from(number % 3 == 0));
        body.scale = [1.0, 0.8][number % 2];
    }
    world.bodies[4] = world.bodies[4].moving(v(0.0, 0.0, 0.0)).held();
    world.gravity = v(0.0, 0.0, -9.81);
    let shaking = Movement::Vibration { amplitude: v(0.0, 0.0, 1e-3), frequency: 200.0, phase: 0.2 };
    let spinning = Movement::Spin { axis: v(0.0, 0.0, 1.0), pivot: v(0.05, 0.05, 0.0), rate: 40.0 };
    let floor = Plane::new(v(0.0, 0.0, 1e-3), v(0.0, 0.0, 1.0)).unwrap();
    let post = Cylinder::new(v(0.02, 0.02, 0.0), v(0.0, 0.0, 1.0), 5e-3, Side::Outside, Some(0.02)).unwrap();
    let tube = Cylinder::new(v(0.05, 0.05, 0.0), v(0.0, 0.0, 2.0), 0.09, Side::Inside, None).unwrap();
    let hill = Cone::new([v(0.08, 0.08, 0.0), v(0.08, 0.08, 0.02)], [0.012, 0.0], Side::Outside).unwrap();
    let blade = [[v(0.04, 0.05, 4e-3), v(0.06, 0.05, 4e-3), v(0.05, 0.05, 0.02)]];
    let blade = TriangleMesh::new(&blade, MeshOptions::default()).unwrap();
    let fixed = Motion::fixed;
    let walls: [(&str, Shape, Motion); 6] = [
        ("box, closed", Enclosure::new(v(0.0, 0.0, 0.0), v(SIZE, SIZE, SIZE)).unwrap().into(), fixed()),
        ("floor", floor.into(), Motion::new(vec![shaking]).unwrap()),
        ("post", post.into(), fixed()),
        ("tube", tube.into(), fixed()),
        ("the \"hill\"", hill.into(), fixed()),
        ("blade", blade.into(), Motion::new(vec![spinning]).unwrap()),
    ];
    world.walls =
        walls.map(|(name, shape, motion)| Wall::new(name, shape, MaterialId(1), motion).unwrap()).to_vec();
    world
}

pub(crate) fn settings() -> Settings {
    let contact = ContactModel { rolling: RollingKind::ElasticPlastic, ..ContactModel::default() };
    Settings { contact, max_overlap: 5.0, ..Settings::new(2e-5) }
}

pub(crate) fn engine(world: &World) -> Engine {
    Engine::new(world.clone(), settings()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn advance(engine: &mut Engine, steps: u64) {
    engine.advance(steps).unwrap_or_else(|error| panic!("{error}"));
}

pub(crate) fn wall_names(world: &World) -> Vec<String> {
    world.walls.iter().map(|wall| wall.name.clone()).collect()
}

/// All files below a folder, by their paths in it.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}
