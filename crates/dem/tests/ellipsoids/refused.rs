//! Guarantee: walls whose touches with an ellipsoid are not known are refused by name, and so are tubes too narrow to be touched at one point.

use crate::common::{X, Z, add_floor, world};
use crate::crowds::box_mesh;
use tumble_dem::clump::{ClumpEllipsoid, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Cone, Cylinder, Enclosure, Motion, Shape, Side, Wall};
use tumble_dem::{Body, Engine, Error, LabVec, MaterialId, Settings, StopCause, World};

fn with_wall(shape: impl Into<Shape>) -> World {
    let mut world = world(Material::new("m", 2500.0, 1e7, 0.25), PairProperties::new(0.5, 0.5));
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.walls.push(Wall::new("thing", shape, MaterialId(0), Motion::fixed()).unwrap());
    world
}

fn lentil(world: &mut World) -> tumble_dem::TemplateId {
    let ellipsoids = &[ClumpEllipsoid::new([0.02, 0.02, 0.01])];
    let pieces = ClumpPieces { ellipsoids, ..ClumpPieces::default() };
    world.add_template(ClumpTemplate::of("lentil", pieces, MassModel::Union).unwrap()).unwrap()
}

#[test]
fn walls_of_unknown_touches() {
    let cylinder = |side, length| Cylinder::new(LabVec::zero(), Z, 0.1, side, length).unwrap();
    let cases: [(Shape, bool); 8] = [
        (cylinder(Side::Inside, None).into(), true),
        (Enclosure::new(LabVec::zero(), X + Z + LabVec::new(0.0, 1.0, 0.0)).unwrap().into(), true),
        (cylinder(Side::Inside, Some(0.2)).into(), false),
        (cylinder(Side::Outside, None).into(), false),
        (cylinder(Side::Outside, Some(0.2)).into(), false),
        (Cone::new([LabVec::zero(), Z], [0.1, 0.2], Side::Inside).unwrap().into(), false),
        (Cone::new([LabVec::zero(), Z], [0.1, 0.2], Side::Outside).unwrap().into(), false),
        (box_mesh(LabVec::zero(), X + Z + LabVec::new(0.0, 1.0, 0.0)).into(), false),
    ];
    for (shape, fine) in cases {
        let mut world = with_wall(shape.clone());
        lentil(&mut world);
        match Engine::new(world, Settings::new(1e-5)) {
            Ok(_) => assert!(fine, "{shape:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(
                    !fine && text.contains("wall 'thing'") && text.contains("'lentil'"),
                    "{shape:?}: {error}"
                );
            }
        }
    }
}

/// a²/c is 0.04 m.
#[test]
fn tubes_that_are_too_narrow() {
    for (radius, fine) in [(0.046, true), (0.043, false)] {
        let mut world = with_wall(Cylinder::new(LabVec::zero(), Z, radius, Side::Inside, None).unwrap());
        let template = lentil(&mut world);
        let body = Body::at(template, Z * 0.1);
        world.add_body(body);
        let made = Engine::new(world.clone(), Settings::new(1e-5));
        match &made {
            Ok(_) => assert!(fine),
            Err(error) => assert!(!fine && error.to_string().contains("'thing'"), "{error}"),
        }
        // Nor can one be put in later.
        world.bodies.clear();
        let mut engine = Engine::new(world, Settings::new(1e-5)).unwrap();
        assert_eq!(engine.add_bodies(&[body]).is_ok(), fine);
    }
}

#[test]
fn two_at_the_same_place_are_named() {
    let mut world = world(Material::new("m", 2500.0, 1e7, 0.25), PairProperties::new(0.5, 0.5));
    let template = lentil(&mut world);
    world.add_body(Body::at(template, X));
    world.add_body(Body::at(template, X));
    let Err(Error::Stopped(stop)) = Engine::new(world, Settings::new(1e-5)) else { panic!("it begins") };
    assert!(matches!(stop.cause, StopCause::NoDirection { .. }), "{stop}");
    assert!(stop.to_string().contains("body 0") && stop.to_string().contains("body 1"), "{stop}");
}
