//! Guarantee: engines with ellipsoids keep what engines with spheres keep. Momentum and angular momentum to round-off, energy in elastic collisions,
//! books that close to second order; the same bits on any number of threads and ranks, with any instruction set and skin, after a
//! restart; a periodic end is nowhere. It can break wherever an ellipsoid is taken for a sphere at one of its points.

use crate::common::{Y, Z, add_floor, largest};
use crate::crowds::{plane, v};
use crate::pieces_in_engines::{
    Gas, Kind, RADIUS, a_collision_across_the_end_is_one_in_the_middle, books_close_to_second_order,
    periodic, rubbing, template,
};
use tumble_dem::clump::{ClumpCapsule, ClumpEllipsoid, ClumpPieces, ClumpSphere, ClumpTemplate, shapes};
use tumble_dem::domain::Domain;
use tumble_dem::material::PairProperties;
use tumble_dem::placement::overlaps;
use tumble_dem::wall::{Cylinder, Motion, Movement, Side, Wall};
use tumble_dem::{Body, LabVec, MaterialId, Quat, TemplateId, World};

const KIND: Kind = Kind {
    templates: without_capsules,
    which: [0, 1, 2, 0, 3, 4, 5, 1],
    scales: [1.0, 0.7, 0.9],
    margin: 0.1,
    speed: 1.0,
    spin: 200.0,
    inwards: 100.0,
    max_overlap: 0.5,
};

const WITH_CAPSULES: Kind = Kind { templates: with_capsules, ..KIND };

/// A lentil, an almond, two grains beside a ball, a sphere, and a rod of three spheres.
fn ellipsoids_and_spheres() -> Vec<ClumpTemplate> {
    let add = |name: &str, spheres: &[ClumpSphere], ellipsoids: &[ClumpEllipsoid]| {
        template(name, ClumpPieces { spheres, ellipsoids, ..ClumpPieces::default() })
    };
    let of = |axes: [f64; 3]| ClumpEllipsoid::new(axes.map(|axis| axis * RADIUS));
    let grain = of([1.0, 0.6, 0.5]).turned(Quat::from_rotation_vector(v(0.3, 0.1, 0.8)));
    let ball = ClumpSphere::new([0.0; 3], 0.8 * RADIUS);
    let grains = [grain.at([1.9 * RADIUS, 0.0, 0.0]), grain.at([-1.9 * RADIUS, 0.2 * RADIUS, 0.0])];
    vec![
        add("lentil", &[], &[of([1.3, 1.3, 0.6])]),
        add("almond", &[], &[of([1.7, 1.0, 0.7])]),
        add("grains and ball", &[ball], &grains),
        add("sphere", &shapes::sphere(RADIUS), &[]),
        add("rod", &shapes::rod(3, 0.8 * RADIUS, 1.2 * RADIUS), &[]),
    ]
}

/// And another sphere.
fn without_capsules() -> Vec<ClumpTemplate> {
    let mut templates = ellipsoids_and_spheres();
    let spheres = &shapes::sphere(0.9 * RADIUS)[..];
    templates.push(template("another sphere", ClumpPieces { spheres, ..ClumpPieces::default() }));
    templates
}

/// And a fibre.
fn with_capsules() -> Vec<ClumpTemplate> {
    let mut templates = ellipsoids_and_spheres();
    let capsules = &[ClumpCapsule::new([0.0; 3], [4.0 * RADIUS, 0.0, 0.0], 0.5 * RADIUS)];
    templates.push(template("fibre", ClumpPieces { capsules, ..ClumpPieces::default() }));
    templates
}

#[test]
fn placed_bodies_do_not_overlap() {
    let mut world = WITH_CAPSULES.world(rubbing());
    world.bodies = WITH_CAPSULES.crowd(&world, 240, 1);
    world.bodies.iter_mut().for_each(|body| body.scale = 1.0);
    assert_eq!(overlaps(&world, 0.0, 10).total, 0);
    // Two lentils one on the other touch; a little nearer they overlap, and so do one and a floor.
    world.walls.push(plane("floor", LabVec::zero(), Z, Vec::new()));
    for (height, expected) in [(1.001, 0), (0.99, 2)] {
        let place = |z: f64| Body::at(TemplateId(0), v(0.0, 0.0, z * 0.6 * RADIUS));
        world.bodies = vec![place(height), place(3.0 * height)];
        let found = overlaps(&world, 0.0, 10);
        assert_eq!(found.total, expected, "{found:?}");
        if let [with_floor, between] = &found.found[..] {
            let depths =
                [with_floor.depth / 0.01, between.depth / 0.02].map(|depth| depth / (0.6 * RADIUS) - 1.0);
            assert!(largest(depths.map(f64::abs)) < 1e-10, "{depths:?}");
        }
    }
}

