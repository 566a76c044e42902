//! Guarantee: engines with capsules keep what engines with spheres keep. Momentum and angular momentum to round-off, energy in elastic collisions,
//! books that close to second order; the same bits on any number of threads and ranks, with any instruction set and skin, after a
//! restart; a periodic end is nowhere. It can break wherever a capsule is taken for one of its end spheres.

use crate::common::{Y, Z, add_floor};
use crate::crowds::{advance, engine, v};
use crate::pieces_in_engines::{
    Gas, Kind, RADIUS, a_collision_across_the_end_is_one_in_the_middle, books_close_to_second_order,
    periodic, rubbing, template,
};
use tumble_dem::clump::{ClumpCapsule, ClumpPieces, ClumpSphere, ClumpTemplate, shapes};
use tumble_dem::domain::Domain;
use tumble_dem::material::PairProperties;
use tumble_dem::placement::overlaps;
use tumble_dem::wall::{Cylinder, Motion, Movement, Side, Wall};
use tumble_dem::{Body, BodyVec, MaterialId, Quat, Settings, TemplateId, World};

const KIND: Kind = Kind {
    templates,
    which: [0, 1, 2, 0, 3, 4, 0, 1],
    scales: [1.0, 0.7, 0.9],
    margin: 0.0,
    speed: 2.0,
    spin: 300.0,
    inwards: 100.0,
    max_overlap: 5.0,
};

/// A fibre, a pin with a round head, a bar beside a ball, a sphere, and a rod of three spheres.
fn templates() -> Vec<ClumpTemplate> {
    let add = |name: &str, spheres: &[ClumpSphere], capsules: &[ClumpCapsule]| {
        template(name, ClumpPieces { spheres, capsules, ..ClumpPieces::default() })
    };
    let fibre = ClumpCapsule::new([0.0; 3], [5.0 * RADIUS, 0.0, 0.0], 0.5 * RADIUS);
    let (pin, head) = (
        ClumpCapsule { radius: 0.3 * RADIUS, ..fibre },
        ClumpSphere::new([6.1 * RADIUS, 0.0, 0.0], 0.8 * RADIUS),
    );
    let bar = ClumpCapsule::new([0.0, 1.5 * RADIUS, -RADIUS], [0.0, 1.5 * RADIUS, RADIUS], 0.7 * RADIUS);
    vec![
        add("fibre", &[], &[fibre]),
        add("pin", &[head], &[pin]),
        add("bar and ball", &[ClumpSphere::new([0.0; 3], 0.8 * RADIUS)], &[bar]),
        add("sphere", &shapes::sphere(RADIUS), &[]),
        add("rod", &shapes::rod(3, 0.8 * RADIUS, 1.2 * RADIUS), &[]),
    ]
}

#[test]
fn placed_bodies_do_not_overlap() {
    let mut world = KIND.world(rubbing());
    world.bodies = KIND.crowd(&world, 240, 1);
    world.bodies.iter_mut().for_each(|body| body.scale = 1.0);
    assert_eq!(overlaps(&world, 0.0, 10).total, 0);
    // Two fibres side by side touch; a little nearer they overlap.
    for (apart, expected) in [(1.001, 0), (0.99, 1)] {
        let place = |y: f64| Body::at(TemplateId(0), v(0.0, y, 0.0));
        world.bodies = vec![place(0.0), place(apart * RADIUS)];
        let found = overlaps(&world, 0.0, 10);
        assert_eq!(found.total, expected);
        if let [overlap] = &found.found[..] {
            assert!((overlap.depth / (0.01 * RADIUS) - 1.0).abs() < 1e-10 && overlap.radius == 0.5 * RADIUS);
        }
    }
}

#[test]
fn the_same_bits_on_threads_instruction_sets_and_skins() {
    KIND.same_bits_on_threads_instruction_sets_and_skins();
}

#[test]
fn the_same_bits_after_a_restart_and_on_ranks() {
    for domain in [Domain::open(), periodic()] {
        KIND.same_bits_after_a_restart_and_on_ranks(domain);
    }
}

#[test]
fn momentum_and_angular_momentum_are_kept() {
    KIND.momentum_and_angular_momentum_are_kept();
}

