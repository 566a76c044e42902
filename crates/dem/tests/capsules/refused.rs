//! Guarantee: a wall that a capsule could touch with its middle is refused by name, since only the ends of capsules touch walls.

use crate::common::{X, Z, add_floor, world};
use crate::crowds::box_mesh;
use tumble_dem::clump::{ClumpCapsule, ClumpTemplate, MassModel};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Cone, Cylinder, Motion, Shape, Side, Wall};
use tumble_dem::{Engine, LabVec, MaterialId, Settings, World};

fn with_wall(shape: impl Into<Shape>) -> World {
    let mut world = world(Material::new("m", 2500.0, 1e7, 0.25), PairProperties::new(0.5, 0.5));
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.walls.push(Wall::new("thing", shape, MaterialId(0), Motion::fixed()).unwrap());
    world
}

#[test]
fn walls_that_a_middle_can_touch() {
    let cylinder = |side, length| Cylinder::new(LabVec::zero(), Z, 0.1, side, length).unwrap();
    let cases: [(Shape, bool); 7] = [
        (cylinder(Side::Inside, None).into(), true),
        (cylinder(Side::Inside, Some(0.2)).into(), false),
        (cylinder(Side::Outside, None).into(), false),
        (cylinder(Side::Outside, Some(0.2)).into(), false),
        (Cone::new([LabVec::zero(), Z], [0.1, 0.2], Side::Inside).unwrap().into(), false),
        (Cone::new([LabVec::zero(), Z], [0.1, 0.2], Side::Outside).unwrap().into(), false),
        (box_mesh(LabVec::zero(), X + Z + LabVec::new(0.0, 1.0, 0.0)).into(), false),
    ];
    for (shape, fine) in cases {
        let mut world = with_wall(shape.clone());
        assert!(Engine::new(world.clone(), Settings::new(1e-5)).is_ok());
        let rod = ClumpCapsule::new([0.0; 3], [0.02, 0.0, 0.0], 0.005);
        world
            .add_template(ClumpTemplate::with_capsules("rod", &[], &[rod], MassModel::Union).unwrap())
            .unwrap();
        match Engine::new(world, Settings::new(1e-5)) {
            Ok(_) => assert!(fine, "{shape:?}"),
            Err(error) => assert!(!fine && error.to_string().contains("wall 'thing'"), "{shape:?}: {error}"),
        }
    }
}
