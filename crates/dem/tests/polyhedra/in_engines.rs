//! Guarantee: engines with rounded polyhedra keep what engines with spheres keep. Momentum and angular momentum to round-off, energy in elastic collisions,
//! books that close to second order; the same bits on any number of threads and ranks, with any instruction set and skin, after a
//! restart; a periodic end is nowhere. It can break wherever a feature is taken for another one.

use super::irregular;
use crate::common::{X, Z, add_floor, largest};
use crate::crowds::{plane, v};
use crate::pieces_in_engines::{
    Gas, Kind, RADIUS, a_collision_across_the_end_is_one_in_the_middle, books_close_to_second_order,
    periodic, rubbing, template,
};
use tumble_dem::clump::{ClumpCapsule, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, shapes};
use tumble_dem::domain::Domain;
use tumble_dem::material::PairProperties;
use tumble_dem::placement::overlaps;
use tumble_dem::random::Random;
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{Body, LabVec, MaterialId, Quat, TemplateId, World};

const ROUNDING: f64 = 0.4 * RADIUS;

const KIND: Kind = Kind {
    templates,
    which: [0, 1, 2, 6, 3, 4, 5, 0],
    scales: [1.0, 0.8, 0.9],
    margin: 0.05,
    speed: 1.0,
    spin: 200.0,
    inwards: 100.0,
    max_overlap: 0.9,
};

/// A die, a tetrahedron, an irregular stone, a sphere, a rod of three spheres, a fibre, and a hammer of two pieces.
fn templates() -> Vec<ClumpTemplate> {
    let add = |name: &str, spheres: &[ClumpSphere], capsules: &[ClumpCapsule], hulls: &[ClumpHull]| {
        template(name, ClumpPieces { spheres, capsules, hulls, ..ClumpPieces::default() })
    };
    let mut stone = irregular(&mut Random::new(3), 9, ROUNDING);
    stone.corners.iter_mut().for_each(|corner| *corner = *corner * (0.9 * RADIUS));
    let die = ClumpHull::cuboid([2.0 * RADIUS; 3], ROUNDING);
    let head = ClumpHull::cuboid([1.6 * RADIUS, 3.0 * RADIUS, 1.4 * RADIUS], ROUNDING);
    let handle = ClumpCapsule::new([1.3 * RADIUS, 0.0, 0.0], [3.5 * RADIUS, 0.0, 0.0], 0.4 * RADIUS);
    vec![
        add("die", &[], &[], &[die]),
        add("tetrahedron", &[], &[], &[ClumpHull::tetrahedron(1.5 * RADIUS, ROUNDING)]),
        add("stone", &[], &[], &[stone]),
        add("sphere", &shapes::sphere(RADIUS), &[], &[]),
        add("rod", &shapes::rod(3, 0.8 * RADIUS, 1.2 * RADIUS), &[], &[]),
        add("fibre", &[], &[ClumpCapsule::new([0.0; 3], [4.0 * RADIUS, 0.0, 0.0], 0.5 * RADIUS)], &[]),
        add("hammer", &[], &[handle], &[head]),
    ]
}