#[test]
fn elastic_collisions_keep_their_energy_as_those_of_clumps_do() {
    let gas =
        Gas { count: 100, size: 1.0, speed: 0.5, spin: 50.0, max_overlap: 0.9, steps: 200, touched: 100 };
    // Rods of spheres, and the pieces that have capsules.
    let spheres = KIND.drift(&gas, [3, 4]);
    for templates in [[0, 0], [0, 3], [1, 2], [1, 4]] {
        let capsules = KIND.drift(&gas, templates);
        assert!(
            capsules < 3.0 * spheres && capsules < 1e-4,
            "{templates:?}: {capsules:e} beside {spheres:e}"
        );
    }
}

/// A fibre that lies across another on a shaking floor in a turning drum, all in touch for a while.
fn in_touch() -> World {
    let mut world = KIND.world(PairProperties::new(0.5, 0.2).with_rolling(0.05, 0.3).with_twisting(0.2));
    world.gravity = v(0.0, 0.0, -9.81);
    let shaking = Movement::Vibration { amplitude: v(2e-5, 0.0, 5e-5), frequency: 80.0, phase: 0.3 };
    add_floor(&mut world, MaterialId(0), Motion::new(vec![shaking]).unwrap());
    let drum = Cylinder::new(Z * 0.02, Y, 0.03, Side::Inside, None).unwrap();
    let turning = Motion::new(vec![Movement::Spin { axis: Y, pivot: Z * 0.02, rate: 20.0 }]).unwrap();
    world.walls.push(Wall::new("drum", drum, MaterialId(0), turning).unwrap());
    let (thin, spin) = (0.5 * RADIUS, v(20.0, -30.0, 25.0));
    let (bottom, top) = (0.85 * thin, 0.85 * thin + 1.8 * thin);
    let turned = Quat::from_rotation_vector(v(0.0, 0.02, 1.1));
    world.add_body(
        Body::at(TemplateId(0), v(0.0, 0.0, bottom)).moving(v(0.1, 0.05, -0.05)).spinning(spin * 0.2),
    );
    world.add_body(
        Body::at(TemplateId(0), v(1e-3, 5e-4, top))
            .turned(turned)
            .moving(v(-0.1, 0.1, -0.1))
            .spinning(spin * -0.1),
    );
    world.add_body(
        Body::at(TemplateId(0), v(0.03 - 2.5 * RADIUS - 0.9 * thin, 0.02, 0.02))
            .moving(v(0.05, 0.1, 0.0))
            .spinning(Z * 5.0),
    );
    world
}

#[test]
fn the_books_close_to_second_order() {
    books_close_to_second_order(in_touch, 4);
}

/// Two pieces that are capsules and one sphere.
#[test]
fn a_collision_across_the_end() {
    a_collision_across_the_end_is_one_in_the_middle(&KIND, |at| {
        let q = Quat::from_rotation_vector(v(0.3, 0.7, 1.2));
        vec![
            Body::at(TemplateId(0), at).moving(v(1.0, 0.3, 0.1)).spinning(v(30.0, 50.0, 20.0)),
            Body::at(TemplateId(1), at + v(2.4, 0.2, 1.1) * RADIUS).turned(q).moving(v(-1.0, 0.1, -0.4)),
            Body::at(TemplateId(3), at + v(-1.0, 1.6, 0.0) * RADIUS).moving(v(0.0, -1.0, 0.1)),
        ]
    });
}

/// A fibre that falls flat onto a floor comes to rest on its two ends, which bear its weight.
#[test]
fn a_fibre_lies_on_its_two_ends() {
    let mut world = KIND.world(PairProperties::new(0.3, 0.5));
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.gravity = Z * -9.81;
    world.add_body(Body::at(TemplateId(0), Z * (0.55 * RADIUS)).turned(Quat::from_rotation_vector(Y * 0.02)));
    let mut engine = engine(&world, &Settings::new(5e-6));
    advance(&mut engine, 40_000);
    assert_eq!(engine.contact_count(), 2);
    let body = &engine.bodies()[0];
    let axis = body.orientation.to_lab(BodyVec::new(1.0, 0.0, 0.0));
    assert!(
        body.velocity.norm() < 1e-6 && axis.dot(Z).abs() < 1e-6,
        "{} {}",
        body.velocity.norm(),
        axis.dot(Z)
    );
    let weight = body.mass * 9.81;
    for contact in engine.contacts() {
        assert!((contact.force.z / (0.5 * weight) - 1.0).abs() < 1e-3);
    }
}
