//! Guarantee: what polyhedra have no known contacts with is refused by name, before anything starts: walls that an edge or a face could touch, ellipsoids, and overlaps at which cores would
//! meet. Two in each other are told by name.

use super::template;
use crate::common::{X, Z, add_floor, world};
use crate::crowds::box_mesh;
use tumble_dem::clump::{ClumpEllipsoid, ClumpHull, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::{Choice, Lattice, Obstacle, Orientation, PlacementError, Sites};
use tumble_dem::wall::{Cone, Cylinder, Enclosure, Motion, Shape, Side, Wall};
use tumble_dem::{Body, Engine, Error, LabVec, MaterialId, Quat, Settings, StopCause, World};

fn with_die() -> World {
    let mut world = world(Material::new("m", 2500.0, 1e7, 0.25), PairProperties::new(0.5, 0.5));
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.add_template(template("die", &[ClumpHull::cuboid([0.02; 3], 0.002)])).unwrap();
    world
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
        let mut world = with_die();
        world.walls.push(Wall::new("thing", shape.clone(), MaterialId(0), Motion::fixed()).unwrap());
        match Engine::new(world, Settings::new(1e-5)) {
            Ok(_) => assert!(fine, "{shape:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(
                    !fine && text.contains("wall 'thing'") && text.contains("'die'"),
                    "{shape:?}: {error}"
                );
            }
        }
    }
}

#[test]
fn ellipsoids_in_the_same_world() {
    let mut world = with_die();
    let pieces =
        ClumpPieces { ellipsoids: &[ClumpEllipsoid::new([0.02, 0.02, 0.01])], ..ClumpPieces::default() };
    world.add_template(ClumpTemplate::of("lentil", pieces, MassModel::Union).unwrap()).unwrap();
    let error = Engine::new(world, Settings::new(1e-5)).unwrap_err().to_string();
    assert!(error.contains("'lentil'") && error.contains("'die'"), "{error}");
}

#[test]
fn overlaps_at_which_cores_would_meet() {
    for (max_overlap, fine) in [(0.99, true), (1.0, false), (f64::MAX, false)] {
        let made = Engine::new(with_die(), Settings { max_overlap, ..Settings::new(1e-5) });
        match made {
            Ok(_) => assert!(fine, "{max_overlap}"),
            Err(error) => assert!(!fine && error.to_string().contains("largest overlap"), "{error}"),
        }
    }
}

/// A lattice may put dice face on face; nearer ones, and one in a wall, are refused.
#[test]
fn lattices_are_as_narrow_as_dice_are_wide() {
    let mut random = tumble_dem::random::Random::new(1);
    let place = |world: &World, low: f64, side: f64, random: &mut tumble_dem::random::Random| {
        let die = tumble_dem::TemplateId(u16::try_from(world.templates.len() - 1).unwrap());
        let high = LabVec::new(4.0 * side, 3.0 * side, low + 2.0 * side);
        let lattice = Lattice { low: Z * low, high, sites: Sites::Counts([4, 3, 2]) };
        lattice.place(
            &Choice { orientation: Orientation::Fixed(Quat::identity()), ..Choice::of(die) },
            world,
            random,
        )
    };
    let world = with_die();
    assert_eq!(place(&world, 0.0, 0.02, &mut random).unwrap().len(), 24);
    let narrow = place(&world, 0.0, 0.019_99, &mut random).unwrap_err();
    assert!(matches!(narrow, PlacementError::Occupied { body: 0, by: Obstacle::Wall(_), .. }), "{narrow:?}");
    let narrow = place(&world, 0.01, 0.019_99, &mut random).unwrap_err();
    assert!(matches!(narrow, PlacementError::LatticeTooNarrow { bodies: [0, 1], .. }), "{narrow:?}");
    let mut full = with_die();
    full.bodies = place(&full, 0.0, 0.02, &mut random).unwrap();
    let twice = place(&full, 0.03, 0.02, &mut random).unwrap_err();
    assert!(matches!(twice, PlacementError::Occupied { body: 0, by: Obstacle::Body(12), .. }), "{twice:?}");
    full.bodies.extend(place(&full, 0.04, 0.02, &mut random).unwrap());
    assert!(Engine::new(full, Settings::new(1e-5)).is_ok());
}

#[test]
fn two_in_each_other_are_named() {
    let quarter = Quat::from_rotation_vector(X * 0.25 * core::f64::consts::PI);
    // At the same place, a face in a face, and an edge across an edge.
    for (off, turn) in [(0.0, Quat::identity()), (0.016, Quat::identity()), (0.023, quarter)] {
        let mut world = with_die();
        let about = Quat::from_rotation_vector(Z * 0.5 * core::f64::consts::PI);
        let template = world.templates.len() - 1;
        let die = tumble_dem::TemplateId(u16::try_from(template).unwrap());
        world.add_body(Body::at(die, Z).turned(turn));
        world.add_body(Body::at(die, Z * (1.0 + off)).turned(about.then(turn)));
        let Err(Error::Stopped(stop)) = Engine::new(world, Settings::new(1e-5)) else {
            panic!("{off}: it begins")
        };
        assert!(matches!(stop.cause, StopCause::NoPlace { .. } | StopCause::Overlap { .. }), "{stop}");
        assert!(stop.to_string().contains("body 0") && stop.to_string().contains("body 1"), "{stop}");
    }
}