#[test]
fn placed_bodies_do_not_overlap() {
    let mut world = KIND.world(rubbing());
    world.bodies = KIND.crowd(&world, 240, 1);
    world.bodies.iter_mut().for_each(|body| body.scale = 1.0);
    assert_eq!(overlaps(&world, 0.0, 10).total, 0);
    // A die on a floor and a sphere on it touch; a little nearer they overlap.
    world.walls.push(plane("floor", LabVec::zero(), Z, Vec::new()));
    for (height, expected) in [(1.001, 0), (0.99, 2)] {
        let place = |template: u16, z: f64| Body::at(TemplateId(template), v(0.0, 0.0, z * RADIUS));
        world.bodies = vec![place(0, height), place(3, 3.0 * height)];
        let found = overlaps(&world, 0.0, 10);
        assert_eq!(found.total, expected, "{found:?}");
        if let [with_floor, between] = &found.found[..] {
            let depths = [with_floor.depth / 0.01, between.depth / 0.02].map(|depth| depth / RADIUS - 1.0);
            assert!(largest(depths.map(f64::abs)) < 1e-10, "{depths:?}");
        }
    }
    // One within another.
    world.walls.clear();
    world.bodies = vec![Body::at(TemplateId(0), X), Body::at(TemplateId(1), X).scaled(0.1)];
    assert_eq!(overlaps(&world, 0.0, 10).total, 1);
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
    let gas = Gas { count: 60, size: 0.7, speed: 0.2, spin: 20.0, max_overlap: 0.3, steps: 125, touched: 50 };
    // Spheres and rods of spheres, and the bodies that have polyhedra.
    let spheres = KIND.drift(&gas, [3, 4]);
    for templates in [[0, 0], [1, 3], [2, 1], [0, 5], [6, 4]] {
        let hulls = KIND.drift(&gas, templates);
        assert!(hulls < 5.0 * spheres && hulls < 2e-4, "{templates:?}: {hulls:e} beside {spheres:e}");
    }
}

/// A die on its face on a shaking floor, a rod across it, and two dice edge on edge, all in touch for a while.
fn in_touch() -> World {
    let properties = PairProperties::new(0.5, 0.2).with_rolling(0.05, 0.3).with_twisting(0.2);
    let mut world = KIND.world(properties);
    world.gravity = v(0.0, 0.0, -9.81);
    let shaking = Movement::Vibration { amplitude: v(2e-5, 0.0, 5e-5), frequency: 80.0, phase: 0.3 };
    add_floor(&mut world, MaterialId(0), Motion::new(vec![shaking]).unwrap());
    let deep = 0.02 * RADIUS;
    world.add_body(Body::at(TemplateId(0), Z * (RADIUS - deep)).moving(v(0.02, 0.01, -0.01)));
    world.add_body(
        Body::at(TemplateId(5), Z * (2.5 * RADIUS - 2.0 * deep))
            .moving(v(-0.02, 0.03, -0.02))
            .spinning(Z * 2.0),
    );
    // Turned by 45° about x and y: the lower edge of the second across the upper edge of the first.
    let quarter = 0.25 * core::f64::consts::PI;
    let [low, high] = [X, v(0.0, 1.0, 0.0)].map(|axis| Quat::from_rotation_vector(axis * quarter));
    let reach = (RADIUS - ROUNDING) * 2.0f64.sqrt() + ROUNDING;
    let far = X * (20.0 * RADIUS);
    world.add_body(Body::at(TemplateId(0), far + Z * RADIUS * 8.0).turned(low).moving(Z * 0.02));
    world.add_body(
        Body::at(TemplateId(0), far + Z * (RADIUS * 8.0 + 2.0 * (reach - deep)) + X * (0.2 * RADIUS))
            .turned(high)
            .moving(v(0.02, 0.03, -0.02))
            .spinning(v(1.0, 2.0, 3.0)),
    );
    world
}

#[test]
fn the_books_close_to_second_order() {
    books_close_to_second_order(in_touch, 7);
}

/// Polyhedra, a sphere and a fibre.
#[test]
fn a_collision_across_the_end() {
    a_collision_across_the_end_is_one_in_the_middle(&KIND, |at| {
        let q = Quat::from_rotation_vector(v(0.3, 0.7, 1.2));
        vec![
            Body::at(TemplateId(0), at).moving(v(1.0, 0.3, 0.1)).spinning(v(30.0, 50.0, 20.0)),
            Body::at(TemplateId(2), at + v(2.4, 0.2, 1.1) * RADIUS).turned(q).moving(v(-1.0, 0.1, -0.4)),
            Body::at(TemplateId(3), at + v(-1.0, 2.4, 0.0) * RADIUS).moving(v(0.0, -1.0, 0.1)),
            Body::at(TemplateId(5), at + v(0.0, 0.0, -2.2) * RADIUS).moving(v(0.0, 0.0, 1.0)),
        ]
    });
}
