//! Several contacts between the same two bodies: with `Sum` their forces add up, with `Average` each is divided
//! by the number of them (f = Σf/NCP of the multi-sphere method), counted for each pair of bodies by itself.

use crate::common::{Z, add_clump, add_floor, add_sphere, assert_close, assert_near, settings, world};
use tumble_dem::clump::{ClumpSphere, shapes};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyState, Engine, LabVec, MaterialId, Settings, Sharing, World};

const RADIUS: f64 = 0.005;
const STIFFNESS: f64 = 1e4;

fn stuff(restitution: f64) -> World {
    let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(STIFFNESS);
    world(material, PairProperties::new(restitution, 0.3))
}

fn start(world: World, sharing: Sharing) -> Engine {
    Engine::new(world, Settings { sharing, ..settings(LawKind::Linear, 2e-6) }).unwrap()
}

/// Force and torque on the first body at the start.
fn load(world: &World, sharing: Sharing) -> BodyState {
    start(world.clone(), sharing).bodies()[0]
}

/// Rods of one, two and three spheres pressed flat on a plane, and on another rod.
#[test]
fn the_average_is_the_sum_over_the_number_of_contacts() {
    for count in [1, 2, 3] {
        for on_wall in [true, false] {
            // Dashpots know how many contacts share an impact; see `landings`.
            let mut world = stuff(1.0);
            let rod = add_clump(&mut world, &shapes::rod(count, RADIUS, 2.2 * RADIUS));
            let overlap = 1e-4;
            let place = if on_wall { Z * (RADIUS - overlap) } else { Z * (2.0 * RADIUS - overlap) };
            let moving = LabVec::new(0.05, 0.02, -0.1);
            world.add_body(Body::at(rod, place).moving(moving).spinning(LabVec::new(3.0, 0.0, 2.0)));
            if on_wall {
                add_floor(&mut world, MaterialId(0), Motion::fixed());
            } else {
                world.add_body(Body::at(rod, LabVec::zero()));
            }
            let (sum, average) = (load(&world, Sharing::Sum), load(&world, Sharing::Average));
            let share = 1.0 / f64::from(count);
            assert!(sum.force.z > 0.9 * f64::from(count) * STIFFNESS * overlap, "{:?}", sum.force);
            assert_near("force", average.force, sum.force * share, 1e-14 * sum.force.norm());
            assert_near("torque", average.torque, sum.torque * share, 1e-14 * sum.force.norm() * RADIUS);
        }
    }
}

/// A body that touches a second one twice and a third one once: the counts do not mix.
#[test]
fn every_pair_of_bodies_counts_its_own_contacts() {
    let mut world = stuff(1.0);
    let rod = add_clump(&mut world, &shapes::rod(2, RADIUS, 2.2 * RADIUS));
    let sphere = add_sphere(&mut world, RADIUS);
    let (shallow, deep) = (1e-4, 2e-4);
    world.add_body(Body::at(rod, LabVec::zero()));
    world.add_body(Body::at(rod, Z * -(2.0 * RADIUS - shallow)));
    world.add_body(Body::at(sphere, LabVec::new(1.1 * RADIUS, 0.0, 2.0 * RADIUS - deep)));
    let from_below = 2.0 * STIFFNESS * shallow;
    let from_above = STIFFNESS * deep;
    for (sharing, part) in [(Sharing::Sum, 1.0), (Sharing::Average, 0.5)] {
        let engine = start(world.clone(), sharing);
        assert_eq!(engine.contact_count(), 3);
        let bodies = engine.bodies();
        let tolerance = 1e-12 * from_below;
        assert_near("rod", bodies[0].force, Z * (part * from_below - from_above), tolerance);
        assert_near("other rod", bodies[1].force, Z * (-part * from_below), tolerance);
        assert_near("sphere", bodies[2].force, Z * from_above, tolerance);
    }
}

/// A tripod comes to rest with the overlap that bears its weight: on three springs, or on their mean.
#[test]
fn a_tripod_rests_on_three_springs_or_on_their_mean() {
    let corners = [0.0, 1.0, 2.0].map(|third: f64| {
        let (sine, cosine) = (third * core::f64::consts::TAU / 3.0).sin_cos();
        ClumpSphere::new([1.3 * RADIUS * cosine, 1.3 * RADIUS * sine, 0.0], RADIUS)
    });
    for (sharing, springs) in [(Sharing::Sum, 3.0), (Sharing::Average, 1.0)] {
        let mut world = stuff(0.3);
        world.gravity = Z * -9.81;
        let tripod = add_clump(&mut world, &corners);
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        // Its principal frame may stand otherwise than it was drawn.
        let upright = world.templates[0].orientation();
        world.add_body(Body::at(tripod, Z * RADIUS).turned(upright));
        let settings = Settings { sharing, ..settings(LawKind::Linear, 1e-5) };
        let mut engine = Engine::new(world, settings).unwrap();
        engine.advance(10_000).unwrap();
        assert_eq!(engine.contact_count(), 3);
        let body = engine.bodies()[0];
        let overlap = RADIUS - body.position.z;
        assert_close("overlap", overlap, body.mass * 9.81 / (springs * STIFFNESS), 1e-6);
        assert_close("load on the floor", engine.walls()[0].force.z, -body.mass * 9.81, 1e-6);
    }
}