#[test]
fn the_same_bits_on_threads_instruction_sets_and_skins() {
    for kind in [KIND, WITH_CAPSULES] {
        kind.same_bits_on_threads_instruction_sets_and_skins();
    }
}

#[test]
fn the_same_bits_after_a_restart_and_on_ranks() {
    KIND.same_bits_after_a_restart_and_on_ranks(Domain::open());
    WITH_CAPSULES.same_bits_after_a_restart_and_on_ranks(periodic());
}

#[test]
fn momentum_and_angular_momentum_are_kept() {
    WITH_CAPSULES.momentum_and_angular_momentum_are_kept();
}

#[test]
fn elastic_collisions_keep_their_energy_as_those_of_clumps_do() {
    let gas =
        Gas { count: 100, size: 0.7, speed: 0.2, spin: 20.0, max_overlap: 0.3, steps: 125, touched: 100 };
    // Spheres and rods of spheres, and the pieces that have ellipsoids.
    let spheres = WITH_CAPSULES.drift(&gas, [3, 4]);
    for templates in [[0, 0], [0, 3], [1, 2], [0, 5], [1, 4]] {
        let ellipsoids = WITH_CAPSULES.drift(&gas, templates);
        assert!(
            ellipsoids < 3.0 * spheres && ellipsoids < 1e-4,
            "{templates:?}: {ellipsoids:e} beside {spheres:e}"
        );
    }
}

/// A lentil on an almond on a shaking floor, and an almond in a turning drum, all in touch for a while.
fn in_touch() -> World {
    let properties = PairProperties::new(0.5, 0.2).with_rolling(0.05, 0.3).with_twisting(0.2);
    let mut world = KIND.world(properties);
    world.gravity = v(0.0, 0.0, -9.81);
    let shaking = Movement::Vibration { amplitude: v(2e-5, 0.0, 5e-5), frequency: 80.0, phase: 0.3 };
    add_floor(&mut world, MaterialId(0), Motion::new(vec![shaking]).unwrap());
    let drum = Cylinder::new(Z * 0.02, Y, 0.03, Side::Inside, None).unwrap();
    let turning = Motion::new(vec![Movement::Spin { axis: Y, pivot: Z * 0.02, rate: 20.0 }]).unwrap();
    world.walls.push(Wall::new("drum", drum, MaterialId(0), turning).unwrap());
    let spin = v(20.0, -30.0, 25.0);
    let turned = Quat::from_rotation_vector(v(0.0, 0.02, 1.1));
    world.add_body(
        Body::at(TemplateId(1), Z * (0.66 * RADIUS)).moving(v(0.1, 0.05, -0.05)).spinning(spin * 0.2),
    );
    world.add_body(
        Body::at(TemplateId(0), Z * (1.88 * RADIUS))
            .turned(turned)
            .moving(v(-0.1, 0.1, -0.1))
            .spinning(spin * -0.1),
    );
    world.add_body(
        Body::at(TemplateId(1), v(0.03 - 1.65 * RADIUS, 0.02, 0.02))
            .moving(v(0.05, 0.1, 0.0))
            .spinning(Z * 5.0),
    );
    world
}

#[test]
fn the_books_close_to_second_order() {
    books_close_to_second_order(in_touch, 3);
}

/// Ellipsoids, a sphere and a fibre.
#[test]
fn a_collision_across_the_end() {
    a_collision_across_the_end_is_one_in_the_middle(&WITH_CAPSULES, |at| {
        let q = Quat::from_rotation_vector(v(0.3, 0.7, 1.2));
        vec![
            Body::at(TemplateId(0), at).moving(v(1.0, 0.3, 0.1)).spinning(v(30.0, 50.0, 20.0)),
            Body::at(TemplateId(1), at + v(2.4, 0.2, 1.1) * RADIUS).turned(q).moving(v(-1.0, 0.1, -0.4)),
            Body::at(TemplateId(3), at + v(-1.0, 2.1, 0.0) * RADIUS).moving(v(0.0, -1.0, 0.1)),
            Body::at(TemplateId(5), at + v(0.0, 0.0, -2.0) * RADIUS).moving(v(0.0, 0.0, 1.0)),
        ]
    });
}
