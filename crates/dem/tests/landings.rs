//! Guarantee: a body that lands with several of its spheres at once bounces with the restitution asked for, whether
//! forces of contacts add up or their mean acts.

use crate::common::{X, Z, add_clump, add_floor, advance_through_contact, settings, world};
use tumble_dem::clump::ClumpSphere;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, Quat, Settings, Sharing, World};

const RADIUS: f64 = 0.005;

fn stuff(restitution: f64) -> World {
    let material = Material::new("m", 2500.0, 1e8, 0.25).with_stiffness(1e5);
    world(material, PairProperties::new(restitution, 0.0))
}

/// n × m × k spheres that overlap a little.
fn block([n, m, k]: [u32; 3]) -> Vec<ClumpSphere> {
    let at = |i: u32| 1.7 * RADIUS * f64::from(i);
    let mut spheres = Vec::new();
    for (i, j, l) in (0..n).flat_map(|i| (0..m).flat_map(move |j| (0..k).map(move |l| (i, j, l)))) {
        spheres.push(ClumpSphere::new([at(i), at(j), at(l)], RADIUS));
    }
    spheres
}

const SHAPES: [[u32; 3]; 6] = [[1, 1, 1], [2, 1, 1], [9, 1, 1], [3, 3, 1], [10, 10, 1], [3, 3, 3]];

/// All combinations of law, sum or mean, shape and restitution.
fn all() -> impl Iterator<Item = (LawKind, Sharing, [u32; 3], f64)> {
    let laws = [LawKind::Linear, LawKind::HertzMindlin].into_iter();
    let kinds = laws.flat_map(|law| [Sharing::Sum, Sharing::Average].map(|sharing| (law, sharing)));
    kinds.flat_map(|(law, sharing)| {
        SHAPES.into_iter().flat_map(move |shape| [0.5, 0.9].map(|e| (law, sharing, shape, e)))
    })
}

fn start(world: World, law: LawKind, sharing: Sharing) -> Engine {
    Engine::new(world, Settings { sharing, ..settings(law, 5e-6) }).unwrap()
}

#[test]
fn bodies_that_land_flat_bounce_as_asked() {
    for (law, sharing, shape, restitution) in all() {
        // Flat, with a velocity along the wall too, and almost flat: tilted by much less than the overlap. Tilted by more
        // it is a series of impacts, each with the restitution of its own point.
        for tilt in [0.0, 1e-4] {
            let mut world = stuff(restitution);
            let clump = add_clump(&mut world, &block(shape));
            add_floor(&mut world, MaterialId(0), Motion::fixed());
            let place = Z * (RADIUS + 0.85 * RADIUS * f64::from(shape[2] - 1) + 2e-4);
            let mut body = Body::at(clump, place).moving(Z * -0.2 + X * 0.3);
            body.orientation = Quat::from_rotation_vector(LabVec::new(0.3 * tilt, tilt, 0.0));
            world.add_body(body);
            let mut engine = start(world, law, sharing);
            advance_through_contact(&mut engine);
            let found = engine.bodies()[0].velocity.z / 0.2;
            let what = format!("{law:?}, {sharing:?}, {shape:?} spheres, tilted by {tilt}");
            assert!((found / restitution - 1.0).abs() < 0.02, "{what}: {found} instead of {restitution}");
        }
    }
}

#[test]
fn two_bodies_that_meet_flat_bounce_as_asked() {
    for (law, sharing, shape, restitution) in all() {
        let mut world = stuff(restitution);
        let clump = add_clump(&mut world, &block(shape));
        let apart = Z * (2.0 * RADIUS + 1.7 * RADIUS * f64::from(shape[2] - 1) + 2e-4);
        world.add_body(Body::at(clump, LabVec::zero()).moving(Z * 0.1));
        world.add_body(Body::at(clump, apart).moving(Z * -0.1));
        let mut engine = start(world, law, sharing);
        advance_through_contact(&mut engine);
        let bodies = engine.bodies();
        let found = (bodies[1].velocity.z - bodies[0].velocity.z) / 0.2;
        let what = format!("{law:?}, {sharing:?}, {shape:?} spheres");
        assert!((found / restitution - 1.0).abs() < 0.02, "{what}: {found} instead of {restitution}");
    }
}

/// Contacts at right angles are contacts of their own: a sphere that goes into the corner of a box leaves each wall as it
/// would alone.
#[test]
fn walls_of_a_corner_do_not_share() {
    for law in [LawKind::Linear, LawKind::HertzMindlin] {
        let mut world = stuff(0.5);
        let sphere = add_clump(&mut world, &block([1, 1, 1]));
        let corner = Enclosure::new(LabVec::zero(), LabVec::new(1.0, 1.0, 1.0)).unwrap();
        world.walls.push(Wall::new("box", corner, MaterialId(0), Motion::fixed()).unwrap());
        let near = RADIUS + 1e-4;
        world
            .add_body(Body::at(sphere, LabVec::new(near, near, near)).moving(LabVec::new(-0.2, -0.1, -0.02)));
        let mut engine = start(world, law, Sharing::Sum);
        engine.advance(4000).unwrap();
        let velocity = engine.bodies()[0].velocity;
        for (found, before) in [(velocity.x, 0.2), (velocity.y, 0.1), (velocity.z, 0.02)] {
            assert!((found / before / 0.5 - 1.0).abs() < 0.01, "{law:?}: {velocity:?}");
        }
    }
}
